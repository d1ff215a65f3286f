"""``python -m simulate``."""

from simulate.cli import main

main()
