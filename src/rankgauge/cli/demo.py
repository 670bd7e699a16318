"""`rankgauge demo`: evaluate data that comes with the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import NamedTuple

import click

from rankgauge.cli import language, terminal
from rankgauge.cli.output import places_option
from rankgauge.evaluate import evaluate
from rankgauge.explain import explain
from rankgauge.languages import Text
from rankgauge.presentation.parts import Part, parts_in_language


class Case(NamedTuple):
    """A small data set, its convention and its measures."""

    name: str
    # What the data is, and what a reader should know about it.
    story: tuple[Text, ...]
    convention: str
    measures: tuple[str, ...]


CASES = (
    Case(
        "search",
        (Text("A search engine: 40 queries, documents graded 0 to 3, the engine's 20 best documents each."),),
        "trec_eval",
        ("ndcg@5", "ndcg@10", "ndcg"),
    ),
    Case(
        "recommender",
        (Text("A recommender: 60 users, the items that they bought later, 10 recommendations each."),),
        "implicit-feedback",
        ("ndcg@5", "ndcg@10"),
    ),
    Case(
        "stocks",
        (
            Text(
                "A stock-ranking model: 24 dates, 30 stocks graded by the quintile (0 to 4) of their 5-day forward "
                "return, scored by a model."
            ),
            Text("A random order is worth 0.3467 here with gain exp2, and 0.5000 with linear gain."),
        ),
        "burges",
        ("ndcg@5", "ndcg(gain=linear)@5"),
    ),
)
EXPLAINED = ("search", "q07", "ndcg@5")


@click.command(short_help="Run on data that comes with the package.")
@places_option()
@language.option
def command(places: int) -> None:
    """Run an evaluation of three small data sets that come with the package, and explain one query."""
    with as_file(files("rankgauge") / "demo_data") as folder:
        for case in CASES:
            paths = (folder / f"{case.name}.judgments.txt", folder / f"{case.name}.ranking.txt")
            result = evaluate(*paths, case.measures, convention=case.convention)
            _show([*case.story, "", *result.parts(), ""], places)
        name, query, measure = EXPLAINED
        paths = (folder / f"{name}.judgments.txt", folder / f"{name}.ranking.txt")
        explanation = explain(*paths, query, measure)
        question = Text("Why does query {} of the search engine have its value?", query)
        _show([question, "", *explanation.parts()], places)


def _show(parts: list[Part], places: int) -> None:
    terminal.show(parts_in_language(parts, language.of_output()), places)
