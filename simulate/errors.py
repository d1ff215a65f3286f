"""Errors that a user can mend: they are shown as one clear message, never as a traceback."""

from __future__ import annotations


class UserError(Exception):
    """Something the user gave cannot be used; the message says what, where and what is allowed."""


class RulesError(UserError):
    """A rules file, an override or a component cannot be used."""


class PlanError(UserError):
    """A run was asked for that cannot be played (count, line-up, seating, seed, …)."""


class StrategyError(UserError):
    """A strategy, a parameter or a user's strategy file cannot be used."""


class StoreError(UserError):
    """A run folder is missing, damaged, or belongs to another plan."""


class ScriptError(UserError):
    """A scripted position cannot be set up."""
