from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.errors import RankgaugeError
from rankgauge.inputs.roles import NAMES, ColumnFinder, Roles, Side, find, known_role

CONTRACT = {
    "query": ["query", "qid", "query_id", "user", "user_id", "date"],
    "item": ["item", "doc", "docno", "doc_id", "item_id", "ticker", "symbol"],
    "grade": ["grade", "relevance", "rel", "label", "rating"],
    "score": ["score", "prediction", "pred"],
    "rank": ["rank"],
}
SIDES: tuple[Side, ...] = ("judgments", "ranking")


def failure(names: list[str], side: Side, **columns: str) -> RankgaugeError:
    with pytest.raises(RankgaugeError) as caught:
        find(names, side, columns, place="file.csv")
    assert caught.value.place == "file.csv" or caught.value.code == "unknown-choice"
    return caught.value


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("userId,movieId,rating,timestamp", Roles("userId", "movieId", "rating", True)),  # MovieLens
        ("query-id,corpus-id,score", Roles("query-id", "corpus-id", "score", True)),  # BEIR
        ("query_id,doc_id,relevance,iteration", Roles("query_id", "doc_id", "relevance", True)),  # ir_datasets
        ("qid,docno,label", Roles("qid", "docno", "label", True)),  # PyTerrier
        ("q_id,doc_id,rel", Roles("q_id", "doc_id", "rel", True)),  # ranx
        (
            "query_id,product_id,query,esci_label,relevance_label",
            Roles("query_id", "product_id", "relevance_label", True),
        ),
        ("reviewerID,asin,overall,rating", Roles("reviewerID", "asin", "rating", True)),  # Amazon reviews
        ("user,item", Roles("user", "item", None, True)),  # implicit feedback
        ("사용자,상품,평점", Roles("사용자", "상품", "평점", True)),
        ("날짜,종목,종가,등급", Roles("날짜", "종목", "등급", True)),
        ("user,item,rank", Roles("user", "item", None, True)),  # a rank is no grade
        ("query,item,score,grade", Roles("query", "item", "grade", True)),
    ],
)
def test_find_for_judgments_returns_query_item_and_grade(header: str, expected: Roles) -> None:
    assert find(header.split(","), "judgments", {}) == expected


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("qid,docid,docno,rank,score,query", Roles("qid", "docno", "score", True)),  # PyTerrier
        ("date,ticker,prediction", Roles("date", "ticker", "prediction", True)),
        ("Query ID,Doc.ID,RANK", Roles("Query ID", "Doc.ID", "RANK", False)),
        ("user_id,item_id,score,rank", Roles("user_id", "item_id", "score", True)),  # RecTools
        ("user_id,item_id,rank", Roles("user_id", "item_id", "rank", False)),
        ("user,item", Roles("user", "item", None, True)),  # only the order counts
        ("user,item,rating", Roles("user", "item", None, True)),  # a grade is no score
        ("topic,doc,sim", Roles("topic", "doc", "sim", True)),
        (",query,item,score", Roles("query", "item", "score", True)),  # an index that pandas wrote
    ],
)
def test_find_for_rankings_returns_query_item_and_score(header: str, expected: Roles) -> None:
    assert find(header.split(","), "ranking", {}) == expected


@pytest.mark.parametrize("role", CONTRACT)
def test_names_that_are_promised_come_first(role: str) -> None:
    assert sorted(NAMES[role][: len(CONTRACT[role])]) == sorted(CONTRACT[role])


@pytest.mark.parametrize(("first", "second"), list(pairwise(NAMES["query"])))
def test_find_with_several_query_names_takes_the_first_known(first: str, second: str) -> None:
    assert find([second, first, "item"], "ranking", {}).query == first


@pytest.mark.parametrize(("first", "second"), list(pairwise(NAMES["item"])))
def test_find_with_several_item_names_takes_the_first_known(first: str, second: str) -> None:
    assert find([second, first, "query"], "ranking", {}).item == first


@pytest.mark.parametrize(("first", "second"), list(pairwise(NAMES["grade"])))
def test_find_with_several_grade_names_takes_the_first_known(first: str, second: str) -> None:
    assert find([second, first, "query", "item"], "judgments", {}).value == first


@pytest.mark.parametrize("side", SIDES)
def test_find_with_columns_in_any_order_is_the_same(side: Side) -> None:
    names = ["date", "user", "query", "symbol", "item", "rating", "grade", "pred", "score", "rank"]
    assert find(names, side, {}) == find(names[::-1], side, {})


def test_names_have_one_role_each() -> None:
    keys = [name.replace("_", "") for names in NAMES.values() for name in names]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", ["user_id", "User-ID", "USER ID", "user.id", "userId", "userID", "UserId", "userid"])
def test_find_with_names_in_any_style_is_the_same(name: str) -> None:
    assert known_role(name) == "query"
    assert find([name, "item"], "ranking", {}).query == name


@pytest.mark.parametrize(("name", "is_index"), [("__index_level_12__", True), ("__index_level__", False)])
def test_findable_columns_leave_out_an_index_without_a_name(name: str, is_index: bool) -> None:
    assert (name not in ColumnFinder(["query", name], "ranking", {}).findable) == is_index
    assert find(["query", "item", name], "ranking", {"score": name}).value == name


@pytest.mark.parametrize("name", ["", "timestamp", "title", "iteration", "Q0", "tag", "ratings_count", "_"])
def test_find_with_other_names_ignores_them(name: str) -> None:
    assert known_role(name) is None


@pytest.mark.parametrize(
    ("side", "columns", "expected"),
    [
        ("ranking", {"query": "who"}, Roles("who", "item", "score", True)),
        ("ranking", {"item": "what"}, Roles("user", "what", "score", True)),
        ("ranking", {"score": "what"}, Roles("user", "item", "what", True)),
        ("ranking", {"rank": "what"}, Roles("user", "item", "what", False)),  # though there is a score
        ("ranking", {"score": "what", "rank": "rank"}, Roles("user", "item", "what", True)),
        ("ranking", {"grade": "elsewhere"}, Roles("user", "item", "score", True)),  # given for the judgments
        ("judgments", {"grade": "what"}, Roles("user", "item", "what", True)),
        ("judgments", {"score": "what"}, Roles("user", "item", "rating", True)),  # given for the ranking
        ("judgments", {"rank": "elsewhere"}, Roles("user", "item", "rating", True)),
        ("judgments", {"grade": "score"}, Roles("user", "item", "score", True)),
    ],
)
def test_find_with_named_columns_takes_them(side: Side, columns: dict[str, str], expected: Roles) -> None:
    assert find(["user", "item", "rating", "score", "rank", "who", "what"], side, columns) == expected


def test_find_for_judgments_with_a_named_score_takes_it() -> None:
    assert find(["user", "item", "what"], "judgments", {"score": "what"}).value == "what"


def test_find_with_a_named_column_gives_it_one_role() -> None:
    assert find(["item", "doc"], "ranking", {"query": "item"}) == Roles("item", "doc", None, True)
    assert find(["user", "item", "score"], "ranking", {"query": "score"}) == Roles("score", "item", None, True)
    assert failure(["user", "item"], "ranking", query="item").code == "missing-column"


@pytest.mark.parametrize("role", ["query", "item"])
@pytest.mark.parametrize("side", SIDES)
def test_find_without_a_needed_column_is_refused(role: str, side: Side) -> None:
    other = "item" if role == "query" else "user"
    error = failure([other, "comment"], side)
    assert error.code == "missing-column"
    assert f"for {role} ({', '.join(NAMES[role][:7])}, …), got" in str(error)
    assert f"'{other}', 'comment'" in str(error)


def test_find_without_columns_is_refused() -> None:
    assert "got no columns." in str(failure([], "ranking"))


def test_find_in_a_wide_table_lists_some_columns() -> None:
    text = str(failure([f"feature{number}" for number in range(1000)], "ranking"))
    assert "'feature19', …" in text
    assert "feature20" not in text


@pytest.mark.parametrize(("side", "role"), [("ranking", "score"), ("ranking", "rank"), ("judgments", "grade")])
def test_find_with_a_named_column_that_is_missing_is_refused(side: Side, role: str) -> None:
    error = failure(["user", "item", "final_score"], side, **{role: "finalscore"})
    assert error.code == "missing-column"
    assert f"'finalscore' for {role}, got" in str(error)
    assert "'user', 'item', 'final_score'" in str(error)
    assert "did you mean 'final_score'?" in str(error)


@pytest.mark.parametrize("column", ["usr", "final_user", "UserCode", "products_user", "customers"])
def test_find_without_a_column_proposes_a_near_name(column: str) -> None:
    assert f"did you mean {column!r}?" in str(failure([column, "item"], "ranking"))


@pytest.mark.parametrize("column", ["close", "comment", "operated", "account", "TradeDate"])
def test_find_without_a_near_name_proposes_none(column: str) -> None:
    names = ["query", column] if column != "TradeDate" else ["item", "close"]
    text = str(failure(names, "ranking"))
    assert "did you mean" not in text
    assert repr(names[1]) in text


def test_find_with_a_named_column_is_exact() -> None:
    assert "did you mean 'userId'?" in str(failure(["userId", "item"], "ranking", query="user_id"))


def test_find_with_an_id_beside_its_text_takes_the_id() -> None:
    for name, text in [("qid", "query"), ("query_id", "query"), ("user_id", "user"), ("topic_id", "topic")]:
        assert find([text, name, "item"], "ranking", {}).query == name
    for name, text in [("docno", "doc"), ("doc_id", "document"), ("item_id", "item"), ("movie_id", "movie")]:
        assert find([text, name, "query"], "ranking", {}).item == name


def test_find_with_names_of_recbole_takes_them_without_their_type() -> None:
    names = ["user_id:token", "item_id:token", "rating:float", "timestamp:float"]
    assert find(names, "judgments", {}) == Roles("user_id:token", "item_id:token", "rating:float", True)


@pytest.mark.parametrize("twin", ["user-id", "User ID", "userId", "user_id"])
def test_find_with_two_equal_names_is_refused(twin: str) -> None:
    error = failure(["user_id", twin, "item"], "ranking")
    assert error.code == "ambiguous-column"
    assert f"one column for query, got 'user_id', {twin!r}" in str(error)
    assert find(["user_id", twin, "item"], "ranking", {"query": twin}).query == twin


def test_find_with_equal_names_that_are_not_needed_ignores_them() -> None:
    assert find(["query", "user_id", "userId", "item"], "ranking", {}).query == "query"
    assert find(["query", "item", "score", "Rank", "rank"], "ranking", {}).value == "score"
    assert failure(["query", "item", "Rank", "rank"], "ranking").code == "ambiguous-column"


def test_find_with_an_unknown_role_is_refused() -> None:
    error = failure(["query", "item"], "ranking", querry="query")
    assert error.code == "unknown-choice"
    assert "query, item, grade, score, rank, subtopic, propensity, position, got 'querry'" in str(error)
    assert "did you mean 'query'?" in str(error)


@given(
    st.lists(st.one_of(st.text(), st.sampled_from([name for names in NAMES.values() for name in names]))),
    st.sampled_from(SIDES),
    st.dictionaries(st.sampled_from(list(NAMES)), st.text()),
)
def test_find_with_any_names_returns_or_refuses(names: list[str], side: Side, columns: dict[str, str]) -> None:
    outcome: Roles | RankgaugeError
    try:
        outcome = find(names, side, columns)
    except RankgaugeError as error:
        outcome = error
    if isinstance(outcome, RankgaugeError):
        assert outcome.code in ("missing-column", "ambiguous-column")
        assert "\n" not in str(outcome)
    else:
        assert {outcome.query, outcome.item} <= set(names)
        assert outcome.value is None or outcome.value in names
