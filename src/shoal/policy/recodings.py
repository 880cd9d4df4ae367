"""The recodings of a table under a policy: global recoding by hand, with what has to be read from the table.

policy, counts of values -> column -> ColumnRecoding
"""

from __future__ import annotations

from collections.abc import Sequence

from shoal.errors import PolicyError
from shoal.policy.policy import Policy
from shoal.policy.recode_rule import RecodeRule
from shoal.policy.resolve import ValueCounts, check_cover
from shoal.release.column_recoding import (
    BoundRecoding,
    CategoryRecoding,
    ColumnRecoding,
    DatePartRecoding,
    IntervalRecoding,
    PrefixRecoding,
    WholeDomain,
    WidthRecoding,
)
from shoal.schema import Taxonomy
from shoal.schema.taxonomy import ROOT


def recodings(policy: Policy, names: Sequence[str], value_counts: ValueCounts) -> dict[str, ColumnRecoding]:
    """The recodings of the columns ``names``, by column. Error messages name the policy file."""
    try:
        rules = {name: policy.columns[name].recode_by_values for name in names if name in policy.columns}
        return {name: _recoding(policy, name, rule, value_counts) for name, rule in rules.items() if rule}
    except PolicyError as error:
        raise error.in_file(policy.file) from None


def _recoding(policy: Policy, name: str, rule: RecodeRule, value_counts: ValueCounts) -> ColumnRecoding:
    if rule.intervals is not None:
        return IntervalRecoding(rule.intervals)
    if rule.width is not None:
        return WidthRecoding(rule.width)
    if rule.date_part is not None:
        return DatePartRecoding(rule.date_part, rule.bottom, rule.top)
    if rule.prefix is not None:
        return PrefixRecoding(rule.prefix)
    if rule.merge is not None:
        return CategoryRecoding(rule.categories)
    if rule.level is not None:
        return _level_recoding(policy, name, rule.level, value_counts)
    return BoundRecoding(rule.bottom, rule.top)


def _level_recoding(policy: Policy, name: str, level: int, value_counts: ValueCounts) -> ColumnRecoding:
    """The nodes at one level of a hierarchy file; the highest level contains all values."""
    tree = policy.columns[name].taxonomy
    if tree is None or tree.file is None:
        return WholeDomain()
    taxonomy = Taxonomy.read(policy.path_of(tree.file))
    if level > taxonomy.height:
        raise PolicyError.outside(f"columns.{name}.recode.level", 1, taxonomy.height, level)
    check_cover(name, taxonomy, value_counts(name).known)
    nodes = {path[0]: ROOT if level == taxonomy.height else path[level] for path in taxonomy.paths}
    return CategoryRecoding(nodes)
