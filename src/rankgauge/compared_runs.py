"""ComparedRuns: what a comparison evaluates, and how, as one value; and the evaluation of its runs, one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, cast

from rankgauge.conventions import Convention
from rankgauge.errors import within
from rankgauge.evaluate import Running, evaluate_nouns, evaluate_sides, with_sources
from rankgauge.inputs import both_sides, read_within
from rankgauge.inputs.reading import Reading
from rankgauge.inputs.sides import Sides
from rankgauge.measures.parsing import MeasuresInput
from rankgauge.request import Request, RequestSettings
from rankgauge.results.result import Result

if TYPE_CHECKING:
    from rankgauge.data.spilled import JudgedSide, RankedSide
    from rankgauge.inputs.types import JudgmentsInput, RankingInput


class ComparedRuns(NamedTuple):
    """Judgments and runs by name, what is asked of them, how they are read, and how they are run."""

    judgments: JudgmentsInput
    runs: Mapping[str, RankingInput]
    measures: MeasuresInput | None
    convention: str | Convention | None
    settings: RequestSettings
    reading: Reading
    running: Running

    @property
    def common(self) -> bool:
        """Whether only the queries that all runs have count."""
        return self.settings.missing == "skip"

    def request_of(self, given: Sides) -> Request:
        """Return what is asked of two sides."""
        asked = given.measure if self.measures is None else self.measures
        return self.settings.request(asked, given.convention if self.convention is None else self.convention)

    def by_human(self, labels: JudgmentsInput) -> ComparedRuns:
        """Return the same runs by the labels of people, whose format is found from their content."""
        return self._replace(judgments=labels, reading=self.reading._replace(format_judgments=None))

    def evaluate(self) -> tuple[dict[str, Result], dict[str, frozenset[str]]]:
        """Evaluate every run by one plan on judgments that are read once; also return the queries that each run has."""
        results, present = {}, {}
        judged: JudgmentsInput | JudgedSide = self.judgments
        # Severe remarks of one run are errors of the comparison, where all are at hand.
        relaxed = self.running._replace(strict=False)
        for name, run in self.runs.items():
            with within(f"run {name!r}"):
                given = both_sides(cast("JudgmentsInput", judged), run, self.reading)
                request = self.request_of(given)
                read, ranked = read_within(self.running.budget(), given, self.reading, request.annotation)
                result = evaluate_sides(read, ranked, request, relaxed, given.remarks)
                results[name] = with_sources(result, self.judgments, given.ranking)
                present[name] = _present(results[name], read, ranked, relaxed)
            if not given.plain:
                judged = read
        return results, present


def _present(result: Result, judgments: JudgedSide, ranking: RankedSide, running: Running) -> frozenset[str]:
    """Return the judged queries that a run has."""
    if not result.counts["missing"] or result.convention.missing == "skip":
        return frozenset(result.evaluation.queries)
    request = result.request.of_ranked_queries()
    return frozenset(evaluate_nouns(judgments, ranking, request, running).evaluation.queries)
