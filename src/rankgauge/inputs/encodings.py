r"""Texts that are not UTF-8: where they stop being it, and which encoding they seem to have.

>>> likely("query,item\n질의,문서\n".encode("cp949")), likely("query,item\n".encode("utf-16"))
('cp949', 'utf-16')
>>> likely("query,item\ncafé,1\\n".encode("latin1")) is None
True
"""

from __future__ import annotations

from typing import Final

from rankgauge.errors import RankgaugeError

_MARKS: Final = {b"\xff\xfe\0\0": "utf-32", b"\0\0\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
# Without a mark, digits, blanks and delimiters tell: one of their two bytes is zero.
_ZEROS: Final = 0.25
# The share of Hangul among the letters beyond ASCII in a Korean text.
_HANGUL: Final = 0.9
# The bytes of a character that may be cut at the end of the beginning of a file.
_CUT: Final = 3


def require_utf8(beginning: bytes, label: str) -> None:
    """Raise if a text is not UTF-8 and name its encoding, if that can be told; it may be cut inside a character.

    >>> require_utf8("q1 0 d1 1".encode("utf-16-le"), "qrels.txt")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: qrels.txt: expected UTF-8, got what looks like utf-16-le. Hint: ...
    """
    start = _end_of_utf8(beginning)
    encoding = likely(beginning)
    if encoding is not None and encoding.startswith("utf"):
        raise RankgaugeError("other-encoding", label, encoding=encoding)
    if start is None:
        return
    place = f"{label}:{beginning.count(10, 0, start) + 1}"
    if encoding is not None:
        raise RankgaugeError("other-encoding", place, encoding=encoding)
    raise RankgaugeError("bad-utf8", place, got=f"0x{beginning[start]:02x}")


def likely(beginning: bytes) -> str | None:
    """Return the encoding of a text that is not UTF-8, as Python and iconv call it; None if it cannot be told."""
    for mark, encoding in _MARKS.items():
        if beginning.startswith(mark):
            return encoding
    half = len(beginning) // 2 or 1
    for encoding, zeros in (("utf-16-be", beginning[::2]), ("utf-16-le", beginning[1::2])):
        if zeros.count(0) > _ZEROS * half and zeros.count(0) == beginning.count(0):
            return encoding
    letters = [letter for letter in beginning.decode("cp949", "replace") if not letter.isascii()]
    hangul = sum("가" <= letter <= "힣" for letter in letters)
    is_korean = bool(letters) and hangul >= _HANGUL * len(letters)
    return "cp949" if is_korean and not _has_kana(beginning) else None


def _has_kana(beginning: bytes) -> bool:
    r"""Whether these bytes are Japanese in Shift-JIS: many of them are Hangul in cp949.

    >>> _has_kana("東京,ラーメン\n".encode("shift_jis")), _has_kana("질의,문서\n".encode("cp949"))
    (True, False)
    """
    letters = [letter for letter in beginning.decode("shift_jis", "replace") if not letter.isascii()]
    kana = sum("ぁ" <= letter <= "ヿ" for letter in letters)
    return "\ufffd" not in letters and 4 * kana >= len(letters)


def _end_of_utf8(beginning: bytes) -> int | None:
    """The first byte that is not UTF-8; None if there is none, or if a character is only cut at the end."""
    try:
        beginning.decode()
    except UnicodeDecodeError as error:
        is_cut = error.reason == "unexpected end of data" and error.start >= len(beginning) - _CUT
        return None if is_cut else error.start
    return None
