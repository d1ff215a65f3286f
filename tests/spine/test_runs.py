"""A run's bytes depend on its plan alone: not on jobs, chunks, kills or extensions."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import polars as pl
import pytest

from simulate import session, shards, store
from simulate.batch import batch_game
from simulate.errors import StoreError
from simulate.steps import single_game
from simulate.verify import row_frames

pytestmark = pytest.mark.usefixtures("small_shards")


def digests(folder: Path) -> dict[str, str]:
    """Hash of every record file, and of the identity."""
    found = {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*.parquet"))
    }
    identity = json.loads((folder / "run.json").read_text())["identity"]
    found["identity"] = json.dumps(identity)
    return found


@pytest.fixture
def reference(plan, tmp_path):
    """One run in one go by one worker."""
    session.play(plan(), tmp_path / "reference", jobs=1)
    return digests(tmp_path / "reference")


@pytest.mark.parametrize("jobs", [2, 7])
@pytest.mark.parametrize("chunk", [1, 13])
def test_same_bytes_for_any_jobs_and_chunk(plan, tmp_path, reference, jobs, chunk):
    session.play(plan(), tmp_path / "other", jobs=jobs, chunk=chunk)

    assert digests(tmp_path / "other") == reference


def test_a_run_has_several_shards_the_last_one_partial(plan):
    made = plan()

    assert made.shards == 8
    assert made.shard_range(made.shards - 1)[1] < made.shard_blocks


def test_interrupted_run_keeps_whole_shards_and_goes_on(plan, tmp_path, reference):
    folder = tmp_path / "stopped"
    count = 0

    class Impatient(session.Silent):
        def tick(self, games):
            nonlocal count
            count += games
            if count > 900:
                raise KeyboardInterrupt

    with pytest.raises(session.Interrupted) as stopped:
        session.play(plan(), folder, jobs=1, progress=Impatient())

    assert 0 < stopped.value.kept < plan().n
    assert not list(folder.rglob("*.tmp"))
    assert {p.name for p in (folder / "games").iterdir()} <= {f"{s:05d}.parquet" for s in range(8)}
    assert json.loads((folder / "run.json").read_text())["measured"]["stopped"] == "interrupted"

    session.play(plan(), folder, jobs=2)

    assert digests(folder) == reference


def test_shards_without_their_row_in_run_json_are_kept(plan, tmp_path, reference, monkeypatch):
    folder = tmp_path / "killed"
    session.play(plan(), folder)
    store.save(folder, plan(), {}, {})  # as after kill -9: files, but no rows
    (folder / "seats" / "00003.parquet").unlink()
    played = []
    original = shards.write
    monkeypatch.setattr(
        shards, "write", lambda p, s, *rest: (played.append(s), original(p, s, *rest))[1]
    )

    session.play(plan(), folder)

    assert played == [3]
    assert digests(folder) == reference


@pytest.mark.parametrize("records", ["full", "summary"])
def test_extended_run_equals_one_longer_run(plan, tmp_path, records):
    session.play(plan(records=records), tmp_path / "long")
    session.play(plan(1000, records=records), tmp_path / "short")
    session.play(plan(records=records), tmp_path / "short", longer=True)

    assert digests(tmp_path / "short") == digests(tmp_path / "long")


def test_finished_run_is_not_played_again(plan, tmp_path, reference, monkeypatch):
    session.play(plan(), tmp_path / "reference")
    monkeypatch.setattr(session, "play_shards", lambda *a, **k: pytest.fail("played again"))

    assert session.play(plan(), tmp_path / "reference").complete


def test_damaged_shard_is_found_and_played_again(plan, tmp_path, reference):
    folder = tmp_path / "reference"
    file = folder / "games" / "00002.parquet"
    bytes_ = bytearray(file.read_bytes())
    bytes_[len(bytes_) // 2] ^= 1
    file.write_bytes(bytes_)

    problems = store.open_run(folder).verify()

    assert len(problems) == 1
    assert "00002.parquet has changed" in problems[0]
    session.play(plan(), folder)
    assert digests(folder) == reference


def test_verify_replays_games_and_finds_a_changed_record(plan, tmp_path, reference):
    folder = tmp_path / "reference"
    assert store.open_run(folder).verify(30) == []
    assert store.open_run(folder).verify(30, steps=True) == []

    for shard in range(plan().shards):
        file = folder / "seats" / f"{shard:05d}.parquet"
        told = pl.read_parquet_metadata(file)
        told.pop("ARROW:schema", None)
        rows = pl.read_parquet(file).with_columns(pl.col("walks") + 1)
        rows.write_parquet(file, metadata=told)
    run = store.open_run(folder)
    for row in run.shards:
        row["sha256"]["seats"] = shards.sha256(folder / "seats" / f"{row['shard']:05d}.parquet")

    assert any("walks of seats differ" in problem for problem in run.verify(3))


def test_missing_file_is_told_in_words(plan, tmp_path, reference):
    (tmp_path / "reference" / "games" / "00001.parquet").unlink()

    run = store.open_run(tmp_path / "reference")

    assert "is missing" in run.verify()[0]
    with pytest.raises(StoreError, match="00001.parquet is missing"):
        _ = run.games


def test_batch_and_step_by_step_give_the_same_rows(plan):
    made = plan()
    for game_id in range(0, 60, 7):
        batch = row_frames(made, batch_game(made, game_id))
        steps = row_frames(made, single_game(made, game_id))

        assert batch[0].equals(steps[0])
        assert batch[1].equals(steps[1])


def test_rows_are_in_order_and_complete(plan, tmp_path, reference):
    run = store.open_run(tmp_path / "reference")
    games, seats = run.games.collect(), run.seats.collect()

    assert games["game_id"].to_list() == list(range(3000))
    assert seats.height == 9000
    assert seats.schema["strategy"] == pl.Enum(["runner:near=4", "walker", "random"])
    assert seats.schema["space_round"] == pl.Array(pl.Int16, 5)
    assert games["winner_seat"].null_count() > 0
    assert (games["gap"] >= 0).all()
    total = seats.group_by("game_id").agg(pl.col("win_share").sum())["win_share"]
    assert ((total - 1).abs() < 1e-6).all()


def test_games_of_a_run_differ_and_rotations_share_dice(plan, tmp_path, reference):
    seats = store.open_run(tmp_path / "reference").seats.collect()
    faces = seats.filter(pl.col("seat") == 0)["faces"].to_list()

    assert len({str(f) for f in faces}) > 100


def test_another_seed_gives_other_games(plan, tmp_path, reference):
    session.play(plan(seed=2), tmp_path / "other")

    assert digests(tmp_path / "other")["games/00000.parquet"] != reference["games/00000.parquet"]


def test_column_docs_travel_with_the_files(plan, tmp_path, reference):
    docs = store.open_run(tmp_path / "reference").columns("seats")

    assert docs["space_round"]["index"] == "round"
    assert docs["win_share"]["meaning"].startswith("1 for the winner")


# ---------------------------------------------------------------- folders


def test_folder_of_another_plan_is_refused_with_the_difference(plan, tmp_path, reference):
    with pytest.raises(StoreError, match="its seed is 1, asked for is 5"):
        session.play(plan(seed=5), tmp_path / "reference")
    with pytest.raises(StoreError, match="its strategies differ|its lineup is"):
        session.play(plan(lineup="walker"), tmp_path / "reference")


def test_longer_plan_points_to_extend(plan, tmp_path, reference):
    with pytest.raises(StoreError, match="simulate extend"):
        session.play(plan(9000), tmp_path / "reference")


def test_foreign_folder_is_left_alone(plan, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")

    with pytest.raises(StoreError, match="no run folder"):
        session.play(plan(), tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "dear"


@pytest.mark.parametrize(
    "text", ["", "{", '{"identity": 1, "measured": {}}', "[]", '{"identity": {}}']
)
def test_damaged_run_json_is_told_in_words(tmp_path, text):
    (tmp_path / "run.json").write_text(text)

    with pytest.raises(StoreError):
        store.open_run(tmp_path)


def test_edited_identity_is_found(plan, tmp_path, reference):
    file = tmp_path / "reference" / "run.json"
    data = json.loads(file.read_text())
    data["identity"]["plan"]["seed"] = 99
    file.write_text(json.dumps(data))

    with pytest.raises(StoreError, match="digest"):
        store.open_run(tmp_path / "reference")


@pytest.mark.parametrize(
    "error",
    [
        OSError(28, "No space left on device"),
        pl.exceptions.ComputeError("parquet: underlying IO error: (os error 28)"),
    ],
)
def test_write_error_leaves_nothing_half_written(plan, tmp_path, monkeypatch, error):
    def full(*args, **kwargs):
        raise error

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(StoreError, match="No space left on device"):
        session.play(plan(), tmp_path / "full", jobs=2)
    assert not list((tmp_path / "full").rglob("*.parquet"))
    assert not list((tmp_path / "full").rglob("*.tmp"))


# ---------------------------------------------------------------- strata


def test_players_and_courses_make_strata_of_one_block(plan, tmp_path):
    made = plan(1, players="all", layout="short,long", lineup=())
    run = session.play(made, tmp_path / "all")
    games = run.games.collect()

    assert made.k == 2 * (2 + 1 + 3 + 1 + 4 + 1)
    assert len(made.strata()) == 12
    assert games.schema["layout"] == pl.Enum(["short", "long"])
    told = games.select("cell", "n_seats", "layout").rows()
    wanted = [(i, c.n_seats, made.rules[c.rules].label) for i, c in enumerate(made.cells)]
    assert told == wanted
    assert run.verify(5, steps=True) == []


def test_random_seating_and_mixed_line_ups_replay(plan, tmp_path):
    made = plan(600, seating="random", lineup="mix(runner|walker|random)*3")
    run = session.play(made, tmp_path / "mix")
    seats = run.seats.collect()

    assert run.verify(20, steps=True) == []
    main = seats.filter(pl.col("game_id") % made.k == 0)
    assert main.group_by("seat", "strategy").len().height == 9
    assert main.group_by("game_id").agg(pl.col("strategy").n_unique())["strategy"].min() == 3


def test_equal_cells_draw_one_strategy_for_all_seats(plan, tmp_path, reference):
    seats = store.open_run(tmp_path / "reference").seats.collect()
    equal = seats.filter(pl.col("game_id") % 4 == 3)
    per_game = equal.group_by("game_id").agg(pl.col("strategy").n_unique())

    assert per_game["strategy"].max() == 1
    assert equal["strategy"].n_unique() == 3
