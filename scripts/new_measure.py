"""Write everything that a new measure needs, except its formula.

    python scripts/new_measure.py first_rank --family counted --title "Rank of the first relevant item"

It writes the declaration, the function of the reference engine and that of the Rust core, a row of worked examples and
a test; a sum of gains needs no functions. The measure is known at once: `rankgauge measures` lists it. Its tests fail
until what is marked FILL IN, in the files that are printed, is filled in. Then run `make docs` and `make check`.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scaffold import LINE_LENGTH, ROOT, append, constant_of, insert_before, report, require_name, stop

FILL_IN: Final = "FILL IN"


@dataclass(frozen=True)
class Family:
    """A family, and the input of a measure's function in each engine, if measures of the family have functions."""

    name: str
    declares: str
    # The field of the declaration that names the function, or that says what is summed.
    field: str
    # The first parameter of the function: its name, and its class in the reference engine and in the core.
    subject: str = ""
    reference_class: str = ""
    core_class: str = ""
    judgments: str = "{ a = 3, b = 0, c = 1 }"

    @property
    def rust_file(self) -> Path:
        """The first file of the family in the core that has a table of functions with a row per line."""
        folder = ROOT / "crates" / "core" / "src" / "measures"
        files = [folder / f"{self.name}.rs", *sorted((folder / self.name).glob("*.rs"))]
        tables = [file for file in files if file.exists() and re.search(TABLE, file.read_text(encoding="utf-8"))]
        return tables[0]


TABLE: Final = r"const FUNCTIONS: &\[\(&str, Function\)\] = &\[\n"
SUBTOPICS: Final = "{ a = { price = 1, speed = 1 }, b = { price = 0 }, c = { speed = 1 } }"
FAMILIES: Final = {
    family.name: family
    for family in (
        Family("gains", "Gains", "sums"),
        Family("counted", "Counted", "counts", "query", "QueryGrades", "RelevantRanks"),
        Family("graded", "Graded", "grades", "gained", "Gained", "Gained"),
        Family("diversity", "Diversity", "covers", "aspects", "Aspects", "Aspects", SUBTOPICS),
    )
}
# Families whose measures are too few for a template, and what to do instead.
BY_HAND: Final = {
    "clicks": "add a literal to src/rankgauge/measures/clicks.py; if its formula is another than the sum there, change "
    "`value` in src/rankgauge/engines/reference/clicks.py and crates/core/src/measures/clicks.rs",
    "coverage": "add a literal to src/rankgauge/measures/coverage.py, and what merges over queries to "
    "src/rankgauge/engines/reference/coverage.py and crates/core/src/measures/coverage.rs",
    "letters": "add a literal to src/rankgauge/measures/letters.py; the engines need nothing",
}


@dataclass(frozen=True)
class NewMeasure:
    """A measure by its name and its family, with what is known of it already."""

    name: str
    family: Family
    title: str
    formula: str
    cite: str

    @property
    def function(self) -> str:
        """The name by which each engine finds the function."""
        return self.name.replace("_", "-")

    def declaration(self) -> str:
        """Return the literal of the file of the family."""
        return (
            f"{constant_of(self.name)}: Final = {self.family.declares}(\n"
            f'    name="{self.name}",\n'
            f'    {self.family.field}="{self.function if self.family.subject else "ranked"}",\n'
            f'    title="{self.title}",\n'
            f'    formula="{self.formula}",\n'
            f'    cite="{self.cite}",\n'
            ")\n"
        )

    def reference(self) -> str:
        """Return the function of the reference engine."""
        subject = self.family.subject
        parameters = f"{subject}: {self.family.reference_class}, measure: {self.family.declares}, k: int"
        return (
            f"def {self.name}({parameters}) -> float:\n"
            f'    """{self.formula}."""\n'
            f'    raise NotImplementedError(f"{FILL_IN}: the formula of {{measure}} at {{k}}, of {{{subject}}}")\n'
            "\n\n"
        )

    def rust(self) -> str:
        """Return the function of the core; until it is filled in, a query has no value."""
        subject = f"_{self.family.subject}: &{self.family.core_class}"
        return (
            f"/// {self.formula}\n"
            f"fn {self.name}({subject}, _k: usize, _numbers: &[f64]) -> f64 {{\n"
            f"    f64::NAN // {FILL_IN}: the formula\n"
            "}\n\n"
        )

    def golden(self) -> str:
        """Return the worked example."""
        return (
            "[[case]]\n"
            f'measure = "{self.name}@3"\n'
            f"judgments = {self.family.judgments}\n"
            'ranking = ["b", "a", "x", "c"]\n'
            f'value = "{FILL_IN}"\n'
        )

    def test(self) -> str:
        """Return a test of what the worked example does not show."""
        return f'''"""{self.title}."""

from __future__ import annotations

from typing import Literal

import pytest
from tests.golden.test_measures import judgments_of

import rankgauge as rg

FILL_IN = None  # the value of a query in which nothing that is ranked is relevant, as its paper or a library has it


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_{self.name}_with_nothing_relevant_ranked_equals_the_paper(engine: Literal["native", "reference"]) -> None:
    judgments = judgments_of({self.judged()})
    result = rg.evaluate(judgments, {{"q": ["x", "b"]}}, "{self.name}@3", engine=engine)
    assert result.per_query["{self.name}@3"]["q"] == pytest.approx(FILL_IN)
'''

    def judged(self) -> str:
        """Return the judgments of the worked example as Python writes them."""
        return re.sub(r"(\w+) = ", r'"\1": ', self.family.judgments).replace("{ ", "{").replace(" }", "}")


def check(measure: NewMeasure) -> None:
    """Stop if the name is known, or if the reference engine has a function of that name."""
    from rankgauge.measures import KNOWN

    require_name(measure.name, "[a-z][a-z0-9_]*", "first_rank")
    if measure.name in KNOWN:
        stop(f"{measure.name} is a measure already: {KNOWN[measure.name].title}")
    if not measure.family.subject:
        return
    for file, start in ((_reference_file(measure.family), "def"), (measure.family.rust_file, "fn")):
        if f"{start} {measure.name}(" in file.read_text(encoding="utf-8"):
            stop(f"{file.relative_to(ROOT)} has a function {measure.name} already; choose another name")


def write(measure: NewMeasure) -> dict[Path, str]:
    """Write into all files, and return what is left to do in each."""
    declared, golden = (
        ROOT / "src/rankgauge/measures" / f"{measure.family.name}.py",
        ROOT / "tests/golden/measures.toml",
    )
    test = ROOT / "tests/measures" / f"test_{measure.name}.py"
    append(declared, measure.declaration())
    export(measure)
    functions = write_functions(measure) if measure.family.subject else {}
    append(golden, measure.golden())
    test.write_text(measure.test(), encoding="utf-8")
    return {
        declared: "title, formula and citation; parameters and what else is not the default",
        **functions,
        golden: "the value of the last case, as an expression",
        test: "the value of a query in which nothing relevant is ranked",
    }


def write_functions(measure: NewMeasure) -> dict[Path, str]:
    """Write the function of each engine, and return what is left to do in their files."""
    engine, core = _reference_file(measure.family), measure.family.rust_file
    insert_before(engine, "FORMULAS: Final", measure.reference())
    insert_before(engine, "}", f'    "{measure.function}": {measure.name},\n', after="\nFORMULAS: Final")
    insert_before(core, "];", f'    ("{measure.function}", {measure.name}),\n', after="const FUNCTIONS")
    insert_before(core, "#[cfg(test)]", measure.rust())
    return {
        engine: f"the function {measure.name}, as the formula reads",
        core: f"the function {measure.name}, fast",
    }


def export(measure: NewMeasure) -> None:
    """Add the measure to the names of `rankgauge.measures`."""
    path = ROOT / "src/rankgauge/measures/__init__.py"
    text = path.read_text(encoding="utf-8")
    imported = re.compile(rf"( +from rankgauge\.measures\.{measure.family.name} import )(\([^)]*\)|[^\n]*)")
    text = imported.sub(lambda match: _import(match[1], [*_names(match[2]), constant_of(measure.name)]), text)
    listed = re.compile(r"__all__ = \[(.*?)\]", re.DOTALL)
    text = listed.sub(lambda match: _listing([*_names(match[1]), constant_of(measure.name)]), text)
    path.write_text(text, encoding="utf-8")


def _names(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _kind(name: str) -> int:
    """Constants come first, then classes, then functions, as ruff sorts them."""
    return 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2


def _import(start: str, names: list[str]) -> str:
    names = sorted(names, key=lambda name: (_kind(name), name.lower()))
    line = start + ", ".join(names)
    if len(line) <= LINE_LENGTH:
        return line
    return start + "(\n" + "".join(f"        {name},\n" for name in names) + "    )"


def _listing(names: list[str]) -> str:
    names = sorted(names, key=lambda name: (_kind(name), name))
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]"


def _reference_file(family: Family) -> Path:
    return ROOT / "src/rankgauge/engines/reference" / f"{family.name}.py"


def read_arguments() -> NewMeasure:
    """Return the measure that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="how it is typed: lower case, such as first_rank")
    families = [*FAMILIES, *BY_HAND]
    parser.add_argument("--family", required=True, choices=families, help="what it looks at; see CONTRIBUTING.md")
    parser.add_argument("--title", default=f"{FILL_IN}: the title", help="what it is called in a list")
    parser.add_argument("--formula", default=f"{FILL_IN}: the formula", help="in one line of text")
    parser.add_argument("--cite", default=f"{FILL_IN}: author, year, title, venue", help="who defined it")
    given = parser.parse_args()
    if given.family in BY_HAND:
        stop(f"measures of {given.family} are written by hand: {BY_HAND[given.family]}")
    return NewMeasure(given.name, FAMILIES[given.family], given.title, given.formula, given.cite)


def main() -> None:
    """Check the name, write, and say what is left to fill in."""
    measure = read_arguments()
    check(measure)
    report(write(measure))


if __name__ == "__main__":
    main()
