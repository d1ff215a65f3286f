"""What never changes in a race of Ski Tour: Biathlon, looked at in every position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from simulate.games.biathlon import state as s

PAID = ("extra", "entry_own", "entry_draft", "slide", "wax")
MAY_BE_NONE = ("nation", "place", "arrived_round")
PER_SEAT = (
    "side", "nation", "status", "row", "lane", "penalty", "sprint", "left", "right", "shots_made",
    "miss", "owed", "arrived_round", "sixes", "place", "forced_hit",
)  # fmt: skip


class Watch:
    """Compares a position with the one before."""

    def __init__(self, state: Any, rules: Any) -> None:
        self.state, self.rules = state, rules
        self.seats = range(int(state["n_seats"]))
        self.at_start = state["stamina"].sum(axis=1)
        self.before = self._kept()

    def problems(self) -> list[str]:
        """What is wrong now."""
        found = list(self._table())
        for seat in self.seats:
            told = (
                *self._board(seat), *self._stamina(seat), *self._wax(seat), *self._place(seat),
                *self._range(seat), *self._counts(seat),
            )  # fmt: skip
            found += [f"seat {seat}: {problem}" for problem in told]
        self.before = self._kept()
        return found

    def _kept(self) -> dict[str, Any]:
        """What the next look compares with."""
        names = ("stamina", "row", "status", "slots", "left", "right", "place", "round", "turn")
        return {name: self.state[name].copy() for name in (*names, "asked", "collapsed")}

    def _table(self) -> Iterator[str]:
        """The whole table: rounds, marker, places, boards."""
        state, rules = self.state, self.rules
        count = len(self.seats)
        for name in ("round", "turn", "collapsed"):
            if state[name] < self.before[name]:
                yield f"{name} falls"
        if state["round"] > rules["max_rounds"]:
            yield "more rounds than the limit"
        turns = (state["marker"] - state["first_seat"]) % count
        if state["round"] > 0 and not rules["marker_skips_inactive"] and not state["over"]:
            if turns != (state["round"] - 1) % count:
                yield "the First player marker did not move one seat a round"
        status = state["status"][:count]
        if state["finished"] != (status == s.HOME).sum():
            yield "skiers home are miscounted"
        if state["collapsed"] != (status == s.OUT).sum():
            yield "collapsed skiers are miscounted"
        places = sorted(int(place) for place in state["place"][:count] if place > 0)
        if places != list(range(1, len(places) + 1)):
            yield f"places {places}"
        boards = [int(rules["board"][n]) for n in state["nation"][:count] if n >= 0]
        if len(set(boards)) != len(boards):
            yield "two skiers have one board"
        if state["tokens_used"] > rules["wax_per_turn"]:
            yield "more tokens than a turn allows"

    def _board(self, seat: int) -> Iterator[str]:
        """Ten dice, columns, star boxes, sprint."""
        state, rules = self.state, self.rules
        cols, stars, sprint = state["cols"][seat], state["stars"][seat], state["sprint"][seat]
        on_board = int(cols.sum() + stars.sum() + sprint + state["sixes"][seat])
        if not 0 <= on_board <= rules["race_dice"]:
            yield f"{on_board} dice of {rules['race_dice']}"
        if (cols > rules["column_cap"]).any() or (stars > rules["star_cap"]).any():
            yield f"columns {cols.tolist()}, stars {stars.tolist()} beyond their room"
        if sprint > rules["sprint_cap"]:
            yield f"{sprint} dice in sprint"
        if seat == state["active"] and not 0 <= state["dice"] <= rules["race_dice"]:
            yield f"{state['dice']} dice counted in one turn"

    def _stamina(self, seat: int) -> Iterator[str]:
        """Markers only go down, one row for each payment."""
        state = self.state
        levels = state["stamina"][seat]
        if (levels < 0).any() or (levels >= self.rules["levels"]).any():
            yield f"markers {levels.tolist()}"
        if (levels > self.before["stamina"][seat]).any():
            yield "a marker rises"
        record = state["seat_rows"][seat]
        paid = sum(int(record[f"stam_paid_{name}"]) for name in PAID)
        if self.at_start[seat] - levels.sum() != paid:
            yield f"{paid} stamina paid, markers lost {self.at_start[seat] - levels.sum()}"

    def _wax(self, seat: int) -> Iterator[str]:
        """Tokens stay in their slots; used ones turn back only by a special box."""
        state, rules = self.state, self.rules
        slots, nation = state["slots"][seat], int(state["nation"][seat])
        left, right = int(state["left"][seat]), int(state["right"][seat])
        if left + right > rules["slots"]:
            yield f"{left} and {right} tokens used of {rules['slots']}"
        if nation >= 0:
            known = rules["wax_set"][rules["board"][nation]].tolist()
            for token in {int(token) for token in slots if token > 0}:
                if slots.tolist().count(token) > known.count(token):
                    yield f"token {token} is laid more often than the set holds it"
        if self.before["round"] > 0 and (slots != self.before["slots"][seat]).any():
            yield "tokens change their slots in the race"
        fallen = self.before["left"][seat] - left + self.before["right"][seat] - right
        special = nation >= 0 and rules["special_column"][nation] >= 0
        if fallen > 0 and not special:
            yield "a used token turned back without a special box"

    def _place(self, seat: int) -> Iterator[str]:
        """On the course, never backwards, each step in the records."""
        state, rules = self.state, self.rules
        row, lane = int(state["row"][seat]), int(state["lane"][seat])
        penalty, status = int(state["penalty"][seat]), int(state["status"][seat])
        in_range = row <= rules["rows"] and rules["space"][row, 0] == s.SHOOTING
        if not 0 <= row <= rules["rows"] + 1 or not 0 <= lane < rules["lanes"]:
            yield f"row {row}, lane {lane}"
        if row < self.before["row"][seat]:
            yield "goes back"
        if (status == s.HOME) != (row == rules["rows"] + 1):
            yield f"status {status} on row {row}"
        if self.before["status"][seat] != s.RACING and status != self.before["status"][seat]:
            yield "comes back into the race"
        if not 0 <= penalty <= rules["lap_length"] or (penalty and not in_range):
            yield f"penalty space {penalty} on row {row}"
        record = state["seat_rows"][seat]
        steps = sum(int(record[f"steps_{name}"]) for name in ("own", "draft", "slide"))
        if steps - int(record["sideways"]) != row:
            yield f"{steps} steps, {record['sideways']} of them sideways, lead to row {row}"

    def _range(self, seat: int) -> Iterator[str]:
        """Five shots, miss markers and laps that belong together."""
        state, rules = self.state, self.rules
        shots, miss, owed = (int(state[name][seat]) for name in ("shots_made", "miss", "owed"))
        row = int(state["row"][seat])
        in_range = row <= rules["rows"] and rules["space"][row, 0] == s.SHOOTING
        if not 0 <= shots <= rules["shots"] or not 0 <= miss <= rules["shots"]:
            yield f"{shots} shots, {miss} miss markers"
        if (shots or miss or owed) and not in_range:
            yield f"{shots} shots, {miss} miss markers, {owed} steps owed off the range"
        laps = -(-miss // int(rules["misses_per_lap"]))
        if -(-owed // int(rules["lap_length"])) != laps:
            yield f"{miss} miss markers and {owed} penalty steps"

    def _counts(self, seat: int) -> Iterator[str]:
        """Nothing is counted below zero."""
        for name in PER_SEAT:
            low = -1 if name in MAY_BE_NONE else 0
            if self.state[name][seat] < low:
                yield f"{name} = {self.state[name][seat]}"


def disturb(state: Any, rules: Any, coin: random.Random) -> None:
    """Seeds, others' wax and nations until all have chosen, others' 6s of a preparation."""
    state["root"], state["block"] = coin.getrandbits(62), coin.getrandbits(30)
    asked, seat = int(state["phase"]), int(state["to_move"])
    others = [other for other in range(int(state["n_seats"])) if other != seat]
    if asked == s.ASK_WAXPICK:
        for other in others:
            state["slots"][other][:] = [coin.randrange(s.MAX_TOKENS) for _ in range(s.MAX_SLOTS)]
    if asked == s.ASK_SIX and state["pc"] == s.PC_PREP_SIX:
        for other in others:
            _other_sixes(state, rules, other, coin)


def _other_sixes(state: Any, rules: Any, seat: int, coin: random.Random) -> None:
    """The 6s of this phase lie elsewhere, or nowhere yet."""
    for column in range(s.COLUMNS):
        if state["cols"][seat, column] > 0:
            state["stars"][seat, column] = coin.randint(0, int(rules["star_cap"]))
    state["sprint"][seat] = coin.randint(0, min(4, int(rules["sprint_cap"])))
    state["sixes"][seat] = coin.randint(0, 3)
