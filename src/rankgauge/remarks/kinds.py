"""Every kind of remark in one table: its code, its severity, when it is made, and the next step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

Severity: TypeAlias = Literal["note", "caution", "severe"]


class Kind(NamedTuple):
    """How much a kind of remark matters, when it is made, and what to do about it."""

    severity: Severity
    when: str
    next_step: str


KINDS: Final[Mapping[str, Kind]] = {
    # What was computed
    "convention": Kind("note", "always: the convention of the numbers", "`convention=` chooses another"),
    "no-plain-means": Kind(
        "note",
        "the number of a measure over all queries is a sum, a geometric or a weighted mean, or of all queries",
        "",
    ),
    "relevance-level": Kind(
        "caution", "the relevance level has no effect on a measure", "give the measure a gain of its own"
    ),
    "depth": Kind("note", "only the first ranked items count", ""),
    "conventions": Kind("note", "a comparison of conventions says how many differ", ""),
    "not-proven": Kind(
        "caution",
        "a measure is not proven equal to the tool whose convention is used",
        "compare one value with the tool",
    ),
    "undefined": Kind(
        "caution",
        "the data has something for which a tool has no defined answer",
        "`rankgauge conventions NAME` says what",
    ),
    # Queries and items
    "queries": Kind("note", "always: how many queries were evaluated, judged and ranked", ""),
    "missing": Kind(
        "caution",
        "judged queries are not in the ranking",
        "missing=zero counts them as 0, missing=skip leaves them out",
    ),
    "dropped": Kind("note", "ranked items were removed before ranking, as the convention says", ""),
    "ignored": Kind("note", "queries of the ranking have no judgments", ""),
    "nothing-ranked": Kind("caution", "queries have an empty ranking", "check the step that made the ranking"),
    "nothing-relevant": Kind(
        "caution", "queries have no relevant item", "nothing_relevant=skip, zero or one says what they are worth"
    ),
    "ties": Kind(
        "caution", "scores are equal in the ranks that count", "give distinct scores, or choose a rule with ties="
    ),
    "merged-scores": Kind(
        "severe",
        "distinct scores are equal as the 64-bit floats that they are read as",
        "give whole numbers as integers of a DataFrame or an array, or subtract the lowest score",
    ),
    "rounded-scores": Kind(
        "caution",
        "distinct scores are equal as the 32-bit floats that the tool of the convention compares",
        "scale the scores, or choose a convention with precision=float64",
    ),
    "averaged-ties": Kind("note", "an explanation shows gains averaged over equal scores", ""),
    "short-lists": Kind(
        "caution", "a list is shorter than k and than the relevant items", "choose where the ideal ends with ideal="
    ),
    "unjudged": Kind(
        "caution",
        "ranked items have no judgment",
        "unjudged=drop removes them; residual(…) bounds what they may change",
    ),
    "few-queries": Kind("note", "there are too few queries for an interval", "evaluate more queries"),
    "hidden-ranks": Kind("note", "an explanation does not show all ranks", "to_dict() and to_json() have all of them"),
    "no-values": Kind(
        "note",
        "values per query do not fit into the memory that may be used",
        "give more with `memory=`, or evaluate some of the queries",
    ),
    # Outputs
    "formulas": Kind(
        "caution",
        "cells of a CSV file would be run as formulas by a spreadsheet",
        "--spreadsheet-safe puts an apostrophe before them",
    ),
    # Inputs
    "cases": Kind("note", "cases are known by their positions", ""),
    "groups": Kind("note", "how the groups of arrays were read", "`groups_are=` says it"),
    "one-query": Kind(
        "caution", "flat arrays come without groups", "`groups=` says where each query begins, or the query of each row"
    ),
    "one-item-queries": Kind(
        "severe",
        "arrays in two dimensions have one column",
        "a row is a query: reshape the arrays to one dimension, and give `groups=`",
    ),
    "absent": Kind("note", "places of arrays have no item", ""),
    "unscored": Kind(
        "caution",
        "places of arrays in two dimensions have the label 0 and the score NaN",
        "mark padding with `mask=`; a model that predicts NaN is broken",
    ),
    "lowest-scores": Kind(
        "caution", "scores of arrays are -inf", "`mask=np.isneginf(scores)` leaves such items out instead"
    ),
    "grades": Kind(
        "caution",
        "a table of judgments has no column of grades",
        "name it: columns={'grade': …} or --columns-judgments",
    ),
    "order": Kind(
        "caution",
        "a table of rankings has no column of scores or ranks",
        "name it: columns={'score': …} or --columns-ranking",
    ),
    # Graders
    "price": Kind("note", "where prices are graded: which columns hold them", ""),
    "return": Kind("note", "where stocks are graded: over how many rows a return goes, or which column holds it", ""),
    "excess": Kind("note", "what is subtracted from a known return", ""),
    "grade": Kind("note", "how a grade is made", ""),
    "universe": Kind("note", "always where stocks are graded: how many stocks and dates there are", ""),
    "index-like": Kind(
        "caution", "tickers look like an index or a fund", "leave them out: ignore=, or benchmark= for one of them"
    ),
    "large-returns": Kind("caution", "returns are above 300%", "check the prices of that stock"),
    "implausible-returns": Kind(
        "severe",
        "a return is above 1,000%",
        "check the prices of that stock: a price may lack its split or be mistyped",
    ),
    "splits": Kind(
        "caution",
        "a price is near a whole multiple or fraction of the one before, as after a split",
        "use prices that are adjusted for splits",
    ),
    "filled-prices": Kind(
        "caution",
        "the price of a stock stays the same until its last date, as if it were filled forward",
        "leave out the prices after the last trade; then `stopped=` says what happens to the stock",
    ),
    "percents": Kind(
        "severe",
        "returns may be percents that are read as fractions",
        "divide them by 100, or call the column return(%)",
    ),
    "gaps": Kind("note", "graded returns span dates without a price of the stock", "gaps=drop leaves them out"),
    "stopped": Kind("note", "graded returns end at the last price of a stock that stopped trading", ""),
    "refused": Kind("note", "dates have no grades", "the audit lists them: audit.refused"),
    "action": Kind("note", "the grade of an action, and how many rows have it", ""),
    "combine": Kind("note", "how several actions on an item become one grade", ""),
    "decay": Kind("note", "grades halve with age", ""),
    "merged-rows": Kind(
        "note",
        "rows of one item have different positions or propensities, of which one is kept",
        "keep one row of each item, or one item per impression, where that matters",
    ),
    "weight": Kind("note", "grades are multiplied by a column", ""),
    "ratings": Kind("note", "the range and the mean of ratings", ""),
    "graded": Kind("note", "how many queries or users have grades, and how many have nothing above 0", ""),
    "many-grades": Kind("note", "there are too many grades to count each", ""),
    "negative-grades": Kind(
        "caution",
        "grades of `rankgauge grade` or `rg.grading` are below 0",
        "negative=keep in a convention counts them as they are",
    ),
    "one-rating": Kind("note", "users have a single rating, which is their mean", ""),
    "unlisted": Kind("note", "items that are not in the table have no grade", ""),
    "held-out": Kind("note", "which interactions are held out", ""),
    "users": Kind("note", "how many users have a truth", ""),
    "cold-users": Kind(
        "caution", "users have a truth and no training", "a model that learns from users alone cannot rank for them"
    ),
    "cold-items": Kind(
        "caution", "the truth has items that training lacks", "a model that learns from items alone cannot rank them"
    ),
    "candidates": Kind("note", "how many candidates were drawn", ""),
    "few-candidates": Kind("caution", "users have fewer candidates than were asked for", "draw fewer"),
    "sampled": Kind("caution", "candidates are a sample of the items", "rank all items where you can"),
    "seen": Kind("note", "how many ranked items were seen in training", ""),
    "truth": Kind("note", "every user of the truth is in the ranking", ""),
    "not-ranked": Kind("caution", "users of the truth are not in the ranking", "check the ids of the users"),
    # Tables and files
    "columns": Kind(
        "note", "columns of a table were chosen by their names", "columns={'query': …} or --columns-judgments says it"
    ),
    "no-header": Kind(
        "caution",
        "a text without a header is known by its values: a run of MS MARCO, ratings of MovieLens",
        "name all columns in their order: --columns-ranking query,item,rank",
    ),
    "header": Kind(
        "note",
        "all columns of a text are named by a list, and its first line looks like a header",
        "if it is a row, write a header before it",
    ),
    "first-line": Kind(
        "caution",
        "all columns of a text are named by a list, and its first line may be a header",
        "if it is one, name columns by role: columns={'query': …} or --columns-judgments query=…",
    ),
    "other-columns": Kind(
        "caution",
        "a table has several columns for one role",
        "name the one that is meant: columns={'query': …} or --columns-judgments",
    ),
    "grades-as-scores": Kind(
        "caution",
        "the only number of a ranking is called like a grade",
        "name it: columns={'score': …} or --columns-ranking",
    ),
    "number-as-score": Kind(
        "caution",
        "the only number of a ranking has a name that is not known",
        "name it: columns={'score': …} or {'rank': …}, or --columns-ranking",
    ),
    "scores-as-grades": Kind(
        "caution", "judgments have scores or ranks and no grades", "name them: columns={'grade': …}"
    ),
    "unused-numbers": Kind(
        "caution",
        "judgments have no column of grades, and a column of numbers that was not used",
        "name it: columns={'grade': …} or --columns-judgments",
    ),
    "ranks-and-scores": Kind(
        "caution",
        "ranks are not in the order of the scores",
        "items are ranked by score; columns={'rank': …} ranks them by rank",
    ),
    "reversed-scores": Kind(
        "severe",
        "in most queries the best rank has the lowest score",
        "items are ranked by score, highest first: give the negative of distances, or rank by rank: "
        "columns={'rank': …}",
    ),
    "subtopics": Kind(
        "caution",
        "judgments are by subtopic, and a measure asks for one grade of an item",
        "alpha_ndcg and other measures of diversity take the subtopics",
    ),
    "fractional-grades": Kind(
        "caution",
        "grades have fractions, and the tool of the convention takes whole numbers",
        "round the grades to compare with the tool",
    ),
    "swapped": Kind(
        "severe",
        "judgments look like a ranking and the ranking like judgments",
        "judgments come first and the ranking second: are the two swapped?",
    ),
    "shared-column": Kind(
        "severe",
        "one table is both sides, and the same column of it is the grade and the score",
        "name the two: columns={'grade': …, 'score': …}, or --columns-judgments grade=… and --columns-ranking score=…",
    ),
    "no-common-item": Kind(
        "severe",
        "no ranked item is judged, in any query or in most, at whatever rank",
        "compare the ids of the items: they are compared as text",
    ),
    "few-common-items": Kind(
        "caution", "no ranked item is judged in most queries", "compare the ids of the items: they are compared as text"
    ),
    "views": Kind(
        "caution",
        "a log has views but no clicks, so that a view counts as a visit",
        "give grades= of your own",
    ),
    # Comparisons
    "comparisons": Kind("note", "always in a comparison: how many were made, with which test and correction", ""),
    "marks": Kind("note", "what the marks in the table of a comparison mean", ""),
    "uneven-judgments": Kind(
        "caution",
        "one of the compared runs has many more unjudged items than another",
        "judge the first items of every run, or compare judged items alone with unjudged=drop",
    ),
    "lacking-queries": Kind(
        "severe", "a run lacks queries that another run has", "run it on all queries, or compare with missing=skip"
    ),
    "common-queries": Kind(
        "caution", "only the queries that all runs have are compared", "run all runs on all queries"
    ),
    "many-queries": Kind(
        "note",
        "a cluster has more queries than are compared one by one",
        "engine=native brings them here, if they fit",
    ),
    "test-of-ranks": Kind(
        "caution", "a test of ranks or signs was asked for", "prefer randomisation: docs/calibration.md has the errors"
    ),
    # Segments
    "segments": Kind("note", "always by segment: how many segments there are, of how many queries", ""),
    "comparisons-by-segment": Kind(
        "note", "always in a comparison by segment: how many tests were made, and their correction", ""
    ),
    "small-segments": Kind("caution", "a segment has few queries", "join small segments, or evaluate more queries"),
    "no-segment": Kind("caution", "queries have no segment", "give them one: they are shown as –"),
    "empty-segments": Kind("caution", "a segment has no evaluated query", "check the ids of its queries"),
    "not-by-segment": Kind("note", "a measure is of all queries together, and has no value of a segment", ""),
    # Human and machine labels
    "human-sample": Kind(
        "note",
        "always with human and machine labels: on what condition the numbers hold",
        "draw the queries that people label at random",
    ),
    "machine-worth": Kind(
        "note",
        "always with human and machine labels: how much the machine helped, and what would halve the interval",
        "label more queries",
    ),
    "human-only": Kind(
        "caution", "queries with human labels have no machine labels", "let the machine label all queries"
    ),
    "unlike-sample": Kind(
        "caution",
        "the queries with human labels do not look like a random sample",
        "draw the queries that people label at random",
    ),
    "combined-differences": Kind(
        "note", "always in a comparison with human and machine labels: what the differences are", ""
    ),
    # Studies of stocks
    "chance": Kind("note", "always in a study: what a random order is worth", ""),
    "errors": Kind("note", "how t, p and intervals account for returns that overlap", ""),
    "tries": Kind("note", "several models were tried: what the best of them owes to luck", "`tried=` says how many"),
    "few-dates": Kind(
        "caution", "there are too few dates for t, p and intervals", "take more dates, or a shorter horizon"
    ),
    "overlap": Kind(
        "caution",
        "grades of neighbouring dates share returns, which intervals over queries ignore",
        "rg.stocks.study has intervals for it",
    ),
    "neutral": Kind("note", "scores and returns are less the mean of their date and group", ""),
    "utc-sessions": Kind(
        "caution",
        "prices have times in UTC, whose date may not be that of the exchange",
        "name the time zone of the exchange: close='16:00 America/New_York'",
    ),
    "leak": Kind(
        "severe",
        "scores order stocks by their returns better than any model can",
        "check that no score was made from prices after its date, and that its sign is right",
    ),
    "date": Kind("note", "a study is of one date", ""),
    "dates": Kind("note", "which dates two studies share", ""),
    "stocks": Kind("note", "not all stocks of a date are shown", ""),
    "scores": Kind("note", "always in a study: how many scores were read, and why some were left out", ""),
    "ranks": Kind("note", "a study was given ranks instead of scores", ""),
    "horizon": Kind("note", "a study was given returns instead of prices", "`horizon=` says how many dates they span"),
    "no-return": Kind("note", "stocks with a score have no graded return", ""),
    "no-grades": Kind("note", "dates with scores have no graded returns", ""),
    "no-scores": Kind("caution", "dates with graded returns have no scores", "check the dates of the scores"),
}
