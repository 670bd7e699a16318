"""One number for many queries, how sure it is, and the errors of time series."""

from __future__ import annotations

from typing import Final

# The level of intervals, by default.
LEVEL: Final = 0.95
