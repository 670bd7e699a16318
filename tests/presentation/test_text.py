"""Text tables: columns stay in line whatever the width of the characters."""

from __future__ import annotations

from typing import Literal
from unicodedata import normalize

import pytest
from rich.cells import cell_len

from rankgauge.presentation.table import Table
from rankgauge.presentation.text import display_width

TEXTS = ["item", "映画", "한글", normalize("NFD", "개선값"), "é", normalize("NFD", "é"), "ﾊﾝｸﾞﾙ", "ＡＢ", "질의 3개"]


@pytest.mark.parametrize("text", TEXTS)
def test_width_is_that_of_a_terminal(text: str) -> None:
    assert display_width(text) == cell_len(text)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_korean_cells_are_aligned_in_either_form(form: Literal["NFC", "NFD"]) -> None:
    names = [normalize(form, name) for name in ("개선", "기본값", "d1")]
    lines = Table(["아이템", "값"], [[name, number] for number, name in enumerate(names)]).to_text().splitlines()
    assert len(set(map(cell_len, lines))) == 1
