from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from datetime import date
from typing import Any

import pandas as pd
import polars as pl
import pytest
from tests.remarks import lines

import rankgauge as rg
from rankgauge.grading.audited import Audit, Audited, refusals
from rankgauge.grading.ratings import ratings
from rankgauge.languages import Text
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark

DAYS = [date(2026, 1, day) for day in range(1, 10)]
REFUSED = dict.fromkeys(DAYS[2:], "too late")
AUDIT = Audit(
    "returns",
    rows=1234,
    dropped={"no price": 1000, "no date or ticker": 0, "a reason": 200},
    kept=34,
    grades={0.0: 20, 1.0: 13, 2.5: 1},
    remarks=(Remark.of("price", Text("column 'close'")), *refusals(REFUSED)),
    items={DAYS[0]: 11, DAYS[1]: 23},
    bins={DAYS[1]: {1.0: 13, 0.0: 10}, DAYS[0]: {0.0: 10, 2.5: 1}},
    refused=REFUSED,
)


def test_audit_printed_is_a_table_with_remarks() -> None:
    assert str(AUDIT) == repr(AUDIT)
    assert [line.rstrip() for line in str(AUDIT).splitlines()] == [
        "returns            rows",
        "rows in            1234",
        "dropped: no price  1000",
        "dropped: a reason   200",
        "graded               34",
        "  grade 0            20",
        "  grade 1            13",
        "  grade 2.5           1",
        "",
        "price: column 'close'",
        "refused: 7 dates (2026-01-03, 2026-01-04, 2026-01-05, 2026-01-06, 2026-01-07, …): too late",
    ]


def test_audit_few_refused_dates_are_listed_by_reason() -> None:
    refused = {DAYS[2]: "late", DAYS[0]: "few", DAYS[1]: "late"}
    assert lines(refusals(refused)) == [
        "refused: 2 dates (2026-01-02, 2026-01-03): late",
        "refused: 1 date (2026-01-01): few",
    ]


def test_audit_without_remarks_is_a_table() -> None:
    (only,) = Audit("ratings", 2, {}, 2).parts()
    assert isinstance(only, Table)
    assert str(Audit("holdout", 2, {}, 2, outcome="held out")).splitlines()[-1].split("  ")[0] == "held out"


def test_audit_table_has_a_row_per_date() -> None:
    table = AUDIT.table()
    assert table.headers == ["date", "items", "grade 0", "grade 1", "grade 2.5", "refused"]
    assert table.rows[:3] == [
        ["2026-01-01", 11, 10, 0, 1, None],
        ["2026-01-02", 23, 10, 13, 0, None],
        ["2026-01-03", 0, 0, 0, 0, "too late"],
    ]
    assert len(table.rows) == 9


def test_audit_to_dict_has_plain_values() -> None:
    audit = AUDIT.to_dict()
    assert audit == {
        "title": "returns",
        "rows": 1234,
        "dropped": {"no price": 1000, "no date or ticker": 0, "a reason": 200},
        "graded": 34,
        "grades": {"0": 20, "1": 13, "2.5": 1},
        "remarks": [remark.to_dict() for remark in AUDIT.remarks],
        "items": {"2026-01-01": 11, "2026-01-02": 23},
        "bins": {"2026-01-01": {"0": 10, "2.5": 1}, "2026-01-02": {"0": 10, "1": 13}},
        "refused": {f"2026-01-0{day}": "too late" for day in range(3, 10)},
    }
    assert audit["remarks"][0] == {
        "code": "price",
        "severity": "note",
        "text": "column 'close'",
        "next_step": "",
    }
    assert list(audit["bins"]) == ["2026-01-01", "2026-01-02"]
    assert json.loads(AUDIT.to_json()) == audit
    assert Audit("holdout", 2, {}, 2, outcome="held out").to_dict()["held out"] == 2


def test_audit_html_is_escaped() -> None:
    html = AUDIT._repr_html_()
    assert "<table" in html
    assert "dropped: no price" in html
    assert "too late" in html
    escaped = Audit("a < b", 1, {"x & y": 1}, 0)._repr_html_()
    assert "a &lt; b" in escaped
    assert "x &amp; y" in escaped


def test_audited_unpacks_into_frame_and_audit() -> None:
    frame = pl.DataFrame({"jour": ["2026-01-02"] * 2, "titre": ["A", "B"], "note": [0, 1]})
    audited = Audited(frame, AUDIT, {"query": "jour", "item": "titre", "grade": "note"})
    table, audit = audited
    assert table is frame is audited.to_native()
    assert audit is AUDIT
    assert repr(audited) == f"{AUDIT}\n\nthe table is .frame, with the columns jour, titre, note"
    assert audited._repr_html_() == AUDIT._repr_html_()


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame, pl.LazyFrame], ids=range(3))
def test_evaluate_of_audited_uses_its_roles(make: Any) -> None:
    frame = make({"jour": ["2026-01-02"] * 2, "titre": ["A", "B"], "note": [0, 1], "grade": [1, 0]})
    audited = Audited(frame, AUDIT, {"query": "jour", "item": "titre", "grade": "note"})
    ranking = {"2026-01-02": ["B", "A"]}
    assert rg.evaluate(audited, ranking, "ndcg@1")["ndcg@1"] == 1.0
    # What the caller names goes before.
    other = rg.evaluate(audited, ranking, "ndcg@1", columns_judgments={"grade": "grade"})
    assert other["ndcg@1"] == 0.0


@pytest.mark.parametrize("name", ["actions", "holdout", "ratings", "returns"])
@pytest.mark.parametrize("before", ["rg.stocks.study", "rg.grading.Split", "import_module('rankgauge.grading.{name}')"])
def test_grading_names_are_functions_whatever_is_imported_first(name: str, before: str) -> None:
    """A file that is imported is put where the function of its name belongs."""
    code = f"import rankgauge as rg; from importlib import import_module; {before.format(name=name)}"
    code += f"; print(callable(rg.grading.{name}), rg.grading.{name}.__module__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == (f"True rankgauge.grading.{name}", "")


def test_grader_of_audited_reads_its_frame() -> None:
    ratings = pl.DataFrame({"user": ["u", "u"], "movie": ["a", "b"], "stars": [5.0, 2.0]})
    once = rg.grading.ratings(ratings)
    twice = rg.grading.ratings(once, thresholds=[3, 5], columns={"rating": "grade"})
    assert twice.frame.sort("movie")["grade"].to_list() == [2, 0]


def test_audit_table_without_dates_has_counts() -> None:
    audit = Audit("ratings", 3, {"no rating": 1}, 2, {0: 1, 5: 1})
    assert audit.table().rows == [
        ["rows in", 3],
        ["dropped: no rating", 1],
        ["graded", 2],
        ["  grade 0", 1],
        ["  grade 5", 1],
    ]


LOG = {"user": [1, 1], "item": [7, 8], "rating": [5.0, 3.0]}


def test_audited_used_as_table_points_to_frame() -> None:
    graded = ratings(pl.DataFrame(LOG))
    with pytest.raises(TypeError, match=r"\.frame\['grade'\]"):
        graded["grade"]
    with pytest.raises(AttributeError, match=r"'head'.*\.frame\.head"):
        graded.head()  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        len(graded)  # type: ignore[arg-type]
    assert not hasattr(graded, "__arrow_c_stream__")


def test_audited_copied_or_pickled_is_equal() -> None:
    graded = ratings(pl.DataFrame(LOG))
    for copied in (copy.copy(graded), copy.deepcopy(graded), pickle.loads(pickle.dumps(graded))):  # noqa: S301
        assert copied.frame.equals(graded.frame)
        assert (copied.audit, copied.roles) == (graded.audit, graded.roles)
