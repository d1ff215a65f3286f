"""Sections for all games: one module each, found by scanning this folder."""
