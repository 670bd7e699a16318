"""Pseudo-random numbers that every library computes alike: rounds of (x + key + constant)^3 modulo a prime.

Cubing is a permutation of the numbers below a prime p where 3 does not divide p - 1, and so is an addition modulo p.
This needs only sums, products and remainders of whole numbers below 2^63.

Albrecht et al. 2016, MiMC: Efficient Encryption and Cryptographic Hashing with Minimal Multiplicative Complexity.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from math import isqrt
from typing import Final

import narwhals as nw

from rankgauge.grading.source import NwFrame

POWER: Final = 3
# The largest prime below 2^31 of which 3 does not divide p - 1: squares of smaller numbers stay below 2^63.
PRIME: Final = 2**31 - 69
# Fractional parts of the square roots of the first primes, so that nobody has chosen the constants.
CONSTANTS: Final = tuple(isqrt(prime * PRIME**2) % PRIME for prime in (2, 3, 5))
# Below this prime, three rounds mix badly.
LEAST_PRIME: Final = 101


def mix(number: int, key: int) -> int:
    """Return a pseudo-random number below the prime; for one key, this is a permutation.

    >>> mix(1, key=0), mix(2, key=0), mix(1, key=1)
    (553710674, 1563532534, 223365999)
    """
    for constant in CONSTANTS:
        number = pow(number + key + constant, POWER, PRIME)
    return number


def seed_key(seed: int) -> int:
    """Return the key of a seed of up to 63 bits.

    >>> seed_key(0) != seed_key(1) != seed_key(2**62)
    True
    """
    rest, low = divmod(seed, PRIME)
    high, middle = divmod(rest, PRIME)
    return mix(high, mix(middle, mix(low, 0)))


def with_mixed(frame: NwFrame, name: str, number: nw.Expr, key: nw.Expr | int) -> NwFrame:
    """Add a column with `mix` of the number and the key of each row."""
    frame = frame.with_columns(number.cast(nw.Int64).alias(name))
    return _rounds(frame, name, (key + constant for constant in CONSTANTS), PRIME)


def with_keys(frame: NwFrame, key: str) -> NwFrame:
    """Add the keys of the rounds, `key_0` and so on, derived from the key of each row."""
    keys = {f"{key}_{turn}": nw.col(key) * constant % PRIME for turn, constant in enumerate(CONSTANTS)}
    return frame.with_columns(**keys)


def with_shuffled(frame: NwFrame, name: str, number: nw.Expr, key: str, prime: int) -> NwFrame:
    """Add a column that permutes the numbers below `prime`, by the keys of each row."""
    frame = frame.with_columns(number.cast(nw.Int64).alias(name))
    return _rounds(frame, name, (nw.col(f"{key}_{turn}") for turn in range(len(CONSTANTS))), prime)


def _rounds(frame: NwFrame, name: str, addends: Iterable[nw.Expr | int], prime: int) -> NwFrame:
    """Apply the rounds, each step as a column.

    DuckDB and Spark may inline the steps, which triples the expression with each round: three rounds mix well enough
    and stay short.
    """
    value = nw.col(name)
    for addend in addends:
        frame = frame.with_columns(((value + addend) % prime).alias(name))
        frame = frame.with_columns((value * value % prime * value % prime).alias(name))
    return frame


def prime_from(least: int) -> int:
    """Return the first prime of at least `least` and 101 for which cubing is a permutation.

    >>> prime_from(10), prime_from(1000)
    (101, 1013)
    """
    return next(number for number in count(max(least, LEAST_PRIME)) if number % POWER == 2 and _is_prime(number))


def _is_prime(number: int) -> bool:
    return number % 2 != 0 and all(number % divisor for divisor in range(3, isqrt(number) + 1, 2))
