"""Every error that rankgauge raises: its code, its wording and its hint, in one table.

>>> raise RankgaugeError("bad-cutoff", got=0)
Traceback (most recent call last):
    ...
rankgauge.errors.RankgaugeError: expected a cutoff k from 1 to 2,147,483,647, got 0. Hint: write ndcg@10, or ...
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple


class Problem(NamedTuple):
    """What went wrong (`expected …, got …`) and what to do about it."""

    text: str
    hint: str


PROBLEMS: Final[Mapping[str, Problem]] = {
    # Requests
    "unknown-measure": Problem(
        "expected a measure ({known}), got {got!r}",
        "{nearest}a measure is a name with an optional cutoff, such as ndcg@10 or ndcg(gain=exp2)@10",
    ),
    "bad-cutoff": Problem(
        "expected a cutoff k from 1 to 2,147,483,647, got {got}", "write ndcg@10, or ndcg for no cutoff"
    ),
    "no-cutoff": Problem("expected {measure} without a cutoff, got {measure}@{got}", "it looks at the whole ranking"),
    "not-explained": Problem(
        "expected a measure of gains ({known}), got {got}", "what counts relevant items has no gain by rank to show"
    ),
    "bad-notation": Problem(
        "expected the form {form}, got {got!r}", "parentheses must close and each parameter is name=value"
    ),
    "no-measure": Problem("expected at least one measure, got none", "for example ndcg@10"),
    "no-mean": Problem(
        "expected a measure with a mean, got {got}, which is a text of each query", "ask result.per_query for it"
    ),
    "judged-only": Problem(
        "expected judged_only=True of all measures of a request, got it beside {got}",
        "ask for them in a request of their own, or leave out unjudged items of all measures with unjudged=drop",
    ),
    "several-measures": Problem(
        "expected one measure, got {got!r}, which are {count}", "give them in a list, or name one of them"
    ),
    "repeated-parameter": Problem("expected each parameter once, got {got!r} twice", "remove one of them"),
    "unknown-parameter": Problem(
        "expected a parameter of {owner} ({known}), got {got!r}", "{nearest}for example {example}"
    ),
    "unknown-convention": Problem(
        "expected a convention, got {got!r}", "{nearest}`rankgauge conventions` lists all {count}"
    ),
    "too-many-arguments": Problem("expected {expected}, got {got}", "see `rankgauge conventions --help`"),
    "no-data": Problem(
        "expected the files JUDGMENTS and RANKING for {switch}, got none",
        "for example `rankgauge conventions qrels.txt run.txt {switch} …`",
    ),
    "unknown-choice": Problem("expected {field} to be one of {known}, got {got!r}", "{nearest}{question}"),
    "bad-number": Problem("expected {field} to be {expected}, got {got!r}", "{hint}"),
    "unknown-keyword": Problem("expected a keyword of {function}, got {got}=", "{hint}"),
    # Evaluations
    "bad-bytes": Problem(
        "expected the bytes of {noun}, got {got}",
        "use what to_bytes returned, or a whole pickle, with the version of rankgauge that wrote it",
    ),
    "same-query": Problem(
        "expected evaluations of different queries, got {got} in two of them",
        "a query must be evaluated whole, in one part",
    ),
    "other-request": Problem(
        "expected evaluations of the request '{expected}', got one of '{got}'", "evaluate all parts with one plan"
    ),
    "no-light-form": Problem(
        "expected measures that are numbers, got '{got}', which has texts", "texts have no sums; leave relstring out"
    ),
    "no-queries": Problem(
        "expected an evaluation with values per query, got a light one",
        "keep the evaluation instead of its light form; those of a cluster are in result.per_query_frame",
    ),
    "no-frame": Problem(
        "expected a result that a cluster computed, got one of this machine", "its values are in result.per_query"
    ),
    "not-on-cluster": Problem(
        "expected {expected} on a cluster, got {got}", "evaluate on this machine with engine='native', or change it"
    ),
    "no-row-order": Problem(
        "expected order='column' on a cluster, whose rows have no order, and {got}",
        "name the column that the rows are in the order of, or use a convention that needs none, such as trec_eval",
    ),
    "only-on-cluster": Problem(
        "expected {got} with DataFrames of Spark and engine='spark' only", "leave it out; rows here have their order"
    ),
    # Data
    "unknown-judgments": Problem(
        "expected judgments as a path, a mapping of query to {{item: grade}}, a DataFrame, or rg.Judgments, got {got}",
        "for example {{'q1': {{'doc1': 2, 'doc2': 0}}}}",
    ),
    "unknown-ranking": Problem(
        "expected a ranking as a path, a mapping of query to {{item: score}} or to an ordered list, a DataFrame, "
        "or rg.Ranking, got {got}",
        "for example {{'q1': ['doc3', 'doc1']}}",
    ),
    "no-ranking": Problem(
        "expected a ranking beside the judgments, got {got} alone",
        "alone go a list of grades in ranked order, and cases that hold both: "
        "[{{'truth': {{'A': 1}}, 'recommendations': ['B', 'A']}}]",
    ),
    "which-is-truth": Problem(
        "expected one list of items in ranked order and one truth, {{item: grade}} or a set of items, got {got}",
        "give relevant items as a set; labels and scores side by side are for rg.evaluate_arrays; mappings of queries "
        "are "
        "{{'q1': {{'A': 1}}}} and {{'q1': ['B', 'A']}}",
    ),
    "one-sided-cases": Problem(
        "expected cases on both sides, a list of truths and a list of recommendations, got {got}",
        "give both as lists, or both by query: {{'q1': {{'A': 1}}}} and {{'q1': ['B', 'A']}}",
    ),
    "cases-differ": Problem(
        "expected as many recommendations as truths, got {truths} truths and {ranked} recommendations",
        "the first truth belongs to the first recommendations; give [] where nothing is recommended",
    ),
    "swapped-cases": Problem(
        "expected truths first and recommendations second, got lists first and dicts second, which could be either",
        "where the dicts are truths, swap the two; where they are scores, give the relevant items as sets",
    ),
    "unknown-case": Problem(
        "expected a truth ({truth}, …) and recommendations ({ranked}, …) in each case, got {got}",
        "rename the keys, or give the truths and the recommendations as two lists",
    ),
    "mixed-cases": Problem(
        "expected a list or a dict for each case, got {got}",
        "one list of items goes beside one {{item: grade}}; of topk give the indices alone",
    ),
    "not-ids": Problem(
        "expected the ids of items in each row, got {got}",
        "of topk give the indices; labels and scores at the same places are for rg.evaluate_arrays",
    ),
    "rows-or-cases": Problem(
        "expected rows with a query and an item, or cases of {{item: grade}}, got dicts with {got}, which could be "
        "either",
        "of rows, name the columns: columns={{'query': …, 'item': …}}; of cases, give {{0: {{…}}, 1: {{…}}}}",
    ),
    "bad-propensity": Problem(
        "expected a propensity above 0 and at most 1, or a position that is a whole number of at least 1, got {got}",
        "a click on what could not be seen has no weight; remove such rows, and give every position a propensity",
    ),
    "bad-subtopics": Problem(
        "expected {{item: {{subtopic: grade}}}} or {{item: [subtopic, …]}} for a query, got {got}",
        "for example {{'q1': {{'doc1': {{'price': 1, 'speed': 0}}, 'doc2': ['speed']}}}}",
    ),
    "no-annotation": Problem("expected judgments with a {expected} beside each grade, got {got}", "{hint}"),
    "no-ids": Problem(
        "expected measures that need no ids for arrays, got {got}",
        "coverage asks which items are the same; give mappings, files or DataFrames with ids to rg.evaluate",
    ),
    "two-annotations": Problem(
        "expected measures that need subtopics or propensities, got both kinds", "evaluate them one after the other"
    ),
    "bad-query-rows": Problem(
        "expected {expected} for a query, got {got}", "for example {{'q1': {{'doc1': 2.0, 'doc2': 0.5}}}}"
    ),
    "bad-id": Problem(
        "expected {noun} ids to be text in UTF-8, whole numbers or dates, got {got}", "convert the ids with str()"
    ),
    "bad-value": Problem(
        "expected a finite number as {noun}, got {got}",
        "remove the row, or give it a number; what is to be ranked last needs a score below all others, not -inf",
    ),
    "duplicate-item": Problem(
        "expected each item once per query in the {side}, got it {times}",
        "remove the duplicates, or keep one with a convention such as trec_eval(duplicates=first); "
        "grades by subtopic are read for measures such as alpha_ndcg",
    ),
    "duplicate-query": Problem(
        "expected each query once, got it twice", "ids are compared as text: 7, '7' and b'7' are the same id"
    ),
    "no-common-query": Problem(
        "expected at least one query that is both judged and ranked, got {judged} judged and {ranked} ranked",
        "compare the query ids: judgments have {judged_example}, the ranking has {ranked_example}{near}",
    ),
    "no-rows": Problem("expected at least one judged query, got none", "check that the judgments are not empty"),
    "which-query": Problem("expected a query to explain, got none of {count}", "choose one: --query {example}"),
    "unknown-query": Problem("expected a query of the {side}, got {got!r}", "{nearest}query ids are compared as text"),
    "trec-measure": Problem(
        "expected a measure of trec_eval, got {got!r}",
        "{nearest}one measure for each -m; `rankgauge evaluate` takes other names too",
    ),
    "trec-preferences": Problem(
        "expected a measure of qrels, got {got!r}, which is one of preferences or of groups of judgments",
        "rankgauge does not have these; use trec_eval for them",
    ),
    "trec-switch": Problem("expected {expected}, got {got}", "{hint}"),
    "query-called-all": Problem(
        "expected no query called 'all', got one: its lines could not be told from those of all queries",
        "rename the query, or choose another --format",
    ),
    "missing-query": Problem(
        "expected every judged query in the ranking, got no row for this one",
        "missing=skip leaves it out of the mean, missing=zero counts it as 0",
    ),
    "nothing-relevant": Problem(
        "expected a judged item with a positive gain, got none",
        "nothing_relevant=zero, one, nan or skip says what such a query is worth",
    ),
    "unjudged-item": Problem(
        "expected a judgment for every ranked item, got none",
        "unjudged=zero gives it no gain, unjudged=drop removes it before ranking",
    ),
    "negative-grade": Problem(
        "expected grades of at least 0, got {got}", "negative=zero or keep says what a negative grade is worth"
    ),
    "grade-not-in-table": Problem(
        "expected a grade that the gain has a value for, got {got}",
        "add it to the table, as in gain=table(0=0,1=1,2=3), or raise the highest grade, as in gain=share(5)",
    ),
    "overflow": Problem(
        "expected gains whose sum is a finite number, got an overflow at {got}",
        "use smaller grades, or linear gain instead of exp2",
    ),
    "severe-remark": Problem("expected data without a severe remark (strict), got {got}", "{hint}"),
    # Comparisons
    "few-runs": Problem(
        "expected at least two runs to compare, got {got}",
        "give a mapping of name to ranking, several files, a folder, or a table with a column 'run'",
    ),
    "unknown-runs": Problem(
        "expected runs as a mapping of name to ranking, files, a folder, or a table with a column 'run', got {got}",
        "for example {{'bm25': run1, 'dense': run2}}",
    ),
    "no-run-column": Problem("expected a column of runs ({known}), got {got}", "rename the column to run"),
    "same-run": Problem("expected different runs, got {got!r} twice", "remove one of them"),
    "unknown-run": Problem("expected a run ({known}), got {got!r}", "{nearest}runs of files are called by their names"),
    "no-shared-query": Problem(
        "expected a query that all runs have ({runs}), got none", "leave missing=skip out, or compare other runs"
    ),
    "not-compared": Problem(
        "expected a measure that is a mean over queries, got {got}",
        "compare one with a value per query, such as map instead of gm_map",
    ),
    "no-interval": Problem(
        "expected an interval of {got} to compare with the threshold, got none: fewer than 5 queries count",
        "evaluate more queries, or look at the number alone with --gate point",
    ),
    "other-measures": Problem(
        "expected results of the same request, got '{got}' beside '{expected}'",
        "evaluate both with the same measures and convention",
    ),
    # Segments
    "no-query-column": Problem(
        "expected a column of {noun} ({known}, …) beside the segments, got {got}", "rename it to {role}"
    ),
    "no-segment-column": Problem(
        "expected one column of segments beside the queries, got {got}",
        "{nearest}name it: (table, 'device') in Python, segments.csv:device on the command line",
    ),
    "two-segments": Problem(
        "expected one segment for each {noun}, got {got}", "give the {noun} one of them, or a segment of its own"
    ),
    "no-common-segment": Problem(
        "expected segments of the evaluated {noun}, such as {queries}, got segments of {got}",
        "ids are compared as text; compare the ids of the {noun}",
    ),
    "unknown-segment": Problem("expected a segment ({known}), got {got!r}", "{nearest}segments are compared as text"),
    # Human and machine labels
    "few-human-labels": Problem(
        "expected human labels for at least {least} of the queries with machine labels, got them for {got}",
        "label more queries, drawn at random: from fewer, the error of the machine is not known well enough",
    ),
    "not-combined": Problem(
        "expected measures that are means over queries, for human and machine labels, got {got}",
        "evaluate it by either labels alone",
    ),
    "combined-alone": Problem(
        "expected a result of one kind of labels for {got}, got one of human and machine labels",
        "take result.machine or result.human; rg.compare takes human= itself",
    ),
    # Tables and arrays
    "missing-column": Problem(
        "expected a column {wanted}, got {got}",
        "{nearest}say which it is: columns={{'{role}': …}} in Python, --columns-{side} on the command line",
    ),
    "ambiguous-column": Problem(
        "expected one column for {role}, got {got}",
        "say which it is: columns={{'{role}': {example!r}}} in Python, --columns-{side} on the command line",
    ),
    "ambiguous-score": Problem(
        "expected a column called score or rank in the ranking, got {got}",
        "say which it is: columns={{'score': {example!r}}}, or {{'rank': {example!r}}} where the lowest is best; "
        "--columns-ranking score=… on the command line; a table of query and item alone is in the order of its rows",
    ),
    "no-header": Problem(
        "expected a header with the names of the columns, got none",
        "name all in their order: columns_{side}={names} in Python, --columns-{side} {written} on the command line"
        "{instead}",
    ),
    "columns-without-roles": Problem(
        "expected columns by role, as in {{'query': 'user'}}, got the list {got}",
        "a list names the columns of a text that has no header",
    ),
    "null-value": Problem("expected a value in every row, got none", "remove the rows without one, or fill them"),
    "bad-column": Problem("expected {expected}, got values of type {got}", "convert the column, or name another"),
    "bad-lists": Problem(
        "expected as many values as items in each row, got {got}", "one value belongs to one item of the list"
    ),
    "unknown-table": Problem("expected the name of a table ({known}), got {got}", "{nearest}write {file}::table"),
    "reads-elsewhere": Problem(
        "expected a table, or a view of tables in its file, got a view that reads {got}",
        "copy its rows into a table of the file, or open the database yourself and give the relation or a DataFrame",
    ),
    "too-much-unpacked": Problem(
        "expected a file that unpacks to at most {limit} bytes, got more",
        "it may be corrupt or a bomb; if it is right, set the environment variable RANKGAUGE_MAX_UNPACKED, such as 20G",
    ),
    "unreadable-table": Problem("expected a table, got: {got}", "check the step that made it"),
    "bad-array": Problem("expected {noun} as an array of numbers, got {got}", "{hint}"),
    "bad-shape": Problem("expected {expected}, got {got}", "{hint}"),
    "infinite-value": Problem(
        "expected a finite number as {noun}, got {got}",
        "mask= leaves a place out; as a score, -inf ranks an item last",
    ),
    "no-score": Problem(
        "expected a score for an item with the label {label}, got NaN",
        "if there is no item, say so with mask=, or with NaN in the labels; in two dimensions NaN for a score is "
        "padding beside a label of 0 alone",
    ),
    "no-score-at-all": Problem(
        "expected a finite score for some item, got {got} for all",
        "a model that predicts this has no ranking to measure; mask= leaves places without an item out",
    ),
    "bad-groups": Problem(
        "expected groups as sizes that add up to {rows}, boundaries from 0 to {rows}, or {rows} query ids, got {got}",
        "for example groups=[3, 2] for five rows: the first three are one query, the next two another; groups_are= "
        "says which of the three they are",
    ),
    # Raw signals
    "unknown-table-kind": Problem(
        "expected {table} as a DataFrame of pandas, Polars, DuckDB or Spark, an Arrow table, or a path, got {got}",
        "for example polars.read_csv('{table}.csv')",
    ),
    "not-a-table": Problem(
        "expected a table with a header (CSV, TSV, JSON, Parquet, Arrow or a database), got {got}",
        "write it as one of these, or read it yourself and give the DataFrame",
    ),
    "same-columns": Problem(
        "expected columns with different names, whatever their case, got {got}", "rename or remove one of them"
    ),
    "no-such-column": Problem(
        "expected the name of a column for {option}, got {got!r}, and the columns {known}",
        "{nearest}prices of a benchmark stand in a column of their own, beside those of the stocks",
    ),
    "not-stocks": Problem(
        "expected a stock in every column of a wide table, got {got}",
        "leave them out: ignore={names} in Python, --ignore {first} on the command line; a benchmark is named with "
        "benchmark=; stocks of such prices go into a long table with date, ticker and close",
    ),
    "no-such-ticker": Problem(
        "expected a column or a ticker for ignore, got {got!r}", "{nearest}tickers are compared as text"
    ),
    "bad-price": Problem(
        "expected a price above 0 and finite, got {got}",
        "correct it, or remove the row: a return from such a price means nothing",
    ),
    "bad-return": Problem(
        "expected a finite return such as 0.12 or +12%, got {got}",
        "correct the cell, or leave it empty: a stock without a return has no grade",
    ),
    "mixed-percents": Problem(
        "expected a percent sign in every cell of the column or in none, got {got}",
        "write all of them in one way: 12% is 0.12",
    ),
    "bad-rank": Problem(
        "expected a rank of at least 1, such as 1, #1, 1등 or 1위, got {got}",
        "1 is the best; where the highest is the best, call the column score",
    ),
    "needs-prices": Problem(
        "expected prices for {option}={got}, got the returns in the column {column!r}",
        "leave {option} out, or give prices: a return that is known cannot be made anew",
    ),
    "dates-on-one-side": Problem(
        "expected dates in both tables or in neither, got them in the {side} alone",
        "add them to the {other}, or say which column they are: columns_{other}={{'date': …}} in Python, "
        "--columns-{other} date=… on the command line",
    ),
    "duplicate-row": Problem(
        "expected {expected} once, got {got}", "remove the duplicates: which of the rows is right cannot be known"
    ),
    "bad-date": Problem(
        "expected dates as dates, numbers such as 20260102 or texts such as 2026-01-02, got {got!r}",
        "write 2026-01-02 or 2026-01-02 15:00:00, or convert the column: texts in another form do not sort by time",
    ),
    "no-grades-at-all": Problem("expected a date with grades, got none from {got}", "no row could be graded: {why}"),
    "no-common-stock": Problem(
        "expected scores of dates and stocks that have graded returns ({date} to {last}, {ticker}, …), got {got}",
        "{why}",
    ),
    "scores-lost": Problem(
        "expected a price for the date and the stock of the scores, but for {share} of them at most, got {got}",
        "{why}; max_loss=1 in Python, --max-loss 1 on the command line, leaves out as many as there are",
    ),
    "which-session": Problem(
        "expected times in the time zone of the exchange, got a score of {got}, in UTC, beside prices with dates alone",
        "say it with the time of the close: close='16:00 America/New_York' in Python, --close on the command line",
    ),
    "different-studies": Problem(
        "expected two studies of the same kind, got {field} {got}", "study both models with the same options"
    ),
    "no-segments-of-dates": Problem(
        "expected a comparison of runs, got one of stock models",
        "dates of a segment lie apart, so their dependence is another; study.by_year() and by_market() split a study",
    ),
    "look-ahead": Problem("expected {expected}, got {got}", "{hint}"),
    "unknown-action": Problem(
        "expected an action that has a grade ({known}), got {got!r}",
        "{nearest}give every action a grade: grades={{{got!r}: 1, …}} in Python, --grade {got}=1 on the command line",
    ),
    "needs-column": Problem(
        "expected a column for {role} ({known}, …), which {what} needs, got none",
        "say which it is: columns={{'{role}': …}} in Python, --columns-{side} on the command line{instead}",
    ),
    # Files
    "bad-format": Problem(
        "expected the content that {suffix} promises, got a file that begins with {got}",
        "it may be an incomplete download or a Git LFS pointer; a text file needs another name, such as run.csv",
    ),
    "duplicate-key": Problem("expected each key once in an object, got {got!r} twice", "remove one of them"),
    "one-stream": Problem("expected standard input for one side, got it for both", "write one of them to a file"),
    "score-count": Problem(
        "expected a score for each of the {rows} judged rows, got {got}", "a line has one score, in the same order"
    ),
    "scores-alone": Problem(
        "expected queries and items beside the scores, got scores alone",
        "give the judgments whose rows they are for: rg.read_ranking(path, judgments=judgments)",
    ),
    "swapped-sides": Problem(
        "expected {expected}, got {got}",
        "judgments come first and the ranking second: rg.evaluate(judgments, ranking), rankgauge evaluate JUDGMENTS "
        "RANKING; are the two swapped?",
    ),
    "no-query": Problem(
        "expected qid:… behind each label, got features without a query",
        "LightGBM keeps the sizes of the queries in a file of its own, named *.query: write qid:… into the rows, or "
        "give labels, scores and these sizes to rg.evaluate_arrays(labels, scores, groups=sizes)",
    ),
    "no-scores": Problem("expected scores, got a LETOR file, which has labels", "give the file of predicted scores"),
    "no-grades": Problem(
        "expected grades of items, got one number per line", "give the labels; the scores come second"
    ),
    "file-not-found": Problem("expected a file, got nothing of that name", "check the path"),
    "is-directory": Problem("expected a file, got a directory", "give the file inside it"),
    "bad-texts": Problem(
        "expected lines of id, tab and text, or JSON objects with an id ({known}), got {got!r}",
        'such as q1<tab>running shoes, or {{"_id": "d1", "text": "…"}}',
    ),
    "unreadable-file": Problem("expected a readable file, got: {got}", "check the permissions"),
    "file-changed": Problem(
        "expected a file that stays as it is while it is read, got one that became shorter",
        "wait until the step that writes it is done, or read a copy",
    ),
    "empty-file": Problem("expected rows of {columns}, got an empty file", "check the step that wrote it"),
    "bad-columns": Problem("expected {columns}, got {got}", "{hint}"),
    "bare-return": Problem(
        "expected lines that end in a newline, got a carriage return inside one",
        "programs disagree on whether a line ends there; convert the file: tr '\\r' '\\n' < old > new",
    ),
    "line-too-long": Problem(
        "expected lines of at most {most:,} bytes in a text with quotes, got one of {got:,}",
        "check that every quote is closed; a text without quotes, or Parquet, has no such limit",
    ),
    "bad-utf8": Problem("expected UTF-8, got the byte {got}", "convert the file: iconv -f latin1 -t utf-8"),
    "bad-gzip": Problem("expected a complete gzip file, got: {got}", "it may be truncated: copy or download it again"),
    "unwritable-file": Problem(
        "expected to write the output, got: {got}", "check the folder, its permissions and the space on the disk"
    ),
    "output-is-input": Problem(
        "expected a file that is not an input to write to, got the input {got!r}", "give another name after -o"
    ),
    "not-trec": Problem(
        "expected query ids of one printable word each in the format trec, got {got!r}",
        "use --format csv or json, or leave out --per-query",
    ),
    # The command line
    "unknown-command": Problem(
        "expected a command ({known}), got {got!r}", "{nearest}`rankgauge --help` describes them"
    ),
    "usage": Problem("{got}", "{hint}"),
    "internal": Problem("unexpected {got}", "this is a bug: run again with RANKGAUGE_DEBUG=1 and report the traceback"),
}


class RankgaugeError(ValueError):
    """A request or data that rankgauge cannot take: `code`, `place`, and a message with a hint.

    >>> error = RankgaugeError("bad-value", place="run.txt:17", noun="score", got="'nan'")
    >>> error.code, error.place
    ('bad-value', 'run.txt:17')
    """

    def __init__(self, code: str, place: str = "", **context: object) -> None:
        """Fill in the wording of `code`; `place` is where in the data: a file and line, or a query and item."""
        problem = PROBLEMS[code]
        self.code: Final = code
        self.place: Final = place
        self.context: Final = context
        what, hint = _end(problem.text.format(**context)), _end(problem.hint.format(**context))
        super().__init__(f"{place}: {what} Hint: {hint}" if place else f"{what} Hint: {hint}")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.code, self.place, self.context)


class ThresholdNotMetError(Exception):
    """A threshold that was asked for is not met: the command ends with exit code 1."""


def _end(sentence: str) -> str:
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def _rebuild(code: str, place: str, context: dict[str, object]) -> RankgaugeError:
    return RankgaugeError(code, place, **context)


def nearest(got: str, known: Iterable[str]) -> str:
    """Return `did you mean 'x'? ` for the known name nearest to `got`, or nothing.

    >>> nearest("trec-eval", ["textbook", "trec_eval"])
    "did you mean 'trec_eval'? "
    """
    from difflib import get_close_matches  # only needed when something went wrong

    matches = get_close_matches(got.lower(), list(known), n=1, cutoff=0.5)
    return f"did you mean {matches[0]!r}? " if matches else ""
