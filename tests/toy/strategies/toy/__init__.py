"""Strategies of Toy Dash."""

from strategies.book import Book, Param, Strategy

BOOK = Book(
    game="toy",
    strategies=(
        Strategy("random", 0, "uniform over the options asked"),
        Strategy("walker", 1, "always walks"),
        Strategy("runner", 2, "runs until near the line", (
            Param("near", 3.0, 0.0, 20.0, "spaces before the line at which it walks"),
            Param("nerve", 1.0, 0.0, 1.0, "how often it runs"),
            Param("temperature", 0.0, 0.0, 64.0, "noise on the scores (0: always the best option)"),
        )),
    ),
    default_lineup={2: "runner,walker", 3: "runner,walker,random", 4: "runner,walker,random*2"},
)  # fmt: skip
