"""Terms of Biathlon's pages that are no column of the records."""

from __future__ import annotations

from reports.glossary import Term

TERMS = (
    Term("Steps a moving turn", "steps by own dice, divided by turns with a move", "mean", "steps"),
    Term("Leads at *, wins", "how often who leads after this part of the course wins", "share"),
    Term(
        "Leaves the last range first, wins",
        "how often the first skier to leave the last range wins",
        "share",
    ),
    Term(
        "Behind the leader",
        "steps to the skier furthest ahead, at the end of a round",
        "mean",
        "steps",
    ),
    Term(
        "Steps a race by source", "steps by own dice, by drafting and on downhills", "mean", "steps"
    ),
    Term(
        "When a token is used", "share of its uses in each third of the skier's race", "share", "%"
    ),
    Term(
        "Worth by slot",
        "win share of skiers that had the token in this slot, less the share of all",
        "mean",
        "percentage points",
    ),
    Term("Worth nothing", "what the same share would be if leading meant nothing"),
    Term("Hit rate", "hits divided by rolls of dice of one colour", "proportion", "%"),
    Term("Exact", "what the faces of the die give, worked out and not simulated"),
    Term("No miss", "how often a visit to a range ends with five hits", "share", "%"),
    Term("No miss, one reroll", "the same with one SHOOT token spent on the first miss"),
    Term("exact, one reroll", "worked out with one SHOOT token spent on the first miss"),
    Term("Misses", "targets missed at one visit to a range", "mean", "targets"),
    Term("Misses a race", "targets missed by a skier in a race", "mean", "targets"),
    Term("Hits a visit", "targets hit at one visit to a range", "mean", "targets"),
    Term("Penalty laps", "penalty laps after one visit to a range", "mean", "laps", also=("Laps",)),
    Term("Penalty laps a race", "penalty laps of a skier in a race", "mean", "laps"),
    Term("Paid a race", "stamina that a skier pays in a race, for whatever", "mean", "stamina"),
    Term("Left at the end", "stamina that a skier has left when the race is over", "mean"),
    Term("Markers on blue", "stamina markers that stand on blue at the end", "mean"),
    Term(
        "Collapsed",
        "share of skiers that cannot pay for a move and leave the race",
        "share",
        "%",
        also=("Collapses",),
    ),
    Term("Rounds after the winner", "rounds from the win to the end of the race", "mean"),
    Term("More than 5 rounds", "races in which the others ski on for more than 5 rounds", "share"),
    Term("Drafts made", "times that a skier draws along behind another", "mean"),
    Term("Lost uphill", "steps that a skier loses on uphill spaces", "mean", "steps"),
    Term("Turns without a step", "moving turns of a skier that end where they began", "mean"),
    Term("Used a race", "uses of the token, divided by skiers", "share"),
    Term("There, a race", "the same at the rows named, all skiers together, exact for this run"),
    Term("In all, a race", "the count of a race, all skiers together, exact for this run"),
    Term("Row", "row of the course, 1 behind the start"),
    Term("Time spent", "skiers that stand here at the end of a round, a race"),
    Term("Passes", "times a race that a skier passes another and ends here"),
    Term("Stamina paid", "stamina paid to enter this row past others, a race", unit="stamina"),
    Term("Drafts that end here", "drafts whose last step is on this row, a race"),
    Term("Steps lost uphill", "steps lost on this row because it rises, a race"),
    Term("Penalty steps", "steps skied in the penalty lane of this range, a race"),
    Term("Drafts", "times that a skier draws along behind another, all skiers together", "mean"),
    Term("Steps by drafting", "steps skied while drawing along, all skiers together", "mean"),
    Term("Drafts refused", "drafts offered, possible and not taken", "mean"),
    Term("Drafts that could not be paid", "drafts that failed for want of stamina", "mean"),
    Term("Slides", "slides on downhill spaces, all skiers together", "mean"),
    Term("Stamina paid to enter held spaces", "stamina paid to get past others", "mean", "stamina"),
)
