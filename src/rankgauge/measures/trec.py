"""The measures of trec_eval: its names, the parameters it takes after a dot, and the order of its output.

>>> [line.label for line in expand("P.5,10")], expand("ndcg.1=3,2=9")[0]
(['P_5', 'P_10'], Line(label='ndcg_1=3,2=9', measure=ndcg(gain=linear(1=3,2=9)), whole=False, single=True))
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, NamedTuple

from rankgauge.conventions.terms import Gain
from rankgauge.errors import RankgaugeError
from rankgauge.measures import counted, gains, graded, letters
from rankgauge.measures.measure import Measure
from rankgauge.notation import parse_number

CUTOFFS: Final = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS: Final = tuple(number / 10 for number in range(11))


class Line(NamedTuple):
    """A line of output: its label, its measure, and whether it is a whole number and has a value per query."""

    label: str
    # None is the name of the run.
    measure: Measure | None
    whole: bool
    single: bool


class Family(NamedTuple):
    """A measure of trec_eval: the measure here that it equals, and the kind of parameters after the dot of its name.

    The kinds are: none, cutoffs or recall levels (a line each), gains of grades, or numbers.
    """

    name: str
    measure: Measure | None
    takes: Literal["nothing", "cutoffs", "points", "gains", "numbers"] = "nothing"
    # The default list.
    listed: tuple[float, ...] = ()
    # The parameter that recall levels or numbers set.
    parameter: str = ""
    whole: bool = False
    single: bool = True

    def lines(self, listed: str | None = None) -> list[Line]:
        """Return the lines for the parameters after the dot; default: for the default list."""
        if self.takes in ("cutoffs", "points"):
            return [self._line_at(number) for number in sorted(set(self._numbers(listed)))]
        label = self.name if listed is None else f"{self.name}_{listed}"
        return [Line(label, self._with(listed), self.whole, self.single)]

    def label_of(self, measure: Measure) -> str | None:
        """Return the label of a measure, if it is this one, at a cutoff or level of recall of its own."""
        if self.measure is None or self.measure.name != measure.name:
            return None
        if self.takes == "cutoffs":
            line = self._line_at(measure.k) if measure.k else None
        else:
            line = self._line_at(measure.number(self.parameter)) if self.takes == "points" else self.lines()[0]
        return line.label if line and line.measure == measure else None

    def _line_at(self, number: float) -> Line:
        measure = self._required()
        if self.takes == "points":
            return Line(f"{self.name}_{number:3.2f}", measure(**{self.parameter: number}), self.whole, self.single)
        if number != int(number):
            raise RankgaugeError("bad-cutoff", got=number)
        return Line(f"{self.name}_{int(number)}", measure @ int(number), self.whole, self.single)

    def _numbers(self, listed: str | None) -> tuple[float, ...]:
        return self.listed if listed is None else tuple(parse_number(part, self.name) for part in listed.split(","))

    def _with(self, listed: str | None) -> Measure | None:
        if listed is None or self.measure is None:
            return self.measure
        if self.takes == "gains":
            return _with_gains(self.measure, listed)
        if self.takes == "nothing":
            raise RankgaugeError("bad-notation", form=f"{self.name}, which takes nothing", got=f"{self.name}.{listed}")
        numbers = self._numbers(listed)
        if self.name == "relstring":
            return self.measure @ int(numbers[0])
        if self.name == "set_F":
            return self.measure(beta=math.copysign(math.sqrt(abs(numbers[0])), numbers[0]))  # by β, not by β²
        if self.name == "utility" and len(numbers) != 4:
            raise RankgaugeError("bad-notation", form="utility.hit,noise,miss,rest", got=f"{self.name}.{listed}")
        names = ("hit", "noise", "miss", "rest") if self.name == "utility" else ("points",)
        return self.measure(**dict(zip(names, numbers if self.name == "utility" else [numbers], strict=True)))

    def _required(self) -> Measure:
        if self.measure is None:
            raise RankgaugeError("no-measure")
        return self.measure


def _with_gains(measure: Measure, listed: str) -> Measure:
    """Read `1=3,2=9`, the gains of grades, or `p=0.9`."""
    pairs = [part.partition("=") for part in listed.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise RankgaugeError("bad-notation", form="grade=gain,grade=gain", got=listed)
    parameters = [number.name for number in measure.parameters]
    named = {name: value for name, _, value in pairs if name in parameters}
    rows = tuple(
        (parse_number(grade, "grade"), parse_number(gain, "gain"))
        for grade, _, gain in pairs
        if grade not in parameters
    )
    gains = {"gain": Gain("linear", table=rows)} if rows and "gain" in measure.takes else {}
    return measure(**named, **gains)


_GRADED_RBP: Final = gains.RBP(gain="share", p=0.9)
# In the order in which trec_eval prints them.
FAMILIES: Final[Mapping[str, Family]] = {
    family.name: family
    for family in (
        Family("runid", None, single=False),
        Family("num_q", counted.NUM_Q, whole=True, single=False),
        Family("num_ret", counted.NUM_RET, whole=True),
        Family("num_rel", counted.NUM_REL, whole=True),
        Family("num_rel_ret", counted.NUM_REL_RET, whole=True),
        Family("map", counted.MAP),
        Family("gm_map", counted.GM_MAP, single=False),
        Family("Rprec", counted.R_PRECISION),
        Family("bpref", counted.BPREF),
        Family("recip_rank", counted.MRR),
        Family("iprec_at_recall", counted.IPREC, "points", TENTHS, "recall"),
        Family("P", counted.PRECISION, "cutoffs", CUTOFFS),
        Family("relstring", letters.RELSTRING, "numbers"),
        Family("recall", counted.RECALL, "cutoffs", CUTOFFS),
        Family("infAP", counted.INFAP),
        Family("gm_bpref", counted.GM_BPREF, single=False),
        Family("Rprec_mult", counted.R_PRECISION, "points", tuple(number / 5 for number in range(1, 11)), "times"),
        Family("utility", counted.UTILITY, "numbers"),
        Family("11pt_avg", counted.ELEVEN_POINTS, "numbers"),
        Family("binG", counted.BIN_G),
        Family("G", graded.G, "gains"),
        Family("dcg", gains.DCG, "gains"),
        Family("ideal_dcg", gains.IDCG, "gains"),
        Family("ndcg", gains.NDCG, "gains"),
        Family("ndcg_rel", graded.NDCG_REL, "gains"),
        Family("Rndcg", graded.RNDCG, "gains"),
        Family("ndcg_cut", gains.NDCG, "cutoffs", CUTOFFS),
        Family("map_cut", counted.MAP, "cutoffs", CUTOFFS),
        Family("relative_P", counted.RELATIVE_PRECISION, "cutoffs", CUTOFFS),
        Family("success", counted.SUCCESS, "cutoffs", (1, 5, 10)),
        Family("set_P", counted.PRECISION),
        Family("set_relative_P", counted.RELATIVE_PRECISION),
        Family("set_recall", counted.RECALL),
        Family("set_map", counted.SET_MAP),
        Family("set_F", counted.F, "numbers"),
        Family("num_nonrel_judged_ret", counted.NUM_NONREL_JUDGED_RET, whole=True),
        Family("yaap", counted.YAAP),
        Family("rbp", _GRADED_RBP, "gains"),
        Family("rbp_resid", counted.RBP_RESIDUAL(p=0.9), "gains"),
        Family("unj", counted.UNJUDGED, "cutoffs", (5, 10, 20)),
    )
}
ORDER: Final = {name: position for position, name in enumerate(FAMILIES)}
_TOTALS: Final = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
NICKNAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "official": (*_TOTALS, "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
    "set": (*_TOTALS, "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    "all_trec": tuple(name for name in FAMILIES if name not in ("dcg", "ideal_dcg", "yaap")),
}
# Without a dot, these names mean the measure here without a cutoff; trec_eval would print a list of cutoffs.
OURS: Final = frozenset(("P", "recall", "success", "rbp", "rbp_resid"))
UNDERSCORED: Final = re.compile(r"(?P<name>iprec_at_recall|Rprec_mult)_(?P<point>[\d.]+)")


def expand(text: str) -> list[Line]:
    """Return the lines that trec_eval prints for one of its names; none for other names."""
    if text in NICKNAMES:
        return [line for name in NICKNAMES[text] for line in FAMILIES[name].lines()]
    point = UNDERSCORED.fullmatch(text)
    name, dot, listed = (point["name"], ".", point["point"]) if point else text.partition(".")
    if name not in FAMILIES or (name in OURS and not dot):
        return []
    return FAMILIES[name].lines(listed if dot else None)


def lines(parts: Iterable[str], read_other: Callable[[str], Iterable[Line]]) -> list[Line]:
    """Return the lines that trec_eval prints for these names, in its order; `read_other` reads those it does not know.

    Cutoffs or parameters behind the dot of a name also hold where a nickname includes that name.

    >>> [line.label for line in lines(["ndcg", "map", "P.5", "official"], lambda text: [])][-3:]
    ['iprec_at_recall_1.00', 'P_5', 'ndcg']
    """
    listed: dict[str, str | None] = {}
    others: list[Line] = []
    for part in parts:
        name, dot, behind = part.partition(".")
        if part in NICKNAMES:
            listed = dict.fromkeys(NICKNAMES[part]) | listed
        elif name in FAMILIES:
            listed[name] = listed.get(name) or (behind if dot else None)
        else:
            others += read_other(part)
    all_lines = [line for name, behind in listed.items() for line in FAMILIES[name].lines(behind)] + others
    return sorted(dict.fromkeys(all_lines), key=lambda line: ORDER.get(family_of(line.label), len(ORDER)))


def family_of(label: str) -> str:
    """Return the longest name of trec_eval with which a label begins.

    >>> family_of("ndcg_cut_10"), family_of("ndcg_1=3"), family_of("err@20")
    ('ndcg_cut', 'ndcg', '')
    """
    known = [name for name in FAMILIES if label == name or label.startswith(f"{name}_")]
    return max(known, key=len, default="")
