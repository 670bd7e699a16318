from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from tests.grading.library_tables import rows_of
from tests.remarks import lines

from rankgauge.errors import RankgaugeError
from rankgauge.grading.actions import actions

ROWS = [("1", "007", "view", "2026-01-01 00:00:00"), ("1", "007", "click", "2026-01-02"), ("2", "8", "", "2026-01-03")]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet"])
def test_actions_files_are_read(tmp_path: Path, suffix: str) -> None:
    names = ("user_id", "item_id", "event", "timestamp")
    path = tmp_path / f"log.{suffix}"
    if suffix == "parquet":
        table = pl.DataFrame([{**dict(zip(names, row, strict=True)), "event": row[2] or None} for row in ROWS])
        table.write_parquet(path)
    elif suffix == "jsonl":
        lines = [{**dict(zip(names, row, strict=True)), "event": row[2] or None} for row in ROWS]
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    else:
        mark = "," if suffix == "csv" else "\t"
        path.write_text("\n".join(map(mark.join, [names, *ROWS])), encoding="utf-8")
    frame, audit = actions(path, half_life=1)
    assert [tuple(row.values()) for row in rows_of(frame)] == [("1", "007", 0.5), ("2", "8", 0.0)]
    assert (audit.rows, audit.kept) == (3, 2)


def test_actions_file_of_unix_times_decays(tmp_path: Path) -> None:
    path = tmp_path / "events.csv"
    text = "timestamp,visitorid,event,itemid,quantity\n1433221332117,1,view,7,\n1433221332017,1,addtocart,8,2\n"
    path.write_text(text, encoding="utf-8")
    frame, audit = actions(path, half_life=100, columns={"query": "visitorid", "item": "itemid", "weight": "quantity"})
    assert [tuple(row.values()) for row in rows_of(frame)] == [("1", "7", 1.0), ("1", "8", 2.0)]
    assert "decay: a grade halves each 100 in the units of 'timestamp' before 1433221332117" in lines(audit.remarks)


def test_actions_file_with_unreadable_times_raises(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("user,item,action,time\n1,7,click,2026-01-01\n1,8,click,01/02/2026\n", encoding="utf-8")
    with pytest.raises(RankgaugeError, match="01/02/2026") as error:
        actions(path, combine="last")
    assert error.value.code == "bad-date"
    assert len(rows_of(actions(path).frame)) == 2


def test_actions_file_without_header_takes_column_names(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("1,007,click\n1,8,view\n", encoding="utf-8")
    frame, _ = actions(path, columns=["user", "item", "action"])
    assert [tuple(row.values()) for row in rows_of(frame)] == [("1", "007", 1.0), ("1", "8", 0.0)]
