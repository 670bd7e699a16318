"""`rankgauge ndcg 3 2 3 0 1 2`, `dcg`, `idcg` and `cg`: a measure of one list, with the arguments of `rg.ndcg`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import click

from rankgauge.checks import bad_number
from rankgauge.cli import options
from rankgauge.cli.output import GENERAL, Output, output_options, present
from rankgauge.conventions import get
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate
from rankgauge.explain import explain
from rankgauge.inputs.formats import is_number
from rankgauge.measures import NAMED
from rankgauge.presentation.json import json_text
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark
from rankgauge.results.result import Result

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
    """Read `A=1,C=3` as grades of items, `A,C` as the relevant items."""
    if text is None or not text.strip():
        return None if text is None else set()
    cells = [[cell.strip() for cell in part.rpartition("=")] for part in text.split(",")]
    graded = any(sign for _, sign, _ in cells)
    items = [item if graded else grade for item, _, grade in cells]
    if not all(items) or len(set(items)) < len(items):
        raise click.BadParameter(f"expected each item once, as in A=1,C=3 or A,C, got {text!r}")
    return {item: _grade(grade, f"--truth {text}") for item, _, grade in cells} if graded else set(items)


def _words(ranked: tuple[str, ...]) -> list[str]:
    """Split the list at blanks or at commas; not at both, because 1,5 could be one number."""
    words = [text.strip().removesuffix(",") for text in ranked]
    if len(words) == 1:
        words = [word.strip() for word in words[0].split(",")]
    bad = [word for word in words if "," in word or not word]
    if bad:
        raise click.BadParameter(f"expected words with blanks between them, as in 3 2 3 0, got {bad[0]!r}")
    for word in words:
        if word.startswith("-") and not is_number(word):
            raise click.NoSuchOption(word)
    return words


def _grade(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise RankgaugeError("bad-value", place=place, noun="grade", got=repr(text)) from None


def _grade_of_list(text: str) -> float:
    """Read a word of LIST, which is a grade; items are taken with --truth alone."""
    try:
        return _grade(text, "LIST")
    except RankgaugeError:
        hint = "items in ranked order need their grades beside them: --truth A=1,C=3, or --truth A,C"
        raise bad_number("LIST", "a grade", text, hint) from None


class _Calculator(click.Command):
    """Takes negative grades as arguments: click would read -2k1 as the grade -2 and the switch -k 1."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse a word of which click has made a grade and a switch."""
        typed = Counter(args)
        rest = super().parse_args(ctx, args)
        for word, count in Counter(ctx.params.get("ranked", ())).items():
            if word.startswith("-") and count > typed[word]:
                whole = (text for text in typed if text.startswith(word) and text != word)
                raise click.NoSuchOption(next(whole, word), ctx=ctx)
        return rest


def _command(name: str) -> click.Command:
    """Return the command that computes the measure of this name."""

    @click.command(
        name,
        cls=_Calculator,
        short_help=f"Compute the {WHAT[name].partition(':')[0]} of one list.",
        epilog=EXAMPLES.format(name=name),
        help=f"Compute {name} of one list, the {WHAT[name]}.\n\nLIST is the grades in ranked order or, with --truth, "
        "the items in ranked order, separated by blanks or commas. Without -k the whole list counts.",
        # So that a negative grade is not taken for a switch.
        context_settings={"ignore_unknown_options": True},
    )
    @click.argument("ranked", metavar="LIST...", nargs=-1, required=True)
    @click.option("-k", type=int, metavar="K", help="Only the first K ranks count.")
    @click.option(
        "--truth", callback=_truth, metavar="TRUTH", help="Grades of items, A=1,C=3; or the relevant items, A,C."
    )
    @click.option("--gain", metavar="GAIN", show_default="linear", help="linear, exp2 (2^grade − 1), binary, …")
    @click.option("--discount", metavar="DISCOUNT", show_default="log2", help="log2, log(10), jarvelin(2), …")
    @click.option(
        "--convention",
        default="textbook",
        show_default=True,
        metavar="NAME",
        shell_complete=options.complete_conventions,
        help="Which convention the formula follows.",
    )
    @click.option("--explain", "explained", is_flag=True, help="Show every rank beside the ideal, and what costs most.")
    @options.strict_option
    @output_options(*GENERAL, default_places=None)
    def command(
        ranked: tuple[str, ...],
        k: int | None,
        truth: Truth,
        convention: str,
        explained: bool,
        strict: bool,
        output: Output,
        **terms: str | None,
    ) -> None:
        changes = {term: text for term, text in terms.items() if text is not None}
        NAMED[name](**changes)  # refuses a term that this measure does not have
        chosen = get(convention).replace(**changes)
        words = _words(ranked)
        listed = words if truth is not None else list(map(_grade_of_list, words))
        measure = NAMED[name] if k is None else NAMED[name] @ k
        if explained:
            present(explain(listed, truth, measure=measure, convention=chosen, strict=strict), output)
        else:
            result = evaluate(listed, truth, measure, convention=chosen, strict=strict)
            present(CalculatedValue(result, output.places), output)

    return command


@dataclass(frozen=True, slots=True)
class CalculatedValue:
    """The value of one list, its convention, and remarks about the list; `places` None shows all digits."""

    result: Result
    places: int | None

    def parts(self) -> list[Part]:
        """Return the value and the remarks, one line each."""
        ((measure, value),) = self.result.means.items()
        shown = repr(value) if self.places is None else f"{value:.{self.places}f}"
        return [f"{measure} = {shown}", *self.remarks]

    def table(self) -> Table:
        """Return one row."""
        return Table(["measure", "value"], [list(row) for row in self.result.means.items()])

    def to_json(self) -> str:
        """Return the value with all digits, the convention and the remarks."""
        ((measure, value),) = self.result.means.items()
        convention = str(self.result.convention)
        remarks = [remark.to_dict() for remark in self.remarks]
        return json_text({"measure": measure, "convention": convention, "value": value, "remarks": remarks})

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The convention, and what `Result.remarks` says about the list; there is only one query to count."""
        return tuple(remark for remark in self.result.remarks if remark.code not in ("queries", "few-queries"))


COMMANDS: Final[Mapping[str, click.Command]] = {name: _command(name) for name in WHAT}
