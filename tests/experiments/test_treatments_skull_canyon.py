"""Treatments of Skull Canyon: each changes what it names, and nothing else.

Random line-ups look at nothing, so a game with a treatment is the game without it, event by event,
up to the first one that the treatment itself brings about. What comes after follows by the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from simulate import jit, rules
from simulate.games.skull_canyon.words import FACES, PLACES

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")

SEAT = 1
GAMES = range(8)
GEAR = sorted(rules.load("skull_canyon").model.gear.cards)
POLES = 1 + GEAR.index("ski_poles")
BOOTS = 1 + GEAR.index("blazing_boots")
NIGHT = 1 + GEAR.index("night_goggles")


@pytest.fixture(scope="module")
def lab(laboratory: Callable[..., Any]) -> Any:
    """Games of four who play at random."""
    return laboratory("skull_canyon", "random")


@pytest.fixture(scope="module")
def shoppers(laboratory: Callable[..., Any]) -> Any:
    """Games of four who buy gear and steal runs."""
    return laboratory("skull_canyon", "gear_baron,socialite,claim_jumper,gear_baron", 400)


def events(lab: Any, hook: str, kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Events of a kind in the games with a hook, with the number of the game."""
    for game in GAMES:
        for event in lab.told(hook, game):
            if event["event"] == kind:
                yield game, event


def first_changes(lab: Any, hook: str) -> Iterator[tuple[list[Any], Any, Any]]:
    """Common events and the first that differ, of all games that a hook changes; some must."""
    found = 0
    for game in GAMES:
        common, here, there = lab.changed(hook, game)
        if here is not None:
            found += 1
            yield common, here, there
    assert found > 0


def asked(event: dict[str, Any], question: str) -> bool:
    """True for this question to the treated seat."""
    return (event["event"], event.get("question"), event.get("seat")) == ("ask", question, SEAT)


# ---------------------------------------------------------------- the first player (Q2)
def test_the_first_player_marker_stays(lab: Any) -> None:
    """no_pass: seat 0 begins every day; day I is the same to the last event."""
    assert {event["first"] for _, event in events(lab, "no_pass", "day_start")} == {0}
    assert {event["first"] for _, event in events(lab, "", "day_start")} == {0, 1, 2}
    for common, here, there in first_changes(lab, "no_pass"):
        assert here["event"] == there["event"] == "day_start"
        assert (here["first"], there["first"], here["day"]) == (0, 1, 2)
        assert "track" in {event["event"] for event in common}


# ---------------------------------------------------------------- gear (Q7 to Q9)
@pytest.mark.parametrize(("hook", "day"), [("gear_gift", 2), ("gear_gift_day1", 1)])
def test_a_gift_of_gear(lab: Any, hook: str, day: int) -> None:
    """It comes on its morning, to the treated seat, and costs nothing."""
    for common, here, _ in first_changes(lab, f"{hook}={POLES}"):
        assert here == {
            "event": "gear", "seat": SEAT, "gear": "ski_poles", "price": 0, "how": "gift",
        }  # fmt: skip
        assert common[-1]["event"] == "day_start"
        assert common[-1]["day"] == day
    owned = lab.seat(f"{hook}={POLES}", "gear_owned")[:, POLES - 1]
    assert (owned >= 1).all()
    assert lab.seat(f"{hook}={POLES}", "gear_use")[:, POLES - 1].sum() > 0


def test_gear_without_its_ability(shoppers: Any) -> None:
    """gear_off: the card is bought and scores, but never works; others' cards do."""
    hook = f"gear_off={BOOTS}"
    games, seats = shoppers.rows(hook)

    assert (seats["gear_use"][:, SEAT, BOOTS - 1] == 0).all()
    assert (seats["fame_boots"][:, SEAT] == 0).all()
    assert seats["gear_owned"][:, SEAT, BOOTS - 1].sum() > 0
    others = [seat for seat in range(4) if seat != SEAT]
    assert seats["fame_boots"][:, others].sum() > 0
    assert shoppers.seat("", "fame_boots").sum() > 0
    for game in GAMES:
        common, here, _ = shoppers.changed(hook, game)
        bought = {
            "event": "gear",
            "seat": SEAT,
            "gear": "blazing_boots",
            "price": 5,
            "how": "bought",
        }
        assert here is None or bought in common


def test_gear_that_may_not_be_bought(lab: Any, shoppers: Any) -> None:
    """gear_ban: the first thing to change is the seat's offer at the Hotel, by that card alone."""
    for name in ("gear1", "gear2"):
        assert (shoppers.seat(f"gear_ban={BOOTS}", name) != BOOTS - 1).all()
        assert (shoppers.seat("", "gear1") == BOOTS - 1).any()
    for _, here, there in first_changes(lab, f"gear_ban={NIGHT}"):
        assert asked(there, "GEAR")
        left = [option for option in there["options"] if option != "night_goggles"]
        assert here.get("options", left) == left if len(left) > 1 else here["event"] == "lodge"


@pytest.mark.parametrize("shift", [2, -3])
def test_another_price(shoppers: Any, shift: int) -> None:
    """gear_price: the seat pays so much more, never less than nothing; the others pay what is printed."""
    printed = {
        name: card.cost for name, card in rules.load("skull_canyon").model.gear.cards.items()
    }
    paid = Counter()
    for _, event in events(shoppers, f"gear_price={shift}", "gear"):
        due = printed[event["gear"]]
        if event["seat"] == SEAT:
            due = max(0, due + shift)
            paid[SEAT] += 1
        assert event["price"] == due
    assert paid[SEAT] > 0


def test_gear_on_offer(lab: Any) -> None:
    """gear_offer: the card lies in the row of the first evening; cards, weather, styles are as ever."""
    hook = f"gear_offer={POLES}"
    for _, here, there in first_changes(lab, hook):
        assert here["event"] == there["event"] == "gear_row"
        assert here["gear"] == "ski_poles"
    assert (lab.rows(hook)[0]["gear_row1"][:, POLES - 1] == 1).all()
    for game in GAMES:
        assert dealt(lab, hook, game) == dealt(lab, "", game)


def dealt(lab: Any, hook: str, game: int) -> list[dict[str, Any]]:
    """Everything that chance brings before the first turn, gear left out."""
    found = []
    for event in lab.told(hook, game):
        if event["event"] == "turn_start":
            return found
        if event["event"] not in ("gear_row", "gear", "day_start"):
            found.append(event)
    return found


# ---------------------------------------------------------------- weather (Q10)
@pytest.mark.parametrize(("hook", "day"), [("weather_two", 2), ("weather_three", 3)])
@pytest.mark.parametrize("face", [1, 2, 3])
def test_forced_weather(lab: Any, hook: str, day: int, face: int) -> None:
    """The marker of that day for all; the other days and everything else of the set-up stay."""
    for _, here, there in first_changes(lab, f"{hook}={face}"):
        assert here["event"] == "setup"
        assert here["weather"][day - 1] == FACES[face - 1] != there["weather"][day - 1]
        kept = [number for number in range(3) if number != day - 1]
        assert [here["weather"][i] for i in kept] == [there["weather"][i] for i in kept]
    for game in GAMES:
        one, other = dealt(lab, f"{hook}={face}", game), dealt(lab, "", game)
        assert one[1:] == other[1:]
        assert {**one[0], "weather": ()} == {**other[0], "weather": ()}


# ---------------------------------------------------------------- the village (Q11, Q12)
@pytest.mark.parametrize(
    ("hook", "evenings"),
    [("closed_place", (1, 2)), ("closed_place_first", (1,)), ("closed_place_second", (2,))],
)
@pytest.mark.parametrize("place", range(1, 6))
def test_a_closed_place(lab: Any, hook: str, evenings: tuple[int, ...], place: int) -> None:
    """The seat never goes there on those evenings; the others do, and it does on the other one."""
    name = PLACES[place - 1]
    seats = lab.rows(f"{hook}={place}")[1]
    others = [seat for seat in range(4) if seat != SEAT]
    for evening in (1, 2):
        visits = seats[f"place_d{evening}"][:, :, place - 1]
        assert bool(visits[:, SEAT].sum()) == (evening not in evenings)
        assert visits[:, others].sum() > 0
    for common, here, there in first_changes(lab, f"{hook}={place}"):
        assert asked(there, "MOVE")
        assert name in there["options"]
        assert name not in here.get("options", ())
        day = [event["day"] for event in common if event["event"] == "day_start"][-1]
        assert day in evenings


def test_a_random_starting_track(lab: Any) -> None:
    """track_random: only the order changes, and height no longer decides it."""
    for _, here, there in first_changes(lab, "track_random"):
        assert here["event"] == there["event"] == "track"
    first = lab.rows("track_random")[1]["village_pos"][:, :, 0]
    share = (first == 1).mean(axis=0)
    assert share.sum() == pytest.approx(1)
    assert (abs(share - 0.25) < 4 * (0.25 * 0.75 / len(first)) ** 0.5).all()
    assert {tuple(sorted(row)) for row in first.tolist()} == {(1, 2, 3, 4)}


def test_first_on_the_starting_track(lab: Any) -> None:
    """track_first: the seat is on space 1, the others keep their order among themselves."""
    assert (lab.seat("track_first", "village_pos")[:, :2] == 1).all()
    assert (lab.seat("", "village_pos")[:, :2] != 1).any()
    for game in GAMES:
        one, other = (
            [e["seat"] for e in lab.told(hook, game) if e["event"] == "track"][:4]
            for hook in ("track_first", "")
        )
        assert one == [SEAT, *[seat for seat in other if seat != SEAT]]


# ---------------------------------------------------------------- avalanches (Q13)
def test_no_slides_in_avalanches_of_rivals(lab: Any) -> None:
    """no_rival_slides: the seat stays wherever a rival's avalanche would take it; its own still do."""
    assert (lab.seat("no_rival_slides", "slid_by_rival") == 0).all()
    assert lab.seat("no_rival_slides", "slid").sum() > 0
    assert lab.seat("", "slid_by_rival").sum() > 0
    for _, here, _ in first_changes(lab, "no_rival_slides"):
        assert here == {"event": "stay", "seat": SEAT, "cancelled": True}


@pytest.mark.parametrize("which", [1, 2])
def test_one_slide_is_cancelled(lab: Any, which: int) -> None:
    """slide_cancelled: that one of the seat's slides by rivals, and no other."""
    cancelled = 0
    for game in GAMES:
        pushed = 0
        maker = -1
        for event in lab.told(f"slide_cancelled={which}", game):
            if event["event"] == "avalanche":
                maker = event["seat"]
            if event["event"] in ("slide", "stay") and event["seat"] == SEAT != maker:
                pushed += 1
                stayed = event["event"] == "stay" and event["cancelled"]
                assert stayed == (pushed == which)
                cancelled += stayed
    assert cancelled > 0


# ---------------------------------------------------------------- gifts (Q15)
@pytest.mark.parametrize(
    ("hook", "day"),
    [("fame_gift", 2), ("fame_gift_day3", 3), ("vp_gift", 2), ("vp_gift_day3", 3)],
)
def test_a_gift_of_fame_or_vp(lab: Any, hook: str, day: int) -> None:
    """Three (or as many as wanted) on that morning, to the treated seat."""
    unit = hook.split("_")[0]
    for value in ("", "=7"):
        seats = lab.rows(hook + value)[1][f"{unit}_gift"]
        assert (seats[:, SEAT] == int(value[1:] or 3)).all()
        assert seats.sum() == seats[:, SEAT].sum()
        for common, here, _ in first_changes(lab, hook + value):
            assert (here["event"], here["seat"], here["reason"]) == (unit, SEAT, "gift")
            assert here["delta"] == int(value[1:] or 3)
            starts = [event["day"] for event in common if event["event"] == "day_start"]
            assert starts[-1] == day
            assert common[-1]["event"] == "day_start"


# ---------------------------------------------------------------- stealing, other cards (Q23, Q19)
def test_no_stealing(lab: Any, shoppers: Any) -> None:
    """no_steal: the seat is not asked whether it claims a rival's run; it claims empty and own ones."""
    assert (shoppers.seat("no_steal", "stole") == 0).all()
    assert shoppers.seat("", "stole").sum() > 0
    assert shoppers.seat("no_steal", "markers_used").sum() > 0
    for common, _, there in first_changes(lab, "no_steal"):
        assert asked(there, "CLAIM")
        run = next(e["run"] for e in reversed(common) if e["event"] == "ski")
        claims = [e["seat"] for e in common if e["event"] == "claim" and e["run"] == run]
        assert claims
        assert claims[-1] != SEAT


def test_other_slope_cards(lab: Any) -> None:
    """deck_shift: another order of the deck; weather, styles and gear are as ever."""
    for _, here, there in first_changes(lab, "deck_shift"):
        assert here["event"] == there["event"] == "shuffle"
        assert sorted(here["order"]) == sorted(there["order"])
    games = lab.rows("deck_shift")[0]
    for name in ("weather2", "weather3", "style_start", "gear_row1", "gear_row2"):
        assert (games[name] == lab.rows()[0][name]).all(), name
    orders = [
        next(e["order"] for e in lab.told(hook, 0) if e["event"] == "shuffle")
        for hook in ("", "deck_shift", "deck_shift=2")
    ]
    assert all(one != other for one, other in pairwise(orders))


# ---------------------------------------------------------------- sources of chance (Q19)
SET_UP = ("setup", "style", "gear_row", "shuffle")


@pytest.mark.parametrize(
    ("hook", "kind"),
    [
        ("weather_shift", "setup"),
        ("style_shift", "style"),
        ("gear_shift", "gear_row"),
        ("deck_shift", "shuffle"),
        ("policy_shift", ""),
    ],
)
def test_a_shift_draws_one_part_of_the_set_up_anew(lab: Any, hook: str, kind: str) -> None:
    """Before the first day only that part differs, and it does in most games."""
    differ = Counter()
    for game in GAMES:
        one, other = set_up(lab.told(hook, game)), set_up(lab.told("", game))
        differ.update(part for part in SET_UP if one[part] != other[part])

    assert set(differ) == ({kind} if kind else set())
    assert not kind or differ[kind] > len(GAMES) / 2


def set_up(told: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Events before the first day, by kind."""
    parts: dict[str, list[dict[str, Any]]] = {part: [] for part in SET_UP}
    for event in told:
        if event["event"] == "day_start":
            break
        if event["event"] in parts:
            parts[event["event"]].append(event)
    return parts


def test_other_coins_change_a_choice_first(lab: Any) -> None:
    """policy_shift: the same question, another answer."""
    for _, here, there in first_changes(lab, "policy_shift"):
        assert here["event"] == there["event"] == "ask"
        assert here["options"] == there["options"]
        assert here["chosen"] != there["chosen"]
