"""What can be satisfied is released: methods that suppress, on tiny tables, against every setting of the same method."""

import random
import re
from collections import Counter
from dataclasses import dataclass

import pyarrow as pa
import pytest

import shoal
from reference import suppression as twin
from shoal.errors import ShoalError

LEAVES = ("pp", "pq", "qp", "qq")
METHODS = {
    "levels": ({"name": "global_recoding", "widths": {"a": [2]}}, twin.levels),
    "cuts": ({"name": "global_recoding", "scheme": "cuts"}, twin.cuts),
    "boxes": ({"name": "gensearch", "nodes": 5_000}, twin.boxes),
}
SETTING = re.compile(r"(method\.suppression|suppression\.limit) = ([0-9.]+)")


@dataclass(frozen=True)
class Case:
    policy: dict
    table: pa.Table
    records: list
    holds: object
    settings: list  # of the method, as the twin counts them
    most: int  # records that may be suppressed
    shape: str

    @property
    def least(self):
        return twin.least_lost(self.settings, [record[2] for record in self.records], self.holds)


def a_case(seed):
    """A table of 8 to 40 records whose sensitive value depends on the others, one or two requirements, a method; some
    tables have strata, some policies two sets of quasi-identifiers."""
    draw = random.Random(seed)
    name, shape = draw.choice(list(METHODS)), draw.choice(["whole", "whole", "strata", "sets"])
    method, settings = METHODS[name]
    n, n_strata = draw.randint(8, 12 if name == "boxes" else 40), draw.choice([2, 3]) if shape == "strata" else 1
    if n_strata > 1:
        name, n = ("levels", min(n, 24)) if name == "cuts" else (name, n)
        method, settings = METHODS[name]
    records, strata = [], [draw.randrange(n_strata) for _ in range(n)]
    for at in range(n):
        a, b = min(int(draw.expovariate(0.8)), 3), draw.choice([0, 0, 1, 2, 3])
        records.append((a, b, draw.choice("xyz") if draw.random() < 0.7 else "xyz"[(a + strata[at]) % 3]))
    k, share = draw.choice([2, 2, 3]), draw.choice([0.0, 0.1, 0.2, 0.3, 0.5])
    limit = max(share, draw.choice([0.0, 0.3, 0.6])) if n_strata > 1 else share
    asked = draw.sample(list(twin.REQUIREMENTS), draw.choice([1, 1, 2]))

    def holds(q, p):
        return len(q) >= k and all(twin.REQUIREMENTS[name][1](q, p) for name in asked)

    wanted = [{"name": "k_anonymity", "k": k}]
    wanted += [{"name": name, "column": "s", **twin.REQUIREMENTS[name][0]} for name in asked]
    if shape == "sets":
        wanted, method = [one | {"columns": [of]} for of in "ab" for one in wanted], METHODS["levels"][0]
        found = list(twin.of_sets(records))
    elif shape == "strata":
        found = list(twin.of_strata(settings, records, strata, holds, share))
    else:
        found = [[one] for one in settings(records)]
    columns = {
        "a": {"role": "quasi_identifier", "kind": "numeric"},
        "b": {"role": "quasi_identifier", "kind": "nominal", "taxonomy": {"prefixes": [1]}},
        "s": {"role": "sensitive"},
        "w": {"role": "other"},
    }
    policy = {
        "columns": columns,
        "requirements": wanted,
        "method": method | {"suppression": share},
        "suppression": {"limit": limit},
        "within": ["w"] if n_strata > 1 else [],
    }
    return Case(policy, table_of(records, strata), records, holds, found, int(limit * n + 1e-9), shape)


def table_of(records, strata):
    a, b, s = zip(*records, strict=True)
    return pa.table({"a": a, "b": [LEAVES[leaf] for leaf in b], "s": s, "w": [f"w{one}" for one in strata]})


def judged(case):
    """What protect makes of a case, beside what every setting of the method would."""
    least = case.least
    try:
        release = shoal.protect(case.table, case.policy, key=bytes(32))
    except ShoalError as error:
        if least <= case.most:
            return "refused though satisfiable"
        if least == len(case.records):
            return "refused"
        return "refused" if leads_to_a_release(case, str(error)) else "refused without the setting"
    if least > case.most or release.manifest.counts["n_suppressed"] > case.most or not as_asked(case, release.table):
        return "released though not"
    return "released"


def as_asked(case, table):
    """Whether the classes of the written records hold, beside all that were written."""
    whole = table["s"].to_pylist()
    for names in (["a"], ["b"]) if case.shape == "sets" else (["a", "b"],):
        classes = {}
        for s, *key in zip(whole, *(table[name].to_pylist() for name in names), strict=True):
            classes.setdefault(tuple(key), []).append(s)
        if not all(case.holds(members, whole) for members in classes.values()):
            return False
    return True


def leads_to_a_release(case, words):
    """Whether the settings that a message names do, set as it says."""
    named = {key: float(value) for key, value in SETTING.findall(words)}
    if not named:
        return False
    policy = case.policy | {
        "method": case.policy["method"] | {"suppression": named.get("method.suppression", case.policy["method"]["suppression"])},
        "suppression": {"limit": named.get("suppression.limit", case.policy["suppression"]["limit"])},
    }
    try:
        return shoal.protect(case.table, policy, key=bytes(32)).manifest.counts["n_released"] > 0
    except ShoalError:
        return False


def judged_all(seeds):
    return Counter(judged(a_case(seed)) for seed in seeds)
