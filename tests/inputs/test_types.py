"""A type checker accepts what can be read and names that exist, and refuses anything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]

# A line that ends with `# refused` must have an error, and no other line may have one.
CALLS = """
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import rankgauge as rg

mapping = {"q1": {"d1": 1.0}}
table = {"query": ["q1"], "item": ["d1"], "grade": [1.0]}
array = np.array([[1.0, 0.0]])

rg.evaluate(mapping, {"q1": ["d1"]})
rg.evaluate({1: {7: 3}}, {1: [7, 8]}, "ndcg@10")
rg.evaluate(Path("qrels.txt"), "run.txt")
rg.evaluate(pd.DataFrame(table), pl.DataFrame(table))
rg.evaluate(pl.LazyFrame(table), pa.table(table))
rg.evaluate(duckdb.connect().table("grades"), rg.read_ranking("run.txt", lazy=True))
rg.evaluate([{"d1": 1.0}], [["d1"]])
rg.evaluate({"d1", "d2"}, ["d1"])
rg.evaluate([3, 2, 0])
rg.evaluate(rg.read_judgments(mapping, annotation="subtopic"), mapping)
rg.evaluate(rg.grading.ratings(pd.DataFrame(table)), mapping)
rg.evaluate_arrays(array, array, groups=[1, 1])
rg.evaluate_arrays([[1, 0]], [[0.5, 0.1]])
rg.evaluate_arrays(pl.Series([1.0]), pd.Series([1.0]), groups=pa.array([1]))

rg.evaluate(42, object())  # refused
rg.evaluate(mapping, 42)  # refused
rg.evaluate(None, mapping)  # refused
rg.evaluate(mapping, open)  # refused
rg.read_judgments(3.5)  # refused
rg.read_judgments(mapping, annotation="subtopics")  # refused
rg.read_ranking(object())  # refused
rg.read_ranking("run.txt", lazy="yes")  # refused
rg.evaluate_arrays(42, array)  # refused
rg.evaluate_arrays(array, object())  # refused
"""

# Names that exist, and the same misspelt.
NAMES = """
import rankgauge as rg

comparison: rg.Comparison
result: rg.Result = rg.evaluate([3, 2, 0], measures=rg.measures.NDCG @ 10)
value: float = rg.ndcg([3, 2, 0])
rg.grading.ratings("ratings.csv").frame
rg.conventions.compare, rg.grading.returns, rg.stocks.study, rg.sql.query_of

misspelt: rg.Comparisn  # refused
rg.evalute(42)  # refused
rg.ndgc([3, 2, 0])  # refused
rg.measures.NDGC  # refused
rg.conventions.comparee  # refused
rg.grading.retruns  # refused
rg.stocks.studdy  # refused
rg.sql.query_off  # refused
rg.grading.ratings("ratings.csv").fram  # refused
"""


@pytest.mark.parametrize("code", [CALLS, NAMES], ids=["inputs", "names"])
def test_type_checker_refuses_wrong_inputs_and_names_alone(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "calls.py"
    file.write_text(code, encoding="utf-8")
    monkeypatch.setenv("MYPYPATH", str(ROOT / "src"))
    printed, failed, _ = api.run([f"--config-file={ROOT / 'pyproject.toml'}", "--show-error-codes", str(file)])
    assert failed == "", failed
    errors = [line for line in printed.splitlines() if ": error: " in line]
    refused = {int(line.split(":")[1]) for line in errors}
    expected = {number for number, line in enumerate(code.splitlines(), start=1) if line.endswith("# refused")}
    assert refused == expected, printed
