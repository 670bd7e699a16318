"""The two lists that texts 003 and 004 share, and their values as exact expressions."""

from __future__ import annotations

from math import log2

TRUTH = {"A": 0.1, "B": 0.5, "C": 0.7, "D": 0.5, "E": 0.1}
SHORT, LONG = ["A", "B", "C"], ["D", "A", "C", "B", "E"]
OPTION = "A=0.1,B=0.5,C=0.7,D=0.5,E=0.1"

DCG = 0.1 + 0.5 / log2(3) + 0.7 / 2
IDCG_OF_3 = 0.7 + 0.5 / log2(3) + 0.5 / 2
IDCG_OF_5 = 0.7 + 0.5 / log2(3) + 0.5 / 2 + 0.1 / log2(5) + 0.1 / log2(6)
SECOND = (0.5 + 0.1 / log2(3) + 0.7 / 2 + 0.5 / log2(5) + 0.1 / log2(6)) / IDCG_OF_5
MEAN = (DCG / IDCG_OF_3 + SECOND) / 2
