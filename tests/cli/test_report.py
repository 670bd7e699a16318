"""`rankgauge report`: the file it writes, what it says, and what it refuses."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from tests.cli.conftest import Run
from tests.reports.unpacked import Unpacked
from tests.small_runs import run_with_noise, small_judgments, write_qrels, write_run

import rankgauge as rg

JUDGMENTS = small_judgments(30)
RUNS = {
    name: run_with_noise(JUDGMENTS, noise, seed) for seed, (name, noise) in enumerate([("base", 1.0), ("good", 0.3)])
}


@pytest.fixture
def paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    paths = {name: write_run(tmp_path / "runs" / f"{name}.run", run) for name, run in RUNS.items()}
    return paths | {"qrels": write_qrels(tmp_path / "qrels.txt", JUDGMENTS)}


def test_report_of_two_runs_compares_them(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    outcome = run("report", "qrels.txt", "runs/base.run", "runs/good.run", "-m", "ndcg@10", "-o", "out.html")
    finding = str(rg.compare("qrels.txt", ["runs/base.run", "runs/good.run"], "ndcg@10").headline())
    assert (outcome.code, outcome.stdout) == (0, "")
    assert outcome.stderr.startswith("out.html: ")
    assert outcome.stderr.rstrip().endswith(finding)
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert f"<h1>{finding.replace('<', '&lt;')}</h1>" in page
    command = "rankgauge report qrels.txt runs/base.run runs/good.run -m ndcg@10 -o out.html"
    assert f'<tr><th scope="row">command</th><td class="id">{command}</td></tr>' in page
    assert Unpacked.of(page).explorer["runs"] == ["base", "good"]


def test_report_of_one_run_evaluates_it_and_has_a_default_path(
    run: Run, paths: dict[str, Path], tmp_path: Path
) -> None:
    outcome = run("report", "qrels.txt", "runs/good.run")
    assert outcome.code == 0
    assert "ndcg@10 is 0." in outcome.stderr
    assert Unpacked.of((tmp_path / "report.html").read_text(encoding="utf-8")).explorer["runs"] == ["good"]


def test_report_of_a_missing_file_says_so(run: Run, paths: dict[str, Path]) -> None:
    outcome = run("report", "qrels.txt", "runs/nothere.run")
    assert (outcome.code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("rankgauge: runs/nothere.run: expected a file, got nothing of that name.")


@pytest.mark.parametrize("runs", [["base"], ["base", "good"]])
def test_every_file_is_named_with_its_sha_256(
    run: Run, paths: dict[str, Path], tmp_path: Path, runs: list[str]
) -> None:
    run("report", "qrels.txt", *(f"runs/{name}.run" for name in runs))
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    for name in ["qrels", *runs]:
        assert f"SHA-256 {sha256(paths[name].read_bytes()).hexdigest()}" in page


def test_report_of_a_folder_compares_its_files(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    assert run("report", "qrels.txt", "runs", "--baseline", "good", "-o", "-").stdout.startswith("<!DOCTYPE html>")
    assert not (tmp_path / "report.html").exists()


def test_switches_are_those_of_compare(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "segments.csv").write_text(
        "query,length\n"
        + "".join(f"{query},{'long' if number % 2 else 'short'}\n" for number, query in enumerate(JUDGMENTS)),
        encoding="utf-8",
    )
    (tmp_path / "queries.tsv").write_text("q01\trunning shoes\n", encoding="utf-8")
    switches = (
        "--by",
        "segments.csv:length",
        "--test",
        "t",
        "--level",
        "0.9",
        "--convention",
        "burges",
        "--depth",
        "9",
    )
    texts = ("--texts", "queries.tsv", "-")
    outcome = run("report", "qrels.txt", "runs", *switches, *texts, "-o", "-")
    assert outcome.code == 0
    assert "90% intervals" in outcome.stdout
    assert ">By length</h2>" in outcome.stdout
    assert "running shoes" in Unpacked.of(outcome.stdout).explorer["texts"]


@pytest.mark.parametrize("output", ["qrels.txt", "runs/good.run", "queries.tsv"])
def test_report_never_writes_over_what_it_reads(run: Run, paths: dict[str, Path], tmp_path: Path, output: str) -> None:
    (tmp_path / "queries.tsv").write_text("q01\tshoes\n", encoding="utf-8")
    before = (tmp_path / output).read_bytes()
    outcome = run("report", "qrels.txt", "runs/good.run", "--texts", "queries.tsv", "-", "-o", output)
    assert outcome.code == 2
    assert (tmp_path / output).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.txt", "runs/good.run"), "expected a file, got nothing"),
        (("qrels.txt", "runs/good.run", "-m", "ndgc"), "expected a measure"),
        (("qrels.txt", "runs", "--baseline", "bm25"), "expected a run"),
        (
            ("qrels.txt", "runs/good.run", "--texts", "none.tsv", "-"),
            "none.tsv: expected a file, got nothing of that name",
        ),
        (("qrels.txt", "runs/good.run", "-o", "x.pdf"), "expected a name for a page of HTML (.html), got 'x.pdf'"),
        (("qrels.txt", "runs/good.run", "-o", "x.json"), "`rankgauge compare … -o table.json`"),
        (("qrels.txt", "runs/good.run", "--texts", "q.tsv", "-o", "x.html"), "--texts queries.tsv - -o"),
        (("qrels.txt", "runs/good.run", "-o", "none/report.html"), "expected to write the output"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    run: Run, paths: dict[str, Path], arguments: tuple[str, ...], message: str
) -> None:
    outcome = run("report", *arguments)
    assert outcome.code == 2
    assert len(outcome.stderr.splitlines()) == 1
    assert message in outcome.stderr


def test_names_of_files_reach_a_terminal_escaped(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    paths["good"].rename(tmp_path / "e\x1b[31m\n.run")
    runs = ("qrels.txt", "runs/base.run", "e\x1b[31m\n.run")
    said = run("report", *runs, "-o", "out\n.html").stderr
    assert said.startswith("out\\n.html: ")
    assert "e\\x1b[31m\\n" in said
    failed = run("compare", *runs, "--baseline", "base", "--fail-if-worse", "-1")
    assert (failed.code, "e\\x1b[31m\\n is worse" in failed.stderr) == (1, True)


@pytest.mark.parametrize("pattern", ["runs/g*.run", "runs/good.run"])
def test_report_of_a_pattern_with_one_match_is_that_of_the_run(
    run: Run, paths: dict[str, Path], tmp_path: Path, pattern: str
) -> None:
    assert run("report", "qrels.txt", pattern, "-o", "out.html").code == 0
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert Unpacked.of(page).explorer["runs"] == ["good"]


def test_report_of_a_file_of_several_runs_shows_each(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    lines = (
        f"{path.stem},{query},{item},{score}\n"
        for path in (paths["base"], paths["good"])
        for query, _, item, _, score, _ in map(str.split, path.read_text(encoding="utf-8").splitlines())
    )
    (tmp_path / "all.csv").write_text("run,query,item,score\n" + "".join(lines), encoding="utf-8")
    assert run("report", "qrels.txt", "all.csv", "-o", "out.html").code == 0
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert Unpacked.of(page).explorer["runs"] == ["base", "good"]


def test_report_of_a_pattern_without_a_match_is_refused(run: Run, paths: dict[str, Path]) -> None:
    outcome = run("report", "qrels.txt", "runs/x*.run")
    assert (outcome.code, "got no file of 'runs/x*.run'" in outcome.stderr) == (2, True)


def test_report_takes_the_switches_of_trec_eval(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    assert run("report", "qrels.txt", "runs/good.run", "-c", "-J").code == 0
    assert "trec_eval(missing=zero,unjudged=drop)" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_report_of_a_pattern_with_one_match_evaluates_it(run: Run, paths: dict[str, Path]) -> None:
    outcome = run("report", "qrels.txt", "runs/g*.run")
    assert outcome.code == 0
    assert "ndcg@10 is 0." in outcome.stderr


def test_report_in_another_language_says_that_it_is_in_english(run: Run, paths: dict[str, Path]) -> None:
    outcome = run("--lang", "ko", "report", "qrels.txt", "runs/good.run", "-o", "out.html")
    assert outcome.stderr.startswith("--lang을 적용하지 않음: 보고서는 영어로 작성\nout.html: ")
    assert "--lang" not in run("--lang", "en", "report", "qrels.txt", "runs/good.run", "-o", "out.html").stderr
