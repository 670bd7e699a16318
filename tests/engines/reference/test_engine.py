from __future__ import annotations

import math
import struct
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.engines.reference.order import to_float32
from rankgauge.errors import RankgaugeError


@given(st.floats(allow_nan=False))
def test_rounding_to_32_bits_equals_that_of_the_machine(number: float) -> None:
    try:
        expected = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        expected = math.copysign(math.inf, number)
    if math.isinf(number):
        return  # scores are finite
    assert to_float32(number) == expected


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize(
    ("measure", "ranked"),
    [
        ("rbp(gain=exp2,residual=high)", {}),  # the gain below the ranking overflows, not the sum
        ("ndcg(gain=exp2,residual=high,ideal=perfect)@3", {"q": {"x": 1.0}}),
    ],
)
def test_residual_of_a_gain_beyond_floats_is_refused(
    measure: str, ranked: dict[str, dict[str, float]], engine: Literal["native", "reference"]
) -> None:
    with pytest.raises(RankgaugeError) as refused:
        rg.evaluate({"q": {"a": 2000}}, ranked, measure, convention="textbook(missing=zero)", engine=engine)
    assert refused.value.code == "overflow"
