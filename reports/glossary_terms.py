"""Terms of all games: results, lengths, decisions, tests, and the numbers of experiments."""

from __future__ import annotations

from reports.glossary import Term

RESULTS = (
    Term(
        "Win share",
        "games won as a part of games played. Players who share a win get 1/k each; a game that "
        "was cut off is won by nobody. With everything even it is 1 / players",
        "simultaneous",
        "%",
        "Goodman 1965; Wilson 1927",
        ("Win share, *", "Wins", "Owners win"),
    ),
    Term(
        "Mean place",
        "the average finishing place, 1 the best; players who tie share the mean of their places",
        "mean",
        "places",
        also=("Rank",),
    ),
    Term("Podium", "share of seats that finish first, second or third", "share", "%"),
    Term(
        "Number of observations",
        "how many games (or seats, rolls, visits: the heading says which) a row rests on",
        also=(
            "Games", "Races", "Seats", "Skiers", "Rolls", "Visits", "Choices", "Counted", "Acts", "Owners",
            "Runs", "Meetings",
        ),
    ),
    Term(
        "Verdict",
        "one of three answers. Shares: fair, every share is surely within the margin of even; not "
        "fair, one surely is not; not enough games, neither is sure. Differences: same, different, "
        "not enough games. 'No difference found' is never called fair",
        "fairness",
        source="Schuirmann 1987; Berger 1982; Lakens 2017",
        also=("State",),
    ),
)  # fmt: skip

LENGTHS = (
    Term(
        "Middle game, rounds",
        "the median: half of all games have fewer rounds",
        "median",
        "rounds",
        "Efron 1979, bootstrap of whole groups of blocks",
        ("Length",),
    ),
    Term("Mean, rounds", "the average number of rounds of a game", "mean", "rounds"),
    Term("8 in 10 games, rounds", "from the 10% to the 90% quantile of rounds", "median", "rounds"),
    Term("Turns", "turns of all players in a game", "mean", "turns"),
    Term(
        "Minutes",
        "playing time of a game, reckoned from turns or rounds with an assumed pace; the mean in "
        "tables, the middle game on the first screen",
        "mean",
        "minutes",
        also=("Playing time",),
    ),
    Term(
        "Cut off",
        "share of games that the limit of the rules stopped; they have no winner and are counted, "
        "never dropped",
        "share",
        "%",
        also=("Not finished",),
    ),
    Term(
        "Still going on",
        "share of games that last longer than so many rounds; cut games count as lasting at least "
        "so long",
        "survival",
        "%",
        "Kaplan & Meier 1958",
    ),
    Term("Games cut off", "the number of games that the limit of the rules stopped"),
    Term(
        "Most that any win share could change",
        "what a win share would gain had one side won all the games that were cut off",
        "bounds",
        "percentage points",
        "Manski 1990",
    ),
)

DECISIONS = (
    Term(
        "Decisions per game",
        "questions with two or more options, of all players",
        "mean",
        "questions",
        also=("Questions",),
    ),
    Term(
        "Decisions per turn",
        "questions with two or more options, divided by turns",
        "mean",
        "questions",
        also=("Decisions",),
    ),
    Term("Options per decision", "options of all questions, divided by questions", "mean"),
    Term("No choice", "decision points with one option only", "share", "%"),
)

TESTS = (
    Term(
        "p",
        "how often luck alone would make shares this uneven were they exactly even",
        "even",
        source="Rao & Scott 1981, 1984",
    ),
    Term(
        "q-value",
        "the rate of false discoveries at which one would claim that there is a difference: the "
        "p-value corrected over all tests of its family",
        "corrected",
        source="Benjamini & Hochberg 1995",
        also=("p, corrected", "Corrected p"),
    ),
    Term(
        "Size w",
        "how uneven the shares are: Cohen's w, 0.1 is small, 0.3 medium, 0.5 large",
        "even",
        source="Cohen 1988",
    ),
    Term(
        "Design effect",
        "variance of the shares against that of independent games; below 1 where seats are "
        "rotated on the same dice",
        "even",
        source="Rao & Scott 1981",
    ),
    Term(
        "95% interval",
        "were the run repeated with other dice, 95 of 100 such intervals would hold the true "
        "value. All intervals take their error from the spread between groups of whole blocks",
        "mean",
        source="Cameron, Gelbach & Miller 2008",
        also=("Interval", "95% interval of the change"),
    ),
)

EXPERIMENTS = (
    Term("Value of a measure", "its value under the rules of the column or row", "mean"),
    Term(
        "B − A",
        "what the change does: the measure in B less that in A, block by block on the same dice; "
        "pp are percentage points",
        "paired",
        source="Glasserman & Yao 1992",
        also=("Change", "Difference"),
    ),
    Term(
        "B − A, corrected",
        "the same less what stopping adds: a run that stops when it is decided stops while a "
        "difference looks large. The interval holds as it is",
        "stopping",
        source="Whitehead 1986",
    ),
    Term(
        "B − A, middle",
        "the change at which as many runs with this rule of stopping would show more than was seen "
        "as show less: too high as often as too low",
        "middle",
        source="Jennison & Turnbull 2000, ch. 8",
    ),
    Term(
        "Correlation",
        "how far both sides go up and down together on the same dice, from -1 to 1; with r the "
        "variance of a difference shrinks to 1 - r",
        "paired",
        source="Law 2015, ch. 11",
    ),
    Term(
        "Games saved",
        "how many more games a side independent runs would need for the same interval",
        "paired",
        "games",
    ),
    Term(
        "Measures that differ",
        "how many of the headline measures were shown to differ by more than the margin",
        "decisions",
        source="Benjamini & Hochberg 1995",
    ),
    Term(
        "From its lowest to its highest value",
        "the change of a measure between the ends of a key's range, the other keys spread evenly",
        "mean",
    ),
    Term(
        "Explained",
        "the part of the spread between points that planes through all keys account for",
    ),
    Term(
        "What a property does",
        "the change of a measure from the layout with the least to that with the most of a property, "
        "the other properties as they are",
        "plane",
        source="Draper & Smith 1998, ch. 5",
    ),
    Term(
        "Drawn to the mean",
        "the value drawn towards the mean of its row as far as the differences in the table are "
        "noise: the best of many looks better than it is, this one does not on average",
        "drawn",
        source="Efron & Morris 1975",
    ),
    Term(
        "Less luck",
        "the same share with luck of known mean taken out, as that of the shots; the same number on "
        "average, in a narrower interval",
        "control",
        source="Lavenberg & Welch 1981",
    ),
    Term(
        "Target",
        "the value of the key at which the curve, made monotone, passes the wanted value",
        "monotone",
        source="Barlow et al. 1972",
    ),
    Term(
        "Gain by tuning",
        "what a version of a strategy has more of the measure than the version that the search "
        "began from, at the same tables and on the same dice; as a verdict on fresh seeds only",
        "paired",
        source="Glasserman & Yao 1992",
        also=("Against the start",),
    ),
    Term("Versions", "sets of a strategy's numbers that ran a heat, the start among them"),
    Term("Games each", "games that every version of a heat played in it", unit="games"),
    Term(
        "Conclusions that change",
        "alternatives of assumed values and rulings that surely turn a conclusion round",
        "decisions",
    ),
)

ASSUMPTIONS = (
    Term(
        "Alternatives that need more games",
        "alternatives under which the report's verdict would be 'not enough games'",
    ),
)

LAYOUTS = (
    Term(
        "Best less worst seat, win share",
        "how far apart the best and the worst seat are; never below 0, so luck alone makes it "
        "positive",
        "mean",
    ),
    Term(
        "Best less worst style, win share",
        "how much it matters how one plays: win share of the best style less that of the worst",
        "mean",
    ),
    Term("Drama", "the game's first measure of drama, the mean over games", "mean"),
)

STANDINGS = (
    Term("Place", "the order of a table's rows, 1 the strongest"),
    Term(
        "Strength",
        "one number a style, from the finishing orders of all games: 400 points more are odds of "
        "ten to one of coming home next",
        "strength",
        "points",
        "Hunter 2004; Caron & Doucet 2012",
    ),
    Term(
        "Ahead of the average style",
        "how often a style of this strength finishes ahead of one of strength 0",
        "strength",
        "%",
    ),
    Term("Finishes ahead", "share of meetings in which a style finishes ahead of another", "share"),
    Term("By strength alone", "the same as their strengths would give", "strength", "%"),
    Term("Off by", "finishes ahead less what strengths alone would give", "", "percentage points"),
    Term(
        "Circulation",
        "sum of three log odds round a triangle of styles: 0 on a ladder, large where A beats B, "
        "B beats C and C beats A",
        "odds",
        source="Jiang, Lim, Yao & Ye 2011",
    ),
    Term(
        "Cyclic share",
        "the part of all differences between styles that no ladder can hold",
        "circles",
        "%",
        "Balduzzi et al. 2018",
    ),
    Term(
        "Steps of skill",
        "strength of the strongest less that of the weakest, in steps of 200 points: at each step "
        "the better finishes ahead in three meetings of four. What noise alone adds is taken off",
        "extent",
        "steps",
        "Lantz et al. 2017; Cauwet et al. 2015",
    ),
)

LADDER = (
    Term("Rung", "the number of a rung of a skill ladder by measured strength, 1 the weakest"),
    Term(
        "Points above the lowest",
        "strength of a rung of a skill ladder less that of the weakest one; 200 are a step of skill",
        "strength",
        "points",
        "Hunter 2004",
    ),
    Term(
        "Gap to the rung below",
        "strength of a rung less that of the next weaker one",
        "strength",
        "points",
    ),
    Term(
        "Ahead of the rung below",
        "how often a rung finishes ahead of the next weaker one when both sit at a table",
        "share",
        "%",
    ),
)

LUCK = (
    Term(
        "Share",
        "the part of all differences between outcomes that this cause makes; all causes add up to "
        "100 % (Shapley's value)",
        unit="%",
        source="Shapley 1953; Owen 2014",
    ),
    Term("Alone", "what the cause decides whatever the others do", unit="%", source="Sobol 1993"),
    Term(
        "At most",
        "what would still be open were only this cause unknown",
        unit="%",
        source="Homma & Saltelli 1996",
    ),
    Term(
        "Spread of deals, points",
        "how far the chance to win of one chair goes up or down from deal to deal, whoever sits "
        "there: a standard deviation, the luck of single games taken out",
        "deals",
        "percentage points",
        "Goodman, Perez-Liebana & Lucas 2025",
    ),
    Term(
        "Nine deals in ten, points",
        "the trimmed span: from the 5% to the 95% quantile of what deals are worth to a chair",
        "deals",
        "percentage points",
    ),
    Term(
        "Best less worst of 200 deals, points",
        "the span: how far the best and the worst of so many deals lie apart",
        "deals",
        "percentage points",
        also=("Best less worst of * deals, points",),
    ),
    Term(
        "Favoured by more than 10 points",
        "share of deals that raise a chair's chance to win by so much, whoever sits there",
        "deals",
        "%",
        also=("Favoured by more than * points",),
    ),
    Term(
        "Skill-luck index",
        "(skill - luck) / (skill + luck): 1 pure skill, 0 as much of both, -1 pure luck. Skill is the "
        "share of the styles, luck that of all chance; the seat counts for neither",
        source="Silver 2025, with shares of variance as leverages",
    ),
)

DRAMA = (
    Term(
        "Openness",
        "how open a game is: 100% when all are equally likely to win, 0% when it is decided. Entropy "
        "of the chances to win, divided by ln(players)",
        "mean",
        "%",
        "Shannon 1948",
    ),
    Term(
        "Calibration",
        "what the model of the chances foretold beside how often it happened, in games that it has "
        "not seen: dots on the lines are right",
        "mean",
        "%",
        "Gneiting & Raftery 2007",
    ),
)

ROLLOUTS = (
    Term(
        "Best to worst",
        "win share between the best and the worst option of a decision; picked on one half of the "
        "rollouts and valued on the other, so that picking adds nothing",
        "mean",
        "percentage points",
    ),
    Term(
        "Best to blind choice",
        "agency: win share between the best option and one taken blindly, the mean of all",
        "mean",
        "percentage points",
    ),
    Term(
        "Matter",
        "decisions whose best and worst option are truly further apart than what matters, the noise "
        "of the rollouts taken out",
        "share",
        "%",
    ),
    Term(
        "Games with one",
        "games in which a decision that was looked at is surely kingmaking",
        "share",
        "%",
    ),
    Term(
        "Lost a decision",
        "regret: win share between the best option and the one taken, the mean over decisions",
        "mean",
        "percentage points",
    ),
    Term(
        "Worth",
        "win share of an act against the best other act in the same positions",
        "mean",
        "percentage points",
    ),
    Term("Options", "answers that a question offered", "mean", "options"),
    Term("Positions", "decisions of which every option was played to the end"),
    Term(
        "All the same to oneself",
        "decisions in which no option is surely better or worse for the one who decides",
        "share",
        "%",
    ),
    Term(
        "Surely kingmaking",
        "decisions that are all the same to the decider and surely move another's win share",
        "share",
        "%",
    ),
    Term("Taken", "how often the act was chosen where it could be", "share", "%"),
    Term(
        "Worth when taken",
        "the same, in the positions where the strategy chose the act",
        "mean",
        "percentage points",
    ),
)

SCALE = (
    Term(
        "Against even",
        "win share over an even one: 1 is even, whatever the number of players; 1.2 wins a fifth more "
        "often than its part",
        "simultaneous",
        also=("Against even, *",),
    ),
)

BY_SKILL = (
    Term("Finding", "a headline number, or the verdict on the seats, among equals of one rung"),
    Term(
        "Findings that depend on skill",
        "findings that are surely others for a weaker rung of the ladder than for the strongest",
        "decisions",
    ),
    Term("Weak and strong play", "whether all rungs of the ladder agree on a finding", "decisions"),
)

COMPENSATION = (
    Term("Bonus", "what a seat would have to be given for all to win equally often", "bonuses"),
    Term("Whole bonus", "the same in whole numbers, with the least left over", "bonuses"),
    Term(
        "Win share with it",
        "win share that follows from the effects of the whole bonuses, added up",
        "bonuses",
        "%",
    ),
    Term(
        "Effect of a bonus",
        "win share with the bonus less that without it, in the same games",
        "paired",
        "percentage points",
    ),
)

SIZES = (
    Term("Size", "how large a change is usually called, whatever its unit"),
    Term("Odds ratio", "odds of B against the odds of A; 1: no change", "odds-ratio"),
    Term(
        "Cohen's h",
        "distance of two shares on the arcsine scale, where chance moves all shares alike",
        "arcsine",
        "",
        "Cohen 1988",
    ),
    Term(
        "Cliff's delta",
        "how much oftener a game of B has more of it than a game of A than less",
        "dominance",
        "",
        "Cliff 1993",
    ),
    Term(
        "Games to notice",
        "games after which one who keeps score would be sure of the change",
        "notice",
        "games",
    ),
)

SEARCHES = (
    Term(
        "Luck taken off",
        "what a result in a search stands for, seen that it is one of many that were tried",
        "shrunken",
        "",
        "Robbins 1956; Efron 2011",
    ),
)

MIX = (
    Term(
        "Weight in the mix",
        "how often to draw the style so that none finishes ahead of the mix more often than behind",
        "equilibrium",
        "%",
        "von Neumann 1928; Dantzig 1951",
    ),
    Term(
        "Time in use",
        "share of time that a style is played where everybody changes to what beats the table",
        "alpha-rank",
        "%",
        "Omidshafiei et al. 2019",
    ),
    Term(
        "Near the strongest",
        "whether the strongest style finishes ahead of it in at most 55 of 100 meetings",
        "near",
        "",
        "Lin et al. 2024",
    ),
    Term(
        "Not outclassed",
        "whether there is no other style that is better against every rival",
        "undominated",
        "",
        "Lin et al. 2024",
    ),
)

TERMS = (
    *RESULTS, *LENGTHS, *DECISIONS, *TESTS, *EXPERIMENTS, *ASSUMPTIONS, *LAYOUTS, *STANDINGS, *LADDER,
    *LUCK, *DRAMA, *ROLLOUTS, *SCALE, *BY_SKILL, *COMPENSATION, *SIZES, *SEARCHES, *MIX,
)  # fmt: skip
