"""Values that only look different: who reads a class reads them as one.

The intruder knows in which class, or in which group of an anatomy, the record of a person is, as l-diversity assumes;
holds what is published; and takes values for one that differ by case, by blanks, or by characters that nobody sees.
Everybody of a class is taken to have the value that is most frequent then; ``certain``: only where no other is left.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa

from attacks.published import Published
from attacks.rates import Rate

Class = tuple[str, ...]
WAYS = (str, str.upper, str.lower, lambda word: f"{word} ", lambda word: f" {word}", lambda word: f"{word}\u00a0")
UNSEEN_WAYS = (*WAYS, lambda word: f"{word[0]}\u200b{word[1:]}", lambda word: chr(ord(word[0]) + 0xFEE0) + word[1:])


def spelled(table: pa.Table, name: str, ways: int = len(UNSEEN_WAYS), seed: int = 0) -> pa.Table:
    """The table with the values of a column written in several ways, as by clerks and systems that never agreed."""
    draw = np.random.default_rng(seed).integers(0, ways, len(table))
    words = [UNSEEN_WAYS[way](word) for way, word in zip(draw, table[name].to_pylist(), strict=True)]
    return table.set_column(table.column_names.index(name), name, pa.array(words))


def folded(text: str) -> str:
    """As it reads."""
    seen = [sign for sign in unicodedata.normalize("NFKC", text) if unicodedata.category(sign) not in ("Cf", "Cc")]
    return " ".join("".join(seen).casefold().split())


def classes(published: Published, column: str) -> dict[Class, Counter[str]]:
    """The folded values that each class shows, and how often."""
    found: dict[Class, Counter[str]] = defaultdict(Counter)
    if published.sensitive is not None:
        for row in published.sensitive.to_pylist():
            found[(row["group"],)][folded(row[column])] += int(row["count"])
        return found
    known = [name for name, rule in published.policy["columns"].items() if rule["role"] == "quasi_identifier"]
    for row in published.records.to_pylist():
        found[tuple(row[name] for name in known)][folded(row[column])] += 1
    return found


def guesses(published: Published, column: str, *, certain: bool = False) -> dict[Class, str]:
    """What everybody of a class is taken to have."""
    shown = classes(published, column)
    return {each: values.most_common(1)[0][0] for each, values in shown.items() if len(values) == 1 or not certain}


def rate(published: Published, column: str, *, certain: bool = False) -> Rate:
    """Of all records that are released. A class shows the values that its persons have, whichever is whose."""
    shown, guessed = classes(published, column), guesses(published, column, certain=certain)
    n_right = sum(shown[each][value] for each, value in guessed.items())
    return Rate(n_right, sum(values.total() for values in shown.values()))
