"""Probabilistic linkage of two files of persons by recordlinkage: the same blocks and columns, Jaro-Winkler."""

import pandas as pd
import recordlinkage
from side import report, table_file

TEXTS = ("given_name", "surname", "address_1", "suburb")
CODES = ("street_number", "postcode", "state", "date_of_birth")

left, right = (pd.read_csv(table_file(place), dtype=str).set_index("person") for place in (1, 2))


def link():
    index = recordlinkage.Index()
    for name in ("given_name", "postcode"):
        index.block(name)
    pairs = index.index(left, right)
    compare = recordlinkage.Compare()
    for name in TEXTS:
        compare.string(name, name, method="jarowinkler", threshold=0.9, label=name)
    for name in CODES:
        compare.exact(name, name, label=name)
    agreement = compare.compute(pairs, left, right)
    classifier = recordlinkage.ECMClassifier()
    classifier.fit(agreement)
    return classifier.prob(agreement)


def found(chances):
    best = chances.groupby(level=0).idxmax()
    return {"persons found, %": 100 * sum(one == other for one, other in best) / len(left)}


report(link, found)
