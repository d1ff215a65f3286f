"""What fame and gear are worth to a seat (spec section 10)."""

from __future__ import annotations

from simulate.games.skull_canyon.gear import price
from simulate.games.skull_canyon.state import NONE
from simulate.jit import kernel
from strategies.skull_canyon.clock import turns_left
from strategies.skull_canyon.plan_state import FAME, FAME_NEXT, GEAR_FLAG, GEAR_VP


@kernel
def gear_score(state, rules, w, seat, gear):
    """Worth of owning a card: its VP, and its ability for the own turns left."""
    score = w[GEAR_VP] * rules["gear_vp"][gear]
    ability = rules["gear_ability"][gear]
    if ability != NONE and state["able"][seat, ability] == 0:
        score += w[GEAR_FLAG + ability] * turns_left(state, rules)
    return score


@kernel
def wanted_price(state, rules, w, seat):
    """Price of the card of the row that is worth most, -1 if there is none to come."""
    wanted = -1
    most = 0.0
    if state["day"] == rules["days"]:
        return wanted
    for slot in range(rules["gear_row"]):
        gear = state["gear_row"][slot]
        if gear >= 0 and rules["gear_buyable"][gear] == 1:
            score = gear_score(state, rules, w, seat, gear)
            if wanted < 0 or score > most:
                most = score
                wanted = price(state, rules, seat, gear)
    return wanted


@kernel
def fame_score(state, rules, plan, w, seat, more):
    """Worth of so much more fame; whether it now reaches, or no longer, the wanted card."""
    score = w[FAME] * more
    if w[FAME_NEXT] != 0.0 and more != 0:
        wanted = wanted_price(state, rules, w, seat)
        fame = state["fame"][seat]
        if fame < wanted <= fame + more:
            score += w[FAME_NEXT]
        elif fame + more < wanted <= fame:
            score -= w[FAME_NEXT]
    return score
