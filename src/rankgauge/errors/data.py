"""Problems of judgments and rankings, whatever they are read from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from rankgauge.errors.problem import Problem

_DECIMAL_COMMA: Final = r"""['"]?[+-]?\d*,\d+['"]?"""

PROBLEMS: Final[Mapping[str, Problem]] = {
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
        "give both: rankgauge evaluate JUDGMENTS RANKING, rg.evaluate(judgments, ranking); alone go a list of "
        "grades in ranked order, and cases that hold both: "
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
    "several-files": Problem(
        "expected one ranking or one file of judgments, got a list of {files}",
        "give one file as a path; a pattern such as 'data/*.parquet' or a folder is one table in pieces; rg.compare "
        "takes several runs",
    ),
    "nothing-given": Problem(
        "expected rows or queries on both sides, got none in the {side}",
        "check the step that makes them; an iterator that was read before has nothing left",
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
        "a decimal comma is not read: write a point, as in 0.7, and no marks of thousands; pandas takes decimal=','",
        lambda context: re.fullmatch(_DECIMAL_COMMA, str(context["got"])) is not None,
    ),
    "duplicate-item": Problem(
        "expected each item once per query in the {side}, got it {times}",
        "remove the duplicates, or keep one with a convention such as trec_eval(duplicates=first); "
        "grades by subtopic are read for measures such as alpha_ndcg",
        "remove the duplicates, or keep one with a convention such as trec_eval(duplicates=first)",
        lambda context: context["side"] == "ranking",
    ),
    "duplicate-query": Problem(
        "expected each query once, got it twice", "ids are compared as text: 7, '7' and b'7' are the same id"
    ),
    "no-common-query": Problem(
        "expected at least one query that is both judged and ranked, got {judged} judged and {ranked} ranked",
        "compare the query ids: judgments have {judged_example}, the ranking has {ranked_example}{near}",
        "check the step that makes the ranking: it is empty",
        lambda context: context.get("ranked") == 0,
    ),
    "no-rows": Problem("expected at least one judged query, got none", "check that the judgments are not empty"),
    "which-query": Problem(
        "expected a query to explain, got none of {count}",
        "choose one: query={example!r} in Python, --query {example} on the command line",
    ),
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
}
