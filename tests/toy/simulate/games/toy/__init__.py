"""Toy dash: the smallest complete game, for tests of everything that knows no game."""

from pathlib import Path

from simulate.game import Game


class ToyGame(Game):
    """A game that lives outside the project's own folder."""

    @property
    def folder(self) -> Path:
        """This folder."""
        return Path(__file__).parent


GAME = ToyGame(
    name="toy",
    title="Toy Dash",
    rules_version=1,
    players=(2, 3, 4),
    default_players=3,
    test_players=(1,),
    layout_key="track.layout",
    layout_option="course",
    summary="walk two spaces or run by a die, first over the line wins",
)
