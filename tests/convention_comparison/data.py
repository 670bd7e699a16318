"""Data on which tools disagree: ties, a missing query, a relevant item that is not ranked, a negative grade."""

from __future__ import annotations

from typing import Final

JUDGED: Final = {
    "q1": {"a": 1, "b": 3, "c": 0, "d": 2, "x": 3},
    "q2": {"m": 1, "n": -1},
    "q3": {"z": 1},
    "q4": {"y": 0},
}
RANKED: Final = {
    "q1": {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1},
    "q2": {"n": 3.0, "m": 1.0},
    "q4": {"y": 1.0, "w": 0.5},
}
# The same without what tools refuse or leave open.
CALM_JUDGED: Final = {"q1": {"a": 1, "b": 3, "c": 0, "d": 2}, "q2": {"m": 1, "n": 0}}
CALM_RANKED: Final = {"q1": {"a": 0.9, "b": 0.5, "c": 0.4, "d": 0.1}, "q2": {"n": 3.0, "m": 1.0}}
