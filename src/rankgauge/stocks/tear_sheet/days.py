"""The best and the worst days with their rankings, and what a grade is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rankgauge.notation import counted
from rankgauge.presentation.parts import Heading
from rankgauge.presentation.report.page import FoldedParts
from rankgauge.presentation.table import Table

if TYPE_CHECKING:
    from rankgauge.presentation.report.page import ReportPart
    from rankgauge.stocks.study_result import Study

DAYS: Final = 5
MOST_STOCKS: Final = 25


def day_parts(study: Study) -> list[ReportPart]:
    """Return the days on which the model was furthest above and below chance, each with its ranking to unfold."""
    if len(study.per_date) < 2:
        return [Heading("The day"), _ranking(study, study.per_date["date"][0])]
    best, worst = study.best(DAYS), study.worst(DAYS)
    note = f"By {study.ndcg} less chance; unfold a day to see its order."
    parts: list[ReportPart] = [Heading("Best and worst days", note)]
    for table in (best, worst):
        parts.append(table)
        parts += [FoldedParts(f"{row[0]} as it was ranked", (_ranking(study, str(row[0])),)) for row in table.rows]
    return parts


def _ranking(study: Study, date: str) -> Table:
    """The order of a date; of many stocks, the first and the last."""
    table = study.ranking(date)
    if len(table.rows) <= 2 * MOST_STOCKS:
        return table
    return Table(table.headers, [*table.rows[:MOST_STOCKS], *table.rows[-MOST_STOCKS:]])


def grade_parts(study: Study) -> list[ReportPart]:
    """Return what a grade is, with the stocks of the last date as an example."""
    date = study.per_date["date"][-1]
    text = (
        f"{rule(study)} Only the order within a date counts, so a rising market flatters no model. NDCG then asks "
        f"whether the first {study.k} of the model have high grades. The table has the stocks of {date}."
    )
    table = study.ranking(date)
    ordered = sorted(table.rows, key=lambda row: -float(row[3] or 0.0))
    if len(ordered) > MOST_STOCKS:
        step = len(ordered) / MOST_STOCKS
        ordered = [ordered[int(number * step)] for number in range(MOST_STOCKS)]
    rows = [[ticker, value, grade, rank] for rank, ticker, _, value, grade in ordered]
    return [Heading("What is a grade?"), text, Table(_HEADERS, rows)]


def rule(study: Study) -> str:
    """Return in a sentence how a stock gets its grade."""
    rules = study.rules
    bought = f"{counted(rules.lag, 'row')} after the date" if rules.lag else "of the date"
    if rules.thresholds is not None:
        graded = f"its grade is how many of {', '.join(f'{cut:g}' for cut in rules.thresholds)} the return reaches"
    elif rules.levels == "rank":
        graded = "its grade is the rank of that return within the date, from 0 for the lowest"
    else:
        part = _PARTS.get(rules.levels, f"of {rules.levels} parts")
        graded = f"within the date the best {part} of the returns gets grade {rules.levels - 1}, the worst grade 0"
    return f"Each stock is bought at the close {bought} and sold {counted(rules.horizon, 'row')} later; {graded}."


_PARTS: Final = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 10: "tenth"}
_HEADERS: Final = ("ticker", "return", "grade", "rank of the model")
