"""Planning of blocks that are parts of a self-organizing map, trained on a sample of the records.

a source of records -> MapPlan

A map of a sample divides all records about as well as one of all of them, in a fraction of the time: every part has at
least k records of the sample, so that no block is smaller. Units are as many that a block has half of the limit on
average; where records are dense, blocks exceed the limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from shoal.blocking.block_pilot import PilotSource
from shoal.blocking.som.codebook import Codebook, som_blocks
from shoal.blocking.som.map_rules import BY_RULE, MapRules
from shoal.blocking.tree_space import Ranges

SAMPLE = 20_000  # records on which a map is trained, at least
RECORDS_PER_UNIT = 10  # of the sample, at least


@dataclass(frozen=True, eq=False)
class MapPlan:
    rule: Codebook
    limit: int  # number of records of the largest block
    reasons: tuple[str, ...] = ()


def n_units_for(n_records: int, limit: int) -> int:
    """Number of units whose blocks have half of ``limit`` records on average."""
    return max(1, ceil(2 * n_records / limit))


def train_codebook(
    source: PilotSource, n_records: int, k: int, limit: int, rules: MapRules = BY_RULE, seed: int = 0
) -> Codebook:
    """The rule of a map; its size is that of ``rules``, or else follows from the limit."""
    size = rules.size or n_units_for(n_records, limit)
    n_units = size if isinstance(size, int) else size[0] * size[1]
    sample = source.sample(max(SAMPLE, RECORDS_PER_UNIT * n_units))
    rule = som_blocks(sample, k, rules=replace(rules, size=size), seed=seed).rule
    assert isinstance(rule, Codebook), "blocks of a map have its codebook"
    return rule


def plan_map(source: PilotSource, ranges: Ranges, k: int, limit: int, rules: MapRules, seed: int) -> MapPlan:
    rule = train_codebook(source, ranges.n_records, k, limit, rules, seed)
    return MapPlan(rule, int(source.spreads(rule, ranges).counts.max()))
