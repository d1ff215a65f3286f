"""What never changes in a game of Skull Canyon: Ski Fest, looked at in every position."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from simulate.games.skull_canyon import state as s

LAYING = (s.ASK_KEY, s.ASK_RAMP1, s.ASK_RAMP2, s.ASK_ADD)
FAME_IN = ("base", "style", "camera", "waning", "boots", "tent", "tub", "gift")
FAME_OUT = ("village", "gear", "alert", "goggles")
VP_IN = ("runs", "goggles", "gift")
ONLY_RISE = ("day", "turn", "asked", "forced", "shuffles", "avalanches")
ONLY_RISE_BY_SEAT = ("vp", "owned")
ONLY_FALL_BY_SEAT = ("markers",)
NEVER_BELOW_ZERO = ("vp", "fame", "markers", "explosives", "tickets", "cards", "tops", "hand")

PILES = ("deck", "gear_deck")  # fields of STATE with hidden cards in order


class Watch:
    """Compares a position with the one before."""

    def __init__(self, state: Any, rules: Any) -> None:
        self.state, self.rules = state, rules
        self.board = rules["boards"][int(state["board"])]
        self.seats = range(int(state["n_seats"]))
        self.before = self._kept()

    def problems(self) -> list[str]:
        """What is wrong now."""
        parts = (
            self._cards(), self._row(), self._tokens(), self._claims(), self._gear(), self._styles(),
            self._clock(), self._mountain(), self._village(), self._order(),
        )  # fmt: skip
        found = [problem for part in parts for problem in part]
        for seat in self.seats:
            found += [f"seat {seat}: {problem}" for problem in self._ledger(seat)]
        self.before = self._kept()
        return found

    def _kept(self) -> dict[str, Any]:
        """What the next look compares with."""
        names = (*ONLY_RISE, *ONLY_RISE_BY_SEAT, *ONLY_FALL_BY_SEAT)
        return {name: self.state[name].copy() for name in (*names, "stack_n", "stack", "yeti")}

    def _cards(self) -> Iterator[str]:
        """All slope cards of each type are somewhere, once."""
        state, seats = self.state, len(self.seats)
        found = state["discards"].copy() + state["hand"][:seats].sum(axis=0)
        start = int(state["deck_at"])
        for card in state["deck"][start : start + int(state["deck_n"])]:
            found[card] += 1
        for card in state["slots"]:
            if card >= 0:
                found[card] += 1
        if state["phase"] in LAYING:
            found += state["set"]
            if state["pair2"] >= 0:
                found[state["pair1"]] += 1
                found[state["pair2"]] += 1
        if state["phase"] == s.ASK_PAY:
            found += state["paid"]
        if (found != self.rules["deck"]).any():
            yield f"cards by type {found.tolist()}, {int(found.sum())} in all"
        if (state["cards"] != state["hand"].sum(axis=1)).any():
            yield f"hand sizes {state['cards'].tolist()}"
        if (state["known"] > state["hand"]).any() and state["phase"] not in LAYING:
            yield "a card is known to be in a hand that does not hold it"
        if state["discards_n"] != state["discards"].sum():
            yield f"{state['discards_n']} discards"

    def _row(self) -> Iterator[str]:
        """SC-DECK-03 and SC-DECK-05: no three Yetis, no empty deck beside discards."""
        state, rules = self.state, self.rules
        slots = state["slots"][: int(rules["row"])]
        others = int(state["discards"][: s.YETI].sum()) + int(
            ((slots >= 0) & (slots != s.YETI)).sum()
        )
        start = int(state["deck_at"])
        others += int((state["deck"][start : start + int(state["deck_n"])] != s.YETI).sum())
        if (slots == s.YETI).sum() >= rules["yeti_reset"]:
            if others >= rules["row"] - rules["yeti_reset"] + 1:
                yield f"the row {slots.tolist()} was not reset"
        if state["deck_n"] == 0 and rules["reshuffle"] == s.WHEN_EMPTY and state["discards_n"] > 0:
            yield "an empty deck beside discards"
        if (slots < 0).any() and (state["deck_n"] > 0 or state["discards_n"] > 0):
            if state["phase"] != s.ASK_PAY:
                yield f"the row {slots.tolist()} was not filled"

    def _tokens(self) -> Iterator[str]:
        """Explosives, tickets: with players or in the supply."""
        for name in ("explosives", "tickets"):
            total = int(self.state[name].sum()) + int(self.state[f"{name}_left"])
            if total != self.rules[name] or self.state[f"{name}_left"] < 0:
                yield f"{total} {name}"
        for name in NEVER_BELOW_ZERO:
            if (self.state[name] < 0).any():
                yield f"{name} {self.state[name].tolist()}"

    def _claims(self) -> Iterator[str]:
        """Markers are with their player or in a stack, and stay there; tops are counted right."""
        state, board = self.state, self.board
        laid = [0] * s.MAX_SEATS
        tops = [[0] * s.DIFFICULTIES for _ in range(s.MAX_SEATS)]
        for run in range(int(board["n_runs"])):
            count = int(state["stack_n"][run])
            stack = [int(seat) for seat in state["stack"][run][:count]]
            kept = int(self.before["stack_n"][run])
            if stack[:kept] != self.before["stack"][run][:kept].tolist():
                yield f"the stack of run {run} changed below its top"
            for seat in stack:
                laid[seat] += 1
            if stack:
                tops[stack[-1]][int(board["difficulty"][run])] += 1
        if state["tops"].tolist() != tops:
            yield f"tops {state['tops'].tolist()}, stacks say {tops}"
        for seat in self.seats:
            if laid[seat] + state["markers"][seat] != self.rules["markers"]:
                yield f"seat {seat}: {laid[seat]} markers laid, {state['markers'][seat]} left"

    def _gear(self) -> Iterator[str]:
        """Each gear card is in the deck, in the row, out of the game or owned."""
        state, rules = self.state, self.rules
        for gear in range(int(rules["n_gear"])):
            start = int(state["gear_at"])
            deck = state["gear_deck"][start : start + int(state["gear_deck_n"])]
            count = int((deck == gear).sum()) + int((state["gear_row"] == gear).sum())
            count += int(state["gear_out"][gear]) + int(state["owned"][:, gear].sum())
            if count != rules["gear_copies"][gear]:
                yield f"{count} cards of gear {gear}"

    def _styles(self) -> Iterator[str]:
        """Style markers are on style spaces or in the supply."""
        state, rules, board = self.state, self.rules, self.board
        count = state["supply"].copy()
        for run in range(int(board["n_runs"])):
            style = int(state["style"][run])
            if style >= 0:
                count[style] += 1
                if board["style_space"][run] == 0:
                    yield f"a style marker on run {run}, which has no space"
        if (count != rules["style_markers"]).any():
            yield f"style markers {count.tolist()}"

    def _clock(self) -> Iterator[str]:
        """Days, tracker, actions."""
        state, rules = self.state, self.rules
        if not 1 <= state["day"] <= rules["days"] or not 0 <= state["tracker"] <= rules["daylight"]:
            yield f"day {state['day']}, tracker {state['tracker']}"
        if not 0 <= state["actions"] <= rules["actions"]:
            yield f"{state['actions']} actions left"
        if state["turn"] > rules["days"] * rules["daylight"] * len(self.seats):
            yield f"turn {state['turn']}"

    def _mountain(self) -> Iterator[str]:
        """Skiers on nodes; the Yeti on a run that lets it stand, and never back in its cave."""
        state, board = self.state, self.board
        for seat in self.seats:
            if not 0 <= state["node"][seat] < board["n_nodes"]:
                yield f"seat {seat} stands on node {state['node'][seat]}"
        yeti = int(state["yeti"])
        if yeti < 0 <= self.before["yeti"]:
            yield "the Yeti is back in its cave"
        if yeti >= 0 and board["no_yeti"][yeti] == 1:
            yield f"the Yeti stands on run {yeti}"

    def _village(self) -> Iterator[str]:
        """No more guests than slots, each in one place."""
        state, rules = self.state, self.rules
        if state["stage"] != s.STAGE_VILLAGE:
            return
        guests = []
        for position in range(s.PLACES):
            count = int(state["guests_n"][position])
            if not 0 <= count <= rules["slots"][len(self.seats)]:
                yield f"{count} guests at position {position}"
            here = state["guests"][position][:count].tolist()
            if any(state["position"][seat] != position for seat in here):
                yield f"guests {here} at position {position}"
            guests += here
        if len(set(guests)) != len(guests):
            yield "a skier is in two places"

    def _order(self) -> Iterator[str]:
        """What only rises, what only falls."""
        for name in (*ONLY_RISE, *ONLY_RISE_BY_SEAT):
            if (self.state[name] < self.before[name]).any():
                yield f"{name} falls"
        for name in ONLY_FALL_BY_SEAT:
            if (self.state[name] > self.before[name]).any():
                yield f"{name} rises"

    def _ledger(self, seat: int) -> Iterator[str]:
        """VP and fame are what the records say was gained and paid."""
        row = self.state["seat_rows"][seat]
        vp = sum(int(row[f"vp_{name}"]) for name in VP_IN)
        if vp != self.state["vp"][seat]:
            yield f"{self.state['vp'][seat]} VP, {vp} gained"
        fame = sum(int(row[f"fame_{name}"]) for name in FAME_IN)
        fame -= sum(int(row[f"fame_sp_{name}"]) for name in FAME_OUT)
        if fame != self.state["fame"][seat]:
            yield f"{self.state['fame'][seat]} fame, {fame} by the records"
        taken = int(row["cards_drawn"]) + int(row["cards_row"])
        gone = int(row["cards_played"]) + int(row["cards_paid"]) + int(self.state["cards"][seat])
        if seat == self.state["to_move"] and self.state["phase"] in LAYING:
            gone += int(self.state["set"].sum()) + (2 if self.state["pair2"] >= 0 else 0)
        if taken != gone:
            yield f"{taken} cards taken, {gone} played, paid or in hand"


def disturb(state: Any, rules: Any, coin: random.Random) -> None:
    """Seeds; the deck and what nobody knows of the others' hands, dealt anew; the gear deck."""
    state["root"], state["block"] = coin.getrandbits(62), coin.getrandbits(30)
    asked = int(state["to_move"])
    start, count = int(state["deck_at"]), int(state["deck_n"])
    pool = [int(card) for card in state["deck"][start : start + count]]
    others = [seat for seat in range(int(state["n_seats"])) if seat != asked]
    hidden = {}
    for seat in others:
        unknown = state["hand"][seat] - state["known"][seat]
        hidden[seat] = int(unknown.sum())
        for card in range(s.TYPES):
            pool += [card] * int(unknown[card])
    coin.shuffle(pool)
    for seat in others:
        state["hand"][seat][:] = state["known"][seat]
        for _ in range(hidden[seat]):
            state["hand"][seat, pool.pop()] += 1
        state["seat_rows"][seat]["yetis_got"] = coin.randrange(20)
    state["deck"][start : start + count] = pool
    start, count = int(state["gear_at"]), int(state["gear_deck_n"])
    gear = [int(card) for card in state["gear_deck"][start : start + count]]
    coin.shuffle(gear)
    state["gear_deck"][start : start + count] = gear
