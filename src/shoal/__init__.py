"""Shoal: publish microdata with proof.

From a table of records and a policy Shoal produces a release that provably satisfies the requirements of the policy,
and reports its information loss and remaining disclosure risk. CONTRIBUTING.md lists the packages, docs/flow.md says
how they work together.

Names are imported on first use, so that ``import shoal`` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from shoal.assessment.assessment import Assessment
    from shoal.assessment.comparison import Comparison
    from shoal.assessment.risk.individual_risk import household_risk, individual_risk
    from shoal.assessment.risk.interval import interval_disclosure
    from shoal.assessment.risk.suda import suda
    from shoal.assessment.score import Score
    from shoal.assessment.utility.moments import il1s, mean_variation
    from shoal.assessment.utility.probabilistic import probabilistic_loss
    from shoal.assessment.utility.queries import CountQuery, count_queries
    from shoal.blocking import Blocks, rule_from_json
    from shoal.blocking.som import Map, MapRules, som, som_blocks
    from shoal.blocking.twod_tree import twod_tree
    from shoal.blocking.univariate_blocks import univariate_blocks
    from shoal.encode.standardize import standardize
    from shoal.errors import ShoalError
    from shoal.findings import Finding, Findings
    from shoal.linkage.distance_linkage import distance_linkage
    from shoal.linkage.fuzzy_blocking import FuzzyBlocking
    from shoal.linkage.intruder import Intruder
    from shoal.linkage.linkage_by_blocks import LabelBlocking, RuleBlocking
    from shoal.linkage.linkage_risk import Linkage
    from shoal.linkage.rank_linkage import rank_linkage
    from shoal.linkage.record_links import Links
    from shoal.linkage.sorted_neighborhood import SortedNeighborhood
    from shoal.linkage.standard_blocking import StandardBlocking
    from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
    from shoal.methods.generalization.enumeration.enumeration_tree import enumeration_tree
    from shoal.methods.generalization.gensearch import gensearch
    from shoal.methods.generalization.gensearch_result import GensearchResult
    from shoal.methods.generalization.global_recoding import global_recoding
    from shoal.methods.generalization.mondrian import mondrian
    from shoal.methods.microaggregation.auto import Microaggregation, microaggregate
    from shoal.methods.microaggregation.genetic import genetic
    from shoal.methods.microaggregation.lower_bound import LowerBound, lower_bound
    from shoal.methods.microaggregation.mdav import mdav
    from shoal.methods.microaggregation.mhm import mhm
    from shoal.methods.microaggregation.micro_som import SomPartition, micro_som
    from shoal.methods.microaggregation.mst_partition import mst_partition
    from shoal.methods.microaggregation.mu_approx import mu_approx
    from shoal.methods.microaggregation.optimal_univariate import (
        IndividualRanking,
        individual_ranking,
        optimal_univariate,
    )
    from shoal.methods.microaggregation.refine import RefinedPartition, refine
    from shoal.methods.microaggregation.repair import repair
    from shoal.methods.microaggregation.vmdav import vmdav, vmdav_diagnosis
    from shoal.methods.perturbation import (
        DataSwap,
        Imputation,
        LossyImage,
        Mic,
        Noise,
        Pram,
        RankSwap,
        RecordSwap,
        Rounding,
        TopBottomCode,
    )
    from shoal.methods.perturbation.coding import top_bottom_code
    from shoal.methods.perturbation.data_swap import data_swap
    from shoal.methods.perturbation.imputation import impute
    from shoal.methods.perturbation.lossy_image import lossy_image
    from shoal.methods.perturbation.mic import mic
    from shoal.methods.perturbation.noise import noise
    from shoal.methods.perturbation.pram import pram
    from shoal.methods.perturbation.rank_swap import rank_swap
    from shoal.methods.perturbation.record_swap import record_swap
    from shoal.methods.perturbation.rounding import round_to
    from shoal.methods.perturbation.transition import invariant_matrix
    from shoal.pipeline.assess import assess
    from shoal.pipeline.compare import compare
    from shoal.pipeline.files.release import Release
    from shoal.pipeline.link import link
    from shoal.pipeline.protect.protect import protect
    from shoal.pipeline.replay import replay
    from shoal.pipeline.verify.verify import verify
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
    from shoal.rng import Rng
    from shoal.schema import Column, Schema, Taxonomy

_HOME = {
    "AlphaKAnonymity": "shoal.requirements",
    "Assessment": "shoal.assessment.assessment",
    "BetaLikeness": "shoal.requirements",
    "Blocks": "shoal.blocking",
    "Rng": "shoal.rng",
    "Column": "shoal.schema",
    "Comparison": "shoal.assessment.comparison",
    "CountQuery": "shoal.assessment.utility.queries",
    "CutTree": "shoal.plan",
    "DataSwap": "shoal.methods.perturbation",
    "DeltaDisclosure": "shoal.requirements",
    "DistinctLDiversity": "shoal.requirements",
    "EntropyLDiversity": "shoal.requirements",
    "EpsilonPrivacy": "shoal.requirements",
    "Finding": "shoal.findings",
    "Findings": "shoal.findings",
    "GensearchResult": "shoal.methods.generalization.gensearch_result",
    "FuzzyBlocking": "shoal.linkage.fuzzy_blocking",
    "Imputation": "shoal.methods.perturbation",
    "IndividualRanking": "shoal.methods.microaggregation.optimal_univariate",
    "Intruder": "shoal.linkage.intruder",
    "KAnonymity": "shoal.requirements",
    "LabelBlocking": "shoal.linkage.linkage_by_blocks",
    "Linkage": "shoal.linkage.linkage_risk",
    "Links": "shoal.linkage.record_links",
    "LossyImage": "shoal.methods.perturbation",
    "LowerBound": "shoal.methods.microaggregation.lower_bound",
    "Map": "shoal.blocking.som",
    "MapRules": "shoal.blocking.som",
    "Mic": "shoal.methods.perturbation",
    "Microaggregation": "shoal.methods.microaggregation.auto",
    "MinimumLength": "shoal.requirements",
    "Noise": "shoal.methods.perturbation",
    "Partition": "shoal.plan",
    "Policy": "shoal.policy",
    "Pram": "shoal.methods.perturbation",
    "RankSwap": "shoal.methods.perturbation",
    "RecordSwap": "shoal.methods.perturbation",
    "RecursiveLDiversity": "shoal.requirements",
    "RefinedPartition": "shoal.methods.microaggregation.refine",
    "Release": "shoal.pipeline.files.release",
    "Rounding": "shoal.methods.perturbation",
    "RuleBlocking": "shoal.linkage.linkage_by_blocks",
    "Schema": "shoal.schema",
    "Score": "shoal.assessment.score",
    "ShoalError": "shoal.errors",
    "SomPartition": "shoal.methods.microaggregation.micro_som",
    "SortedNeighborhood": "shoal.linkage.sorted_neighborhood",
    "StandardBlocking": "shoal.linkage.standard_blocking",
    "TCloseness": "shoal.requirements",
    "Taxonomy": "shoal.schema",
    "TopBottomCode": "shoal.methods.perturbation",
    "assess": "shoal.pipeline.assess",
    "compare": "shoal.pipeline.compare",
    "count_queries": "shoal.assessment.utility.queries",
    "data_swap": "shoal.methods.perturbation.data_swap",
    "distance_linkage": "shoal.linkage.distance_linkage",
    "enumerate_partitions": "shoal.methods.generalization.enumeration.enumerate_partitions",
    "enumeration_tree": "shoal.methods.generalization.enumeration.enumeration_tree",
    "genetic": "shoal.methods.microaggregation.genetic",
    "gensearch": "shoal.methods.generalization.gensearch",
    "global_recoding": "shoal.methods.generalization.global_recoding",
    "household_risk": "shoal.assessment.risk.individual_risk",
    "il1s": "shoal.assessment.utility.moments",
    "impute": "shoal.methods.perturbation.imputation",
    "individual_ranking": "shoal.methods.microaggregation.optimal_univariate",
    "individual_risk": "shoal.assessment.risk.individual_risk",
    "interval_disclosure": "shoal.assessment.risk.interval",
    "invariant_matrix": "shoal.methods.perturbation.transition",
    "link": "shoal.pipeline.link",
    "lossy_image": "shoal.methods.perturbation.lossy_image",
    "lower_bound": "shoal.methods.microaggregation.lower_bound",
    "mdav": "shoal.methods.microaggregation.mdav",
    "mean_variation": "shoal.assessment.utility.moments",
    "mhm": "shoal.methods.microaggregation.mhm",
    "mic": "shoal.methods.perturbation.mic",
    "micro_som": "shoal.methods.microaggregation.micro_som",
    "microaggregate": "shoal.methods.microaggregation.auto",
    "mondrian": "shoal.methods.generalization.mondrian",
    "mst_partition": "shoal.methods.microaggregation.mst_partition",
    "mu_approx": "shoal.methods.microaggregation.mu_approx",
    "noise": "shoal.methods.perturbation.noise",
    "optimal_univariate": "shoal.methods.microaggregation.optimal_univariate",
    "pram": "shoal.methods.perturbation.pram",
    "probabilistic_loss": "shoal.assessment.utility.probabilistic",
    "protect": "shoal.pipeline.protect.protect",
    "rank_linkage": "shoal.linkage.rank_linkage",
    "rank_swap": "shoal.methods.perturbation.rank_swap",
    "record_swap": "shoal.methods.perturbation.record_swap",
    "refine": "shoal.methods.microaggregation.refine",
    "repair": "shoal.methods.microaggregation.repair",
    "replay": "shoal.pipeline.replay",
    "round_to": "shoal.methods.perturbation.rounding",
    "rule_from_json": "shoal.blocking",
    "som": "shoal.blocking.som",
    "som_blocks": "shoal.blocking.som",
    "standardize": "shoal.encode.standardize",
    "suda": "shoal.assessment.risk.suda",
    "top_bottom_code": "shoal.methods.perturbation.coding",
    "twod_tree": "shoal.blocking.twod_tree",
    "univariate_blocks": "shoal.blocking.univariate_blocks",
    "verify": "shoal.pipeline.verify.verify",
    "vmdav": "shoal.methods.microaggregation.vmdav",
    "vmdav_diagnosis": "shoal.methods.microaggregation.vmdav",
}

__all__ = [
    "AlphaKAnonymity",
    "Assessment",
    "BetaLikeness",
    "Blocks",
    "Column",
    "Comparison",
    "CountQuery",
    "CutTree",
    "DataSwap",
    "DeltaDisclosure",
    "DistinctLDiversity",
    "EntropyLDiversity",
    "EpsilonPrivacy",
    "Finding",
    "Findings",
    "FuzzyBlocking",
    "GensearchResult",
    "Imputation",
    "IndividualRanking",
    "Intruder",
    "KAnonymity",
    "LabelBlocking",
    "Linkage",
    "Links",
    "LossyImage",
    "LowerBound",
    "Map",
    "MapRules",
    "Mic",
    "Microaggregation",
    "MinimumLength",
    "Noise",
    "Partition",
    "Policy",
    "Pram",
    "RankSwap",
    "RecordSwap",
    "RecursiveLDiversity",
    "RefinedPartition",
    "Release",
    "Rng",
    "Rounding",
    "RuleBlocking",
    "Schema",
    "Score",
    "ShoalError",
    "SomPartition",
    "SortedNeighborhood",
    "StandardBlocking",
    "TCloseness",
    "Taxonomy",
    "TopBottomCode",
    "assess",
    "compare",
    "count_queries",
    "data_swap",
    "distance_linkage",
    "enumerate_partitions",
    "enumeration_tree",
    "genetic",
    "gensearch",
    "global_recoding",
    "household_risk",
    "il1s",
    "impute",
    "individual_ranking",
    "individual_risk",
    "interval_disclosure",
    "invariant_matrix",
    "link",
    "lossy_image",
    "lower_bound",
    "mdav",
    "mean_variation",
    "mhm",
    "mic",
    "micro_som",
    "microaggregate",
    "mondrian",
    "mst_partition",
    "mu_approx",
    "noise",
    "optimal_univariate",
    "pram",
    "probabilistic_loss",
    "protect",
    "rank_linkage",
    "rank_swap",
    "record_swap",
    "refine",
    "repair",
    "replay",
    "round_to",
    "rule_from_json",
    "som",
    "som_blocks",
    "standardize",
    "suda",
    "top_bottom_code",
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
