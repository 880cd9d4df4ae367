"""All workloads, by name: what is made ready, what is measured, and which figure of the result says how good it is.

Nothing of Shoal is imported here until a workload is made ready: the process that starts the others stays small, since
a process inherits the peak of memory of the one that started it.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

K = 3
ENOUGH = 600  # seconds that no search of these needs, so that its result does not depend on the machine
GENERALIZED = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
AGES = {"age": [18, *range(20, 91, 5)]}


@dataclass(frozen=True)
class Task:
    """``work`` is measured; ``quality`` computes a figure from its result, afterwards."""

    work: Callable[[], Any]
    quality: Callable[[Any], float]


@dataclass(frozen=True)
class Workload:
    """``quality``: the name of a figure of which less is better."""

    name: str
    quality: str
    prepare: Callable[[], Task]
    is_quick: bool = True
    needs_data: bool = False  # the public sets in the folder SHOAL_DATA

    @property
    def can_run(self) -> bool:
        return not self.needs_data or "SHOAL_DATA" in os.environ


LOSS = "information loss, %"
LOSS_OF_RELEASES = "information loss"  # the name of the finding


def uniform(n: int, d: int) -> Any:
    from shoal import datasets

    return datasets.uniform_array(n, d, seed=0)


def standardized(name: str) -> Any:
    import numpy as np

    import shoal
    from shoal import datasets

    return shoal.standardize(np.column_stack(getattr(datasets, name)().columns))


def grouping(form: Callable[[Any], Any], records: Callable[[], Any]) -> Task:
    X = records()
    return Task(lambda: form(X), lambda partition: partition.information_loss(X))


def mdav(X: Any) -> Any:
    import shoal

    return shoal.mdav(X, K)


def vmdav(X: Any) -> Any:
    import shoal

    return shoal.vmdav(X, K, gamma=0.2)


def micro_som(X: Any) -> Any:
    import shoal

    return shoal.micro_som(X, K)


def refined(X: Any) -> Any:
    import shoal

    return shoal.microaggregate(X, K, proposals=2_000_000, seed=0)


def blocked_mdav(X: Any) -> Any:
    import shoal

    return shoal.mdav(X, K, blocks=shoal.twod_tree(X, limit=10_000, k=K))


def lower_bound() -> Task:
    import shoal

    X = standardized("tarragona")
    own = shoal.microaggregate(X, K, proposals=2_000_000, seed=0).sse(X)
    return Task(lambda: shoal.lower_bound(X, K, seconds=ENOUGH), lambda bound: 100 * (own / bound - 1))


def gensearch() -> Task:
    import shoal
    from shoal import datasets

    files, records = datasets.adult_taxonomies(), datasets.adult()
    columns = [
        shoal.Column(name, role="quasi_identifier", kind="numeric")
        if name == "age"
        else shoal.Column(name, role="quasi_identifier", kind="nominal", taxonomy=shoal.Taxonomy.read(files[name]))
        for name in GENERALIZED
    ]
    schema = shoal.Schema([*columns, shoal.Column("salary-class", role="sensitive", kind="nominal")])
    requirements = [shoal.KAnonymity(100)]
    return Task(
        lambda: shoal.gensearch(records, schema, requirements, cuts=AGES, seconds=ENOUGH),
        lambda found: 100 * (found.cost / found.lower_bound - 1),
    )


def distance_linkage(n: int) -> Task:
    import numpy as np

    import shoal

    X = uniform(n, 5)
    released = X + np.random.default_rng(0).normal(0, 0.01, X.shape)
    return Task(lambda: shoal.distance_linkage(X, released), lambda links: 100 * (1 - links.chances.mean()))


def rank_swap() -> Task:
    import numpy as np

    import shoal

    X = uniform(1_000_000, 3)
    return Task(lambda: shoal.rank_swap(X, p=5, seed=0), lambda swapped: 100 * float(np.abs(swapped - X).mean()))


def suda() -> Task:
    import numpy as np

    import shoal

    coded = np.random.default_rng(0).integers(0, (2, 90, 5, 20, 7, 16, 3, 9), (100_000, 8))
    return Task(lambda: shoal.suda(coded, max_size=3), lambda found: 100 * float((found.scores > 0).mean()))


def mondrian() -> Task:
    import shoal
    from shoal import datasets
    from shoal.encode.combination_counts import count_combinations
    from shoal.losses import measure

    names = ("region", "sex", "age", "marital_status", "education", "occupation")
    records = datasets.synthetic_census(100_000, seed=0).select(names)
    schema = shoal.Schema(
        shoal.Column(name, "quasi_identifier", "numeric" if name == "age" else "nominal") for name in names
    )
    counts = count_combinations(records, names)
    return Task(
        lambda: shoal.mondrian(records, schema, [shoal.KAnonymity(K)]),
        lambda tree: float((measure(tree, counts).totals.astype(float) ** 2).sum()) / records.num_rows,
    )


def census_file(n: int) -> Path:
    import pyarrow.csv as pacsv

    from shoal import datasets

    path = Path(tempfile.mkdtemp()) / "census.csv"
    pacsv.write_csv(datasets.synthetic_census(n, seed=0), path)
    return path


def release() -> Task:
    """From a file to a proved release with its assessment, by the policy that `shoal init` proposes."""
    import shoal

    path = census_file(10_000)
    policy = shoal.propose(path)
    return Task(
        lambda: shoal.protect(path, policy, output=path.with_name("release.csv")),
        lambda made: next(found.estimate for found in made.assessment.findings if found.name == LOSS_OF_RELEASES),
    )


def proof() -> Task:
    """The proof of a release of 200,000 persons: read, counted, compared with the policy."""
    import pyarrow.csv as pacsv

    import shoal
    from shoal import datasets

    path = Path(tempfile.mkdtemp()) / "release.csv"
    names = ["region", "sex", "marital_status", "health_condition"]
    pacsv.write_csv(datasets.synthetic_census(200_000, seed=0).select(names), path)
    policy = {
        "columns": {name: {"role": "quasi_identifier"} for name in names[:3]} | {names[3]: {"role": "sensitive"}},
        "requirements": [{"name": "k_anonymity", "k": 2}, {"name": "distinct_l_diversity", "l": 2, "column": names[3]}],
    }
    return Task(
        lambda: shoal.verify(path, policy),
        lambda found: sum(not verdict.holds for verdict in found.verdicts),
    )


WORKLOADS: tuple[Workload, ...] = (
    Workload("mdav 1e5 x 3", LOSS, lambda: grouping(mdav, lambda: uniform(100_000, 3))),
    Workload("mdav 1e5 x 10", LOSS, lambda: grouping(mdav, lambda: uniform(100_000, 10))),
    Workload("mdav 1e6 x 3", LOSS, lambda: grouping(mdav, lambda: uniform(1_000_000, 3)), is_quick=False),
    Workload("blocked mdav 1e6 x 3", LOSS, lambda: grouping(blocked_mdav, lambda: uniform(1_000_000, 3))),
    Workload("blocked mdav 1e7 x 3", LOSS, lambda: grouping(blocked_mdav, lambda: uniform(10_000_000, 3)), False),
    Workload("blocked mdav 2.5e6 x 2", LOSS, lambda: grouping(blocked_mdav, lambda: uniform(2_500_000, 2)), False),
    Workload("blocked mdav 2.5e6 x 10", LOSS, lambda: grouping(blocked_mdav, lambda: uniform(2_500_000, 10)), False),
    Workload("vmdav 1e5 x 3", LOSS, lambda: grouping(vmdav, lambda: uniform(100_000, 3))),
    Workload("micro-som 1e5 x 3", LOSS, lambda: grouping(micro_som, lambda: uniform(100_000, 3))),
    Workload("microaggregate census", LOSS, lambda: grouping(refined, lambda: standardized("census")), needs_data=True),
    Workload("lower bound tarragona", "gap of the bound, %", lower_bound, needs_data=True),
    Workload("mondrian 1e5", "mean size of a person's class", mondrian),
    Workload("gensearch adult, k = 100", "gap of the search, %", gensearch, needs_data=True),
    Workload("rank swap 1e6 x 3", "mean change of a value, % of the range", rank_swap),
    Workload("distance linkage 1e5 x 5", "persons not found, %", lambda: distance_linkage(100_000)),
    Workload("suda 1e5 x 8", "records at risk, %", suda),
    Workload("release 1e4 persons", LOSS, release),
    Workload("proof 2e5 persons", "requirements that fail", proof),
)
