"""The promise: the same data through every way in gives the same values, to the last bit."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.inputs.ways_in import (
    ARRAYS,
    FILES,
    FRAMES,
    IDS,
    JUDGED,
    JUDGED_ROWS,
    LABELS,
    LISTS,
    MAPPINGS,
    MEASURES,
    PIPED,
    RANKED,
    RANKED_ROWS,
    SCORES,
    SHUFFLE,
    SHUFFLED,
    TABLES,
    WITHOUT_SCORES,
    assert_same,
    sent,
    written,
)

import rankgauge as rg

IN_MEMORY = [*MAPPINGS, *FRAMES]


def in_memory(way: str) -> tuple[Any, Any]:
    if way in MAPPINGS:
        return MAPPINGS[way](JUDGED), MAPPINGS[way](RANKED)
    return FRAMES[way](JUDGED_ROWS), FRAMES[way](RANKED_ROWS)


@pytest.mark.parametrize("way", IN_MEMORY)
def test_mappings_and_frames_give_the_same_result(way: str) -> None:
    assert_same(rg.evaluate(*in_memory(way), MEASURES))
    judgments, ranking = in_memory(way)
    judged, ranked = rg.read_judgments(judgments), rg.read_ranking(ranking)
    for engine in ("native", "reference", "native"):
        assert_same(rg.evaluate(judged, ranked, MEASURES, engine=engine))


@pytest.mark.parametrize("way", FILES)
def test_files_of_every_format_give_the_same_result(way: str, tmp_path: Path) -> None:
    judgments, ranking = written(way, JUDGED_ROWS, tmp_path), written(way, RANKED_ROWS, tmp_path)
    assert_same(rg.evaluate(judgments, ranking, MEASURES))
    assert_same(rg.evaluate(judgments, ranking, MEASURES, engine="reference"))


@pytest.mark.parametrize("way", ARRAYS)
def test_arrays_give_the_same_result(way: str) -> None:
    labels, scores, groups, mask = (*ARRAYS[way], None, None)[:4]
    assert_same(rg.evaluate_arrays(labels, scores, MEASURES, groups, mask=mask, convention="trec_eval"))


@pytest.mark.parametrize("wrap", [jnp.asarray, pd.Series, pl.Series, pa.array, np.ndarray.tolist])
def test_arrays_of_other_libraries_give_the_same_result(wrap: Any) -> None:
    labels, scores, groups = map(wrap, (*SHUFFLED, IDS[SHUFFLE]))
    assert_same(rg.evaluate_arrays(labels, scores, MEASURES, groups, convention="trec_eval"))


@pytest.mark.parametrize("wrap", [jnp.asarray, pd.DataFrame, pl.DataFrame, np.ndarray.tolist])
def test_matrices_of_other_libraries_give_the_same_result(wrap: Any) -> None:
    assert_same(rg.evaluate_arrays(wrap(LABELS), wrap(SCORES), MEASURES, convention="trec_eval"))


@pytest.mark.parametrize("way", FRAMES)
@WITHOUT_SCORES
def test_frames_of_ranks_and_order_give_the_same_result(way: str, frame: pl.DataFrame) -> None:
    assert_same(rg.evaluate(JUDGED_ROWS, FRAMES[way](frame), MEASURES))


@pytest.mark.parametrize("way", TABLES)
@WITHOUT_SCORES
def test_files_of_ranks_and_order_give_the_same_result(way: str, frame: pl.DataFrame, tmp_path: Path) -> None:
    assert_same(rg.evaluate(JUDGED_ROWS, written(way, frame, tmp_path), MEASURES))


@pytest.mark.parametrize(
    ("item", "inner"), [(str, list), (int, tuple), (int, np.array), (str, np.array), (str, pd.Series)]
)
def test_mappings_of_order_give_the_same_result(item: Any, inner: Any) -> None:
    ranking = {query: inner([item(id_) for id_ in items]) for query, items in LISTS.items()}
    assert_same(rg.evaluate(JUDGED, ranking, MEASURES))


@pytest.mark.parametrize("way", PIPED)
@pytest.mark.parametrize("side", ["judgments", "ranking"])
def test_standard_input_gives_the_same_result(
    way: str, side: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = JUDGED_ROWS if side == "judgments" else RANKED_ROWS
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(FILES[way](frame, tmp_path))))
    sources: tuple[Any, Any] = ("-", RANKED) if side == "judgments" else (JUDGED, "-")
    assert_same(rg.evaluate(*sources, MEASURES))


@pytest.mark.parametrize("way", PIPED)
def test_named_pipes_give_the_same_result(way: str, tmp_path: Path) -> None:
    pipes = tmp_path / "judgments", tmp_path / "ranking"
    frames = JUDGED_ROWS, RANKED_ROWS
    senders = [sent(pipe, FILES[way](frame, tmp_path)) for pipe, frame in zip(pipes, frames, strict=True)]
    assert_same(rg.evaluate(pipes[0], pipes[1], MEASURES))
    for sender in senders:
        sender.join()


@pytest.mark.parametrize("way", IN_MEMORY)
def test_sides_of_different_kinds_give_the_same_result(way: str) -> None:
    judgments = rg.read_judgments(in_memory(way)[0])
    for other in IN_MEMORY:
        assert_same(rg.evaluate(judgments, in_memory(other)[1], MEASURES))


@pytest.mark.parametrize("way", [name for name in FILES if name != "rows.letor"])
def test_file_ids_match_whole_numbers(way: str, tmp_path: Path) -> None:
    numbers = FRAMES["Polars of int ids"]
    assert_same(rg.evaluate(written(way, JUDGED_ROWS, tmp_path), numbers(RANKED_ROWS), MEASURES))
    assert_same(rg.evaluate(numbers(JUDGED_ROWS), written(way, RANKED_ROWS, tmp_path), MEASURES))
