"""The switch --lang, and the language of the environment, which counts only where a person looks at a terminal."""

from __future__ import annotations

import os
import sys
from typing import Final

import click

from rankgauge.cli.choices import Choice
from rankgauge.languages import ENGLISH, LANGUAGES

_KEY: Final = "rankgauge.language"  # of what click keeps for the program and its command together
# The variables of gettext, in its order: the first that is set decides.
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def _keep(context: click.Context, _: click.Parameter, language: str | None) -> None:
    """Keep the language; that of the command comes after that of the program, and replaces it."""
    if language is not None:
        context.meta[_KEY] = language


option: Final = click.option(
    "--lang",
    type=Choice(LANGUAGES),
    expose_value=False,
    callback=_keep,
    show_default="that of the locale on a terminal, else en",
    help="The language of tables, explanations and remarks; programs' formats and errors are English.",
)


def asked_language() -> str | None:
    """Return the language that --lang names, before or behind the command."""
    language: str | None = click.get_current_context().meta.get(_KEY)
    return language


def of_output(*, to_file: str | None = None) -> str:
    """Return the language that --lang names; else that of the locale, if the output goes to a terminal; else English.

    A pipe or a file never depends on the locale, so that scripts give the same output everywhere.
    """
    return asked_language() or (_of_locale() if to_file is None and sys.stdout.isatty() else ENGLISH)


def _of_locale() -> str:
    """Return the language of the locale, if there is a catalogue for it and the terminal can show its letters.

    `ko_KR.UTF-8` and `ko` are Korean.
    """
    locale = next(filter(None, map(os.environ.get, _VARIABLES)), "")
    language = locale.partition(".")[0].partition("@")[0].partition("_")[0].lower()
    return language if language in LANGUAGES and _can_show(language) else ENGLISH


def _can_show(language: str) -> bool:
    from rankgauge.languages import catalogue

    try:
        "".join(catalogue(language).names.values()).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
