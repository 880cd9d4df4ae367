"""Shoal: publish microdata with proof.

A table of records and a policy go in; a release that provably holds what the policy demands comes out, with what it
cost and what an intruder could still do. The rooms, from the ground up:

    errors, progress     what is said to the user
    kernels, plan        compiled loops; what a method decided
    schema               roles, kinds, taxonomies of columns
    sources, datasets    where records come from and go; reference sets and generators
    encode               columns to arrays and back
    blocking             how work is divided
    requirements, losses what must hold of every group, and what it costs
    methods              from arrays to a plan
    release              the only place where values change, and the gate
    assess               risk and utility: original and release side by side
    engines              who carries the records
    policy, report       what the steward decided; what the reader is told
    run                  the whole road
    cli, sklearn         doors

Names are loaded when they are first used, so that ``import shoal`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from shoal.assess.findings import Finding, Findings
    from shoal.blocking import Blocks, rule_from_json
    from shoal.blocking.twod_tree import twod_tree
    from shoal.blocking.univariate import univariate_blocks
    from shoal.encode.standardize import standardize
    from shoal.errors import ShoalError
    from shoal.methods.generalization.mondrian import mondrian
    from shoal.methods.microaggregation.auto import Microaggregation, microaggregate
    from shoal.methods.microaggregation.genetic import genetic
    from shoal.methods.microaggregation.lower_bound import LowerBound, lower_bound
    from shoal.methods.microaggregation.mdav import mdav
    from shoal.methods.microaggregation.mhm import mhm
    from shoal.methods.microaggregation.mst_partition import mst_partition
    from shoal.methods.microaggregation.mu_approx import mu_approx
    from shoal.methods.microaggregation.refine import Refined, refine
    from shoal.methods.microaggregation.repair import repair
    from shoal.methods.microaggregation.univariate import IndividualRanking, individual_ranking, optimal_univariate
    from shoal.methods.microaggregation.vmdav import vmdav, vmdav_diagnosis
    from shoal.plan import CutTree, Partition
    from shoal.policy import Policy
    from shoal.requirements import (
        AlphaKAnonymity,
        BetaLikeness,
        DeltaDisclosure,
        DistinctLDiversity,
        EntropyLDiversity,
        EpsilonPrivacy,
        KAnonymity,
        MinimumLength,
        RecursiveLDiversity,
        TCloseness,
    )
    from shoal.run import Release, protect, replay, verify
    from shoal.schema import Column, Schema, Taxonomy

_HOME = {
    "AlphaKAnonymity": "shoal.requirements",
    "BetaLikeness": "shoal.requirements",
    "Blocks": "shoal.blocking",
    "Column": "shoal.schema",
    "CutTree": "shoal.plan",
    "DeltaDisclosure": "shoal.requirements",
    "DistinctLDiversity": "shoal.requirements",
    "EntropyLDiversity": "shoal.requirements",
    "EpsilonPrivacy": "shoal.requirements",
    "Finding": "shoal.assess.findings",
    "Findings": "shoal.assess.findings",
    "IndividualRanking": "shoal.methods.microaggregation.univariate",
    "KAnonymity": "shoal.requirements",
    "LowerBound": "shoal.methods.microaggregation.lower_bound",
    "Microaggregation": "shoal.methods.microaggregation.auto",
    "MinimumLength": "shoal.requirements",
    "Partition": "shoal.plan",
    "Policy": "shoal.policy",
    "RecursiveLDiversity": "shoal.requirements",
    "Refined": "shoal.methods.microaggregation.refine",
    "Release": "shoal.run",
    "Schema": "shoal.schema",
    "ShoalError": "shoal.errors",
    "TCloseness": "shoal.requirements",
    "Taxonomy": "shoal.schema",
    "genetic": "shoal.methods.microaggregation.genetic",
    "individual_ranking": "shoal.methods.microaggregation.univariate",
    "lower_bound": "shoal.methods.microaggregation.lower_bound",
    "mdav": "shoal.methods.microaggregation.mdav",
    "mhm": "shoal.methods.microaggregation.mhm",
    "microaggregate": "shoal.methods.microaggregation.auto",
    "mondrian": "shoal.methods.generalization.mondrian",
    "mst_partition": "shoal.methods.microaggregation.mst_partition",
    "mu_approx": "shoal.methods.microaggregation.mu_approx",
    "optimal_univariate": "shoal.methods.microaggregation.univariate",
    "protect": "shoal.run",
    "refine": "shoal.methods.microaggregation.refine",
    "repair": "shoal.methods.microaggregation.repair",
    "replay": "shoal.run",
    "rule_from_json": "shoal.blocking",
    "standardize": "shoal.encode.standardize",
    "twod_tree": "shoal.blocking.twod_tree",
    "univariate_blocks": "shoal.blocking.univariate",
    "verify": "shoal.run",
    "vmdav": "shoal.methods.microaggregation.vmdav",
    "vmdav_diagnosis": "shoal.methods.microaggregation.vmdav",
}

__all__ = [
    "AlphaKAnonymity",
    "BetaLikeness",
    "Blocks",
    "Column",
    "CutTree",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "EpsilonPrivacy",
    "Finding",
    "Findings",
    "IndividualRanking",
    "KAnonymity",
    "LowerBound",
    "Microaggregation",
    "MinimumLength",
    "Partition",
    "Policy",
    "RecursiveLDiversity",
    "Refined",
    "Release",
    "Schema",
    "ShoalError",
    "TCloseness",
    "Taxonomy",
    "genetic",
    "individual_ranking",
    "lower_bound",
    "mdav",
    "mhm",
    "microaggregate",
    "mondrian",
    "mst_partition",
    "mu_approx",
    "optimal_univariate",
    "protect",
    "refine",
    "repair",
    "replay",
    "rule_from_json",
    "standardize",
    "twod_tree",
    "univariate_blocks",
    "verify",
    "vmdav",
    "vmdav_diagnosis",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'shoal' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
