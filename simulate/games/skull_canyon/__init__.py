"""Skull Canyon: Ski Fest."""

from simulate.game import Game

GAME = Game(
    name="skull_canyon",
    title="Skull Canyon: Ski Fest",
    rules_version=1,
    players=(2, 3, 4),
    default_players=4,
    test_players=(),
    layout_key="board.layout",
    layout_option="board",
    summary="card sets ski the runs of a mountain; claims, a Yeti, avalanches and a village",
)
