"""The verifier's rules, counted by SQL on the cells of a table, against slow twins that look at one class at a time."""

import random
from math import isinf
from pathlib import Path

import pyarrow as pa
import pytest
import tomlkit

from reference import requirements as twin
from shoal.verifier.verify import verify

TREE = "x;u;*\ny;u;*\nz;v;*\nw;v;*\n"
PATHS = {"x": ("u", "*"), "y": ("u", "*"), "z": ("v", "*"), "w": ("v", "*")}
NUMBER = {"x": 1, "y": 2, "z": 7, "w": 30}

# name of a rule: its parameters, the figure of a class beside the whole, and when that is enough
RULES = {
    "k_anonymity": ({"k": 3}, lambda q, p: len(q), lambda found: found >= 3),
    "prosecutor_risk": ({"maximum": 0.3}, lambda q, p: 1 / len(q), lambda found: found <= 0.3),
    "distinct_l_diversity": ({"l": 2}, lambda q, p: twin.distinct_l(q), lambda found: found >= 2),
    "entropy_l_diversity": ({"l": 1.7}, lambda q, p: twin.entropy_l(q), lambda found: found >= 1.7 - 1e-9),
    "recursive_l_diversity": ({"c": 1.5, "l": 2}, lambda q, p: twin.recursive_l(q, 1.5), lambda found: found >= 2),
    "alpha_k_anonymity": ({"alpha": 0.6, "k": 2}, lambda q, p: twin.alpha_k(q, 2), lambda found: found <= 0.6 + 1e-9),
    "m_invariance": ({"m": 2}, lambda q, p: twin.m_invariance(q), lambda found: found >= 2 - 1e-9),
    "t_closeness": (
        {"t": 0.3, "distance": "equal"}, lambda q, p: twin.t_equal(q, p), lambda found: found <= 0.3 + 1e-9
    ),
    "t_closeness, ordered": (
        {"t": 0.25, "distance": "ordered"},
        lambda q, p: twin.t_ordered([NUMBER.get(v) for v in q], [NUMBER.get(v) for v in p]),
        lambda found: found <= 0.25 + 1e-9,
    ),
    "t_closeness, by a tree": (
        {"t": 0.3, "distance": "hierarchical"},
        lambda q, p: twin.t_hierarchical(q, p, PATHS),
        lambda found: found <= 0.3 + 1e-9,
    ),
    "beta_likeness": (
        {"beta": 3}, lambda q, p: twin.beta(q, p, enhanced=False), lambda found: found <= 3 + 1e-9
    ),
    "beta_likeness, enhanced": (
        {"beta": 3, "enhanced": True}, lambda q, p: twin.beta(q, p, enhanced=True), lambda found: found <= 3 + 1e-9
    ),
    "delta_disclosure": ({"delta": 1}, lambda q, p: twin.delta(q, p), lambda found: found < 1 - 1e-9),
    "epsilon_privacy": (
        {"epsilon": 4, "sigma": 3, "b": 0}, None, lambda q: twin.epsilon_holds(q, 4, 3, 0)
    ),
}  # fmt: skip
SMALLER = ("k_anonymity", "distinct_l_diversity", "entropy_l_diversity", "m_invariance")


def drawn(seed):
    """A table of two quasi-identifiers, a sensitive value that is sometimes missing, and an amount."""
    draw = random.Random(seed)
    n, share, first = draw.randint(3, 60), draw.choice([0.0, 0.1]), draw.choice(["a", "ab"])
    records = [
        (
            draw.choice(first),
            draw.choice(["1", "2", None] if first == "ab" else ["1"]),
            None if draw.random() < share else draw.choice("xxyzw"),
        )
        for _ in range(n)
    ]
    amounts = [draw.choice([None, 0.0, draw.lognormvariate(2, 1.5)]) for _ in range(n)]
    return records, amounts


def asked(name, figures, **columns):
    column = {} if name in ("k_anonymity", "prosecutor_risk") else {"column": "s"}
    order = {"kind": "ordinal", "order": ["x", "y", "z", "w"]} if figures.get("distance") == "ordered" else {}
    tree = {"taxonomy": "tree.csv"} if figures.get("distance") == "hierarchical" else {}
    rules = {"a": {"role": "quasi_identifier"}, "b": {"role": "quasi_identifier"}, "s": {"role": "sensitive"}}
    rules["s"] |= order | tree
    return tomlkit.dumps(
        {"columns": rules | columns, "requirements": [{"name": name.partition(",")[0], **column, **figures}]}
    )


def classes_of(records):
    found = {}
    for a, b, s in records:
        found.setdefault((a, b), []).append(s)
    return list(found.values())


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(4, 30), marks=pytest.mark.gate)], ids=["few", "more"])
@pytest.mark.parametrize("name", RULES)
def test_a_rule_agrees_with_its_twin(name, seeds, tmp_path):
    (tmp_path / "tree.csv").write_text(TREE)
    figures, figure, holds = RULES[name]
    outcomes = set()
    for seed in seeds:
        records, _ = drawn(seed)
        whole, classes = [s for *_, s in records], classes_of(records)
        a, b, s = (list(column) for column in zip(*records, strict=True))
        proof = verify(asked(name, figures), pa.table({"a": a, "b": b, "s": s}), folder=tmp_path)
        [verdict] = proof.verdicts
        if figure is None:
            failing = [q for q in classes if not holds(q)]
        else:
            found = [figure(q, whole) for q in classes]
            failing = [q for q, each in zip(classes, found, strict=True) if not holds(each)]
            weakest = (min if name in SMALLER else max)(found)
            is_too_small = name == "alpha_k_anonymity" and weakest == 1  # what the twin says of such a class
            if verdict.reached is not None and not isinf(weakest) and "recursive" not in name and not is_too_small:
                assert verdict.reached == pytest.approx(weakest, abs=1e-9)
        assert (verdict.n_failing, verdict.n_records_failing) == (len(failing), sum(map(len, failing))), seed
        assert (verdict.n_classes, verdict.holds, proof.holds) == (len(classes), not failing, not failing)
        outcomes.add(verdict.holds)
    assert outcomes == {True, False} or len(seeds) < 10 or name == "delta_disclosure"


AMOUNTS = {
    "dominance": ({"share": 0.7, "contributors": 2}, lambda x: twin.dominance(x, 2), lambda found: found <= 0.7 + 1e-9),
    "p_percent": ({"p": 20}, twin.p_percent, lambda found: found >= 20 - 1e-7),
    "minimum_contributors": ({"n": 3}, twin.contributors, lambda found: found >= 3),
}


@pytest.mark.parametrize("name", AMOUNTS)
def test_a_rule_of_amounts_agrees_with_its_twin(name):
    figures, figure, holds = AMOUNTS[name]
    for seed in range(5):
        records, amounts = drawn(seed)
        by_class = {}
        for (a, b, _), x in zip(records, amounts, strict=True):
            by_class.setdefault((a, b), []).append(x)
        found = [figure([x for x in some if x is not None]) for some in by_class.values()]
        a, b, _ = (list(column) for column in zip(*records, strict=True))
        policy = asked(name, figures, s={"role": "sensitive", "kind": "numeric"})
        table = pa.table({"a": a, "b": b, "s": pa.array(amounts, pa.float64())})
        [verdict] = verify(policy, table).verdicts
        assert verdict.n_failing == sum(not holds(each) for each in found), seed
        assert verdict.reached == pytest.approx((max if name == "dominance" else min)(found))


def test_a_unit_counts_once_and_a_record_without_one_for_itself():
    records = [("a", 1), ("a", 1), ("a", 1), ("a", None), ("b", 1), ("b", 2), ("b", 3), ("b", 4)]
    a, u = (list(column) for column in zip(*records, strict=True))
    columns = {"a": {"role": "quasi_identifier"}, "u": {"role": "household", "kind": "numeric"}}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}]}
    proof = verify(tomlkit.dumps(policy), pa.table({"a": a, "u": pa.array(u, pa.int64())}))
    # The household 1 has members in both classes: nobody else has, so that it is alone in each.
    assert (proof.k_reached, proof.holds) == (1, False)


def test_strata_divide_classes():
    table = pa.table({"a": ["x"] * 6, "w": ["n"] * 5 + ["s"]})
    columns = {"a": {"role": "quasi_identifier"}, "w": {"role": "other"}}
    policy = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]}
    assert verify(tomlkit.dumps(policy), table).k_reached == 6
    proof = verify(tomlkit.dumps({"within": ["w"], **policy}), table)
    assert (proof.k_reached, proof.holds) == (1, False)


@pytest.mark.parametrize("seed", range(4))
def test_wildcards_match_what_they_could_be(seed):
    draw = random.Random(seed)
    records = [tuple(draw.choice(["p", "q", None]) for _ in range(3)) for _ in range(draw.randint(1, 25))]
    sizes = [
        sum(all(x is None or y is None or x == y for x, y in zip(one, other, strict=True)) for other in records)
        for one in records
    ]
    columns = {name: {"role": "quasi_identifier"} for name in "abc"}
    rules = [{"name": "k_anonymity", "k": 2}]
    policy = {"columns": columns, "requirements": rules, "local_suppression": {"blanks": "wildcard"}}
    table = pa.table(dict(zip("abc", map(list, zip(*records, strict=True)), strict=True)))
    proof = verify(tomlkit.dumps(policy), table)
    assert proof.k_reached == min(sizes)
    assert proof.verdicts[0].n_records_failing == sum(size < 2 for size in sizes)


def test_risks_of_the_whole_release():
    table = pa.table({"a": ["x"] * 3 + ["y"] * 2 + ["z"] * 5})
    columns = {"a": {"role": "quasi_identifier"}}
    classes = [(3, 6), (2, 4), (5, 10)]
    rules = {
        "marketer_risk": ({"average": 0.15, "sampling_fraction": 0.5}, twin.marketer(classes)),
        "records_at_risk": ({"share": 0.3, "threshold": 0.2, "sampling_fraction": 0.5}, twin.at_risk(classes, 0.2)),
    }
    for name, (figures, reached) in rules.items():
        policy = {"columns": columns, "requirements": [{"name": name, **figures}]}
        [verdict] = verify(tomlkit.dumps(policy), table).verdicts
        assert verdict.reached == pytest.approx(reached)
        assert verdict.holds == (reached <= figures.get("average", figures.get("share")))


def test_the_root_of_a_tree_is_as_long_as_the_tree(tmp_path: Path):
    (tmp_path / "tree.csv").write_text(TREE)
    columns = {"a": {"role": "quasi_identifier", "taxonomy": "tree.csv"}}
    policy = {
        "columns": columns,
        "requirements": [{"name": "minimum_length", "column": "a", "width": 1}],
        "output": {"representation": "extents"},
    }
    for texts, reached in {("u", "*"): 1, ("*", "*"): 2, ("x", "u"): 0}.items():
        [verdict] = verify(tomlkit.dumps(policy), pa.table({"a": list(texts)}), folder=tmp_path).verdicts
        assert (verdict.reached, verdict.holds) == (reached, reached >= 1)
