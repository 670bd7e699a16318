"""ExecutionOptions: how a request is run, by which engine, and on which machine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias, cast, get_args

from rankgauge.checks import byte_count, require_choice, whole_number
from rankgauge.errors import RankgaugeError
from rankgauge.inputs import frames_of_spark
from rankgauge.inputs.memory_budget import MemoryBudget

Engine: TypeAlias = Literal["native", "reference", "spark"]


class ExecutionOptions(NamedTuple):
    """How a request is run: what changes no value. `strict` makes severe remarks errors.

    `order` and `persist` are for clusters: the column that rows are in the order of, and whether values are kept.
    `memory` is in bytes, or a text with a unit.
    """

    seed: int = 0
    threads: int | None = None
    engine: str | None = None
    strict: bool = False
    order: str | None = None
    persist: bool = False
    memory: int | str | None = None

    def checked(self) -> ExecutionOptions:
        """Return the settings as plain numbers, or raise."""
        threads = None if self.threads is None else whole_number("threads", self.threads, 1)
        if self.engine is not None:
            hint = "native is fast, reference reads like the formula, spark stays on the cluster"
            require_choice("engine", self.engine, get_args(Engine), hint)
        memory = None if self.memory is None else byte_count("memory", self.memory)
        return self._replace(seed=whole_number("seed", self.seed, 0), threads=threads, memory=memory)

    def on_cluster(self, sources: Iterable[object], human: object = None) -> bool:
        """Whether a verb goes to a cluster: it is asked for, or a side is there and nothing else is asked for.

        >>> ExecutionOptions().on_cluster([{"q": ["a"]}, {"q": ["a"]}])
        False
        """
        if self.engine != "spark" and (self.engine is not None or not frames_of_spark(sources)):
            return False
        if human is not None:
            raise RankgaugeError("not-on-cluster", expected="judgments alone", got="human labels too")
        if self.memory is not None:
            raise RankgaugeError("not-on-cluster", expected="no bound on the memory of this machine", got="memory=")
        return True

    def require_no_cluster(self) -> None:
        """Raise if a keyword of clusters is given where nothing goes to one."""
        for name, value in (("order", self.order), ("persist", self.persist)):
            if value:
                raise RankgaugeError("only-on-cluster", got=f"{name}={value!r}")

    def budget(self) -> MemoryBudget | None:
        """Return the memory that rows may take; the reference holds everything in memory."""
        return None if self.engine == "reference" else MemoryBudget(cast("int | None", self.memory))
