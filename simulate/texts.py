"""What a user may give as one text or as several."""

from __future__ import annotations

from collections.abc import Iterable


def as_list(given: str | Iterable[str]) -> list[str]:
    """One text, or several, as a list."""
    return [given] if isinstance(given, str) else list(given)


def split_list(given: str | Iterable[str]) -> list[str]:
    """The parts between commas of one text, or of several; empty ones left out."""
    parts = (part.strip() for text in as_list(given) for part in text.split(","))
    return [part for part in parts if part]
