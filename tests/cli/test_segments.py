"""`--by FILE:COLUMN` of `rankgauge evaluate` and `rankgauge compare`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run

QUERIES = [f"q{number:02}" for number in range(20)]


class Data(NamedTuple):
    """Judgments, two runs, and the devices of the queries."""

    judgments: Path
    base: Path
    new: Path
    segments: Path


@pytest.fixture
def data(write: Callable[[str, str], Path]) -> Data:
    def run(name: str, ranks: dict[str, tuple[str, ...]]) -> Path:
        rows = (
            f"{query} Q0 {item} 1 {9 - rank} t\n" for query, items in ranks.items() for rank, item in enumerate(items)
        )
        return write(name, "".join(rows))

    devices = ["mobile"] * 10 + ["desktop"] * 8
    return Data(
        write("qrels.txt", "".join(f"{query} 0 a 1\n" for query in QUERIES)),
        run("base.txt", dict.fromkeys(QUERIES, ("x", "a"))),
        run("new.txt", {query: ("a", "x") if query < "q10" else ("x", "a") for query in QUERIES}),
        write(
            "queries.csv",
            "qid,country,device\n" + "".join(f"{q},KR,{d}\n" for q, d in zip(QUERIES[:18], devices, strict=True)),
        ),
    )


def test_evaluate_by_prints_a_row_per_segment_and_what_is_small(run: Run, data: Data) -> None:
    shown = run("evaluate", data.judgments, data.new, "-m", "mrr", "--by", f"{data.segments}:device").text()
    rows = [line.split() for line in shown.splitlines()]
    assert ["measure", "device", "mean", "95%", "from", "to", "queries"] in rows
    assert ["mrr", "desktop", "0.5000", "0.4496", "0.5504", "8"] in rows
    assert ["mrr", "–", "0.5000", "–", "–", "2"] in rows
    assert "no segment: 2 of 20 queries (q18, q19), shown as –" in shown


def test_evaluate_by_as_json_has_the_key_segments(run: Run, data: Data) -> None:
    arguments = ("evaluate", data.judgments, data.new, "-m", "mrr", "--by", f"{data.segments}:device")
    done = run(*arguments, "--format", "json")
    written = json.loads(done.stdout)
    assert written["means"] == {"mrr": 0.75}
    assert written["segments"]["by"] == "device"
    assert [row["mean"] for row in written["segments"]["means"]] == [0.5, 1.0, 0.5]
    assert "small-segments" in {remark["code"] for remark in written["remarks"]}
    assert "small segments: – (2): fewer than 5 queries, too few for an interval\n" in done.stderr


def test_evaluate_by_as_csv_has_the_rows_of_the_segments(run: Run, data: Data) -> None:
    arguments = ("evaluate", data.judgments, data.new, "-m", "mrr", "--by", f"{data.segments}:device")
    assert run(*arguments, "--format", "csv").stdout.splitlines()[::3] == [
        "segment,measure,mean,low,high,queries",
        "–,mrr,0.5,,,2",
    ]


def test_evaluate_by_with_the_format_of_trec_eval_is_refused(run: Run, data: Data) -> None:
    arguments = ("evaluate", data.judgments, data.new, "--by", f"{data.segments}:device", "--format", "trec")
    assert "expected another format for --by, got --format trec" in run(*arguments).refusal()


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("{}:devise", "did you mean 'device'"),
        ("{}", "expected one column of segments beside the queries"),
        ("nowhere.csv:device", "nowhere.csv: expected a file"),
    ],
)
def test_evaluate_by_what_is_not_there_is_refused(run: Run, data: Data, by: str, words: str) -> None:
    assert words in run("evaluate", data.judgments, data.new, "--by", by.format(data.segments)).refusal()


def test_compare_by_prints_the_differences_of_segments(run: Run, data: Data) -> None:
    arguments = ("compare", data.judgments, data.base, data.new, "-m", "mrr", "--by", f"{data.segments}:device")
    rows = [line.split() for line in run(*arguments).text().splitlines()]
    assert ["mrr", "mobile", "0.5000", "1.0000", "10"] in rows
    assert ["mrr", "mobile", "new", "−", "base", "0.5000", "0.5000", "0.5000", "0.0020", "0.0039"] in rows
    assert ["mrr", "mobile", "new", "−", "base", "10", "0", "0"] in rows
    assert ["mrr", "desktop", "new", "−", "base", "0.0000", "0.0000", "0.0000", "1.0000", "1.0000"] in rows
    assert ["mrr", "desktop", "new", "−", "base", "0", "0", "8"] in rows
    written = json.loads(run(*arguments, "--format", "json").stdout)
    assert [pair["n"] for pair in written["segments"]["pairs"]] == [8, 10, 2]
    assert run(*arguments, "--format", "csv").stdout.startswith("segment,measure,first,second,")
