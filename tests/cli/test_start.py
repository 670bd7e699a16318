"""Start-up: commands on small files load no library that they do not need."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from tests.program import unmeasured

if TYPE_CHECKING:
    from tests.cli.conftest import Files

HEAVY = ("numpy", "pandas", "polars", "pyarrow", "rich", "scipy", "narwhals", "duckdb", "pyspark", "sqlglot")
SCRIPT = """
import json, sys
{work}
sys.stdout.flush()
print(json.dumps(sorted(name for name in sys.modules if "." not in name)), file=sys.stderr)
"""
RUN = "from rankgauge.cli.app import run; assert run(sys.argv[1:]) == 0"


def loaded(work: str, *arguments: str) -> set[str]:
    command = [sys.executable, "-c", SCRIPT.format(work=work), *arguments]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=unmeasured())
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(modules)


@pytest.mark.parametrize(
    "switches",
    [[], ["--per-query"], ["--format", "json"], ["--format", "trec"], ["--format", "csv"], ["--format", "markdown"]],
    ids=" ".join,
)
def test_evaluate_of_trec_files_loads_no_heavy_library(files: Files, switches: list[str]) -> None:
    assert loaded(RUN, "evaluate", *map(str, files), *switches).isdisjoint(HEAVY)


def test_explain_of_trec_files_loads_no_heavy_library(files: Files) -> None:
    assert loaded(RUN, "explain", *map(str, files), "--query", "q1").isdisjoint(HEAVY)


@pytest.mark.parametrize("arguments", [["conventions"], ["demo"], ["completion", "zsh"]], ids=" ".join)
def test_commands_without_data_load_no_heavy_library(arguments: list[str]) -> None:
    assert loaded(RUN, *arguments).isdisjoint(HEAVY)


def test_help_of_sql_loads_no_heavy_library() -> None:
    assert loaded(RUN, "sql", "--help").isdisjoint(HEAVY)


def test_import_of_the_package_loads_no_heavy_library() -> None:
    assert loaded("import rankgauge").isdisjoint((*HEAVY, "click"))


def test_import_of_evaluate_does_not_load_json() -> None:
    script = "import sys, rankgauge.cli.app, rankgauge.cli.evaluate; sys.exit('json' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False, env=unmeasured()).returncode == 0


@pytest.mark.parametrize("command", [["evaluate"], ["explain", "--query", "q1"]], ids=lambda words: words[0])
def test_commands_of_trec_files_load_no_other_reader(files: Files, command: list[str]) -> None:
    readers = {"csv", "json", "sqlite3", "duckdb"}
    code = f"import sys; {RUN}; sys.stdout.flush(); sys.exit(' '.join({readers} & set(sys.modules)) or 0)"
    arguments = [sys.executable, "-c", code, *command, *map(str, files)]
    done = subprocess.run(arguments, capture_output=True, check=False, env=unmeasured())
    assert (done.returncode, done.stderr) == (0, b"")


def test_evaluate_of_trec_files_loads_few_modules_of_python(files: Files) -> None:
    unneeded = {"bz2", "csv", "fractions", "lzma", "pathlib", "random", "shutil", "subprocess", "tempfile", "urllib"}
    assert loaded(RUN, "evaluate", *map(str, files)).isdisjoint(unneeded)


def test_import_of_the_package_loads_no_reader() -> None:
    code = "import sys, rankgauge; sys.exit(' '.join({'csv', 'json', 'sqlite3', 'tempfile'} & set(sys.modules)) or 0)"
    assert subprocess.run([sys.executable, "-c", code], check=False, env=unmeasured()).returncode == 0


def test_evaluate_of_trec_files_loads_no_module_that_it_does_not_need(files: Files) -> None:
    unneeded = {
        *("cli.spark", "cli.trec", "engines.spark", "errors.catalogue", "languages.ko", "results.comparison"),
        *("data.common_items", "inputs.column_choice", "inputs.headless", "inputs.objects", "inputs.types"),
        *("measures.at_level", "results.light_evaluation", "results.mean_rows", "results.per_query"),
    }
    code = (
        f"import sys; {RUN}; sys.stdout.flush(); "
        f"sys.exit(' '.join(name for name in {unneeded} if f'rankgauge.{{name}}' in sys.modules) or 0)"
    )
    arguments = [sys.executable, "-c", code, "evaluate", *map(str, files)]
    done = subprocess.run(arguments, capture_output=True, check=False, env=unmeasured())
    assert (done.returncode, done.stderr) == (0, b"")
