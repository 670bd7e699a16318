from __future__ import annotations

import math
import struct

from hypothesis import given
from hypothesis import strategies as st

from rankgauge.engines.reference.order import to_float32


@given(st.floats(allow_nan=False))
def test_rounding_to_32_bits_equals_that_of_the_machine(number: float) -> None:
    try:
        expected = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        expected = math.copysign(math.inf, number)
    if math.isinf(number):
        return  # scores are finite
    assert to_float32(number) == expected
