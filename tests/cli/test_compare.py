"""`rankgauge compare`: formats, gates and their exit codes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.conftest import Run, RunOnTerminal
from tests.small_runs import run_with_noise, small_judgments, write_qrels, write_run

import rankgauge as rg

JUDGMENTS = small_judgments()
RUNS = {
    name: run_with_noise(JUDGMENTS, noise, seed)
    for seed, (name, noise) in enumerate([("base", 1.0), ("good", 0.4), ("bad", 9.0), ("near", 1.0)])
}


@pytest.fixture
def paths(tmp_path: Path) -> dict[str, Path]:
    (tmp_path / "runs").mkdir()
    paths = {name: write_run(tmp_path / "runs" / f"{name}.run", run) for name, run in RUNS.items()}
    return paths | {"qrels": write_qrels(tmp_path / "qrels.txt", JUDGMENTS)}


def test_compare_prints_the_finding_first(run: Run, paths: dict[str, Path]) -> None:
    text = run("compare", paths["qrels"], paths["base"], paths["good"], "-m", "ndcg@10", "-m", "map").text()
    first, *_ = text.splitlines()
    assert first.startswith("good is better than base by 0.")
    assert first.endswith("(ndcg@10)")
    assert "most moved (ndcg@10)" in text


def test_compare_as_json_has_the_numbers_of_python(run: Run, paths: dict[str, Path]) -> None:
    outcome = run("compare", paths["qrels"], paths["base"], paths["good"], "--format", "json")
    expected = rg.compare(JUDGMENTS, {name: RUNS[name] for name in ("base", "good")})
    values = json.loads(outcome.stdout)
    assert outcome.code == 0
    assert values["pairs"][0]["difference"] == pytest.approx(expected.pairs[0].difference, abs=1e-12)
    assert values["pairs"][0]["p"] == expected.pairs[0].p
    assert "comparisons: 1 comparison by the paired randomisation test" in outcome.stderr


def test_compare_of_a_folder_compares_every_file(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    text = run("compare", paths["qrels"], tmp_path / "runs", "--baseline", "base").text()
    assert "Holm's correction over the 3 of each measure" in text
    pattern = run("compare", paths["qrels"], str(tmp_path / "runs" / "*.run"), "--baseline", "base").text()
    assert pattern == text


def test_compare_of_patterns_takes_each_for_a_run(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    expected = run("compare", paths["qrels"], paths["base"], paths["good"]).text()
    for name in ("base", "good"):
        rows = [(query, item, score) for query, items in RUNS[name].items() for item, score in items.items()]
        (tmp_path / name).mkdir()
        for number in range(2):
            lines = "".join(f"{query},{item},{score!r}\n" for query, item, score in rows[number::2])
            (tmp_path / name / f"part-{number}.csv").write_text(f"query,item,score\n{lines}", encoding="utf-8")
    for pieces in ("*.csv", "part-*"):
        text = run("compare", paths["qrels"], tmp_path / "base" / pieces, tmp_path / "good" / pieces).text()
        assert text.splitlines()[0] == expected.splitlines()[0]


def test_compare_of_one_file_compares_the_runs_in_its_column(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    expected = run("compare", paths["qrels"], paths["base"], paths["good"]).text()
    lines = [
        f"{name},{query},{item},{score!r}\n"
        for name in ("base", "good")
        for query, items in RUNS[name].items()
        for item, score in items.items()
    ]
    (tmp_path / "all.csv").write_text("".join(["run,query,item,score\n", *lines]), encoding="utf-8")
    text = run("compare", paths["qrels"], tmp_path / "all.csv", "--fail-if-worse", "0.1").text()
    assert text.splitlines()[0] == expected.splitlines()[0]
    refused = run("evaluate", paths["qrels"], tmp_path / "all.csv")
    assert (refused.code, "got the runs 'base', 'good' in the column 'run'" in refused.stderr) == (2, True)


@pytest.mark.parametrize(
    ("format_", "expected"), [("latex", r"\toprule"), ("markdown", "| run "), ("csv", "measure,first")]
)
def test_compare_in_a_format_for_programs_writes_the_table(
    run: Run, paths: dict[str, Path], format_: str, expected: str
) -> None:
    outcome = run("compare", paths["qrels"], paths["base"], paths["good"], "--format", format_)
    assert (outcome.code, expected in outcome.stdout) == (0, True)


def test_compare_for_a_sample_size_says_how_many_queries(run: Run, paths: dict[str, Path]) -> None:
    text = run("compare", paths["qrels"], paths["base"], paths["near"], "--sample-size", "0.02").text()
    assert text.splitlines()[0].endswith("queries needed")


@pytest.mark.parametrize(
    ("new", "switches", "code", "reason"),
    [
        ("good", ["--fail-if-worse", "0.005"], 0, ""),
        ("bad", ["--fail-if-worse", "0.005"], 1, "bad is worse than base on ndcg@10 by more than 0.005"),
        ("near", ["--fail-if-worse", "0.005"], 0, "undecided: whether near is worse than base on ndcg@10"),
        ("near", ["--fail-if-worse", "0.005", "--gate", "strict"], 1, "queries would decide"),
        ("bad", ["--fail-if-worse", "0.005", "--gate", "point"], 1, "by 0."),
        ("good", ["--fail-if-worse", "0", "--gate", "point"], 0, ""),
    ],
)
def test_compare_with_a_gate_exits_with_1_if_worse(
    run: Run, paths: dict[str, Path], new: str, switches: list[str], code: int, reason: str
) -> None:
    outcome = run("compare", paths["qrels"], paths["base"], paths[new], *switches)
    assert outcome.code == code
    assert reason in outcome.stderr
    assert outcome.stdout.startswith(new) or outcome.stdout.startswith("no difference shown")


def test_compare_with_a_gate_takes_the_first_run_for_the_baseline(run: Run, paths: dict[str, Path]) -> None:
    outcome = run("compare", paths["qrels"], paths["base"], paths["good"], paths["bad"], "--fail-if-worse", "0.01")
    assert outcome.code == 1
    assert outcome.stderr == outcome.stderr.splitlines()[0] + "\n"
    assert outcome.stderr.startswith("rankgauge: bad is worse than base")


def test_gate_without_an_interval_is_refused_but_for_the_point(run: Run, tmp_path: Path) -> None:
    judgments = small_judgments(3)
    files = [
        write_run(tmp_path / f"{name}.run", run_with_noise(judgments, 1.0, seed)) for seed, name in enumerate("ab")
    ]
    qrels = write_qrels(tmp_path / "qrels.txt", judgments)
    outcome = run("compare", qrels, *files, "--fail-if-worse", "0.5")
    assert (outcome.code, "expected an interval of b − a" in outcome.stderr) == (2, True)
    assert run("compare", qrels, *files, "--fail-if-worse", "0.9", "--gate", "point").code == 0
    assert run("evaluate", qrels, files[0], "--fail-under", "ndcg@10=0.1").code == 2
    assert run("evaluate", qrels, files[0], "--fail-under", "ndcg@10=0.1", "--gate", "point").code == 0


@pytest.mark.parametrize(
    ("threshold", "gate", "code"),
    [("0.1", "lenient", 0), ("0.99", "lenient", 1), ("0.1", "strict", 0), ("0.99", "strict", 1), ("0.99", "point", 1)],
)
def test_evaluate_under_a_threshold_exits_with_1(
    run: Run, paths: dict[str, Path], threshold: str, gate: str, code: int
) -> None:
    outcome = run("evaluate", paths["qrels"], paths["base"], "--fail-under", f"ndcg@10={threshold}", "--gate", gate)
    assert outcome.code == code
    assert (f"below {threshold}" in outcome.stderr) == (code == 1)
    assert "ndcg@10" in outcome.stdout


def test_evaluate_at_a_threshold_within_the_interval_fails_only_if_strict(run: Run, paths: dict[str, Path]) -> None:
    result = rg.evaluate(JUDGMENTS, RUNS["base"])
    threshold = f"ndcg@10={(result['ndcg@10'] + result.interval('ndcg@10').high) / 2}"
    assert run("evaluate", paths["qrels"], paths["base"], "--fail-under", threshold).code == 0
    assert run("evaluate", paths["qrels"], paths["base"], "--fail-under", threshold, "--gate", "strict").code == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--fail-under", "ndcg@10"],
        ["--fail-under", "=0.3"],
        ["--fail-under", "ndcg@10=high"],
        ["--fail-under", "ndcg@10=nan"],
        ["--fail-under", "mr=0.3"],
    ],
)
def test_threshold_that_cannot_be_read_is_refused(run: Run, paths: dict[str, Path], arguments: list[str]) -> None:
    outcome = run("evaluate", paths["qrels"], paths["base"], *arguments)
    assert outcome.code == 2


def test_evaluate_computes_a_measure_that_has_a_threshold(run: Run, paths: dict[str, Path]) -> None:
    text = run("evaluate", paths["qrels"], paths["base"], "-m", "map", "--fail-under", "mrr=0.3").text()
    assert [line.split()[0] for line in text.splitlines()[1:3]] == ["map", "mrr"]


@pytest.mark.parametrize(
    "arguments", [["--baseline", "bass"], ["--test", "anova"], ["--level", "95"], ["--margin", "-1"], ["-m", "ndgc"]]
)
def test_compare_with_a_wrong_switch_is_refused(run: Run, paths: dict[str, Path], arguments: list[str]) -> None:
    run("compare", paths["qrels"], paths["base"], paths["good"], *arguments).refusal()


def test_compare_of_one_run_is_refused(run: Run, paths: dict[str, Path]) -> None:
    assert "expected at least two runs" in run("compare", paths["qrels"], paths["base"]).refusal()


def test_compare_with_lacking_queries_and_strict_is_refused(run: Run, paths: dict[str, Path], tmp_path: Path) -> None:
    half = write_run(tmp_path / "half.run", dict(list(RUNS["good"].items())[:20]))
    assert "lacking queries: half lacks 20" in run("compare", paths["qrels"], paths["base"], half, "--strict").refusal()


@pytest.mark.parametrize("threshold", ["nan", "inf"])
def test_gate_refuses_a_threshold_that_every_run_meets(run: Run, paths: dict[str, Path], threshold: str) -> None:
    outcome = run("compare", paths["qrels"], paths["base"], paths["bad"], "--fail-if-worse", threshold)
    assert "expected a finite number, as in 0.005" in outcome.refusal()


def test_gate_refuses_a_number_of_no_query(run: Run, write: Callable[[str, str], Path]) -> None:
    qrels, first, second = (
        write("q.txt", "q 0 a 0\n"),
        write("a.run", "q Q0 a 1 1 t\n"),
        write("b.run", "q Q0 a 1 1 t\n"),
    )
    convention = ("--convention", "trec_eval(nothing_relevant=skip)", "-m", "ndcg")
    compared = run("compare", qrels, first, second, *convention, "--fail-if-worse", "0", "--gate", "point")
    assert compared.code == 2
    assert "expected a number of b − a" in compared.stderr
    evaluated = run("evaluate", qrels, first, *convention, "--fail-under", "ndcg=0.1", "--gate", "point")
    assert evaluated.code == 2
    assert "expected a number of ndcg" in evaluated.stderr


@pytest.mark.parametrize(("short", "long"), [("-c", ["--missing", "zero"]), ("-J", ["--unjudged", "drop"])])
@pytest.mark.parametrize("command", ["compare", "sql", "explain"])
def test_switches_of_trec_eval_are_those_that_they_stand_for(
    run: Run, paths: dict[str, Path], command: str, short: str, long: list[str]
) -> None:
    inputs: dict[str, list[str | Path]] = {
        "compare": [paths["qrels"], paths["base"], paths["good"]],
        "sql": ["--dialect", "duckdb"],
        "explain": [paths["qrels"], paths["base"], "--query", next(iter(JUDGMENTS))],
    }
    arguments = [command, *inputs[command]]
    assert run(*arguments, short).text() == run(*arguments, *long).text()
    assert f"got both: {short} means" in run(*arguments, short, long[0], "error").stderr


def test_compare_on_a_narrow_terminal_stays_inside_it_and_in_line(
    run_on_terminal: RunOnTerminal, paths: dict[str, Path]
) -> None:
    arguments = ("compare", paths["qrels"], paths["base"], paths["bad"], paths["good"])
    lines = re.sub(r"\x1b\[[0-9;]*m", "", run_on_terminal(*arguments, columns=60).text()).splitlines()
    assert max(map(len, lines)) <= 60
    (counts,) = [line for line in lines if "better  " in line]
    assert counts.split()[-3:] == ["better", "worse", "equal"]
    means = [line for line in lines if re.match(r" ?[ᵃᵇᶜ] ", line)]
    assert len({line.index("0.") for line in means}) == 1
