"""Errors that name a keyword of Python: the command line names the switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rankgauge.cli.keywords import as_switches
from rankgauge.engines.spark import Side, require_order
from rankgauge.errors import RankgaugeError
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs.roles import Roles
from rankgauge.request import Request

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run


def test_order_and_engine_of_a_cluster_are_switches() -> None:
    side = Side(None, Roles("query", "item", "score", descending=True))
    with pytest.raises(RankgaugeError) as caught:
        require_order(Request.of("ndcg", "textbook"), side)
    said = as_switches(str(caught.value))
    assert said.startswith("expected --order COLUMN on a cluster, whose rows have no order, got none")
    assert "or --engine native, which brings" in as_switches(str(RankgaugeError("values-on-cluster")))
    expected = "the column 'place', which order= names,"
    assert "which --order names, on" in as_switches(
        str(RankgaugeError("not-on-cluster", expected=expected, got="none"))
    )


def test_memory_on_spark_is_refused_by_the_name_of_its_switch() -> None:
    with pytest.raises(RankgaugeError) as caught:
        ExecutionOptions(engine="spark", memory=1).on_cluster([{}, {}])
    said = as_switches(str(caught.value))
    assert "got --memory. Hint: give what is expected, or evaluate on this machine with --engine native." in said


@pytest.mark.parametrize(
    "data", ["data/memory=8/part.parquet", "'engine='native'x'", "memory='8GB' in Python", "reorder= them"]
)
def test_other_words_are_left_alone(data: str) -> None:
    assert as_switches(f"{data}: expected a file") == f"{data}: expected a file"


def test_program_prints_switches(run: Run, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RankgaugeError("no-queries")

    monkeypatch.setattr("rankgauge.cli.evaluate.evaluate_request", refuse)
    assert "Hint: give more --memory if they did not fit;" in run("evaluate", *files).refusal()
