"""Exceptions of Shoal and the texts of all error messages, one module for every kind.

A message says what is wrong, where, what was found, and what to do; it never shows a cell value of the data.
``exit_code`` is that of the shell command: 1 if a requirement does not hold, 2 for bad input or a bad policy.
"""

from shoal.errors.array_error import ArrayError
from shoal.errors.base import ShoalError
from shoal.errors.base import install as install
from shoal.errors.base import listed as listed
from shoal.errors.base import nearest as nearest
from shoal.errors.base import plural as plural
from shoal.errors.base import policy_key as policy_key
from shoal.errors.base import rounded_away as rounded_away
from shoal.errors.column_error import ColumnError
from shoal.errors.comparison_error import ComparisonError
from shoal.errors.dataset_error import DatasetError
from shoal.errors.earlier_release_error import EarlierReleaseError
from shoal.errors.engine_error import EngineError
from shoal.errors.failing_classes import FailingClasses as FailingClasses
from shoal.errors.key_file_error import KeyFileError
from shoal.errors.linkage_error import LinkageError
from shoal.errors.page_error import PageError
from shoal.errors.parts_error import PartsError
from shoal.errors.perturbation_error import PerturbationError
from shoal.errors.policy_error import PolicyError
from shoal.errors.release_error import CertificateError, ManifestError, RequirementError
from shoal.errors.rule_error import RuleError
from shoal.errors.source_error import ReservedNameError, SourceError
from shoal.errors.studio_error import StudioError
from shoal.errors.table_error import TableError
from shoal.errors.taxonomy_error import TaxonomyError
from shoal.errors.visible import visible as visible

__all__ = [
    "ArrayError",
    "CertificateError",
    "ColumnError",
    "ComparisonError",
    "DatasetError",
    "EarlierReleaseError",
    "EngineError",
    "KeyFileError",
    "LinkageError",
    "ManifestError",
    "PageError",
    "PartsError",
    "PerturbationError",
    "PolicyError",
    "RequirementError",
    "ReservedNameError",
    "RuleError",
    "ShoalError",
    "SourceError",
    "StudioError",
    "TableError",
    "TaxonomyError",
]
