"""Terms of Pistengaudi's pages that are no column of the records."""

from __future__ import annotations

from reports.glossary import Term

TERMS = (
    Term("Falls", "falls while riding, all figures together", "mean", "falls"),
    Term(
        "Overtaken in the last round",
        "games that are won by another than the first figure in the goal",
        "share",
        "%",
        also=("Overtaken",),
    ),
    Term(
        "Earlier arrival wins ties",
        "win share of a seat under the printed rule for equal areas",
        "share",
        "%",
    ),
    Term("Later arrival would", "its win share if the later arrival won such ties", "share", "%"),
    Term("Difference, points", "the one less the other", "paired", "percentage points"),
    Term("More than *", "the measure in this set-up less that in the first one", "paired"),
    Term("There, a game", "the same at the spaces named, exact for this run"),
    Term("In all, a game", "the count of a game, all figures together, exact for this run"),
    Term(
        "Twice the same",
        "pairs of hits of a game that fall on the same figure: how unevenly victims are chosen",
        "share",
        "%",
        "Simpson 1949",
        also=("Twice the same by lot",),
    ),
    Term("More than by lot", "the same less what victims drawn by lot would give", "paired"),
    Term("Pairs of hits", "every two snowballs, or uphill moves, of one game"),
    Term("At the furthest other", "hostile acts that hit the figure furthest down", "share", "%"),
    Term("Somebody lost the way out", "part of these in which a figure ever had no way out"),
    Term("Of its games", "part of all games of this kind that could not end for this reason"),
    Term("Steps that land here", "steps of all figures that end on the space, a game"),
    Term("Falls here", "falls on the space, a game"),
    Term("Halves of cards laid here", "card halves laid on the space, a game"),
    Term("Figures here at round ends", "figures that stand here when a round ends, a game"),
    Term("Moves that end here", "moves of all figures that end on the space, a game"),
    Term(
        "Snowballs thrown for each snowball card laid",
        "throws of a seat, divided by its cards with a snowball",
        "mean",
    ),
    Term(
        "Groomer moves for each groomer card laid",
        "groomer moves of a seat, divided by its cards with a groomer",
        "mean",
    ),
    Term("Hut stops for each hut card laid", "moves ended by a hut, divided by hut cards", "mean"),
    Term(
        "Flights for each ski jump card laid",
        "ski jumps flown over, divided by ski jump cards",
        "mean",
    ),
    Term("Steps on own cards, a game", "steps of a figure on cards that its seat laid", "mean"),
    Term("Steps of others on them, a game", "steps of others on cards that the seat laid", "mean"),
    Term("Steps on cards of others, a game", "steps of a figure on cards of others", "mean"),
    Term(
        "Worth, points",
        "what one event of the kind is worth to the seat, from a coin tossed for each of them",
        "mean",
        "percentage points of win share",
    ),
    Term(
        "Worth of one more card",
        "win share of a seat for each card of a kind that it lays beyond an even share",
        "mean",
        "percentage points",
    ),
    Term("Whom snowballs hit", "part of the snowballs thrown that hit such a figure", "mean", "%"),
    Term(
        "First in the goal and winner",
        "share of finished games by the seat that enters the goal first and the seat that wins",
        "proportion",
        "%",
    ),
    Term("Events", "events for which a coin was tossed"),
)
