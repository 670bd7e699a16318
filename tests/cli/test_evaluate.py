"""`rankgauge evaluate`: its formats and switches, with numbers worked out by hand."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from rankgauge.presentation.formats import FORMATS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Files, Run, RunOnTerminal

L = math.log2(3)  # 1 / L is the discount of rank 2; that of rank 3 is 1 / 2
IDEAL = 2 + 1 / L  # q1: grades 2 and 1
Q1 = (1 / L + 2 / 2) / IDEAL  # ranked: unjudged, 1, 2
Q2 = 1 / L  # the tie puts d4 (0) before d1 (1): item ids, last first
MEAN = (Q1 + Q2) / 2


def means(run: Run, files: Files, *switches: str) -> dict[str, float]:
    values: dict[str, float] = report(run, files, *switches)["means"]
    return values


def report(run: Run, files: Files, *switches: str) -> dict[str, Any]:
    printed: dict[str, Any] = json.loads(run("evaluate", *files, "--format", "json", *switches).text())
    return printed


def test_evaluate_as_table_prints_queries_means_and_remarks(run: Run, files: Files) -> None:
    expected = f"""\
query  ndcg@10   dcg@1
q1      {Q1:.4f}  0.0000
q2      {Q2:.4f}  0.0000

measure    mean  95% from  to  queries
ndcg@10  {MEAN:.4f}  –         –         2
dcg@1    0.0000  –         –         2

convention: trec_eval (gain linear, discount log2, ideal judged)
queries: 2 evaluated of 3 judged and 3 ranked
missing: 1 query judged but not in the ranking; left out of the mean (missing=skip)
ignored: 1 query in the ranking without judgments
ties: 1 query with equal scores in the ranks that count; by item id, bytewise, last first (ties=id-descending)
unjudged: 1 of 2 items in the top 1, 1 of 5 items in the top 10; gain 0, and it keeps its rank (unjudged=zero)
few queries: 2 queries are too few for an interval, which takes at least 5
"""
    assert run("evaluate", *files, "-m", "ndcg@10,dcg@1", "--per-query").text() == expected


def test_evaluate_as_trec_prints_what_trec_eval_prints(run: Run, files: Files) -> None:
    lines = [
        f"ndcg                  \tq1\t{Q1:6.4f}",
        f"ndcg_cut_10           \tq1\t{Q1:6.4f}",
        f"ndcg                  \tq2\t{Q2:6.4f}",
        f"ndcg_cut_10           \tq2\t{Q2:6.4f}",
        f"ndcg                  \tall\t{MEAN:6.4f}",
        f"ndcg_cut_10           \tall\t{MEAN:6.4f}",
    ]
    measures = ("-m", "ndcg", "-m", "ndcg@10", "--format", "trec")
    assert run("evaluate", *files, *measures, "--per-query").text() == "".join(f"{line}\n" for line in lines)
    assert run("evaluate", *files, *measures).text() == "".join(f"{line}\n" for line in lines[-2:])


def test_evaluate_as_json_has_its_keys_and_all_digits(run: Run, files: Files) -> None:
    text = run("evaluate", *files, "-m", "ndcg@10", "-m", "dcg", "--per-query", "--format", "json").text()
    printed = json.loads(text)
    assert list(printed) == ["convention", "means", "intervals", "counts", "remarks", "per_query"]
    assert printed["convention"] == "trec_eval"
    assert printed["means"] == pytest.approx({"ndcg@10": MEAN, "dcg": (Q1 * IDEAL + Q2) / 2}, rel=1e-14)
    assert printed["intervals"]["ndcg@10"] == [None, None]
    assert printed["counts"] == {
        "dropped": 0,
        "evaluated": 2,
        "judged": 3,
        "ranked": 3,
        "missing": 1,
        "ignored": 1,
        "empty": 0,
        "blank": 0,
        "short": 0,
        "tied": 1,
        "unjudged@10": 1,
        "unjudged": 1,
    }
    assert printed["per_query"]["ndcg@10"] == pytest.approx({"q1": Q1, "q2": Q2}, rel=1e-14)
    assert repr(1 / L) in text


def test_evaluate_as_json_without_per_query_has_no_values_per_query(run: Run, files: Files) -> None:
    assert list(report(run, files)) == ["convention", "means", "intervals", "counts", "remarks"]


def test_evaluate_as_json_of_nan_writes_null(run: Run, write: Callable[[str, str], Path], files: Files) -> None:
    one_query = write("one.txt", "q1 0 d1 0\n")
    text = run(
        "evaluate", one_query, files.ranking, "--convention", "trec_eval(nothing_relevant=nan)", "--format", "json"
    )
    printed = json.loads(text.text(), parse_constant=pytest.fail)
    assert printed["means"] == {"ndcg@10": None}
    assert printed["intervals"] == {"ndcg@10": [None, None]}


def test_evaluate_as_csv_has_all_digits(run: Run, files: Files) -> None:
    rows = list(csv.reader(io.StringIO(run("evaluate", *files, "--per-query", "--format", "csv").text())))
    assert rows[0] == ["query", "ndcg@10"]
    assert [row[0] for row in rows[1:]] == ["q1", "q2", "all"]
    assert [float(row[1]) for row in rows[1:]] == pytest.approx([Q1, Q2, MEAN], rel=1e-14)
    header, row = csv.reader(io.StringIO(run("evaluate", *files, "--format", "csv").text()))
    assert header == ["measure", "mean", "95% from", "to", "queries"]
    assert row[0] == "ndcg@10"
    assert float(row[1]) == pytest.approx(MEAN, rel=1e-14)
    assert row[2:] == ["", "", "2"]  # two queries have no interval


def test_evaluate_as_markdown_has_a_row_per_query_and_the_means(run: Run, files: Files) -> None:
    assert run("evaluate", *files, "--per-query", "--format", "markdown").text() == (
        "| query | ndcg@10 |\n|:------|--------:|\n"
        f"| q1    |  {Q1:.4f} |\n| q2    |  {Q2:.4f} |\n| all   |  {MEAN:.4f} |\n"
    )


def test_evaluate_as_latex_is_a_tabular(run: Run, files: Files) -> None:
    lines = run("evaluate", *files, "--per-query", "--format", "latex").text().splitlines()
    assert lines[0] == r"\begin{tabular}{lr}"
    assert lines[-1] == r"\end{tabular}"
    assert rf"all & {MEAN:.4f} \\" in lines


@pytest.mark.parametrize("per_query", [[], ["--per-query"]], ids=["means", "per-query"])
@pytest.mark.parametrize("format_", FORMATS)
def test_evaluate_into_a_file_writes_what_is_printed(
    run: Run, files: Files, tmp_path: Path, format_: str, per_query: list[str]
) -> None:
    arguments: list[str | Path] = ["evaluate", *files, "--format", format_, *per_query]
    printed = run(*arguments).text()
    assert run(*arguments, "-o", tmp_path / "out").text() == ""
    assert (tmp_path / "out").read_text(encoding="utf-8") == printed


@pytest.mark.parametrize(
    "switches",
    [
        ["-m", "ndcg@1", "-m", "ndcg@10", "-m", "dcg"],
        ["-m", "ndcg@1,ndcg@10,dcg"],
        ["-m", "ndcg@1, ndcg@10", "-m", "dcg"],
        ["-m", "ndcg@1,ndcg@10", "-m", "dcg,NDCG@10"],
    ],
)
def test_measures_given_several_times_come_once_in_their_order(run: Run, files: Files, switches: list[str]) -> None:
    printed = means(run, files, *switches)
    assert list(printed) == ["ndcg@1", "ndcg@10", "dcg"]
    assert printed == pytest.approx({"ndcg@1": 0, "ndcg@10": MEAN, "dcg": (Q1 * IDEAL + Q2) / 2}, rel=1e-14)


def test_measure_by_another_name_is_shown_as_it_was_asked_for(run: Run, files: Files) -> None:
    assert list(means(run, files, "-m", "nDCG@1,P_5", "-m", "recip_rank")) == ["nDCG@1", "P_5", "recip_rank"]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("cg@2", (1 + 1) / 2),
        ("dcg@2", (1 / L + 1 / L) / 2),
        ("idcg@10", (IDEAL + 1) / 2),
        ("ndcg(gain=exp2)@10", ((1 / L + 3 / 2) / (3 + 1 / L) + 1 / L) / 2),
        ("ndcg(discount=reciprocal)@10", ((1 / 2 + 2 / 3) / (2 + 1 / 2) + 1 / 2) / 2),
        ("ndcg(gain=table(0=0,1=1,2=5),discount=reciprocal)@3", ((1 / 2 + 5 / 3) / (5 + 1 / 2) + 1 / 2) / 2),
    ],
)
def test_measure_of_three_queries_has_the_value_worked_out_by_hand(
    run: Run, files: Files, measure: str, value: float
) -> None:
    assert means(run, files, "-m", measure) == pytest.approx({measure: value}, rel=1e-14)


@pytest.mark.parametrize(
    ("convention", "value"),
    [
        ("trec_eval", MEAN),
        ("trec_eval(ties=average)", (Q1 + (1 + 1 / L) / 2) / 2),
        ("trec_eval(ties=best)", (Q1 + 1) / 2),
        ("trec_eval(ties=id-ascending,missing=zero)", (Q1 + 1 + 0) / 3),
        ("trec_eval(decimals=2)", round(MEAN, 2)),
        ("textbook", (Q1 + Q2 + 0) / 3),
        ("burges(missing=skip)", ((1 / L + 3 / 2) / (3 + 1 / L) + Q2) / 2),
        ("jarvelin(discount=jarvelin(3),missing=skip)", ((1 + 2) / (2 + 1) + 1) / 2),
    ],
)
def test_convention_of_three_queries_has_the_value_worked_out_by_hand(
    run: Run, files: Files, convention: str, value: float
) -> None:
    printed = report(run, files, "--convention", convention)
    assert printed["convention"] == convention
    assert printed["means"] == pytest.approx({"ndcg@10": value}, rel=1e-14)


@pytest.mark.parametrize(
    ("switches", "value"),
    [
        (["--missing", "skip"], MEAN),
        (["--missing", "zero"], (Q1 + Q2) / 3),
        (["--convention", "textbook", "--missing", "skip"], MEAN),
        (["--unjudged", "zero"], MEAN),
        (["--unjudged", "drop"], ((1 + 2 / L) / IDEAL + Q2) / 2),
        (["--depth", "1"], 0),
        (["--depth", "2"], (1 / L / IDEAL + Q2) / 2),
        (["--depth", "2", "--unjudged", "drop"], (1 / IDEAL + Q2) / 2),  # cut first, as trec_eval does
        (["--convention", "implicit-feedback", "--relevance-level", "2"], (1 / 2 + 0 + 0) / 3),
        (
            ["--convention", "implicit-feedback", "--relevance-level", "1"],
            ((1 / L + 1 / 2) / (1 + 1 / L) + 1 / L + 0) / 3,
        ),
    ],
)
def test_switch_of_three_queries_has_the_value_worked_out_by_hand(
    run: Run, files: Files, switches: list[str], value: float
) -> None:
    assert means(run, files, *switches) == pytest.approx({"ndcg@10": value}, rel=1e-14)


def test_switches_that_change_answers_are_named_in_the_convention(run: Run, files: Files) -> None:
    printed = report(run, files, "--missing", "zero", "--unjudged", "drop")
    assert printed["convention"] == "trec_eval(missing=zero,unjudged=drop)"


def test_relevance_level_without_effect_prints_a_remark(run: Run, files: Files) -> None:
    shown = run("evaluate", *files, "--relevance-level", "2").text()
    assert "relevance level: 2 does not apply to ndcg@10" in shown


@pytest.mark.parametrize(
    ("switch", "parts"),
    [
        ("--missing", ["run.txt", "'q3'", "expected every judged query in the ranking"]),
        ("--unjudged", ["run.txt:1", "'d9'", "expected a judgment for every ranked item"]),
    ],
)
def test_switch_with_error_refuses_the_data(run: Run, files: Files, switch: str, parts: list[str]) -> None:
    line = run("evaluate", *files, switch, "error").refusal()
    assert [part for part in parts if part not in line] == []


def test_seed_is_accepted_and_changes_no_interval(run: Run, large: Files) -> None:
    intervals = [report(run, large, "--seed", seed)["intervals"]["ndcg@10"] for seed in ("0", "1")]
    assert intervals[0] == intervals[1] == report(run, large)["intervals"]["ndcg@10"]


@pytest.mark.parametrize("format_", ["json", "trec", "table"])
def test_evaluate_with_any_number_of_threads_prints_the_same(run: Run, large: Files, format_: str) -> None:
    arguments = ("evaluate", *large, "-m", "ndcg@10,ndcg,dcg@5", "--per-query", "--format", format_)
    assert run(*arguments, "--threads", "1").text() == run(*arguments, "--threads", "4").text()


def apart(content: bytes) -> bytes:
    rows = content.splitlines(keepends=True)
    return b"".join(rows[::2] + rows[1::2])


def members(content: bytes) -> bytes:
    half = content.index(b"\n") + 1
    return gzip.compress(content[:half]) + gzip.compress(content[half:])


TRANSFORMATIONS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "gzip of two members": members,
    "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
    "BOM": lambda content: b"\xef\xbb\xbf" + content,
    "BOM and CRLF in gzip": lambda content: gzip.compress(b"\xef\xbb\xbf" + content.replace(b"\n", b"\r\n")),
    "comments": lambda content: b"# first\n" + content.replace(b"\n", b"\n# comment\n"),
    "blank lines": lambda content: b"\n \t\n" + content.replace(b"\n", b"\n\n"),
    "tabs": lambda content: content.replace(b" ", b"\t"),
    "much white space": lambda content: b"  " + content.replace(b" ", b" \t  ").replace(b"\n", b" \t\n"),
    "no newline at the end": lambda content: content.rstrip(b"\n"),
    "rows apart": apart,
    "rows reversed": lambda content: b"".join(content.splitlines(keepends=True)[::-1]),
}


@pytest.mark.parametrize("transform", TRANSFORMATIONS.values(), ids=TRANSFORMATIONS)
def test_file_written_in_another_way_gives_the_same_result(
    run: Run, files: Files, transform: Callable[[bytes], bytes]
) -> None:
    arguments = ("evaluate", *files, "-m", "ndcg,ndcg@10", "--per-query", "--format", "json")
    plain = run(*arguments).text()
    for path in files:
        path.write_bytes(transform(path.read_bytes()))
    assert run(*arguments).text() == plain


@pytest.mark.parametrize("transform", [apart, gzip.compress], ids=["rows apart", "gzip"])
def test_large_file_written_in_another_way_gives_the_same_result(
    run: Run, large: Files, transform: Callable[[bytes], bytes]
) -> None:
    arguments = ("evaluate", *large, "--per-query", "--format", "json")
    plain = run(*arguments).text()
    for path in large:
        path.write_bytes(transform(path.read_bytes()))
    assert run(*arguments).text() == plain


def test_grades_with_fractions_and_ids_in_any_script_are_read(run: Run, write: Callable[[str, str], Path]) -> None:
    judgments = write("qrels", "кино 0 фильм 0.5\nкино 0 映画 1.5\n")
    ranking = write("run", "кино Q0 фильм 1 +2e0 a tag of words\nкино Q0 映画 2 -1.5 t\n")
    printed = json.loads(run("evaluate", judgments, ranking, "--format", "json", "--per-query").text())
    assert printed["per_query"]["ndcg@10"] == pytest.approx({"кино": (0.5 + 1.5 / L) / (1.5 + 0.5 / L)}, rel=1e-14)


@pytest.mark.parametrize("format_", FORMATS)
def test_evaluate_in_a_pipe_prints_no_escape_sequences(run: Run, files: Files, format_: str) -> None:
    assert "\x1b" not in run("evaluate", *files, "--per-query", "--format", format_).text()


def test_evaluate_on_a_terminal_has_colours(run_on_terminal: RunOnTerminal, files: Files) -> None:
    shown = run_on_terminal("evaluate", *files, "--per-query").text()
    assert "\x1b[" in shown
    assert f"{MEAN:.4f}" in shown
    assert f"{Q1:.4f}" in shown


def test_evaluate_on_a_dumb_terminal_is_plain(run: Run, run_on_terminal: RunOnTerminal, files: Files) -> None:
    shown = run_on_terminal("evaluate", *files, env={"TERM": "dumb"}).text()
    assert shown == run("evaluate", *files).text()


@pytest.mark.parametrize("format_", [name for name in FORMATS if name != "table"])
def test_formats_other_than_table_on_a_terminal_are_those_of_a_pipe(
    run: Run, run_on_terminal: RunOnTerminal, files: Files, format_: str
) -> None:
    arguments = ("evaluate", *files, "--format", format_)
    assert run_on_terminal(*arguments).text() == run(*arguments).text()


def test_evaluate_on_a_narrow_terminal_cuts_no_number(run_on_terminal: RunOnTerminal, files: Files) -> None:
    measures = ",".join(f"ndcg@{k}" for k in range(1, 12))
    shown = run_on_terminal("evaluate", *files, "--per-query", "-m", measures, columns=80).text()
    assert "q1" in shown
    assert "…" not in shown


def test_evaluate_with_dropped_items_and_depth_prints_remarks(run: Run, files: Files) -> None:
    shown = run("evaluate", *files, "--unjudged", "drop", "--depth", "2").text()
    assert "dropped: 1 ranked item" in shown
    assert "depth: only the first 2 ranked items" in shown
    assert report(run, files, "--unjudged", "drop")["counts"]["dropped"] == 1


def test_evaluate_with_little_memory_prints_what_it_prints_with_enough(start: Run, tmp_path: Path) -> None:
    judged, ranked = tmp_path / "judged.csv", tmp_path / "ranked.csv"
    rows = [(f"q{number % 30}", f"d{number}", number % 3) for number in range(300)]
    for path, value in ((judged, "grade"), (ranked, "score")):
        lines = [f"query,item,{value}", *(f"{query},{item},{number}" for query, item, number in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    folder = tmp_path / "temporary"
    folder.mkdir()
    arguments = ("evaluate", judged, ranked, "-m", "ndcg@10", "--per-query", "--format", "json")
    plain, little = (start(*arguments, *more, env={"TMPDIR": str(folder)}) for more in ((), ("--memory", "500")))
    assert little.text() == plain.text()
    assert list(folder.iterdir()) == []


def test_evaluate_with_memory_that_is_no_size_is_refused(run: Run, files: Files) -> None:
    outcome = run("evaluate", *files, "--memory", "2 parsecs")
    assert outcome.code == 2
    assert "a whole number of bytes" in outcome.stderr
