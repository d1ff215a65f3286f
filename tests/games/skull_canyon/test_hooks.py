"""What an experiment forces or grants, in single positions (specification, section 9)."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from simulate import rules
from simulate.games.skull_canyon import entries
from simulate.games.skull_canyon import state as s

_path = Path(__file__).parent / "table.py"
_spec = importlib.util.spec_from_file_location("hooks_table", _path)
assert _spec is not None and _spec.loader is not None
table = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(table)
Table = table.Table

JOURNAL = 1 + sorted(rules.load("skull_canyon").model.gear.cards).index("field_journal")
FACE_UP_YETI = s.TAKE_ROW + s.YETI
WANTED = {s.ASK_ACT: [s.ACT_TRAIN], s.ASK_TAKE: [FACE_UP_YETI], s.ASK_MOVE: [s.HAPPY_HOUR]}
TURN = {"what": "turn", "seat": 0, "actions": 0}
SLID, STAYED = "slide", "stay"


def slides(told: Any) -> list[str]:
    """What became of each slide, in order."""
    return [event["event"] for event in told.events if event["event"] in (SLID, STAYED)]


@pytest.mark.parametrize(
    ("which", "steps", "happened"),
    [
        (1, ["explosive", "explosive", "W3", "explosive", "W1", "explosive"],
         [STAYED, SLID, SLID, SLID]),
        (2, ["explosive", "W3", "explosive", "explosive", "W1", "explosive"],
         [SLID, STAYED, SLID, SLID]),
        (3, ["explosive", "W3", "explosive", "W1", "explosive", "explosive"],
         [SLID, SLID, STAYED, SLID]),
        (-1, ["explosive"] * 4, [STAYED] * 4),
    ],
)  # fmt: skip
def test_one_slide_by_rivals_does_not_happen(
    which: int, steps: list[str], happened: list[str]
) -> None:
    """slide_cancelled: the k-th, and only that one; -1: none does."""
    seats = [{"explosives": 4}, {"node": "L4"}]
    played = Table(TURN, steps, seats=seats, hooks={1: {"slide_cancelled": which}})

    assert slides(played) == happened


def test_slides_in_own_avalanches_are_not_counted() -> None:
    """slide_cancelled: the first slide by a rival is not the own one."""
    runs = [TURN, {"what": "turn", "seat": 1, "actions": 0}]
    seats = [{"explosives": 1, "node": "W3"}, {"explosives": 1}]
    played = Table(
        runs, ["explosive", "W1", "explosive"], seats=seats, hooks={0: {"slide_cancelled": 1}}
    )

    assert slides(played) == [SLID, STAYED]


@pytest.mark.parametrize(("top", "asked"), [(0, False), (2, False), (1, True)])
def test_a_seat_that_never_steals(top: int, asked: bool) -> None:
    """no_steal: no run that a rival holds; an own marker may be covered."""
    steps = ["ski:fortress", "red", "RS", *(["claim"] if asked else [])]
    played = Table(
        {"what": "turn", "seat": 1, "actions": 1},
        steps,
        hooks={1: {"no_steal": 1}},
        stacks={"fortress": [top]},
        seats=[{}, {"node": "L2", "hand": {"RS": 3}}],
    )

    assert ("CLAIM" in [question for _, question, _ in played.asked]) == asked


@pytest.mark.parametrize(("gift", "cards"), [(1, 1), (16, 1), (17, 0), (0, 0)])
def test_a_gift_of_gear_is_a_card_of_the_vocabulary(gift: int, cards: int) -> None:
    """gear_gift: from the first card to the last, nothing beyond."""
    record = rules.load("skull_canyon").record[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    treatments = entries.no_treatments()
    treatments[1]["gear_gift"], treatments[1]["gift_day"] = gift, 1
    entries.start(state, record, work, events, treatments, 3, 1, 0)

    assert int(state["owned"][1].sum()) == cards
    assert int(state["owned"].sum()) == cards
    assert not cards or state["owned"][1, gift - 1] == 1


def test_gear_that_does_not_work_has_no_effects() -> None:
    """gear_off: a Field Journal that is owned, and face-up Yetis taken all the time."""
    record = rules.load("skull_canyon", overrides={"deck.set": "even45"}).record[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    treatments = entries.no_treatments()
    for name, value in (("gear_gift", JOURNAL), ("gear_off", JOURNAL), ("gift_day", 1)):
        treatments[name] = value
    treatments["fame_gift"] = 9
    entries.start(state, record, work, events, treatments, 4, 1, 0)
    taken = 0
    while not state["over"]:
        options = work["options"][: int(work["n_options"])].tolist()
        code = options[len(options) // 2]
        for wanted in WANTED.get(int(state["phase"]), ()):
            code = wanted if wanted in options else code
        taken += int(state["phase"]) == s.ASK_TAKE and code == FACE_UP_YETI
        entries.apply(state, record, work, events, code)

    assert taken > 8
    assert state["seat_rows"]["gear_use"][:, JOURNAL - 1].sum() == 0


@pytest.mark.parametrize(
    ("banned", "offered"),
    [
        (0, ["none", "avalanche_alert", "blazing_boots"]),
        (1, ["none", "blazing_boots"]),
        (2, ["none", "avalanche_alert"]),
    ],
)
def test_gear_that_may_not_be_bought(banned: int, offered: list[str]) -> None:
    """gear_ban: the card is not on the seat's offer."""
    played = Table(
        {"what": "village"},
        ["hotel", "none"],
        hooks={0: {"gear_ban": banned}},
        gear_row=["blazing_boots", "avalanche_alert"],
        seats=[{"fame": 9}],
    )

    assert [told for _, question, told in played.asked if question == "GEAR"] == [offered]


@pytest.mark.parametrize(("stays", "first"), [({}, 2), ({0: {"no_pass": 1}}, 1)])
def test_the_first_player_marker(stays: dict[int, dict[str, int]], first: int) -> None:
    """no_pass: it stays where it is."""
    played = Table({"what": "village_next"}, hooks=stays, first=1)

    assert int(played.state["first"]) == first


def gear_dealt(offer: int, root: int = 7, **changes: int) -> tuple[list[int], list[int]]:
    """The row of the first evening and the deck below it."""
    told = {f"gear.cards.{name}.copies": copies for name, copies in changes.items()}
    record = rules.load("skull_canyon", overrides=told).record[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    treatments = entries.no_treatments()
    treatments[1]["gear_offer"] = offer
    entries.start(state, record, work, events, treatments, 2, root, 0)
    start, left = int(state["gear_at"]), int(state["gear_deck_n"])
    return state["gear_row"][:4].tolist(), state["gear_deck"][start : start + left].tolist()


@pytest.mark.parametrize("offer", range(1, 17))
def test_a_card_on_offer_takes_the_place_of_the_first(offer: int) -> None:
    """gear_offer: unless it lies there anyway, it changes places with the first card."""
    row, deck = gear_dealt(0)
    if offer - 1 in deck:
        deck[deck.index(offer - 1)], row[0] = row[0], offer - 1

    assert gear_dealt(offer) == (row, deck)


def test_a_twin_stays_in_the_deck_when_one_is_on_offer() -> None:
    """gear_offer: one card is enough."""
    met = 0
    for root in range(12):
        row, deck = gear_dealt(0, root, avalanche_alert=3)
        if 0 in row:
            met += 0 in deck
            assert gear_dealt(1, root, avalanche_alert=3) == (row, deck)

    assert met > 0


@pytest.mark.parametrize(
    ("first", "order"),
    [(None, [2, 0, 3, 1]), (0, [0, 2, 3, 1]), (3, [3, 2, 0, 1]), (2, [2, 0, 3, 1])],
)
def test_first_on_the_starting_track(first: int | None, order: list[int]) -> None:
    """track_first: the others keep their order."""
    seats = [{"node": "W1"}, {"node": "L4"}, {"node": "L1"}, {"node": "L3"}]
    hooks = {} if first is None else {first: {"track_first": 1}}
    played = Table({"what": "village"}, players=4, seats=seats, hooks=hooks)

    assert [event["seat"] for event in played.told("track")] == order


@pytest.mark.parametrize(
    ("closed", "evening", "offered"),
    [
        (1, 0, ["ski_swap", "let_it_ride", "hotel", "yodeling"]),
        (1, 2, ["ski_swap", "let_it_ride", "hotel", "yodeling", "hot_tub"]),
        (4, 1, ["hot_tub", "let_it_ride", "hotel", "yodeling"]),
        (0, 0, ["ski_swap", "let_it_ride", "hotel", "yodeling", "hot_tub"]),
    ],
)
def test_a_closed_place(closed: int, evening: int, offered: list[str]) -> None:
    """closed_place: for this seat, on every evening or on one."""
    hooks = {0: {"closed_place": closed, "closed_evening": evening}}
    seats = [{"fame": 1, "hand": {"RS": 1}}, {"fame": 1, "hand": {"RS": 1}}]
    played = Table({"what": "village"}, ["hotel", "hotel"], hooks=hooks, seats=seats)

    assert [sorted(told) for _, _, told in played.asked] == [
        sorted(offered),
        ["hot_tub", "hotel", "let_it_ride", "ski_swap", "yodeling"],
    ]
