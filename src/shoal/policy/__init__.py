"""Policies as typed models: columns, requirements, method, limits and seed, as decided by the data steward."""

from shoal.policy.column_rule import ColumnRule, TaxonomyRule
from shoal.policy.load import dump, json_schema, load
from shoal.policy.parts import LocalSuppression, Output, Suppression, Warn
from shoal.policy.policy import Policy
from shoal.policy.release_plan import ReleasePlan
from shoal.policy.resolve import resolve, taxonomy_of
from shoal.policy.setting_grid import combinations, with_settings

__all__ = [
    "ColumnRule",
    "LocalSuppression",
    "Output",
    "Policy",
    "ReleasePlan",
    "Suppression",
    "TaxonomyRule",
    "Warn",
    "combinations",
    "dump",
    "json_schema",
    "load",
    "resolve",
    "taxonomy_of",
    "with_settings",
]
