"""Start-up: commands on small files load no library that they do not need."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
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
print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
RUN = "from rankgauge.cli.app import run; assert run(sys.argv[1:]) == 0"


def modules_of(work: str, *arguments: str) -> set[str]:
    """The modules that some work loads in a process of its own."""
    command = [sys.executable, "-c", SCRIPT.format(work=work), *arguments]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=unmeasured())
    modules: list[str] = json.loads(done.stderr.splitlines()[-1])
    return set(modules)


def loaded(work: str, *arguments: str) -> set[str]:
    return {name for name in modules_of(work, *arguments) if "." not in name}


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


IN_MEMORY = "import rankgauge as rg; rg.evaluate({'q1': {'d1': 2, 'd2': 1}}, {'q1': ['d2', 'd1']}, 'ndcg@10')"


def loaded_of_ours(work: str, *arguments: str) -> set[str]:
    prefix = "rankgauge."
    return {name.removeprefix(prefix) for name in modules_of(work, *arguments) if name.startswith(prefix)}


def modules_of_ours(*names: str) -> set[str]:
    """The names, all of which are modules: one that was renamed would be absent whatever is loaded."""
    assert not [name for name in names if find_spec(f"rankgauge.{name}") is None]
    return set(names)


def test_evaluate_of_trec_files_loads_no_module_that_it_does_not_need(files: Files) -> None:
    unneeded = modules_of_ours(
        *("cli.gate_verdicts", "cli.spark", "cli.trec_eval_output", "engines.spark", "errors.catalogue"),
        *("data.common_items", "inputs.cases", "inputs.column_choice", "inputs.delimited", "inputs.library_objects"),
        *("inputs.missing_header", "inputs.roles", "inputs.types", "languages.ko", "measures.at_level"),
        *("presentation.whole_file", "results.comparison", "results.light_evaluation", "results.mean_rows"),
        *("results.per_query", "scalars", "scale", "shared_keywords"),
    )
    assert loaded_of_ours(RUN, "evaluate", *map(str, files)).isdisjoint(unneeded)


def test_evaluate_for_programs_loads_nothing_that_shows_tables(files: Files) -> None:
    of_tables = modules_of_ours(
        *("cli.terminal", "presentation.ids", "presentation.parts", "presentation.table", "presentation.text")
    )
    assert loaded_of_ours(RUN, "evaluate", *map(str, files), "--format", "json").isdisjoint(of_tables)


def test_evaluate_of_mappings_loads_no_module_that_it_does_not_need() -> None:
    unneeded = modules_of_ours(
        *("cli", "inputs.file_sets", "inputs.files", "inputs.formats", "inputs.library_objects", "presentation.ids"),
        *("presentation.parts", "presentation.table", "results.remarks", "scalars", "scale", "shared_keywords"),
        "statistics.intervals",
    )
    assert loaded_of_ours(IN_MEMORY).isdisjoint(unneeded)


def test_start_loads_few_modules_of_ours(files: Files) -> None:
    # Each takes about 0.05 ms, and one with a dataclass or a named tuple more; what some verbs need loads with them.
    assert len(loaded_of_ours(RUN, "evaluate", *map(str, files), "--format", "json")) <= 80
    assert len(loaded_of_ours(IN_MEMORY)) <= 56
