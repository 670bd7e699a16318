"""`rankgauge trec_eval` takes the command line of trec_eval 10 and prints what it prints; its outputs are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.cli.test_trec_eval_output import FOLDER, REQUESTS, defined, labels

from rankgauge.cli.app import app
from rankgauge.errors import RankgaugeError

QRELS, RUN = str(FOLDER / "judgments-few.txt"), str(FOLDER / "ranking.txt")
# P_10 of 16 queries is so many tenths. Added one after the other their sum is not the exact one, and the mean lies
# between two numbers of four decimals. trec_eval 10.0 prints the one below.
TENTHS = (6, 6, 0, 4, 8, 7, 6, 4, 7, 5, 9, 3, 8, 2, 4, 2)
SUMMED_IN_ORDER = "0.5063"


def call(*words: str) -> Result:
    return CliRunner().invoke(app, ["trec_eval", *words])


def printed(*words: str) -> str:
    result = call(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def refused(*words: str) -> str:
    result = call(*words)
    assert isinstance(result.exception, RankgaugeError)
    assert result.stdout == ""
    return str(result.exception)


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request["name"])
def test_trec_eval_prints_the_recorded_output_of_trec_eval(request_: dict[str, Any]) -> None:
    expected = (FOLDER / f"{request_['name']}.txt").read_text(encoding="utf-8")
    ours = printed(*request_["arguments"], str(FOLDER / request_["judgments"]), RUN)
    undefined = request_.get("undefined", [])
    assert defined(ours, undefined) == defined(expected, undefined)
    assert labels(ours) == labels(expected)


def test_trec_eval_without_measure_prints_the_official_ones() -> None:
    assert printed(QRELS, RUN) == printed("-m", "official", QRELS, RUN)


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["-qn", "-mmap"], ["-q", "-n", "-m", "map"]),
        (["--meas", "map", "--query"], ["-m", "map", "-q"]),
        (["--measure=map", "-l2"], ["-m", "map", "-l", "2"]),
        (["-m", "map", "-l", "2.7"], ["-m", "map", "-l", "2"]),
        (["-m", "map.5"], ["-m", "map"]),
        (["-m", "official.5"], ["-m", "official"]),
        (["-m", "P.5", "-m", "P.7"], ["-m", "P.5"]),
        (["-o", "-D", "0", "-R", "qrels", "-T", "trec_results", "-m", "map"], ["-m", "map"]),
        (["-m", "success.1.9"], ["-m", "success.1"]),
        (["-m", "iprec_at_recall.0.1,.25"], ["-m", "iprec_at_recall.0.1,0.25"]),
    ],
)
def test_trec_eval_reads_switches_as_trec_eval_does(words: list[str], same: list[str]) -> None:
    assert printed(*words, QRELS, RUN) == printed(*same, QRELS, RUN) != ""


def test_trec_eval_takes_switches_behind_the_files() -> None:
    assert printed(QRELS, "-m", "map", RUN, "-q") == printed("-m", "map", "-q", QRELS, RUN)


def test_trec_eval_cuts_cutoffs_to_whole_numbers() -> None:
    assert printed("-m", "ndcg_cut.5,23.4", QRELS, RUN) == (
        "ndcg_cut_5            \tall\t0.0870\nndcg_cut_23           \tall\t0.2722\n"
    )


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["-Z", "means", QRELS, RUN], "-Z means"),
        (["-R", "prefs", QRELS, RUN], "-R prefs"),
        (["-R", "qrels_jg", QRELS, RUN], "-R qrels_jg"),
        (["-T", "other", QRELS, RUN], "-T other"),
        (["-D", "1", QRELS, RUN], "-D 1"),
        (["-m", "P,map", QRELS, RUN], "'P,map'"),
        (["-m", "ndcg_cut.", QRELS, RUN], "'ndcg_cut.'"),
        (["-m", "MAP", QRELS, RUN], "'MAP'"),
        (["-m", "err@20", QRELS, RUN], "'err@20'"),
        (["-m", "prefs_simp", QRELS, RUN], "preferences"),
        (["-m", "all_prefs", QRELS, RUN], "preferences"),
        (["-m", "map_avgjg", QRELS, RUN], "groups"),
        (["-m", "P.0", QRELS, RUN], "cutoff"),
        (["-l", "0", QRELS, RUN], "-l"),
        (["-M", "abc", QRELS, RUN], "-M"),
        (["-x", QRELS, RUN], "-x"),
        ([QRELS], "QRELS RESULTS"),
        ([QRELS, RUN, RUN], "QRELS RESULTS"),
    ],
)
def test_trec_eval_refuses_what_it_does_not_take_by_name(words: list[str], named: str) -> None:
    assert named in refused(*words)


def test_trec_eval_help_lists_the_switches_and_version_goes_to_stderr() -> None:
    assert "--complete_rel_info_wanted" in printed("-h")
    assert printed("-h", "-m", "map") == printed("--help")
    shown = call("-v")
    assert (shown.exit_code, shown.stdout) == (0, "")
    assert shown.stderr.startswith("trec_eval version 10.0")


def write(folder: Path, queries: dict[str, int]) -> tuple[str, str]:
    """Write files in which so many of the first ten items of each query are relevant."""
    judgments, ranking = folder / "qrels", folder / "run"
    judgments.write_text("".join(f"{q} 0 d{n} {int(n < hits)}\n" for q, hits in queries.items() for n in range(10)))
    ranking.write_text("".join(f"{q} Q0 d{n} 1 {9 - n} tag\n" for q in queries for n in range(10)))
    return str(judgments), str(ranking)


def test_trec_eval_remarks_that_may_matter_go_to_stderr_and_notes_do_not(tmp_path: Path) -> None:
    judgments, ranking = write(tmp_path, {"q1": 3, "q2": 1})
    assert call("-m", "map", judgments, ranking).stderr == ""
    with Path(judgments).open("a") as file:
        file.write("q3 0 d1 1\n")
    assert call("-m", "map", judgments, ranking).stderr.startswith("missing: 1 query judged but not in the ranking")


@pytest.mark.parametrize("words", [["trec_eval", "-m", "P.10"], ["evaluate", "-m", "P.10", "--format", "trec"]])
def test_means_are_added_in_the_order_of_the_queries(words: list[str], tmp_path: Path) -> None:
    files = write(tmp_path, {f"q{number:02}": hits for number, hits in enumerate(TENTHS)})
    result = CliRunner().invoke(app, [*words, *files])
    assert result.stdout == f"P_10                  \tall\t{SUMMED_IN_ORDER}\n"


@pytest.mark.parametrize("words", [["trec_eval"], ["trec_eval", "-q"], ["evaluate", "--format", "trec"]])
def test_query_called_all_is_refused(words: list[str], tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*words, *write(tmp_path, {"q1": 3, "all": 1})])
    assert isinstance(result.exception, RankgaugeError)
    assert result.exception.code == "query-called-all"
    assert result.stdout == ""


def test_query_called_all_is_shown_in_other_formats(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["evaluate", "-q", *write(tmp_path, {"q1": 3, "all": 1})])
    assert result.exit_code == 0
