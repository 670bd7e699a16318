"""Every error that rankgauge raises; the code, wording and hint of each are in a table of the room that raises it.

>>> raise RankgaugeError("bad-cutoff", got=0)
Traceback (most recent call last):
    ...
rankgauge.errors.RankgaugeError: expected a cutoff k from 1 to 2,147,483,647, got 0. Hint: write ndcg@10, or ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

# The least similarity of a name that is proposed; many unrelated words reach 0.5.
_NEAR: Final = 0.65
# Shorter abbreviations could mean too many names.
_SHORTEST: Final = 3


class RankgaugeError(ValueError):
    """A request or data that rankgauge cannot take: `code`, `place`, and a message with a hint.

    >>> error = RankgaugeError("bad-value", place="run.txt:17", noun="score", got="'nan'")
    >>> error.code, error.place
    ('bad-value', 'run.txt:17')
    """

    def __init__(self, code: str, place: str = "", **context: object) -> None:
        """Fill in the wording of `code`; `place` is where in the data: a file and line, or a query and item."""
        # Both are only needed when something went wrong.
        from rankgauge.errors.abridged import abridged, filled
        from rankgauge.errors.catalogue import PROBLEMS

        problem = PROBLEMS[code]
        self.code: Final = code
        self.place: Final = place
        self.context: Final = context
        templates = (problem.text, problem.hint_for(context))
        what, hint = (_end(abridged(filled(template, context))) for template in templates)
        super().__init__(f"{abridged(place)}: {what} Hint: {hint}" if place else f"{what} Hint: {hint}")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.code, self.place, self.context)


@contextmanager
def within(what: str) -> Iterator[None]:
    """Say of an error in what it is.

    >>> with within("run 'dense'"):
    ...     raise RankgaugeError("no-rows", "dense.run")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: run 'dense': dense.run: expected at least one judged query, got none. Hint: ...
    """
    try:
        yield
    except RankgaugeError as error:
        place = f"{what}: {error.place}" if error.place else what
        raise RankgaugeError(error.code, place, **error.context) from None


class ThresholdNotMetError(Exception):
    """A threshold that was asked for is not met: the command ends with exit code 1."""


def _end(sentence: str) -> str:
    return sentence if sentence.endswith(("?", ".")) else f"{sentence}."


def _rebuild(code: str, place: str, context: dict[str, object]) -> RankgaugeError:
    return RankgaugeError(code, place, **context)


def nearest(got: str, known: Iterable[str]) -> str:
    """Return `did you mean 'x'? ` for the known name that `got` is near to or abbreviates, or nothing if none is.

    >>> nearest("trec-eval", ["textbook", "trec_eval"]), nearest("avg", ["first", "average"])
    ("did you mean 'trec_eval'? ", "did you mean 'average'? ")
    >>> nearest("novelty", ["utility", "num_rel_ret"])
    ''
    """
    from difflib import get_close_matches  # only needed when something went wrong

    names, typed = list(known), got.lower()
    matches = get_close_matches(typed, names, n=1, cutoff=_NEAR)
    matches = matches or [name for name in names if _abbreviates(typed, name.lower())]
    return f"did you mean {matches[0]!r}? " if matches else ""


def _abbreviates(short: str, name: str) -> bool:
    """Whether a name has the same first letter, and the others in their order."""
    letters = iter(name)
    return len(short) >= _SHORTEST and name.startswith(short[0]) and all(letter in letters for letter in short)
