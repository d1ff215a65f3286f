"""Pistengaudi."""

from simulate.game import Game

GAME = Game(
    name="pistengaudi",
    title="Pistengaudi",
    rules_version=1,
    players=(2, 3, 4, 5, 6),
    default_players=4,
    test_players=(),
    layout_key="slope.forest",
    layout_option="setup",
    summary="ski race down a slope of cards that grows as it is ridden",
)
