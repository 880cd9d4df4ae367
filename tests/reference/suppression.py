"""Slow, obvious twin of suppression: every setting of a method on a tiny table, and what its release would lose.

A record is (a, b, s): a number from 0 to 3, the number of a leaf of TREE, a sensitive value. A setting is a list of
classes for each set of quasi-identifiers: which class every record is in. What a setting loses is counted as a reader
would: records of classes that fail go, all at once, and those that are left are judged again among themselves, until
all classes hold.
"""

from __future__ import annotations

from itertools import combinations, product

from reference import requirements as twin

LINE = range(4)
TREE = ((0, 1), (2, 3))


def stable(setting, values, holds):
    """The records that are left, where ``holds`` judges the values of a class beside those of all that are left."""
    kept = set(range(len(values)))
    while True:
        whole = [values[at] for at in kept]
        gone = set()
        for classes in setting:
            for name in {classes[at] for at in kept}:
                members = [at for at in kept if classes[at] == name]
                if name is None or not holds([values[at] for at in members], whole):
                    gone.update(members)
        if not gone:
            return kept
        kept -= gone


def least_lost(settings, values, holds):
    """The fewest records that any setting loses; all of them where there is none."""
    return min((len(values) - len(stable(setting, values, holds)) for setting in settings), default=len(values))


def ends(records, units, k):
    """Where the line may be cut: no end is released beyond which fewer than k units are, and none where there are fewer
    than 2 k of them."""
    if len(set(units)) < 2 * k:
        return []
    below = {end: {unit for unit, (a, *_) in zip(units, records, strict=True) if a < end} for end in (1, 2, 3)}
    above = {end: {unit for unit, (a, *_) in zip(units, records, strict=True) if a >= end} for end in (1, 2, 3)}
    return [end for end in (1, 2, 3) if min(len(below[end]), len(above[end])) >= k]


def levels(records, places):
    """Classes of every combination of levels: of values, of pairs of them or of branches, and of all. Their widths are
    declared: the places where a line may be cut do not matter."""
    for wide, high in product((1, 2, 4), repeat=2):
        yield [(a // wide, b // high) for a, b, _ in records]


def cuts(records, places):
    """Classes of every choice of cuts of the line and of nodes of the tree, the same for all records."""
    of_line = [chosen for n in range(4) for chosen in combinations(places, n)]
    of_tree = [(4, 4), *product((1, 2), repeat=2)]  # how many leaves a node has, in each branch
    for chosen, nodes in product(of_line, of_tree):
        yield [(sum(a >= place for place in chosen), (b - b % nodes[b // 2], nodes[b // 2])) for a, b, _ in records]


def boxes(records, places):
    """Classes of every way to cut box by box: a line in two, a branch into its leaves, the tree into its branches."""
    found = _divisions(frozenset(range(len(records))), (LINE, TREE), records, places, {})
    for division in found:
        yield [next(block for block in division if at in block) for at in range(len(records))]


def _divisions(members, box, records, places, known):
    """The different divisions of the records of a box."""
    key = members, box
    if key not in known:
        found = {frozenset([members])}
        for column, part in enumerate(box):
            for parts in _splits(part, places):
                inside = [frozenset(at for at in members if records[at][column] in _leaves(one)) for one in parts]
                below = [
                    _divisions(some, (*box[:column], one, *box[column + 1 :]), records, places, known)
                    for some, one in zip(inside, parts, strict=True)
                    if some
                ]
                found.update(frozenset().union(*chosen) for chosen in product(*below))
        known[key] = found
    return known[key]


def _splits(part, places):
    if isinstance(part, range):
        return [(range(part.start, cut), range(cut, part.stop)) for cut in places if part.start < cut < part.stop]
    return [part] if isinstance(part, tuple) else []


def _leaves(part):
    if isinstance(part, range):
        return set(part)
    return {part} if isinstance(part, int) else set().union(*map(_leaves, part))


def of_strata(settings_of, records, strata, values, holds, share):
    """Classes of every combination of settings, one for each stratum, none of which loses more than a share of its
    stratum. A stratum that fails even as one class may also be left out, where its records are in no class (None)."""
    held = {strata[at] for at in stable([strata], values, holds)}
    choices = []
    for name in sorted(set(strata)):
        members = [at for at, one in enumerate(strata) if one == name]
        settings = [dict(zip(members, own, strict=True)) for own in settings_of([records[at] for at in members])]
        choices.append((name, members, settings + ([] if name in held else [dict.fromkeys(members)])))
    for chosen in product(*(settings for _, _, settings in choices)):
        classes = {
            at: None if own is None else (name, own)
            for (name, *_), of in zip(choices, chosen, strict=True)
            for at, own in of.items()
        }
        setting = [[classes[at] for at in range(len(records))]]
        kept = stable(setting, values, holds)
        lost = [sum(at not in kept for at in members) for _, members, _ in choices]
        if all(
            n <= share * len(members) + 1e-9 or set(of.values()) == {None}
            for n, (_, members, _), of in zip(lost, choices, chosen, strict=True)
        ):
            yield setting


def of_sets(records):
    """Classes on each of two columns, of every combination of their levels."""
    for wide, high in product((1, 2, 4), repeat=2):
        yield [[a // wide for a, *_ in records], [b // high for _, b, *_ in records]]


BY_UNIT = ("alpha_k_anonymity", "epsilon_privacy")  # count the units of a class, not its values
REQUIREMENTS = {
    "distinct_l_diversity": ({"l": 2}, lambda q, p: twin.distinct_l(q) >= 2),
    "entropy_l_diversity": ({"l": 1.6}, lambda q, p: twin.entropy_l(q) >= 1.6 - 1e-9),
    "recursive_l_diversity": ({"c": 2, "l": 2}, lambda q, p: twin.recursive_l(q, 2) >= 2),
    "alpha_k_anonymity": ({"alpha": 0.6, "k": 2}, lambda q, p: twin.alpha_k(q, 2) <= 0.6 + 1e-9),
    "epsilon_privacy": ({"epsilon": 4, "sigma": 3, "b": 0}, lambda q, p: twin.epsilon_holds(q, 4, 3, 0)),
    "t_closeness": ({"t": 0.3, "distance": "equal"}, lambda q, p: twin.t_equal(q, p) <= 0.3 + 1e-9),
    "beta_likeness": ({"beta": 1}, lambda q, p: twin.beta(q, p, enhanced=False) <= 1 + 1e-9),
    "delta_disclosure": ({"delta": 1}, lambda q, p: twin.delta(q, p) < 1 - 1e-9),
}
