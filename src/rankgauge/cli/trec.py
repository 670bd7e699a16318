"""The output of trec_eval, byte for byte: its labels, its order, its digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rankgauge.conventions import Convention
from rankgauge.conventions.search import TREC_EVAL
from rankgauge.measures import parse_all, trec
from rankgauge.measures.parsing import split_request
from rankgauge.measures.trec import Line

if TYPE_CHECKING:
    from rankgauge.measures import Measure
    from rankgauge.results.result import Result


def request(measures: Iterable[str], convention: Convention) -> list[Line]:
    """Read measures as trec_eval reads them; names that it does not have are read as ours.

    >>> [line.label for line in request(["recall.5", "ndcg@10", "err@20", "map"], TREC_EVAL)]
    ['map', 'recall_5', 'ndcg_cut_10', 'err@20']
    """
    parts = [part for text in measures for part in split_request(text)]
    lines = trec.lines(parts, lambda text: [_our_line(measure, convention) for measure in parse_all(text)])
    return [_relabelled(line, convention) for line in lines]


def _our_line(measure: Measure, convention: Convention) -> Line:
    label = trec_name(measure, convention)
    family = trec.FAMILIES.get(trec.family_of(label))
    whole, single = (family.whole, family.single) if family else (False, measure.aggregate != "geometric")
    return Line(label, measure, whole, single)


def _relabelled(line: Line, convention: Convention) -> Line:
    """Return the line with our label if the convention changes the formula of the measure."""
    if line.measure is None or line.measure.under(convention) == line.measure.under(TREC_EVAL):
        return line
    return line._replace(label=str(line.measure))


def trec_name(measure: Measure, convention: Convention) -> str:
    """Return the name of a measure in trec_eval; ours, if it has none or the convention changes the formula.

    >>> from rankgauge.conventions.textbook import BURGES
    >>> from rankgauge.measures import parse
    >>> [trec_name(parse(text), TREC_EVAL) for text in ("ndcg", "ndcg@10", "dcg@5", "ndcg(gain=exp2)@10")]
    ['ndcg', 'ndcg_cut_10', 'dcg@5', 'ndcg(gain=exp2)@10']
    >>> [trec_name(parse(text), TREC_EVAL) for text in ("map", "map@100", "mrr", "precision@5", "success@5")]
    ['map', 'map_cut_100', 'recip_rank', 'P_5', 'success_5']
    >>> [trec_name(parse(text), TREC_EVAL) for text in ("IPrec@0.1", "Rprec", "r_precision(times=0.2)")]
    ['iprec_at_recall_0.10', 'Rprec', 'Rprec_mult_0.20']
    >>> trec_name(parse("ndcg@10"), BURGES)
    'ndcg@10'
    """
    if measure.under(convention) != measure.under(TREC_EVAL):
        return str(measure)
    labels = (family.label_of(measure) for family in trec.FAMILIES.values())
    return next(filter(None, labels), str(measure))


def render(result: Result, lines: Sequence[Line], run: str, *, per_query: bool, summary: bool) -> str:
    """Return the lines of each query, if asked for, then those of all queries."""
    return "".join(
        [*(_of_queries(result, lines) if per_query else ()), *(_of_all(result, lines, run) if summary else ())]
    )


def _of_queries(result: Result, lines: Sequence[Line]) -> Iterable[str]:
    columns = [(line, result.per_query[line.measure]) for line in lines if line.measure and line.single]
    for query in result.evaluation.queries:
        yield from (_line(line, query, column[query]) for line, column in columns if query in column)


def _of_all(result: Result, lines: Sequence[Line], run: str) -> Iterable[str]:
    for line in lines:
        if line.measure is None:
            yield f"{line.label:<22}\tall\t{run}\n"
        elif line.measure in result.evaluation.values:
            yield _line(line, "all", result[line.measure])


def _line(line: Line, query: str, value: float | str) -> str:
    if isinstance(value, str):
        shown = f"'{value}'"
    elif math.isnan(value):
        shown = "nan"
    else:
        shown = f"{value:.0f}" if line.whole else f"{value:6.4f}"
    return f"{line.label:<22}\t{query}\t{shown}\n"
