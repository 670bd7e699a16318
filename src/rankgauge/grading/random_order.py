"""Random numbers that every library computes alike: rounds of (x + key + constant)^3 modulo a prime.

A power that shares no divisor with the prime less 1 maps the numbers below the prime onto themselves, one to one; so
does a sum; so do rounds of both. It needs nothing but sums, products and remainders of whole numbers below 2^63.

Albrecht et al. 2016, MiMC: Efficient Encryption and Cryptographic Hashing with Minimal Multiplicative Complexity.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from math import isqrt
from typing import Final

import narwhals as nw

from rankgauge.grading.source import Frame

POWER: Final = 3
# The largest of its kind below 2^31: the square of a number below it stays below 2^63.
PRIME: Final = 2**31 - 69
# The fractions of the square roots of the first primes: numbers that nobody has chosen.
CONSTANTS: Final = tuple(isqrt(prime * PRIME**2) % PRIME for prime in (2, 3, 5))
# With fewer numbers than these, rounds would mix them badly.
LEAST_PRIME: Final = 101


def mix(number: int, key: int) -> int:
    """Return a number below the prime that looks random; for one key, different numbers have different ones.

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


def with_mixed(frame: Frame, name: str, number: nw.Expr, key: nw.Expr | int) -> Frame:
    """Return the frame with a column of what `mix` returns for the number and the key of each row."""
    frame = frame.with_columns(number.cast(nw.Int64).alias(name))
    return _rounds(frame, name, (key + constant for constant in CONSTANTS), PRIME)


def with_keys(frame: Frame, key: str) -> Frame:
    """Return the frame with a key per round, `key_0` and so on, that follow from a key of each row."""
    keys = {f"{key}_{place}": nw.col(key) * constant % PRIME for place, constant in enumerate(CONSTANTS)}
    return frame.with_columns(**keys)


def with_shuffled(frame: Frame, name: str, number: nw.Expr, key: str, prime: int) -> Frame:
    """Return the frame with a column of the numbers below `prime` in a random order, by the keys of each row."""
    frame = frame.with_columns(number.cast(nw.Int64).alias(name))
    return _rounds(frame, name, (nw.col(f"{key}_{place}") for place in range(len(CONSTANTS))), prime)


def _rounds(frame: Frame, name: str, addends: Iterable[nw.Expr | int], prime: int) -> Frame:
    """Each step is a column of its own.

    DuckDB and Spark may write the steps out, so that a round stands three times in the next: three rounds of cubes mix
    well enough, and stay short.
    """
    value = nw.col(name)
    for addend in addends:
        frame = frame.with_columns(((value + addend) % prime).alias(name))
        frame = frame.with_columns((value * value % prime * value % prime).alias(name))
    return frame


def prime_from(least: int) -> int:
    """Return the first prime from `least` on, and from 101, below which the cubes are all different.

    >>> prime_from(10), prime_from(1000)
    (101, 1013)
    """
    return next(number for number in count(max(least, LEAST_PRIME)) if number % POWER == 2 and _is_prime(number))


def _is_prime(number: int) -> bool:
    return number % 2 != 0 and all(number % divisor for divisor in range(3, isqrt(number) + 1, 2))
