"""The API reference: a page per public module, and one of the classes that its functions return."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

import rankgauge
from docs_site.docstrings import summary, to_markdown
from rankgauge.measures import Measure

FOLDER: Final = "docs/api"
PACKAGE: Final = "rankgauge"
RETURNED: Final = "results"
WIDEST: Final = 88  # of a signature on one line


class Name(NamedTuple):
    """A public name, how it is reached from `import rankgauge as rg`, and what it is."""

    name: str
    reached: str
    thing: Any


def pages() -> dict[str, str]:
    """Return the pages of the reference by their paths."""
    faces = _faces()
    shown = {reached: public(reached, module) for reached, module in faces.items()}
    texts = {_file(reached): _module_page(reached, faces[reached], names) for reached, names in shown.items()}
    names = [Name(thing.__name__, f"{thing.__module__}.{thing.__name__}", thing) for thing in returned()]
    texts[f"{FOLDER}/{RETURNED}.md"] = _returned_page(names)
    return {f"{FOLDER}/README.md": _index(shown, faces, names), **texts}


def returned() -> list[type]:
    """Return the classes that have no public name, and that public functions and methods return."""
    shown = {reached: public(reached, module) for reached, module in _faces().items()}
    return sorted(_returned(shown), key=lambda thing: thing.__name__)


def _faces() -> dict[str, ModuleType]:
    modules = {name: getattr(rankgauge, name) for name in sorted(rankgauge.__all__) if _is_module(name)}
    return {"rg": rankgauge, **{f"rg.{name}": module for name, module in modules.items()}}


def public(reached: str, module: ModuleType) -> list[Name]:
    """Return the public names of a module that are no modules, each once: functions, then classes, then the rest."""
    names = [Name(name, f"{reached}.{name}", getattr(module, name)) for name in module.__all__]
    things = [name for name in names if not inspect.ismodule(name.thing) and name.name != "__version__"]
    return sorted(things, key=lambda name: (_rank(name.thing), name.name.lower()))


def _rank(thing: object) -> int:
    return 0 if inspect.isfunction(thing) else 1 if inspect.isclass(thing) else 2


def _is_module(name: str) -> bool:
    return inspect.ismodule(getattr(rankgauge, name))


def _file(reached: str) -> str:
    return f"{FOLDER}/{reached.removeprefix('rg.')}.md"


def _index(shown: Mapping[str, list[Name]], faces: Mapping[str, ModuleType], returned: list[Name]) -> str:
    parts = [
        "# API reference",
        "Everything public, from the docstrings; the tests run each example. `import rankgauge as rg` comes first.",
    ]
    for reached, names in shown.items():
        parts += [f"## [`{reached}`]({Path(_file(reached)).name})", summary(inspect.getdoc(faces[reached]) or "")]
        documented = [name for name in names if _rank(name.thing) < 2]
        parts += [_summaries(documented, Path(_file(reached)).name)]
    parts += [
        "## Results",
        "What the functions return; nobody makes these by hand.",
        _summaries(returned, f"{RETURNED}.md"),
    ]
    parts += ["## Commands", "[Every command](commands.md) of the program `rankgauge`, with its switches."]
    return "\n\n".join(parts) + "\n"


def _summaries(names: list[Name], file: str) -> str:
    rows = [
        [f"[`{name.name}`]({file}#{anchor(name.name)})", summary(inspect.getdoc(name.thing) or "")] for name in names
    ]
    return _table(rows)


def _table(rows: list[list[str]]) -> str:
    """Return a table of names, in which marks of code stay marks."""
    lines = [[cell.replace("|", "&#124;") for cell in row] for row in rows]
    return "\n".join(["| name | what it is |", "|:--|:--|", *(f"| {' | '.join(line)} |" for line in lines)])


def anchor(name: str) -> str:
    """Return the anchor of a name on its page."""
    return name.lower()


def _module_page(reached: str, module: ModuleType, names: list[Name]) -> str:
    parts = [f"# `{reached}`", to_markdown(inspect.getdoc(module) or "")]
    documented = [name for name in names if _rank(name.thing) < 2]
    constants = [name for name in names if _rank(name.thing) == 2]
    for name in documented:
        parts += list(_described(name))
    if constants:
        parts += ["## Constants", _constants(constants)]
    return "\n\n".join(parts) + "\n"


def _returned_page(names: list[Name]) -> str:
    parts = ["# Results", "What the functions return, and what these return in turn. Nobody makes these by hand."]
    for name in names:
        parts += list(_described(name))
    return "\n\n".join(parts) + "\n"


def _described(name: Name) -> Iterator[str]:
    """Yield the heading, the signature and the docstring of a function or a class, and the members of a class."""
    yield f"## {name.name}"
    if inspect.isclass(name.thing):
        yield f"`class {name.reached}`"
        yield to_markdown(inspect.getdoc(name.thing) or "")
        yield from _members(name.thing)
    else:
        signature = inspect.signature(name.thing)
        yield f"```python\n{written(name.reached, signature)}\n```"
        yield to_markdown(inspect.getdoc(name.thing) or "", signature)


def _members(kind: type) -> Iterator[str]:
    """Yield the public methods and properties of a class that have a docstring, inherited ones of ours too."""
    for name in sorted(_own_names(kind)):
        member = inspect.getattr_static(kind, name)
        function = getattr(member, "__func__", member)
        documented = inspect.getdoc(member.fget if isinstance(member, property) else function)
        if not documented or not (isinstance(member, property) or callable(function)):
            continue
        heading = f"### {name} {{ #{anchor(f'{kind.__name__}.{name}')} }}"
        if isinstance(member, property):
            returns = inspect.signature(member.fget).return_annotation if member.fget else ""
            yield f"{heading}\n\n`{kind.__name__}.{name}: {returns}`"
            yield to_markdown(documented)
        else:
            signature = inspect.signature(function)
            bound = [part for part in signature.parameters.values() if part.name not in ("self", "cls")]
            shown = signature.replace(parameters=bound)
            yield f"{heading}\n\n```python\n{written(f'{kind.__name__}.{name}', shown)}\n```"
            yield to_markdown(documented, shown)


def _own_names(kind: type) -> set[str]:
    classes = [part for part in kind.__mro__ if part.__module__.startswith(PACKAGE)]
    return {name for part in classes for name in vars(part) if not name.startswith("_")}


def written(name: str, signature: inspect.Signature) -> str:
    """Return a call with its parameters, on one line or one line each.

    >>> written("f", inspect.signature(lambda a, *, b=1: a))
    'f(a, *, b=1)'
    """
    text = name + _unquoted(str(signature))
    if len(text) <= WIDEST:
        return text
    parts = _unquoted_parts(signature)
    returns = "" if signature.return_annotation is signature.empty else f" -> {signature.return_annotation}"
    return "\n".join([f"{name}(", *(f"    {part}," for part in parts), f"){returns}"])


def _unquoted_parts(signature: inspect.Signature) -> Iterator[str]:
    star = False
    for parameter in signature.parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            star = True
            yield "*"
        star = star or parameter.kind is parameter.VAR_POSITIONAL
        yield _unquoted(str(parameter))


def _unquoted(text: str) -> str:
    """Annotations are text in the sources; here they are shown as types."""
    return re.sub(r"""(: |-> )(?:'([^']*)'|"([^"]*)")""", r"\1\2\3", text)


def _constants(names: list[Name]) -> str:
    rows = [[f"`{name.reached}`", _meaning(name.thing)] for name in names]
    return _table(rows)


def _meaning(thing: object) -> str:
    if isinstance(thing, Measure):
        return f"[{thing.title}](../measures.md#{anchor(thing.name)})"
    values = getattr(thing, "__args__", None)
    if values:
        return "one of " + ", ".join(f"`{value}`" for value in values)
    return f"{len(thing)} by name" if isinstance(thing, Mapping) else type(thing).__name__


def _returned(shown: Mapping[str, list[Name]]) -> set[type]:
    """Return the classes of the package that public functions and methods return, and that have no public name."""
    public = {name.thing for names in shown.values() for name in names if inspect.isclass(name.thing)}
    waiting = [name.thing for names in shown.values() for name in names if _rank(name.thing) < 2]
    returned: set[type] = set()
    while waiting:
        new = {kind for kind in _mentioned(waiting.pop()) - returned if not issubclass(kind, tuple(public))}
        returned |= new
        waiting += new
    return returned


def _mentioned(thing: Any) -> set[type]:  # noqa: ANN401 - a function or a class
    functions = [thing]
    if inspect.isclass(thing):
        members = [inspect.getattr_static(thing, name) for name in _own_names(thing)]
        functions = [getattr(member, "fget", None) or getattr(member, "__func__", member) for member in members]
    kinds = (_kinds(function) for function in functions if inspect.isfunction(function))
    return {kind for several in kinds for kind in several}


def _kinds(function: Any) -> Iterator[type]:  # noqa: ANN401 - a function
    annotation = str(inspect.unwrap(function).__annotations__.get("return", ""))
    imports = _imports(function.__module__)
    module = import_module(function.__module__)
    for word in re.findall(r"\w+", annotation):
        thing = getattr(module, word, None)
        if thing is None and word in imports:
            thing = getattr(import_module(imports[word]), word, None)
        if inspect.isclass(thing) and thing.__module__.startswith(PACKAGE) and not word.startswith("_"):
            yield thing


@cache
def _imports(module: str) -> dict[str, str]:
    """Return from which module each name comes, those too that only the checker of types imports."""
    source = inspect.getsource(import_module(module))
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    return {name.name: node.module for node in imports for name in node.names if node.module and PACKAGE in node.module}
