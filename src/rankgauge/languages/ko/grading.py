"""Audits of graders and their remarks, in Korean."""

from collections.abc import Mapping
from typing import Final

AUDITS: Final[Mapping[str, str]] = {
    "actions": "행동",
    "candidates": "후보",
    "holdout": "떼어 두기",
    "ratings": "평점",
    "returns": "수익률",
    "unseen": "처음 보는 아이템",
    "rows": "행",
    "rows in": "읽은 행",
    "dropped: {}": "버림: {}",
    "graded": "등급을 매김",
    "held out": "떼어 둠",
    "left": "남음",
    "  grade {grade:g}": "  등급 {grade:g}",
    "items": "아이템",
    "refused": "등급을 매기지 않은 까닭",
    "{n:,} rows": "{n:,}행",
    "{n:,} users": "사용자 {n:,}명",
    "{}, {:,} of them with nothing above 0": "{}, 그 가운데 0보다 큰 등급이 없는 것 {:,}",
    "{n:,} grades are below 0; most conventions count them as 0": (
        "0보다 작은 등급 {n:,}개; 대부분의 규약은 0으로 계산"
    ),
    "more than {}, from {:.6g} to {:.6g}": "{}가지보다 많음, {:.6g}부터 {:.6g}까지",
}

ACTIONS: Final[Mapping[str, str]] = {
    "no query or item": "질의나 아이템 없음",
    "no time": "시각 없음",
    "{} has grade {}, {}": "{}의 등급 {}, {}",
    "of several actions on an item, the highest grade counts": "한 아이템에 행동이 여럿이면 가장 높은 등급",
    "the grades of several actions on an item add up": "한 아이템에 행동이 여럿이면 등급의 합",
    "{}, to at most {}": "{}, 최대 {}",
    "of several actions on an item, the last counts; of several at that time, the highest grade": (
        "한 아이템에 행동이 여럿이면 마지막 것; 그 시각에 여럿이면 가장 높은 등급"
    ),
    "a view is a visit to an item's page and graded like a click: the log has no clicks and no impressions": (
        "조회는 아이템 페이지의 방문이므로 클릭과 같은 등급: 로그에 클릭도 노출도 없음"
    ),
    "a grade halves each {} before {}": "{1} 이전 {0}마다 등급이 절반이 됨",
    "day": "하루",
    "{:g} days": "{:g}일",
    "{} in the units of {!r}": "{1!r}의 단위로 {0}",
    "the grade of a row is multiplied by its {!r}": "행의 등급에 {!r} 값을 곱함",
    "items that are not in the log are unjudged": "로그에 없는 아이템은 판정되지 않은 것으로 봄",
    "{n:,} items have several": "값이 여럿인 아이템 {n:,}개",
    "the lowest position of its rows is kept, whichever of them has the grade": (
        "등급이 어느 행의 것이든 가장 낮은 위치를 남김"
    ),
    "the highest propensity of its rows is kept, whichever of them has the grade": (
        "등급이 어느 행의 것이든 가장 높은 성향 점수를 남김"
    ),
    "query {!r}, item {!r}": "질의 {!r}, 아이템 {!r}",
    "{} of the row {!r}": "{1!r} 행의 {0}",
    "{}: {}, not {}": "{}: 남긴 값 {}, 버린 값 {}",
}

RATINGS: Final[Mapping[str, str]] = {
    "no user or item": "사용자나 아이템 없음",
    "no rating": "평점 없음",
    "a rating is the grade": "평점이 곧 등급",
    "a rating of at least {} is the grade; a lower one has 0": "{} 이상의 평점이 등급; 그보다 낮으면 0",
    "a rating of at least {} is the grade; a lower one has its distance from that, which is negative": (
        "{} 이상의 평점이 등급; 그보다 낮으면 그 값과의 차이(음수)"
    ),
    "the grade is how many of {} the rating reaches; {} for none": (
        "등급은 평점이 넘은 기준의 수: {}; 하나도 못 넘으면 {}"
    ),
    "the grade is the rating less the mean of the user's ratings, 0 below it": (
        "등급은 평점에서 그 사용자의 평균을 뺀 값, 평균보다 낮으면 0"
    ),
    "the grade is the rating less the mean of the user's ratings, negative below it": (
        "등급은 평점에서 그 사용자의 평균을 뺀 값, 평균보다 낮으면 음수"
    ),
    "from {:.6g} to {:.6g}, mean {:.6g}": "{:.6g}부터 {:.6g}까지, 평균 {:.6g}",
    "{n:,} users have no other, and the grade 0": "다른 평점이 없어 등급이 0인 사용자 {n:,}명",
    "items without a rating are unjudged": "평점이 없는 아이템은 판정되지 않은 것으로 봄",
}

HELD_OUT: Final[Mapping[str, str]] = {
    "no user": "사용자 없음",
    "no item": "아이템 없음",
    "not the first of repeats": "되풀이 가운데 첫 번째가 아님",
    "not the last of repeats": "되풀이 가운데 마지막이 아님",
    "the last {n:,} interactions of each user by {time!r}": "사용자마다 {time!r} 순서로 마지막 상호작용 {n:,}개",
    "equal times go by the item ids, in the order of texts": "시각이 같으면 아이템 id를 글자로 비교한 순서",
    "the last {:g} of each user's interactions by {!r}, rounded down": (
        "사용자마다 {1!r} 순서로 상호작용의 마지막 {0:g}, 소수점 아래 버림"
    ),
    "everything with {!r} at {} or later": "{!r} 값이 {} 이후인 모든 것",
    "{:g} of each user's interactions, rounded down, drawn with seed {}": (
        "사용자마다 상호작용의 {:g}, 소수점 아래 버림, 시드 {} 무작위 추출"
    ),
    "who would have nothing left for training": "떼어 두면 학습할 것이 남지 않음",
    "who have nothing then or later": "그때나 그 뒤의 기록이 없음",
    "whose {:g} is less than one interaction": "상호작용 수의 {:g} 비율이 하나보다 적음",
    "{}, {:,} with a truth": "{}, 정답이 있는 사용자 {:,}명",
    "{} and {:,} without, {}": "{}, 없는 사용자 {:,}명 ({})",
    "{n:,} users have a truth and no training": "정답은 있으나 학습 기록이 없는 사용자 {n:,}명",
    "items of the truth that training never has: {:,}, in {}": "학습 기록에 없는 정답 아이템 {:,}개, {}",
    "{} with a truth, {:,} random items of {:,} for each": (
        "정답이 있는 {0}, 각각 전체 아이템 {2:,}개 가운데 무작위 {1:,}개"
    ),
    "{n:,} users have fewer, because they had nearly all items": (
        "거의 모든 아이템을 이미 이용해 후보가 모자란 사용자 {n:,}명"
    ),
    "measures of sampled candidates are not those of all items: even the order of two systems may change "
    "(Krichene & Rendle 2020, On Sampled Metrics for Item Recommendation); rank all items where you can": (
        "표본 후보로 잰 값은 모든 아이템으로 잰 값과 다르며 두 시스템의 우열도 바뀔 수 있음 "
        "(Krichene & Rendle 2020, On Sampled Metrics for Item Recommendation); 되도록 모든 아이템의 순위를 매길 것"
    ),
    "seen in training": "학습에서 이미 봄",
    "{lost:,} of {n:,} ranked users lost items, {emptied:,} of them all": (
        "순위가 있는 사용자 {n:,}명 가운데 {lost:,}명의 아이템을 뺐고, 그 가운데 {emptied:,}명은 모두 빠짐"
    ),
    "every user of the truth is in the ranking": "정답의 모든 사용자가 순위에 있음",
    "{:,} of {:,} users of the truth are not in the ranking": "정답의 사용자 {1:,}명 가운데 {0:,}명이 순위에 없음",
}
