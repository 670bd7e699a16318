"""The output of trec_eval, byte for byte: its labels, its order, its digits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rankgauge.conventions import Convention
from rankgauge.conventions.search import TREC_EVAL, TREC_EVAL_9
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.languages.escapes import printable
from rankgauge.measures import parse_all, trec
from rankgauge.measures.parsing import for_documents, split_request
from rankgauge.measures.tool_meanings import meant
from rankgauge.measures.trec import Line
from rankgauge.notation import parse_number
from rankgauge.statistics.aggregates import LEAST_OF_GEOMETRIC

if TYPE_CHECKING:
    from rankgauge.measures import Measure
    from rankgauge.results.result import Result

# What trec_eval computes of preferences and of judgments in groups, which are not read here.
PREFERENCES: Final = re.compile(r"(all_)?prefs.*|qrels_jg|.*_avgjg")
# The query id that trec_eval prints in summary lines.
ALL: Final = "all"


def request(measures: Iterable[str], convention: Convention, level: float | None = None) -> list[Line]:
    """Read measures as trec_eval does, and names that it does not have as rankgauge does.

    >>> [line.label for line in request(["recall.5", "ndcg@10", "err@20", "map"], TREC_EVAL)]
    ['map', 'recall_5', 'ndcg_cut_10', 'err@20']
    """
    parts = [part for text in measures for part in split_request(text)]
    lines = trec.lines(parts, read_other=lambda text: [_our_line(measure, convention) for measure in parse_all(text)])
    return [_meant(line, convention, level) for line in lines]


def strict_request(measures: Iterable[str]) -> list[Line]:
    """Read measures as trec_eval's own -m does: one of its names each, with parameters behind a dot.

    Cutoffs are cut to whole numbers, and what stands behind the dot of a name that takes nothing is passed over.

    >>> [line.label for line in strict_request(["map.5", "ndcg_cut.5,23.4"])]
    ['map', 'ndcg_cut_5', 'ndcg_cut_23']
    """
    lines = trec.lines(map(_as_trec_eval_reads, measures), read_other=lambda _: [])
    return [_meant(line, TREC_EVAL, None) for line in lines]


def _as_trec_eval_reads(text: str) -> str:
    name, dot, listed = text.partition(".")
    if (name not in trec.FAMILIES and name not in trec.NICKNAMES) or (dot and not listed):
        kind = "trec-preferences" if PREFERENCES.fullmatch(name) else "trec-measure"
        raise RankgaugeError(kind, got=text, nearest=nearest(name, [*trec.NICKNAMES, *trec.FAMILIES]))
    takes = trec.FAMILIES[name].takes if name in trec.FAMILIES else "nothing"
    if takes == "nothing":
        return name
    cut = (
        ",".join(str(int(parse_number(part, name))) for part in listed.split(","))
        if takes == "cutoffs" and dot
        else listed
    )
    return f"{name}{dot}{cut}"


def _our_line(measure: Measure, convention: Convention) -> Line:
    label = trec_name(measure, convention)
    family = trec.FAMILIES.get(trec.family_of(label))
    whole, single = (family.whole, family.single) if family else (False, measure.aggregate != "geometric")
    return Line(label, measure, whole, single)


def _meant(line: Line, convention: Convention, level: float | None) -> Line:
    """Return the line of what the tool means by the measure; with our label if that is not trec_eval's, 9 or 10."""
    if line.measure is None:
        return line
    computed = meant(line.measure, convention, level)
    known = [meant(line.measure, version, level).under(version) for version in (TREC_EVAL, TREC_EVAL_9)]
    label = line.label if computed.under(convention) in known else str(computed)
    return line._replace(measure=computed, label=label)


def for_collection(lines: Iterable[Line], documents: int | None) -> list[Line]:
    """Return the lines with the size of the collection in the measures that ask for it."""
    return [
        line if line.measure is None else line._replace(measure=for_documents([line.measure], documents)[0])
        for line in lines
    ]


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
        _require_word(query)
        yield from (_line(line, query, column[query]) for line, column in columns if query in column)


def _require_word(query: str) -> None:
    """Raise if the lines of a query could be read as others: an id of two words or lines."""
    if " " in query or not query.isprintable():
        raise RankgaugeError("not-trec", got=query)


def _of_all(result: Result, lines: Sequence[Line], run: str) -> Iterable[str]:
    for line in lines:
        if line.measure is None:
            yield f"{line.label:<22}\t{ALL}\t{printable(run)}\n"
        elif result.request.meant(line.measure) in result.evaluation.values:
            yield _line(line, ALL, _in_order(result, line.measure))


def _in_order(result: Result, measure: Measure) -> float:
    """Return the number over all queries, added up one query after the other in their order, as trec_eval adds.

    The exact sum may differ from it in the last digit.
    """
    values, _ = result.counted(measure)
    if measure.aggregate not in ("mean", "sum", "geometric") or not values:
        return result[measure]
    geometric = measure.aggregate == "geometric"
    total = 0.0
    for value in values:
        total += math.log(max(value, LEAST_OF_GEOMETRIC)) if geometric else value
    mean = total if measure.aggregate == "sum" else total / len(values)
    number = math.exp(mean) if geometric else mean
    decimals = result.convention.decimals
    return number if decimals is None or math.isnan(number) else round(number, decimals)


def require_no_query_called_all(result: Result) -> None:
    """Raise if a query is called `all`, which trec_eval prints for the summary."""
    if ALL in result.evaluation.queries:
        raise RankgaugeError("query-called-all")


def _line(line: Line, query: str, value: float | str) -> str:
    if isinstance(value, str):
        shown = f"'{value}'"
    elif math.isnan(value):
        shown = "nan"
    else:
        shown = f"{value:.0f}" if line.whole else f"{value:6.4f}"
    return f"{line.label:<22}\t{query}\t{shown}\n"
