"""What the small prices are graded as."""

from __future__ import annotations

import pytest
from tests.grading.small_prices import OPTIONS, long, prices

from rankgauge.grading.audited import Audited
from rankgauge.grading.returns import returns


@pytest.fixture(scope="module")
def expected() -> Audited:
    result = returns(long(prices()), **OPTIONS)
    assert result.audit.kept > 30
    assert all(result.audit.dropped[reason] for reason in list(result.audit.dropped)[1:3])
    return result
