"""What trainers of rankers compute, and the metrics of neural network libraries."""

from __future__ import annotations

from typing import Final

from rankgauge.conventions.convention import Convention
from rankgauge.conventions.terms import EXP2, RANKED, RECIPROCAL

ONLY_ROWS: Final = {"missing queries": "there are only rows"}
UNSTABLE: Final = "its sort is not stable"
SHUFFLED: Final = "it shuffles equal scores at random"
# Divided by the number of relevant rows, or by k if there are more. Relevant is a label above 0.5, as a 32-bit float.
CAPPED_MAP: Final = "capped_map(rel=0.50000003,relevant=ranked)"

LIGHTGBM: Final = Convention(
    name="lightgbm",
    gain=EXP2,
    ideal=RANKED,
    nothing_relevant="one",
    negative="error",
    summary="Gain 2^grade - 1; ties in row order; the ideal is the best order of the rows; nothing relevant is 1.",
    measures={"map": CAPPED_MAP},
    proven=("ndcg", "map"),
    reproduces="LightGBM 4.7.0, metrics ndcg and map",
    source="src/metric/rank_metric.hpp, dcg_calculator.cpp, map_metric.hpp",
    cite="Ke et al. 2017, LightGBM: A Highly Efficient Gradient Boosting Decision Tree, NIPS",
    quirks=(
        "a query without a relevant row counts as 1, which flatters sparse data",
        "with weights such a query counts unweighted, so the mean may exceed 1; weights are not reproduced",
        "map@k is divided by min(relevant rows, k); a row is relevant if its label is above 0.5",
    ),
    undefined={"fractional grades": "it takes whole grades only, unless label_gain is given", **ONLY_ROWS},
)

XGBOOST_MEASURES: Final = {"map": "capped_map(relevant=ranked)@32", "auc": "concordance"}

XGBOOST: Final = Convention(
    name="xgboost",
    gain=EXP2,
    ideal=RANKED,
    default_cutoff=32,
    precision="float32",
    nothing_relevant="one",
    negative="error",
    summary="As lightgbm, but scores are 32-bit floats, which makes near ones equal, and ndcg without k is cut at 32.",
    measures=XGBOOST_MEASURES,
    proven=("ndcg", "map", "auc"),
    reproduces="XGBoost 3.2.0, metrics ndcg, map and auc",
    source="src/metric/rank_metric.cc, src/metric/auc.cc, src/common/ranking_utils.h",
    cite="Chen & Guestrin 2016, XGBoost: A Scalable Tree Boosting System, KDD",
    quirks=(
        "ndcg without k is ndcg@32, and map is map@32",
        "a query without a relevant row counts as 1, and unweighted where there are weights",
        "map@k is divided by min(relevant rows, k); it refuses labels other than 0 and 1",
        "auc counts all pairs of rows, those with equal labels as if the earlier row were the better one",
    ),
    undefined={"fractional grades": "the exponential gain takes whole grades up to 31", **ONLY_ROWS},
)

XGBOOST_MINUS: Final = Convention(
    name="xgboost-minus",
    gain=EXP2,
    ideal=RANKED,
    default_cutoff=32,
    precision="float32",
    negative="error",
    summary="As xgboost, but a query without a relevant row counts as 0.",
    measures=XGBOOST_MEASURES,
    proven=("ndcg", "map"),
    reproduces="XGBoost 3.2.0, metrics ndcg-, ndcg@k-, map- and map@k-",
    source=XGBOOST.source,
    cite=XGBOOST.cite,
    quirks=("ndcg- and map- without k are cut at 32",),
    undefined=XGBOOST.undefined,
)

XGBOOST_LINEAR: Final = Convention(
    name="xgboost-linear",
    ideal=RANKED,
    default_cutoff=32,
    precision="float32",
    nothing_relevant="one",
    negative="keep",
    summary="As xgboost with the grade itself as gain; negative grades pass unchecked.",
    measures=XGBOOST_MEASURES,
    proven=("ndcg", "map", "auc"),
    reproduces="XGBoost 3.2.0, metrics ndcg with ndcg_exp_gain=false, map and auc",
    source=XGBOOST.source,
    cite=XGBOOST.cite,
    quirks=("negative grades are negative gains; an ideal of 0 or less counts as 1",),
    undefined=ONLY_ROWS,
)

CATBOOST_MEASURES: Final = {
    "map": "capped_map(rel=0.50000003,relevant=ranked,nothing_relevant=zero)",
    "mrr": "mrr(rel=0.50000003)",
    "err": "err(gain=share(1),nothing_relevant=zero)",
    "auc": "auc(rel=0.50000003,nothing_relevant=zero)",
}

CATBOOST: Final = Convention(
    name="catboost",
    ideal=RANKED,
    ties="worst",
    nothing_relevant="one",
    negative="keep",
    summary="Linear gain; of equal scores the lowest grade comes first; nothing relevant is 1.",
    measures=CATBOOST_MEASURES,
    proven=("ndcg", "dcg", "map", "mrr", "err", "auc"),
    reproduces="CatBoost 1.2.10 on the CPU, metrics NDCG, DCG, MAP, MRR, ERR and QueryAUC",
    source="catboost/libs/metrics/dcg.cpp, doc_comparator.h, precision_recall_at_k.cpp, metric.cpp",
    cite="Prokhorenkova et al. 2018, CatBoost: unbiased boosting with categorical features, NeurIPS",
    quirks=(
        "ties are settled against the model: a constant score is worth the worst order",
        "it is not computed on the training data unless asked; on the GPU a query without relevant rows is 0",
        "in MAP and ERR a query without a relevant row is 0; MAP is divided by min(relevant rows, k)",
        "PrecisionAt and RecallAt ask which scores are above 0.5, so they are no measures of a ranking",
    ),
    undefined=ONLY_ROWS,
)

CATBOOST_EXP: Final = Convention(
    name="catboost-exp",
    gain=EXP2,
    ideal=RANKED,
    ties="worst",
    nothing_relevant="one",
    negative="keep",
    summary="As catboost with the gain 2^grade - 1.",
    measures=CATBOOST_MEASURES,
    proven=("ndcg", "dcg"),
    reproduces="CatBoost 1.2.10 on the CPU, metrics NDCG:type=Exp and DCG:type=Exp",
    source=CATBOOST.source,
    cite=CATBOOST.cite,
    quirks=CATBOOST.quirks,
    undefined=ONLY_ROWS,
)

CATBOOST_POSITION: Final = Convention(
    name="catboost-position",
    discount=RECIPROCAL,
    ideal=RANKED,
    ties="worst",
    nothing_relevant="one",
    negative="keep",
    summary="As catboost with the discount 1 / rank.",
    measures=CATBOOST_MEASURES,
    proven=("ndcg", "dcg"),
    reproduces="CatBoost 1.2.10 on the CPU, metrics NDCG:denominator=Position and DCG:denominator=Position",
    source=CATBOOST.source,
    cite=CATBOOST.cite,
    quirks=CATBOOST.quirks,
    undefined=ONLY_ROWS,
)

ALLRANK: Final = Convention(
    name="allrank",
    gain=EXP2,
    ideal=RANKED,
    precision="float32",
    nothing_relevant="one",
    negative="error",
    summary="Gain 2^grade - 1 in 32 bits; the ideal is the best order of the slate; nothing relevant is 1.",
    proven=("ndcg",),
    reproduces="allRank 1.4.3, metrics.ndcg",
    source="allrank/models/metrics.py",
    cite="Pobrotyn et al. 2020, Context-Aware Learning to Rank with Self-Attention, SIGIR eCom",
    quirks=("a slate without a relevant item counts as 1 (filler_value)",),
    undefined={"ties": UNSTABLE, "negative grades": "-1 is padding", **ONLY_ROWS},
)

TF_RANKING: Final = Convention(
    name="tf-ranking",
    gain=EXP2,
    ideal=RANKED,
    precision="float32",
    negative="drop",
    summary="Gain 2^grade - 1 in 32 bits; negative grades are padding; nothing relevant is 0, and counts.",
    proven=("ndcg",),
    reproduces="tensorflow-ranking 0.5.5, NDCGMetric",
    source="tensorflow_ranking/python/metrics_impl.py, utils.py",
    cite="Pasumarthi et al. 2019, TF-Ranking: Scalable TensorFlow Library for Learning-to-Rank, KDD",
    quirks=("an item with a negative grade is padding: it has no rank",),
    undefined={"ties": SHUFFLED, **ONLY_ROWS},
)

KERAS_RS: Final = Convention(
    name="keras-rs",
    gain=EXP2,
    ideal=RANKED,
    precision="float32",
    negative="drop",
    summary="As tf-ranking, for Keras 3.",
    proven=("ndcg",),
    reproduces="keras-rs 0.4.0, NDCG",
    source="keras_rs/src/metrics/ndcg.py, ranking_metrics_utils.py",
    cite=TF_RANKING.cite,
    quirks=TF_RANKING.quirks,
    undefined={"ties": SHUFFLED, **ONLY_ROWS},
)

RANKLIB: Final = Convention(
    name="ranklib",
    gain=EXP2,
    ideal=RANKED,
    negative="error",
    summary="Gain 2^grade - 1; ties in row order; the ideal is the best order of the rows; nothing relevant is 0.",
    proven=("ndcg",),
    reproduces="RankLib 2.10.1, NDCG@k",
    source="ciir/umass/edu/metric/NDCGScorer.java, DCGScorer.java",
    cite="Dang, The Lemur Project: RankLib",
    quirks=(
        "NDCG without k is NDCG@10 on its command line; here it is the whole list",
        "the ideal of a query id is kept, and used again for another query of that id; not reproduced",
    ),
    undefined={"fractional grades": "it cuts grades to whole numbers, where rankgauge keeps them", **ONLY_ROWS},
)

TORCHMETRICS: Final = Convention(
    name="torchmetrics",
    ideal=RANKED,
    ties="average",
    precision="float32",
    negative="error",
    summary="As sklearn in 32 bits; nothing relevant is 0, and counts.",
    proven=("ndcg",),
    reproduces="torchmetrics 1.9.0, RetrievalNormalizedDCG",
    source="torchmetrics/functional/retrieval/ndcg.py, retrieval/base.py",
    cite="Detlefsen et al. 2022, TorchMetrics - Measuring Reproducibility in PyTorch, JOSS",
    quirks=("the function takes all of its input for one query, whatever its shape; the class takes indexes",),
    undefined={"negative grades": "its class and its function contradict each other", **ONLY_ROWS},
)
