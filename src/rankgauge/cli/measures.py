"""`rankgauge measures`: list the measures, or explain one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import click

from rankgauge import measures
from rankgauge.cli.output import GENERAL, Output, output_options, present
from rankgauge.data.judgments import Judgments
from rankgauge.errors import RankgaugeError
from rankgauge.languages import Text
from rankgauge.measures import Measure, Number
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.results.remarks import AGGREGATES

EXAMPLES = """
\b
Examples:
  rankgauge measures
  rankgauge measures ndcg
  rankgauge measures recip_rank      (by the name that trec_eval has for it)
  rankgauge measures --format markdown
"""


@click.command(short_help="List the measures, or explain one.", epilog=EXAMPLES)
@click.argument("name", required=False)
@output_options(*GENERAL)
def command(name: str | None, output: Output) -> None:
    """List the measures, or explain the one called NAME: its formula, its parameters and its other names."""
    chosen = list(measures.NAMED.values()) if name is None else _named(name)
    present(MeasureDetails(chosen[0]) if name is not None and len(chosen) == 1 else MeasureList(chosen), output)


def _named(name: str) -> list[Measure]:
    """Return the measures that a name stands for; a name of trec_eval may stand for several, listed without cutoffs."""
    parsed = measures.parse_all(name)
    names = dict.fromkeys(measure.name for measure in parsed)
    return list(parsed) if len(parsed) == 1 else [measures.NAMED[name] for name in names]


@dataclass(frozen=True, slots=True)
class MeasureList:
    """Several measures, a row each."""

    measures: Sequence[Measure]

    def parts(self) -> list[Part]:
        """Return the table."""
        return [self.table()]

    def table(self) -> Table:
        """Return a row per measure."""
        rows = [[measure.name, measure.title, measure.formula] for measure in self.measures]
        return Table(["measure", "title", "formula"], rows)

    def to_json(self) -> str:
        """Return a list with an object per measure."""
        return json_text([_plain_values(measure) for measure in self.measures])


@dataclass(frozen=True, slots=True)
class MeasureDetails:
    """One measure: formula, parameters, other names, an example and a citation."""

    measure: Measure

    def parts(self) -> list[Part]:
        """Return the facts, one line each."""
        return [*about(self.measure)]

    def table(self) -> Table:
        """Return the row of the measure in the list of measures."""
        return MeasureList([self.measure]).table()

    def to_json(self) -> str:
        """Return one object."""
        return json_text(_plain_values(self.measure))


def about(measure: Measure) -> list[str]:
    r"""Return the title, formula, parameters, other names, an example and a citation of a measure.

    >>> print(*about(measures.parse("recip_rank")), sep="\n")
    mrr: Reciprocal rank, whose mean is MRR
    <BLANKLINE>
      RR@k = 1 / rank of the first relevant item, 0 if it is not in the first k ranks
    <BLANKLINE>
    takes: rel
    also known as: rr, recip_rank, reciprocal_rank
    in trec_eval: recip_rank
    example: a=3, b=0, c=1 judged; b, a, x, c ranked: 0.5000
    cite: Voorhees 1999, The TREC-8 Question Answering Track Report, TREC
    """
    facts = {
        "takes": [*measure.terms, *map(_described, measure.parameters)],
        "also known as": measure.aliases,
        "in trec_eval": trec_names(measure),
        "over queries": [AGGREGATES[measure.aggregate]] if measure.aggregate in AGGREGATES else [],
    }
    shown = [f"{fact}: {', '.join(values)}" for fact, values in facts.items() if values]
    computed = example(measure)
    shown += [Text("example: {}", computed)] if computed else []
    return [f"{measure}: {measure.title}", "", f"  {measure.formula}", "", *shown, f"cite: {measure.cite}"]


def _described(number: Number) -> str:
    meaning = f"; {number.means}" if number.means else ""
    return f"{number.name} (default: {number.write(number.default)}{meaning})"


GRADES: Final = {"a": 3, "b": 0, "c": 1}
RANKED: Final = ("b", "a", "x", "c")
SUBTOPICS: Final = {"a": {"price": 1, "speed": 1}, "b": {"price": 0}, "c": {"speed": 1}}
POSITIONS: Final = {"a": 2, "b": 1, "c": 4}


def example(measure: Measure) -> str:
    """Return the value of a measure for a small query, and the query; nothing if its parameters do not fit the grades.

    >>> example(measures.parse("strec@2"))
    'a=price+speed, c=speed judged; b, a, x, c ranked: 1.0000'
    >>> example(measures.parse("ips_dcg"))
    'a=3 at position 2, c=1 at position 4 judged; b, a, x, c ranked: 5.5083'
    """
    from rankgauge.evaluate import evaluate

    judgments = Judgments.from_mapping({"q": GRADES})
    judged = ", ".join(f"{item}={grade}" for item, grade in GRADES.items())
    if measure.annotation == "subtopic":
        judgments, judged = Judgments.from_subtopics({"q": SUBTOPICS}), "a=price+speed, c=speed"
    elif measure.annotation == "propensity":
        judgments = _at_positions()
        judged = "a=3 at position 2, c=1 at position 4"
    try:
        # Under a convention of no tool, so that a name means what the formula says.
        result = evaluate(judgments, {"q": list(RANKED)}, measure, convention="textbook")
        value = result.per_query[measure].get("q")
    except RankgaugeError:  # its gain may not be defined for these grades
        return ""
    shown = f"'{value}'" if isinstance(value, str) else "no value" if value is None else value
    return Text("{} judged; {} ranked: {}", judged, ", ".join(RANKED), shown)


def _at_positions() -> Judgments:
    from rankgauge.inputs.roles import Roles

    columns = {"query": ["q"] * len(GRADES), "item": list(GRADES), "grade": list(GRADES.values())}
    roles = Roles("query", "item", "grade", descending=True, annotation="position", annotation_role="position")
    return Judgments.from_table(columns | {"position": [POSITIONS[item] for item in GRADES]}, roles)


def trec_names(measure: Measure) -> list[str]:
    """Return the names of a measure in trec_eval; `_k` stands for a cutoff, `_r` for a level of recall.

    >>> trec_names(measures.parse("map")), trec_names(measures.parse("iprec"))
    (['map', 'map_cut_k'], ['iprec_at_recall_r'])
    """
    from rankgauge.measures import trec

    ends = {"cutoffs": "_k", "points": "_r"}
    families = [family for family in trec.FAMILIES.values() if family.measure and family.measure.name == measure.name]
    return [f"{family.name}{ends.get(family.takes, '')}" for family in families]


def _plain_values(measure: Measure) -> dict[str, Any]:
    return {
        "name": measure.name,
        "title": measure.title,
        "formula": measure.formula,
        "takes": list(measure.takes),
        "aliases": list(measure.aliases),
        "trec_names": trec_names(measure),
        "aggregate": measure.aggregate,
        "cite": measure.cite,
    }
