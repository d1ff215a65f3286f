"""Experiments: arms on the same dice, differences game by game. For any game."""
