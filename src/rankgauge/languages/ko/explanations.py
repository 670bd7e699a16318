"""Explanations of a query, in Korean."""

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    "{measure} = {value} for query '{query}', convention: {convention}": (
        "질의 '{query}'의 {measure} = {value}, 규약: {convention}"
    ),
    "rank": "순위",
    "item": "아이템",
    "grade": "등급",
    "gain": "이득",
    "discount": "할인",
    "adds": "더하는 값",
    "ideal item": "이상적 아이템",
    "ideal grade": "이상적 등급",
    "ideal rank": "이상적 순위",
    "cost": "손실",
    "nothing is ranked, so the value is {}": "순위에 아무것도 없으므로 값은 {}입니다",
    "nothing is relevant, so the value is {} {}": "정답이 없으므로 값은 {}입니다 {}",
    "the ideal is 0, so the value is {} {}": "이상적 순위의 합이 0이므로 값은 {}입니다 {}",
    "What costs most of the missing {}:": "모자란 {} 가운데 손실이 가장 큰 아이템:",
    "What costs most of what is missing to the ideal:": "이상적 순위에 모자란 값 가운데 손실이 가장 큰 아이템:",
    "Items that stand higher than in the ideal win back {}.": ("이상적 순위보다 위에 있는 아이템이 {}만큼 되찾습니다."),
    "this query is not in the ranking; {}": "이 질의는 순위에 없음; {}",
    "gains are means over the items that share a score": "이득은 점수가 같은 아이템들의 평균",
    "{hidden:,} more ranks are not shown": "순위 {hidden:,}개를 더 보이지 않음",
    "{items} ranked, fewer than k = {k} and than are relevant": "순위에 {items}, k = {k}보다 적고 정답의 수보다 적음",
}
