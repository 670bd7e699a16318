"""Judgments with propensities or positions: files give the same numbers as frames, and name what is no number."""

from __future__ import annotations

import math
from pathlib import Path

import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

FRAME = pl.DataFrame({"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "grade": [1, 0, 1]})
RANKING = {"q1": ["b", "a"], "q2": ["d", "c"]}
# Both relevant items are at rank 2.
AT_SECOND = 1 / math.log2(3)


def written(frame: pl.DataFrame, path: Path) -> Path:
    if path.suffix == ".jsonl":
        frame.write_ndjson(path)
    elif path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path, separator="\t" if path.suffix == ".tsv" else ",")
    return path


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
@pytest.mark.parametrize(
    ("role", "numbers", "weights"), [("propensity", [0.5, 0.25, 1.0], (2, 1)), ("position", [1, 2, 3], (1, 3))]
)
def test_click_measure_of_a_file_weighs_by_its_column(
    suffix: str, role: str, numbers: list[float], weights: tuple[float, float], tmp_path: Path
) -> None:
    frame = FRAME.with_columns(pl.Series(role, numbers))
    result = rg.evaluate(written(frame, tmp_path / f"judged{suffix}"), RANKING, "ips_dcg@5")
    assert result["ips_dcg@5"] == pytest.approx(AT_SECOND * sum(weights) / 2)
    assert result["ips_dcg@5"] == rg.evaluate(frame, RANKING, "ips_dcg@5")["ips_dcg@5"]


def test_click_measure_of_a_file_refuses_a_propensity_that_is_no_number(tmp_path: Path) -> None:
    path = tmp_path / "judged.csv"
    path.write_text("query,item,grade,propensity\nq1,a,1,0.5\nq1,b,1,often\n", encoding="utf-8")
    with pytest.raises(RankgaugeError, match="often") as caught:
        rg.evaluate(path, RANKING, "ips_dcg@5")
    assert "judged.csv:3" in str(caught.value)
