"""LaTeX: cells cannot start a command, and our own tables need nothing but ASCII."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rankgauge as rg
from rankgauge.cli.conventions import ConventionDetails, ConventionList
from rankgauge.cli.measures import MeasureList
from rankgauge.conventions import NAMED
from rankgauge.measures import NAMED as MEASURES
from rankgauge.presentation.formats import Presentable, render
from rankgauge.presentation.table import Table

TABLES: dict[str, Presentable] = {
    "measures": MeasureList(list(MEASURES.values())),
    "conventions": ConventionList(),
    **{name: ConventionDetails(convention) for name, convention in NAMED.items()},
    "walk": rg.conventions.why({"q": {"a": 1, "b": 3}}, {"q": ["a", "b"]}, "ndcg@2", "lightgbm", "sklearn"),
}
COMMANDS = {
    "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar", "ldots", "times",
    "cdot", "leq", "rightarrow", "Sigma", "Pi", "alpha", "beta", "varepsilon",
}  # fmt: skip


def body_of(table: Table) -> str:
    return table.to_latex().partition("\\midrule\n")[2].partition("\n\\bottomrule")[0]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("a_b&c", r"a\_b\&c"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("50% #1 $x$", r"50\% \#1 \$x\$"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("[1]", "{[}1]"),
        ("*", "{*}"),
        ("a<b>|c", r"a\textless{}b\textgreater{}\textbar{}c"),
        ("exp2 → linear", r"exp2 $\rightarrow$ linear"),
        (None, "--"),
    ],
)
def test_to_latex_of_special_characters_escapes_them(cell: str | None, written: str) -> None:
    assert body_of(Table(["cell"], [[cell]])) == written + r" \\"


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_to_latex_of_our_own_tables_is_ascii(table: Presentable) -> None:
    assert render(table, "latex").isascii()


@settings(deadline=None)
@given(cell=st.text())
def test_to_latex_of_any_text_has_one_row_and_known_commands(cell: str) -> None:
    body = body_of(Table(["first", "second"], [[cell, "end"]]))
    assert body.endswith(r" & end \\")
    row = body.removesuffix(r" & end \\")
    assert not row.startswith(("[", "*"))
    assert "\n" not in row
    assert not re.search(r"(?<!\\)[&%#_~]", row)
    assert set(re.findall(r"\\([A-Za-z]+)", row)) <= COMMANDS
    assert not re.search(r"\\[^A-Za-z&%$#_{}]", row)
