"""Random numbers without state: Philox4x32-10, keyed by what the number is for.

Every number is a function of (seed, purpose, game or board, hand, seat, draw): results do not depend on
workers, chunks or machines, any hand can be dealt again alone, and both rooms of a board see the same
cards. The generator is Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy
as 1, 2, 3" (SC 2011); what a bot draws for itself comes from SplitMix64 on a key that Philox gave its seat
for the hand. All unsigned arithmetic of the package lives in this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from spadesim.core._jit import COMPILED, inlined, jit

RNG_NAME = "philox4x32-10/v1"

DEAL, BOT, DEALER, REDEAL, EXCHANGE, START, WEAKNESS = range(7)  # what a stream of numbers is for

MULTIPLIER_0 = np.uint64(0xD2511F53)
MULTIPLIER_1 = np.uint64(0xCD9E8D57)
WEYL_0 = np.uint64(0x9E3779B9)
WEYL_1 = np.uint64(0xBB67AE85)
LOW_WORD = np.uint64(0xFFFFFFFF)
WORD_BITS = np.uint64(32)
N_ROUNDS = 10
WORD_64 = 0xFFFFFFFFFFFFFFFF
SPARE_BITS = np.uint64(11)
N_MOMENTS = 1024  # decisions that a key may serve
TWO_53 = 9007199254740992.0


@inlined
def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> Any:
    """Four 32-bit words (as uint64) for a counter of four words and a key of two.

    Parameters
    ----------
    c0, c1, c2, c3 : uint64 below 2**32, the counter
    k0, k1 : uint64 below 2**32, the key
    """
    for _ in range(N_ROUNDS):
        p0 = MULTIPLIER_0 * c0
        p1 = MULTIPLIER_1 * c2
        c0 = (p1 >> WORD_BITS) ^ c1 ^ k0
        c1 = p1 & LOW_WORD
        c2 = (p0 >> WORD_BITS) ^ c3 ^ k1
        c3 = p0 & LOW_WORD
        k0 = (k0 + WEYL_0) & LOW_WORD
        k1 = (k1 + WEYL_1) & LOW_WORD
    return c0, c1, c2, c3


@jit
def words(key: int, index: int, tag: int, block: int) -> Any:
    """Four words, ints below 2**32, of one block of a stream.

    Parameters
    ----------
    key : int, 0 to 2**63 - 1, the seed of a run or the key of a seat
    index : int, 0 to 2**63 - 1, the number of a game or board
    tag : int, 0 to 2**32 - 1, what the stream is for (see `stream_tag`)
    block : int, 0 to 2**32 - 1, the place in the stream
    """
    u_key = np.uint64(key)
    u_index = np.uint64(index)
    w0, w1, w2, w3 = philox(
        u_index & LOW_WORD,
        u_index >> WORD_BITS,
        np.uint64(tag),
        np.uint64(block),
        u_key & LOW_WORD,
        u_key >> WORD_BITS,
    )
    return np.int64(w0), np.int64(w1), np.int64(w2), np.int64(w3)


@jit
def stream_tag(purpose: int, hand: int, seat: int) -> int:
    """The tag of a stream: a purpose (0-15), a hand of the game (below 2**24) and a seat (0-15)."""
    return (hand << 8) | (purpose << 4) | seat


@jit
def below_n(word: int, n: int) -> int:
    """An int in 0..n-1 from a 32-bit word by multiply-shift; no value is off by more than n / 2**32."""
    return (word * n) >> 32


@jit
def seat_keys(seed: int, index: int, hand: int, pair: int) -> Any:
    """The keys, 0 to 2**63 - 1, of all random numbers that the bots at two seats may use in a hand.

    Seats 0 and 1 are pair 0, seats 2 and 3 pair 1; one block of random words serves two seats.
    """
    w0, w1, w2, w3 = words(seed, index, stream_tag(BOT, hand, pair), 0)
    return ((w0 & 0x7FFFFFFF) << 32) | w1, ((w2 & 0x7FFFFFFF) << 32) | w3


def splitmix(key: int, n: int) -> int:
    """The `n`-th number of a key's SplitMix64 stream, from 0 on; 64 random bits, uint64 where compiled.

    The generator of Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014):
    a third of a Philox block's time, for numbers that bots draw one by one from a key of their own.

    >>> splitmix(1234567, 0)
    6457827717110365317
    """
    mixed = (int(key) + (int(n) + 1) * 0x9E3779B97F4A7C15) & WORD_64
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & WORD_64
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & WORD_64
    return mixed ^ (mixed >> 31)


if COMPILED:

    @overload(splitmix)
    def _splitmix(key, n):  # type: ignore[no-untyped-def]  # pragma: no cover - runs inside the compiler
        gamma, first, second = (
            np.uint64(x) for x in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
        )
        by_30, by_27, by_31 = np.uint64(30), np.uint64(27), np.uint64(31)

        def compiled(key, n):  # type: ignore[no-untyped-def]
            mixed = np.uint64(key) + np.uint64(n + 1) * gamma
            mixed = (mixed ^ (mixed >> by_30)) * first
            mixed = (mixed ^ (mixed >> by_27)) * second
            return mixed ^ (mixed >> by_31)

        return compiled


@jit
def keyed_uniform(key: int, k: int, moment: int) -> float:
    """A number in [0, 1) with 53 random bits, the `k`-th of a key at a moment (0 to 1023)."""
    return int(splitmix(key, k * N_MOMENTS + moment) >> SPARE_BITS) / TWO_53


@jit
def keyed_below(key: int, k: int, moment: int, n: int) -> int:
    """An int in 0..n-1, the `k`-th of a key at a moment, from the leading half of the same 64 bits."""
    return below_n(int(splitmix(key, k * N_MOMENTS + moment) >> WORD_BITS), n)


@jit
def first_dealer(seed: int, index: int, n_players: int) -> int:
    """The seat that deals first in a game or on a board, drawn uniformly."""
    w0, _, _, _ = words(seed, index, stream_tag(DEALER, 0, 0), 0)
    return below_n(w0, n_players)


@jit
def shuffle(cards: Any, n_cards: Any, n_drawn: Any, seed: Any, index: Any, tag: Any, scratch: Any) -> Any:
    """Bring a uniform random draw of `n_drawn` cards, in order, to the front of `cards` (in place).

    Parameters
    ----------
    cards : int64 array, at least n_cards long, shuffled from the front (Fisher-Yates)
    n_cards : int, how many entries take part
    n_drawn : int, 0 to n_cards, how many places are drawn
    seed, index, tag : the stream, as for `words`
    scratch : int64 array, at least n_drawn + 3 long, for the words of the stream
    """
    fill_words(scratch, (n_drawn + 3) // 4, seed, index, tag)
    for place in range(n_drawn):
        other = place + below_n(scratch[place], n_cards - place)
        card = cards[other]
        cards[other] = cards[place]
        cards[place] = card


@jit
def fill_words(out: Any, n_blocks: Any, key: Any, index: Any, tag: Any) -> None:
    """Write the first blocks of a stream, as `words` has them, one after another into an int64 array."""
    u_key = np.uint64(key)
    u_index = np.uint64(index)
    for block in range(n_blocks):
        w0, w1, w2, w3 = philox(
            u_index & LOW_WORD,
            u_index >> WORD_BITS,
            np.uint64(tag),
            np.uint64(block),
            u_key & LOW_WORD,
            u_key >> WORD_BITS,
        )
        out[4 * block] = np.int64(w0)
        out[4 * block + 1] = np.int64(w1)
        out[4 * block + 2] = np.int64(w2)
        out[4 * block + 3] = np.int64(w3)


@jit
def mix(low: Any, high: Any, w0: Any, w1: Any, w2: Any, w3: Any) -> Any:
    """A digest of two 32-bit words that has taken in four more (as ints below 2**32)."""
    a, b, _, _ = philox(
        np.uint64(w0), np.uint64(w1), np.uint64(w2), np.uint64(w3), np.uint64(low), np.uint64(high)
    )
    return np.int64(a), np.int64(b)
