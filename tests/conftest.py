"""Fixtures of all tests: the project's tree is importable, caches go to the user's cache folder."""

from __future__ import annotations

import matplotlib

matplotlib.use("Agg")
