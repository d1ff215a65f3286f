"""Games are opened before a test imports their kernels: that names the folder of compiled code."""

from __future__ import annotations

from simulate import registry

for _game in registry.names():
    registry.load(_game)
