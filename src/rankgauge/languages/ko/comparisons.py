"""Comparisons of runs, segments, human and machine labels, and conventions, in Korean."""

from collections.abc import Mapping
from typing import Final

RUNS: Final[Mapping[str, str]] = {
    # Headers
    "run": "실행",
    "pair": "비교 쌍",
    "difference": "차이",
    "Differences in {}": "{}의 차이",
    "{} less {}, query by query": "질의별 {} − {}",
    "adjusted": "보정된 p",
    "effect": "효과 크기",
    "better": "나음",
    "worse": "못함",
    "equal": "같음",
    "deviation": "표준편차",
    "queries needed": "필요한 질의",
    "shown {power:.0%}": "{power:.0%} 확률로 보이는 차이",
    "within {margin:g}: p": "{margin:g} 이내: p",
    "most moved ({})": "가장 많이 바뀐 질의 ({})",
    # The first line
    "{first} is better than {second} by {difference} ({ends}), {p}; {counts}": (
        "{first}: {second}보다 {difference}만큼 나음 ({ends}), {p}; {counts}"
    ),
    "{first} is worse than {second} by {difference} ({ends}), {p}; {counts}": (
        "{first}: {second}보다 {difference}만큼 못함 ({ends}), {p}; {counts}"
    ),
    "no difference shown between {first} and {second}: {difference} ({ends}), {p}; {counts}": (
        "{first}, {second}: 차이가 드러나지 않음, {difference} ({ends}), {p}; {counts}"
    ),
    "these {} would show a difference of {} 80% of the time": "이 {}들로는 {}의 차이를 80% 확률로 찾아냄",
    "{} and {} cannot be compared: no {} counts for both": "{}, {}: 비교할 수 없음, 둘 다에 해당하는 {} 없음",
    "{wins} better, {losses:,} worse, {ties:,} equal": "나아진 {wins}, 나빠진 것 {losses:,}개, 같은 것 {ties:,}개",
    "{level:.0%} {low} to {high}": "{level:.0%} 구간 {low} – {high}",
    "no interval": "구간 없음",
    "unknown": "알 수 없음",
    "--lang has no effect: reports are in English": "--lang을 적용하지 않음: 보고서는 영어로 작성",
    # Remarks
    "{n:,} comparisons": "비교 {n:,}개",
    "{queries} compared, the same for every run": "모든 실행에 공통인 {queries} 비교",
    "{} by {}; {}": "{}, {}; {}",
    "the paired randomisation test": "짝지은 무작위화 검정",
    "Student's paired t test": "스튜던트의 짝지은 t 검정",
    "Wilcoxon's signed-rank test": "윌콕슨의 부호 순위 검정",
    "the sign test": "부호 검정",
    "the studentised bootstrap test": "스튜던트화 부트스트랩 검정",
    "Holm's correction": "홀름 보정",
    "randomised Tukey HSD": "무작위화 튜키 HSD",
    "Benjamini and Hochberg's correction": "벤저미니와 호크버그의 보정",
    "no correction": "보정 없음",
    "{} over the {:,} of each measure": "지표마다 비교 {1:,}개에 대해 {0}",
    "one of each measure, so none is corrected": "지표마다 하나이므로 보정하지 않음",
    "not corrected": "보정하지 않음",
    "▲ better, ▼ worse than {} ({})": "{}보다 ▲ 나음, ▼ 못함 ({})",
    "adjusted p < {alpha:.2g}": "보정된 p < {alpha:.2g}",
    "adjusted p {}": "보정된 p {}",
    "a raised number counts the runs that this one is better than ({})": ("위 첨자는 이 실행보다 못한 실행의 수 ({})"),
    "a letter names a run that this one is better than ({})": "글자는 이 실행보다 못한 실행 ({})",
    "it does not test means: with few big wins and many small losses of equal means it errs in nearly all "
    "comparisons at 50 queries": (
        "평균을 검정하지 않음: 평균은 같으나 몇 번 크게 이기고 여러 번 조금 지면, 질의 50개에서 거의 모든 비교가 틀림"
    ),
    "{run} {items:,} of {positions:,} ({value:.0%})": "{run} {positions:,}개 가운데 {items:,}개 ({value:.0%})",
    "in the ranking: {shares}": "순위 전체: {shares}",
    "in the top {top}: {shares}": "상위 {top}위: {shares}",
    "{high:.0%} of the items of {more} have no judgment, {low:.0%} of those of {fewer}: {more} may be better than it "
    "looks": (
        "판정되지 않은 아이템이 {more}에 {high:.0%}, {fewer}에 {low:.0%}: {more} 쪽이 보이는 것보다 나을 수 있음"
    ),
    "{run} lacks {count:,} ({examples})": "{run}에 없는 질의 {count:,}개 ({examples})",
    "means are over the {queries} that all runs have (missing=skip)": (
        "평균은 모든 실행에 있는 {queries}의 평균 (missing=skip)"
    ),
    "{}; a query that a run lacks counts 0 for it": "{}; 실행에 없는 질의는 0으로 계산",
    "more than {most:,}, so their values stay on the cluster, and exact sums are compared: {test}, {correction}": (
        "{most:,}개보다 많아 값은 클러스터에 두고 정확한 합을 비교: {test}, {correction}"
    ),
}

SEGMENTS: Final[Mapping[str, str]] = {
    "{n:,} segments": "세그먼트 {n:,}개",
    "{segments} of {queries}, by {name}": "{queries}, {name} 기준으로 {segments}",
    "{n:,} other queries have a segment": "평가하지 않은 질의 {n:,}개에도 세그먼트가 있음",
    "{}: fewer than {} queries, too few for an interval": "{}: 질의가 {}개보다 적어 구간을 구할 수 없음",
    "{}: fewer than {} queries, so intervals are rough": "{}: 질의가 {}개보다 적어 구간이 정확하지 않음",
    "{:,} of {} ({}), shown as {}": "{1} 가운데 {0:,}개 ({2}), {3} 표시",
    "{}: no query was evaluated": "{}: 평가한 질의가 없음",
    "{} and {:,} more": "{} 외 {:,}개",
    "{measures}: of all queries together, so not by segment": "{measures}: 질의 전체의 값이므로 세그먼트로 나누지 않음",
    "{} within segments of at least {} queries; Holm's correction over {}": (
        "질의가 {1}개 이상인 세그먼트에서 {0}; {2} 홀름 보정"
    ),
    "{} within segments of at least {} queries with human labels; Holm's correction over {}": (
        "사람이 판정한 질의가 {1}개 이상인 세그먼트에서 {0}; {2} 홀름 보정"
    ),
    "{}: fewer than {} queries with human labels, too few for an estimate": (
        "{}: 사람이 판정한 질의가 {}개보다 적어 추정할 수 없음"
    ),
    "the {:,} of each measure": "지표마다 {:,}개에 대해",
    "those of each measure": "지표마다",
}

LABELS: Final[Mapping[str, str]] = {
    "machine": "기계",
    "human": "사람",
    "human queries": "사람이 판정한 질의",
    "effective": "유효 수",
    "human labels: {}": "사람 판정: {}",
    "machine labels of {queries}, corrected by human labels of {sample:,} of them; right whatever the machine's "
    "bias, if the {sample:,} are a random sample": (
        "기계가 판정한 {queries}, 그 가운데 사람이 판정한 {sample:,}개로 보정; "
        "{sample:,}개가 무작위 표본이면 기계의 편향과 관계없이 옳음"
    ),
    "{label}: {n:,} human-labelled queries count as {effective:,} (λ = {weight}); {half}": (
        "{label}: 사람이 판정한 질의 {n:,}개가 {effective:,}개의 구실을 함 (λ = {weight}); {half}"
    ),
    "half the interval takes human labels of {:,} of {:,} queries": (
        "구간을 절반으로 줄이려면 질의 {1:,}개 가운데 {0:,}개를 사람이 판정해야 함"
    ),
    "half the interval takes human labels of {:,} of these {:,} queries": (
        "구간을 절반으로 줄이려면 이 질의 {1:,}개 가운데 {0:,}개를 사람이 판정해야 함"
    ),
    "{n:,} queries have no machine labels; left out": "기계 판정이 없는 질의 {n:,}개; 제외",
    "{}: the machine's mean differs between queries with and without human labels (p < {})": (
        "{}: 사람 판정이 있는 질의와 없는 질의에서 기계 판정의 평균이 다름 (p < {})"
    ),
    "each is estimated by itself, so it may not be that of the means; wins and losses are by human labels": (
        "차이마다 따로 추정하므로 평균의 차이와 다를 수 있음; 나아진 수와 나빠진 수는 사람 판정 기준"
    ),
}

CONVENTIONS: Final[Mapping[str, str]] = {
    "convention": "규약",
    "what differs": "다른 점",
    "what it reproduces": "재현하는 도구",
    "nothing": "없음",
    "refused: {}": "거절: {}",
    "{compared} compared, {values} different values; yours is {yours}": (
        "규약 {compared}개, 서로 다른 값 {values}개; 기준은 {yours}"
    ),
    "of these tools, none was asked about {}; for the others it is ours, by their answers": (
        "{}의 값을 확인한 도구 없음; 나머지는 각 규약의 답에 따라 우리가 계산한 값"
    ),
    "of these tools, those of {} were asked about {}; for the others it is ours, by their answers": (
        "{1}의 값을 확인한 도구: {0}; 나머지는 각 규약의 답에 따라 우리가 계산한 값"
    ),
    "(*) the data has {}: for that the tool has no defined answer, or another one than is shown": (
        "(*) 데이터에 있는 것: {}. 도구의 답이 정해져 있지 않거나 여기에 적힌 값과 다름"
    ),
    "equal scores": "동점",
    "grades that are no whole numbers": "정수가 아닌 등급",
    "grades below 0": "0보다 작은 등급",
    "judged queries that the ranking lacks": "순위에 없는 정답 질의",
    "ranked queries without judgments": "정답이 없는 순위 질의",
    "step": "단계",
    "moved": "변화",
    "most moved": "가장 많이 바뀐 질의",
    "left out": "제외",
    "{}, {:,} more": "{} 외 {:,}개",
    "the two give the same answers to all questions": "두 규약의 답이 모두 같음",
    "no convention gives {printed}": "{printed} 값을 내는 규약 없음",
    "{n} conventions give {printed}": "{printed} 값을 내는 규약 {n}개",
    "{}, read as a percentage": "{}, 퍼센트로 읽음",
    "These come nearest.": "가장 가까운 규약입니다.",
}
