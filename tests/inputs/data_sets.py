"""Small samples of data sets and objects that people have, each in its own form."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import ir_measures
import pandas as pd
import polars as pl
import ranx
from ir_datasets.formats import GenericScoredDoc, TrecQrel, TrecSubQrel
from rectools import Columns as RecTools

import rankgauge as rg

Make = Callable[[Path], Any]


class DataSet(NamedTuple):
    """A sample: what it is, how it is made, and what is read of it."""

    name: str
    # What there is: the columns of a file, or the kind of an object.
    form: str
    # `judgments`, `ranking`, or the grader that it is for.
    use: str
    make: Make
    # Query → the items with their grades, or the items from the best to the worst.
    content: dict[str, Any]
    # The columns that are named in a remark.
    columns: str = ""


def file(name: str, *lines: str) -> Make:
    """Return what writes a file into a folder."""

    def write(folder: Path) -> Path:
        path = folder / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


def series(name: str, values: list[float]) -> Any:
    dates = pd.to_datetime(["2026-01-02", "2026-01-05"])
    index = pd.MultiIndex.from_product([dates, ["A", "B"]], names=["date", "asset"])
    return pd.Series(values, index=index, name=name)


GRADES = {"1": {"10": 5.0, "11": 3.0}, "2": {"10": 1.0}}
ORDER = {"1": ["11", "10"], "2": ["10"]}
SEARCH = {"q1": {"d1": 1.0, "d2": 0.0}}
RUN = {"q1": ["d2", "d1"]}

DATA_SETS = [
    DataSet("MS MARCO", "`qid 0 pid 1`, tabs", "judgments", file("qrels.tsv", "q1\t0\td1\t1", "q1\t0\td2\t0"), SEARCH),
    DataSet(
        "MS MARCO",
        "`qid pid rank`, tabs, no header",
        "ranking",
        file("run.tsv", "q1\td2\t1", "q1\td1\t2"),
        RUN,
        "query=query, item=item, rank=rank",
    ),
    DataSet("TREC run", "`qid Q0 docno rank score tag`", "ranking", file("r", "q1 Q0 d2 1 9 t", "q1 Q0 d1 2 8 t"), RUN),
    DataSet(
        "BEIR",
        "`query-id`, `corpus-id`, `score`",
        "judgments",
        file("test.tsv", "query-id\tcorpus-id\tscore", "q1\td1\t1", "q1\td2\t0"),
        SEARCH,
        "query=query-id, item=corpus-id, grade=score",
    ),
    DataSet(
        "MovieLens 100K, `u.data`",
        "user, item, rating, time; tabs, no header",
        "judgments",
        file("u.data", "1\t10\t5\t881250949", "1\t11\t3\t891717742", "2\t10\t1\t878887116"),
        GRADES,
        "query=user, item=item, grade=rating",
    ),
    DataSet(
        "MovieLens 1M, `ratings.dat`",
        "the same with `::`",
        "judgments",
        file("ratings.dat", "1::10::5::978300760", "1::11::3::978302109", "2::10::1::978301968"),
        GRADES,
        "query=user, item=item, grade=rating",
    ),
    DataSet(
        "MovieLens 25M, `ratings.csv`",
        "`userId`, `movieId`, `rating`, `timestamp`",
        "judgments",
        file("ratings.csv", "userId,movieId,rating,timestamp", "1,10,5.0,7", "1,11,3.0,8", "2,10,1.0,9"),
        GRADES,
        "query=userId, item=movieId, grade=rating",
    ),
    DataSet(
        "RecBole, `.inter`",
        "`user_id:token`, `item_id:token`, `rating:float`, `timestamp:float`",
        "judgments",
        file(
            "ml.inter",
            "user_id:token\titem_id:token\trating:float\ttimestamp:float",
            *("1\t10\t5\t7", "1\t11\t3\t8", "2\t10\t1\t9"),
        ),
        GRADES,
        "query=user_id:token, item=item_id:token, grade=rating:float",
    ),
    DataSet(
        "Amazon reviews",
        "`reviewerID`, `asin`, `overall`, `unixReviewTime`",
        "judgments",
        file(
            "reviews.json",
            '{"reviewerID": "1", "asin": "10", "overall": 5.0, "unixReviewTime": 1382659200, "summary": "good"}',
            '{"reviewerID": "1", "asin": "11", "overall": 3.0, "unixReviewTime": 1382659201, "summary": "fair"}',
            '{"reviewerID": "2", "asin": "10", "overall": 1.0, "unixReviewTime": 1382659202, "summary": "bad"}',
        ),
        GRADES,
        "query=reviewerID, item=asin, grade=overall",
    ),
    DataSet(
        "H&M",
        "`t_dat`, `customer_id`, `article_id`, `price`",
        "holdout",
        file(
            "transactions_train.csv",
            "t_dat,customer_id,article_id,price,sales_channel_id",
            *("2018-09-20,1,0663713001,0.05,2", "2018-09-21,1,0541518023,0.03,2", "2018-09-20,2,0663713001,0.05,2"),
        ),
        {"1": {"0541518023": 1.0}},
    ),
    DataSet(
        "RetailRocket",
        "`timestamp`, `visitorid`, `event`, `itemid`",
        "actions",
        file(
            "events.csv",
            "timestamp,visitorid,event,itemid,transactionid",
            *("1433221332117,1,view,10,", "1433221332118,1,addtocart,11,", "1433221332119,2,transaction,10,4000"),
        ),
        {"1": {"10": 1.0, "11": 2.0}, "2": {"10": 3.0}},
    ),
    DataSet(
        "REES46",
        "`event_time`, `event_type`, `product_id`, `user_id`",
        "actions",
        file(
            "2019-Oct.csv",
            "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session",
            "2019-10-01 00:00:00 UTC,view,10,2103807459595387724,,shiseido,35.79,1,72d76fde",
            "2019-10-01 00:00:01 UTC,cart,11,2103807459595387724,,shiseido,35.79,1,72d76fde",
            "2019-10-01 00:00:04 UTC,purchase,10,2053013552326770905,,lg,33.20,2,9333dfbd",
        ),
        {"1": {"10": 1.0, "11": 2.0}, "2": {"10": 3.0}},
    ),
    DataSet(
        "RecTools, interactions",
        "`user_id`, `item_id`, `weight`, `datetime`",
        "judgments",
        lambda _: pd.DataFrame(
            {RecTools.User: [1, 1, 2], RecTools.Item: [10, 11, 10], RecTools.Weight: [5, 3, 1], RecTools.Datetime: 0}
        ),
        GRADES,
        "query=user_id, item=item_id, grade=weight",
    ),
    DataSet(
        "RecTools, recommendations",
        "`user_id`, `item_id`, `score`, `rank`",
        "ranking",
        lambda _: pd.DataFrame(
            {RecTools.User: [1, 1, 2], RecTools.Item: [11, 10, 10], RecTools.Score: [2, 1, 3], RecTools.Rank: [1, 2, 1]}
        ),
        ORDER,
        "query=user_id, item=item_id, score=score",
    ),
    DataSet(
        "RePlay, recommendations",
        "`query_id`, `item_id`, `rating`",
        "ranking",
        lambda _: pl.DataFrame({"query_id": [1, 1, 2], "item_id": [10, 11, 10], "rating": [0.1, 0.9, 0.5]}),
        ORDER,
        "query=query_id, item=item_id, score=rating",
    ),
    DataSet(
        "RePlay before 0.16",
        "`user_idx`, `item_idx`, `relevance`",
        "ranking",
        lambda _: pl.DataFrame({"user_idx": [1, 1, 2], "item_idx": [10, 11, 10], "relevance": [0.1, 0.9, 0.5]}),
        ORDER,
        "query=user_idx, item=item_idx, score=relevance",
    ),
    DataSet(
        "Spark ALS, `transform`",
        "`user`, `item`, `rating`, `prediction`",
        "ranking",
        lambda _: pl.DataFrame(
            {"user": [1, 1, 2], "item": [10, 11, 10], "rating": [5, 3, 1], "prediction": [0.1, 0.9, 0.5]}
        ),
        ORDER,
        "query=user, item=item, score=prediction",
    ),
    DataSet(
        "PyTerrier, qrels",
        "`qid`, `docno`, `label`",
        "judgments",
        lambda _: pd.DataFrame({"qid": ["q1", "q1"], "docno": ["d1", "d2"], "label": [1, 0]}),
        SEARCH,
        "query=qid, item=docno, grade=label",
    ),
    DataSet(
        "PyTerrier, results",
        "`qid`, `docid`, `docno`, `rank`, `score`, `query`",
        "ranking",
        lambda _: pd.DataFrame(
            {
                "qid": ["q1", "q1"],
                "docid": [4, 7],
                "docno": ["d2", "d1"],
                "rank": [0, 1],
                "score": [9.5, 8.5],
                "query": ["chemical reactions", "chemical reactions"],
            }
        ),
        RUN,
        "query=qid, item=docno, score=score",
    ),
    DataSet(
        "ir_datasets, `qrels_iter()`",
        "named tuples",
        "judgments",
        lambda _: iter([TrecQrel("q1", "d1", 1, "0"), TrecQrel("q1", "d2", 0, "0")]),
        SEARCH,
        "query=query_id, item=doc_id, grade=relevance",
    ),
    DataSet(
        "ir_datasets, by subtopic",
        "named tuples",
        "judgments",
        lambda _: [TrecSubQrel("q1", "d1", 0, "1"), TrecSubQrel("q1", "d1", 1, "2"), TrecSubQrel("q1", "d2", 0, "1")],
        SEARCH,
        "query=query_id, item=doc_id, grade=relevance, subtopic=subtopic_id",
    ),
    DataSet(
        "ir_datasets, `scoreddocs_iter()`",
        "named tuples",
        "ranking",
        lambda _: (GenericScoredDoc("q1", item, score) for item, score in [("d1", 1.5), ("d2", 2.5)]),
        RUN,
        "query=query_id, item=doc_id, score=score",
    ),
    DataSet(
        "ir_measures",
        "`Qrel`",
        "judgments",
        lambda _: [ir_measures.Qrel("q1", "d1", 1), ir_measures.Qrel("q1", "d2", 0)],
        SEARCH,
        "query=query_id, item=doc_id, grade=relevance",
    ),
    DataSet(
        "ir_measures",
        "`ScoredDoc`",
        "ranking",
        lambda _: [ir_measures.ScoredDoc("q1", "d1", 1.5), ir_measures.ScoredDoc("q1", "d2", 2.5)],
        RUN,
        "query=query_id, item=doc_id, score=score",
    ),
    DataSet("ranx", "`Qrels`", "judgments", lambda _: ranx.Qrels({"q1": {"d1": 1, "d2": 0}}), SEARCH),
    DataSet("ranx", "`Run`", "ranking", lambda _: ranx.Run({"q1": {"d1": 1.5, "d2": 2.5}}), RUN),
    DataSet(
        "rows",
        "a list of dicts",
        "judgments",
        lambda _: [{"qid": "q1", "docno": "d1", "label": 1}, {"qid": "q1", "docno": "d2", "label": 0}],
        SEARCH,
        "query=qid, item=docno, grade=label",
    ),
    DataSet(
        "rows",
        "a generator of dicts",
        "ranking",
        lambda _: ({"qid": "q1", "docno": item, "score": score} for item, score in [("d1", 1.5), ("d2", 2.5)]),
        RUN,
        "query=qid, item=docno, score=score",
    ),
    DataSet("an open file", "text", "judgments", lambda _: io.StringIO("q1 0 d1 1\nq1 0 d2 0\n"), SEARCH),
    DataSet("an open file", "bytes", "ranking", lambda _: io.BytesIO(b"q1 Q0 d2 1 9 t\nq1 Q0 d1 2 8 t\n"), RUN),
    DataSet(
        "a pandas Series by (date, asset)",
        "grades",
        "judgments",
        lambda _: series("forward_return", [0, 4, 3, 1]),
        {"2026-01-02": {"A": 0.0, "B": 4.0}, "2026-01-05": {"A": 3.0, "B": 1.0}},
        "query=date, item=asset, grade=grade",
    ),
    DataSet(
        "a pandas Series by (date, asset)",
        "scores",
        "ranking",
        lambda _: series("alpha", [0.1, 0.2, 0.4, 0.3]),
        {"2026-01-02": ["B", "A"], "2026-01-05": ["A", "B"]},
        "query=date, item=asset, score=score",
    ),
]
GRADERS = {"actions": rg.grading.actions, "holdout": lambda source: rg.grading.holdout(source).truth}
