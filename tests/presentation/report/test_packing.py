"""The packed block: what goes in comes out, wherever the machine puts its bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.unpacked import Unpacked

from rankgauge.presentation.report.packing import pack

WHOLE = st.lists(st.integers(0, 255), max_size=20)


@given(st.lists(st.text(), max_size=5), WHOLE, st.lists(st.floats(width=32), max_size=9))
def test_packed_values_and_arrays_are_read_back(texts: list[str], small: list[int], floats: list[float]) -> None:
    arrays: dict[str, npt.NDArray[Any]] = {
        "small": np.array(small, np.uint8),
        "floats": np.array(floats, np.float32),
        "wide": np.array(small, np.float64),
        "big_endian": np.array(small, ">u4"),
    }
    block = pack({"texts": texts}, arrays)
    unpacked = Unpacked.of(f'<script type="application/json" id="packed">"{block}"</script>')
    assert unpacked.values["texts"] == texts
    for name, array in arrays.items():
        assert np.array_equal(unpacked.arrays[name], array, equal_nan=name == "floats")
        assert unpacked.values["arrays"][name][1] % 8 == 0


def test_packed_text_of_the_same_values_is_the_same() -> None:
    assert pack({"a": 1}, {"b": np.arange(3)}) == pack({"a": 1}, {"b": np.arange(3)})
