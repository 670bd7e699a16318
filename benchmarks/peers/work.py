"""What a contender is timed on: a call that returns the value."""

from collections.abc import Callable

Work = Callable[[], float]
