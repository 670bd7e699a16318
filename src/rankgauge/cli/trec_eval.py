"""`rankgauge trec_eval`: the command line of trec_eval, unchanged, and its output, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from getopt import GetoptError, gnu_getopt
from typing import Final, NamedTuple

import click

from rankgauge import _core
from rankgauge.cli import trec_eval_output
from rankgauge.cli.output import Output, present
from rankgauge.cli.progress import with_progress
from rankgauge.errors import RankgaugeError
from rankgauge.evaluate import evaluate_request
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs import both_sides
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.measures import NAMED
from rankgauge.measures.trec import Line
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark
from rankgauge.request import Request
from rankgauge.results.result import Result

# The switches of trec_eval 10: short → long, and what a value is called; without a value it is a flag.
FLAGS: Final = {
    "h": "help",
    "v": "version",
    "q": "query_eval_wanted",
    "c": "complete_rel_info_wanted",
    "n": "nosummary",
    "J": "Judged_docs_only",
}
VALUES: Final = {
    "m": "measure",
    "l": "level_for_rel",
    "D": "Debug_level",
    "N": "Number_docs_in_coll",
    "M": "Max_retrieved_per_topic",
    "R": "Rel_info_format",
    "T": "Results_format",
    "Z": "Zscore",
}
# Obsolete, and without effect; its long form has a value.
OBSOLETE: Final = ("o", "Output_old_results_format")
# The only formats, and the only level of debugging, that are taken.
TAKEN: Final = {"R": "qrels", "T": "trec_results", "D": "0"}
WHOLE: Final = re.compile(r"\s*[+-]?\d+")

HELP: Final = """
\b
Switches, as in trec_eval 10:
  -h, --help                      Show this text.
  -v, --version                   Print the version on stderr.
  -q, --query_eval_wanted         Print the values of each query too.
  -m, --measure MEASURE           What to compute, repeatable; default: official. NAME, NAME.PARAMETERS, or
                                  official, set, all_trec.
  -c, --complete_rel_info_wanted  A judged query that the ranking lacks counts as 0.
  -n, --nosummary                 Do not print the lines of all queries.
  -l, --level_for_rel N           The lowest grade that counts as relevant; default: 1.
  -J, --Judged_docs_only          Remove ranked items without a judgment.
  -M, --Max_retrieved_per_topic N Only the first N ranked items count.
  -N, --Number_docs_in_coll N     Number of items in the collection.
  -o                              Obsolete, without effect.

\b
Refused: -Z, -D other than 0, -R other than qrels, -T other than trec_results.

\b
Examples:
  rankgauge trec_eval qrels.txt run.txt
  rankgauge trec_eval -q -m ndcg_cut.5,10 -m map -c qrels.txt run.txt
"""


class Switches(NamedTuple):
    """What a command line of trec_eval says."""

    flags: frozenset[str]
    measures: tuple[str, ...]
    numbers: dict[str, int]
    files: tuple[str, ...]


@click.command(
    "trec_eval",
    short_help="Take the command line of trec_eval, and print what it prints.",
    epilog=HELP,
    options_metavar="",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True},
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[SWITCHES] QRELS RESULTS")
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Evaluate the file RESULTS by the file QRELS, both in TREC's formats, as trec_eval 10 does.

    The command line is that of trec_eval, unchanged, and so is the output, byte for byte. Remarks that may matter go
    to stderr.
    """
    switches = read(words)
    if "h" in switches.flags:
        click.echo(ctx.get_help())
    elif "v" in switches.flags:
        click.echo(f"trec_eval version 10.0, as computed by rankgauge {_core.VERSION}", err=True)
    else:
        _evaluate(switches)


def read(words: Sequence[str]) -> Switches:
    """Read a command line as trec_eval does: switches anywhere, long ones by any beginning that is theirs alone.

    >>> read(["-qm", "map", "--measure=P.5", "qrels", "--level", "2", "run"])
    Switches(flags=frozenset({'q'}), measures=('map', 'P.5'), numbers={'l': 2}, files=('qrels', 'run'))
    """
    short = "".join([*FLAGS, OBSOLETE[0], *(f"{letter}:" for letter in VALUES)])
    long = [*FLAGS.values(), f"{OBSOLETE[1]}=", *(f"{name}=" for name in VALUES.values())]
    try:
        given, files = gnu_getopt(list(words), short, long)
    except GetoptError as error:
        raise RankgaugeError("usage", got=str(error), hint="`rankgauge trec_eval -h` shows what it takes") from None
    letters = {f"--{name}": letter for letter, name in (FLAGS | VALUES).items()}
    pairs = [(letters.get(switch, switch.lstrip("-")), value) for switch, value in given]
    for letter, value in pairs:
        _require_taken(letter, value)
    return Switches(
        flags=frozenset(letter for letter, _ in pairs if letter in FLAGS),
        measures=tuple(value for letter, value in pairs if letter == "m"),
        numbers={letter: _whole(letter, value) for letter, value in pairs if letter in ("l", "M", "N")},
        files=tuple(files),
    )


def _require_taken(letter: str, value: str) -> None:
    if letter == "Z":
        raise RankgaugeError("trec-switch", expected="no -Z", got=f"-Z {value}", hint="Z scores are not computed here")
    known = TAKEN.get(letter, value)
    if value != known:
        hint = "no information for debugging is printed" if letter == "D" else "no other format is read here"
        raise RankgaugeError("trec-switch", expected=f"-{letter} {known}", got=f"-{letter} {value}", hint=hint)


def _whole(letter: str, value: str) -> int:
    """Return the whole number at the beginning of a text, as trec_eval reads it; raise unless it is positive."""
    match = WHOLE.match(value)
    least = 0 if letter == "N" else 1
    if match is None or int(match[0]) < least:
        expected = f"a whole number of at least {least} behind -{letter}"
        raise RankgaugeError(
            "trec-switch", expected=expected, got=value, hint="`rankgauge trec_eval -h` shows all switches"
        )
    return int(match[0])


def _evaluate(switches: Switches) -> None:
    if len(switches.files) != 2:
        got = " ".join(switches.files) or "no file"
        raise RankgaugeError("trec-switch", expected="QRELS RESULTS", got=got, hint="two files, the judgments first")
    judgments, ranking = switches.files
    lines = trec_eval_output.for_collection(
        trec_eval_output.strict_request(switches.measures or ["official"]), switches.numbers.get("N")
    )
    reading = ReadingOptions(format_judgments="trec", format_ranking="trec")
    inputs = with_progress(lambda: both_sides(judgments, ranking, reading))
    request = Request.of(
        # A request for the name of the run alone has no measure to evaluate.
        [line.measure for line in lines if line.measure] or [NAMED["num_q"]],
        "trec_eval",
        missing="zero" if "c" in switches.flags else None,
        unjudged="drop" if "J" in switches.flags else None,
        depth=switches.numbers.get("M"),
        relevance_level=switches.numbers.get("l"),
    )
    result = with_progress(lambda: evaluate_request(inputs, request, reading, ExecutionOptions()))
    trec_eval_output.require_no_query_called_all(result)
    present(TrecOutput(result, lines, result.evaluation.run or ranking, switches.flags), Output("trec", None, None))


@dataclass(frozen=True, slots=True)
class TrecOutput:
    """A result as trec_eval prints it, and the remarks that may matter: it takes the place of a program without any."""

    result: Result
    lines: Sequence[Line]
    run: str
    flags: frozenset[str]

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks that are no mere notes."""
        return tuple(remark for remark in self.result.remarks if remark.severity != "note")

    def parts(self) -> list[Part]:
        """Return the tables and remarks of the result."""
        return self.result.parts()

    def table(self) -> Table:
        """Return a row per measure."""
        return self.result.table()

    def to_json(self) -> str:
        """Return the result as JSON."""
        return self.result.to_json()

    def to_trec(self) -> str:
        """Return the lines that trec_eval prints."""
        per_query, summary = "q" in self.flags, "n" not in self.flags
        return trec_eval_output.render(self.result, self.lines, self.run, per_query=per_query, summary=summary)
