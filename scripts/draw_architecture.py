"""Draw which part of the package imports which, from the imports themselves, into docs/architecture.md.

`make docs` runs this; a test compares the page with what it draws. The parts are those of the layers that import-linter
keeps (pyproject.toml), so that the drawing and the rule cannot disagree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final, NamedTuple

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


class Imports(NamedTuple):
    """Which part imports which: `down`, and `late`, which is up or within a layer, in functions or for types alone."""

    down: frozenset[Edge]
    late: frozenset[Edge]


def imports() -> Imports:
    """Return which part imports which; raise where what happens at loading goes up or round a circle."""
    graph = grimp.build_graph(PACKAGE, cache_dir=None)
    parts = [part for layer in layers() for part in layer]
    order = {part: place for place, layer in enumerate(layers()) for part in layer}
    pairs: dict[Edge, bool] = {}
    for module in sorted(graph.modules.difference(FACES)):
        for imported in _imported(graph, module):
            edge = part_of(module, parts), part_of(imported, parts)
            if edge[0] != edge[1]:
                pairs[edge] = pairs.get(edge, False) or _is_at_loading(graph, module, imported)
    upward = [edge for edge, at_loading in pairs.items() if at_loading and order[edge[0]] > order[edge[1]]]
    if upward:
        raise SystemExit(f"imports at loading that go up: {upward}")
    down = {edge for edge, at_loading in pairs.items() if order[edge[0]] < order[edge[1]] or at_loading}
    below = _below(down)
    late = {(upper, lower) for upper, lower in pairs.keys() - down if lower not in below[upper]}
    return Imports(frozenset(down), frozenset(late))


def _is_at_loading(graph: grimp.ImportGraph, module: str, imported: str) -> bool:
    """Whether one module imports another while it is loaded: not in a function, and not for type checkers alone."""
    lines = {detail["line_number"] for detail in graph.get_import_details(importer=module, imported=imported)}
    return imported != COMPILED and not lines <= _late_lines(module)


@cache
def _late_lines(module: str) -> set[int]:
    late: set[int] = set()
    for node in ast.walk(ast.parse(_source(module))):
        is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        if isinstance(node, ast.FunctionDef) or (isinstance(node, ast.If) and is_for_types):
            late |= {line for each in node.body for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)}
    return late


def _below(edges: Iterable[Edge]) -> Mapping[str, set[str]]:
    """Return all that each part reaches; raise where a part reaches itself."""
    direct: dict[str, set[str]] = {}
    for upper, lower in edges:
        direct.setdefault(upper, set()).add(lower)
        direct.setdefault(lower, set())
    try:
        bottom_up = list(TopologicalSorter(direct).static_order())
    except CycleError as error:
        raise SystemExit(f"imports go round in a circle: {error.args[1]}") from None
    reached: dict[str, set[str]] = {}
    for part in bottom_up:
        reached[part] = direct[part].union(*(reached[lower] for lower in direct[part]))
    return reached


def _imported(graph: grimp.ImportGraph, module: str) -> Iterator[str]:
    yield from graph.find_modules_directly_imported_by(module) - {PACKAGE}
    # The compiled module is no file that grimp can read.
    if re.search(r"^ *from rankgauge(\._core import | import _core)", _source(module), re.MULTILINE):
        yield COMPILED


def _source(module: str) -> str:
    path = ROOT / "src" / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8")


def shortest(edges: Iterable[Edge]) -> set[Edge]:
    """Leave out each import that others imply: if a imports b and b imports c, then a → c is not drawn."""
    known = set(edges)
    below = _below(known)
    return {
        (upper, end) for upper, end in known if not any(end in below[lower] for first, lower in known if first == upper)
    }


def drawing() -> str:
    """Return the drawing in Mermaid: a box per part, an arrow per import, dashed where it is late."""
    down, late = imports()
    boxes = [f'  {_node(part)}["{part.removeprefix(f"{PACKAGE}.")}"]' for layer in layers() for part in layer]
    arrows = [f"  {_node(upper)} --> {_node(lower)}" for upper, lower in sorted(shortest(down))]
    dashed = [f"  {_node(lower)} -.-> {_node(upper)}" for lower, upper in sorted(late)]
    return "\n".join(["```mermaid", "flowchart TD", *boxes, *arrows, *dashed, "```"])


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
