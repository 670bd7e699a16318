"""The engine on a real Spark, in a process of its own: Spark forks to start Java, which JAX forbids."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.required_programs import require_program


def run(module: str, *arguments: str) -> str:
    require_program("java", "openjdk-17-jre-headless")
    root = Path(__file__).parents[3]
    command = [sys.executable, "-W", "error", "-m", f"tests.engines.spark.{module}", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(
            [
                "partitions",
                "first_faults",
                "values",
                "local_sides",
                "batch_limit",
                "ranks",
                "odd_rows",
                "subtopics",
                "common_items",
                "sizes",
                "skewed",
            ],
            id="partitions, values and sides",
        ),
        pytest.param(["comparisons", "faults_of_runs", "many_queries", "orders"], id="runs and orders"),
        pytest.param(
            ["id_types", "annotated", "many_partitions", "longest", "runs_of_every_kind"],
            id="types, annotations and long queries",
            marks=pytest.mark.full,
        ),
    ],
)
def test_spark_gives_the_bits_of_this_machine(names: list[str]) -> None:
    assert run("on_spark", *names).split() == names


def test_killed_executor_changes_no_bit() -> None:
    assert run("on_cluster") == "the same bits\n"


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["values", "local_sides", "batch_limit", "comparison"], id="values and sides"),
        pytest.param(
            ["command", "partitions", "first_faults", "odd_rows", "orders", "faults_of_runs", "many_queries"],
            id="commands, partitions, errors and orders",
            marks=pytest.mark.full,
        ),
    ],
)
def test_spark_connect_gives_the_bits_of_this_machine(names: list[str]) -> None:
    assert run("on_connect", *names).split() == names
