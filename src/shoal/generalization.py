"""Generalization of tables: classes of records as cut trees over the quasi-identifiers."""

from shoal.losses import UserLoss as UserLoss
from shoal.methods.generalization.enumeration.enumerate_partitions import enumerate_partitions as enumerate_partitions
from shoal.methods.generalization.enumeration.enumeration_result import EnumerationResult as EnumerationResult
from shoal.methods.generalization.enumeration.enumeration_tree import EnumerationTree as EnumerationTree
from shoal.methods.generalization.enumeration.enumeration_tree import enumeration_tree as enumeration_tree
from shoal.methods.generalization.gensearch import gensearch as gensearch
from shoal.methods.generalization.gensearch_result import GensearchResult as GensearchResult
from shoal.methods.generalization.global_recoding import global_recoding as global_recoding
from shoal.methods.generalization.mondrian import mondrian as mondrian
from shoal.methods.generalization.mondrian import relaxed_mondrian as relaxed_mondrian
from shoal.plan import CutTree as CutTree
