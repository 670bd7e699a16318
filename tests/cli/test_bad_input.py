"""Bad input: exit code 2 and one line with the place, what was expected, what came, and a hint."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.grids import grid

if TYPE_CHECKING:
    from tests.cli.conftest import Files, Run

Write = Callable[[str, str | bytes], Path]


def lacking(line: str, *parts: str) -> list[str]:
    return [part for part in parts if part not in line]


RANKING_COLUMNS = "6 columns (query Q0 item rank score tag)"
JUDGMENT_COLUMNS = "4 columns (query iteration item grade)"

BAD_SCORES = [
    "nan",
    "NaN",
    "inf",
    "-inf",
    "Infinity",
    "1e999",
    "high",
    "0x10",
    "1,5",
    "1_000",
    "--1",
    "+-1",
    "++1",
    "1e",
]


@pytest.mark.parametrize("score", BAD_SCORES)
@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
def test_ranking_with_a_score_that_is_not_finite_is_refused(run: Run, files: Files, command: str, score: str) -> None:
    files.ranking.write_text(f"# a comment\nq1 Q0 d1 1 2.0 t\nq1 Q0 d2 2 {score} t\n", encoding="utf-8")
    query = ["--query", "q1"] if command == "explain" else []
    line = run(command, *files, *query).refusal()
    assert lacking(line, f"{files.ranking}:3: ", "expected a finite number as score", f"got '{score}'") == []


@pytest.mark.parametrize("grade", ["nan", "inf", "-Infinity", "good", "1/2"])
def test_judgments_with_a_grade_that_is_not_finite_are_refused(run: Run, files: Files, grade: str) -> None:
    files.judgments.write_text(f"q1 0 d1 1\n\nq1 0 d2 {grade}\n", encoding="utf-8")
    line = run("evaluate", *files).refusal()
    assert lacking(line, f"{files.judgments}:3: ", "expected a finite number as grade", f"got '{grade}'") == []


@pytest.mark.parametrize("row", ["q2", "q2 Q0", "q2 Q0 d1", "q2 Q0 d1 1", "q2 Q0 d1 1 0.5"])
def test_ranking_with_too_few_columns_is_refused(run: Run, files: Files, row: str) -> None:
    files.ranking.write_text(f"q1 Q0 d1 1 2.0 t\n{row}\n", encoding="utf-8")
    line = run("evaluate", *files).refusal()
    assert lacking(line, f"{files.ranking}:2: ", f"expected {RANKING_COLUMNS}", f"got {len(row.split())} column") == []


@pytest.mark.parametrize("row", ["q2", "q2 0", "q2 0 d1", "q2 0 d1 1 extra", "q2 Q0 d1 1 0.5 tag"])
def test_judgments_with_a_wrong_number_of_columns_are_refused(run: Run, files: Files, row: str) -> None:
    files.judgments.write_text(f"q1 0 d1 2\n{row}\n", encoding="utf-8")
    line = run("evaluate", *files).refusal()
    assert (
        lacking(line, f"{files.judgments}:2: ", f"expected {JUDGMENT_COLUMNS}", f"got {len(row.split())} column") == []
    )


DUPLICATES = ["q1 {0} d1 {1}\nq1 {0} d1 {1}\n", "q1 {0} d1 {1}\nq1 {0} d2 {1}\nq2 {0} d1 {1}\nq1 {0} d1 {1}\n"]


@pytest.mark.parametrize("rows", DUPLICATES, ids=["together", "apart"])
@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_file_with_a_duplicate_item_is_refused(run: Run, files: Files, side: str, command: str, rows: str) -> None:
    path = files.judgments if side == "judgments" else files.ranking
    path.write_text(rows.format(*(("0", "1") if side == "judgments" else ("Q0", "1 0.5 t"))), encoding="utf-8")
    query = ["--query", "q1"] if command == "explain" else []
    line = run(command, *files, *query).refusal()
    place = f"{path}:{rows.count(chr(10))} "
    assert lacking(line, place, "'q1'", "'d1'", f"expected each item once per query in the {side}", "twice") == []


@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_large_file_with_a_duplicate_at_its_ends_is_refused(run: Run, large: Files, side: str) -> None:
    path = large.judgments if side == "judgments" else large.ranking
    content = path.read_text(encoding="utf-8")
    assert side == "judgments" or len(content) > 200_000
    path.write_text(content + content.partition("\n")[0] + "\n", encoding="utf-8")
    line = run("evaluate", *large).refusal()
    assert lacking(line, f"{path}:{content.count(chr(10)) + 1} ", "'q000'", "'item0000'", f"in the {side}") == []


@pytest.mark.parametrize(
    ("row", "parts"),
    [
        (b"q299 Q0 new 1 nan t\n", ["expected a finite number", "'nan'"]),
        (b"q299 Q0 new 1 1.5\n", ["expected 6 columns", "got 5 columns"]),
        (b"q299 Q0 n\xe9w 1 1.5 t\n", ["expected UTF-8", "0xe9"]),
    ],
)
@pytest.mark.parametrize("part", ["start", "middle", "end"])
def test_large_file_with_a_bad_row_is_refused_with_its_line(
    run: Run, large: Files, part: str, row: bytes, parts: list[str]
) -> None:
    rows = large.ranking.read_bytes().splitlines(keepends=True)
    before = {"start": 0, "middle": len(rows) // 2, "end": len(rows)}[part]
    large.ranking.write_bytes(b"".join([*rows[:before], row, *rows[before:]]))
    for threads in ("1", "4"):
        line = run("evaluate", *large, "--threads", threads).refusal()
        assert lacking(line, f"{large.ranking}:{before + 1}: ", *parts) == []


def test_large_file_with_two_bad_rows_is_refused_with_the_first_line(run: Run, large: Files) -> None:
    content = large.ranking.read_text(encoding="utf-8")
    large.ranking.write_text(content.replace(".5 tag", ".x tag"), encoding="utf-8")
    lines = {run("evaluate", *large, "--threads", threads).refusal() for threads in ("1", "2", "4")}
    assert len(lines) == 1
    assert f"{large.ranking}:1: " in lines.pop()


EMPTY = {
    "empty": b"",
    "only comments": b"# one\n\n  # two\n",
    "only a BOM": b"\xef\xbb\xbf",
    "gzip": gzip.compress(b""),
}


@pytest.mark.parametrize("content", EMPTY.values(), ids=EMPTY)
@pytest.mark.parametrize(("side", "columns"), [("judgments", JUDGMENT_COLUMNS), ("ranking", RANKING_COLUMNS)])
@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
def test_file_without_rows_is_refused(
    run: Run, files: Files, command: str, side: str, columns: str, content: bytes
) -> None:
    path = files.judgments if side == "judgments" else files.ranking
    path.write_bytes(content)
    query = ["--query", "q1"] if command == "explain" else []
    assert lacking(run(command, *files, *query).refusal(), f"{path}: ", f"expected rows of {columns}", "empty") == []


@pytest.mark.parametrize("side", [0, 1], ids=["judgments", "ranking"])
@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("missing.txt", ["expected a file", "got nothing of that name"]),
        ("folder", ["expected files with rows", "got none"]),
        ("latin1.txt", [":2: ", "expected UTF-8", "0xe9"]),
        ("truncated.gz", ["expected a complete gzip file"]),
        ("broken.gz", ["expected a complete gzip file"]),
        ("header.gz", ["expected a complete gzip file"]),
    ],
)
def test_file_that_cannot_be_read_is_refused(
    run: Run, files: Files, tmp_path: Path, write: Write, side: int, name: str, parts: list[str]
) -> None:
    (tmp_path / "folder").mkdir()
    write("latin1.txt", ("q1 0 d1 1\nq1 0 café 2\n", "q1 Q0 d1 1 1 t\nq1 Q0 café 2 2 t\n")[side].encode("latin1"))
    packed = gzip.compress(files[side].read_bytes() * 50)
    write("truncated.gz", packed[: len(packed) // 2])
    write("broken.gz", packed[:-8] + bytes(8))  # a wrong checksum
    write("header.gz", packed[:5])
    paths = [*files]
    paths[side] = tmp_path / name
    assert lacking(run("evaluate", *paths).refusal(), str(tmp_path / name), *parts) == []


def test_path_that_is_not_utf8_is_read_or_refused(run: Run, files: Files, tmp_path: Path) -> None:
    plain = run("evaluate", *files).text()
    path = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    assert "expected a file" in run("evaluate", path, files.ranking).refusal()
    Path(os.fsdecode(path)).write_bytes(files.judgments.read_bytes())
    assert run("evaluate", path, files.ranking).text() == plain


def test_files_in_the_wrong_order_are_refused(run: Run, files: Files) -> None:
    line = run("evaluate", files.ranking, files.judgments).refusal()
    assert lacking(line, f"{files.ranking}: expected judgments", "got a TREC run", "are the two swapped?") == []


def test_files_without_a_common_query_are_refused(run: Run, files: Files) -> None:
    files.ranking.write_text("7 Q0 d1 1 1 t\n", encoding="utf-8")
    line = run("evaluate", *files).refusal()
    assert lacking(line, "expected at least one query", "3 judged and 1 ranked", "'q1'", "'7'") == []


@pytest.mark.parametrize(
    ("measure", "parts"),
    [
        ("ndgc@10", ["expected a measure", "'ndgc'", "did you mean 'ndcg'?"]),
        ("dgc", ["expected a measure", "'dgc'", "did you mean 'dcg'?"]),
        ("q@5", ["expected a measure", "'q'"]),
        ("ndcg@0", ["expected a cutoff k", "got 0"]),
        ("ndcg@-1", ["expected a cutoff k", "got -1"]),
        ("ndcg@x", ["expected a cutoff k", "got x"]),
        ("ndcg@1.5", ["expected a cutoff k", "got 1.5"]),
        ("ndcg@", ["expected a cutoff k", "got nothing"]),
        ("ndcg(gian=exp2)", ["expected a parameter of ndcg", "'gian'", "did you mean 'gain'?"]),
        ("ndcg(gain=exp3)", ["expected gain to be one of", "'exp3'", "did you mean 'exp2'?"]),
        ("ndcg(gain=binary(x))", ["expected threshold to be a finite number", "'x'"]),
        ("ndcg(discount=log(1))", ["expected the base of the logarithm to be greater than 1", "got 1"]),
        ("ndcg(gain=exp2@10", ["expected the form", "'ndcg(gain=exp2", "parentheses must close"]),
        ("ndcg)@10", ["expected", "'ndcg)"]),
        ("ndcg(gain=exp2))@10", ["expected the form", "parentheses must close"]),
        ("ndcg(exp2)@10", ["expected the form", "'exp2'", "name=value"]),
        ("", ["expected"]),
        (",", ["expected"]),
        ("ndcg@5,", ["expected"]),
    ],
)
@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
def test_measure_that_does_not_exist_is_refused(
    run: Run, files: Files, command: str, measure: str, parts: list[str]
) -> None:
    query = ["--query", "q1"] if command == "explain" else []
    assert lacking(run(command, *files, "-m", measure, *query).refusal(), *parts) == []


@pytest.mark.parametrize("k", ["9223372036854775807", "9223372036854775808", "99999999999999999999", "9" * 5000])
@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
def test_huge_cutoff_cuts_nothing_or_is_refused(run: Run, files: Files, command: str, k: str) -> None:
    query = ["--query", "q1"] if command == "explain" else []
    outcome = run(command, *files, "-m", f"ndcg@{k}", *query)
    assert outcome.code == 0 or "cutoff" in outcome.refusal()


@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
def test_huge_cutoff_of_perfect_positions_does_not_hang(start: Run, files: Files, command: str) -> None:
    query = ["--query", "q1"] if command == "explain" else []
    outcome = start(command, *files, "-m", "ndcg(ideal=perfect)@9000000000000000000", *query)
    assert outcome.code == 0 or outcome.refusal()


@pytest.mark.parametrize("k", ["2000000000", "9000000000000000000"])
def test_huge_default_cutoff_of_perfect_positions_does_not_panic(start: Run, files: Files, k: str) -> None:
    convention = f"trec_eval(default_cutoff={k},ideal=perfect)"
    outcome = start("evaluate", *files, "-m", "ndcg", "--convention", convention)
    assert outcome.code == 0 or outcome.refusal()


@pytest.mark.parametrize(
    ("convention", "parts"),
    [
        ("trek_eval", ["expected a convention", "'trek_eval'", "did you mean 'trec_eval'?"]),
        ("burgess", ["expected a convention", "'burgess'", "did you mean 'burges'?"]),
        ("", ["expected a convention", "''"]),
        (
            "trec_eval(tie=average)",
            ["expected a parameter of the convention trec_eval", "'tie'", "did you mean 'ties'?"],
        ),
        ("trec_eval(name=sklearn)", ["expected a parameter of the convention trec_eval", "'name'"]),
        ("trec_eval(ties=avg)", ["expected ties to be one of", "'avg'", "did you mean 'average'?"]),
        ("trec_eval(decimals=-1)", ["expected decimals to be a whole number from 0 to 17", "'-1'"]),
        ("trec_eval(default_cutoff=0)", ["expected default_cutoff to be a whole number from 1 to 2,147,483,647", "0"]),
        ("trec_eval(ties=average", ["expected the form", "parentheses must close"]),
        ("trec_eval)", ["expected", "trec_eval)"]),
        ("trec_eval(ties)", ["expected the form", "'ties'"]),
    ],
)
@pytest.mark.parametrize("command", grid(["evaluate", "explain"], 1))
def test_convention_that_does_not_exist_is_refused(
    run: Run, files: Files, command: str, convention: str, parts: list[str]
) -> None:
    query = ["--query", "q1"] if command == "explain" else []
    assert lacking(run(command, *files, "--convention", convention, *query).refusal(), *parts) == []


def test_huge_default_cutoff_cuts_nothing_or_is_refused(run: Run, files: Files) -> None:
    convention = "trec_eval(default_cutoff=99999999999999999999)"
    outcome = run("evaluate", *files, "-m", "ndcg", "--convention", convention)
    assert outcome.code == 0 or "cutoff" in outcome.refusal()


@pytest.mark.parametrize(
    ("switches", "parts"),
    [
        (["--formt", "json"], ["'--formt'", "--format"]),
        (["--format", "xml"], ["'xml'", "json"]),
        (["--missing", "none"], ["'none'", "skip", "zero", "error"]),
        (["--unjudged", "none"], ["'none'", "zero", "drop", "error"]),
        (["--depth", "0"], ["expected depth to be a whole number of at least 1", "got 0"]),
        (["--depth", "-3"], ["expected depth to be a whole number of at least 1", "got -3"]),
        (["--depth", "x"], ["--depth", "'x'"]),
        (["--threads", "0"], ["expected threads to be a whole number of at least 1", "got 0"]),
        (["--threads", "-1"], ["expected threads to be a whole number of at least 1", "got -1"]),
        (["--seed", "-1"], ["expected seed to be a whole number of at least 0", "got -1"]),
        (["--seed", "1.5"], ["--seed", "'1.5'"]),
        (["--seed", "9" * 30], ["seed", "9" * 30]),
        (["--relevance-level", "nan"], ["expected", "nan"]),
        (["--relevance-level", "x"], ["--relevance-level", "'x'"]),
        (["-m"], ["-m"]),
        (["third.txt"], ["third.txt"]),
    ],
)
def test_evaluate_with_a_wrong_switch_is_refused(run: Run, files: Files, switches: list[str], parts: list[str]) -> None:
    assert lacking(run("evaluate", *files, *switches).refusal(), *parts) == []


def test_threads_beyond_any_machine_do_not_hang(start: Run, files: Files) -> None:
    outcome = start("evaluate", *files, "--threads", "100000000")
    assert outcome.code == 0 or "threads" in outcome.refusal()


@pytest.mark.parametrize(
    ("switches", "parts"),
    [
        (["--query", "q7"], ["expected a query of the judgments", "'q7'"]),
        (["--query", "Q1"], ["expected a query of the judgments", "'Q1'", "did you mean 'q1'?"]),
        (["--query", "q9"], ["expected a query of the judgments", "'q9'"]),
        (["--query", ""], ["expected a query of the judgments", "''"]),
        ([], ["expected a query", "--query", "q1"]),
        (["--query", "q1", "--depth", "0"], ["expected depth to be a whole number of at least 1", "got 0"]),
        (["--query", "q1", "--depth", "-1"], ["expected depth to be a whole number of at least 1", "got -1"]),
        (["--query", "q1", "--format", "trec"], ["'trec'", "json"]),
        (["--query", "q3", "--missing", "error"], ["'q3'", "expected every judged query in the ranking"]),
        (["--query", "q1", "--unjudged", "error"], ["'d9'", "expected a judgment for every ranked item"]),
    ],
)
def test_explain_with_a_wrong_switch_is_refused(run: Run, files: Files, switches: list[str], parts: list[str]) -> None:
    assert lacking(run("explain", *files, *switches).refusal(), *parts) == []


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["evaluate"], ["JUDGMENTS", "rankgauge evaluate --help"]),
        (["evaluate", "qrels.txt"], ["qrels.txt", "expected a file"]),
        (["explain", "qrels.txt"], ["qrels.txt", "expected a file"]),
        (["conventions", "burgess"], ["expected a convention", "did you mean 'burges'?"]),
        (["conventions", "--nothing"], ["--nothing", "rankgauge conventions --help"]),
        (["demo", "more"], ["more", "rankgauge demo --help"]),
        (["completion"], ["bash", "zsh", "fish"]),
        (["completion", "tcsh"], ["'tcsh'", "bash", "zsh", "fish"]),
        (["evalute"], ["'evalute'", "rankgauge --help"]),
        (["--nothing"], ["--nothing", "rankgauge --help"]),
    ],
)
def test_command_that_does_not_exist_is_refused(run: Run, arguments: list[str], parts: list[str]) -> None:
    assert lacking(run(*arguments).refusal(), *parts) == []


@pytest.mark.parametrize("command", ["evaluate", "explain", "conventions"])
def test_command_without_a_ranking_is_refused(run: Run, files: Files, command: str) -> None:
    name = files.judgments.name
    assert lacking(run(command, files.judgments).refusal(), "expected a ranking beside the judgments", name) == []


@pytest.mark.parametrize(
    "output", ["none/out.txt", "", "qrels.txt/out.txt"], ids=["no folder", "a folder", "in a file"]
)
def test_output_file_that_cannot_be_written_is_refused(run: Run, files: Files, tmp_path: Path, output: str) -> None:
    path = tmp_path / output
    assert lacking(run("evaluate", *files, "-o", path).refusal(), str(path), "expected to write the output") == []
