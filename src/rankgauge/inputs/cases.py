"""Cases: truths beside recommendations in lists, one list alone, or a file of them → two mappings by position.

An array in two dimensions, such as the indices of `topk`, is a list with a case per row.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from numbers import Number
from typing import Any, Final, Literal, TypeAlias

from rankgauge.errors import RankgaugeError
from rankgauge.inputs import roles, swapped_dicts
from rankgauge.inputs.input_pair import InputFile, InputPair, Source, may_have_cases
from rankgauge.inputs.roles import Side
from rankgauge.inputs.spark_frames import is_spark, without_pandas_api
from rankgauge.languages import Text
from rankgauge.notation import counted
from rankgauge.remarks import Remark

# What a case calls its two parts, where it holds both.
TRUTH: Final = (
    *("truth", "ground_truth", "relevant_items", "relevant", "actual", "actual_set", "judgments", "qrels", "y_true"),
    *("정답", "정답_목록", "관련_아이템"),
)
RANKED: Final = (
    *("recommendations", "recommended", "recommend_result", "recommended_items", "predict_list", "predictions"),
    *("predicted", "pred", "y_pred", "retrieved", "ranking", "ranked"),
    *("추천", "추천_목록", "추천_결과", "예측", "예측_목록"),
)
_TRUTH: Final = frozenset(map(roles.key, TRUTH))
_RANKED: Final = frozenset(map(roles.key, RANKED))
# The id of a list that stands alone.
ALONE: Final = "list"

Kind: TypeAlias = Literal["nothing", "grades", "ids", "truth", "cases", "whole case", "whole cases", "rows", "other"]
# What may be the items of one list, in ranked order.
_LISTS: Final = ("nothing", "grades", "ids")
MOST_SHOWN: Final = 5


def paired(judgments: Source, ranking: Source = None, *, rows: bool = False) -> InputPair:
    """Return both sides; `rows` says that a list of dicts is a table, as one whose columns are named must be.

    >>> paired([{"A": 1}, {"B": 2}], [["A"], ["C", "B"]])[:2]
    ({'0': {'A': 1}, '1': {'B': 2}}, {'0': ['A'], '1': ['C', 'B']})
    >>> paired([{"truth": {"A": 1}, "recommendations": ["B", "A"]}])[:2]
    ({'0': {'A': 1}}, {'0': ['B', 'A']})
    >>> paired([2, 3, 0])[:2]
    ({'list': {1: 2, 2: 3, 3: 0}}, {'list': [1, 2, 3]})
    >>> paired(["C", "A"], {"A": 1, "C": 3})[:2] == paired({"A": 1, "C": 3}, ["C", "A"])[:2]
    True
    """
    _refuse_labels(judgments)
    judgments, ranking = _opened(judgments, "judgments", rows=rows), _opened(ranking, "ranking", rows=rows)
    if ranking is None:
        return _alone(judgments, rows=rows)
    return _both(judgments, ranking, rows=rows)


def side(source: Source, name: Side, *, rows: bool = False) -> Source:
    """Return one side: cases as a mapping by position, anything else unchanged.

    >>> side([["A"], ["C", "B"]], "ranking")
    {'0': ['A'], '1': ['C', 'B']}
    """
    source = _opened(source, name, rows=rows)
    return _by_position(source) if kind_of(source, rows=rows) == "cases" else source


def parts_of(case: Source) -> tuple[Source, Source] | None:
    """Return the truth and the recommendations of a case that holds both.

    >>> parts_of({"predict_list": ["B", "A"], "ground_truth": {"A": 1}})
    ({'A': 1}, ['B', 'A'])
    >>> parts_of({"A": 1}) is None
    True
    """
    if not isinstance(case, Mapping):
        return None
    truth, ranked = (
        [value for key, value in case.items() if roles.key(_name(key)) in names and _is_nested(value)]
        for names in (_TRUTH, _RANKED)
    )
    return (truth[0], ranked[0]) if len(truth) == len(ranked) == 1 else None


def _name(key: object) -> str:
    """A key as the name of a column may be written; a number, which may have any digits, is none."""
    return "" if isinstance(key, int | float) else str(key)


def is_part(key: str) -> bool:
    """Whether a case has its truth or its recommendations under this key.

    >>> is_part("ground_truth"), is_part("Recommend-Result"), is_part("q1")
    (True, True, False)
    """
    return roles.key(key) in _TRUTH | _RANKED


def kind_of(source: Source, *, rows: bool = False) -> Kind:
    """Return what a list, a mapping or a set is; `rows` says that a list of dicts is a table.

    >>> [kind_of(each) for each in ([3, 2], ["A", "B"], {"A": 1}, {3, 4}, [["A"], ["B"]], {"q1": {"A": 1}})]
    ['grades', 'ids', 'truth', 'truth', 'cases', 'other']
    >>> kind_of([{"user": "ann", "item": "tea", "rating": 3}])
    'rows'
    """
    if isinstance(source, Set):
        return "truth"
    if isinstance(source, Mapping):
        flat = all(isinstance(value, Number) for value in source.values())
        return "whole case" if parts_of(source) else "truth" if flat else "other"
    is_list = isinstance(source, list | tuple) and not hasattr(source, "_fields")  # a file is a named tuple
    return _kind_of_list(source, rows=rows) if is_list else "other"


def _kind_of_list(source: Sequence[Any], *, rows: bool) -> Kind:
    if not source:
        return "nothing"
    nested = [_is_nested(each) for each in source]
    deep = next((each for each in source if getattr(each, "ndim", 0) > 1), None)
    if deep is not None:
        raise RankgaugeError("mixed-cases", got=f"an array of the shape {tuple(deep.shape)}")
    if not any(nested):
        return "grades" if all(isinstance(each, Number) for each in source) else "ids"
    if not all(nested):
        raise RankgaugeError("mixed-cases", got=repr(source[nested.index(False)]))
    if not all(isinstance(each, Mapping) for each in source):
        return "cases"
    if all(map(parts_of, source)):
        return "whole cases"
    return "rows" if rows or _are_rows(source) else "cases"


def _are_rows(dicts: Sequence[Mapping[Any, Any]]) -> bool:
    """Whether the dicts are rows of a table; with some of the columns that it needs, but not all, it is left open."""
    roles_by_row = [{roles.known_role(_name(key)) for key in row} - {None} for row in dicts]
    if all({"query", "item"} <= row_roles for row_roles in roles_by_row):
        return True
    if any(roles_by_row):
        odd = next(row for row, row_roles in zip(dicts, roles_by_row, strict=True) if row_roles)
        raise RankgaugeError("rows-or-cases", got=", ".join(map(repr, list(odd)[:MOST_SHOWN])))
    return False


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping | Set | list | tuple) or getattr(value, "ndim", 0) == 1


def _opened(source: Source, side: Side, *, rows: bool) -> Source:
    """What a file of cases holds, an object of another library, or the items of an array in one dimension."""
    source = without_pandas_api(source)
    if type(source) is dict or is_spark(source):
        return source
    if not isinstance(source, str | InputFile):
        from rankgauge.inputs import library_objects, table_failures  # imported late: files do not need them

        with table_failures.worded_failures(source, side):
            source = library_objects.plain_input(source, side, named=rows)
    if isinstance(source, str | os.PathLike | InputFile):
        return _opened_file(source, rows=rows)
    if _is_matrix(source):
        dtype = str(source.dtype)
        if any(kind in dtype for kind in ("float", "bool", "complex")):
            raise RankgaugeError("not-ids", got=f"an array of {dtype}")
        return source.tolist()
    return _listed(source) if getattr(source, "ndim", 0) == 1 else source


def _is_matrix(source: Source) -> bool:
    """Whether this is an array in two dimensions; a table has no list of its rows."""
    if is_spark(source) or not hasattr(type(source), "tolist"):  # a relation that fails does so when it is asked
        return False
    return getattr(source, "ndim", 0) == 2 and hasattr(source, "dtype")


def _refuse_labels(judgments: Source) -> None:
    """Raise for a matrix with the label of every item, which is no matrix of the relevant items."""
    for row in judgments.tolist() if _is_matrix(judgments) else ():
        if len(set(row)) < len(row):
            shown = f"{row[:MOST_SHOWN]}".replace("]", ", …]") if len(row) > MOST_SHOWN else f"{row}"
            raise RankgaugeError("not-ids", got=f"{shown}, which repeats some")


def _opened_file(source: str | os.PathLike[str] | InputFile, *, rows: bool) -> Source:
    """The cases in a JSON file; any other file as an `InputFile`, since standard input can be read only once."""
    from rankgauge.inputs import file_sets  # imported late: what is in memory does not need it

    file = file_sets.locate(source)
    if may_have_cases(file, rows=rows):
        from rankgauge.inputs import case_files

        if case_files.has_cases(file):
            return case_files.values(file)
    return file


def _alone(source: Source, *, rows: bool) -> InputPair:
    kind = kind_of(source, rows=rows)
    if kind == "nothing":
        raise RankgaugeError("no-rows")
    if kind == "grades":
        grades = dict(enumerate(source, start=1))
        return _one_list(grades, list(grades))
    if kind == "whole case" and _id_of(source) is None:
        return _one_list(*(parts_of(source) or ()))
    if kind in ("whole case", "whole cases"):
        source = [source] if kind == "whole case" else source
        truths, ranked = zip(*filter(None, map(parts_of, source)), strict=True)
        return _with_ids(_cases(truths, ranked), [_id_of(case) for case in source])
    _require_there(source)
    _require_both_parts(source)
    raise RankgaugeError("no-ranking", got=_described(source))


def _both(judgments: Source, ranking: Source, *, rows: bool) -> InputPair:
    kinds = kind_of(judgments, rows=rows), kind_of(ranking, rows=rows)
    if all(kind in ("cases", "nothing") for kind in kinds):
        if _are_swapped(judgments, ranking):
            raise RankgaugeError("swapped-cases")
        return _cases(judgments, ranking)
    if kinds[0] == "truth" and kinds[1] in _LISTS:
        return _one_list(judgments, ranking)
    if kinds[1] == "truth" and kinds[0] in _LISTS:
        return _one_list(ranking, judgments)
    _require_one_table_each(judgments, ranking, kinds)
    got = f"{_described(judgments)} and {_described(ranking)}"
    if kinds == ("truth", "truth") and not (judgments and ranking):
        return InputPair(judgments, ranking)  # mappings without a query, which their reader refuses
    if all(kind == "truth" or kind in _LISTS for kind in kinds):
        raise RankgaugeError("which-is-truth", got=got)
    if "cases" in kinds and any(kind in _LISTS for kind in kinds):
        flat = ranking if kinds[0] == "cases" else judgments
        raise RankgaugeError("mixed-cases", got=repr(flat[0]))
    if any(kind not in ("rows", "truth", "other") for kind in kinds):
        raise RankgaugeError("one-sided-cases", got=got)
    return InputPair(judgments, ranking, remarks=tuple(swapped_dicts.remarks(judgments, ranking)))


def _require_one_table_each(judgments: Source, ranking: Source, kinds: tuple[Kind, Kind]) -> None:
    """Raise if a side is a list of files, or has nothing beside a table or queries."""
    for side, name, kind, other in (
        (judgments, "judgments", kinds[0], kinds[1]),
        (ranking, "ranking", kinds[1], kinds[0]),
    ):
        if kind == "ids" and all(isinstance(each, str | os.PathLike) and os.path.isfile(each) for each in side):  # noqa: PTH113
            raise RankgaugeError("several-files", files=counted(len(side), "file"))
        if kind == "nothing" and other in ("other", "rows"):
            raise RankgaugeError("nothing-given", side=name)


def _are_swapped(judgments: Sequence[Any], ranking: Sequence[Any]) -> bool:
    """Whether a truth is a list and its ranking a mapping: more often the two were taken for each other."""
    pairs = zip(judgments, ranking, strict=False)
    return any(isinstance(truth, list | tuple) and isinstance(ranked, Mapping) for truth, ranked in pairs)


def _cases(truths: Sequence[Any], ranked: Sequence[Any]) -> InputPair:
    if len(truths) != len(ranked):
        raise RankgaugeError("cases-differ", truths=len(truths), ranked=len(ranked))
    remark = Remark.of("cases", Text("known by their positions, counted from 0"))
    return InputPair(_by_position(truths), _by_position(ranked), plain=True, remarks=(remark,))


def _id_of(case: Mapping[Any, Any]) -> object:
    """What a case calls its query or user, if it says so."""
    return next((value for key, value in case.items() if roles.known_role(_name(key)) == "query"), None)


def _with_ids(cases: InputPair, ids: Sequence[object]) -> InputPair:
    """The cases under ids of their own, if all have one."""
    if any(name is None for name in ids):
        return cases
    nested = [name for name in ids if _is_nested(name)]
    if nested:
        raise RankgaugeError("bad-id", noun="query", got=f"{nested[0]!r} ({type(nested[0]).__name__})")
    name, count = Counter(map(str, ids)).most_common(1)[0]
    if count > 1:
        raise RankgaugeError("duplicate-query", place=f"query {name!r}")
    judged, ranked = (dict(zip(ids, each.values(), strict=True)) for each in cases[:2])
    return InputPair(judged, ranked, plain=True)


def _by_position(cases: Sequence[Any]) -> dict[str, Any]:
    # Positions are not the user's ids, so they come back as text, as for arrays.
    return {str(position): _listed(case) for position, case in enumerate(cases)}


def _one_list(truth: Source, ranked: Source) -> InputPair:
    return InputPair({ALONE: _listed(truth)}, {ALONE: _listed(ranked)}, plain=True)


def _listed(case: Source) -> Source:
    """An array as a list; a pandas Series with labels of its own as a mapping of them."""
    labels = getattr(case, "index", None)
    if hasattr(case, "to_dict") and labels is not None and type(labels).__name__ != "RangeIndex":
        return case.to_dict()
    return case.tolist() if hasattr(case, "tolist") else case


def _require_both_parts(source: Source) -> None:
    """Raise if a case has parts, but not one that is known for each side."""
    for number, case in enumerate(source if isinstance(source, list) else ()):
        if isinstance(case, Mapping) and any(map(_is_nested, case.values())) and not parts_of(case):
            raise RankgaugeError(
                "unknown-case",
                place=f"case {number}",
                truth=", ".join(TRUTH[:4]),
                ranked=", ".join(RANKED[:4]),
                got=", ".join(map(repr, list(case)[:MOST_SHOWN])),
            )


def _require_there(source: Source) -> None:
    """Raise if a file that should hold cases does not exist."""
    if isinstance(source, InputFile):
        from rankgauge.inputs import files

        files.require_file(source)


def _described(source: Source) -> str:
    names: Mapping[type, str] = {
        list: "a list",
        tuple: "a tuple",
        dict: "a dict",
        set: "a set",
        frozenset: "a set",
        str: "a path",
    }
    label = getattr(source, "label", None)
    return repr(label) if isinstance(label, str) else names.get(type(source), f"a {type(source).__name__}")
