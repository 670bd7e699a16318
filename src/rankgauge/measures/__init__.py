r"""Measures: what is computed, as data with a text form.

To add one, add a literal to `gains.py` or `counted.py`: the command line, the help, the docs and the tests find it.
What users of other tools type is understood, and one form is printed.

>>> parse("ndcg(gain=exp2)@10")
ndcg(gain=exp2)@10
>>> NDCG @ 10 == parse("NDCG@10") == parse("ndcg_cut.10")
True
>>> parse("P_5"), parse("recip_rank"), parse("AP(rel=2)@100")
(precision@5, mrr, map(rel=2)@100)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures.counted import (
    BPREF,
    JUDGED,
    MAP,
    MRR,
    PRECISION,
    R_PRECISION,
    RBP,
    RECALL,
    SUCCESS,
    Counted,
    F,
)
from rankgauge.measures.gains import CG, DCG, IDCG, NDCG, Gains
from rankgauge.measures.measure import Measure
from rankgauge.notation import split_call, split_list, split_parameters

ALL: Final = (CG, DCG, IDCG, NDCG, PRECISION, RECALL, F, SUCCESS, MRR, MAP, R_PRECISION, BPREF, JUDGED, RBP)
NAMED: Final[Mapping[str, Measure]] = {measure.name: measure for measure in ALL}
# Every name in lower case, those of other tools too.
KNOWN: Final = {name: measure for measure in ALL for name in (measure.name, *measure.aliases)}
# With a cutoff, trec_eval has other names, and writes it behind a dot or an underscore.
WITH_CUTOFF: Final = KNOWN | {measure.trec_cut_name.lower(): measure for measure in ALL if measure.trec_cut_name}
TREC_FORM: Final = re.compile(r"(?P<name>\w+?)[._](?P<k>\d+)")
# ir_measures has a parameter for the gain of NDCG.
IR_MEASURES_DCG: Final = {"log2": "linear", "exp-log2": "exp2"}


def parse(text: str | Measure) -> Measure:
    """Read the text form: a name, parameters in parentheses, and a cutoff.

    >>> parse("ndcg(gain=table(0=0,1=3,2=9),discount=jarvelin(3))@5")
    ndcg(gain=table(0=0,1=3,2=9),discount=jarvelin(3))@5
    >>> parse("ndcg_cut_10"), parse("nDCG(dcg='exp-log2')@10")
    (ndcg@10, ndcg(gain=exp2)@10)
    >>> parse("ndgc@10")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: expected a measure (cg, ...), got 'ndgc'. Hint: did you mean 'ndcg'? ...
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise _unknown(repr(text))
    written = text.strip()
    trec = TREC_FORM.fullmatch(written)
    if trec and trec["name"].lower() in WITH_CUTOFF:
        return WITH_CUTOFF[trec["name"].lower()] @ _parse_cutoff(trec["k"])
    call, at, cutoff = written.rpartition("@")
    if not at or ")" in cutoff:
        call, at, cutoff = written, "", ""
    name, arguments = split_call(call, "name(parameter=value,…)@k")
    if name.lower() not in KNOWN:
        raise _unknown(name)
    measure = KNOWN[name.lower()](**_as_ours(split_parameters(arguments)))
    return measure @ _parse_cutoff(cutoff) if at else measure


def _as_ours(parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters under our names, without the quotes that ir_measures has."""
    plain = {name: value.strip("'\"") for name, value in parameters.items()}
    if plain.get("dcg") in IR_MEASURES_DCG:
        plain["gain"] = IR_MEASURES_DCG[plain.pop("dcg")]
    return plain


def parse_all(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Read one measure or several, each once, in the order given; a text may list several with commas.

    >>> parse_all(["ndcg@5,ndcg@10", "dcg", "nDCG@5", "P.5,10"])
    (ndcg@5, ndcg@10, dcg, precision@5, precision@10)
    """
    requests = list(measures) if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
    texts = [part for request in requests for part in _split_request(request)]
    if not texts:
        raise RankgaugeError("no-measure")
    return tuple(dict.fromkeys(map(parse, texts)))


def _split_request(request: str | Measure) -> list[str | Measure]:
    if not isinstance(request, str):
        return [request]
    parts: list[str | Measure] = []
    for part in split_list(request, "measure,measure") if request.strip() else ():
        # trec_eval lists cutoffs behind the name: P.5,10
        before = TREC_FORM.fullmatch(str(parts[-1]).strip()) if parts and part.strip().isdecimal() else None
        parts.append(f"{before['name']}.{part.strip()}" if before else part)
    return parts


def _parse_cutoff(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 20:
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise RankgaugeError("bad-cutoff", got=shown or "nothing")
    return int(text)


def _unknown(name: str) -> RankgaugeError:
    return RankgaugeError("unknown-measure", known=", ".join(NAMED), got=name, nearest=nearest(name.lower(), KNOWN))


__all__ = [
    "BPREF",
    "CG",
    "DCG",
    "IDCG",
    "JUDGED",
    "KNOWN",
    "MAP",
    "MRR",
    "NAMED",
    "NDCG",
    "PRECISION",
    "RBP",
    "RECALL",
    "R_PRECISION",
    "SUCCESS",
    "Counted",
    "F",
    "Gains",
    "Measure",
    "parse",
    "parse_all",
]
