"""Results of an evaluation and what is remarked on them, in Korean."""

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # Headers
    "measure": "지표",
    "mean": "평균",
    "{level:.0%} from": "{level:.0%} 하한",
    "to": "상한",
    "queries": "질의",
    "query": "질의",
    # Charts
    "Means": "평균",
    "Means of {}": "{}의 평균",
    "{} by query": "질의별 {}",
    # Counts
    "{n:,} queries": "질의 {n:,}개",
    "{n:,} items": "아이템 {n:,}개",
    "{n:,} ranked items": "순위의 아이템 {n:,}개",
    "{n:,} places": "자리 {n:,}개",
    "{n:,} cells": "칸 {n:,}개",
    # Remarks
    "{}. Hint: {}": "{}. 해결 방법: {}",
    "{name} (gain {gain}, discount {discount}, ideal {ideal})": (
        "{name} (이득 {gain}, 할인 {discount}, 이상적 순위 {ideal})"
    ),
    "{evaluated:,} evaluated of {judged:,} judged and {ranked:,} ranked": (
        "정답이 있는 {judged:,}개와 순위가 있는 {ranked:,}개 가운데 {evaluated:,}개 평가"
    ),
    "{queries} judged but not in the ranking": "정답은 있으나 순위에 없는 {queries}",
    "{queries} judged but in no run": "정답은 있으나 어느 실행에도 없는 {queries}",
    "{queries} in the ranking without judgments": "순위에 있으나 정답이 없는 {queries}",
    "{queries} with an empty ranking": "순위가 비어 있는 {queries}",
    "{queries} with equal scores in the ranks that count": "계산에 들어가는 순위에 동점이 있는 {queries}",
    "{queries} with equal scores, for which equality with {name} is not claimed: {why}": (
        "동점이 있는 {queries}; {name} 도구의 값과 같다고 보장하지 않음: {why}"
    ),
    "{queries} with fewer ranked items than k and than are relevant": (
        "순위의 아이템이 k보다 적고 정답의 수보다 적은 {queries}"
    ),
    "the ideal ends with the list (ideal=list-length); to let it go on to k, use {name}": (
        "이상적 순위는 목록의 길이에서 끝남 (ideal=list-length); k까지 잇는 규약은 {name}"
    ),
    "the ideal goes on to k (ideal=judged); to end it with the list, use {name}": (
        "이상적 순위는 k까지 이어짐 (ideal=judged); 목록의 길이에서 끝내는 규약은 {name}"
    ),
    "{items:,} of {positions:,} items in the ranking": "순위 전체의 아이템 {positions:,}개 가운데 {items:,}개",
    "{items:,} of {positions:,} items in the top {tops} and the whole ranking": (
        "상위 {tops}위와 순위 전체의 아이템 {positions:,}개 가운데 {items:,}개"
    ),
    "{items:,} of {positions:,} items in the top {tops}": "상위 {tops}위의 아이템 {positions:,}개 가운데 {items:,}개",
    "{queries} whose distinct scores are equal as 32-bit floats, which the tool compares (precision=float32)": (
        "서로 다른 점수가 32비트 소수로는 같아지는 {queries}; 도구는 32비트 소수를 비교함 (precision=float32)"
    ),
    "{queries} whose distinct scores are equal as 64-bit floats, so that their order is lost": (
        "서로 다른 점수가 64비트 소수로는 같아져 순서를 잃은 {queries}"
    ),
    "{places} with the label 0 and the score NaN, taken for padding": (
        "등급이 0이고 점수가 NaN이어서 채움으로 본 {places}"
    ),
    "{items} with the score -inf, ranked last": "점수가 -inf여서 맨 뒤에 놓인 {items}",
    "added up over the queries": "질의의 값을 더한 합",
    "geometric means, of at least 0.00001 a query": "기하 평균, 질의의 값은 적어도 0.00001",
    "means weighted by the number of ranked items": "순위의 아이템 수로 가중한 평균",
    "of all queries together, without an interval": "질의 전체의 값 하나, 구간 없음",
    "{items} {reasons}, removed before ranking ({answers})": (
        "순위를 매기기 전에 제거된 {items}: {reasons} ({answers})"
    ),
    "{} or {}": "{} 또는 {}",
    "without a grade": "등급 없음",
    "with a negative grade": "음수 등급",
    "with the id of their query": "질의와 같은 id",
    "{n:,} queries are too few for an interval, which takes at least {fewest}": (
        "질의 {n:,}개로는 구간을 구할 수 없음, 적어도 {fewest}개 필요"
    ),
    # Examples of measures
    "example: {}": "예: {}",
    "{} judged; {} ranked: {}": "정답 {}; 순위 {}: {}",
    # Outputs
    "a spreadsheet would run {cells}, such as {example!r}": "스프레드시트가 수식으로 실행할 {cells}, 예: {example!r}",
}

# The demonstration.
DEMO: Final[Mapping[str, str]] = {
    "A search engine: 40 queries, documents graded 0 to 3, the engine's 20 best documents each.": (
        "검색 엔진: 질의 40개, 등급 0–3의 문서, 질의마다 엔진이 고른 문서 20개."
    ),
    "A recommender: 60 users, the items that they bought later, 10 recommendations each.": (
        "추천 시스템: 사용자 60명, 나중에 산 아이템, 한 사람에 추천 10개."
    ),
    "A stock-ranking model: 24 dates, 30 stocks graded by the quintile (0 to 4) of their 5-day forward return, "
    "scored by a model.": (
        "종목 순위 모델: 날짜 24개, 5일 후 수익률의 분위수(0–4)로 등급을 매긴 종목 30개, 모델이 매긴 점수."
    ),
    "A random order is worth 0.3467 here with gain exp2, and 0.5000 with linear gain.": (
        "여기서 무작위 순서의 값은 지수 이득(exp2)으로 0.3467, 선형 이득으로 0.5000입니다."
    ),
    "Why does query {} of the search engine have its value?": "검색 엔진의 질의 {}, 왜 이런 값이 나왔을까요?",
}

# What the answers of conventions mean.
ANSWERS: Final[Mapping[str, str]] = {
    "by item id, bytewise, last first": "아이템 id의 바이트 역순",
    "by item id, bytewise, first first": "아이템 id의 바이트 순서",
    "as they came": "주어진 순서",
    "the reverse of how they came": "주어진 순서의 반대",
    "the mean over all their orders": "모든 순서의 평균",
    "lowest grade first": "낮은 등급부터",
    "highest grade first": "높은 등급부터",
    "0, and it counts": "0으로 평균에 포함",
    "1, and it counts": "1로 평균에 포함",
    "NaN, and so is the mean": "NaN, 평균도 NaN",
    "left out of the mean": "평균에서 제외",
    "an error": "오류",
    "counted as an empty ranking, worth 0": "빈 순위로 보아 0으로 포함",
    "gain 0, and it keeps its rank": "이득 0, 순위는 그대로",
    "removed before ranking, as is one with a negative grade that counts as 0": (
        "순위를 매기기 전에 제거, 0으로 치는 음수 등급도 제거"
    ),
}
