"""The languages, and the catalogue of each: from English templates to those of the language."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final

ENGLISH: Final = "en"
LANGUAGES: Final = (ENGLISH, "ko")


class Catalogue:
    """The texts of a language: templates by their English template, and names of remarks by their code."""

    def __init__(self, texts: Mapping[str, str], names: Mapping[str, str]) -> None:
        """Take both as they are."""
        self.texts = texts
        self.names = names


def catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language, which is loaded when it is first asked for; that of English is empty.

    >>> catalogue("ko").texts["ideal rank"], catalogue("en").texts
    ('이상적 순위', {})
    """
    if language == ENGLISH:
        return Catalogue({}, {})
    loaded: Catalogue = import_module(f"rankgauge.languages.{language}").CATALOGUE
    return loaded
