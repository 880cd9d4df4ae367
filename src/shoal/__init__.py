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
    from shoal.assess.intruder import Intruder
    from shoal.assess.link import link
    from shoal.assess.risk.distance import distance_linkage
    from shoal.assess.risk.linkage import Linkage
    from shoal.assess.risk.links import Links
    from shoal.assess.risk.rank import rank_linkage
    from shoal.blocking.by_rule import LabelBlocking, RuleBlocking
    from shoal.blocking.fuzzy import FuzzyBlocking
    from shoal.blocking.sorted_neighborhood import SortedNeighborhood
    from shoal.blocking.standard import StandardBlocking
    from shoal.encode.standardize import standardize
    from shoal.errors import ShoalError
    from shoal.methods.microaggregation.auto import Microaggregation, microaggregate
    from shoal.methods.microaggregation.genetic import genetic
    from shoal.methods.microaggregation.lower_bound import LowerBound, lower_bound
    from shoal.methods.microaggregation.mdav import mdav
    from shoal.methods.microaggregation.mhm import mhm
    from shoal.methods.microaggregation.mst_partition import mst_partition
    from shoal.methods.microaggregation.mu_approx import mu_approx
    from shoal.methods.microaggregation.refine import Refined, refine
    from shoal.methods.microaggregation.univariate import IndividualRanking, individual_ranking, optimal_univariate
    from shoal.methods.microaggregation.vmdav import vmdav, vmdav_diagnosis
    from shoal.plan import Partition
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
    "Column": "shoal.schema",
    "DeltaDisclosure": "shoal.requirements",
    "DistinctLDiversity": "shoal.requirements",
    "EntropyLDiversity": "shoal.requirements",
    "EpsilonPrivacy": "shoal.requirements",
    "Finding": "shoal.assess.findings",
    "Findings": "shoal.assess.findings",
    "FuzzyBlocking": "shoal.blocking.fuzzy",
    "IndividualRanking": "shoal.methods.microaggregation.univariate",
    "Intruder": "shoal.assess.intruder",
    "KAnonymity": "shoal.requirements",
    "LabelBlocking": "shoal.blocking.by_rule",
    "Linkage": "shoal.assess.risk.linkage",
    "Links": "shoal.assess.risk.links",
    "LowerBound": "shoal.methods.microaggregation.lower_bound",
    "Microaggregation": "shoal.methods.microaggregation.auto",
    "MinimumLength": "shoal.requirements",
    "Partition": "shoal.plan",
    "Policy": "shoal.policy",
    "RecursiveLDiversity": "shoal.requirements",
    "Refined": "shoal.methods.microaggregation.refine",
    "Release": "shoal.run",
    "RuleBlocking": "shoal.blocking.by_rule",
    "Schema": "shoal.schema",
    "ShoalError": "shoal.errors",
    "SortedNeighborhood": "shoal.blocking.sorted_neighborhood",
    "StandardBlocking": "shoal.blocking.standard",
    "TCloseness": "shoal.requirements",
    "Taxonomy": "shoal.schema",
    "distance_linkage": "shoal.assess.risk.distance",
    "genetic": "shoal.methods.microaggregation.genetic",
    "individual_ranking": "shoal.methods.microaggregation.univariate",
    "link": "shoal.assess.link",
    "lower_bound": "shoal.methods.microaggregation.lower_bound",
    "mdav": "shoal.methods.microaggregation.mdav",
    "mhm": "shoal.methods.microaggregation.mhm",
    "microaggregate": "shoal.methods.microaggregation.auto",
    "mst_partition": "shoal.methods.microaggregation.mst_partition",
    "mu_approx": "shoal.methods.microaggregation.mu_approx",
    "optimal_univariate": "shoal.methods.microaggregation.univariate",
    "protect": "shoal.run",
    "rank_linkage": "shoal.assess.risk.rank",
    "refine": "shoal.methods.microaggregation.refine",
    "replay": "shoal.run",
    "standardize": "shoal.encode.standardize",
    "verify": "shoal.run",
    "vmdav": "shoal.methods.microaggregation.vmdav",
    "vmdav_diagnosis": "shoal.methods.microaggregation.vmdav",
}

__all__ = [
    "AlphaKAnonymity",
    "BetaLikeness",
    "Column",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "EpsilonPrivacy",
    "Finding",
    "Findings",
    "FuzzyBlocking",
    "IndividualRanking",
    "Intruder",
    "KAnonymity",
    "LabelBlocking",
    "Linkage",
    "Links",
    "LowerBound",
    "Microaggregation",
    "MinimumLength",
    "Partition",
    "Policy",
    "RecursiveLDiversity",
    "Refined",
    "Release",
    "RuleBlocking",
    "Schema",
    "ShoalError",
    "SortedNeighborhood",
    "StandardBlocking",
    "TCloseness",
    "Taxonomy",
    "distance_linkage",
    "genetic",
    "individual_ranking",
    "link",
    "lower_bound",
    "mdav",
    "mhm",
    "microaggregate",
    "mst_partition",
    "mu_approx",
    "optimal_univariate",
    "protect",
    "rank_linkage",
    "refine",
    "replay",
    "standardize",
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
