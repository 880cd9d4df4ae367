"""Microaggregation of arrays: groups of at least k similar records, and blocks that divide large tables first."""

from __future__ import annotations

from shoal.blocking import Blocks, rule_from_json
from shoal.blocking.som import Map, MapRules, som, som_blocks
from shoal.blocking.twod_tree import TreeBlocks, twod_tree
from shoal.blocking.univariate_blocks import univariate_blocks
from shoal.methods.microaggregation.auto import Microaggregation, microaggregate
from shoal.methods.microaggregation.genetic import genetic
from shoal.methods.microaggregation.lower_bound import LowerBound, lower_bound
from shoal.methods.microaggregation.mdav import mdav
from shoal.methods.microaggregation.mhm import mhm
from shoal.methods.microaggregation.micro_som import SomPartition, micro_som
from shoal.methods.microaggregation.mst_partition import mst_partition
from shoal.methods.microaggregation.mu_approx import mu_approx
from shoal.methods.microaggregation.optimal_univariate import IndividualRanking, individual_ranking, optimal_univariate
from shoal.methods.microaggregation.refine import RefinedPartition, refine
from shoal.methods.microaggregation.repair import repair
from shoal.methods.microaggregation.vmdav import Diagnosis, vmdav, vmdav_diagnosis
from shoal.plan import Partition

__all__ = [
    "Blocks",
    "Diagnosis",
    "IndividualRanking",
    "LowerBound",
    "Map",
    "MapRules",
    "Microaggregation",
    "Partition",
    "RefinedPartition",
    "SomPartition",
    "TreeBlocks",
    "genetic",
    "individual_ranking",
    "lower_bound",
    "mdav",
    "mhm",
    "micro_som",
    "microaggregate",
    "mst_partition",
    "mu_approx",
    "optimal_univariate",
    "refine",
    "repair",
    "rule_from_json",
    "som",
    "som_blocks",
    "twod_tree",
    "univariate_blocks",
    "vmdav",
    "vmdav_diagnosis",
]
