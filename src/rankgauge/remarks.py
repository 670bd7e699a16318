"""Every remark that a result can carry: its code, its severity and the next step, in one table.

A remark says what the reader of a number must know about the data or the settings. A `note` states a choice that was
made, a `caution` states something in the data that may matter, and a `severe` remark says that the number is probably
not the one that was meant: `strict=True` turns it into an error.

>>> remark = Remark.of("ties", "2 queries with equal scores")
>>> str(remark), remark.severity
('ties: 2 queries with equal scores', 'caution')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias

from rankgauge.errors import RankgaugeError

Severity: TypeAlias = Literal["note", "caution", "severe"]


class Kind(NamedTuple):
    """How much a kind of remark matters, when it is made, and what to do about it."""

    severity: Severity
    when: str
    next_step: str


KINDS: Final[Mapping[str, Kind]] = {
    # What was computed
    "convention": Kind("note", "always: the convention of the numbers", "`convention=` chooses another"),
    "no-plain-means": Kind(
        "note",
        "the number of a measure over all queries is a sum, a geometric or a weighted mean, or of all queries",
        "",
    ),
    "relevance-level": Kind(
        "caution", "the relevance level has no effect on a measure", "give the measure a gain of its own"
    ),
    "depth": Kind("note", "only the first ranked items count", ""),
    "conventions": Kind("note", "a comparison of conventions says how many differ", ""),
    "not-proven": Kind(
        "caution",
        "a measure is not proven equal to the tool whose convention is used",
        "compare one value with the tool",
    ),
    "undefined": Kind(
        "caution",
        "the data has something for which a tool has no defined answer",
        "`rankgauge conventions NAME` says what",
    ),
    # Queries and items
    "queries": Kind("note", "always: how many queries were evaluated, judged and ranked", ""),
    "missing": Kind(
        "caution",
        "judged queries are not in the ranking",
        "missing=zero counts them as 0, missing=skip leaves them out",
    ),
    "dropped": Kind("note", "ranked items were removed before ranking, as the convention says", ""),
    "ignored": Kind("note", "queries of the ranking have no judgments", ""),
    "nothing-ranked": Kind("caution", "queries have an empty ranking", "check the step that made the ranking"),
    "nothing-relevant": Kind(
        "caution", "queries have no relevant item", "nothing_relevant=skip, zero or one says what they are worth"
    ),
    "ties": Kind(
        "caution", "scores are equal in the ranks that count", "give distinct scores, or choose a rule with ties="
    ),
    "averaged-ties": Kind("note", "an explanation shows gains averaged over equal scores", ""),
    "short-lists": Kind(
        "caution", "a list is shorter than k and than the relevant items", "choose where the ideal ends with ideal="
    ),
    "unjudged": Kind(
        "caution",
        "ranked items have no judgment",
        "unjudged=drop removes them; residual(…) bounds what they may change",
    ),
    "few-queries": Kind("note", "there are too few queries for an interval", "evaluate more queries"),
    "hidden-ranks": Kind("note", "an explanation does not show all ranks", "to_dict() and to_json() have all of them"),
    # Inputs
    "cases": Kind("note", "cases are known by their positions", ""),
    "groups": Kind("note", "how the groups of arrays were read", "`groups_are=` says it"),
    "absent": Kind("note", "places of arrays have no item", ""),
    "grades": Kind(
        "caution",
        "a table of judgments has no column of grades",
        "name it: columns={'grade': …} or --columns-judgments",
    ),
    "order": Kind(
        "caution",
        "a table of rankings has no column of scores or ranks",
        "name it: columns={'score': …} or --columns-ranking",
    ),
    # Comparisons
    "comparisons": Kind("note", "always in a comparison: how many were made, with which test and correction", ""),
    "marks": Kind("note", "what the marks in the table of a comparison mean", ""),
    "lacking-queries": Kind(
        "severe", "a run lacks queries that another run has", "run it on all queries, or compare with missing=skip"
    ),
    "common-queries": Kind(
        "caution", "only the queries that all runs have are compared", "run all runs on all queries"
    ),
    "test-of-ranks": Kind(
        "caution", "a test of ranks or signs was asked for", "prefer randomisation: docs/calibration.md has the errors"
    ),
    # Segments
    "segments": Kind("note", "always by segment: how many segments there are, of how many queries", ""),
    "comparisons-by-segment": Kind(
        "note", "always in a comparison by segment: how many tests were made, and their correction", ""
    ),
    "small-segments": Kind("caution", "a segment has few queries", "join small segments, or evaluate more queries"),
    "no-segment": Kind("caution", "queries have no segment", "give them one: they are shown as –"),
    "empty-segments": Kind("caution", "a segment has no evaluated query", "check the ids of its queries"),
    "not-by-segment": Kind("note", "a measure is of all queries together, and has no value of a segment", ""),
    # Human and machine labels
    "human-sample": Kind(
        "note",
        "always with human and machine labels: on what condition the numbers hold",
        "draw the queries that people label at random",
    ),
    "machine-worth": Kind(
        "note",
        "always with human and machine labels: how much the machine helped, and what would halve the interval",
        "label more queries",
    ),
    "human-only": Kind(
        "caution", "queries with human labels have no machine labels", "let the machine label all queries"
    ),
    "unlike-sample": Kind(
        "caution",
        "the queries with human labels do not look like a random sample",
        "draw the queries that people label at random",
    ),
    "combined-differences": Kind(
        "note", "always in a comparison with human and machine labels: what the differences are", ""
    ),
    # Studies of stocks
    "chance": Kind("note", "always in a study: what a random order is worth", ""),
    "errors": Kind("note", "how t and intervals account for returns that overlap", ""),
    "few-dates": Kind(
        "caution", "there are too few dates for t and intervals", "take more dates, or a shorter horizon"
    ),
    "date": Kind("note", "a study is of one date", ""),
    "dates": Kind("note", "which dates two studies share", ""),
    "stocks": Kind("note", "not all stocks of a date are shown", ""),
    "scores": Kind("note", "always in a study: how many scores were read, and why some were left out", ""),
    "ranks": Kind("note", "a study was given ranks instead of scores", ""),
    "horizon": Kind("note", "a study was given returns instead of prices", "`horizon=` says how many dates they span"),
    "no-return": Kind("note", "stocks with a score have no graded return", ""),
    "no-grades": Kind("note", "dates with scores have no graded returns", ""),
    "no-scores": Kind("caution", "dates with graded returns have no scores", "check the dates of the scores"),
}


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to know about a number: a code, how much it matters, what was seen, and what to do about it."""

    code: str
    severity: Severity
    text: str
    next_step: str

    @classmethod
    def of(cls, code: str, text: str, next_step: str | None = None) -> Remark:
        """Return a remark of a known kind; `next_step` replaces that of the kind."""
        kind = KINDS[code]
        return cls(code, kind.severity, text, kind.next_step if next_step is None else next_step)

    def __str__(self) -> str:
        """Write the remark as one line; only a severe one is followed by the next step."""
        line = f"{self.code.replace('-', ' ')}: {self.text}"
        return f"{line}. Hint: {self.next_step}" if self.severity == "severe" else line

    def to_dict(self) -> dict[str, str]:
        """Return plain values."""
        return {"code": self.code, "severity": self.severity, "text": self.text, "next_step": self.next_step}


def require_none_severe(remarks: Iterable[Remark], *, strict: bool) -> None:
    """Raise the first severe remark as an error where the caller is strict.

    >>> require_none_severe([Remark.of("ties", "2 queries with equal scores")], strict=True)
    """
    severe = next((remark for remark in remarks if remark.severity == "severe"), None) if strict else None
    if severe is not None:
        code = severe.code.replace("-", " ")
        raise RankgaugeError("severe-remark", got=f"{code}: {severe.text}", hint=severe.next_step)
