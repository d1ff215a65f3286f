"""How seats play: one folder a game, found by scanning."""
