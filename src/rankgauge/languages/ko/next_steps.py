"""What to do about remarks, in Korean."""

from collections.abc import Mapping
from typing import Final

TEXTS: Final[Mapping[str, str]] = {
    "`convention=` chooses another": "다른 규약은 `convention=`",
    "give the measure a gain of its own": "지표에 이득을 따로 지정",
    "compare one value with the tool": "값 하나를 도구와 비교",
    "`rankgauge conventions NAME` says what": "`rankgauge conventions NAME` 참고",
    "missing=zero counts them as 0, missing=skip leaves them out": "missing=zero는 0으로 계산, missing=skip은 제외",
    "check the step that made the ranking": "순위를 만든 단계를 확인",
    "nothing_relevant=skip, zero or one says what they are worth": "nothing_relevant=skip, zero, one 가운데 선택",
    "give distinct scores, or choose a rule with ties=": "점수를 서로 다르게 하거나 ties=로 규칙을 선택",
    "give whole numbers as integers of a DataFrame or an array, or subtract the lowest score": (
        "정수는 DataFrame이나 배열의 정수형으로 주거나 가장 낮은 점수를 뺄 것"
    ),
    "scale the scores, or choose a convention with precision=float64": (
        "점수의 크기를 조절하거나 precision=float64인 규약을 선택"
    ),
    "choose where the ideal ends with ideal=": "이상적 순위의 끝을 ideal=로 선택",
    "judge the first items of every run, or compare judged items alone with unjudged=drop": (
        "모든 실행의 앞 아이템을 판정하거나, unjudged=drop으로 판정된 아이템만 비교"
    ),
    "unjudged=drop removes them; residual(…) bounds what they may change": (
        "unjudged=drop은 제거; residual(…)은 바뀔 수 있는 범위"
    ),
    "evaluate more queries": "질의를 더 평가",
    "give more with `memory=`, or evaluate some of the queries": "`memory=`로 더 주거나 질의의 일부만 평가",
    "to_dict() and to_json() have all of them": "to_dict()와 to_json()에 모두 있음",
    "--spreadsheet-safe puts an apostrophe before them": "--spreadsheet-safe는 앞에 작은따옴표를 붙임",
    "`groups_are=` says it": "`groups_are=`로 지정",
    "`groups=` says where each query begins, or the query of each row": (
        "`groups=`로 질의가 시작하는 자리나 행마다의 질의를 지정"
    ),
    "a row is a query: reshape the arrays to one dimension, and give `groups=`": (
        "한 행이 한 질의: 배열을 1차원으로 바꾸고 `groups=`를 지정"
    ),
    "mark padding with `mask=`; a model that predicts NaN is broken": (
        "채움은 `mask=`로 표시; NaN을 예측하는 모델은 고장"
    ),
    "`mask=np.isneginf(scores)` leaves such items out instead": "`mask=np.isneginf(scores)`로 그런 아이템을 제외",
    "name it: columns={'grade': …} or --columns-judgments": (
        "이름을 지정: columns={'grade': …} 또는 --columns-judgments"
    ),
    "name it: columns={'score': …} or --columns-ranking": "이름을 지정: columns={'score': …} 또는 --columns-ranking",
    "leave them out: ignore=, or benchmark= for one of them": (
        "빼려면 ignore=, 그 가운데 하나를 벤치마크로 쓰려면 benchmark="
    ),
    "check the prices of that stock": "그 종목의 가격을 확인",
    "check the prices of that stock: a price may lack its split or be mistyped": (
        "그 종목의 가격을 확인: 분할이 반영되지 않았거나 잘못 적혔을 수 있음"
    ),
    "use prices that are adjusted for splits": "분할을 반영한 수정 주가를 사용",
    "leave out the prices after the last trade; then `stopped=` says what happens to the stock": (
        "마지막 거래 뒤의 가격을 뺄 것; 그 종목의 처리는 `stopped=`로 지정"
    ),
    "divide them by 100, or call the column return(%)": "100으로 나누거나 열 이름을 return(%)로",
    "gaps=drop leaves them out": "gaps=drop은 제외",
    "the audit lists them: audit.refused": "목록은 audit.refused",
    "keep one row of each item, or one item per impression, where that matters": (
        "문제가 되면 아이템마다 한 행, 또는 노출마다 한 아이템만 남길 것"
    ),
    "negative=keep in a convention counts them as they are": "규약의 negative=keep은 그대로 계산",
    "a model that learns from users alone cannot rank for them": (
        "사용자에게서만 배우는 모델은 이 사용자에게 추천할 수 없음"
    ),
    "a model that learns from items alone cannot rank them": "아이템에서만 배우는 모델은 이 아이템을 추천할 수 없음",
    "draw fewer": "후보를 더 적게 추출",
    "rank all items where you can": "되도록 모든 아이템의 순위를 매길 것",
    "check the ids of the users": "사용자의 id를 확인",
    "columns={'query': …} or --columns-judgments says it": "columns={'query': …} 또는 --columns-judgments로 지정",
    "name all columns in their order: --columns-ranking query,item,rank": (
        "모든 열의 이름을 차례로 지정: --columns-ranking query,item,rank"
    ),
    "if it is a row, write a header before it": "행이면 그 앞에 머리글을 적을 것",
    "if it is one, name columns by role: columns={'query': …} or --columns-judgments query=…": (
        "머리글이면 열을 역할로 지정: columns={'query': …} 또는 --columns-judgments query=…"
    ),
    "name the one that is meant: columns={'query': …} or --columns-judgments": (
        "쓸 열을 지정: columns={'query': …} 또는 --columns-judgments"
    ),
    "name it: columns={'score': …} or {'rank': …}, or --columns-ranking": (
        "이름을 지정: columns={'score': …}, {'rank': …} 또는 --columns-ranking"
    ),
    "name them: columns={'grade': …}": "이름을 지정: columns={'grade': …}",
    "items are ranked by score; columns={'rank': …} ranks them by rank": (
        "점수로 순위를 매김; 순위 열로 매기려면 columns={'rank': …}"
    ),
    "items are ranked by score, highest first: give the negative of distances, or rank by rank: columns={'rank': …}": (
        "높은 점수부터 순위를 매김: 거리는 음수로 바꾸거나, 순위 열을 쓰려면 columns={'rank': …}"
    ),
    "alpha_ndcg and other measures of diversity take the subtopics": "하위 주제는 alpha_ndcg 같은 다양성 지표가 씀",
    "round the grades to compare with the tool": "도구와 비교하려면 등급을 반올림",
    "judgments come first and the ranking second: are the two swapped?": (
        "정답이 먼저, 순위가 다음: 둘이 뒤바뀌지 않았는지 확인"
    ),
    "name the two: columns={'grade': …, 'score': …}, or --columns-judgments grade=… and --columns-ranking score=…": (
        "두 열을 지정: columns={'grade': …, 'score': …}, 또는 --columns-judgments grade=… --columns-ranking score=…"
    ),
    "compare the ids of the items: they are compared as text": "아이템의 id를 확인: 글자 그대로 비교함",
    "give grades= of your own": "grades=로 직접 지정",
    "run it on all queries, or compare with missing=skip": "모든 질의로 실행하거나 missing=skip으로 비교",
    "run all runs on all queries": "모든 실행을 모든 질의로 다시 실행",
    "engine=native brings them here, if they fit": "메모리에 들어간다면 engine=native로 이 기계에서 비교",
    "prefer randomisation: docs/calibration.md has the errors": "무작위화 검정을 권함: 오류율은 docs/calibration.md",
    "join small segments, or evaluate more queries": "작은 세그먼트를 합치거나 질의를 더 평가",
    "give them one: they are shown as –": "세그먼트를 지정: – 표시된 것",
    "check the ids of its queries": "질의의 id를 확인",
    "draw the queries that people label at random": "사람이 판정할 질의를 무작위로 추출",
    "label more queries": "질의를 더 판정",
    "let the machine label all queries": "기계가 모든 질의를 판정하게 할 것",
    "`tried=` says how many": "`tried=`로 개수를 지정",
    "take more dates, or a shorter horizon": "날짜를 늘리거나 보유 기간을 줄일 것",
    "rg.stocks.study has intervals for it": "이를 고려한 구간은 rg.stocks.study",
    "name the time zone of the exchange: close='16:00 America/New_York'": (
        "거래소의 시간대를 지정: close='16:00 America/New_York'"
    ),
    "check that no score was made from prices after its date, and that its sign is right": (
        "점수를 그 날짜 뒤의 가격으로 만들지 않았는지, 부호가 맞는지 확인"
    ),
    "`horizon=` says how many dates they span": "`horizon=`으로 기간을 지정",
    "check the dates of the scores": "점수의 날짜를 확인",
}
