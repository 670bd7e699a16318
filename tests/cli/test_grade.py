"""`rankgauge grade`: grades written to a file, the audit printed."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import polars as pl
import pytest

import rankgauge as rg

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run, RunOnTerminal

Write = Callable[[str, str | bytes], "Path"]

PRICES = "date,000001,BBB,CCC\n2026-01-02,10,10,10\n2026-01-05,11,9,10\n2026-01-06,12,9,\n"
LOG = "user,item,event,ts\nann,tea,click,2026-01-01\nann,tea,purchase,2026-01-02\nann,cup,view,2026-01-02\n"
WATCHED = "user,movie,timestamp\nann,Alien,1\nann,Brazil,2\nbob,Brazil,1\nbob,Dune,2\n"
RUN = "user,movie,score\nann,Alien,0.9\nann,Brazil,0.8\nbob,Alien,0.7\nbob,Dune,0.6\n"


def rows(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))


def test_returns_with_a_file_print_the_audit_and_write_the_grades(run: Run, write: Write, tmp_path: Path) -> None:
    prices, grades = write("prices.csv", PRICES), tmp_path / "grades.csv"
    printed = run("grade", "returns", prices, "--horizon", "1", "--levels", "2", "-o", grades).text()
    assert (
        printed
        == """\
returns                                                      rows
rows in                                                         9
dropped: no price                                               1
dropped: the horizon ends after the last date                   2
dropped: the stock stopped trading before the horizon ended     1
graded                                                          5
  grade 0                                                       3
  grade 1                                                       2

price: 3 columns, one per ticker (000001, BBB, CCC)
return: over 1 row of each stock, from the close of the date on
grade: 2 parts of equal size within the date; equal returns have the average of their ranks
universe: 3 stocks, 3 dates
refused: 1 date (2026-01-06): the horizon ends after the last date
"""
    )
    assert [(row[0], row[1], row[3]) for row in rows(grades)] == [
        ("date", "ticker", "grade"),
        ("2026-01-02", "000001", "1"),  # a ticker keeps its zeros
        ("2026-01-02", "BBB", "0"),
        ("2026-01-02", "CCC", "0"),  # the rank in the middle of three is in the lower half
        ("2026-01-05", "000001", "1"),
        ("2026-01-05", "BBB", "0"),
    ]


def test_returns_with_every_switch_equal_those_of_python(run: Run, write: Write, tmp_path: Path) -> None:
    prices, grades = write("prices.csv", PRICES), tmp_path / "grades.parquet"
    switches = ["--lag", "1", "--thresholds", "-0.02,0.02", "--stopped", "-0.5", "--gaps", "drop", "--least", "1"]
    run(
        "grade", "returns", prices, "--horizon", "1", "--excess", "mean", "--ties", "max", *switches, "-o", grades
    ).text()
    options = {"lag": 1, "thresholds": [-0.02, 0.02], "stopped": -0.5, "gaps": "drop", "least": 1}
    graded = rg.grading.returns(str(prices), horizon=1, excess="mean", ties="max", **options)  # type: ignore[arg-type]
    assert sorted(graded.frame.fetchall()) == sorted(pl.read_parquet(grades).rows())


@pytest.mark.parametrize("suffix", ["parquet", "csv", "tsv", "json", "jsonl"])
def test_returns_in_every_file_format_can_be_evaluated(run: Run, write: Write, tmp_path: Path, suffix: str) -> None:
    prices, grades = write("prices.csv", PRICES), tmp_path / f"grades.{suffix}"
    run("grade", "returns", prices, "--horizon", "1", "--levels", "2", "-o", grades).text()
    scores = write("scores.csv", "date,ticker,score\n2026-01-02,000001,3\n2026-01-02,BBB,1\n2026-01-05,BBB,1\n")
    printed = json.loads(run("evaluate", grades, scores, "-m", "ndcg@1", "--format", "json").text())
    assert printed["means"] == {"ndcg@1": 0.5}


def test_returns_of_times_at_midnight_are_written_as_dates(run: Run, tmp_path: Path) -> None:
    prices, grades = tmp_path / "prices.parquet", tmp_path / "grades.csv"
    dates = [datetime(2026, 1, 2), datetime(2026, 1, 5)]
    pl.DataFrame({"date": dates, "ticker": ["A", "A"], "close": [1.0, 2.0]}).write_parquet(prices)
    run("grade", "returns", prices, "--horizon", "1", "--least", "1", "-o", grades).text()
    assert rows(grades)[1][:2] == ["2026-01-02", "A"]


def test_returns_in_a_pipe_print_the_audit_on_stderr(run: Run, write: Write) -> None:
    done = run(
        "grade", "ratings", write("r.csv", "user,movie,stars\nann,Alien,5\nann,Brazil,2\n"), "--least", "3", "-o", "-"
    )
    assert (done.code, done.stdout) == (0, "user,movie,grade\nann,Alien,5.0\nann,Brazil,0.0\n")
    assert done.stderr.startswith("ratings    rows\nrows in       2\n")


def test_returns_that_are_known_are_graded_directly(run: Run, write: Write, tmp_path: Path) -> None:
    returns, grades = (
        write("ret.csv", "종목,실제 수익률\nA,+12%\nB,+3%\nC,0%\nD,-1 %\nE,−5%\n"),
        tmp_path / "grades.csv",
    )
    printed = run("grade", "returns", returns, "-o", grades).text()
    assert "return: column '실제 수익률', taken as it is, percents divided by 100\n" in printed
    assert "date: no column, so all rows are one date, called 'all'\n" in printed
    expected = ["all,A,0.12,4", "all,B,0.03,3", "all,C,0.0,2", "all,D,-0.01,1", "all,E,-0.05,0"]
    assert grades.read_text(encoding="utf-8").splitlines() == ["date,종목,return,grade", *expected]
    run("grade", "returns", returns, "--levels", "3", "--cut", "qcut", "-o", grades).text()
    assert [row[3] for row in rows(grades)[1:]] == ["2", "2", "1", "0", "0"]


def test_actions_with_korean_names_are_graded(run: Run, write: Write, tmp_path: Path) -> None:
    log = write("log.csv", "사용자,상품,행동\nu,a,무반응\nu,b,클릭\nu,c,장바구니\nu,d,구매\n")
    grades = tmp_path / "grades.csv"
    run("grade", "actions", log, "-o", grades).text()
    assert [row[2] for row in rows(grades)[1:]] == ["0.0", "1.0", "2.0", "3.0"]


def test_holdout_without_times_can_be_random(run: Run, write: Write) -> None:
    interactions = write("log.csv", "user,item\nu,a\nu,b\nu,c\nu,d\nu,e\n")
    assert "--method random on the command line" in run("grade", "holdout", interactions).refusal()
    run("grade", "holdout", interactions, "--method", "random").text()


def test_actions_with_a_file_print_the_audit_and_write_the_grades(run: Run, write: Write, tmp_path: Path) -> None:
    log, grades = write("log.csv", LOG), tmp_path / "grades.csv"
    printed = run("grade", "actions", log, "-o", grades).text()
    assert "action: purchase has grade 3, 1 row\n" in printed
    assert rows(grades)[1:] == [["ann", "cup", "0.0"], ["ann", "tea", "3.0"]]
    switches = [
        "--grade",
        "view=0.5",
        "--grade",
        "click=1",
        "--grade",
        "purchase=4",
        "--combine",
        "sum",
        "--cap",
        "4.5",
    ]
    run("grade", "actions", log, *switches, "-o", grades).text()
    assert rows(grades)[1:] == [["ann", "cup", "0.5"], ["ann", "tea", "4.5"]]
    run("grade", "actions", log, "--half-life", "1", "--now", "2026-01-03", "-o", grades).text()
    assert rows(grades)[1:] == [["ann", "cup", "0.0"], ["ann", "tea", "1.5"]]


def test_ratings_with_thresholds_write_the_grades(run: Run, write: Write, tmp_path: Path) -> None:
    path, grades = write("ratings.csv", "u,m,s\n1,a,5\n1,b,2\n"), tmp_path / "grades.csv"
    named = ["--columns-ratings", "query=u,item=m,rating=s", "-o", str(grades)]
    run("grade", "ratings", path, *named, "--thresholds", "3,5").text()
    assert rows(grades) == [["u", "m", "grade"], ["1", "a", "2"], ["1", "b", "0"]]
    run("grade", "ratings", path, *named, "--centred", "--below", "negative").text()
    assert rows(grades)[1:] == [["1", "a", "1.5"], ["1", "b", "-1.5"]]


def test_ratings_without_a_header_take_named_columns(run: Run, write: Write, tmp_path: Path) -> None:
    path, grades = write("u.data", "196\t242\t3\t881250949\n186\t302\t1\t891717742\n"), tmp_path / "grades.csv"
    run("grade", "ratings", path, "--columns-ratings", "query,item,rating,time", "-o", grades).text()
    assert rows(grades)[1:] == [["186", "302", "1.0"], ["196", "242", "3.0"]]


def test_holdout_with_files_writes_truth_training_and_unseen(run: Run, write: Write, tmp_path: Path) -> None:
    watched, ranking = write("watched.csv", WATCHED), write("run.csv", RUN)
    truth, train, unseen = (tmp_path / name for name in ("truth.csv", "train.csv", "unseen.csv"))
    printed = run(
        "grade", "holdout", watched, "-o", truth, "--train", train, "--ranking", ranking, "--unseen", unseen
    ).text()
    assert "held out     2\n" in printed
    assert "dropped: seen in training     1\n" in printed
    assert rows(truth)[1:] == [["ann", "Brazil", "1.0"], ["bob", "Dune", "1.0"]]
    assert [row[:2] for row in rows(train)[1:]] == [["ann", "Alien"], ["bob", "Brazil"]]
    assert [row[:2] for row in rows(unseen)[1:]] == [["ann", "Brazil"], ["bob", "Alien"], ["bob", "Dune"]]
    assert json.loads(run("evaluate", truth, unseen, "--format", "json").text())["counts"]["evaluated"] == 2


@pytest.mark.parametrize("method", [["--method", "fraction", "--fraction", "0.5"], ["--method", "time", "--at", "2"]])
def test_holdout_with_another_method_writes_its_truth(
    run: Run, write: Write, tmp_path: Path, method: list[str]
) -> None:
    truth = tmp_path / "truth.csv"
    run("grade", "holdout", write("watched.csv", WATCHED), *method, "-o", truth).text()
    assert rows(truth)[1:] == [["ann", "Brazil", "1.0"], ["bob", "Dune", "1.0"]]


def test_holdout_at_random_depends_on_its_seed(run: Run, write: Write, tmp_path: Path) -> None:
    seen = write("seen.csv", "user,item\n" + "".join(f"u{user},i{item}\n" for user in range(9) for item in range(9)))
    written = []
    for seed in ("1", "1", "2"):
        truth = tmp_path / "truth.csv"
        run("grade", "holdout", seen, "--method", "random", "--fraction", "0.4", "--seed", seed, "-o", truth).text()
        written.append(truth.read_text(encoding="utf-8"))
    assert written[0] == written[1] != written[2]


def test_audit_as_json_and_csv_has_its_counts(run: Run, write: Write) -> None:
    prices = write("prices.csv", PRICES)
    arguments = ("grade", "returns", prices, "--horizon", "1", "--levels", "2", "--format")
    audit = json.loads(run(*arguments, "json").text())
    assert audit["rows"] == audit["graded"] + sum(audit["dropped"].values()) == 9
    assert audit["bins"]["2026-01-02"] == {"0": 2, "1": 1}
    assert audit["refused"] == {"2026-01-06": "the horizon ends after the last date"}
    listed = list(csv.DictReader(io.StringIO(run(*arguments, "csv").text())))
    assert listed[0] == {"date": "2026-01-02", "items": "3", "grade 0": "2", "grade 1": "1", "refused": ""}


def test_audit_on_a_terminal_has_colours(run_on_terminal: RunOnTerminal, write: Write) -> None:
    shown = run_on_terminal("grade", "returns", write("prices.csv", PRICES), "--horizon", "1").text()
    assert "graded" in shown
    assert "\x1b[" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["returns", "prices.csv", "--levels", "many"], "expected a whole number or rank, got 'many'"),
        (["returns", "prices.csv", "--thresholds", "a"], "expected numbers with commas between them"),
        (["returns", "prices.csv", "--stopped", "now"], "expected drop, last or a number such as -0.3"),
        (["returns", "prices.csv", "--lag", "-1"], "which trades before the score is known"),
        (["returns", "prices.csv", "-o", "grades.xlsx"], "expected a file that ends in .parquet, .csv"),
        (["returns", "prices.csv", "--excess", "SPY"], "expected the name of a column for benchmark, got 'SPY'"),
        (["returns", "prices.csv", "--ignore", "SPY"], "expected a column or a ticker for ignore, got 'SPY'"),
        (["returns", "prices.csv", "--cut", "qcut", "--ties", "min"], "expected ties to be left out beside cut='qcut'"),
        (["returns", "missing.csv"], "expected a file, got nothing of that name"),
        (["actions", "prices.csv"], "expected a column for query"),
        (["actions", "log.csv", "--grade", "click"], "expected ACTION=GRADE"),
        (["actions", "log.csv", "--grade", "click=1"], "expected an action that has a grade (none, click)"),
        (["ratings", "log.csv"], "expected a column for rating"),
        (["holdout", "log.csv", "--ranking", "x.csv"], "expected --ranking and --unseen together"),
        (["holdout", "log.csv", "--method", "time"], "expected at to be a moment"),
    ],
)
def test_grade_with_bad_arguments_is_refused(
    run: Run, write: Write, tmp_path: Path, arguments: list[str], message: str
) -> None:
    write("prices.csv", PRICES)
    write("log.csv", LOG)
    placed = [str(tmp_path / part) if part.endswith((".csv", ".xlsx")) else part for part in arguments]
    assert message in run("grade", *placed).refusal()


def test_grade_of_an_empty_file_is_refused(run: Run, write: Write) -> None:
    assert (
        "expected rows of a table with a header, got an empty file"
        in run("grade", "returns", write("p.csv", "")).refusal()
    )


def test_grade_of_a_bad_number_is_refused_with_its_column(run: Run, write: Write) -> None:
    line = run("grade", "returns", write("prices.csv", "date,ticker,close\n2026-01-02,A,ten\n")).refusal()
    assert "column 'close': expected a finite number as value, got 'ten'" in line


def test_grade_that_fails_leaves_the_old_file(run: Run, write: Write) -> None:
    grades = write("grades.csv", "old")
    run("grade", "returns", write("prices.csv", "date,ticker,close\n2026-01-02,A,-1\n"), "-o", grades).refusal()
    assert grades.read_text(encoding="utf-8") == "old"


def test_unseen_of_a_trec_run_keeps_its_scores(run: Run, write: Write, tmp_path: Path) -> None:
    watched, unseen = write("watched.csv", WATCHED), tmp_path / "unseen.csv"
    ranking = write("run.txt", "ann Q0 Alien 1 0.9 t\nann Q0 Brazil 2 0.8 t\nbob Q0 Dune 1 0.7 t\n")
    run("grade", "holdout", watched, "--ranking", ranking, "--unseen", unseen).text()
    assert rows(unseen) == [["query", "item", "score"], ["ann", "Brazil", "0.8"], ["bob", "Dune", "0.7"]]


def test_unseen_of_ordered_rows_keeps_their_order(run: Run, write: Write, tmp_path: Path) -> None:
    watched, unseen = write("watched.csv", WATCHED), tmp_path / "unseen.csv"
    ranking = write("run.csv", "user,movie\nann,Zulu\nann,Alien\nann,Brazil\nbob,Dune\nbob,Alien\n")
    run("grade", "holdout", watched, "--ranking", ranking, "--unseen", unseen).text()
    written = [["ann", "Brazil", "2"], ["ann", "Zulu", "1"], ["bob", "Alien", "2"], ["bob", "Dune", "1"]]
    assert rows(unseen) == [["query", "item", "rank"], *written]


def test_grade_with_bad_output_files_is_refused_before_any_work(run: Run, write: Write, tmp_path: Path) -> None:
    watched, train = write("watched.csv", WATCHED), tmp_path / "train.csv"
    assert "a file for each table" in run("grade", "holdout", watched, "--train", train, "-o", train).refusal()
    assert "that ends in" in run("grade", "holdout", watched, "--train", train, "-o", tmp_path / "truth.foo").refusal()
    assert not train.exists()


def test_grade_into_a_folder_is_refused(run: Run, write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "grades.csv"
    folder.mkdir()
    line = run("grade", "ratings", write("r.csv", "user,movie,stars\nann,Alien,5\n"), "-o", folder).refusal()
    assert "expected to write the output" in line


def test_holdout_at_a_number_is_a_time(run: Run, write: Write, tmp_path: Path) -> None:
    log, grades = write("log.csv", "user,item,action,timestamp\nann,tea,click,100\n"), tmp_path / "grades.csv"
    run("grade", "actions", log, "--half-life", "50", "--now", "150", "-o", grades).text()
    assert rows(grades)[1:] == [["ann", "tea", "0.5"]]


def test_audit_without_dates_as_csv_has_its_counts(run: Run, write: Write) -> None:
    path = write("r.csv", "user,movie,stars\nann,Alien,5\n")
    assert run("grade", "ratings", path, "--format", "csv").text().startswith("ratings,rows\nrows in,1\n")


def test_grade_with_strict_makes_a_severe_remark_an_error(run: Run, write: Write, tmp_path: Path) -> None:
    path, grades = write("returns.csv", "stock,return\nA,12\nB,3\nC,-1\nD,5\nE,-4\n"), tmp_path / "grades.csv"
    assert "percents: 1 return below -1" in run("grade", "returns", path).text()
    assert "percents: 1 return below -1" in run("grade", "returns", path, "--strict", "-o", grades).refusal()
    assert not grades.exists()
    named = write("percents.csv", "stock,return(%)\nA,12\nB,3\nC,-1\nD,5\nE,-4\n")
    run("grade", "returns", named, "--strict", "-o", grades).text()
    assert grades.exists()


def test_returns_with_ignored_columns_leave_them_out(run: Run, write: Write) -> None:
    wide = write("wide.csv", "date,A,B,volume,SPY\n2026-01-02,1,1,7,9\n2026-01-05,2,3,8,9\n")
    assert "named like fields of a single stock: 'volume'" in run("grade", "returns", wide).refusal()
    switches = ["--ignore", "volume", "--ignore", "SPY", "--horizon", "1", "--levels", "2"]
    assert "universe: 2 stocks, 2 dates" in run("grade", "returns", wide, *switches).text()
