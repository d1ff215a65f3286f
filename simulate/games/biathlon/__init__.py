"""Ski Tour: Biathlon."""

from simulate.game import Game

GAME = Game(
    name="biathlon",
    title="Ski Tour: Biathlon",
    rules_version=1,
    players=(2, 3, 4, 5),
    default_players=4,
    test_players=(1,),
    layout_key="course.layout",
    layout_option="course",
    summary="cross-country race with dice columns, stamina, wax, drafting and shooting",
)
