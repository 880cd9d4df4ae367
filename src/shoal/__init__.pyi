# The public names of Shoal: the only list of them. Read by type checkers, and at run time by `lazy_loader.attach_stub`,
# which imports each name on first use. docs/api.md says what each is for.

__version__: str

# The workflow.
from . import datasets as datasets
from . import errors as errors
from .pipeline.assess import assess as assess
from .pipeline.compare import compare as compare
from .pipeline.files.release import Release as Release
from .pipeline.link import blocking_table as blocking_table
from .pipeline.link import link as link
from .pipeline.mend.mend import mend as mend
from .pipeline.page_check import check_page as check_page
from .pipeline.profile import profile as profile
from .pipeline.protect.protect import protect as protect
from .pipeline.replay import replay as replay
from .pipeline.verify.verify import verify as verify
from .policy import Policy as Policy
from .policy.propose import propose as propose
from .sources import read as read

# isort: split
# Namespaces.
from . import generalization as generalization
from . import linkage as linkage
from . import microaggregation as microaggregation
from . import perturbation as perturbation
from . import requirements as requirements
from . import risk as risk
from . import utility as utility

# isort: split
# Values that all of them share, and results of the workflow.
from .assessment.assessment import Assessment as Assessment
from .assessment.comparison import Comparison as Comparison
from .assessment.mend.mends import Mends as Mends
from .assessment.profile.table_profile import Profile as Profile
from .encode.standardize import standardize as standardize
from .errors import ShoalError as ShoalError
from .findings import Finding as Finding
from .findings import Findings as Findings
from .gate.gate import Proof as Proof
from .gate.page.page_proof import PageProof as PageProof
from .policy.propose import Proposal as Proposal
from .rng import Rng as Rng
from .schema import Column as Column
from .schema import Schema as Schema
from .schema import Taxonomy as Taxonomy
from .sources import ReadOptions as ReadOptions

# isort: split
# Short names of what the namespaces hold.
from .generalization import CutTree as CutTree
from .generalization import GensearchResult as GensearchResult
from .generalization import UserLoss as UserLoss
from .generalization import enumerate_partitions as enumerate_partitions
from .generalization import enumeration_tree as enumeration_tree
from .generalization import gensearch as gensearch
from .generalization import global_recoding as global_recoding
from .generalization import mondrian as mondrian
from .generalization import relaxed_mondrian as relaxed_mondrian
from .linkage import BlockingPasses as BlockingPasses
from .linkage import BlockingTable as BlockingTable
from .linkage import FuzzyBlocking as FuzzyBlocking
from .linkage import Intruder as Intruder
from .linkage import LabelBlocking as LabelBlocking
from .linkage import Linkage as Linkage
from .linkage import Links as Links
from .linkage import MapBlocking as MapBlocking
from .linkage import RuleBlocking as RuleBlocking
from .linkage import SortedNeighborhood as SortedNeighborhood
from .linkage import StandardBlocking as StandardBlocking
from .linkage import TreeBlocking as TreeBlocking
from .linkage import distance_linkage as distance_linkage
from .linkage import rank_linkage as rank_linkage
from .microaggregation import Blocks as Blocks
from .microaggregation import IndividualRanking as IndividualRanking
from .microaggregation import LowerBound as LowerBound
from .microaggregation import Map as Map
from .microaggregation import MapRules as MapRules
from .microaggregation import Microaggregation as Microaggregation
from .microaggregation import Partition as Partition
from .microaggregation import RefinedPartition as RefinedPartition
from .microaggregation import SomPartition as SomPartition
from .microaggregation import genetic as genetic
from .microaggregation import individual_ranking as individual_ranking
from .microaggregation import lower_bound as lower_bound
from .microaggregation import mdav as mdav
from .microaggregation import mhm as mhm
from .microaggregation import micro_som as micro_som
from .microaggregation import microaggregate as microaggregate
from .microaggregation import mst_partition as mst_partition
from .microaggregation import mu_approx as mu_approx
from .microaggregation import optimal_univariate as optimal_univariate
from .microaggregation import refine as refine
from .microaggregation import repair as repair
from .microaggregation import rule_from_json as rule_from_json
from .microaggregation import som as som
from .microaggregation import som_blocks as som_blocks
from .microaggregation import twod_tree as twod_tree
from .microaggregation import univariate_blocks as univariate_blocks
from .microaggregation import vmdav as vmdav
from .microaggregation import vmdav_diagnosis as vmdav_diagnosis
from .perturbation import DataSwap as DataSwap
from .perturbation import DateShift as DateShift
from .perturbation import Imputation as Imputation
from .perturbation import LossyImage as LossyImage
from .perturbation import Mic as Mic
from .perturbation import Noise as Noise
from .perturbation import Pram as Pram
from .perturbation import RankSwap as RankSwap
from .perturbation import RecordSwap as RecordSwap
from .perturbation import Rounding as Rounding
from .perturbation import TopBottomCode as TopBottomCode
from .perturbation import data_swap as data_swap
from .perturbation import date_shift as date_shift
from .perturbation import impute as impute
from .perturbation import invariant_matrix as invariant_matrix
from .perturbation import lossy_image as lossy_image
from .perturbation import mic as mic
from .perturbation import noise as noise
from .perturbation import pram as pram
from .perturbation import rank_swap as rank_swap
from .perturbation import record_swap as record_swap
from .perturbation import round_to as round_to
from .perturbation import top_bottom_code as top_bottom_code
from .requirements import AlphaKAnonymity as AlphaKAnonymity
from .requirements import BetaLikeness as BetaLikeness
from .requirements import DeltaDisclosure as DeltaDisclosure
from .requirements import DistinctLDiversity as DistinctLDiversity
from .requirements import Dominance as Dominance
from .requirements import EntropyLDiversity as EntropyLDiversity
from .requirements import EpsilonPrivacy as EpsilonPrivacy
from .requirements import JournalistRisk as JournalistRisk
from .requirements import KAnonymity as KAnonymity
from .requirements import MarketerRisk as MarketerRisk
from .requirements import MinimumContributors as MinimumContributors
from .requirements import MinimumLength as MinimumLength
from .requirements import MInvariance as MInvariance
from .requirements import PPercent as PPercent
from .requirements import ProsecutorRisk as ProsecutorRisk
from .requirements import RecordsAtRisk as RecordsAtRisk
from .requirements import RecursiveLDiversity as RecursiveLDiversity
from .requirements import TCloseness as TCloseness
from .requirements import UserRequirement as UserRequirement
from .risk import household_risk as household_risk
from .risk import individual_risk as individual_risk
from .risk import interval_disclosure as interval_disclosure
from .risk import population_uniques as population_uniques
from .risk import suda as suda
from .utility import CountQuery as CountQuery
from .utility import Score as Score
from .utility import count_queries as count_queries
from .utility import il1s as il1s
from .utility import mean_variation as mean_variation
from .utility import probabilistic_loss as probabilistic_loss
