"""How large a change must be to matter: ``1pp``, ``2%``, ``rounds=0.3``."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from reports.experiments.quantities import Quantity
from simulate.errors import PlanError
from simulate.texts import as_list

_FORM = re.compile(r"\s*(?:([A-Za-z]\w*)\s*=)?\s*(\d+(?:\.\d*)?|\.\d+)\s*(pp|%|)\s*")
ALIASES = {"win_rate": "win_share", "win": "win_share"}


@dataclass(frozen=True)
class Margins:
    """``share``: of win shares and flags; ``relative``: of other numbers, a part of the value.

    ``own``: column -> (size, whether it is a part of the value).
    """

    share: float = 0.01
    relative: float = 0.02
    own: Mapping[str, tuple[float, bool]] = field(default_factory=dict)

    def of(self, quantity: Quantity, value: float) -> float:
        """The margin of a quantity whose value without the change is ``value``."""
        if quantity.measure in self.own:
            size, part = self.own[quantity.measure]
            return size * abs(value) if part else size
        return self.share if quantity.kind == "share" else self.relative * abs(value)

    @property
    def words(self) -> str:
        """All margins in one phrase."""
        said = [
            f"{self.share * 100:g} pp for shares",
            f"{self.relative * 100:g} % for other numbers",
        ]
        for name, (size, part) in self.own.items():
            said.append(f"{size * 100:g} % for {name}" if part else f"{size:g} for {name}")
        return ", ".join(said)


def read(
    given: str | Sequence[str],
    share: float,
    relative: float,
    option: str = "--margin",
    columns: Collection[str] | None = None,
) -> Margins:
    """Margins from a command's texts, or from one, over the defaults.

    ``columns``: those that may have a margin of their own; any without it.
    """
    own: dict[str, tuple[float, bool]] = {}
    for text in as_list(given):
        match = _FORM.fullmatch(text)
        if match is None:
            raise PlanError(
                f"{option}: '{text}' is no margin. Write 1pp (percentage points of shares), 2% (of "
                "the value of other numbers) or rounds=0.3 (of one column, in its unit)."
            )
        name, number, unit = match.groups()
        size = float(number) / (100 if unit else 1)
        if name:
            column = ALIASES.get(name, name)
            if columns is not None and column not in columns:
                raise PlanError(f"{option}: there is no '{name}'. Measures: {', '.join(columns)}.")
            own[column] = (size, unit == "%")
        elif unit == "pp":
            share = size
        elif unit == "%":
            relative = size
        else:
            raise PlanError(
                f"{option}: '{text}' has no unit: {number}pp for shares, {number}% for other "
                f"numbers, or NAME={number} for one column."
            )
    return Margins(share, relative, own)
