"""Remarks on inputs and settings, in Korean."""

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    # Settings
    "only the first {depth:,} ranked items of a query count": "질의마다 순위의 처음 {depth:,}개만 계산",
    "{level:g} does not apply to {measures}; write ndcg(gain=binary({level:g}))@10": (
        "다음 지표에는 {level:g} 기준이 적용되지 않음: {measures}; ndcg(gain=binary({level:g}))@10처럼 적어야 함"
    ),
    "{convention}: proven for {proven}; {measures} are ours": (
        "{convention}: 도구와 같은 값임을 확인한 지표 {proven}; 우리가 정한 지표 {measures}"
    ),
    "{} measures (`rankgauge conventions {}`)": "{}개 (`rankgauge conventions {}`)",
    # Columns
    "judgments": "정답",
    "ranking": "순위",
    "{n:,} columns": "열 {n:,}개",
    "{n:,} files": "파일 {n:,}개",
    "no column of grades, so every listed item has grade 1": "등급 열이 없어 모든 아이템의 등급을 1로 봄",
    "the values of {:,} queries do not fit into {:,} bytes; means and intervals are from exact sums": (
        "질의 {:,}개의 값이 {:,}바이트에 들어가지 않음; 평균과 구간은 정확한 합에서 계산"
    ),
    "no column of scores or ranks, so items are ranked in the order of {!r}": (
        "점수나 순위 열이 없어, 아이템은 열 {!r}의 차례로 순위를 매김"
    ),
    "no column of scores or ranks, so items are ranked in the order of the rows": (
        "점수나 순위 열이 없어 행의 순서를 순위로 봄"
    ),
    "no column of scores or ranks; {!r}, which is called like a grade, was taken for the score": (
        "점수나 순위 열 없음; 이름이 등급 같은 {!r} 열을 점수로 씀"
    ),
    "no column of scores or ranks; {!r} counts from 1 in each query and was taken for the rank": (
        "점수나 순위 열 없음; 질의마다 1부터 세는 {!r} 열을 순위로 씀"
    ),
    "no column of scores or ranks; {!r}, the only number, was taken for the rank, lowest first": (
        "점수나 순위 열 없음; 하나뿐인 숫자 열 {!r}, 낮은 것부터 순위로 씀"
    ),
    "no column of scores or ranks; {!r}, the only number, was taken for the score, highest first": (
        "점수나 순위 열 없음; 하나뿐인 숫자 열 {!r}, 높은 것부터 점수로 씀"
    ),
    "no column of grades, but one of ranks, {!r}, as rankings have": "등급 열은 없고, 순위 표처럼 순위 열 {!r} 있음",
    "no column of grades; {!r}, which is called like a score and has fractions, was taken for them": (
        "등급 열 없음; 이름이 점수 같고 소수가 있는 {!r} 열을 등급으로 씀"
    ),
    "{names} hold numbers and were not used; columns_judgments={{'grade': {first!r}}} or "
    "--columns-judgments {switch} takes the first for the grade": (
        "수가 있으나 쓰지 않은 열: {names}; 등급으로 쓰려면 columns_judgments={{'grade': {first!r}}} 또는 "
        "--columns-judgments {switch}"
    ),
    "the judgments have {}; the ranking has {}": "정답: {}; 순위: {}",
    "{!r} of one table was taken for the grade and for the score": "한 표의 {!r} 열을 등급으로도 점수로도 씀",
    "lists": "목록",
    "few whole numbers, from {} to {}, as grades are": "등급처럼 {}에서 {}까지 몇 가지 정수",
    "the judgments also have {}": "정답 표의 다른 열: {}",
    "the ranking also has {}": "순위 표의 다른 열: {}",
    "{} for {} ({!r} was taken)": "{1} 열로 볼 수 있는 {0} ({2!r} 열을 씀)",
    "{} and {}": "{}, {}",
    "the fourth column": "넷째 열",
    "the column {!r}": "{!r} 열",
    "the first line, {!r}, was taken for a header and is no row": "첫 줄 {!r}, 머리글로 보아 행에서 뺌",
    "{!r} may be a header and was read as a row": "{!r}, 머리글일 수 있으나 행으로 읽음",
    "by their values the columns are {}": "값으로 알아본 열: {}",
    "{column} gives the best rank to the lowest score in {n:,} of {queries} among the first {rows:,} rows": (
        "{column}: 처음 {rows:,}행의 {queries} 가운데 {n:,}개에서 가장 낮은 점수가 가장 좋은 순위임"
    ),
    "{column} is not in the order of the scores in {n:,} of {queries} among the first {rows:,} rows": (
        "{column}: 처음 {rows:,}행의 {queries} 가운데 {n:,}개에서 점수의 순서와 다름"
    ),
    # Arrays and cases
    "known by their positions, counted from 0": "0부터 센 위치로 구별",
    "read as query ids": "질의 id로 읽음",
    "read as boundaries": "경계로 읽음",
    "read as sizes": "크기로 읽음",
    "{n:,} queries have no rows": "행이 없는 질의 {n:,}개",
    "all {:,} rows, since there are no groups": "묶음이 없어 {:,}행 모두가 한 질의",
    "each of the {:,} rows has one column": "{:,}행 모두 열이 하나",
    "{:,} of {:,} places have no item (NaN or mask)": "자리 {1:,}개 가운데 아이템이 없는 자리 {0:,}개 (NaN 또는 mask)",
    # Items and grades
    "for {} the grade of an item is the highest of its subtopics": (
        "다음 지표에서 아이템의 등급은 하위 주제의 등급 가운데 가장 높은 것: {}"
    ),
    "{:,} of {:,}; {}: {}": "{1:,}개 가운데 {0:,}개; {2}: {3}",
    "no ranked item is judged in {apart:,} of {queries} that were looked at; "
    "query {query!r} has {ranked} ranked and {judged} judged": (
        "살펴본 {queries} 가운데 {apart:,}개에서 순위의 아이템이 정답에 하나도 없음; "
        "질의 {query!r}: 순위에는 {ranked}, 정답에는 {judged}"
    ),
    "{!r} and {!r} differ only in {}": "{!r}, {!r}: {}만 다름",
    "blanks at the ends": "앞뒤의 공백",
    "leading zeros": "앞에 붙은 0",
    "a decimal point, as of ids that were floats": "소수점(실수로 저장된 id)",
    "upper and lower case": "대소문자",
    "their Unicode form (NFC and NFD)": "유니코드 형식(NFC와 NFD)",
    "quotes": "따옴표",
    "a prefix": "앞에 붙은 글자",
    "an ending": "뒤에 붙은 글자",
}
