"""The compiled doors from Python."""

from __future__ import annotations

from simulate.games.toy import engine

from simulate.jit import entry


@entry
def start(state, rules, work, events, treatments, players, root, block):
    """Set up a game."""
    engine.start(state, rules, work, events, treatments, players, root, block)


@entry
def legal(state, rules, work):
    """Options of the question asked."""
    return engine.legal(state, rules, work)


@entry
def apply(state, rules, work, events, action):
    """Answer the question asked."""
    engine.apply(state, rules, work, events, action)


@entry
def finish(state, rules, game_row, seat_rows):
    """Fill the records."""
    engine.finish(state, rules, game_row, seat_rows)


@entry
def resume(state, rules, work, events):
    """Run on to the first question."""
    engine.settle(state, rules, work, events)
