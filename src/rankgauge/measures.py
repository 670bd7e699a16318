r"""Measures: what is computed, as data with a text form.

A measure here is a sum of gain times discount over ranks, of the actual or of the ideal ranking, or their ratio.
To add one, add a literal below: the command line, the help, the docs and the tests find it.

>>> parse("ndcg(gain=exp2)@10")
ndcg(gain=exp2)@10
>>> NDCG @ 10 == parse("NDCG@10")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from rankgauge.conventions import Convention
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.notation import as_whole, split_call, split_list, split_parameters
from rankgauge.terms import TERMS, Discount, Gain, Ideal

MOST_PERFECT_POSITIONS: Final = 1_000_000


@dataclass(frozen=True, slots=True, repr=False)
class Measure:
    """A sum of gain times discount over ranks, with an optional cutoff and optional terms of its own.

    `sums` says which ranking is summed, `discounted` whether ranks are discounted, and `normalised` whether the sum
    is divided by that of the ideal. The terms are the convention's unless given: `NDCG(gain="exp2") @ 10`.

    >>> NDCG(discount="reciprocal") @ 5
    ndcg(discount=reciprocal)@5
    """

    name: str
    sums: Literal["ranked", "ideal"]
    discounted: bool
    normalised: bool
    title: str
    formula: str
    cite: str
    trec_name: str = ""
    k: int | None = None
    gain: Gain | None = None
    discount: Discount | None = None
    ideal: Ideal | None = None

    def __post_init__(self) -> None:
        if self.k is None:
            return
        k = as_whole(self.k)
        if k is None or not 0 < k < 2**31:
            raise RankgaugeError("bad-cutoff", got=self.k)
        object.__setattr__(self, "k", k)  # an int, also where it came as one of NumPy's

    def __matmul__(self, k: int) -> Measure:
        return replace(self, k=k)

    def __call__(self, **parameters: str | Gain | Discount | Ideal) -> Measure:
        """Return the measure with terms of its own, as values or in their text form."""
        terms: dict[str, Any] = {name: self._parse_term(name, value) for name, value in parameters.items()}
        return replace(self, **terms)

    def __str__(self) -> str:
        given = [(name, getattr(self, name)) for name in TERMS]
        parameters = ",".join(f"{name}={value}" for name, value in given if value is not None)
        cutoff = f"@{self.k}" if self.k is not None else ""
        return f"{self.name}({parameters}){cutoff}" if parameters else f"{self.name}{cutoff}"

    __repr__ = __str__

    @property
    def parameters(self) -> list[str]:
        """The terms that the measure has: no discount where ranks are not discounted, no ideal where none is summed."""
        has_ideal = self.normalised or self.sums == "ideal"
        return [name for name, has in (("gain", True), ("discount", self.discounted), ("ideal", has_ideal)) if has]

    def _parse_term(self, name: str, value: str | Gain | Discount | Ideal) -> Gain | Discount | Ideal:
        if name not in self.parameters:
            raise RankgaugeError(
                "unknown-parameter",
                owner=self.name,
                known=", ".join(self.parameters),
                got=name,
                nearest=nearest(name, self.parameters),
                example=f"{self.name}(gain=exp2)@10",
            )
        if not isinstance(value, str | TERMS[name]):
            raise RankgaugeError(
                "bad-number", field=name, expected="a term or its text", got=value, hint="such as 'exp2'"
            )
        return TERMS[name].parse(value) if isinstance(value, str) else value

    def under(self, convention: Convention) -> Measure:
        """Return the measure with every term given: its own, or the convention's."""
        ideal = self.ideal or convention.ideal
        k = self.k or convention.default_cutoff
        if ideal.kind == "perfect" and isinstance(k, int) and k > MOST_PERFECT_POSITIONS:
            expected = f"at most {MOST_PERFECT_POSITIONS:,} perfect positions"
            raise RankgaugeError("bad-number", field="k", expected=expected, got=k, hint="each of them is summed")
        return replace(
            self,
            gain=self.gain or convention.gain,
            discount=self.discount or convention.discount,
            ideal=ideal,
        )


CG: Final = Measure(
    name="cg",
    sums="ranked",
    discounted=False,
    normalised=False,
    title="Cumulative gain",
    formula="CG@k = Σ_{i≤k} gain_i",
    cite="Järvelin & Kekäläinen 2000, SIGIR",
)

DCG: Final = Measure(
    name="dcg",
    sums="ranked",
    discounted=True,
    normalised=False,
    title="Discounted cumulative gain",
    formula="DCG@k = Σ_{i≤k} gain_i · discount_i",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
)

IDCG: Final = Measure(
    name="idcg",
    sums="ideal",
    discounted=True,
    normalised=False,
    title="Ideal discounted cumulative gain",
    formula="IDCG@k = Σ_{i≤k} ideal gain_i · discount_i",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
)

NDCG: Final = Measure(
    name="ndcg",
    sums="ranked",
    discounted=True,
    normalised=True,
    title="Normalised discounted cumulative gain",
    formula="NDCG@k = DCG@k / IDCG@k",
    cite="Järvelin & Kekäläinen 2002, ACM TOIS 20(4)",
    trec_name="ndcg_cut",
)

NAMED: Final[Mapping[str, Measure]] = {
    value.name: value for value in list(globals().values()) if isinstance(value, Measure)
}


def parse(text: str | Measure) -> Measure:
    """Read the text form: a name, terms in parentheses, and a cutoff.

    >>> parse("ndcg(gain=table(0=0,1=3,2=9),discount=jarvelin(3))@5")
    ndcg(gain=table(0=0,1=3,2=9),discount=jarvelin(3))@5
    >>> parse("ndcg_cut_10")
    ndcg@10
    >>> parse("ndgc@10")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: expected a measure (cg, ...), got 'ndgc'. Hint: did you mean 'ndcg'? ...
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise _unknown(repr(text))
    call, at, cutoff = _from_trec_name(text.strip()).rpartition("@")
    if not at or ")" in cutoff:
        call, at, cutoff = text, "", ""
    name, arguments = split_call(call, "name(parameter=value,…)@k")
    if name.lower() not in NAMED:
        raise _unknown(name)
    measure = NAMED[name.lower()](**split_parameters(arguments))
    return measure @ _parse_cutoff(cutoff) if at else measure


def _from_trec_name(text: str) -> str:
    """Return `ndcg@10` for trec_eval's `ndcg_cut_10` and `ndcg_cut.10`, and other texts as they are."""
    for measure in NAMED.values():
        cutoff = text.removeprefix(measure.trec_name)[1:]
        if measure.trec_name and text in (f"{measure.trec_name}_{cutoff}", f"{measure.trec_name}.{cutoff}"):
            return f"{measure.name}@{cutoff}"
    return text


def parse_all(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Read one measure or several, each once, in the order given; a text may list several with commas.

    >>> parse_all(["ndcg@5,ndcg@10", "dcg", "nDCG@5"])
    (ndcg@5, ndcg@10, dcg)
    """
    requests = list(measures) if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
    texts = [part for request in requests for part in _split_request(request)]
    if not texts:
        raise RankgaugeError("no-measure")
    return tuple(dict.fromkeys(map(parse, texts)))


def _split_request(request: str | Measure) -> list[str | Measure]:
    if not isinstance(request, str):
        return [request]
    return [*split_list(request, "measure,measure")] if request.strip() else []


def _parse_cutoff(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 20:
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise RankgaugeError("bad-cutoff", got=shown or "nothing")
    return int(text)


def _unknown(name: str) -> RankgaugeError:
    return RankgaugeError("unknown-measure", known=", ".join(NAMED), got=name, nearest=nearest(name, NAMED))
