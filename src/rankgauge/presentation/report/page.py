"""The page of a report: parts as sections of HTML, and everything that they need in one file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Final, TypeAlias

from rankgauge.errors import RankgaugeError
from rankgauge.languages.escapes import printable
from rankgauge.presentation.charts import Chart, OrderedBars
from rankgauge.presentation.charts.svg import draw
from rankgauge.presentation.parts import Heading, Part, SideBySide, part_text
from rankgauge.presentation.report.explorer import Explorer
from rankgauge.presentation.report.packing import pack
from rankgauge.presentation.report.tables import copies_of, definitions, report_table
from rankgauge.presentation.standalone_html import asset, standalone_page
from rankgauge.presentation.table import PLACES, Table
from rankgauge.presentation.whole_file import replace_file
from rankgauge.remarks import Remark

PACKAGE: Final = "rankgauge.presentation.report"


@dataclass(frozen=True, slots=True)
class Definitions:
    """Names and what they stand for, such as the versions that made a report."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FoldedParts:
    """Parts that a reader unfolds."""

    summary: str
    parts: tuple[Part | Definitions, ...]


ReportPart: TypeAlias = "Part | Definitions | FoldedParts | Explorer"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report:
    """What a page shows.

    Parameters:
        title: of the window.
        what: what was done, in a few words, such as `comparison of 3 runs, 200 queries`.
        aside: what stands beside it, such as the convention.
        headline: the finding in a sentence.
        lead: a paragraph below the headline.
        parts: the sections; each begins with a heading.
        swatches: the class of the style sheet of each run, by the name that a row of a table begins with.
        pairs: the numbers of the two runs whose differences a chart shows, by the title of the chart.

    """

    title: str
    what: str
    aside: str = ""
    headline: str
    lead: str = ""
    parts: tuple[ReportPart, ...]
    swatches: Mapping[str, str] = field(default_factory=dict)
    pairs: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def to_html(self) -> str:
        """Return the page, to be saved as UTF-8; the same report gives the same text."""
        writer = _Writer(self)
        body = writer.body()
        style = "\n".join((asset("rankgauge.presentation", "theme.css"), asset(PACKAGE, "charts.css", "report.css")))
        return standalone_page(
            title=printable(self.title),
            style=style,
            script=asset(PACKAGE, "page.js", "explorer.js"),
            body=body,
            data={"packed": writer.packed()},
            images=True,
        )

    def save(self, path: str | os.PathLike[str]) -> Report:
        """Write the page to a file, and return the report.

        Parameters:
            path: of the file; one that exists is replaced, completely or not at all.

        """
        page = self.to_html()
        try:
            target = Path(os.path.realpath(path))
            if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
                _write(target, page)
            else:
                replace_file(target, lambda draft: _write(draft, page))
        except (OSError, ValueError) as error:  # the latter: a path with a NUL
            got = getattr(error, "strerror", None) or str(error)
            raise RankgaugeError("unwritable-file", place=os.fspath(path), got=got) from None
        return self

    def __repr__(self) -> str:
        return f"Report: {printable(self.headline)}"

    def _repr_html_(self) -> str:
        # A frame of its own, so that neither the page nor the notebook changes how the other looks.
        page = escape(self.to_html())
        return f'<iframe srcdoc="{page}" title="report" width="100%" height="800" frameborder="0"></iframe>'


def _write(path: Path, page: str) -> None:
    path.write_text(page, encoding="utf-8", newline="")


class _Writer:
    """Writes parts, and collects what the script needs of them."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.copies: list[dict[str, str]] = []
        self.explorer: Explorer | None = None
        self.charts = 0

    def packed(self) -> str:
        values: dict[str, Any] = {"copies": self.copies, "explorer": None}
        if self.explorer is None:
            return pack(values, {})
        return pack({**values, "explorer": self.explorer.values()}, self.explorer.arrays)

    def body(self) -> str:
        report = self.report
        sections = list(self._sections())
        lead = f'<p class="lead">{_text(report.lead)}</p>' if report.lead else ""
        links = [f'<a href="#{_anchor(part.text)}">{_text(part.text)}</a>' for part in self._headings()]
        contents = f'<nav class="contents" aria-label="Contents">{"".join(links)}</nav>' if len(links) > 2 else ""
        return (
            f'<div class="page">\n<header class="top"><div class="what"><strong>rankgauge</strong> {_text(report.what)}'
            f'</div><div>{_text(report.aside)}</div><button type="button" id="theme" aria-pressed="false">light / dark'
            f"</button></header>\n<main>\n<h1>{_text(report.headline)}</h1>\n{lead}{contents}\n"
            f'{"".join(sections)}</main>\n<div id="status" class="visually-hidden" role="status"></div>\n</div>'
        )

    def _headings(self) -> list[Heading]:
        return [part for part in self.report.parts if isinstance(part, Heading) and part.level == 2]

    def _sections(self) -> Iterator[str]:
        opened = False
        for part in self.report.parts:
            if isinstance(part, Heading) and part.level == 2:
                anchor = _anchor(part.text)
                note = f'<p class="note">{_text(part.note)}</p>' if part.note else ""
                closing = "</section>\n" if opened else ""
                yield f'{closing}<section aria-labelledby="{anchor}"><h2 id="{anchor}">{_text(part.text)}</h2>{note}'
                opened = True
            else:
                yield self._part(part)
        yield "</section>\n" if opened else ""

    def _part(self, part: ReportPart) -> str:  # noqa: PLR0911 - one for each kind
        if isinstance(part, Table):
            self.copies.append(copies_of(part))
            return report_table(part, len(self.copies) - 1, self.report.swatches)
        if isinstance(part, Chart):
            return self._figure(part)
        if isinstance(part, SideBySide):
            many = " many" if len(part.charts) > 2 else ""
            return f'<div class="beside{many}">{"".join(map(self._figure, part.charts))}</div>'
        if isinstance(part, Definitions):
            return definitions(part.rows)
        if isinstance(part, FoldedParts):
            inside = "".join(map(self._part, part.parts))
            return f"<details><summary>{_text(part.summary)}</summary>{inside}</details>"
        if isinstance(part, Explorer):
            self.explorer = part
            needs = "The explorer needs the script of this page, which the browser did not run."
            note = f'<p class="note">{_text(part.note)}</p>' if part.note else ""
            return f'{note}<div class="explorer" id="explorer-root"><noscript>{needs}</noscript></div>'
        if isinstance(part, Heading):
            note = f'<p class="note">{_text(part.note)}</p>' if part.note else ""
            return f"<h{part.level}>{_text(part.text)}</h{part.level}>{note}"
        return (
            _remark(part)
            if isinstance(part, Remark)
            else f'<p class="legend">{_text(part_text(part, PLACES))}</p>'
            if part
            else ""
        )

    def _figure(self, chart: Chart) -> str:
        self.charts += 1
        name = _anchor(chart.title) or f"chart-{self.charts}"
        subtitle = f"<p>{_text(chart.subtitle)}</p>" if chart.subtitle else ""
        drawn = draw(chart)
        pair = self.report.pairs.get(chart.title)
        if isinstance(chart, OrderedBars) and pair:
            drawn = drawn.replace("<svg ", f'<svg data-first="{pair[0]}" data-second="{pair[1]}" ', 1)
        buttons = "".join(
            f'<button type="button" data-save="{kind}" aria-label="Save as {kind.upper()}: {_text(chart.title)}">'
            f"{kind.upper()}</button>"
            for kind in ("svg", "png")
        )
        return (
            f'<figure class="chart" data-name="{name}"><figcaption><h3>{_text(chart.title)}</h3>{subtitle}</figcaption>'
            f'<div class="canvas">{drawn}</div><div class="tools">{buttons}</div></figure>'
        )


def _remark(remark: Remark) -> str:
    text = _text(part_text(remark, PLACES))
    name = _text(f"{remark.name}:")
    severe = " severe" if remark.severity == "severe" else ""
    return f'<p class="remark{severe}"><b>{name}</b>{text.removeprefix(name)}</p>'


def _text(text: str) -> str:
    return escape(printable(text))


def _anchor(text: str) -> str:
    """Return a text as a name of a place or a file.

    >>> _anchor("Grades by rank: bm25 <b>")
    'grades-by-rank-bm25-b'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60]
