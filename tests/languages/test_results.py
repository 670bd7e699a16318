"""What results show to people: every sentence is a text, and every text of it has a translation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.languages.templates import has_words
from tests.presentation.test_formats import RESULTS

from rankgauge.languages import Text, catalogue
from rankgauge.presentation.formats import Presentable
from rankgauge.presentation.parts import Part
from rankgauge.presentation.table import Table
from rankgauge.remarks import Remark


def shown(part: Part) -> Iterator[object]:
    """Yield what a part shows; strings in a table may be data."""
    if isinstance(part, Remark):
        yield part.text
    elif isinstance(part, Table):
        yield from (text for text in part.texts() if isinstance(text, Text))
    elif part != "":
        yield part


def untranslated(value: object) -> Iterator[str]:
    """Yield the templates of a text, and of the texts in it, that the Korean catalogue lacks."""
    if isinstance(value, Text):
        if has_words(value.template) and value.key not in catalogue("ko").texts:
            yield value.template
        for inner in (*value.values, *value.named.values()):
            yield from untranslated(inner)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_every_sentence_of_a_result_has_a_translation(result: Callable[[], Presentable]) -> None:
    values = [value for part in result().parts() for value in shown(part)]
    assert [value for value in values if not isinstance(value, Text)] == []
    assert [template for value in values for template in untranslated(value)] == []
