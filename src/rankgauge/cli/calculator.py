"""`rankgauge ndcg 3 2 3 0 1 2`, and `dcg`, `idcg` and `cg`: a measure of one list, as `rg.ndcg` takes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import click

from rankgauge.cli import options
from rankgauge.conventions import get
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate
from rankgauge.explain import explain
from rankgauge.inputs.formats import is_number
from rankgauge.measures import NAMED
from rankgauge.results import Result
from rankgauge.tables import Part, json_text

Truth: TypeAlias = dict[str, float] | set[str] | None

WHAT: Final[Mapping[str, str]] = {
    "ndcg": "normalised discounted cumulative gain: DCG / IDCG",
    "dcg": "discounted cumulative gain: Σ gain / log2(rank + 1)",
    "idcg": "ideal discounted cumulative gain: DCG of the best order",
    "cg": "cumulative gain: Σ gain",
}
EXAMPLES = """
\b
Examples:
  rankgauge {name} 3 2 3 0 1 2
  rankgauge {name} 2 3 0 0 1 --gain exp2 --explain
  rankgauge {name} A B C --truth A=0.1,B=0.5,C=0.7,D=0.5,E=0.1 -k 2
  rankgauge {name} 6 3 8 4 5 --truth 3,4
"""


def _truth(ctx: click.Context, param: click.Parameter, text: str | None) -> Truth:  # noqa: ARG001 - click's signature
    """`A=1,C=3` are grades of items; `A,C` are the relevant items."""
    if text is None or not text.strip():
        return None if text is None else set()
    cells = [[cell.strip() for cell in part.rpartition("=")] for part in text.split(",")]
    graded = any(sign for _, sign, _ in cells)
    items = [item if graded else grade for item, _, grade in cells]
    if not all(items) or len(set(items)) < len(items):
        raise click.BadParameter(f"expected each item once, as in A=1,C=3 or A,C, got {text!r}")
    return {item: _grade(grade, f"--truth {text}") for item, _, grade in cells} if graded else set(items)


def _words(ranked: tuple[str, ...]) -> list[str]:
    """The words of a list, which blanks or commas separate; with both, 1,5 could be one number."""
    words = [text.strip().removesuffix(",") for text in ranked]
    if len(words) == 1:
        words = [word.strip() for word in words[0].split(",")]
    odd = [word for word in words if "," in word or not word]
    if odd:
        raise click.BadParameter(f"expected words with blanks between them, as in 3 2 3 0, got {odd[0]!r}")
    for word in words:
        if word.startswith("-") and not is_number(word):
            raise click.NoSuchOption(word)
    return words


def _grade(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RankgaugeError("bad-value", place=place, noun="grade", got=repr(text)) from None


def _command(name: str) -> click.Command:
    """Return the command of a measure; it has the name of the function that it calls."""

    @click.command(
        name,
        short_help=f"Compute the {WHAT[name].partition(':')[0]} of one list.",
        epilog=EXAMPLES.format(name=name),
        help=f"Compute {name} of one list, the {WHAT[name]}.\n\nLIST is the grades in ranked order or, with --truth, "
        "the items in ranked order; commas may stand between them. Without -k the whole list counts.",
        # A grade may be negative: what begins with a minus and is no switch is one.
        context_settings={"ignore_unknown_options": True},
    )
    @click.argument("ranked", metavar="LIST...", nargs=-1, required=True)
    @click.option("-k", type=int, metavar="K", help="Only the first K ranks count.")
    @click.option(
        "--truth", callback=_truth, metavar="TRUTH", help="The grades of items, A=1,C=3; or the relevant items, A,C."
    )
    @click.option("--gain", metavar="GAIN", help="linear, exp2 (2^grade − 1), binary, …  [default: linear]")
    @click.option("--discount", metavar="DISCOUNT", help="log2, log(10), jarvelin(2), …  [default: log2]")
    @click.option(
        "--convention",
        default="textbook",
        show_default=True,
        metavar="NAME",
        shell_complete=options.complete_conventions,
        help="How open questions are answered.",
    )
    @click.option("--explain", "explained", is_flag=True, help="Show every rank beside the ideal, and what costs most.")
    @options.format_option("table", "json")
    def command(
        ranked: tuple[str, ...],
        k: int | None,
        truth: Truth,
        convention: str,
        explained: bool,
        format_: str,
        **terms: str | None,
    ) -> None:
        given = {term: text for term, text in terms.items() if text is not None}
        NAMED[name](**given)  # a sum without a discount takes none
        chosen = get(convention).replace(**given)
        words = _words(ranked)
        listed = words if truth is not None else [_grade(word, "LIST") for word in words]
        measure = NAMED[name] if k is None else NAMED[name] @ k
        if explained:
            why = explain(listed, truth, measure=measure, convention=chosen)
            options.present(why.parts(), why.table(), why.to_json, format_, None)
        else:
            _show(evaluate(listed, truth, measure, convention=chosen), format_)

    return command


def _show(result: Result, format_: str) -> None:
    """Print the value with all digits, the convention, and what is to be known about the list."""
    ((measure, value),) = result.means.items()
    remarks = [remark for remark in result.remarks() if not remark.startswith("queries: ")]
    values: dict[str, Any] = {"measure": measure, "convention": str(result.convention), "value": value}
    values["remarks"] = remarks[1:]
    parts: list[Part] = [f"{measure} = {value!r}", *remarks]
    options.present(parts, result.table(), lambda: json_text(values), format_, None)


COMMANDS: Final[Mapping[str, click.Command]] = {name: _command(name) for name in WHAT}
