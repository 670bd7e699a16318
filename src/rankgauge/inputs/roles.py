"""Which column of a table plays which role: query, item, and the grade, score or rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from rankgauge.errors import RankgaugeError, nearest
from rankgauge.terms import require_choice

# Judgments may have to say more of a row than its grade: the subtopic that it is for, or how likely a click on it was
# to be seen, which may be known by the position at which it was shown.
Side: TypeAlias = Literal["judgments", "ranking", "subtopics", "propensities"]

# The first that a table has is taken, so the most telling names stand first.
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "query": (
        *("query", "qid", "query_id", "user", "user_id", "date"),
        *("topic", "topic_id", "question_id", "search_id", "srch_id", "request_id", "session_id", "session"),
        *("uid", "customer_id", "customer", "visitor_id", "reviewer_id", "impression_id", "group_id", "group"),
        *("trade_date", "rebalance_date", "as_of_date"),
        *("질의", "검색어", "사용자", "사용자_id", "유저", "고객", "날짜", "일자"),
    ),
    "item": (
        *("item", "doc", "docno", "doc_id", "item_id", "ticker", "symbol"),
        *("corpus_id", "document_id", "passage_id", "pid", "movie_id", "product_id", "asin", "sku", "article_id"),
        *("news_id", "track_id", "song_id", "book_id", "video_id", "property_id", "listing_id", "business_id"),
        *("isin", "cusip", "permno", "security_id", "asset"),
        *("문서", "상품", "상품_id", "아이템", "종목", "종목_코드"),
        *("document", "passage", "movie", "product"),  # beside an id, these are texts
    ),
    "grade": (
        *("grade", "relevance", "rel", "label", "rating"),
        *("relevance_label", "relevance_grade", "relevance_score", "relevancy", "judgment", "judgement", "qrel"),
        *("stars", "gain", "target"),
        *("click", "clicked", "clicks", "is_click", "reward"),
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
_EXTRAS: Final[Mapping[Side, tuple[str, ...]]] = {
    "subtopics": ("subtopic",),
    "propensities": ("propensity", "position"),
}
_ALIKE: Final = str.maketrans("", "", "-_ .")
_MOST_SHOWN: Final = 20
_MOST_TRIED: Final = 7  # those that the documentation promises


class Roles(NamedTuple):
    """The columns of a table by role; without a value, judged items are relevant and ranked ones in order."""

    query: str
    item: str
    value: str | None
    descending: bool
    # What more is needed, and in which role.
    extra: str | None = None
    extra_role: str | None = None

    @property
    def columns(self) -> list[str]:
        """The names of the columns that are needed."""
        return [name for name in (self.query, self.item, self.value, self.extra) if name is not None]


def find(names: Sequence[str] | None, side: Side, given: Mapping[str, str], place: str = "") -> Roles:
    """Find the columns that a side needs among `names`; `given` maps roles to columns and wins.

    >>> find(["userId", "movieId", "rating", "timestamp"], "judgments", {})
    Roles(query='userId', item='movieId', value='rating', descending=True, extra=None, extra_role=None)
    >>> find(["day", "ticker", "place"], "ranking", {"query": "day", "rank": "place"}).value
    'place'
    >>> find(["qid", "docno", "intent", "rel"], "subtopics", {}).extra
    'intent'
    """
    for role in given:
        require_choice("a role in columns", role, NAMES, "a role is given the name of its column")
    if names is None:
        raise RankgaugeError(
            "no-header", place, side="ranking" if side == "ranking" else "judgments", value=_VALUES[side][0]
        )
    table = _Table(names, side, given, place)
    value = table.value_role()
    if value is None and side == "propensities":  # an item that was shown need not have been clicked
        raise table.missing("grade", f"for grade ({', '.join(NAMES['grade'][:_MOST_TRIED])}, click, …)", "")
    extra = table.extra_role()
    return Roles(
        query=table.require("query"),
        item=table.require("item"),
        value=table.require(value) if value else None,
        descending=value != "rank",
        extra=table.require(extra) if extra else None,
        extra_role=extra,
    )


def wanted(side: Side) -> tuple[str, ...]:
    """Return the roles that a side may need.

    >>> wanted("propensities")
    ('query', 'item', 'grade', 'score', 'propensity', 'position')
    """
    return ("query", "item", *_VALUES[side], *_EXTRAS.get(side, ()))


def known(name: str) -> str | None:
    """Return the role that a column of this name plays, or nothing.

    >>> known("Corpus-ID"), known("docId"), known("comment")
    ('item', 'item', None)
    """
    return _ROLES.get(key(name))


class _Table(NamedTuple):
    """The columns of one side, and what the caller said about them."""

    names: Sequence[str]
    side: Side
    given: Mapping[str, str]
    place: str

    @property
    def noun(self) -> str:
        """Which of the two nouns the table is for."""
        return "ranking" if self.side == "ranking" else "judgments"

    def value_role(self) -> str | None:
        values = _VALUES[self.side]
        # A rank that was asked for beats a score that was found. Judgments are not so: the same columns
        # may be given for both sides, and then the score is the ranking's.
        asked = [role for role in values if role in self.given and self.side == "ranking"]
        present = [role for role in values if role in self.given or self.matches(role)]
        return next(iter(asked + present), None)

    def extra_role(self) -> str | None:
        """The role of what is needed beside the grade: the first that the table has."""
        roles = _EXTRAS.get(self.side, ())
        present = [role for role in roles if role in self.given or self.matches(role)]
        return next(iter((*present, *roles)), None)

    def require(self, role: str) -> str:
        if role in self.given:
            return self.require_given(role)
        matches = self.matches(role)
        if not matches:
            raise self.missing(role, f"for {role} ({', '.join(NAMES[role][:_MOST_TRIED])}, …)", self.alike(role))
        if len(matches) > 1:
            got = ", ".join(map(repr, matches))
            raise RankgaugeError("ambiguous-column", self.place, role=role, got=got, example=matches[0], side=self.noun)
        return matches[0]

    def require_given(self, role: str) -> str:
        name = self.given[role]
        if name not in self.names:
            raise self.missing(role, f"{name!r} for {role}", nearest(name, self.names))
        return name

    def matches(self, role: str) -> list[str]:
        """The columns that go by the first of the role's names that any goes by; a column has one role."""
        taken = {self.given[other] for other in wanted(self.side) if other in self.given}
        free = [name for name in self.names if name not in taken]
        found = ([column for column in free if key(column) == key(name)] for name in NAMES[role])
        return next(filter(None, found), [])

    def alike(self, role: str) -> str:
        """`did you mean 'usr'? ` for the first column whose name is near one that was looked for."""
        columns = (column for column in self.names if nearest(key(column), map(key, NAMES[role])))
        return next((f"did you mean {column!r}? " for column in columns), "")

    def missing(self, role: str, wanted: str, near: str) -> RankgaugeError:
        shown = [repr(name) for name in self.names[:_MOST_SHOWN]] + ["…"] * (len(self.names) > _MOST_SHOWN)
        got = f"the columns {', '.join(shown)}" if shown else "no columns"
        return RankgaugeError(
            "missing-column", self.place, wanted=wanted, got=got, nearest=near, role=role, side=self.noun
        )


def key(name: str) -> str:
    """What is left of a name when its style is taken away: `User-ID`, `user_id` and `userId` are alike."""
    return name.translate(_ALIKE).casefold()


_ROLES: Final = {key(name): role for role, names in NAMES.items() for name in names}


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
