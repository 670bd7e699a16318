"""Catalogues: every template of the source is translated, with the same placeholders, and nothing else is."""

from __future__ import annotations

import re

import pytest
from tests.languages.templates import fields, has_words, placeholders, wanted, written

import rankgauge.languages.ko as korean
from rankgauge.languages import ENGLISH, LANGUAGES, catalogue
from rankgauge.remarks import KINDS

TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]
HANGUL = re.compile("[가-힣]")
# A particle whose form depends on the last sound of what comes before it.
PARTICLE = re.compile(r"""\}['"]?(은|는|이|가|을|를|과|와|으로|로|이나|나|이라|라|아|야)(?![가-힣])""")
# A number and its counter end in a known sound, so that a particle may follow: 질의 3개로는.
COUNTED = {"{dates}로는"}


def test_templates_of_the_source_are_found() -> None:
    assert len(written()) > 300
    assert {"ideal rank", "{n:,} queries", "{n:,} dates"} <= wanted()


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogue_has_every_template_of_the_source_and_no_other(language: str) -> None:
    texts = catalogue(language).texts
    assert sorted(wanted() - texts.keys()) == []
    assert sorted(texts.keys() - wanted()) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogue_has_a_name_for_every_remark(language: str) -> None:
    assert catalogue(language).names.keys() == KINDS.keys()


@pytest.mark.parametrize("language", TRANSLATED)
def test_placeholders_of_a_translation_are_those_of_the_template(language: str) -> None:
    texts = catalogue(language).texts
    assert [text for text in texts if placeholders(text) != placeholders(texts[text])] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_translation_numbers_all_placeholders_or_none(language: str) -> None:
    """`{} {1}` has the right placeholders, and `str.format` refuses it."""
    names = {text: [name for name, _, _ in fields(text)] for text in catalogue(language).texts.values()}
    assert [text for text, actual in names.items() if "" in actual and any(map(str.isdigit, actual))] == []


def test_singular_has_placeholders_of_its_plural() -> None:
    pairs = [(each.one, each.many) for each in written()]
    assert [one for one, many in pairs if not set(placeholders(one)) <= set(placeholders(many))] == []


def test_rooms_of_the_korean_catalogue_do_not_overlap() -> None:
    assert sum(map(len, korean.ROOMS)) == len(korean.CATALOGUE.texts)


def test_korean_texts_are_korean() -> None:
    texts = [*korean.CATALOGUE.texts.values(), *korean.CATALOGUE.names.values()]
    assert [text for text in texts if has_words(text) and not HANGUL.search(text)] == []


def test_korean_particle_that_depends_on_a_sound_follows_no_value() -> None:
    actual = [text for text in korean.CATALOGUE.texts.values() if PARTICLE.search(text)]
    assert [text for text in actual if not any(known in text for known in COUNTED)] == []
    assert PARTICLE.search("{name}를 씀")
    assert not PARTICLE.search("{name}보다 나음")
