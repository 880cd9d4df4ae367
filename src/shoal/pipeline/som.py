"""A self-organizing map of a table, trained and ready to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.assessment.utility.population_map import PopulationMap, map_of_numbers, map_of_quasi_identifiers
from shoal.blocking.som import MapRules
from shoal.blocking.som.map_rules import BY_RULE
from shoal.engines.memory import MemoryEngine
from shoal.errors import PolicyError, TableError
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.verify.prove_file import PolicyLike
from shoal.policy import load
from shoal.policy.proposal.reading_options import WrittenTexts, missing_words
from shoal.schema.suggest import suggest
from shoal.sources import ReadOptions, read

FEWEST = 3  # fewest records of a cell that is shown, if no policy gives k
ATTRIBUTE_ROLES = ("quasi_identifier", "sensitive", "other")  # roles of columns with attributes of a person


def chart(
    source: Any,
    policy: PolicyLike | None = None,
    *,
    columns: Sequence[str] = (),
    label: str | None = None,
    rules: MapRules = BY_RULE,
    seed: int = 0,
) -> PopulationMap:
    """A map of the quasi-identifiers of a policy, or of numeric columns; ``label``: a column that labels the cells."""
    if policy is not None:
        return _by_policy(FittedTable.read(MemoryEngine(), source, load(policy)), label)
    words = missing_words(WrittenTexts.of_columns(read(source).table))
    loaded = read(source, ReadOptions(missing=("", *words)), kinds="infer")
    loaded.check_columns([*columns, *([label] if label else [])])
    table = loaded.table
    names = list(columns) or _numeric(table)
    if not names:
        raise TableError.no_numeric_column()
    loaded.check_named()
    table = table.filter(_has_value(table, names))
    population = map_of_numbers(table, names, rules, seed=seed, fewest=FEWEST)
    return population.with_labels(label, table[label]) if label else population


def _by_policy(original: FittedTable[Any], label: str | None) -> PopulationMap:
    plan = original.plan
    table = original.engine.collect(original.frame)
    if label and label not in table.column_names:
        raise PolicyError.unlisted_in_policy("label", label, tuple(plan.columns))
    rules = plan.method.map_rules or BY_RULE
    population = map_of_quasi_identifiers(
        table, original.schema, original.weighted_embedding, rules, seed=plan.seed, fewest=plan.k or FEWEST
    )
    return population.with_labels(label, table[label]) if label else population


def _numeric(table: pa.Table) -> list[str]:
    """Numeric columns with at least one value, without identifiers, households, units and weights."""
    suggested = [s.name for s in suggest(table) if s.kind == "numeric" and s.role in ATTRIBUTE_ROLES]
    return [name for name in suggested if table[name].null_count < len(table)]


def _has_value(table: pa.Table, names: Sequence[str]) -> Any:
    """(n_records,) Whether a record has at least one known value."""
    return pa.array(reduce(or_, (pc.is_valid(table[name]).to_numpy() for name in names)))
