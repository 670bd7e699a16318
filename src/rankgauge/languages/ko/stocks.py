"""Graded returns and studies of stocks, in Korean."""

from collections.abc import Mapping
from typing import Final

RETURNS: Final[Mapping[str, str]] = {
    "date": "날짜",
    "date and {}": "날짜와 {}",
    "{n:,} stocks": "종목 {n:,}개",
    "{n:,} dates": "날짜 {n:,}개",
    "{n:,} returns": "수익률 {n:,}개",
    "{n:,} scores": "점수 {n:,}개",
    "column {!r}": "{!r} 열",
    "column {!r}, taken as it is": "{!r} 열의 값 그대로",
    "{}, percents divided by 100": "{}, 퍼센트는 100으로 나눔",
    "{}, one per ticker ({})": "종목마다 하나씩 {} ({})",
    "{}; not used: {}": "{}; 쓰지 않은 열: {}",
    "no column, so all rows are one date, called {!r}": "날짜 열이 없어 모든 행을 한 날짜로 봄: {!r}",
    "no date or ticker": "날짜나 종목 없음",
    "no price": "가격 없음",
    "no return": "수익률 없음",
    "no price of the benchmark": "벤치마크의 가격 없음",
    "over {} of each stock, {}": "종목마다 {}의 기간, {}",
    "from the close of the date on": "그날의 종가부터",
    "from {} after the date on": "그날로부터 {} 뒤부터",
    "{}, less that of {!r}": "{}, {!r}의 수익률을 뺌",
    "{}, less the mean of the date": "{}, 그날의 평균을 뺌",
    "less the mean of the date": "그날의 평균을 뺌",
    "how many of {} the return reaches": "수익률이 넘은 기준의 수: {}",
    "dense rank within the {}": "같은 {} 안의 순위",
    "{} parts within the {}, cut at the edges of pandas.qcut": "같은 {1} 안에서 pandas.qcut의 경계로 나눈 {0}묶음",
    "{} parts of equal size within the {}; {}": "같은 {1} 안에서 같은 크기로 나눈 {0}묶음; {2}",
    "equal returns have the average of their ranks": "같은 수익률은 순위의 평균",
    "equal returns have the lowest of their ranks": "같은 수익률은 가장 낮은 순위",
    "equal returns have the highest of their ranks": "같은 수익률은 가장 높은 순위",
    "the horizon ends after the last date": "보유 기간이 마지막 날짜를 넘음",
    "the stock stopped trading before the horizon ended": "보유 기간이 끝나기 전에 거래가 끊김",
    "the horizon spans dates without a price": "보유 기간에 가격이 없는 날짜가 있음",
    "the horizon spans more than {} dates without a price": "보유 기간에 가격이 없는 날짜가 {}일보다 많음",
    "fewer than {} stocks in the {}": "같은 {1} 안의 종목이 {0}개보다 적음",
    "equal returns make two edges of pandas.qcut equal in the {}": (
        "같은 {} 안에서 수익률이 같아 pandas.qcut의 두 경계가 같아짐"
    ),
    "{n:,} graded returns span dates without a price of the stock (gaps={gaps})": (
        "그 종목의 가격이 없는 날짜를 건너뛴 수익률 {n:,}개 (gaps={gaps})"
    ),
    "{n:,} graded returns end at the last price of a stock that stopped trading": (
        "거래가 끊긴 종목의 마지막 가격에서 끝난 수익률 {n:,}개"
    ),
    "a return goes over {:,} rows, so neighbouring dates share returns; the intervals ignore that and are too narrow": (
        "수익률의 기간이 {:,}행이어서 이웃한 날짜의 수익률이 겹침; 구간은 이를 고려하지 않아 너무 좁음"
    ),
    "{tickers} may be indices or funds, and are ranked with the stocks": (
        "지수나 펀드로 보이나 종목과 함께 순위에 들어간 것: {tickers}"
    ),
    "{:,} of {:,} returns are above 50% in size": "수익률 {1:,}개 가운데 {0:,}개의 크기가 50%를 넘음",
    "{} below -1, a loss of more than everything": "-1보다 작은 {}, 전부보다 더 잃는 손실",
    "{}; 12 is read as 1,200%": "{}; 12는 1,200%로 읽음",
    "{returns} above {large:.0%}, the largest {most:,.0%} ({example})": (
        "{large:.0%}보다 큰 {returns}, 최대 {most:,.0%} ({example})"
    ),
    "{n:,} prices are near a whole multiple or fraction of the price before ({example})": (
        "바로 전 가격의 정수배나 정수분의 1에 가까운 가격 {n:,}개 ({example})"
    ),
    "{n:,} stocks keep their last price for {days} or more dates until the end ({example})": (
        "마지막 가격이 끝까지 {days}일 이상 그대로인 종목 {n:,}개 ({example})"
    ),
    "{!r} on {}": "{!r}, {}",
    "{!r} since {}": "{!r}, {}부터",
    "{}: from {:g} to {:g}": "{}: {:g}에서 {:g}까지",
}

STUDIES: Final[Mapping[str, str]] = {
    # Headers
    "days": "일수",
    "median": "중앙값",
    "chance": "우연의 값",
    "above": "우연과의 차이",
    "95% from": "95% 하한",
    "adjusted p": "보정된 p",
    "deflated t": "줄인 t",
    "std": "표준편차",
    "information ratio": "정보 비율",
    "share above chance": "우연보다 높은 날의 비율",
    "horizon": "기간",
    "market before": "직전 시장",
    "calm": "잔잔함",
    "usual": "보통",
    "restless": "출렁임",
    "bucket": "구간",
    "stocks": "종목 수",
    "mean grade": "평균 등급",
    "mean return": "평균 수익률",
    "above all": "전체와의 차이",
    "share of best {}": "상위 {} 안의 비율",
    "dates apart": "날짜 간격",
    "rank autocorrelation": "순위 자기상관",
    "top turnover": "상위 교체율",
    "bottom turnover": "하위 교체율",
    "portfolio": "포트폴리오",
    "best {} less all": "상위 {}, 전체를 뺌",
    "best {0} less worst {0}": "상위 {0}, 하위 {0} 제외",
    "earned": "수익",
    "traded": "거래량",
    "break-even (bp)": "손익분기 비용 (bp)",
    "model": "모델",
    "model ({})": "모델 ({})",
    "higher": "높음",
    "lower": "낮음",
    "dates": "날짜",
    "dates needed": "필요한 날짜",
    "ticker": "종목",
    "return": "수익률",
    "score": "점수",
    "year": "연도",
    "market": "시장",
    "up": "상승",
    "down": "하락",
    "best": "가장 좋은 날",
    "worst": "가장 나쁜 날",
    "{n:,} stock models": "주식 모델 {n:,}개",
    # The finding
    "too few dates to tell luck from skill: {} is {}, chance {}": (
        "날짜가 적어 운과 실력을 가릴 수 없음: {} {}, 우연의 값 {}"
    ),
    "the same difference on every date: {} is {}, chance {}": "모든 날의 차이가 같음: {} {}, 우연의 값 {}",
    "95% {} to {}, p {}": "95% 구간 {} – {}, p {}",
    "no skill shown: {} is {}, chance {}; difference {} ({})": (
        "예측력이 드러나지 않음: {} {}, 우연의 값 {}; 차이 {} ({})"
    ),
    "better than chance: {} is {}, chance {}; difference {} ({})": "우연보다 나음: {} {}, 우연의 값 {}; 차이 {} ({})",
    "worse than chance: {} is {}, chance {}; difference {} ({})": "우연보다 못함: {} {}, 우연의 값 {}; 차이 {} ({})",
    # Remarks
    "{}; a date is a query, a stock an item": "{}; 날짜가 질의, 종목이 아이템",
    "the value that a random order of the stocks of the date has on average": (
        "그날의 종목을 무작위로 늘어놓았을 때의 평균"
    ),
    "{:,} more, of lower ranks or without a score": "순위가 더 낮거나 점수가 없는 {:,}개 더",
    "{} alone": "{} 하루",
    "{n:,} later dates": "뒤의 날짜 {n:,}개",
    "a date shares returns with {}": "날짜마다 수익률이 겹치는 {}",
    "no two dates share returns": "수익률이 겹치는 날짜 없음",
    "mean − chance": "평균 − 우연의 값",
    "the differences": "차이",
    "t, p and interval are of {}, by the corrected error of Hansen and Hodrick": (
        "t, p, 구간은 {}에 대한 것, 한센과 호드릭의 보정된 표준오차"
    ),
    "the model is better than chance": "모델이 우연보다 나은지",
    "one model is better than the other": "한 모델이 다른 모델보다 나은지",
    "{dates} cannot tell whether {what} or was lucky, so there are no t, p and intervals; that takes at least "
    "{fewest:,} dates": (
        "{dates}로는 {what} 운이 좋았는지 알 수 없어 t, p, 구간을 구하지 않음; 적어도 날짜 {fewest:,}개 필요"
    ),
    "{}, or {} that are {} or more dates apart": "{0}, 또는 {2}일 이상 떨어진 날짜 {1}개",
    "rank_ic is {:.2f} on average over {:,} dates; skill is below 0.1": (
        "rank_ic의 평균이 {1:,}일에 걸쳐 {0:.2f}; 실제 예측력은 0.1보다 작음"
    ),
    "{:,} rows": "{:,}행",
    "{}; left out: {}": "{}; 제외: {}",
    "{:,} without a score": "점수 없음 {:,}개",
    "{:,} of dates without prices": "가격이 없는 날짜 {:,}개",
    "{:,} of dates without returns": "수익률이 없는 날짜 {:,}개",
    "{:,} of stocks without prices": "가격이 없는 종목 {:,}개",
    "{:,} of stocks without returns": "수익률이 없는 종목 {:,}개",
    "column {!r}, where 1 is the best; the score is minus the rank": (
        "{!r} 열, 1이 가장 좋음; 점수는 순위에 음의 부호를 붙인 값"
    ),
    "scores and returns are less the mean of their date and {!r}": "점수와 수익률에서 같은 날짜, 같은 {!r}의 평균을 뺌",
    "prices have times in UTC, so a session is a date in UTC": "가격의 시각이 UTC이므로 거래일은 UTC 날짜",
    "a return is taken to span {} of the table": "수익률의 기간은 표의 {}",
    "{} of stocks without a graded return left out": "등급 매긴 수익률이 없는 종목의 {} 제외",
    "{} with scores but without graded returns": "점수는 있으나 등급 매긴 수익률이 없는 {}",
    "{} with graded returns but without scores": "등급 매긴 수익률은 있으나 점수가 없는 {}",
    "{} with equal scores in the first ranks": "앞 순위에 동점이 있는 {}",
    "in NDCG {}; all else averages them": "NDCG에서는 {}; 나머지는 동점의 평균",
    "{}; those of top_return and spread are by calendar-time portfolios": (
        "{}; top_return과 spread는 달력 시간 포트폴리오로 구함"
    ),
    "adjusted p is Holm's for {tried:,} models; deflated t is t less what the best of {tried:,} without skill has": (
        "보정된 p는 모델 {tried:,}개에 대한 홀름의 p; 줄인 t는 예측력 없는 모델 {tried:,}개 중 최고의 t를 뺀 값"
    ),
    "{}, about {:.2f}": "{}, 약 {:.2f}",
    "{:,} that both have": "둘 다 있는 {:,}일",
    "{:,} that all models have": "모든 모델에 있는 {:,}일",
    "{:,} of {}": "{1}에만 있는 {0:,}일",
    "differs on {:,} of them, and is taken away before the difference": (
        "그 가운데 {:,}일에서 서로 달라, 차이를 구하기 전에 뺌"
    ),
}
