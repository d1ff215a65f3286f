"""The games: one folder each, found by scanning. Games know nothing of each other."""
