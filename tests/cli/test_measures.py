"""`rankgauge measures`: the list, and one measure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.grids import grid

from rankgauge.measures import NAMED

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_measures_without_a_name_lists_each_once(run: Run) -> None:
    lines = run("measures").text().splitlines()
    assert [line.split()[0] for line in lines] == ["measure", *NAMED]


@pytest.mark.parametrize("name", grid(NAMED, 8))
def test_measure_by_name_shows_its_facts(run: Run, name: str) -> None:
    shown = run("measures", name).text()
    assert NAMED[name].formula in shown
    assert NAMED[name].cite in shown
    for alias in NAMED[name].aliases:
        assert run("measures", alias).text() == shown


def test_measures_as_json_and_in_a_file_are_equal(run: Run, tmp_path: Path) -> None:
    printed = json.loads(run("measures", "--format", "json").text())
    assert [measure["name"] for measure in printed] == list(NAMED)
    assert json.loads(run("measures", "AP", "--format", "json").text())["trec_names"] == ["map", "map_cut_k"]
    nickname = json.loads(run("measures", "set", "--format", "json").text())
    assert [measure["name"] for measure in nickname][:2] == ["num_q", "num_ret"]
    run("measures", "map", "-o", str(tmp_path / "out")).text()
    assert "Buckley" in (tmp_path / "out").read_text(encoding="utf-8")


def test_measure_with_an_unknown_name_is_refused(run: Run) -> None:
    assert "did you mean 'precision'?" in run("measures", "precison").refusal()
