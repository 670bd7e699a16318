"""What libraries for recommenders compute."""

from __future__ import annotations

from typing import Final

from rankgauge.conventions.convention import Convention
from rankgauge.conventions.terms import CLIPPED, EXP2, PERFECT, RANKED, TOP, Gain, binary

RECBOLE: Final = Convention(
    name="recbole",
    gain=binary(),
    default_cutoff="all",
    precision="float32",
    decimals=4,
    summary="Gain 1 for each held-out item; the ideal has min(k, held-out items) terms; four decimals.",
    proven=("ndcg",),
    reproduces="RecBole 1.2.1, NDCG",
    source="recbole/evaluator/metrics.py, base_metric.py",
    cite="Zhao et al. 2021, RecBole: Towards a Unified, Comprehensive and Efficient Framework, CIKM",
    quirks=("the mean is rounded to four decimals (metric_decimal_place)",),
    undefined={"ties": "torch.topk gives equal scores no order", "missing queries": "it ranks for every user"},
)

RECTOOLS: Final = Convention(
    name="rectools",
    gain=binary(),
    ideal=PERFECT,
    nothing_relevant="skip",
    summary="Gain 1 for each relevant item over k perfect positions, so few relevant items cannot reach 1.",
    proven=("ndcg", "map", "relative_precision", "recall", "f"),
    reproduces="RecTools 0.19.0, NDCG with its defaults, MAP, Recall, F1Beta and Precision with r_precision=True",
    source="rectools/metrics/ranking.py, classification.py",
    cite="MTS AI, RecTools",
    quirks=(
        "a user with fewer than k relevant items cannot reach 1",
        "a user without a relevant item has no interactions, and so is left out",
    ),
)

RECTOOLS_ACHIEVABLE: Final = Convention(
    name="rectools-achievable",
    gain=binary(),
    nothing_relevant="skip",
    summary="Gain 1 for each relevant item; the ideal has min(k, relevant items) terms.",
    proven=("ndcg",),
    reproduces="RecTools 0.19.0, NDCG with divide_by_achievable=True",
    source="rectools/metrics/ranking.py",
    cite="MTS AI, RecTools",
    quirks=RECTOOLS.quirks[1:],
)

REPLAY: Final = Convention(
    name="replay",
    gain=binary(),
    default_cutoff="all",
    ties="id-descending",
    nothing_relevant="skip",
    summary="Gain 1 for each relevant item; ties by item id, last first; users without a relevant item are left out.",
    proven=("ndcg",),
    reproduces="RePlay 0.22.0, NDCG of pandas and Polars frames",
    source="replay/metrics/ndcg.py, base_metric.py",
    cite="Vasilev et al. 2024, RePlay: a Recommendation Framework for Experimentation and Production Use, RecSys",
    quirks=("a dict instead of frames orders equal scores as given, and counts users without a relevant item as 0",),
)

SPARK_MLLIB: Final = Convention(
    name="spark-mllib",
    gain=binary(),
    default_cutoff="all",
    summary="Gain 1 for each relevant item; the ideal has min(k, relevant items) terms.",
    proven=("ndcg",),
    reproduces="Spark 4.3.0, RankingMetrics.ndcgAt",
    source="mllib/src/main/scala/org/apache/spark/mllib/evaluation/RankingMetrics.scala",
    cite="Meng et al. 2016, MLlib: Machine Learning in Apache Spark, JMLR 17",
    quirks=("it takes lists in order, so ties do not occur; a list that is empty counts as 0",),
)

SPARK_MLLIB_GRADED: Final = Convention(
    name="spark-mllib-graded",
    gain=EXP2,
    default_cutoff="all",
    negative="keep",
    summary="Gain 2^grade - 1; the ideal takes the labels in the order given, here best first.",
    proven=("ndcg",),
    reproduces="Spark 4.3.0, RankingMetrics.ndcgAt with relevance values, from Scala",
    source=SPARK_MLLIB.source,
    cite=SPARK_MLLIB.cite,
    quirks=(
        "labels that do not come best first give an ideal that is too low, and values above 1; not reproduced",
        "from Python the relevance values are dropped without a word",
    ),
)

LENSKIT: Final = Convention(
    name="lenskit",
    gain=binary(),
    discount=CLIPPED,
    default_cutoff="all",
    missing="skip",
    summary="Gain 1 for each held-out item; ranks 1 and 2 are worth the same.",
    proven=("ndcg",),
    reproduces="LensKit 2025.8.1, NDCG",
    source="lenskit/metrics/ranking/_dcg.py, _weighting.py",
    cite="Ekstrand 2020, LensKit for Python: Next-Generation Software for Recommender Systems, CIKM",
    quirks=("the discount begins at rank 3", "users without recommendations are left out"),
    undefined={"unjudged queries": "a list without test data counts as 0, and is ignored here"},
)

LENSKIT_GRADED: Final = Convention(
    name="lenskit-graded",
    discount=CLIPPED,
    default_cutoff="all",
    missing="skip",
    negative="keep",
    summary="As lenskit with the rating as gain.",
    proven=("ndcg",),
    reproduces='LensKit 2025.8.1, NDCG with gain="rating"',
    source=LENSKIT.source,
    cite=LENSKIT.cite,
    quirks=(*LENSKIT.quirks, "negative ratings are negative gains, in the ideal too"),
    undefined=LENSKIT.undefined,
)

TRANSFORMERS4REC: Final = Convention(
    name="transformers4rec",
    ideal=TOP,
    default_cutoff="all",
    precision="float32",
    summary="Linear gain; the ideal is the best order of the first k items, so what was not found costs nothing.",
    proven=("ndcg",),
    reproduces="Transformers4Rec 23.12.0, NDCGAt with one cutoff",
    source="transformers4rec/torch/ranking_metric.py",
    cite="de Souza Pereira Moreira et al. 2021, Transformers4Rec: Bridging the Gap between NLP and RecSys, RecSys",
    quirks=("with several cutoffs asked at once, the ideal of each is of the items down to the last",),
    undefined={
        "ties": "torch.topk gives equal scores no order",
        "negative grades": "it divides by a negative ideal",
        "missing queries": "it ranks for every user",
    },
)

IMPLICIT: Final = Convention(
    name="implicit",
    gain=binary(),
    default_cutoff=10,
    nothing_relevant="skip",
    summary="Gain 1 for each held-out item; the ideal has min(k, held-out items) terms; users without one are skipped.",
    proven=("ndcg",),
    reproduces="implicit 0.7.3, ranking_metrics_at_k",
    source="implicit/evaluation.pyx",
    cite="Frederickson, implicit: Fast Python Collaborative Filtering for Implicit Datasets",
    quirks=("with k beyond the number of items, the first item is counted again and again; not reproduced",),
    undefined={"ties": "the model ranks, and promises no order of equal scores; a ranking was handed to the metric"},
)

CORNAC: Final = Convention(
    name="cornac",
    gain=binary(1),
    default_cutoff="all",
    nothing_relevant="skip",
    summary="Gain 1 for each item rated at least 1; users without such an item are left out.",
    proven=("ndcg",),
    reproduces="Cornac 3.0.1, NDCG in ranking_eval",
    source="cornac/metrics/ranking.py, cornac/eval_methods/base_method.py",
    cite="Salah, Truong & Lauw 2020, Cornac: A Comparative Framework for Multimodal Recommender Systems, JMLR 21",
    quirks=(
        "an item counts from the rating 1 on (rating_threshold)",
        "NDCG without k, beside a measure with k, is computed on a list sorted only down to k; not reproduced",
    ),
    undefined={"ties": "the model ranks, and promises no order of equal scores; a ranking was handed to the metric"},
)

RECOMMENDERS_BINARY: Final = Convention(
    name="recommenders-binary",
    gain=binary(),
    default_cutoff=10,
    nothing_relevant="skip",
    summary="Gain 1 for each item of the truth; the ideal has min(k, items) terms.",
    proven=("ndcg",),
    reproduces="recommenders 1.2.1, ndcg_at_k of python_evaluation",
    source="recommenders/evaluation/python_evaluation.py",
    cite="Graham, Min & Wu 2019, Microsoft Recommenders, RecSys",
    quirks=(
        "each row of the truth is a hit, whatever its rating: leave out what is not relevant",
        "users without recommendations count as 0 here, though its precision and recall leave them out",
    ),
)

RECOMMENDERS_RAW: Final = Convention(
    name="recommenders-raw",
    default_cutoff=10,
    nothing_relevant="skip",
    negative="keep",
    summary="The rating itself as gain; users whose ratings are all 0 are left out.",
    proven=("ndcg",),
    reproduces='recommenders 1.2.1, ndcg_at_k with score_type="raw"',
    source=RECOMMENDERS_BINARY.source,
    cite=RECOMMENDERS_BINARY.cite,
    quirks=("negative ratings are negative gains, in the ideal too", RECOMMENDERS_BINARY.quirks[1]),
)

RECOMMENDERS_EXP: Final = Convention(
    name="recommenders-exp",
    gain=EXP2,
    default_cutoff=10,
    nothing_relevant="skip",
    negative="keep",
    summary="As recommenders-raw with the gain 2^rating - 1.",
    proven=("ndcg",),
    reproduces='recommenders 1.2.1, ndcg_at_k with score_type="exp"',
    source=RECOMMENDERS_BINARY.source,
    cite=RECOMMENDERS_BINARY.cite,
    quirks=RECOMMENDERS_RAW.quirks,
)

ELLIOT: Final = Convention(
    name="elliot",
    gain=Gain("exp2", shift=1.0),
    nothing_relevant="skip",
    missing="skip",
    summary="Gain 2^(rating + 1) - 1, so a rating of 0 is worth 1; users without recommendations are left out.",
    proven=("ndcg",),
    reproduces="Elliot 0.3.1, nDCG with its default relevance threshold 0",
    source="elliot/evaluation/metrics/accuracy/ndcg/ndcg.py, elliot/evaluation/relevance/relevance.py",
    cite="Anelli et al. 2021, Elliot: A Comprehensive and Rigorous Framework for Recommender Systems, SIGIR",
    quirks=("the threshold t moves the gain: 2^(rating - t + 1) - 1 from t on; elliot(gain=exp2(0)) is t = 1",),
)

EVIDENTLY: Final = Convention(
    name="evidently",
    ideal=RANKED,
    nothing_relevant="skip",
    missing="skip",
    negative="keep",
    summary="Linear gain; the ideal is the best order of the rows given; users without a relevant row are left out.",
    proven=("ndcg",),
    reproduces="Evidently 0.7.23, NDCGKMetric",
    source="evidently/legacy/metrics/recsys/ndcg_k.py",
    cite="Evidently AI, Evidently",
    quirks=("the newer interface labels each rank one too high",),
    undefined={"ties": "equal scores share the rank below their mean, so NDCG may exceed 1; here they come as given"},
)

RECOMETRICS: Final = Convention(
    name="recometrics",
    default_cutoff=5,
    nothing_relevant="skip",
    missing="skip",
    negative="keep",
    summary="Linear gain; the ideal has min(k, relevant items) terms; users without a relevant item are left out.",
    proven=("ndcg",),
    reproduces="recometrics 0.1.6.post13, calc_reco_metrics",
    source="recometrics.hpp",
    cite="Cortes, recometrics: Library-agnostic Evaluation Framework for Implicit-Feedback Recommender Systems",
    quirks=("it prints no mean: a user without a relevant item is NaN",),
    undefined={
        "ties": "noise decides",
        "negative grades": "they count in DCG but not in the ideal",
        "missing queries": "each user is a row of scores",
    },
)

REXMEX: Final = Convention(
    name="rexmex",
    ideal=RANKED,
    ties="average",
    negative="error",
    summary="scikit-learn's NDCG without a cutoff.",
    proven=("ndcg",),
    reproduces="rexmex 0.1.3, normalized_discounted_cumulative_gain",
    source="rexmex/metrics/ranking.py",
    cite="Rozemberczki et al. 2022, RexMex: A General Purpose Recommender Metrics Library, WWW",
    quirks=("it knows no cutoff",),
    undefined={"missing queries": "there are only rows"},
)

NEUMF: Final = Convention(
    name="neumf",
    gain=binary(),
    ties="worst",
    summary="One item is held out, among sampled others: 1 / log2(rank + 1) if it is in the top k, else 0.",
    proven=("ndcg",),
    reproduces="neural_collaborative_filtering at 4aab159, evaluate_model",
    source="evaluate.py",
    cite="He et al. 2017, Neural Collaborative Filtering, WWW",
    quirks=("the item that is held out stands last among equal scores",),
    undefined={"missing queries": "every user has candidates"},
)
