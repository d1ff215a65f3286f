"""Treatments of Pistengaudi: each changes what it names, and nothing else.

Random line-ups look at nothing, so a game with a treatment is the game without it, event by event,
up to the first one that the treatment itself brings about. What comes after follows by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from simulate import jit

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")

SEAT = 1
GAMES = range(8)
ORDINARY = ("step_down", "sign")  # events that only treatments bring about


@pytest.fixture(scope="module")
def lab(laboratory: Callable[..., Any]) -> Any:
    """Games of four who play at random."""
    return laboratory("pistengaudi", "random")


def first_changes(lab: Any, hook: str) -> Iterator[tuple[list[Any], Any, Any]]:
    """Common events and the first that differ, of all games that a hook changes; some must."""
    found = 0
    for game in GAMES:
        common, here, there = lab.changed(hook, game)
        if here is not None:
            found += 1
            yield common, here, there
    assert found > 0


def events(lab: Any, hook: str, kind: str) -> Iterator[dict[str, Any]]:
    """Events of a kind in the games with a hook."""
    return (event for game in GAMES for event in lab.told(hook, game) if event["event"] == kind)


def without(event: dict[str, Any], *names: str) -> dict[str, Any]:
    """An event less some of its fields."""
    return {name: value for name, value in event.items() if name not in names}


def share_of(flags: list[bool]) -> tuple[float, float]:
    """Share of true ones, and four standard errors of it at a half."""
    return sum(flags) / len(flags), 4 * 0.5 / len(flags) ** 0.5


@pytest.mark.parametrize("begins", [3, 5])
def test_moved_down_at_the_start_of_a_round(lab: Any, begins: int) -> None:
    """step_down: one space straight down, once, before anybody plays in that round."""
    hook = f"step_down={begins}"
    for common, here, _ in first_changes(lab, hook):
        assert (here["event"], here["seat"]) == ("step_down", SEAT)
        assert common[-1] == {"event": "round", "round": begins}
        x, y = here["from"]
        assert here["to"] == [x, y + 1]
    moved = lab.rows(hook)[1]["stepped_down"]
    assert set(moved[:, SEAT].tolist()) <= {0, 1}
    assert moved.sum() == moved[:, SEAT].sum() > 0


@pytest.mark.parametrize(
    ("hook", "kind", "mute"),
    [("mute_throws", "snowball", "snow_muted"), ("mute_groomer", "groomer", "")],
)
def test_effects_without_effect(lab: Any, hook: str, kind: str, mute: str) -> None:
    """Only the seat's own, about as many as wanted; at 100 per cent all of them."""
    for _, here, there in first_changes(lab, hook):
        assert here["event"] == there["event"] == kind
        assert (here["seat"], here["muted"], there["muted"]) == (SEAT, True, False)
        assert without(here, "muted") == without(there, "muted")
    for value in (50, 100):
        told = list(events(lab, f"{hook}={value}", kind))
        assert not any(event["muted"] for event in told if event["seat"] != SEAT)
        muted = [event["muted"] for event in told if event["seat"] == SEAT]
        share, room = share_of(muted)
        assert share == pytest.approx(value / 100, abs=room if value < 100 else 0)
    if mute:
        assert (lab.seat(f"{hook}=100", mute) == lab.seat(f"{hook}=100", "snow_thrown")).all()


def test_a_muted_effect_leaves_its_target_as_it_was(lab: Any) -> None:
    """At 100 per cent nobody lies by the seat's snowballs, nobody is moved by its groomers."""
    for game in GAMES:
        at: dict[int, Any] = {}
        lying: dict[int, bool] = {}
        for event in lab.told("mute_groomer=100", game):
            if event["event"] == "turn":
                if event["seat"] in at:
                    assert event["at"] == at[event["seat"]]
                at[event["seat"]] = event["at"]
            elif event["event"] == "turn_end":
                at[event["seat"]] = event["at"]
            elif event["event"] == "groomer" and not event["muted"]:
                at[event["target"]] = event["to"]
        for event in lab.told("mute_throws=100", game):
            if event["event"] == "turn":
                if event["seat"] in lying:
                    assert event["lying"] == lying[event["seat"]]
                lying[event["seat"]] = event["lying"]
            elif event["event"] == "turn_end":
                lying[event["seat"]] = event["lying"]
            elif event["event"] == "snowball" and not event["muted"]:
                if event["target_was"] == "upright":
                    lying[event["target"]] = True


def test_soft_falls(lab: Any) -> None:
    """soft_falls: the seat falls as often as ever and stays upright after some; others lie."""
    for _, here, there in first_changes(lab, "soft_falls"):
        assert here["event"] == there["event"] == "fall"
        assert (here["seat"], here["kept_upright"], there["kept_upright"]) == (SEAT, True, False)
        assert without(here, "kept_upright") == without(there, "kept_upright")
    games, seats = lab.rows("soft_falls=100")
    assert (seats["falls_spared"][:, SEAT] == seats["falls"][:, SEAT]).all()
    assert seats["falls_spared"].sum() == seats["falls_spared"][:, SEAT].sum() > 0
    for game in GAMES:
        fell = False
        for event in lab.told("soft_falls=100", game):
            if event["event"] == "fall" and event["seat"] == SEAT:
                fell = True
            if event["event"] == "turn_end" and event["seat"] == SEAT:
                assert not (fell and event["lying"])
                fell = False
    half = [e["kept_upright"] for e in events(lab, "soft_falls", "fall") if e["seat"] == SEAT]
    share, room = share_of(half)
    assert share == pytest.approx(0.5, abs=room)


def test_signs_drawn_anew(lab: Any) -> None:
    """random_signs: only where the seat is the first to land; the terrain stays, the sign may not."""
    for _, here, _ in first_changes(lab, "random_signs"):
        assert (here["event"], here["seat"]) == ("sign", SEAT)
    for event in events(lab, "random_signs", "sign"):
        assert event["seat"] == SEAT
        assert event["before"][:-1] == event["after"][:-1]
    signs = {event["after"][-1] for event in events(lab, "random_signs", "sign")}
    assert len(signs) == 3


@pytest.mark.parametrize(("hook", "left"), [("no_take", "forgo"), ("no_forgo", "take")])
def test_what_to_do_with_an_empty_stack(lab: Any, hook: str, left: str) -> None:
    """no_take, no_forgo: where both may be done the seat is left one; others are asked as ever."""
    choices = set()
    for event in events(lab, hook, "ask"):
        if event["question"] == "PG-D-EMPTY":
            words = tuple({o if isinstance(o, str) else o[0]: 0 for o in event["options"]})
            if event["seat"] == SEAT:
                assert words == ("take",)  # which card: it may not forgo, or shall not
            else:
                choices.add(words)
    assert ("forgo", "take") in choices
    for _, here, there in first_changes(lab, hook):
        assert (there["event"], there["question"], there["seat"]) == ("ask", "PG-D-EMPTY", SEAT)
        assert there["options"][0] == "forgo"
        if here["event"] == "ask":
            assert here["options"] == there["options"][1:]
            assert left == "take"
        else:
            assert (here["event"], here["seat"]) == (left, SEAT)


def test_another_shuffle(lab: Any) -> None:
    """deck_shift: other cards come up; the set-up and the deck they come from are the same."""
    for common, here, there in first_changes(lab, "deck_shift"):
        assert common[0]["event"] == "setup"
        assert here["event"] == there["event"] == "draw"
        assert (here["seat"], here["stack"]) == (there["seat"], there["stack"])
    orders = [
        [event["card"] for event in lab.told(hook, 0) if event["event"] == "draw"][:6]
        for hook in ("", "deck_shift", "deck_shift=2")
    ]
    assert orders[0] != orders[1] != orders[2]


@pytest.mark.parametrize("kind", ORDINARY)
def test_without_a_treatment_none_of_its_events(lab: Any, kind: str) -> None:
    """Games without treatments have no moves down and no new signs."""
    assert list(events(lab, "", kind)) == []


def test_other_coins_change_a_choice_first(lab: Any) -> None:
    """policy_shift: the same question, another answer; the deck is the same."""
    for _, here, there in first_changes(lab, "policy_shift"):
        assert here["event"] == there["event"] == "ask"
        assert here["options"] == there["options"]
        assert here["chosen"] != there["chosen"]
