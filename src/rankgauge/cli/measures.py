"""`rankgauge measures`: what there is, and one in full."""

from __future__ import annotations

from typing import Final

import click

from rankgauge import measures
from rankgauge.cli import options
from rankgauge.errors import RankgaugeError
from rankgauge.measures import Measure, Number
from rankgauge.results import AGGREGATES
from rankgauge.tables import Part, Table

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
@options.format_option("table", "json", "csv", "markdown", "latex")
@options.output_option
def command(name: str | None, format_: str, output: str | None) -> None:
    """List the measures, or explain the one called NAME: its formula, what it takes, who calls it how."""
    chosen = list(measures.NAMED.values()) if name is None else _asked(name)
    table = list_table(chosen)
    parts: list[Part] = [*about(chosen[0])] if name and len(chosen) == 1 else [table]
    options.present(parts, table, lambda: to_json(chosen, one=name is not None and len(chosen) == 1), format_, output)


def _asked(name: str) -> list[Measure]:
    """Return the measures of a name; one of trec_eval's may stand for several, and a cutoff or two tell none apart."""
    found = measures.parse_all(name)
    names = dict.fromkeys(measure.name for measure in found)
    return list(found) if len(found) == 1 else [measures.NAMED[own] for own in names]


def list_table(known: list[Measure]) -> Table:
    """Return a row per measure."""
    return Table(["measure", "title", "formula"], [[one.name, one.title, one.formula] for one in known])


def about(measure: Measure) -> list[str]:
    r"""Return what is known of a measure.

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
        "example": [text for text in [example(measure)] if text],
        "cite": [measure.cite],
    }
    shown = [f"{fact}: {', '.join(values)}" for fact, values in facts.items() if values]
    return [f"{measure}: {measure.title}", "", f"  {measure.formula}", "", *shown]


def _described(number: Number) -> str:
    meaning = f", {number.means}" if number.means else ""
    return f"{number.name} ({number.write(number.default)} unless said{meaning})"


GRADES: Final = {"a": 3, "b": 0, "c": 1}
RANKED: Final = ("b", "a", "x", "c")
SUBTOPICS: Final = {"a": {"price": 1, "speed": 1}, "b": {"price": 0}, "c": {"speed": 1}}
POSITIONS: Final = {"a": 2, "b": 1, "c": 4}


def example(measure: Measure) -> str:
    """Return what a measure makes of a small query.

    >>> example(measures.parse("strec@2"))
    'a=price+speed, c=speed judged; b, a, x, c ranked: 1.0000'
    >>> example(measures.parse("ips_dcg"))
    'a=3 at position 2, c=1 at position 4 judged; b, a, x, c ranked: 5.5083'
    """
    from rankgauge.evaluate import evaluate
    from rankgauge.judgments import Judgments

    judgments = Judgments.from_mapping({"q": GRADES})
    told = ", ".join(f"{item}={grade}" for item, grade in GRADES.items())
    if measure.needs == "subtopic":
        judgments, told = Judgments.from_subtopics({"q": SUBTOPICS}), "a=price+speed, c=speed"
    elif measure.needs == "propensity":
        judgments = judgments.with_propensities(Judgments.from_mapping({"q": POSITIONS}), positions=True)
        told = "a=3 at position 2, c=1 at position 4"
    try:
        value = evaluate(judgments, {"q": list(RANKED)}, measure).per_query[measure].get("q")
    except RankgaugeError:  # with parameters of its own it may not know these grades
        return ""
    shown = f"'{value}'" if isinstance(value, str) else "no value" if value is None else f"{value:.4f}"
    return f"{told} judged; {', '.join(RANKED)} ranked: {shown}"


def trec_names(measure: Measure) -> list[str]:
    """Return what trec_eval calls a measure, with a cutoff k or a level of recall r too.

    >>> trec_names(measures.parse("map")), trec_names(measures.parse("iprec"))
    (['map', 'map_cut_k'], ['iprec_at_recall_r'])
    """
    from rankgauge.measures import trec

    ends = {"cutoffs": "_k", "points": "_r"}
    families = [family for family in trec.FAMILIES.values() if family.measure and family.measure.name == measure.name]
    return [f"{family.name}{ends.get(family.takes, '')}" for family in families]


def to_json(chosen: list[Measure], *, one: bool) -> str:
    """Write measures as JSON."""
    import json

    values = [
        {
            "name": measure.name,
            "title": measure.title,
            "formula": measure.formula,
            "takes": list(measure.takes),
            "aliases": list(measure.aliases),
            "trec_names": trec_names(measure),
            "aggregate": measure.aggregate,
            "cite": measure.cite,
        }
        for measure in chosen
    ]
    return json.dumps(values[0] if one else values, indent=2, ensure_ascii=False)
