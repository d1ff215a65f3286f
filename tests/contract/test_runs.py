"""What must hold between runs: the same game from the same seed, whatever way it is played."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulate import jit, registry, session
from simulate.batch import batch_game
from simulate.steps import single_game

pytestmark = pytest.mark.skipif(not jit.compiled(), reason="needs whole games")

Plan = Callable[..., Any]
Differences = Callable[[Any, Any], list[str]]
SEEDS = 20


def test_step_by_step_equals_the_batch(
    game: str, strategy: str, walks: Any, plan_of: Plan, differences: Differences
) -> None:
    """The walk through the entries leaves the rows that `play_batch` writes."""
    plan = plan_of(game, players="all", lineup=strategy)
    for seen in walks(game, strategy):
        assert differences(seen.rows, batch_game(plan, seen.game_id)) == []


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_any_game_of_any_line_up_replays(
    game: str, plan_of: Plan, differences: Differences, data: st.DataObject
) -> None:
    """Seeds, player counts, seatings, line-ups and numbers of games as they come."""
    facts, names = registry.game(game), registry.book(game).names()
    players = data.draw(st.sampled_from(facts.players))
    line = data.draw(st.lists(st.sampled_from(names), min_size=players, max_size=players))
    plan = plan_of(
        game,
        players=players,
        lineup=",".join(line),
        seed=data.draw(st.integers(0, 2**63 - 1)),
        seating=data.draw(st.sampled_from(["rotate", "fixed", "random"])),
        equal=data.draw(st.booleans()),
    )
    number = data.draw(st.integers(0, 10**6))

    assert differences(single_game(plan, number), batch_game(plan, number)) == []


def test_a_seed_is_a_game(game: str, plan_of: Plan, differences: Differences) -> None:
    """The same seed gives the same game, and other seeds and blocks give other ones."""
    line = registry.book(game).strategies[0].name
    plans = [plan_of(game, lineup=line, seed=seed) for seed in range(SEEDS)]
    games = [batch_game(plan, 0) for plan in plans]
    blocks = [batch_game(plans[0], number * plans[0].k) for number in range(1, SEEDS)]

    assert differences(batch_game(plans[0], 0), games[0]) == []
    told = {_told(rows) for rows in [*games, *blocks]}
    assert len(told) == len(games) + len(blocks)


def _told(rows: Any) -> bytes:
    """The records without the numbers that name the game."""
    game, seats = rows.game.copy(), rows.seats.copy()
    for name in ("game_id", "block"):
        game[name] = 0
    seats["game_id"] = 0
    return game.tobytes() + seats.tobytes()


def _coinless(game: str, walks: Any) -> list[str]:
    """Strategies of the book that draw no coin."""
    names = registry.book(game).names()
    return [name for name in names if not any(seen.drew for seen in walks(game, name))]


def test_turning_the_line_up_is_turning_the_table(
    game: str, plan_of: Plan, walks: Any, differences: Differences
) -> None:
    """Rotation r of a line-up is the line-up that begins at its r-th entry, without rotation."""
    players = registry.game(game).default_players
    names = _coinless(game, walks)
    line = [names[number % len(names)] for number in range(players)]
    turned = plan_of(game, players=players, lineup=",".join(line))
    who = [instance.label for instance in turned.strategies]
    for cell, told in enumerate(turned.cells):
        here = line[told.rotation :] + line[: told.rotation]
        fixed = plan_of(game, players=players, lineup=",".join(here), seating="fixed")
        one, other = batch_game(turned, cell), batch_game(fixed, 0)
        labels = [instance.label for instance in fixed.strategies]

        assert [who[i] for i in one.seats["strategy"]] == [
            labels[i] for i in other.seats["strategy"]
        ]
        assert set(differences(one, other)) <= {
            "game.game_id", "game.cell", "game.rotation", "seats.game_id", "seats.strategy",
            "seats.position",
        }  # fmt: skip


def test_a_label_is_only_a_name(game: str, plan_of: Plan, differences: Differences) -> None:
    """Strategies under other labels play the same games."""
    plan = plan_of(game)
    named = replace(
        plan, strategies=tuple(replace(who, label=f"{who.label}!") for who in plan.strategies)
    )

    assert named.digest != plan.digest
    for number in range(plan.k):
        assert differences(batch_game(plan, number), batch_game(named, number)) == []


def _digests(folder: Path) -> dict[str, str]:
    """Hash of every record file."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*.parquet"))
    }


@pytest.mark.parametrize("records", ["full", "summary"])
def test_bytes_do_not_depend_on_workers_or_chunks(
    game: str, records: str, plan_of: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker or two, any chunk, in one go or extended: the same files."""
    from simulate import batch
    from simulate import plan as plans

    monkeypatch.setattr(plans, "SHARD_GAMES", 200)
    monkeypatch.setattr(batch, "PIECE_GAMES", 64)
    plan = plan_of(game, 700, records=records, equal=True)
    session.play(plan, tmp_path / "reference", jobs=1)
    reference = _digests(tmp_path / "reference")
    for jobs, chunk in ((2, None), (2, 1), (1, 7)):
        folder = tmp_path / f"{jobs}-{chunk}"
        session.play(plan, folder, jobs=jobs, chunk=chunk)
        assert _digests(folder) == reference
    session.play(plan.with_games(300), tmp_path / "extended", jobs=2)
    session.play(plan, tmp_path / "extended", jobs=2, longer=True)

    assert len(reference) > 3
    assert _digests(tmp_path / "extended") == reference
    assert session.play(plan, tmp_path / "extended").verify(10, steps=True) == []
