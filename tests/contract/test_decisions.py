"""What must hold at every decision of every game, whoever plays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from simulate import jit, registry, rules

Walks = Callable[[str, str], list[Any]]


def _variants() -> list[tuple[str, str]]:
    """(game, overlay that ships)."""
    return [(game, v.name) for game in registry.names() for v in rules.variants(game)]


def test_options_are_what_the_state_allows(game: str, strategy: str, walks: Walks) -> None:
    """Never empty, rising, unique, and `legal` finds the same from the state alone."""
    assert [problem for seen in walks(game, strategy) for problem in seen.options] == []


def test_positions_keep_what_the_box_holds(game: str, strategy: str, walks: Walks) -> None:
    """Dice, tokens and markers are conserved, and what only falls or rises never turns round."""
    assert [problem for seen in walks(game, strategy) for problem in seen.rules] == []


def test_what_a_seat_cannot_see_does_not_change_its_choice(
    game: str, strategy: str, walks: Walks
) -> None:
    """Dice to come and hidden choices of others may be anything."""
    assert [problem for seen in walks(game, strategy) for problem in seen.hidden] == []


def test_a_strategy_leaves_the_table_as_it_is(game: str, strategy: str, walks: Walks) -> None:
    """It answers with an option and draws from its own stream only."""
    assert [problem for seen in walks(game, strategy) for problem in seen.tidy] == []


def test_every_game_comes_to_an_end(game: str, strategy: str, walks: Walks) -> None:
    """Within the limit of the rules, and every seat is asked something."""
    for seen in walks(game, strategy):
        assert seen.over or not jit.compiled()
        assert len({seat for seat, *_ in seen.asked}) > 1


@pytest.mark.parametrize(("game", "variant"), _variants())
def test_every_overlay_that_ships_keeps_the_contract(
    game: str, variant: str, plan_of: Callable[..., Any], walk: Callable[..., Any]
) -> None:
    """The first strategy of the book plays one game under each variant."""
    facts = registry.game(game)
    options = {"variant": [variant], "lineup": registry.book(game).strategies[0].name}
    plan = plan_of(game, players=facts.default_players, **options)
    seen = walk(plan)

    assert seen.over or not jit.compiled()
    assert seen.options + seen.rules + seen.hidden + seen.tidy == []
