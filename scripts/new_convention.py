"""Write everything that a new convention needs, except its answers and how its tool is asked.

    python scripts/new_convention.py my-tool --field recommenders --package my-tool --version 1.2.0

It writes the literal, an adapter that asks the tool, and a row of worked examples. The convention is known at once:
`rankgauge conventions` lists it, with the answers of `textbook`. Its tests fail until what is marked FILL IN, in the
files that are printed, is filled in. Then run `make docs` and `make check`.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scaffold import ROOT, append, constant_of, report, require_name, stop

FILL_IN: Final = "FILL IN"
FIELDS: Final = ("search", "learning_to_rank", "recommenders")


@dataclass(frozen=True)
class NewConvention:
    """A convention by its name, the field of its tool, and the tool."""

    name: str
    field: str
    package: str
    version: str

    @property
    def module(self) -> str:
        """The adapter's module; a tool may have several conventions, and then has one adapter already."""
        return self.package.replace("-", "_").lower()

    def literal(self) -> str:
        """Return the literal; answers that it leaves out are those of `textbook`."""
        return (
            f"{constant_of(self.name)}: Final = Convention(\n"
            f'    name="{self.name}",\n'
            f'    summary="{FILL_IN}: what it answers, in one sentence.",\n'
            '    proven=("ndcg",),\n'
            f'    reproduces="{self.package} {self.version}, {FILL_IN}: the function",\n'
            f'    source="{FILL_IN}: the files in which it was read",\n'
            f'    cite="{FILL_IN}: author, year, title, venue",\n'
            ")\n"
        )

    def adapter(self) -> str:
        """Return the module that asks the tool."""
        return f'''"""{self.package}: {FILL_IN}, the function that is asked."""

from __future__ import annotations

from tests.parity.adapter import Adapter, Printed
from tests.parity.cases import Case


def ask(case: Case, k: int | None) -> Printed:
    """Ask the tool; it never computes anything itself."""
    raise NotImplementedError(f"{FILL_IN}: what {self.package} says of {{case.name}} at {{k}}")


ADAPTERS = [Adapter(convention="{self.name}", package="{self.package}", ask=ask)]
'''

    def golden(self) -> str:
        """Return the worked example."""
        return (
            "[[case]]\n"
            f'name = "{self.name}: candies"\n'
            "judgments.q = { a = 2, b = 3, c = 0, d = 0, e = 1 }\n"
            "ranking.q = { a = 5, b = 4, c = 3, d = 2, e = 1 }\n"
            'measure = "ndcg@5"\n'
            "[case.values]\n"
            f'"{FILL_IN}" = ["{self.name}"]\n'
        )


def check(convention: NewConvention) -> None:
    """Stop if the name is known, or if the tool has an adapter."""
    from rankgauge.conventions import NAMED

    require_name(convention.name, "[a-z][a-z0-9_-]*", "my-tool")
    if convention.name in NAMED:
        stop(f"{convention.name} is a convention already: {NAMED[convention.name].summary}")
    if _adapter_file(convention).exists():
        path = _adapter_file(convention).relative_to(ROOT)
        stop(f"{path} asks this tool already: add an Adapter there, and the literal by hand")


def write(convention: NewConvention) -> dict[Path, str]:
    """Write into all files, and return what is left to do in each."""
    declared = ROOT / "src/rankgauge/conventions" / f"{convention.field}.py"
    golden, adapter = ROOT / "tests/golden/conventions.toml", _adapter_file(convention)
    append(declared, convention.literal())
    append(golden, convention.golden())
    adapter.write_text(convention.adapter(), encoding="utf-8")
    return {
        declared: "its answers where they differ from textbook, summary, source and citation",
        golden: "the value of the last case as an expression, or its name under a value of the first case",
        adapter: "how the tool is asked; what it cannot be asked",
        ROOT / "pyproject.toml": f"{convention.package}=={convention.version} in the group test",
        ROOT / "tests/parity/environments.py": "an environment instead, if it cannot be installed beside the tests",
    }


def _adapter_file(convention: NewConvention) -> Path:
    return ROOT / "tests/parity/tools" / f"{convention.module}.py"


def read_arguments() -> NewConvention:
    """Return the convention that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", help="how it is typed: lower case, such as my-tool")
    parser.add_argument("--field", required=True, choices=FIELDS, help="the file that it goes into")
    parser.add_argument("--package", help="the tool's distribution on PyPI; default: the name")
    parser.add_argument("--version", default=FILL_IN, help="the version that is reproduced")
    given = parser.parse_args()
    return NewConvention(given.name, given.field, given.package or given.name, given.version)


def main() -> None:
    """Check the name, write, and say what is left to fill in."""
    convention = read_arguments()
    check(convention)
    report(write(convention))


if __name__ == "__main__":
    main()
