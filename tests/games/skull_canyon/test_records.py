"""What the rows say of moments that are rare in a game, and the doors that cases do not open."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from simulate import rules
from simulate.games.skull_canyon import entries, position, words
from simulate.games.skull_canyon import state as s

rule = pytest.mark.rule

_path = Path(__file__).parent / "table.py"
_spec = importlib.util.spec_from_file_location("records_table", _path)
assert _spec is not None and _spec.loader is not None
table = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(table)
Table = table.Table

SCORE = {"what": "score"}
NIGHT = {"what": "day_end", "seats": []}


def turn(seat: int = 0, actions: int = 1) -> dict[str, Any]:
    """One turn of a seat."""
    return {"what": "turn", "seat": seat, "actions": actions}


# ------------------------------------------------------------------------------- turns
@rule("SC-TURN-03", "SC-GEAR-NIGHT")
def test_the_extra_action_by_night_ends_by_itself_though_tokens_are_left() -> None:
    """They cannot be used: no list of actions is built that holds ``end`` alone."""
    seats = [{"gear": ["night_goggles"], "explosives": 1, "tickets": 1}]
    played = Table(NIGHT, ["lift:W1"], seats=seats)

    assert (len(played.asked), int(played.state["forced"])) == (1, 0)
    assert played.use(0, "night_goggles") == 1


@rule("SC-TURN-03")
def test_a_ticket_that_leads_nowhere_does_not_keep_the_turn_open() -> None:
    """At the summit no lift starts."""
    played = Table(turn(actions=0), seats=[{"node": "L4", "tickets": 1}])

    assert (len(played.asked), int(played.state["forced"])) == (0, 0)


@rule("SC-DECK-01", "SC-DECK-02")
def test_with_no_discards_an_emptied_deck_is_not_shuffled() -> None:
    """Nothing is counted or told where there is nothing to shuffle."""
    played = Table(
        turn(), ["train", "deck", "deck"], row=["RS", "RL", "RC", "RM"], deck=["BS", "BL"]
    )

    assert (int(played.game["reshuffles"]), played.told("shuffle")) == (0, [])


@rule("SC-SET-02", "SC-GEAR-BLING")
def test_a_run_takes_a_card_at_least() -> None:
    """Bling Bindings on advanced runs that are set to cost a single card."""
    seats = [{"node": "W2", "hand": {"RS": 1}, "gear": ["bling_bindings"]}]
    played = Table(
        turn(),
        ["ski:gold_spike", "red", "claim"],
        changes={"run.advanced.cards": 1},
        seats=seats,
    )

    assert played.asked[1][2] == ["red", "slopestyle"]
    assert int(played.seat(0)["cards_played"]) == 1


@rule("SC-VIL-06")
def test_a_cost_of_two_cards_is_paid_card_by_card() -> None:
    """The second choice is made from what is left."""
    seats = [{"hand": {"RS": 1, "BM": 1, "ZZ": 1}}]
    played = Table(
        {"what": "village"},
        ["hot_tub", "RS", "ZZ", "hotel", "none"],
        changes={"village.hot_tub.cards": 2},
        gear_row=["avalanche_alert"],
        seats=seats,
    )

    assert [told for _, question, told in played.asked if question == "PAY"] == [
        ["RS", "BM", "ZZ"], ["BM", "ZZ"],
    ]  # fmt: skip
    assert (int(played.seat(0)["cards_paid"]), int(played.state["fame"][0])) == (2, 3)


# ------------------------------------------------------------------------------- gear
@pytest.mark.parametrize(
    ("gear", "counted"),
    [
        (["night_goggles"], (0, 1)),
        (["blazing_boots"], (1, 0)),
        (["night_goggles", "blazing_boots"], (1, 0)),
    ],
)
def test_an_effect_counts_for_one_card_that_is_owned(
    gear: list[str], counted: tuple[int, int]
) -> None:
    """Two cards with the same ability: the first one owned has the effect."""
    played = Table(
        turn(),
        ["ski:sunshine_express", "red", "claim"],
        changes={"gear.cards.night_goggles.ability": "blazing_boots"},
        seats=[{"node": "W1", "hand": {"RS": 2}, "gear": gear}],
    )

    assert (played.use(0, "blazing_boots"), played.use(0, "night_goggles")) == counted


@rule("SC-CLAIM-03")
@pytest.mark.parametrize(
    ("stack", "size", "markers", "counted"),
    [
        ([0], 3, 16, 1),
        ([2, 0], 4, 1, 1),
        ([0], 2, 16, 0),
        ([0], 3, 0, 0),
        ([1], 2, 16, 0),
        ([2], 3, 16, 0),
    ],
)
def test_heated_gloves_have_an_effect_when_they_alone_keep_a_rival_off(
    stack: list[int], size: int, markers: int, counted: int
) -> None:
    """Seats 0 and 1 own them; seat 1 skis with a set that is one card short, or more."""
    steps = ["ski:fortress", "red", *["RS"] * (size - 2)]
    seats = [
        {"gear": ["heated_gloves"]},
        {"node": "L2", "hand": {"RS": size}, "markers": markers, "gear": ["heated_gloves"]},
    ]
    asked = ["claim"] if stack == [2] else []
    played = Table(turn(1), [*steps, *asked], seats=seats, stacks={"fortress": stack})

    assert (played.use(0, "heated_gloves"), played.use(1, "heated_gloves")) == (counted, 0)


@rule("SC-GEAR-RAMP")
def test_a_ramp_pair_is_told_card_by_card() -> None:
    """Whatever its types."""
    seats = [{"node": "W1", "hand": {"BM": 2, "RS": 1, "YL": 1}, "gear": ["ramp"]}]
    steps = ["ski:sunshine_express", "moguls", "YL", "RS", "stop", "claim"]
    (told,) = Table(turn(), steps, seats=seats).told("ski")

    assert (told["ramp"], told["size"]) == (["YL", "RS"], 2)


# ------------------------------------------------------------------------------- the end
def scored(*seats: dict[str, Any], **start: Any) -> tuple[Any, Any]:
    """The rows of a game that ended with these seats."""
    return Table(SCORE, seats=list(seats), **start).finished()


def cards(count: int) -> dict[str, int]:
    """A hand of one type."""
    return {"RS": count} if count else {}


@rule("SC-END-06")
@pytest.mark.parametrize(
    ("standing", "level", "ranks"),
    [
        ([(5, 0, 0), (3, 0, 0), (1, 0, 0)], 0, [1, 2, 3]),
        ([(4, 2, 9), (3, 0, 0), (5, 0, 0)], 0, [2, 3, 1]),
        ([(5, 1, 0), (5, 0, 9), (1, 0, 0)], 1, [1, 2, 3]),
        ([(5, 0, 0), (5, 1, 0), (5, 2, 0)], 1, [3, 2, 1]),
        ([(5, 1, 1), (5, 1, 2), (1, 0, 0)], 2, [2, 1, 3]),
        ([(5, 1, 2), (5, 1, 2), (1, 0, 0)], 3, [1.5, 1.5, 3]),
        ([(1, 0, 0), (5, 1, 2), (5, 1, 2)], 3, [3, 1.5, 1.5]),
        ([(5, 1, 2), (5, 1, 2), (5, 0, 2)], 3, [1.5, 1.5, 3]),
        ([(5, 1, 2), (5, 1, 2), (5, 1, 2)], 3, [2, 2, 2]),
        ([(6, 0, 0), (5, 1, 2), (5, 1, 2)], 0, [1, 2.5, 2.5]),
    ],
)
def test_what_decides_the_win(
    standing: list[tuple[int, int, int]], level: int, ranks: list[float]
) -> None:
    """VP, fame, cards in hand; then the win and the place are shared."""
    game, seats = scored(
        *({"vp": vp, "fame": fame, "hand": cards(hand)} for vp, fame, hand in standing)
    )

    assert int(game["tie_level"]) == level
    assert seats["rank"][:3].tolist() == ranks
    winners = [rank == min(ranks) for rank in ranks]
    assert seats["win"][:3].tolist() == game["winner_seats"][:3].tolist() == winners
    assert int(game["win_k"]) == sum(winners)
    assert seats["win_share"][:3].tolist() == [
        pytest.approx(1 / sum(winners)) if won else 0 for won in winners
    ]


@pytest.mark.parametrize(
    ("vp", "margin", "spread"),
    [
        ((5, 9, 2), 4, 7), ((9, 5, 2), 4, 7), ((2, 5, 9), 4, 7), ((9, 9, 2), 0, 7),
        ((9, 2, 2), 7, 7), ((2, 9, 9), 0, 7), ((0, 0, 0), 0, 0),
    ],
)  # fmt: skip
def test_margin_and_spread(vp: tuple[int, int, int], margin: int, spread: int) -> None:
    """First minus second, first minus last."""
    game, _ = scored(*({"vp": points} for points in vp))

    assert (int(game["margin"]), int(game["spread"])) == (margin, spread)


@pytest.mark.parametrize(
    ("others", "winners"),
    [
        ([(10, 0, 0), (0, 0, 0)], [1]),
        ([(5, 0, 0), (0, 0, 0)], [0, 1]),
        ([(5, 1, 0), (0, 0, 0)], [1]),
        ([(5, 0, 1), (0, 0, 0)], [1]),
        ([(4, 2, 9), (4, 0, 0)], [0]),
        ([(5, 0, 0), (5, 0, 0)], [0, 1, 2]),
        ([(5, 0, 1), (5, 1, 0)], [2]),
    ],
)
def test_who_would_win_without_awards(
    others: list[tuple[int, int, int]], winners: list[int]
) -> None:
    """Seat 0 has 5 VP of runs, no fame, no cards, and all awards for easy runs."""
    seats = [{"vp": 5}] + [{"vp": vp, "fame": fame, "hand": cards(n)} for vp, fame, n in others]
    game, rows = scored(*seats, stacks={"fortress": [0]})

    assert [seat for seat in range(4) if game["winner_no_awards"][seat]] == winners
    assert rows["win"].tolist()[:3] == [True, False, False]


@rule("SC-END-03", "SC-END-04")
def test_shares_of_an_award_are_told_and_kept() -> None:
    """Three tie for easy and for all runs, one has an expert run: 8 / 3, then 4."""
    runs = ("fortress", "cocoa_lane", "lazy_otter")
    stacks = {run: [seat] for seat, run in enumerate(runs)}
    tied = Table(SCORE, stacks=stacks)
    alone = Table(SCORE, stacks={"black_magic": [1]})
    _, rows = alone.finished()

    assert [(e["seat"], e["vp"]) for e in tied.told("award")] == [
        (seat, vp) for seat in range(3) for vp in (2, 1)
    ]
    assert [(e["seat"], e["vp"]) for e in alone.told("award")] == [(1, 4), (1, 4)]
    assert rows["vp_aw_exp"][:3].tolist() == [0, 4, 0]
    assert rows["tops_exp"][:3].tolist() == [0, 1, 0]


def test_nobody_acts_when_all_is_over() -> None:
    """The game stands still: nobody's turn, nothing asked."""
    seats = [{}, {}, {}, {"hand": {"ZZ": 2}}]
    played = Table([turn(), SCORE], ["end"], players=4, seats=seats)
    told = words.state(played.state, played.record, played.vocabularies)

    assert (told["phase"], told["active"], told["over"], told["to_move"]) == (
        "over",
        None,
        True,
        -1,
    )
    assert int(played.work["n_options"]) == 0
    played.work["n_options"] = 5
    assert entries.legal(played.state, played.record, played.work) == 0
    assert (int(played.work["n_options"]), len(played.asked)) == (0, 1)


def test_options_per_question() -> None:
    """Their mean; empty where nobody was asked anything."""
    asked, _ = Table([turn(), SCORE], ["end"]).finished()
    silent, _ = scored({})

    assert (int(asked["asked"]), float(asked["mean_options"])) == (1, 4)
    assert (int(silent["asked"]), float(silent["mean_options"])) == (0, -1)


# ------------------------------------------------------------------------------- the doors
def test_legal_lists_the_question_that_is_asked() -> None:
    """The same options as ``start`` and ``apply`` leave behind."""
    record = rules.load("skull_canyon").record[0]
    state, work, events = entries.new_state(), entries.new_work(), entries.new_events(0)
    entries.start(state, record, work, events, entries.no_treatments(), 4, 1, 0)
    for _ in range(40):
        count = int(work["n_options"])
        wanted = work["options"][:count].tolist()
        work["n_options"] = 0
        assert entries.legal(state, record, work) == count
        assert work["options"][:count].tolist() == wanted
        entries.apply(state, record, work, events, wanted[count // 2])


@rule("SC-DECK-02")
def test_a_short_deck_is_dealt_as_far_as_it_goes() -> None:
    """Four cards for the row, four for the first hand."""
    played = Table({"what": "deal"}, deck=["RS", "YL", "BC", "BP", "YS", "YS", "YC", "RS"])

    assert [event["card"] for event in played.told("deal")] == ["YS", "YS", "YC", "RS"]
    assert {event["seat"] for event in played.told("deal")} == {0}


@rule("SC-SETUP-09", "SC-SETUP-10")
@pytest.mark.parametrize(("what", "question"), [("deal", -1), ("game", s.ASK_ACT)])
def test_the_row_and_the_hands_are_dealt_from_a_given_deck(what: str, question: int) -> None:
    """deal stops there; game plays on to the first question."""
    case = {
        "players": 2,
        "start": {"deck": ["RS", "YL", "BC", "BP"] + ["YS"] * 7 + ["YC"] * 7 + ["BM"] * 3},
        "run": {"what": what},
    }
    record = rules.load("skull_canyon", overrides=position.overrides(case)).record[0]
    state, work = position.setup(case, record, rules.load("skull_canyon").vocabularies)
    position.begin(state, record, work, json.dumps(case["run"]))
    entries.resume(state, record, work, entries.new_events(0))

    assert [words.TYPE_NAMES[card] for card in state["slots"][:4]] == ["RS", "YL", "BC", "BP"]
    assert [words.counts(state["hand"][seat]) for seat in (0, 1)] == [{"YS": 7}, {"YC": 7}]
    assert (int(state["deck_n"]), int(state["phase"])) == (3, question)
