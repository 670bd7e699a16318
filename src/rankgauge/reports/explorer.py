"""The explorer's data: the values of each query, and its first ranks in every run, with what each place costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from rankgauge.engines.top_ranks import TopRanks, top_ranks
from rankgauge.languages.escapes import printable
from rankgauge.presentation.report.explorer import Explorer
from rankgauge.presentation.table import PLACES
from rankgauge.reports.explorer_cells import MARKED, Cells, ShownRun, ideal_kind
from rankgauge.reports.id_texts import TextsInput, both_sides, read_texts
from rankgauge.reports.reevaluation import RANKS, cutoff_of, explained_request

if TYPE_CHECKING:
    import numpy.typing as npt

    from rankgauge.reports.reevaluation import ReevaluatedRuns
    from rankgauge.reports.runs import ReportedRuns

# Ranks of queries and runs that a page holds: 8,000 queries of five runs, ten ranks each.
MOST_CELLS: Final = 400_000


def explorer_of(runs: ReportedRuns, reevaluated: ReevaluatedRuns, texts: TextsInput) -> Explorer:
    """Return the explorer of all queries, or of those that changed most and a random sample of the others."""
    measure = runs.explained
    full = None if measure is None else measure.under(runs.request.effective)
    k = None if full is None else cutoff_of(full, runs.request.effective)
    ranks = min(k or RANKS, RANKS)
    chosen = choose(runs, MOST_CELLS // (len(runs.names) * ranks))
    rows = range(len(runs.queries)) if chosen is None else chosen
    queries = [runs.queries[row] for row in rows]
    ideal = ideal_kind(full)
    cells = Cells(ideal)
    top = reevaluated.top if reevaluated.sampled is None else _top_again(runs, reevaluated, queries)
    shown = [ShownRun.of(top[name], full, ranks, k, _sums(reevaluated, name)) for name in runs.names]
    row_of = [{query: row for row, query in enumerate(top[name].queries)} for name in runs.names]
    for query in queries:
        cells.add_query([(run, row.get(query)) for run, row in zip(shown, row_of, strict=True)])
    values = runs.values[runs.main][list(rows)]
    items = cells.items
    query_texts, item_texts = _texts(texts, queries, items)
    return Explorer(
        measure=runs.label,
        places=PLACES,
        runs=[printable(name) for name in runs.names],
        classes=runs.classes,
        means=[_mean(runs.values[runs.main][:, number]) for number in range(len(runs.names))],
        pair=runs.pair,
        queries=[printable(query) for query in queries],
        complete=chosen is None,
        note=_note(runs, len(queries), ranks, k, ideal, complete=chosen is None)
        + _without_texts(texts, query_texts, item_texts),
        explained=full is not None,
        ideal=ideal,
        highest=cells.highest,
        items=[printable(item) for item in items],
        arrays={"values": values.astype(np.float32).ravel(), **cells.arrays()},
        texts=query_texts,
        item_texts=item_texts,
    )


def choose(runs: ReportedRuns, most: int) -> list[int] | None:
    """Return the rows of the queries that a page has room for: half that changed most, half drawn; None for all."""
    if len(runs.queries) <= most:
        return None
    values = runs.values[runs.main]
    size = np.abs(runs.differences(runs.main)) if runs.pair else -values[:, 0]
    order = np.argsort(-np.nan_to_num(size, nan=-math.inf), kind="stable")
    changed, others = order[: most // 2], order[most // 2 :]
    drawn = np.random.default_rng(0).choice(others, most - len(changed), replace=False)
    return sorted(int(row) for row in (*changed, *drawn))


def _note(runs: ReportedRuns, shown: int, ranks: int, k: int | None, ideal: str, *, complete: bool) -> str:
    said = [f"Open a query for its first {ranks} ranks in every run."]
    if ideal != "none":
        said = [f"Open a query for its first {ranks} ranks in every run, beside the ideal."]
    if runs.explained is not None:
        said.append(f"What a rank adds is gain × discount; up to {MARKED} items are marked whose places cost most.")
    if k is None or k > ranks:
        said.append("Lower ranks count too, and are not shown.")
    if not complete:
        most = "changed most" if runs.pair else "have the lowest values"
        said.append(
            f"{shown:,} of {len(runs.queries):,} queries are here: half are those that {most}, half a random sample."
        )
    return " ".join(said)


def _top_again(runs: ReportedRuns, reevaluated: ReevaluatedRuns, queries: Sequence[str]) -> dict[str, TopRanks]:
    asked = explained_request(runs)
    return {
        name: top_ranks(kept.judgments, kept.ranking, asked, RANKS, queries)
        for name, kept in reevaluated.inputs.items()
    }


def _sums(reevaluated: ReevaluatedRuns, name: str) -> dict[str, float]:
    """Return the ideal sum of each query."""
    if reevaluated.ideal_sum is None:
        return {}
    evaluation = reevaluated.results[name].evaluation
    return dict(zip(evaluation.queries, evaluation.values[reevaluated.ideal_sum], strict=True))


def _mean(values: npt.NDArray[np.float64]) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _without_texts(texts: TextsInput, of_queries: list[str] | None, of_items: dict[str, str] | None) -> str:
    """Say that texts were given and none has an id of the report, which else looks as if none had been given."""
    sides = zip(both_sides(texts), ("query", "item"), (any(of_queries or ()), bool(of_items)), strict=True)
    return "".join(f" The texts have none of any {name} here." for given, name, some in sides if given and not some)


def _texts(
    texts: TextsInput, queries: Sequence[str], items: Sequence[str]
) -> tuple[list[str] | None, dict[str, str] | None]:
    if texts is None:
        return None, None
    of_queries, of_items = both_sides(texts)
    by_query = {id_: printable(text) for id_, text in read_texts(of_queries, set(queries)).items()}
    by_item = {printable(id_): printable(text) for id_, text in read_texts(of_items, set(items)).items()}
    return [by_query.get(query, "") for query in queries], by_item
