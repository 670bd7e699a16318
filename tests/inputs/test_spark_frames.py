"""Frames of pandas on Spark stand for the DataFrame that they wrap: on classes that have the names of Spark's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rankgauge.data.ranking import score_remarks
from rankgauge.grading.source import open_table
from rankgauge.inputs import both_sides, frames, frames_of_spark, unwrapped
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.inputs.spark_frames import is_pandas_api, is_spark, without_pandas_api


def frame(module: str, **attributes: Any) -> Any:
    return type("DataFrame", (), {"__module__": module, **attributes})()


WRAPPED = frame("pyspark.sql.classic.dataframe")
PANDAS_API = frame("pyspark.pandas.frame", spark=SimpleNamespace(frame=lambda: WRAPPED), index=None, ndim=2)


@pytest.mark.parametrize("module", ["pandas.core.frame", "pyspark.sql.connect.dataframe", "polars.dataframe.frame"])
def test_other_frames_stay_as_they_are(module: str) -> None:
    other = frame(module)
    assert not is_pandas_api(other)
    assert without_pandas_api(other) is other


def test_pandas_on_spark_is_the_frame_that_it_wraps() -> None:
    assert is_pandas_api(PANDAS_API)
    assert not is_spark(PANDAS_API)
    assert frames.is_frame(PANDAS_API)
    assert unwrapped(PANDAS_API, None, "ranking") == (WRAPPED, None)
    assert frames_of_spark([PANDAS_API, {"q1": ["d1"]}]) == [WRAPPED]
    assert both_sides(PANDAS_API, PANDAS_API, ReadingOptions())[:2] == (WRAPPED, WRAPPED)


def test_grader_opens_the_frame_that_pandas_on_spark_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []

    def open_native(native: object, *_: object) -> tuple[Any, dict[str, Any]]:
        opened.append(native)
        return SimpleNamespace(), {}

    monkeypatch.setattr("rankgauge.grading.source._opened", open_native)
    open_table(PANDAS_API, "actions")
    assert opened == [WRAPPED]


def test_order_of_a_ranking_without_scores_names_its_column() -> None:
    (remark,) = score_remarks(scored=False, order="at")
    assert str(remark) == "order: no column of scores or ranks, so items are ranked in the order of 'at'"
    assert score_remarks(scored=True, order="at") == ()
