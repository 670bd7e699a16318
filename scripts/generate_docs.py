"""Write the pages that come from the declarations: conventions, measures, errors, remarks, decisions.

`make docs` runs this; a test compares the pages with what it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from string import Formatter

from rankgauge import conventions, measures
from rankgauge.cli.measures import example, trec_names
from rankgauge.conventions import QUESTIONS, UNCLAIMED, Convention
from rankgauge.conventions.terms import DISCOUNTS, GAINS, IDEALS
from rankgauge.conventions.textbook import TEXTBOOK
from rankgauge.errors.catalogue import PROBLEMS
from rankgauge.measures import Measure
from rankgauge.presentation.learner.page import learner_page
from rankgauge.presentation.table import Table
from rankgauge.remarks import KINDS
from rankgauge.results.remarks import AGGREGATES

FOLDER = Path(__file__).parent.parent / "docs"
DECISIONS = FOLDER / "decisions"
GENERATED = "<!-- Written by scripts/generate_docs.py from the declarations: change those, then run `make docs`. -->"
TERMS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "gain": ("`gain` says what a grade is worth.", GAINS),
    "discount": ("`discount` says what a rank is worth; rank 1 is the first.", DISCOUNTS),
    "ideal": ("`ideal` says which best ranking the actual one is divided by.", IDEALS),
}


def conventions_page() -> str:
    """Return docs/conventions.md: the answers side by side, each convention, each question."""
    return _join(_conventions_parts())


def measures_page() -> str:
    """Return docs/measures.md: each measure, its text form, and the terms that it takes."""
    return _join(_measures_parts())


def convention_page(convention: Convention) -> str:
    """Return the page of one convention: its answers, what may surprise, where equality is not claimed."""
    return _join(_convention_parts(convention))


def remarks_page() -> str:
    """Return docs/remarks.md: every error and every remark."""
    return _join(_remarks_parts())


def decisions_page() -> str:
    """Return docs/decisions/README.md: every decision by its title."""
    return _join(_decisions_parts())


PAGES: Mapping[str, Callable[[], str]] = {
    "conventions.md": conventions_page,
    "measures.md": measures_page,
    "remarks.md": remarks_page,
    "decisions/README.md": decisions_page,
    "learn/ndcg.html": learner_page,
    **{f"conventions/{named.name}.md": partial(convention_page, named) for named in conventions.NAMED.values()},
}


def _conventions_parts() -> Iterator[str]:
    yield "# Conventions"
    yield GENERATED
    yield (
        "The formula of NDCG leaves questions open. A convention answers all of them, and is named after the tool or\n"
        "the text that answers them so. Every result says under which convention it stands."
    )
    yield (
        "Each is proven against the real tool by `make parity`, which runs it, and has a page of its own. An\n"
        "answer in bold differs from `textbook`. Tools mean different things by the names of measures, such as `map`;\n"
        "its page says what a tool means, and for which measures it was asked. For others a result has the remark\n"
        "`not-proven`."
    )
    yield answers_table().to_markdown()
    yield (
        'Choose one with `--convention NAME` or `convention="NAME"`, and change single answers in parentheses:\n'
        "`trec_eval(missing=zero,ties=average)`. `rankgauge conventions NAME` prints one in full, and\n"
        "`rankgauge conventions JUDGMENTS RANKING` what each says of your data."
    )
    yield "## The questions and their answers"
    for field, question in QUESTIONS.items():
        yield f"### `{field}`"
        yield question.text
        yield meanings(question.answers)


def answers_table() -> Table:
    """Return a row per convention and a column per question; bold where the answer differs from textbook."""
    rows = [
        [f"[{named.name}](conventions/{named.name}.md)", *(_answer(named, field) for field in QUESTIONS)]
        for named in conventions.NAMED.values()
    ]
    return Table(["convention", *QUESTIONS], rows)


def _answer(convention: Convention, field: str) -> str:
    answer = str(convention[field])
    return answer if convention[field] == TEXTBOOK[field] else f"**{answer}**"


def _convention_parts(convention: Convention) -> Iterator[str]:
    yield f"# `{convention.name}`"
    yield GENERATED
    yield convention.summary
    yield "\n".join(
        [
            f"- Reproduces: {convention.reproduces}.",
            f"- Source: {_source(convention)}.",
            f"- Cite: {convention.cite}.",
            *([f"- Proven for: {', '.join(map(_code, convention.proven))}."] if convention.proven else []),
            *(f"- By `{name}` it means `{text}`." for name, text in convention.measures.items()),
        ]
    )
    yield Table(
        ["question", "answer", "meaning"],
        [[QUESTIONS[field].text, _answer(convention, field), convention.meaning(field)] for field in QUESTIONS],
    ).to_markdown()
    yield "An answer in bold differs from [`textbook`](textbook.md). [All conventions](../conventions.md)."
    if convention.quirks:
        yield "What may surprise:"
        yield "\n".join(f"- {quirk}" for quirk in convention.quirks)
    if convention.undefined:
        yield "Equality with the tool is not claimed for"
        yield "\n".join(f"- {UNCLAIMED[data]}: {reason}" for data, reason in convention.undefined.items())


def _code(text: str) -> str:
    return f"`{text}`"


def _source(convention: Convention) -> str:
    """Return where a convention was read, as a link if that is a page of these docs."""
    source = convention.source
    return f"[{source}]({source.replace('docs/', '../')})" if source.startswith("docs/") else source


def _measures_parts() -> Iterator[str]:
    yield "# Measures"
    yield GENERATED
    yield measures_table().to_markdown()
    yield (
        "A measure is typed as a name, terms of its own in parentheses, and a cutoff: `name(term=value,…)@k`. It\n"
        "prints as it is typed, on the command line and in Python. A term that is left out is the\n"
        "[convention](conventions.md)'s; so is what a measure without `@k` cuts. An item is relevant if its grade is\n"
        "positive and reaches `rel`; `relevant=ranked` counts those of the ranking, not all that are judged, and\n"
        "`nothing_relevant=zero` says what a query without one is worth. What users of trec_eval, ir_measures, ranx\n"
        "and torchmetrics type is understood: `ndcg_cut.10`, `P_5`, `P(rel=2)@5`, `recip_rank`, `AP@100`,\n"
        "`hit_rate@10`, `map-l2`, `nDCG(dcg='exp-log2')@10`, `nDCG(gains={1:3},judged_only=True)@10`. `official`,\n"
        "`all_trec` and `set` are the lists of trec_eval. `residual(ndcg@10)` is the lowest and the highest value\n"
        "that unjudged items allow, `ndcg(residual=low)@10` and `ndcg(residual=high)@10`. Where scores are equal and\n"
        "a convention averages over their orders, sums of gains are averaged exactly; the other measures take items\n"
        "with equal scores in the bytewise order of their ids, last first."
    )
    for measure in measures.NAMED.values():
        yield from _measure_parts(measure)
    yield "## The terms"
    for field, (text, answers) in TERMS.items():
        yield f"### `{field}`"
        yield text
        yield meanings(answers)


def measures_table() -> Table:
    """Return a row per measure, its name a link to what the page says of it."""
    rows = [
        [f"[{measure.name}](#{measure.name})", measure.title, measure.formula, measure.cite]
        for measure in measures.NAMED.values()
    ]
    return Table(["measure", "title", "formula", "cite"], rows)


def _measure_parts(measure: Measure) -> Iterator[str]:
    yield f"## `{measure.name}`"
    yield f"{measure.title}."
    yield f"```text\n{measure.formula}\n```"
    lines = [f"- Typed as: {', '.join(f'`{form}`' for form in _forms(measure))}."]
    if measure.aliases:
        lines += [f"- Also known as: {', '.join(f'`{alias}`' for alias in measure.aliases)}."]
    if measure.takes:
        lines += [f"- Takes: {', '.join(f'`{term}`' for term in measure.takes)}."]
    lines += [
        f"- `{number.name}`: {number.means or 'a number'}; default: {number.write(number.default)}."
        for number in measure.parameters
    ]
    if trec_names(measure):
        lines += [
            f"- In trec_eval, and with `--format trec`: {', '.join(f'`{name}`' for name in trec_names(measure))}."
        ]
    if measure.aggregate in AGGREGATES:
        lines += [f"- Over queries: {AGGREGATES[measure.aggregate]}."]
    lines += [f"- Example: {example(measure)}."]
    yield "\n".join([*lines, f"- Cite: {measure.cite}."])


def _forms(measure: Measure) -> list[Measure]:
    forms = [measure, measure @ 10] if measure.takes_cutoff else [measure]
    if "rel" in measure.takes:
        return [*forms, measure(rel=2)]
    return [*forms, measure(gain="exp2") @ 10] if measure.name in ("cg", "dcg", "idcg", "ndcg") else forms


SEVERITIES: Mapping[str, str] = {
    "severe": "the number is probably not the one that was meant; `strict=True` and `--strict` make it an error",
    "caution": "the data has something that may matter",
    "note": "a choice was made, or this is how the number was computed",
}


def _remarks_parts() -> Iterator[str]:
    yield "# What is refused, what is remarked"
    yield GENERATED
    yield (
        "A request or data from which no right number can come is refused with an error. Where a number exists, but\n"
        "something about it must be known, the result carries a remark. [Where the line\n"
        "runs](decisions/0013-errors-and-remarks.md) is a decision of its own."
    )
    yield "## What is remarked"
    yield (
        "`result.remarks` has them in Python, `remarks` in JSON. A table and a page of HTML have them below the\n"
        "numbers; the other formats leave them to stderr. The severity of a remark is one of"
    )
    yield meanings(SEVERITIES)
    yield remarks_table().to_markdown()
    yield "## What is refused"
    yield (
        "In Python an error is a `rankgauge.RankgaugeError`, which is a `ValueError`; its `code` is stable, and its\n"
        "`place` says where: the file and line, or the query and item. On the command line it is one line on stderr\n"
        "and exit code 2. Below, … stands for what the case fills in."
    )
    yield errors_table().to_markdown()


def _decisions_parts() -> Iterator[str]:
    yield "# Decisions"
    yield GENERATED.replace("the declarations", "the pages beside it", 1)
    yield "Each says what was chosen, what else there was, and why."
    pages = sorted(DECISIONS.glob("[0-9]*.md"))
    yield "\n".join(
        f"- [{page.read_text(encoding='utf-8').splitlines()[0].removeprefix('# ')}]({page.name})" for page in pages
    )


def remarks_table() -> Table:
    """Return a row per kind of remark, the severe ones first."""
    kinds = sorted(KINDS.items(), key=lambda item: list(SEVERITIES).index(item[1].severity))
    rows = [[code, kind.severity, _plain(kind.when), _plain(kind.next_step) or "–"] for code, kind in kinds]
    return Table(["remark", "severity", "when", "next step"], rows)


def errors_table() -> Table:
    """Return a row per error."""
    rows = [[code, _filled(problem.text), _filled(problem.hint)] for code, problem in PROBLEMS.items()]
    return Table(["error", "what it says", "hint"], rows)


def _filled(template: str) -> str:
    """Return the wording of an error with … for what the case fills in.

    >>> _filled("expected {expected}, got {got!r}")
    'expected …, got …'
    """
    unseen = (None, "nearest")  # "did you mean …?" is there only where a name is near
    parts = (text + ("" if field in unseen else "…") for text, field, _, _ in Formatter().parse(template))
    wording = _plain("".join(parts))
    return "as the case needs" if wording == "…" else wording


def _plain(text: str) -> str:
    """Return a text without the marks of code, which a cell of a table would show."""
    return text.replace("`", "")


def meanings(answers: Mapping[str, str]) -> str:
    """Return a list of answers with what each means."""
    return "\n".join(f"- `{answer}`: {meaning}" for answer, meaning in answers.items())


def _join(parts: Iterator[str]) -> str:
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (FOLDER / name).parent.mkdir(exist_ok=True)
        (FOLDER / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
