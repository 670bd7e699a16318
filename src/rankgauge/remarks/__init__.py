"""Remarks that a result carries; `kinds.py` has the code, the severity and the next step of each kind.

A remark says what the reader of a number must know about the data or the settings. A `note` states a choice that was
made, a `caution` states something in the data that may matter, and a `severe` remark says that the number is probably
not the one that was meant: `strict=True` turns it into an error.

>>> remark = Remark.of("ties", Text("2 queries with equal scores"))
>>> str(remark), remark.severity
('ties: 2 queries with equal scores', 'caution')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rankgauge.errors import RankgaugeError
from rankgauge.languages import ENGLISH, Text, catalogue
from rankgauge.languages.text import in_language
from rankgauge.remarks.kinds import KINDS, Kind, Severity

__all__ = ["KINDS", "Kind", "Remark", "Severity", "require_none_severe"]


class Remark(NamedTuple):
    """Something to know about a number: a code, a severity, what was found in the data, and what to do about it."""

    code: str
    severity: Severity
    text: str
    next_step: str
    # The language of the name, the text and the next step; the code stays as it is.
    language: str = ENGLISH

    @classmethod
    def of(cls, code: str, text: Text, next_step: str | None = None) -> Remark:
        """Return a remark of a known kind, whose text can be translated.

        Parameters:
            code: that of the kind.
            text: what is said.
            next_step: what to do; default: that of the kind.

        """
        kind = KINDS[code]
        return cls(code, kind.severity, text, kind.next_step if next_step is None else next_step)

    def __str__(self) -> str:
        """Write the remark as one line."""
        from rankgauge.languages.escapes import printable  # imported late: evaluating prints nothing

        return printable(self.line())

    def line(self) -> Text:
        """Return the remark as one line; only a severe one is followed by the next step."""
        line = Text("{}: {}", self.name, self.text)
        whole = Text("{}. Hint: {}", line, self.next_step) if self.severity == "severe" else line
        return whole.in_language(self.language)

    def in_language(self, language: str) -> Remark:
        """Return the remark with its name, its text and the next step in another language.

        Parameters:
            language: `en` or `ko`.

        """
        if language == ENGLISH:
            return self
        text, next_step = in_language(self.text, language), catalogue(language).texts.get(self.next_step)
        return Remark(self.code, self.severity, text, next_step or self.next_step, language)

    @property
    def name(self) -> str:
        """The code as it is printed, or the name of the kind in another language."""
        words = self.code.replace("-", " ")
        return words if self.language == ENGLISH else catalogue(self.language).names.get(self.code, words)

    def to_dict(self) -> dict[str, str]:
        """Return plain values."""
        return {"code": self.code, "severity": self.severity, "text": self.text, "next_step": self.next_step}


def require_none_severe(remarks: Iterable[Remark], *, strict: bool) -> None:
    """Raise the first severe remark as an error where the caller is strict.

    >>> require_none_severe([Remark.of("ties", Text("2 queries with equal scores"))], strict=True)
    """
    severe = next((remark for remark in remarks if remark.severity == "severe"), None) if strict else None
    if severe is not None:
        raise RankgaugeError("severe-remark", got=f"{severe.name}: {severe.text}", hint=severe.next_step)
