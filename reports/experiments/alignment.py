"""How far the two sides of a comparison go together before the change shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from reports import estimates, wording
from reports.estimates import Estimate


class Game(Protocol):
    """A game on both sides; ``turn``: the first that differs, 0 before any choice, None no turn."""

    @property
    def game_id(self) -> int:
        """Number of the game."""

    @property
    def turn(self) -> int | None:
        """The first turn that differs."""

    @property
    def turns(self) -> int:
        """Turns of the whole game, on side A."""


@dataclass(frozen=True)
class Alignment:
    """Games looked at: ``drawn`` spread over the run, ``shown`` those that the page names."""

    drawn: Sequence[Game]
    shown: Sequence[Game] = ()

    @property
    def same(self) -> Estimate:
        """Share of games that are the same to the end."""
        return estimates.proportion(sum(g.turn is None for g in self.drawn), len(self.drawn))

    @property
    def first(self) -> tuple[int, int, int]:
        """Quartiles of the first turn that differs, in games that differ."""
        low, middle, high = np.quantile(self._turns, [0.25, 0.5, 0.75], method="inverted_cdf")
        return int(low), int(middle), int(high)

    @property
    def _turns(self) -> list[int]:
        return [g.turn for g in self.drawn if g.turn is not None]

    def words(self) -> str:
        """Both in a sentence or two."""
        n = len(self.drawn)
        looked = f"Of {wording.count(n)} games spread over the run"
        kept = sum(g.turn is None for g in self.drawn)
        if kept == n:
            return f"{looked}, all are the same to the end, turn by turn."
        low, middle, high = self.first
        lengths = [g.turns for g in self.drawn if g.turn is not None]
        length = int(np.quantile(lengths, 0.5, method="inverted_cdf"))
        part = (
            f"part in turn {middle} of {length} or before"
            if middle
            else f"part before the first choice of {length} turns"
        )
        if not kept:
            told = f"{looked}, none is the same to the end: half of them {part}"
        else:
            share = f"{wording.percent(self.same.value, 0)}, 95%: {self._interval()}"
            told = f"{looked}, {kept} are the same to the end ({share}); half of the others {part}"
        spread = f" (middle half: turns {low} to {high})" if high else ""
        return f"{told}{spread}. Until then every die, card and choice is the same on both sides."

    def _interval(self) -> str:
        ends = (self.same.low, self.same.high)
        return " … ".join(wording.percent(end, 0) for end in ends)

    def of(self, game_id: int) -> str:
        """Where one of the games shown parts, "" if it was not looked at."""
        for game in self.shown:
            if game.game_id == game_id and game.turn is not None:
                where = f"in turn {game.turn}" if game.turn else "before the first choice"
                return f"they part {where}"
        return ""

    def told(self) -> dict[str, Any]:
        """What experiment.json holds."""
        differ = bool(self._turns)
        low, middle, high = self.first if differ else (None, None, None)
        return {
            "games": len(self.drawn),
            "same_to_the_end": sum(g.turn is None for g in self.drawn),
            "first_turn": {"lower_quartile": low, "median": middle, "upper_quartile": high},
            "by_game": [{"game_id": g.game_id, "first_turn": g.turn} for g in self.drawn],
        }
