"""ComparedRuns: what a comparison evaluates, and how, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from rankgauge.conventions import Convention
from rankgauge.execution_options import ExecutionOptions
from rankgauge.inputs.input_pair import InputPair
from rankgauge.inputs.reading_options import ReadingOptions
from rankgauge.measures.parsing import MeasuresInput
from rankgauge.request import Request, RequestSettings

if TYPE_CHECKING:
    from rankgauge.inputs.types import JudgmentsInput, RankingInput


class ComparedRuns(NamedTuple):
    """Judgments and runs by name, what is asked of them, how they are read, and how they are run."""

    judgments: JudgmentsInput
    runs: Mapping[str, RankingInput]
    measures: MeasuresInput | None
    convention: str | Convention | None
    settings: RequestSettings
    reading: ReadingOptions
    running: ExecutionOptions

    @property
    def common(self) -> bool:
        """Whether only the queries that all runs have count."""
        return self.settings.missing == "skip"

    def request_of(self, given: InputPair) -> Request:
        """Return what is asked of two sides."""
        asked = given.measure if self.measures is None else self.measures
        return self.settings.request(asked, given.convention if self.convention is None else self.convention)

    def by_human(self, labels: JudgmentsInput) -> ComparedRuns:
        """Return the same runs by the labels of people, whose format is found from their content."""
        return self._replace(judgments=labels, reading=self.reading._replace(format_judgments=None))
