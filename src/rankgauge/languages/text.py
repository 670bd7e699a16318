"""Text: a string that remembers its template and its values, so that it can be rounded and translated later."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from rankgauge.languages.catalogues import ENGLISH, catalogue

DEFAULT_PLACES: Final = 4  # digits after the point, by default
LONGEST: Final = 1e16  # what follows the 16th digit of a float is noise
MOST_PLACES: Final = 17  # enough to tell any two doubles between 0 and 1 apart


class Text(str):
    """A text for people: a template in English and the values that fill it.

    As a string it is English, with four digits in floats that have no format of their own. `rounded` writes it with
    another number of digits, `in_language` in another language: a value that is a text is translated too, any other
    value is data and stays as it is. Templates are literals, so that a test can find each in the catalogues.

    >>> text = Text("DCG {} of query {}", 7.80345, "q1")
    >>> text, text.rounded(2)
    ('DCG 7.8034 of query q1', 'DCG 7.80 of query q1')
    >>> queries = Text.counted(2, "{n:,} query", "{n:,} queries")
    >>> Text("{queries} with an empty ranking", queries=queries).in_language("ko")
    '순위가 비어 있는 질의 2개'
    """

    __slots__ = ("key", "named", "template", "values")

    key: str
    named: Mapping[str, object]
    template: str
    values: tuple[object, ...]

    def __new__(cls, template: str, /, *values: object, **named: object) -> Text:
        """Fill the template with the values, as `str.format` does."""
        return cls._made(template, template, values, named)

    @classmethod
    def _made(cls, template: str, key: str, values: tuple[object, ...], named: Mapping[str, object]) -> Text:
        text = super().__new__(cls, _filled(template, values, named, DEFAULT_PLACES))
        text.template, text.key, text.values, text.named = template, key, values, named
        return text

    @classmethod
    def counted(cls, count: int, one: str, many: str, /, **named: object) -> Text:
        """Return a text with a count, `n`, in the singular or the plural; catalogues have the plural.

        Parameters:
            count: the number that chooses the form.
            one: the template for 1.
            many: the template for any other number.
            named: the values of both; `n` is the number.

        >>> Text.counted(1, "{n:,} query", "{n:,} queries"), Text.counted(1200, "{n:,} query", "{n:,} queries")
        ('1 query', '1,200 queries')

        """
        return cls._made(one if count == 1 else many, many, (), {"n": count, **named})

    @classmethod
    def joined(cls, separator: str, texts: Iterable[object]) -> Text:
        """Return texts one behind the other.

        Parameters:
            separator: what stands between.
            texts: the texts, in order.

        >>> Text.joined(", ", ["a", "b"])
        'a, b'

        """
        every = tuple(texts)
        template = separator.join(["{}"] * len(every))
        return cls._made(template, template, every, {})

    def rounded(self, places: int) -> str:
        """Return the text with so many digits after the point.

        Parameters:
            places: the number of digits after the point.

        """
        return _filled(self.template, self.values, self.named, places)

    def in_language(self, language: str) -> Text:
        """Return the text in another language; a template that its catalogue lacks stays English.

        Parameters:
            language: `en` or `ko`.

        """
        if language == ENGLISH:
            return self
        template = catalogue(language).texts.get(self.key, self.template)
        values = tuple(in_language(value, language) for value in self.values)
        named = {name: in_language(value, language) for name, value in self.named.items()}
        return self._made(template, template, values, named)

    def __reduce__(self) -> tuple[Any, ...]:
        return Text._made, (self.template, self.key, self.values, self.named)


def headings(*names: str) -> list[Text]:
    """Return the headers of columns of a table; a header that is a plain string, such as the name of a run, is data.

    >>> headings("rank", "item")
    ['rank', 'item']
    """
    return [Text(name) for name in names]


def in_language(value: Any, language: str) -> Any:  # noqa: ANN401 - any value
    """Return a text in another language; any other value is data, and stays as it is.

    >>> in_language(Text("ideal rank"), "ko"), in_language("ideal rank", "ko")
    ('이상적 순위', 'ideal rank')
    """
    return value.in_language(language) if isinstance(value, Text) else value


class _Rounded(float):
    """A float that is written with so many digits, where the template gives it no format."""

    __slots__ = ("places",)

    places: int

    def __format__(self, spec: str) -> str:
        return float(self).__format__(spec) if spec else format_float(self, self.places)


def format_float(number: float, places: int) -> str:
    """Return a number with `places` digits after the point; one of more digits than a float has, as a power of ten.

    >>> format_float(12345.678, 2), format_float(1e200, 2)
    ('12345.68', '1.00e+200')
    """
    is_long = LONGEST <= abs(number) < math.inf
    return f"{float(number):.{places}{'e' if is_long else 'f'}}"


def _filled(template: str, values: tuple[object, ...], named: Mapping[str, object], places: int) -> str:
    shown = {name: _shown(value, places) for name, value in named.items()}
    return template.format(*(_shown(value, places) for value in values), **shown)


def _shown(value: object, places: int) -> object:
    if isinstance(value, Text):
        return value.rounded(places)
    if not isinstance(value, float):
        return value
    number = _Rounded(value)
    number.places = places
    return number
