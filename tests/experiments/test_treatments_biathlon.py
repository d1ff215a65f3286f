"""Treatments of Ski Tour: Biathlon: each changes what it names, and nothing else.

The same games are played with and without; the seat that is treated is ``SEAT``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from simulate import jit
from simulate.experiments.arms import treated
from simulate.games.biathlon.words import TREATMENTS
from simulate.replay import Replay
from simulate.steps import Sitting

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs many whole games")

SEAT = 1
LINEUP = "drafter,random,opportunist,front_runner"
HITS = {"green": 5, "yellow": 4, "red": 3, "blue": 2}
DICE, SHOTS = ("roll", "reroll"), ("shot",)
HOOKS = [hook.name for hook in TREATMENTS]


@pytest.fixture(scope="module")
def lab(laboratory: Callable[..., Any]) -> Any:
    """Games of four unlike skiers."""
    return laboratory("biathlon", LINEUP)


def faces(events: list[dict[str, Any]], seat: int, kinds: tuple[str, ...]) -> list[int]:
    """What a seat (from 0) rolled, in order."""
    return [e["face"] for e in events if e["event"] in kinds and e["seat"] == seat + 1]


def same(one: Any, other: Any) -> list[str]:
    """Fields in which two arrays of rows differ."""
    return [name for name in one.dtype.names if one[name].tobytes() != other[name].tobytes()]


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("game_id", range(3))
def test_nobody_elses_dice_change(lab: Any, hook: str, game_id: int) -> None:
    """Each seat rolls and shoots from its own streams; only a shift changes its own seat's.

    A shift of the rivals' changes those of all others, and leaves its own seat's.
    """
    one, other = lab.told(hook, game_id), lab.told("", game_id)
    for seat in range(4):
        for kinds, shift in ((DICE, "dice_shift"), (SHOTS, "shot_shift")):
            here, there = faces(one, seat, kinds), faces(other, seat, kinds)
            common = min(len(here), len(there))
            if hook == (shift if seat == SEAT else f"rival_{shift}"):
                assert common < 5 or here[:common] != there[:common]
            else:
                assert here[:common] == there[:common]


# ---------------------------------------------------------------- what each one names


@pytest.mark.parametrize(
    ("hook", "columns"),
    [
        ("no_draft", ("drafts_made", "steps_draft")),
        ("no_slide", ("steps_slide",)),
        ("no_sprint", ("sprint_taken", "sprint_turns")),
        ("free_entry", ("stam_paid_entry_own", "stam_paid_entry_draft", "stam_paid_slide")),
    ],
)
def test_what_is_forbidden_or_free_does_not_happen(
    lab: Any, hook: str, columns: tuple[str, ...]
) -> None:
    """Nothing of it in any game, and something of it in the games without."""
    for column in columns:
        assert (lab.seat(hook, column) == 0).all(), column
    assert sum(int(lab.seat("", column).sum()) for column in columns) > 0


def test_no_sprint_keeps_tokens_with_sprint_unused(lab: Any) -> None:
    """Tokens 3 and 8 carry the icon."""
    used = lab.seat("no_sprint", "wax_used")

    assert used[:, [2, 7]].sum() == 0
    assert used.sum() > 0
    assert lab.seat("", "wax_used")[:, [2, 7]].sum() > 0


def _asked(
    lab: Any, hook: str, question: str, most: int = 12
) -> Iterator[tuple[dict[str, Any], str]]:
    """Asks of the treated seat with a hook, and the kind of the turn they belong to."""
    for game_id in range(most):
        kind = ""
        for event in lab.told(hook, game_id):
            if event["event"] == "turn":
                kind = event["kind"]
            if event["event"] == "ask" and event["seat"] == SEAT + 1:
                if event["question"] == question:
                    yield event, kind


def test_sprint_always_leaves_no_choice_on_a_move_turn(lab: Any) -> None:
    """Where sprint can be bought it is; on shooting turns the seat may choose as ever."""
    for event, kind in _asked(lab, "sprint_always", "D-EXTRA"):
        assert kind == "shoot" or "sprint" not in event["options"]
    assert lab.seat("sprint_always", "sprint_taken").sum() > lab.seat("", "sprint_taken").sum()


def test_sprint_when_followed_offers_sprint_only_with_a_follower(lab: Any) -> None:
    """A racing skier stands straight behind whenever sprint is offered."""
    plan = lab.plan("sprint_when_followed")
    offered = 0
    for game_id in range(20):
        game = Replay(plan, game_id)
        while not game.over:
            if game.to_move == SEAT + 1 and game.question in ("D-EXTRA", "D-FREE"):
                if "sprint" in game.options:
                    offered += 1
                    assert _followed(game.state["skiers"])
            game.apply(game.choose())

    assert offered > 0
    assert (
        lab.seat("sprint_when_followed", "sprint_taken").sum() < lab.seat("", "sprint_taken").sum()
    )


def _followed(skiers: dict[str, Any]) -> bool:
    """Whether somebody stands on the space straight behind the treated seat."""
    at = skiers[str(SEAT + 1)]["at"]
    row = at[0] if isinstance(at, list) else int(at[1:])
    lane = at[1] if isinstance(at, list) else 1
    behind = ([row - 1, lane], f"S{row - 1}")
    return any(other["at"] in behind for name, other in skiers.items() if name != str(SEAT + 1))


@pytest.mark.parametrize(
    ("hook", "by"), [("stamina_plus", 1), ("stamina_minus", -1), ("stamina_plus=3", 3),
                     ("stamina_plus=20", 5), ("stamina_minus=-20", -10)],
)  # fmt: skip
def test_stamina_of_the_start(lab: Any, hook: str, by: int) -> None:
    """Levels of the treated seat, within the board; all others start as ever."""
    levels = []
    for plan in (lab.plan(), lab.plan(hook)):
        levels.append(Sitting.of_game(plan, 0).state["stamina"][:4].sum(axis=1))

    assert (levels[1] - levels[0]).tolist() == [0, by, 0, 0]


@pytest.mark.parametrize(("hook", "ranges"), [("force_hit", (0, 1)), ("force_hit=2", (1,))])
def test_the_first_miss_of_a_visit_is_a_hit(lab: Any, hook: str, ranges: tuple[int, ...]) -> None:
    """Only of the treated seat, only at the ranges that are named, only one target a visit."""
    forced = 0
    for game_id in range(12):
        for seat, number, shots in _visits(lab.told(hook, game_id)):
            misses = [e["target"] for e in shots if e["face"] > HITS[e["colour"]]]
            turned = {e["target"] for e in shots if e["face"] > HITS[e["colour"]] and e["hit"]}
            active = seat == SEAT + 1 and number in ranges
            assert turned == ({misses[0]} if active and misses else set())
            forced += len(turned)
    assert forced > 0


def _visits(events: list[dict[str, Any]]) -> Iterator[tuple[int, int, list[dict[str, Any]]]]:
    """(seat from 1, range from 0, shots) of all visits that were ended."""
    shots: dict[int, list[dict[str, Any]]] = {}
    number: dict[int, int] = {}
    for event in events:
        if event["event"] == "shot":
            shots.setdefault(event["seat"], []).append(event)
        if event["event"] == "five_shots_made":
            seat = event["seat"]
            yield seat, number.get(seat, 0), shots.pop(seat)
            number[seat] = number.get(seat, 0) + 1


@pytest.mark.parametrize("token", [1, 2, 4, 7])
def test_a_blocked_token_is_never_used(lab: Any, token: int) -> None:
    """The others are, up to the blocked one from each end."""
    used = lab.seat(f"token_block={token}", "wax_used")

    assert (used[:, token - 1] == 0).all()
    assert used.sum() > 0
    assert lab.seat("", "wax_used")[:, token - 1].sum() > 0


@pytest.mark.parametrize("first", [5, 10])
def test_no_wax_before_a_round(lab: Any, first: int) -> None:
    """The round of every use is late enough; without the hook some are earlier."""
    rounds = lab.seat(f"wax_from_round={first}", "wax_round")

    assert rounds[rounds >= 0].min() >= first
    assert (lab.seat("", "wax_round")[lab.seat("", "wax_round") >= 0] < first).any()


def test_no_own_draft_with_two_players(lab: Any) -> None:
    """All treated: drafts are on the other player's skiers only, and such drafts there are."""
    on_own: dict[str, set[bool]] = {}
    for hook, target in (("", -1), ("no_own_draft", -3)):
        plan = lab.plan(players=2)
        plan = treated(plan, {"no_own_draft": 1}, target) if hook else plan
        on_own[hook] = {same_owner for game in range(16) for same_owner in _drafts(plan, game)}

    assert on_own[""] == {True, False}
    assert on_own["no_own_draft"] == {False}


def _drafts(plan: Any, game_id: int) -> list[bool]:
    """For each draft that was offered: whether both skiers have one owner."""
    events = Replay(plan, game_id).play().events
    owner = {e["seat"]: e["player"] for e in events if e["event"] == "setup"}
    return [owner[e["seat"]] == owner[e["leader"]] for e in events if e["event"] == "draft"]


@pytest.mark.parametrize("hook", ["dice_shift", "shot_shift"])
def test_another_shift_is_another_chance(lab: Any, hook: str) -> None:
    """Values 1 and 2 give different games, the same value the same ones."""
    games, seats = lab.rows(hook)
    other = lab.rows(f"{hook}=2")[1]

    assert same(seats[:, SEAT], other[:, SEAT]) != []
    again = type(lab)(lab.game, lab.lineup, lab.games)
    assert same(games, again.rows(hook)[0]) == []
