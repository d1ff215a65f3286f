"""What cannot be used is one clear message: where, which key, which value, what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulate import rules
from simulate.errors import RulesError

GAME = "biathlon"
WHOLE = "a whole number from 1 to 20"


def message(**given) -> str:
    """The message of the RulesError that these layers give."""
    with pytest.raises(RulesError) as caught:
        rules.load(GAME, **given)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # ranges, types, words
        ("range.lap_length=0", ["--set", "range.lap_length = 0", WHOLE]),
        ("range.lap_length=4.0", ["range.lap_length = 4.0", WHOLE]),
        ("range.lap_length=true", ["range.lap_length = true", WHOLE]),
        ("range.lap_length=four", ['range.lap_length = "four"', WHOLE]),
        ("range.lap_length=nan", ["range.lap_length = NaN", WHOLE]),
        ("range.lap_length=" + "9" * 40, ["range.lap_length = 9999", WHOLE]),
        ("range.lap_length=" + "9" * 5000, ["range.lap_length", "no valid TOML"]),
        ("range.lap_length=0x" + "f" * 6000, ["too long to print", WHOLE]),
        ("range.lap_length=1979-05-27", ["1979-05-27", WHOLE]),
        ("report.min_per_turn=inf", ["report.min_per_turn = Infinity", "a number above 0"]),
        ("report.min_per_turn=nan", ["report.min_per_turn = NaN", "a number above 0"]),
        ("sim.max_rounds=1e9", ["sim.max_rounds", "a whole number from 1 to 10000"]),
        ("rules.wax_burn=yes", ["rules.wax_burn", '"yes"', "true or false"]),
        ("rules.draft_path=copi", ["rules.draft_path", "copi", "track or copy"]),
        ("board.sprint_cap=nine", ["board.sprint_cap", "nine", "from 0 to 20, or none"]),
        ("board.full_at=[4,4,3]", ["board.full_at", "[4, 4, 3]", "a list of 4"]),
        ("board.full_at=[4,4,3,x]", ["board.full_at.3", '"x"', "a whole number"]),
        ("board.full_at.2=3", ["board.full_at", "a list of 4"]),
        ("wax.token.5.branches=[[ROLL]]", ["wax.token.5.branches.0.0", "ROLL", "ROLL1"]),
        ("tiles.straight.rows=[PP,PX]", ["tiles.straight.rows.1", "PX", "letters P F U D W"]),
        # keys
        ("range.lap_lenght=4", ["range.lap_lenght", "did you mean range.lap_length?", "shots"]),
        ("lap_length=4", ["lap_length", "did you mean range.lap_length?"]),
        ("rang.lap_length=4", ["rang", "did you mean range?"]),
        ("rules.draft_pat=copy", ["rules.draft_pat", "did you mean rules.draft_path?"]),
        ("nations.sett=flat", ["nations.sett", "did you mean nations.set?"]),
        ("nations.Norwey.stamina=basic", ["did you mean nations.Norway?", "a new one wants kind"]),
        ("nations.Norway.colour=3", ["nations.Norway.colour", "kind, board, stamina"]),
        ("layouts.mine.tilez=ATG", ["layouts.mine.tilez", "did you mean layouts.mine.tiles?"]),
        ("range.source=hi", ["range.source", "no such key"]),
        # tables and values
        ("range=5", ["range = 5", "it is a table", "range.lap_length"]),
        ("range.lap_length.x=1", ["range.lap_length", WHOLE]),
        ("range.lap_length={a=1}", ["range.lap_length", WHOLE]),
        ("nations.Norway=3", ["nations.Norway = 3", "it is a table"]),
        # the text itself
        ("", ["want key=value"]),
        ("range.lap_length", ["range.lap_length", "want key=value"]),
        ("=4", ["no key"]),
        ("range..x=4", ["range..x", "no key"]),
        ("a b=4", ["a b", "no key"]),
        ("range.lap_length=", ["range.lap_length", "no valid TOML value"]),
        ("board.full_at=[4,4,3", ["board.full_at", "[4,4,3", "no valid TOML value"]),
        ("range.lap_length=1\nboard.star_cap=0", ["range.lap_length", "no valid TOML value"]),
        # across keys
        ("board.full_at=[4,4,3,5]", ["board.full_at", "board.column_cap (4)"]),
        ("dice.shoot.hits.green=7", ["dice.shoot.hits.green = 7", "sides of the die (6)"]),
        ("dice.shoot.hits.pink=2", ["dice.shoot.hits", "green, yellow, red, blue"]),
        ("dice.shoot.order=[green,gold,red,blue]", ["dice.shoot.order", "first letters"]),
        ("stamina.levels=5", ["stamina.levels = 5", "--variant stamina_five_rows"]),
        ("stamina.basic=GYBB", ["stamina.basic", "GYBB", "bottom row, and no other, is B"]),
        ("stamina.basic=BYRG", ["stamina.basic", "bottom row"]),
        ("stamina.basic=GXRB", ["stamina.basic", "GXRB", "G, Y, R, B"]),
        ("stamina.start_top=4", ["stamina.start_top = 4", "from 0 to 3"]),
        ("nations.assign=[Norway,Austria]", ["nations.assign", "two skiers may not share a board"]),
        ("nations.assign=[Norway,Norway]", ["nations.assign", "two skiers may not share a board"]),
        ("nations.assign=[Norway,Austra]", ["Austra", "did you mean Austria?", "Finland"]),
        ("nations.use=[Norway,Norway]", ["nations.use", "every nation once"]),
        ("nations.use=basics", ["nations.use", "basic or advanced or mixed"]),
        ("wax.set=comon", ["wax.set", "did you mean common?", "varied"]),
        ("wax.sets.common.b1=[1,2,3]", ["wax.sets.common.b1", "8 tokens"]),
        ("wax.sets.common.b1=[1,2,3,4,5,6,7,20]", ["wax.sets.common.b1", "20 has none"]),
        ("wax.token.99.branches=[[PLUS]]", ["wax.token.99", "1 to 24"]),
        ("wax.loadout=L3", ["wax.loadout", "L3", "chosen, drawn, L0, L1"]),
        ("wax.loadout=[1,2,3]", ["wax.loadout", "6 tokens"]),
        ("wax.loadout=[1,1,2,3,4,5]", ["wax.loadout", "1 is not there so often"]),
        ("wax.dealt=5", ["wax.dealt = 5", "wax.slots"]),
        # courses
        ("course.layout=startr", ["course.layout", "did you mean starter?", "hilly_short"]),
        ("course.layout=[A,T,X,G]", ["course.layout", '"X"', "T straight"]),
        ("course.layout=[T,T,G]", ["course.layout", "begins with the start tile"]),
        ("course.layout=[A,T,T]", ["course.layout", "ends with the goal tile"]),
        ("course.layout=[A,A,G]", ["course.layout", "begins with the start tile"]),
        ("course.layout=[PP,SS,PP]", ["course.layout", "SS", "S stands alone"]),
        ("course.layout=[PU,UPP]", ["course.layout", "UPP", "2 letters"]),
        ("course.layout=A S S S S S G", ["course.layout", "at most 4 tiles of kind shooting"]),
        ("course.max_tiles=9", ["course.max_tiles = 9", "at most 9 tiles"]),
        ("tiles.count.straight=2", ["tiles.count", "at most 2 tiles of kind straight"]),
        ("tiles.count.bend=2", ["tiles.count.bend = 2", "a kind of tile", "straight"]),
        ("tiles.corner.letter=T", ["letter", "a letter of its own"]),
        ("layouts.starter.rows=[P,S]", ["layouts.starter", "tiles or rows"]),
        ("layouts.mine.tiles=A Q G", ["layouts.mine.tiles", '"Q"']),
        ("course.lanes=4", ["course.lanes = 4", "from 1 to 3"]),
        ("mode.race=long", ["mode.race", "a short race"]),
        ("dice.race.count=40", ["dice.race.count = 40", "from 1 to 20"]),
    ],
)
def test_bad_override(text, parts):
    told = message(overrides=[text])
    for part in parts:
        assert part in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"[range\nlap_length=3", ["no valid TOML", "line 1"]),
        (b"a = 1\na = 2", ["no valid TOML"]),
        (b"a = " + b"[" * 10000, ["no valid TOML"]),
        (b"a" + b".a" * 3000 + b" = 1", ["too deep"]),
        (b"\xff\xfe\x00", ["not UTF-8", "byte 0"]),
        (
            b"range.lap_length = 0\nfoo = 1",
            ["range.lap_length = 0", WHOLE, "foo = 1", "no such key"],
        ),
        (b"[[range]]\nlap_length = 3", ["range", "it is a table"]),
        (b"range = [1]", ["range = [1]", "it is a table"]),
        (b"range.lap_length = 1e400", ["range.lap_length = Infinity", WHOLE]),
        (b"range.lap_length = -nan", ["range.lap_length = NaN", WHOLE]),
        (b"[range]\nsource = 3", ["source of range", "text"]),
        (b"[range]\nsources = 'x'", ["range.sources", "table"]),
        (b'[[wax.token]]\nbranches = [["PLUS"]]', ["wax.token", "number"]),
        (b"[[wax.token]]\nnumber = 5\n[[wax.token]]\nnumber = 5", ["number 5 stands twice"]),
    ],
)
def test_bad_file(tmp_path: Path, content, parts):
    file = tmp_path / "my.toml"
    file.write_bytes(content)
    told = message(files=[file])
    for part in [str(file), *parts]:
        assert part in told


def test_missing_file_and_folder(tmp_path: Path):
    assert "no such file" in message(files=[tmp_path / "none.toml"])
    assert "a folder" in message(files=[tmp_path])
    assert "cannot be read" in message(files=["\0"])
    assert "cannot be read" in message(files=["x" * 5000])


def test_file_with_byte_order_mark(tmp_path: Path):
    file = tmp_path / "my.toml"
    file.write_bytes(b"\xef\xbb\xbfrange.lap_length = 4")
    assert rules.load(GAME, files=[file]).changed == {"range.lap_length": 4}


def test_unknown_variant_and_game():
    assert "did you mean lanes_3?" in message(variants=["lane_3"])
    assert "did you mean --variant lanes_3?" in message(files=["lanes_3"])
    with pytest.raises(RulesError, match=r"did you mean biathlon\?"):
        rules.load("biatlon")


def test_all_problems_are_shown_at_once(tmp_path: Path):
    file = tmp_path / "my.toml"
    file.write_text("range.lap_length = 0\nboard.sprint_cap = 'x'\n")
    lines = message(files=[file], overrides=["rules.wax_burn=2", "course.lanes=9"]).splitlines()
    assert len(lines) == 4
    assert sum(str(file) in line for line in lines) == 2


def test_unreadable_layers_are_shown_at_once(tmp_path: Path):
    lines = message(variants=["x"], files=[tmp_path], overrides=["y", "z"]).splitlines()
    assert len(lines) == 4


def test_the_last_giver_of_a_key_is_named():
    told = message(variants=["lap_length_5"], overrides=["range.lap_length=0"])
    assert told.startswith("--set: range.lap_length")
    told = message(variants=["course_long_three"], overrides=["range.shots=4", "mode.race=short"])
    assert told.startswith("--set: mode.race")


@pytest.mark.parametrize(
    "overrides",
    [
        ["course.layout=long_three", "mode.race=short"],
        ["course.layout=long_three", "mode.race=short_top"],
        ["course.layout=long_three", "stamina.start_top=2"],
        ["wax.loadout=L0", "wax.set=varied"],
        ["wax.loadout=L0", "wax.slots=5"],
        ["course.lanes=3", "tiles.straight.rows=[PU,PP]"],
        ["course.lanes=3", "tiles.straight.rows=[W,W,W,W]"],
        ["dice.race.count=20", "board.sprint_cap=none", "wax.per_turn=2"],
        ["tiles.inventory=double_sided", "course.layout=A T T T T T T U D U S U G"],
        ["nations.Norway.kind=advanced", "nations.use=[Norwegen]"],
    ],
)
def test_keys_that_do_not_go_together(overrides):
    assert message(overrides=overrides)


def test_markers_of_a_long_race_start_on_the_top_row():
    told = message(overrides=["course.layout=long_three", "stamina.start_top=2"])
    assert "stamina.start_top = 2" in told
    assert "top row" in told


def test_a_course_with_too_many_routes_is_refused_with_row_and_reason():
    white = "[" + ",".join(["W"] * 40) + "]"
    told = message(overrides=[f"course.layout={white}"])
    assert "65536 fit" in told
    assert "from row" in told
    assert "white" in told


def test_run_data_that_is_no_table():
    with pytest.raises(RulesError, match=r"run\.json"):
        rules.from_data(GAME, [1])
    with pytest.raises(RulesError, match="is missing"):
        rules.from_data(GAME, {"game": {"max_skiers": 5}})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("slope.forest=[7]", ["slope.forest = [7]", "numbers of slope cards, 1 to 6"]),
        ("slope.forest=[3,3]", ["every slope card once"]),
        ("move.reversal=never", ['rules.move.reversal = "never"', "until_down or turn"]),
        ("rules.move.reversal=never", ['rules.move.reversal = "never"', "until_down or turn"]),
        ("move.reversl=turn", ["rules.move.reversl", "did you mean rules.move.reversal?"]),
        ("deck.size=41", ["deck.size = 41", "factorial42 has 42"]),
    ],
)
def test_pistengaudi_says_what_a_rule_may_be(text, parts):
    """Set-ups, switches by their long and short names, decks."""
    with pytest.raises(RulesError) as caught:
        rules.load("pistengaudi", overrides=[text])

    assert all(part in str(caught.value) for part in parts), str(caught.value)


def test_a_deck_that_nobody_can_ride_is_refused(tmp_path):
    """Forest and ski jumps alone; a few such cards are a note."""
    file = tmp_path / "mine.toml"
    deck = '[deck]\nname = "mine"\n[deck.sets.mine]\ncards = {}\n'
    file.write_text(deck.format(["F/J"] * 42))
    with pytest.raises(RulesError, match="a space to ride on; the deck mine has none"):
        rules.load("pistengaudi", files=[file])

    file.write_text(deck.format(["F/F"] * 2 + ["P1/P2"] * 40))
    assert any(note.endswith(": 2") for note in rules.load("pistengaudi", files=[file]).warnings)
