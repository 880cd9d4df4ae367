"""Partners drawn one after the other from plain lists, with the chance of the kernel."""

from __future__ import annotations

MASK = 2**64 - 1


class Chance:
    """SplitMix64."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, n):
        return ((self.next() >> 32) * n) >> 32


def pair_up(lives, visits, windows, most, seed):
    chance, left, n_pairs = Chance(seed), list(lives), 0
    partner = [-1] * len(left)
    for rank in visits:
        low, own_low, own_high, high = windows[rank]
        window, own = range(low, high), range(own_low, own_high)
        candidates = [other for other in window if left[other] and other not in own]
        if n_pairs == most or not left[rank] or not candidates:
            continue
        chosen = candidates[chance.below(len(candidates))]
        partner[rank], partner[chosen] = chosen, rank
        left[rank] = left[chosen] = False
        n_pairs += 1
    return partner
