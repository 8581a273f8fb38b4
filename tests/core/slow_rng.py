"""Philox4x32-10 and the shuffle on it in plain integers, after the published descriptions."""


def slow_philox(counter: list[int], key: list[int]) -> list[int]:
    """Return a block of four words; Salmon, Moraes, Dror and Shaw, "Parallel random numbers" (SC 2011)."""
    for step in range(10):
        k0 = (key[0] + step * 0x9E3779B9) % 2**32
        k1 = (key[1] + step * 0xBB67AE85) % 2**32
        high0, low0 = divmod(counter[0] * 0xD2511F53, 2**32)
        high1, low1 = divmod(counter[2] * 0xCD9E8D57, 2**32)
        counter = [high1 ^ counter[1] ^ k0, low1, high0 ^ counter[3] ^ k1, low0]
    return counter


def slow_shuffle(n_cards: int, n_drawn: int, seed: int, index: int, tag: int) -> list[int]:
    """Return the drawn cards after Fisher and Yates, each place by the next word of the stream."""
    left, drawn = list(range(n_cards)), []
    for place in range(n_drawn):
        counter = [index % 2**32, index >> 32, tag, place // 4]
        word = slow_philox(counter, [seed % 2**32, seed >> 32])[place % 4]
        at = word * len(left) // 2**32
        drawn.append(left[at])
        left[at] = left[0]
        del left[0]
    return drawn
