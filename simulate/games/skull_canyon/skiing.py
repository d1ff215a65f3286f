"""Skiing a run: choosing it, going down, victory points, fame (rulebook: Ski a Run, steps 1-4)."""

from __future__ import annotations

from simulate.games.skull_canyon.fame import gain_fame, gain_vp, pay_fame
from simulate.games.skull_canyon.gear import has, note_use
from simulate.games.skull_canyon.sets import (
    clear_set,
    largest_of_all,
    need_of,
    shows_red,
    shows_style,
)
from simulate.games.skull_canyon.state import (
    ACT_SKI,
    ADVANCED,
    BOOTS,
    CAMERA,
    CAMERA_RUN_TOTAL,
    EASY,
    ENERGY,
    FAME_BASE,
    FAME_BOOTS,
    FAME_CAMERA,
    FAME_GOGGLES,
    FAME_STYLE,
    FAME_WANING,
    PC_KEY,
    PRECISION,
    VP_GOGGLES,
    VP_RUN,
    YES,
)
from simulate.games.skull_canyon.yeti import blocked
from simulate.jit import kernel
from simulate.options import offer


@kernel
def list_ski(state, rules, board, work, seat):
    """ski: each run from here that is not blocked and that a set can pay (SC-SKI-01)."""
    node = state["node"][seat]
    if board["n_down"][node] == 0:
        return
    best = largest_of_all(state, rules, seat, 0)
    for index in range(board["n_down"][node]):
        run = board["down"][node, index]
        need = need_of(state, rules, board, seat, run)
        if not blocked(state, seat, run):
            if best >= need:
                offer(work, ACT_SKI + run)
        elif rules["yeti_clear_own_run"] == 1:
            if largest_of_all(state, rules, seat, 1) >= need:
                offer(work, ACT_SKI + run)


@kernel
def note_blocked(state, rules, board, seat):
    """Records: a run from here that could be paid, but for the Yeti."""
    run = state["yeti"]
    if run < 0 or board["top"][run] != state["node"][seat] or not blocked(state, seat, run):
        return
    need = need_of(state, rules, board, seat, run)
    if largest_of_all(state, rules, seat, 0) < need:
        return
    if rules["yeti_clear_own_run"] == 1:
        if largest_of_all(state, rules, seat, 1) >= need:
            return
    state["game_rows"][0]["yeti_blocks"] += 1


@kernel
def begin_run(state, rules, seat, run):
    """The action is chosen; the set comes next."""
    clear_set(state)
    state["skied"] = run
    state["actions"] -= 1
    if blocked(state, seat, run):
        state["exact"] = 1
    elif state["yeti"] == run:
        note_use(state, rules, seat, ENERGY)
    state["pc"] = PC_KEY


@kernel
def go_down(state, board, seat):
    """The skier moves to the bottom of the run (SC-SKI-03)."""
    run = state["skied"]
    state["node"][seat] = board["bottom"][run]
    game = state["game_rows"][0]
    row = state["seat_rows"][seat]
    game["act_ski"] += 1
    game["ski_run"][run] += 1
    state["tally"]["skied"][run] += 1
    difficulty = board["difficulty"][run]
    if difficulty == EASY:
        row["ski_easy"] += 1
    elif difficulty == ADVANCED:
        row["ski_adv"] += 1
    else:
        row["ski_exp"] += 1


@kernel
def score_run(state, rules, board, events, seat):
    """SC-SKI-04: VP of the run's difficulty."""
    gain_vp(state, events, seat, VP_RUN, rules["vp"][board["difficulty"][state["skied"]]])


@kernel
def may_use_goggles(state, seat):
    """GOGGLES is asked with fame of 1 or more (SC-GEAR-PRECISION)."""
    return has(state, seat, PRECISION) and state["fame"][seat] >= 1


@kernel
def resolve_goggles(state, rules, events, seat, code):
    """Pay 1 fame for 1 VP, or not."""
    if code == YES:
        pay_fame(state, events, seat, FAME_GOGGLES, 1)
        gain_vp(state, events, seat, VP_GOGGLES, 1)
        note_use(state, rules, seat, PRECISION)


@kernel
def earn_fame(state, rules, board, events, seat):
    """SC-SKI-05: base fame, doubled once at most, then waning daylight and Boots."""
    run = state["skied"]
    base = rules["fame"][board["difficulty"][run]]
    more = rules["style_factor"] - 1
    gain_fame(state, events, seat, FAME_BASE, base)
    style = state["style"][run]
    camera = False
    doubled = False
    if style >= 0:
        if shows_style(state, style):
            doubled = True
            state["game_rows"][0]["style_bonuses"] += 1
            state["tally"]["bonus"][run] += 1
            gain_fame(state, events, seat, FAME_STYLE, base * more)
    elif has(state, seat, CAMERA) and shows_red(state):
        camera = True
        doubled = True
        note_use(state, rules, seat, CAMERA)
        gain_fame(state, events, seat, FAME_CAMERA, base * more)
    total = camera and rules["camera_doubles"] == CAMERA_RUN_TOTAL
    if board["bottom"][run] == board["base"] and state["tracker"] == rules["waning_tracker"]:
        state["seat_rows"][seat]["fame_waning_runs"] += rules["waning"]
        gain_fame(state, events, seat, FAME_WANING, rules["waning"])
        if total:
            gain_fame(state, events, seat, FAME_CAMERA, rules["waning"] * more)
    if has(state, seat, BOOTS):
        note_use(state, rules, seat, BOOTS)
        gain_fame(state, events, seat, FAME_BOOTS, 1)
        if total:
            gain_fame(state, events, seat, FAME_CAMERA, more)
        elif doubled and rules["boots_doubled"] == 1:
            gain_fame(state, events, seat, FAME_BOOTS, more)
