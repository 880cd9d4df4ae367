"""The requirements: what is counted of every class, and when that is enough.

A rule is judged on a few whole numbers of each class, by fractions; only entropy, logarithms, weights and amounts are
floating-point numbers. A figure may be off its bound by one part in a billion, as bounds themselves are often rounded:
1/3 is written 0.333333333333.

n  records, or units, of a class      m  those with a known value      c  with one value
N  all known values of a class        W  of the release                w  with one value in the release
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any

from shoal.verifier.counting import Counter
from shoal.verifier.policy import Rule
from shoal.verifier.readings import Reading

SLACK = Fraction(1, 10**9)
MARGIN = 1e-9  # of logarithms

Row = tuple[Any, ...]


@dataclass(frozen=True)
class Judged:
    """What a rule found: how many classes and records fail, and the figure of the weakest class."""

    n_classes: int
    n_failing: int
    n_records_failing: int
    reached: float | None  # None: there is no class


@dataclass(frozen=True)
class Whole:
    """The values of a column in the release: how many different ones there are, and how often one is known."""

    kinds: int
    known: int
    farthest: int  # how many steps two values can be apart, where the rule counts steps


def judge_sizes(rule: Rule, rows: Sequence[Row]) -> Judged:
    """``rows``: size, records, classes."""
    needed = _least_size(rule)
    failing = [row for row in rows if Fraction(row[0]) < needed * (1 - SLACK)]
    smallest = min((row[0] for row in rows), default=None)
    reached = (
        None if smallest is None else smallest if rule.name == "k_anonymity" else 1 / float(_people(rule, smallest))
    )
    return Judged(_n(rows, 2), _n(failing, 2), _n(failing, 1), reached)


def _least_size(rule: Rule) -> Fraction:
    if rule.name == "k_anonymity":
        return Fraction(rule.figures["k"])
    return Fraction(rule.figures.get("sampling_fraction") or 1) / Fraction(rule.figures["maximum"])


def _people(rule: Rule, size: int) -> Fraction:
    """Persons of the population in a class of this size."""
    return size / Fraction(rule.figures.get("sampling_fraction") or 1)


def judge_release(rule: Rule, rows: Sequence[Row]) -> Judged:
    """A figure of the whole release. ``rows``: size, records, classes, and the persons of the population in each."""
    n = sum(size * classes for size, _, classes, _ in rows)
    if not n:
        return Judged(0, 0, 0, None)
    if rule.name == "marketer_risk":
        found = sum((Fraction(size) / max(people, size) * classes for size, _, classes, people in rows), Fraction(0))
        reached, asked = found / n, Fraction(rule.figures["average"])
    else:
        enough = (1 - SLACK) / Fraction(rule.figures["threshold"])
        found = Fraction(sum(size * classes for size, _, classes, people in rows if max(people, size) < enough))
        reached, asked = found / n, Fraction(rule.figures["share"])
    fails = reached > asked + SLACK
    n_classes = _n(rows, 2)
    return Judged(n_classes, n_classes if fails else 0, _n(rows, 1) if fails else 0, float(reached))


def _n(rows: Sequence[Row], place: int) -> int:
    return int(sum(row[place] for row in rows))


# Rules on the values of a class. What is counted, besides n, m, N (the known values), the number of different values
# and the most frequent one:
FIGURES = {
    "entropy_l_diversity": "sum(n * ln(n))",
    "recursive_l_diversity": "sum(n) FILTER (place >= {l})",
    "beta_likeness": "arg_max(n, n / w), arg_max(w, n / w), "
    "count(*) FILTER (n * {W} / (w * {N}) - 1 > -ln(w / {W}) + 1e-9)",
    "delta_disclosure": "arg_max(n, n / w), arg_max(w, n / w), arg_min(n, n / w), arg_min(w, n / w)",
    "t_closeness": "sum(greatest(n::HUGEINT * {W} - w::HUGEINT * {N}, 0))",
}


def judge_values(rule: Rule, counter: Counter, reading: Reading) -> Judged:
    """The rule on the table ``valued``, in one reading of the values."""
    size, figures = counter.size, rule.figures
    counter.make("whole", f"SELECT s, {size} AS w FROM valued WHERE s IS NOT NULL GROUP BY s")
    ((kinds, total),) = counter.rows("SELECT count(*), coalesce(sum(w), 0) FROM whole")
    height = len(next(iter(reading.nodes.values()), ()))
    steps = {"ordered": max(kinds - 1, 1), "hierarchical": max(height, 1)}
    whole = Whole(kinds, total, steps.get(str(figures.get("distance")), 1))
    counter.make(
        "counted",
        f"SELECT k, s, n, w, sum(n) OVER (PARTITION BY k) AS known, "
        f"row_number() OVER (PARTITION BY k ORDER BY n DESC, s) AS place FROM "
        f"(SELECT k, s, {size} AS n FROM valued WHERE s IS NOT NULL GROUP BY k, s) JOIN whole USING (s)",
    )
    counter.make(
        "sizes",
        f"SELECT k, count(*) AS records, {size} AS n, "
        f"{size.replace('*', 's').replace('DISTINCT u', 'DISTINCT CASE WHEN s IS NOT NULL THEN u END')} AS m "
        "FROM valued GROUP BY k",
    )
    if rule.name == "t_closeness" and figures["distance"] == "ordered":
        further = ordered_distance(counter, whole)
    elif rule.name == "t_closeness" and figures["distance"] == "hierarchical":
        further = tree_distance(counter, reading, whole)
    else:
        asked = FIGURES.get(rule.name, "0").format(l=figures.get("l"), W=whole.known, N="known")
        further = f"SELECT k, {asked} FROM counted GROUP BY k"
    n_further = 4 if rule.name == "delta_disclosure" else 3 if rule.name == "beta_likeness" else 1
    further_names = ", ".join(f"f{at}" for at in range(n_further))
    rows = counter.rows(
        f"SELECT n, m, known, kinds, most, {further_names}, sum(records), count(*) FROM (SELECT a.records, a.n, a.m, "
        f"coalesce(b.known, 0) AS known, coalesce(b.kinds, 0) AS kinds, coalesce(b.most, 0) AS most, {further_names} "
        "FROM sizes a LEFT JOIN (SELECT k, count(*) AS kinds, max(n) AS most, any_value(known) AS known FROM counted "
        f"GROUP BY k) b USING (k) LEFT JOIN ({further}) f(k, {further_names}) USING (k)) GROUP BY ALL"
    )
    holds, reach = VALUES[rule.name]
    failing = [row for row in rows if not (row[2] and holds(rule, whole, row))]
    found = [reach(rule, whole, row) if row[2] else None for row in rows]
    reached = None if not rows or None in found else float(weakest(rule)(each for each in found if each is not None))
    return Judged(_n(rows, -1), _n(failing, -1), _n(failing, -2), reached)


def weakest(rule: Rule) -> Callable[..., Any]:
    """Which figure of several classes protects least."""
    return min if rule.name in SMALLER else max


SMALLER = (
    "k_anonymity", "distinct_l_diversity", "entropy_l_diversity", "recursive_l_diversity", "m_invariance",
    "minimum_length", "p_percent", "minimum_contributors",
)  # fmt: skip


def ordered_distance(counter: Counter, whole: Whole) -> str:
    """The sum of |F(i) W N - G(i) W N| over the values i of the release, F its cumulative share and G that of a class.

    G changes at the values of the class only. Between two of them F, which rises, is below G up to some place and not
    below it from there on: two sums of F tell the rest.
    """
    counter.make(
        "line", "SELECT s, row_number() OVER (ORDER BY s) - 1 AS i, (sum(w) OVER (ORDER BY s))::HUGEINT AS c FROM whole"
    )
    counter.make(
        "prefix",
        "SELECT i, c, (coalesce(sum(c) OVER (ORDER BY i ROWS BETWEEN UNBOUNDED "
        "PRECEDING AND 1 PRECEDING), 0))::HUGEINT AS below FROM line UNION ALL "
        f"SELECT {whole.kinds}, {whole.known}::HUGEINT, (coalesce(sum(c), 0))::HUGEINT FROM line",
    )
    # A stretch begins at the first value of the release, or at a value of the class, and ends before the next one.
    counter.make(
        "stretches",
        "SELECT k, known, start, g, "
        f"coalesce(lead(start) OVER (PARTITION BY k ORDER BY start, g), {whole.kinds}) AS stop FROM ("
        "SELECT k, known, i AS start, (sum(n) OVER (PARTITION BY k ORDER BY i))::HUGEINT AS g FROM counted "
        "JOIN line USING (s) UNION ALL SELECT k, any_value(known), 0, 0 FROM counted GROUP BY k)",
    )
    counter.make(
        "turned",
        "SELECT s.*, least(greatest(coalesce(p.i, 0), start), stop) AS turn FROM "
        f"(SELECT *, (g * {whole.known} + known - 1) // known AS reaches FROM stretches) s "
        "ASOF LEFT JOIN (SELECT i, c FROM line) p ON s.reaches <= p.c",
    )
    return (
        f"SELECT k, sum(g * {whole.known} * (turn - start) - known * (t.below - a.below) "
        f"+ known * (e.below - t.below) - g * {whole.known} * (stop - turn)) FROM turned "
        "JOIN prefix a ON a.i = start JOIN prefix t ON t.i = turn JOIN prefix e ON e.i = stop GROUP BY k"
    )


def tree_distance(counter: Counter, reading: Reading, whole: Whole) -> str:
    """The sum over the levels of the taxonomy of the excess of shares, times N W."""
    height = len(next(iter(reading.nodes.values()), ()))
    counter.at.execute("CREATE OR REPLACE TEMP TABLE nodes (s BIGINT, level BIGINT, node BIGINT)")
    for level in range(height):
        pairs = [(number, nodes[level]) for number, nodes in reading.nodes.items()]
        counter.at.execute(
            f"INSERT INTO nodes SELECT unnest(?::BIGINT[]), {level}, unnest(?::BIGINT[])",
            [[one for one, _ in pairs], [node for _, node in pairs]],
        )
    return (
        f"SELECT k, sum(greatest(n::HUGEINT * {whole.known} - w::HUGEINT * known, 0)) FROM "
        "(SELECT k, level, node, any_value(known) AS known, sum(n) AS n FROM counted JOIN nodes USING (s) "
        "GROUP BY k, level, node) JOIN (SELECT level, node, sum(w) AS w FROM whole JOIN nodes USING (s) "
        "GROUP BY level, node) USING (level, node) GROUP BY k"
    )


def _entropy(row: Row) -> float:
    return log(row[2]) - float(row[5]) / float(row[2])


def _l_of_recursive(rule: Rule, row: Row) -> bool:
    return bool(row[4] < Fraction(rule.figures["c"]) * (row[5] or 0) * (1 - SLACK))


def _gain(whole: Whole, n: Any, w: Any, known: Any) -> Fraction:
    """How much more frequent a value is in a class than in the release: 0 as frequent, 1 twice as frequent."""
    return Fraction(int(n) * whole.known, int(w) * int(known)) - 1


def _distance(whole: Whole, row: Row) -> Fraction:
    return Fraction(int(row[5] or 0), int(row[2]) * whole.known * whole.farthest)


def _difference(whole: Whole, row: Row) -> float:
    """The largest logarithm of a ratio of shares; infinite where the class lacks a value of the release."""
    if row[3] < whole.kinds:
        return float("inf")
    return max(abs(log(float(1 + _gain(whole, row[at], row[at + 1], row[2])))) for at in (5, 7))


def _least_epsilon(rule: Rule, row: Row) -> Fraction | None:
    """The smallest epsilon that the class satisfies; None where there is none."""
    n, most, s = row[1] - rule.figures["b"], row[4], Fraction(rule.figures["sigma"]) + rule.figures["b"]
    if n <= 0 or most >= n:
        return None
    by_size, by_value = 1 + s / n, (s * n / Fraction(n - most) + n) / (s - 1 + n)
    return Fraction(max(by_size, by_value))


def _epsilon_holds(rule: Rule, row: Row) -> bool:
    found = _least_epsilon(rule, row)
    return found is not None and found <= Fraction(rule.figures["epsilon"]) * (1 + SLACK)


def _enough(reached: Any, asked: Any) -> bool:
    return bool(Fraction(reached) >= Fraction(asked) - SLACK)


def _most(reached: Any, asked: Any) -> bool:
    return bool(Fraction(reached) <= Fraction(asked) + SLACK)


# name: whether a class with known values holds, and its figure. A row is n, m, N, different values, most frequent, ...
VALUES: dict[str, tuple[Callable[[Rule, Whole, Row], bool], Callable[[Rule, Whole, Row], Any]]] = {
    "distinct_l_diversity": (lambda r, w, row: row[3] >= r.figures["l"], lambda r, w, row: row[3]),
    "entropy_l_diversity": (
        lambda r, w, row: _entropy(row) >= log(r.figures["l"]) - MARGIN,
        lambda r, w, row: exp(_entropy(row)),
    ),
    "recursive_l_diversity": (lambda r, w, row: _l_of_recursive(r, row), lambda r, w, row: None),
    "alpha_k_anonymity": (
        lambda r, w, row: row[0] >= r.figures["k"] and _most(Fraction(row[4], row[1]), r.figures["alpha"]),
        lambda r, w, row: Fraction(row[4], row[1]),
    ),
    "m_invariance": (
        lambda r, w, row: _enough(Fraction(row[1], row[4]), r.figures["m"]),
        lambda r, w, row: Fraction(row[1], row[4]),
    ),
    "t_closeness": (
        lambda r, w, row: _most(_distance(w, row), r.figures["t"]),
        lambda r, w, row: _distance(w, row),
    ),
    "beta_likeness": (
        lambda r, w, row: (
            _most(_gain(w, row[5], row[6], row[2]), r.figures["beta"]) and not (r.figures.get("enhanced") and row[7])
        ),
        lambda r, w, row: max(_gain(w, row[5], row[6], row[2]), Fraction(0)),
    ),
    "delta_disclosure": (
        lambda r, w, row: _difference(w, row) < float(r.figures["delta"]) - MARGIN,
        lambda r, w, row: _difference(w, row),
    ),
    "epsilon_privacy": (lambda r, w, row: _epsilon_holds(r, row), lambda r, w, row: _least_epsilon(r, row)),
}


def judge_lengths(rule: Rule, rows: Sequence[Row]) -> Judged:
    """``rows``: the shortest extent of a class (None: longer than everything), records, classes."""
    least = float(Fraction(rule.figures["width"]) * (1 - SLACK))
    failing = [row for row in rows if row[0] is not None and row[0] < least]
    known = [float(row[0]) for row in rows if row[0] is not None]
    return Judged(_n(rows, 2), _n(failing, 2), _n(failing, 1), min(known) if known else None)


def judge_amounts(rule: Rule, counter: Counter) -> Judged:
    """Rules on what every record, or unit, contributes to the total of a class. Amounts count whatever their sign."""
    top = rule.figures.get("contributors", 1)
    counter.make("contributions", "SELECT k, sum(abs(x)) AS x FROM valued WHERE x IS NOT NULL GROUP BY k, u")
    rows = counter.rows(
        "SELECT a.records, coalesce(total, 0), coalesce(first, 0), coalesce(two, 0), coalesce(top, 0), "
        "coalesce(contributors, 0) FROM (SELECT k, count(*) AS records FROM valued GROUP BY k) a LEFT JOIN "
        "(SELECT k, sum(x) AS total, max(x) AS first, sum(x) FILTER (place <= 2) AS two, "
        f"sum(x) FILTER (place <= {top}) AS top, count(*) FILTER (x <> 0) AS contributors FROM (SELECT k, x, "
        "row_number() OVER (PARTITION BY k ORDER BY x DESC) AS place FROM contributions) GROUP BY k) b USING (k)"
    )
    figures = [_contributed(rule, row) for row in rows]
    asked = float(rule.figures[{"dominance": "share", "p_percent": "p", "minimum_contributors": "n"}[rule.name]])
    fails = [found > asked + MARGIN if rule.name == "dominance" else found < asked * (1 - MARGIN) for found in figures]
    reached = float(weakest(rule)(figures)) if figures else None
    n_records = sum(int(row[0]) for row, failed in zip(rows, fails, strict=True) if failed)
    return Judged(len(rows), sum(fails), n_records, reached)


def _contributed(rule: Rule, row: Row) -> float:
    _, total, first, two, top, contributors = row
    if rule.name == "dominance":
        return float(top) / float(total) if total else 0.0
    if rule.name == "p_percent":
        return 100 * max(float(total) - float(two), 0.0) / float(first) if first else float("inf")
    return float(contributors)


def judge_weights(rule: Rule, counter: Counter) -> Judged:
    """Risks by weights, which say how many persons a record stands for; a unit has the least weight of its records."""
    rows = counter.rows(
        f"SELECT n, records, 1, coalesce(people, 0) FROM (SELECT k, {counter.size} AS n, count(*) AS records "
        "FROM valued GROUP BY k) LEFT JOIN (SELECT k, sum(x) AS people FROM (SELECT k, min(x) AS x FROM valued "
        "WHERE x IS NOT NULL GROUP BY k, u) GROUP BY k) USING (k)"
    )
    exact = [(size, records, classes, Fraction(people)) for size, records, classes, people in rows]
    if rule.name != "journalist_risk":
        return judge_release(rule, exact)
    enough = (1 - SLACK) / Fraction(rule.figures["maximum"])
    failing = [row for row in exact if max(row[3], row[0]) < enough]
    fewest = min((max(people, size) for size, _, _, people in exact), default=None)
    return Judged(len(exact), len(failing), _n(failing, 1), None if fewest is None else float(1 / fewest))
