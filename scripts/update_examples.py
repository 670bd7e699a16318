"""Write into pages and docstrings what their examples print now; read the difference before you commit it.

    make examples FILES="docs/guides/search.md"

A Python example whose output still matches what is written below it, with `...` for any text, is left as it is.
"""

from __future__ import annotations

import doctest
import importlib
import io
import os
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.docs.test_commands import AND_SO_ON, PAGES, Folder, steps

ROOT: Final = Path(__file__).parents[1]
FLAGS: Final = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Edit(NamedTuple):
    """Lines of a file, from the first to before the last, counted from 0, and what replaces them."""

    first: int
    last: int
    lines: list[str]


def main(names: Sequence[str]) -> None:
    """Update the files, or all pages and modules."""
    modules = sorted((ROOT / "src" / "rankgauge").rglob("*.py"))
    for path in [Path(name).resolve() for name in names] or [*PAGES, *modules]:
        edits = [*_commands(path), *_page_examples(path)] if path.suffix == ".md" else [*_docstrings(path)]
        if edits:
            _apply(path, edits)
            print(f"{path.relative_to(ROOT)}: {len(edits)} updated")


def _located(path: Path, edit: Edit, want: str) -> Edit | None:
    """Return the edit where the old output stands: of a decorated function, the number of its line is another."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]
    old = [line.strip() for line in want.split("\n")[:-1]]
    starts = [start for start in range(len(lines)) if lines[start : start + len(old)] == old]
    if edit.first in starts:
        return edit
    if len(starts) != 1:
        print(f"{path}: {len(starts)} places have the output {old[:1]}; correct it by hand", file=sys.stderr)
        return None
    return Edit(starts[0], starts[0] + len(old), edit.lines)


def _apply(path: Path, edits: Sequence[Edit]) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    for first, last, replacement in sorted(edits, reverse=True):
        lines[first:last] = replacement
    path.write_text("\n".join(lines), encoding="utf-8")


def _commands(path: Path) -> Iterator[Edit]:
    """Yield the outputs of commands that changed."""
    with tempfile.TemporaryDirectory() as name:
        before = Path.cwd()
        os.chdir(name)
        try:
            folder = Folder(Path(name))
            for step in steps(path.read_text(encoding="utf-8")):
                printed = folder.run(step)
                cut = step.expected.endswith(AND_SO_ON)
                start = step.expected.removesuffix(AND_SO_ON)
                if printed is None or (printed.startswith(start) if cut else printed == step.expected):
                    continue
                shown = printed.split("\n")[:-1]
                if cut:
                    shown = [*shown[: start.count("\n")], "..."]
                yield Edit(step.line, step.line + step.expected.count("\n"), shown)
        finally:
            os.chdir(before)


def _page_examples(path: Path) -> Iterator[Edit]:
    test = doctest.DocTestParser().get_doctest(path.read_text(encoding="utf-8"), {}, path.name, str(path), 0)
    yield from _examples(test, {"__name__": "__main__"}, 0)


def _docstrings(path: Path) -> Iterator[Edit]:
    name = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    module = importlib.import_module(name)
    for test in doctest.DocTestFinder(exclude_empty=True).find(module, name):
        if test.examples and test.lineno is not None and Path(test.filename or "").resolve() == path.resolve():
            yield from _examples(test, dict(vars(module)), test.lineno)


def _examples(test: doctest.DocTest, names: dict[str, Any], offset: int) -> Iterator[Edit]:
    """Yield the outputs of Python examples that changed."""
    checker = doctest.OutputChecker()
    for example in test.examples:
        got, raised = _run(example.source, names, test.name)
        if raised:
            if example.exc_msg is None:
                print(f"{test.filename}:{offset + example.lineno + 1}: raised {got}", file=sys.stderr)
            continue
        if checker.check_output(example.want, got, FLAGS):
            continue
        first = offset + example.lineno + example.source.count("\n")
        shown = [line or "<BLANKLINE>" for line in got.split("\n")[:-1]]
        edit = Edit(first, first + example.want.count("\n"), [" " * example.indent + line for line in shown])
        located = _located(Path(test.filename or ""), edit, example.want)
        if located is not None:
            yield located


def _run(source: str, names: dict[str, Any], name: str) -> tuple[str, bool]:
    """Return what an example prints, or the error that it raises."""
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            exec(compile(source, name, "single"), names)  # noqa: S102 - the project's own examples
    except Exception:
        return traceback.format_exc(limit=0), True
    return printed.getvalue(), False


if __name__ == "__main__":
    main(sys.argv[1:])
