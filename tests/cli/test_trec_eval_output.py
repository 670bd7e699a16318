"""`--format trec` is what trec_eval 10 prints, byte for byte; its outputs for our fixtures are recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tomli
from click.testing import CliRunner

from rankgauge.cli.app import app

FOLDER = Path(__file__).parents[1] / "golden" / "trec_eval"
REQUESTS: list[dict[str, Any]] = tomli.loads((FOLDER / "requests.toml").read_text(encoding="utf-8"))["request"]


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["evaluate", *arguments, "--format", "trec"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request["name"])
def test_evaluate_as_trec_prints_the_recorded_output_of_trec_eval(request_: dict[str, Any]) -> None:
    judgments, ranking = FOLDER / request_["judgments"], FOLDER / "ranking.txt"
    expected = (FOLDER / f"{request_['name']}.txt").read_text(encoding="utf-8")
    ours = printed(str(judgments), str(ranking), *request_["arguments"])
    undefined = request_.get("undefined", [])
    assert defined(ours, undefined) == defined(expected, undefined)
    assert labels(ours) == labels(expected)


def defined(lines: str, undefined: list[str]) -> list[str]:
    """Drop the lines that trec_eval computes from an uninitialised number."""
    return [line for line in lines.splitlines() if line.split()[0] not in undefined]


def labels(lines: str) -> list[str]:
    return [line.rpartition("\t")[0] for line in lines.splitlines()]
