"""The text form of measures: what users of this and of other tools type, read into measures.

>>> parse("ndcg(gain=table(0=0,1=3,2=9),discount=jarvelin(3))@5")
ndcg(gain=table(0=0,1=3,2=9),discount=jarvelin(3))@5
>>> parse_all("ndcg@5,ndcg@10,P.5,10")
(ndcg@5, ndcg@10, precision@5, precision@10)
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from typing import Any, Final, TypeAlias

from rankgauge.checks import as_whole
from rankgauge.conventions.terms import Gain
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.measures.measure import Measure
from rankgauge.measures.registry import KNOWN
from rankgauge.notation import parse_number, split_call, split_list, split_parameters

# The cutoffs of a measure in a mapping; None is no cutoff.
Cutoffs: TypeAlias = int | Iterable[int | None] | None
MeasuresInput: TypeAlias = str | Measure | Iterable[str | Measure] | Mapping[str | Measure, Cutoffs]
# A cutoff behind a dot or an underscore, as trec_eval and pytrec_eval write it.
WITH_CUTOFF: Final = r"(?P<name>\w+?)[._](?P<k>\d+)"
# A cutoff without a sign before it, as in ndcg10.
RUN_TOGETHER: Final = r"(?P<name>[^\d]*[^\d\s-])[\s-]?(?P<k>\d{1,10})"
# Notation of trec_eval alone: a nickname, parameters after a dot, or a name that stands for a list.
THEIRS: Final = r"official|set|all_trec|[\w]+\..*|(iprec_at_recall|Rprec_mult)(_.*)?|map_cut|ndcg_cut|relative_P|unj"
# Entries that trec_eval separates by commas: numbers, or gains of grades.
LISTED: Final = r"(-?[\w.]+=)?-?[\d.]+"
# ir_measures has a parameter for the gain of NDCG.
IR_MEASURES_DCG: Final = {"log2": "linear", "exp-log2": "exp2"}
# Measures of ir_measures that are not here; a near name would be another measure.
IR_MEASURES_ALONE: Final = ("NERR8", "NERR9", "NERR10", "NERR11", "Accuracy")
# ranx writes persistence behind a dot, and has names of its own for exponential gain.
RANX_RBP: Final = r"rbp(\.\d+)"
RANX_BURGES: Final = r"(n?dcg)_burges(@.*)?"
# ranx writes the relevance level behind a measure.
RANX_LEVEL: Final = r"(?P<measure>.+)-l(?P<level>\d{1,3})"
# The names of parameters in other tools.
CALLED: Final = {"T": "t", "max_rel": "gain", "rel": "gain", "normalize": "normalised"}
TRUTH: Final = {"true": "1", "false": "0"}


def parse(text: str | Measure) -> Measure:
    """Read the text form: a name, parameters in parentheses, and a cutoff.

    Parameters:
        text: a measure by its name here, in trec_eval, ir_measures or another tool; a measure is returned as it is.

    >>> parse("ndcg_cut_10"), parse("nDCG(dcg='exp-log2')@10"), parse("IPrec@0.1"), parse("RBP(p=0.9,rel=2)")
    (ndcg@10, ndcg(gain=exp2)@10, iprec(recall=0.1), rbp(rel=2,p=0.9))
    >>> parse("map-l2"), parse("nDCG(gains={1: 3, 2: 9}, cutoff=10)"), parse("P(judged_only=True)@5")
    (map(rel=2), ndcg(gain=linear(1=3,2=9))@10, precision(judged_only=true)@5)
    >>> parse("ndgc@10")
    Traceback (most recent call last):
        ...
    rankgauge.errors.RankgaugeError: expected a measure (ndcg, ...), got 'ndgc'. Hint: did you mean 'ndcg'? ...

    """
    text = _as_text(text)
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str):
        raise _unknown(repr(text))
    several = _expand(text.strip())
    if len(several) != 1:
        raise RankgaugeError("several-measures", got=text.strip(), count=len(several))
    return several[0]


def _as_text(measure: Any) -> Any:  # noqa: ANN401 - whatever was given for a measure
    """Return the printed form of a measure of the library ir_measures; anything else unchanged."""
    return str(measure) if type(measure).__module__.startswith("ir_measures.") else measure


def listed(measures: MeasuresInput) -> tuple[str | Measure, ...]:
    """Return one measure or several as a tuple: of a list, a mapping of name to cutoffs, or anything iterable.

    >>> listed({"ndcg": [5, 10], "map": None, "P": 3})
    ('ndcg@5', 'ndcg@10', 'map', 'P@3')
    >>> listed({"ndcg@5", "map"})
    ('map', 'ndcg@5')
    """
    several = _as_text(measures)
    if getattr(several, "ndim", None) == 0:  # an array of one text
        several = several.item()
    if isinstance(several, str) or not isinstance(several, Iterable):
        return (several,)
    if isinstance(several, Mapping):
        return tuple(cut for name, cutoffs in several.items() for cut in _with_cutoffs(_as_text(name), cutoffs))
    # A set has no order of its own: that of the texts is the same in every process.
    return tuple(map(_as_text, sorted(several, key=str) if isinstance(several, Set) else several))


def _with_cutoffs(name: Any, cutoffs: Any) -> Iterator[str | Measure]:  # noqa: ANN401 - whatever was given
    """Return a measure, or each of those that a text lists, with each of its cutoffs."""
    if not isinstance(name, str | Measure):
        raise _unknown(repr(name))
    is_list = isinstance(cutoffs, Iterable) and not isinstance(cutoffs, str | bytes | Mapping)
    several = list(cutoffs) if is_list else [cutoffs]
    for measure in split_request(name) if isinstance(name, str) else [name]:
        has_cutoff = "@" in measure if isinstance(measure, str) else measure.k is not None
        if not several or (has_cutoff and several != [None]):
            raise RankgaugeError("bad-cutoff", got=f"{cutoffs!r} for {name}")
        for k in several:
            whole = as_whole(k)
            if k is not None and whole is None:
                raise RankgaugeError("bad-cutoff", got=f"{k!r} for {name}")
            yield measure if whole is None else f"{measure}@{whole}" if isinstance(measure, str) else measure @ whole


def parse_all(measures: MeasuresInput) -> tuple[Measure, ...]:
    """Read one measure or several, each once, in the order given.

    Parameters:
        measures: texts or measures, one text that lists several with commas, or a mapping such as `{"ndcg": [5, 10]}`.

    >>> parse_all(["ndcg@5,ndcg@10", "dcg", "nDCG@5", "success"])
    (ndcg@5, ndcg@10, dcg, success)
    >>> parse_all("set")[:4]
    (num_q, num_ret, num_rel, num_rel_ret)

    """
    return tuple(parse_labelled(measures))


def parse_labelled(measures: MeasuresInput) -> dict[Measure, str]:
    """Read measures as `parse_all` does, each with the text that asked for it first.

    A text that stands for several measures is no label of any: those have their own names.

    >>> parse_labelled("P@10,NDCG@5,precision@10,set_P")
    {precision@10: 'P@10', ndcg@5: 'NDCG@5', precision: 'set_P'}
    """
    labelled: dict[Measure, str] = {}
    for request in listed(measures):
        parts = split_request(request) if isinstance(request, str) else [request]
        for part in parts:
            read = _expand(part) if isinstance(part, str) else [parse(part)]
            for measure in read:
                labelled.setdefault(measure, part if isinstance(part, str) and len(read) == 1 else str(measure))
    if not labelled:
        raise RankgaugeError("no-measure")
    return labelled


def split_request(request: str) -> list[str]:
    """Split a text at the commas between measures; what trec_eval lists behind a dot stays together.

    >>> split_request("utility.1,-1,0,0"), split_request("P.5,10,ndcg_cut.5")
    (['utility.1,-1,0,0'], ['P.5,10', 'ndcg_cut.5'])
    >>> split_request("ndcg@5,10")
    ['ndcg@5', 'ndcg@10']
    """
    parts: list[str] = []
    for part in split_list(request, "measure,measure") if request.strip() else ():
        if parts and re.fullmatch(LISTED, part) and re.fullmatch(THEIRS, parts[-1]):
            parts[-1] += f",{part}"
        elif parts and part.isdecimal() and "@" in parts[-1]:
            parts.append(f"{parts[-1].rpartition('@')[0]}@{part}")
        else:
            parts.append(part)
    return parts


def _expand(text: str) -> list[Measure]:
    """Return the measures that one name stands for: several for lists of trec_eval, otherwise one."""
    name, _, cutoff = text.partition("@")
    if name.isalpha() and cutoff.isdecimal():  # the plain form, which needs no notation of other tools
        return [_read(text)]
    at_level = re.fullmatch(RANX_LEVEL, text)
    if at_level:
        return [_at_level(measure, int(at_level["level"]), text) for measure in _expand(at_level["measure"])]
    text = _from_ranx(text)
    if re.fullmatch(THEIRS, text):
        from rankgauge.measures import trec  # imported late: rarely needed

        lines = trec.expand(text)
        if lines:
            return [line.measure for line in lines if line.measure is not None]
    if text.lower().startswith("residual(") and text.endswith(")"):
        inner = parse(text[len("residual(") : -1])
        return [inner(residual="low"), inner(residual="high")]
    cut = re.fullmatch(WITH_CUTOFF, text)
    if cut and cut["name"].lower() in KNOWN and text.lower() not in KNOWN:
        return [KNOWN[cut["name"].lower()] @ _cutoff(cut["k"])]
    return [_read(text)]


def _from_ranx(text: str) -> str:
    """Translate notation of ranx into the text form used here.

    >>> _from_ranx("rbp.95"), _from_ranx("ndcg_burges@10"), _from_ranx("rbp.p=0.8")
    ('rbp(p=0.95)', 'ndcg(gain=exp2)@10', 'rbp.p=0.8')
    """
    persistence, burges = re.fullmatch(RANX_RBP, text), re.fullmatch(RANX_BURGES, text)
    if persistence:
        return f"rbp(p=0{persistence[1]})"
    return f"{burges[1]}(gain=exp2){burges[2] or ''}" if burges else text


def _at_level(measure: Measure, level: int, text: str) -> Measure:
    """Return the measure at a relevance level of ranx, which makes lower grades 0 where grades are gains."""
    if "gain" not in measure.takes:
        return measure(rel=level)
    if measure.shown("gain") is not None:
        raise RankgaugeError("bad-notation", form="a level behind a measure whose gain is the grade", got=text)
    lower = tuple((float(grade), 0.0) for grade in range(1, level))
    return measure(gain=Gain("linear", table=lower)) if lower else measure


def _read(text: str) -> Measure:
    call, sign, cutoff = text.rpartition("@")
    if not sign or ")" in cutoff:
        call, sign, cutoff = text, "", ""
    name, arguments = split_call(call, "name(parameter=value,…)@k")
    if name.lower() not in KNOWN:
        raise _unknown(name, several=_are_several(text))
    declared, parameters = _declared(name.lower(), arguments), split_parameters(arguments)
    if "cutoff" in parameters and sign:
        raise RankgaugeError("repeated-parameter", got="cutoff")
    cutoff = parameters.pop("cutoff", cutoff)
    is_judged_only = TRUTH.get(parameters.get("judged_only", "").lower()) == "1"
    if is_judged_only:
        del parameters["judged_only"]
    measure = replace(declared(**_as_ours(name.lower(), declared, parameters)), judged_only=is_judged_only)
    if not sign and not cutoff:
        return measure
    # ir_measures writes the recall of IPrec as a cutoff.
    return measure(recall=cutoff) if measure.name == "iprec" else measure @ _cutoff(cutoff)


def _declared(name: str, arguments: list[str]) -> Measure:
    """Return the measure of a name; with some parameters, names of ir_measures stand for another measure."""
    texts = [argument.replace(" ", "").lower() for argument in arguments]
    if name == "numret" and any(text.startswith("rel=") for text in texts):
        return KNOWN["num_rel_ret"]
    if name == "setp" and "relative=true" in texts:
        return KNOWN["relative_precision"]
    return KNOWN[name]


def _as_ours(name: str, measure: Measure, parameters: Mapping[str, str]) -> dict[str, str]:
    """Return the parameters under our names, without the quotes that ir_measures has."""
    plain = {parameter: value.strip("'\"") for parameter, value in parameters.items()}
    if name == "setp":
        plain.pop("relative", None)
    if name == "setf" and "beta" in plain:
        weight = parse_number(plain["beta"], "beta")
        plain["beta"] = repr(math.copysign(math.sqrt(abs(weight)), weight))  # it weighs by β, not by β²
    if plain.get("judged_only", "").lower() == "false":
        del plain["judged_only"]
    if plain.get("min_rel") == "0":
        del plain["min_rel"]
    if plain.get("dcg") in IR_MEASURES_DCG:
        plain["gain"] = IR_MEASURES_DCG[plain.pop("dcg")]
    if "gains" in plain:
        if plain.get("gain", "linear") != "linear":
            raise RankgaugeError("repeated-parameter", got="gain")
        plain["gain"] = _gain_of(plain.pop("gains"))
    renamed = {}
    for parameter, value in plain.items():
        known = parameter in measure.takes
        ours = parameter if known else CALLED.get(parameter, parameter)
        term = {"rel": f"binary({value})", "max_rel": f"share({value})"}.get(parameter, value)
        renamed[ours] = TRUTH.get(value.lower(), value) if known or ours != "gain" else term
    return renamed


def _gain_of(mapping: str) -> str:
    """Return the gain that ir_measures writes as a mapping: grades that it lacks keep their gain.

    >>> _gain_of("{0: 0, 1: 5}")
    'linear(0=0,1=5)'
    """
    if not (mapping.startswith("{") and mapping.endswith("}")):
        raise RankgaugeError("bad-notation", form="gains={grade:gain,…}", got=mapping)
    return f"linear({mapping[1:-1].replace(' ', '').replace(':', '=')})"


def _cutoff(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 20:
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise RankgaugeError("bad-cutoff", got=shown or "nothing")
    return int(text)


def _are_several(text: str) -> bool:
    """Whether names of measures are separated by what separates none.

    >>> _are_several("ndcg@5 recall@5"), _are_several("map; mrr"), _are_several("precision at 5")
    (True, True, False)
    """
    names = [re.split(r"[@(.]", word.lower())[0] for word in re.split(r"[\s;|+]+", text.strip())]
    return len(names) > 1 and all(name in KNOWN for name in names)


def _unknown(name: str, *, several: bool = False) -> RankgaugeError:
    some = "ndcg, map, mrr, precision, recall, … `rankgauge measures` lists all"
    cut = re.fullmatch(RUN_TOGETHER, name.lower())
    meant = f"did you mean '{cut['name']}@{cut['k']}'? " if cut and cut["name"] in KNOWN else ""
    near = meant or nearest(name.lower(), KNOWN)
    if name in IR_MEASURES_ALONE:
        near = f"{name} of ir_measures is not here, and no other measure is the same; "
    return RankgaugeError("unknown-measure", known=some, got=name, nearest=near, several=several)


def for_documents(measures: Iterable[Measure], documents: float | None) -> tuple[Measure, ...]:
    """Return the measures, with the size of the collection set in those that take it.

    >>> for_documents(parse_all("utility,ndcg@10"), 1000)
    (utility(documents=1000), ndcg@10)
    """
    asks = documents is not None
    return tuple(
        measure(documents=documents) if asks and "documents" in measure.takes else measure for measure in measures
    )
