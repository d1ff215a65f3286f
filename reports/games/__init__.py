"""Sections of single games: one folder each, found by scanning.

``LENS`` says how the general sections look at the game; every module with ``make`` is a section, see
``reports.section``.
"""
