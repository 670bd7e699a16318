"""Draw which part of the package imports which, from the imports themselves, into docs/architecture.md.

`make docs` runs this; a test compares the page with what it draws. The parts are those of the layers that import-linter
keeps (pyproject.toml), so that the drawing and the rule cannot disagree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import grimp
import tomli

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "architecture.md"
MARKS: Final = ("<!-- drawn by scripts/draw_architecture.py -->", "<!-- end of the drawing -->")
PACKAGE: Final = "rankgauge"
COMPILED: Final = f"{PACKAGE}._core"
# The public names, which import everything and nothing imports.
FACES: Final = (PACKAGE, f"{PACKAGE}.__main__")
Edge = tuple[str, str]


def layers() -> list[list[str]]:
    """Return the parts of the package from the top to the bottom, as import-linter has them, and the compiled core."""
    settings = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (contract,) = [contract for contract in settings["contracts"] if contract["type"] == "layers"]
    return [*([part.strip() for part in re.split(r"[|:]", layer)] for layer in contract["layers"]), [COMPILED]]


def part_of(module: str, parts: Iterable[str]) -> str:
    """Return the part that a module belongs to: the one with the longest name."""
    matching = [part for part in parts if module == part or module.startswith(f"{part}.")]
    if not matching:
        raise SystemExit(f"{module} is in no layer of the import contract in pyproject.toml: add it there")
    return max(matching, key=len)


def imports() -> set[Edge]:
    """Return which part imports which."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    parts = [part for layer in layers() for part in layer]
    pairs = {
        (part_of(module, parts), part_of(imported, parts))
        for module in graph.modules.difference(FACES)
        for imported in _imported(graph, module)
    }
    order = {part: place for place, layer in enumerate(layers()) for part in layer}
    return {(upper, lower) for upper, lower in pairs if order[upper] < order[lower]}


def _imported(graph: grimp.ImportGraph, module: str) -> Iterator[str]:
    yield from graph.find_modules_directly_imported_by(module) - {PACKAGE}
    # The compiled module is no file that grimp can read.
    if re.search(r"^ *from rankgauge(\._core import | import _core)", _source(module), re.MULTILINE):
        yield COMPILED


def _source(module: str) -> str:
    path = ROOT / "src" / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


def shortest(edges: set[Edge]) -> set[Edge]:
    """Leave out each import that others imply: if a imports b and b imports c, then a → c is not drawn."""
    below: dict[str, set[str]] = {}
    for upper, lower in edges:
        below.setdefault(upper, set()).add(lower)

    def reaches(part: str, end: str) -> bool:
        return end in below.get(part, ()) or any(reaches(lower, end) for lower in below.get(part, ()))

    return {(upper, end) for upper, end in edges if not any(reaches(lower, end) for lower in below[upper])}


def drawing() -> str:
    """Return the drawing in Mermaid: a box per part, an arrow per import."""
    boxes = [f'  {_node(part)}["{part.removeprefix(f"{PACKAGE}.")}"]' for layer in layers() for part in layer]
    arrows = [f"  {_node(upper)} --> {_node(lower)}" for upper, lower in sorted(shortest(imports()))]
    return "\n".join(["```mermaid", "flowchart TD", *boxes, *arrows, "```"])


def _node(part: str) -> str:
    return part.removeprefix(f"{PACKAGE}.").replace(".", "-")


def page(text: str) -> str:
    """Return the page with the drawing between its marks."""
    start, end = MARKS
    between = re.compile(f"{re.escape(start)}.*{re.escape(end)}", re.DOTALL)
    return between.sub(lambda _: f"{start}\n\n{drawing()}\n\n{end}", text)


def main() -> None:
    """Draw into the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
