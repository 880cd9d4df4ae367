"""Generalization of tables: classes of records as cut trees over the quasi-identifiers."""

from __future__ import annotations

from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions
from shoal.methods.generalization.enumeration.enumeration_result import EnumerationResult
from shoal.methods.generalization.enumeration.enumeration_tree import EnumerationTree, enumeration_tree
from shoal.methods.generalization.gensearch import gensearch
from shoal.methods.generalization.gensearch_result import GensearchResult
from shoal.methods.generalization.global_recoding import global_recoding
from shoal.methods.generalization.mondrian import mondrian, relaxed_mondrian
from shoal.plan import CutTree

__all__ = [
    "CutTree",
    "EnumerationResult",
    "EnumerationTree",
    "GensearchResult",
    "enumerate_partitions",
    "enumeration_tree",
    "gensearch",
    "global_recoding",
    "mondrian",
    "relaxed_mondrian",
]
