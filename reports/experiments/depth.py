"""How many steps of skill lie between the weakest and the strongest, in words and on a card."""

from __future__ import annotations

from collections.abc import Callable

from reports import wording
from reports.estimates import FAIR, UNKNOWN, Estimate, State
from reports.experiments.meetings import STEP, Meetings
from reports.section import Verdict

SURE = 0.5  # steps to either side: a count that is known no better is not given


def depth(m: Meetings, name: Callable[[int], str] | None = None) -> tuple[State, str]:
    """How many steps of skill lie between the weakest and the strongest, in a sentence.

    ``name``: how to call a style.
    """
    ends = (m.order[-1], m.order[0])
    weak, strong = (name(i) if name else wording.plain(m.names[i]) for i in ends)
    found = m.depth
    points = wording.count(wording.rounded(found.value * STEP))
    interval = wording.interval_of(found, 1)
    if m.few or not found.half <= SURE:
        low, high = wording.number(found.low, 1), wording.number(found.high, 1)
        return UNKNOWN, (
            f"Somewhere from {low} to {high} steps of skill lie between {weak} and {strong}: more "
            "games are needed."
        )
    return FAIR, (
        f"From {weak} to {strong} there is room for {_steps(found)} of skill ({interval}): {points} "
        f"points, and a step of {STEP:.0f} means finishing ahead in three meetings of four."
    )


def _steps(found: Estimate) -> str:
    """A number of steps in words."""
    text = wording.number(found.value, 1)
    return f"{text} {'step' if text == '1.0' else 'steps'}"


def depth_card(
    m: Meetings, question: str, section: str, name: Callable[[int], str] | None = None
) -> Verdict:
    """The card of the number of steps, on a ladder's page and on a tournament's."""
    state, words = depth(m, name)
    return Verdict(
        id=f"depth-{m.players}",
        question=question,
        state=state,
        headline=words,
        number=_steps(m.depth),
        interval=f"of {STEP:.0f} points; 95%: {wording.interval_of(m.depth, 1)}",
        n=m.games,
        detail="As far as these players go: a better player could stand above the highest.",
        about=m.stratum,
        words={"fair": _steps(m.depth).capitalize()},
        section=section,
        measure="Steps of skill",
    )
