"""Which column of a table plays which role: query, item, and the grade, score or rank."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from rankgauge.checks import require_choice
from rankgauge.errors import RankgaugeError, nearest
from rankgauge.notation import quoted_list
from rankgauge.remarks import Remark

# Judgments may need annotations: the subtopic that a grade is for, or how likely a click was to be seen, which may be
# known by the position at which the item was shown.
Side: TypeAlias = Literal["judgments", "ranking", "subtopics", "propensities"]

# The first that a table has is taken: an id before the text that it stands for, as in qid before query.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "query": (
        *("qid", "query_id", "query", "user_id", "user", "date"),
        *("topic_id", "topic", "question_id", "search_id", "srch_id", "request_id", "session_id", "session"),
        *("uid", "customer_id", "customer", "visitor_id", "reviewer_id", "impression_id", "group_id", "group"),
        *("trade_date", "rebalance_date", "as_of_date", "query_idx", "user_idx"),
        *("질의", "검색어", "사용자_id", "사용자", "유저", "고객", "날짜", "일자"),
    ),
    "item": (
        *("item_id", "docno", "doc_id", "ticker", "symbol", "item", "doc"),
        *("corpus_id", "document_id", "passage_id", "pid", "movie_id", "product_id", "asin", "sku", "article_id"),
        *("news_id", "track_id", "song_id", "book_id", "video_id", "property_id", "listing_id", "business_id"),
        *("isin", "cusip", "permno", "security_id", "asset", "item_idx"),
        *("문서", "상품_id", "상품", "아이템", "종목_코드", "종목"),
        *("document", "passage", "movie", "product"),
    ),
    "grade": (
        *("grade", "relevance", "rel", "label", "rating"),
        *("relevance_label", "relevance_grade", "relevance_score", "relevancy", "judgment", "judgement", "qrel"),
        *("stars", "overall", "weight", "gain", "target"),
        *("click", "clicked", "clicks", "is_click", "reward"),
        *("y_true", "is_relevant", "relevant", "purchased", "bought", "liked", "converted"),
        *("등급", "관련도", "관련도_점수", "좋아하는_정도", "분위_라벨", "평점", "별점"),
    ),
    "score": (
        *("score", "prediction", "pred"),
        *("predicted", "predicted_score", "pred_score", "y_pred", "sim", "similarity", "signal"),
        *("점수", "예측_점수"),
    ),
    "rank": ("rank", "predicted_rank", "순위", "예측_순위", "모델_예측_순위", "추천_순위"),
    "subtopic": ("subtopic", "subtopic_id", "intent", "intent_id", "aspect", "aspect_id"),
    "propensity": ("propensity", "examination", "examination_probability"),
    "position": ("position", "logged_position", "shown_position", "display_position", "slot"),
}
# Judgments fall back on a score, which is what BEIR calls its grades.
_VALUES: Final[Mapping[Side, tuple[str, ...]]] = {
    "judgments": ("grade", "score"),
    "ranking": ("score", "rank"),
    "subtopics": ("grade", "score"),
    "propensities": ("grade", "score"),
}
_ANNOTATIONS: Final[Mapping[Side, tuple[str, ...]]] = {
    "subtopics": ("subtopic",),
    "propensities": ("propensity", "position"),
}
# What pandas calls an index without a name in a file: it numbers rows, or says what nobody named.
_UNNAMED_INDEX: Final = re.compile(r"__index_level_\d+__")
_TYPED: Final = re.compile(r":(?:token|float)(?:_seq)?$")
_ALIKE: Final = str.maketrans("", "", "-_ .")
_MOST_SHOWN: Final = 20
# The least similarity of a column's name that is proposed for a role.
_NEAR: Final = 0.7
_MOST_TRIED: Final = 7  # those that the documentation promises


class Roles(NamedTuple):
    """The columns of a table by role; without a value, judged items are relevant and ranked ones in order."""

    query: str
    item: str
    value: str | None
    descending: bool
    # The column of annotations, and what they are.
    annotation: str | None = None
    annotation_role: str | None = None
    # Whether there is a column of subtopics that was not asked for.
    has_subtopics: bool = False
    # Remarks on how the columns were chosen.
    remarks: tuple[Remark, ...] = ()

    @property
    def value_name(self) -> str | None:
        """The name of the column of values, as of a text that is laid out."""
        return self.value

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are needed."""
        return [name for name in (self.query, self.item, self.value, self.annotation) if name is not None]


def find(names: Sequence[str], side: Side, given: Mapping[str, str], place: str = "") -> Roles:
    """Find the columns that a side needs among `names`; `given` maps roles to columns and wins.

    >>> find(["userId", "movieId", "rating", "timestamp"], "judgments", {}).columns
    ['userId', 'movieId', 'rating']
    >>> find(["day", "ticker", "place"], "ranking", {"query": "day", "rank": "place"}).value
    'place'
    >>> find(["qid", "docno", "intent", "rel"], "subtopics", {}).annotation
    'intent'
    """
    require_roles(given)
    finder = ColumnFinder(names, table_of(side), given, place)
    value = _value_role(finder, side)
    if value is None and side == "propensities":  # an item that was shown need not have been clicked
        raise finder.missing(
            "grade", wanted=f"for grade ({', '.join(NAMES['grade'][:_MOST_TRIED])}, click, …)", near=""
        )
    annotation = _annotation_role(finder, side)
    taken = _taken(finder, side)
    return Roles(
        query=finder.require("query", taken),
        item=finder.require("item", taken),
        value=finder.require(value, taken) if value else None,
        descending=value != "rank",
        annotation=finder.require(annotation, taken) if annotation else None,
        annotation_role=annotation,
        has_subtopics=side == "judgments" and bool(_present(finder, side, ["subtopic"])),
    )


def _taken(finder: ColumnFinder, side: Side) -> set[str]:
    """The columns that the caller gave a role of this side: no other role may take them."""
    return {finder.given[role] for role in wanted(side) if role in finder.given}


def _value_role(finder: ColumnFinder, side: Side) -> str | None:
    # A rank that was asked for beats a score that was found. Judgments are not so: the same columns
    # may be given for both sides, and then the score is the ranking's.
    asked = [role for role in _VALUES[side] if role in finder.given and side == "ranking"]
    return next(iter(asked + _present(finder, side, _VALUES[side])), None)


def _annotation_role(finder: ColumnFinder, side: Side) -> str | None:
    """The role of the annotations: the first that the table has."""
    roles = _ANNOTATIONS.get(side, ())
    return next(iter((*_present(finder, side, roles), *roles)), None)


def _present(finder: ColumnFinder, side: Side, roles: Iterable[str]) -> list[str]:
    taken = _taken(finder, side)
    return [role for role in roles if role in finder.given or finder.matches(role, taken)]


def require_roles(given: Mapping[str, str]) -> None:
    """Raise unless columns are given for roles that there are."""
    if given and all(_is_reversed(*pair) for pair in given.items()):
        raise _reversed_roles(given)
    for role in given:
        require_choice("a role in columns", role, NAMES, "a role is given the name of its column")


def _is_reversed(role: str, column: str) -> bool:
    """Whether a role and its column changed places; `querry=query` is mistyped instead."""
    return role not in NAMES and column in list(NAMES) and not nearest(role, [column])


def _reversed_roles(given: Mapping[str, str]) -> RankgaugeError:
    turned = {role: column for column, role in given.items()}
    written = ",".join(f"{role}={column}" for role, column in turned.items())
    return RankgaugeError(
        "unknown-choice",
        field="a role in columns",
        known=", ".join(NAMES),
        got=next(iter(given)),
        nearest="",
        question=f"the role comes first: {turned} in Python, {written} on the command line",
    )


def table_of(side: Side) -> str:
    """Return what messages call the table of a side.

    >>> table_of("propensities")
    'judgments'
    """
    return "ranking" if side == "ranking" else "judgments"


def wanted(side: Side) -> tuple[str, ...]:
    """Return the roles that a side may need.

    >>> wanted("propensities")
    ('query', 'item', 'grade', 'score', 'propensity', 'position')
    """
    return ("query", "item", *_VALUES[side], *_ANNOTATIONS.get(side, ()))


def known_role(name: str) -> str | None:
    """Return the role that a column of this name plays, or nothing.

    >>> known_role("Corpus-ID"), known_role("docId"), known_role("comment")
    ('item', 'item', None)
    """
    return _role_of_key().get(key(name))


class ColumnFinder(NamedTuple):
    """Finds the column of each role in a table: the one that the caller gave, or the first known name that it has.

    >>> finder = ColumnFinder(["User-ID", "movie", "stars"], "judgments", {"grade": "stars"})
    >>> finder.find("query"), finder.find("grade"), finder.find("rank")
    ('User-ID', 'stars', None)
    """

    names: Sequence[str]
    # What messages call the table.
    table: str
    # Role → column, from the caller.
    given: Mapping[str, str]
    place: str = ""
    # Role → the names that columns of this role usually have, the most telling first.
    known: Mapping[str, tuple[str, ...]] = NAMES
    # The form in which the name of a column is compared with those of a role.
    normalised: Callable[[str, str], str] = lambda column, _: key(column)

    @property
    def findable(self) -> list[str]:
        """The columns that may be found by themselves: an index that pandas wrote without a name has to be named.

        >>> ColumnFinder(["user", "__index_level_0__"], "ranking", {}).findable
        ['user']
        >>> ColumnFinder(["user", "__index_level_0__"], "ranking", {"score": "__index_level_0__"}).findable
        ['user', '__index_level_0__']
        """
        named = set(self.given.values())
        return [name for name in self.names if name in named or not _UNNAMED_INDEX.fullmatch(name)]

    def require(self, role: str, taken: Collection[str] = ()) -> str:
        """Return the column of a role; raise if there is none, or more than one."""
        column = self.find(role, taken)
        if column is None:
            raise self.missing(role)
        return column

    def find(self, role: str, taken: Collection[str] = ()) -> str | None:
        """Return the column of a role, None if there is none; `taken` columns have another role."""
        if role in self.given:
            return self._require_given(role)
        matches = self.matches(role, taken)
        if len(matches) > 1:
            got = ", ".join(map(repr, matches))
            raise RankgaugeError(
                "ambiguous-column",
                self.place,
                role=role,
                got=got,
                example=matches[0],
                side=self.table,
                of_table="",
            )
        return matches[0] if matches else None

    def matches(self, role: str, taken: Collection[str] = ()) -> list[str]:
        """Return the columns with the first of the role's known names that any column has."""
        forms = [(column, self.normalised(column, role)) for column in self.findable if column not in taken]
        by_name = ([column for column, form in forms if form == key(name)] for name in self.known[role])
        return next(filter(None, by_name), [])

    def others(self, role: str, column: str, taken: Collection[str] = ()) -> list[str]:
        """Return the other columns whose names are known for the role.

        >>> ColumnFinder(["qid", "query", "docno"], "ranking", {}).others("query", "qid")
        ['query']
        """
        forms = {self.normalised(name, role) for name in map(key, self.known[role])}
        rest = (name for name in self.findable if name != column and name not in taken)
        return [name for name in rest if self.normalised(name, role) in forms]

    def missing(
        self, role: str, instead: Iterable[str] = (), *, wanted: str | None = None, near: str | None = None
    ) -> RankgaugeError:
        """Return the error of a role without a column; a column for one of the roles `instead` would do as well."""
        tried = (f"for {each} ({', '.join(self.known[each][:_MOST_TRIED])}, …)" for each in (role, *instead))
        from shlex import quote  # only needed when something went wrong

        alike = self._alike(role) if near is None else None
        return RankgaugeError(
            "missing-column",
            self.place,
            wanted=wanted or " or ".join(tried),
            got=f"the columns {column_list(self.names)}" if self.names else "no columns",
            nearest=f"did you mean {alike!r}? " if alike else near or "",
            role=role,
            side=self.table,
            of_table="",
            switch=quote(f"{role}={alike}") if alike else f"{role}=…",
        )

    def _require_given(self, role: str) -> str:
        name = self.given[role]
        if name not in self.names:
            raise self.missing(role, wanted=f"{name!r} for {role}", near=nearest(name, self.names))
        return name

    def _alike(self, role: str) -> str | None:
        """The column whose name is nearest to a known one, or has one among its words, if there is any."""
        from difflib import SequenceMatcher  # only needed when something went wrong

        known = [key(name) for name in self.known[role]]

        def likeness(column: str) -> float:
            alike = max(SequenceMatcher(None, key(column), name).ratio() for name in known)
            return max(alike, _NEAR if any(word in known for word in _words(column)) else 0.0)

        best = max(self.findable, key=likeness, default=None)
        return best if best is not None and likeness(best) >= _NEAR else None


def column_list(names: Sequence[str]) -> str:
    """Return the names of columns for a message, at most 20 of them.

    >>> column_list(["user", "item"])
    "'user', 'item'"
    """
    return quoted_list(names, _MOST_SHOWN)


def _words(name: str) -> list[str]:
    return [word.casefold() for word in re.findall(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+", name)]


def key(name: str) -> str:
    """What is left of a name when its style is taken away: `User-ID`, `user_id` and `userId` are alike.

    >>> key("User-ID"), key("user_id:token")  # RecBole writes the type behind the name
    ('userid', 'userid')
    """
    return _TYPED.sub("", name).translate(_ALIKE).casefold()


@cache
def _role_of_key() -> Mapping[str, str]:
    return {key(name): role for role, names in NAMES.items() for name in names}


def by_role(columns: Mapping[str, str] | Sequence[str]) -> Mapping[str, str]:
    """Return columns by role, or refuse a list of names: only a text without a header takes one.

    >>> by_role({"query": "user"})
    {'query': 'user'}
    """
    if not isinstance(columns, Mapping):
        raise RankgaugeError("columns-without-roles", got=list(columns))
    return columns


def quoted(name: str) -> str:
    """Return a name as SQL writes it.

    >>> print(quoted('a"b'))
    "a""b"
    """
    return '"' + name.replace('"', '""') + '"'
