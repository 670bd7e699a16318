"""Docstrings as Markdown: text, parameters as a list of definitions, examples as sessions."""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Callable, Iterator
from typing import Final

PARAMETERS: Final = re.compile(r"^(Parameters|Returns|Raises):?$")
UNDERLINE: Final = re.compile(r"^-{3,}$")
PARAMETER: Final = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*): (.*)$")


def summary(docstring: str) -> str:
    r"""Return the first sentence or paragraph of a docstring in one line.

    >>> summary("Measure how good\na ranking is.\n\nMore.")
    'Measure how good a ranking is.'
    """
    return " ".join(docstring.partition("\n\n")[0].split())


def to_markdown(docstring: str, signature: inspect.Signature | None = None) -> str:
    """Return a docstring as Markdown; the signature tells the types and defaults of the parameters."""
    return "\n\n".join(_blocks(docstring.expandtabs().splitlines(), signature))


def _blocks(lines: list[str], signature: inspect.Signature | None) -> Iterator[str]:
    """Yield the parts: paragraphs as they are, parameters as definitions, examples as sessions."""
    text: list[str] = []
    while lines:
        line = lines.pop(0)
        if line.startswith(">>>"):
            yield from _text(text)
            yield _example([line, *_taken(lines, _in_example)])
        elif PARAMETERS.match(line):
            yield from _text(text)
            if lines and UNDERLINE.match(lines[0]):
                lines.pop(0)
            yield _definitions(inspect.cleandoc("\n".join(["", *_taken(lines, _in_parameters)])), signature)
        else:
            text.append(line)
    yield from _text(text)


def _taken(lines: list[str], belongs: Callable[[list[str]], bool]) -> Iterator[str]:
    while lines and belongs(lines):
        yield lines.pop(0)


def _in_example(lines: list[str]) -> bool:
    """Whether the next line belongs to the example, which ends with an empty line that no prompt follows."""
    following = next((line for line in lines if line.strip()), "")
    return bool(lines[0].strip()) or following.startswith(">>>")


def _in_parameters(lines: list[str]) -> bool:
    following = next((line for line in lines if line.strip()), "")
    return following.startswith(" ")


def _text(lines: list[str]) -> Iterator[str]:
    text = "\n".join(lines).strip("\n")
    lines.clear()
    if text:
        yield text


def _example(lines: list[str]) -> str:
    body = "\n".join(lines).replace("<BLANKLINE>", "").rstrip()
    return f"```pycon\n{body}\n```"


def _definitions(text: str, signature: inspect.Signature | None) -> str:
    """Return a list of definitions: name, type and default, then what it is."""
    terms: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        parameter = PARAMETER.match(line)
        if parameter:
            terms.append((parameter[1], [parameter[2]]))
        elif terms:
            terms[-1][1].append(line.strip())
    return "\n\n".join(f"{_term(name, signature)}\n:   {' '.join(filter(None, said))}" for name, said in terms)


def _term(names: str, signature: inspect.Signature | None) -> str:
    """Return the term of a parameter.

    >>> _term("k", inspect.signature(lambda k=10: k))
    '`k` <span class="api-type">= 10</span>'
    """
    parameter = None if signature is None else signature.parameters.get(names.lstrip("*"))
    code = ", ".join(f"`{name.strip()}`" for name in names.split(","))
    if parameter is None:
        return code
    kind = "" if parameter.annotation is parameter.empty else inspect.formatannotation(parameter.annotation)
    default = "" if parameter.default is parameter.empty else f"= {parameter.default!r}"
    note = html.escape(" ".join(part for part in (kind.strip("'\""), default) if part)).replace("|", "&#124;")
    return f'{code} <span class="api-type">{note}</span>' if note else code
