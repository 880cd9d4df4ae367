"""Exceptions of Shoal and the texts of all error messages, one module for every kind.

A message says what is wrong, where, what was found, and what to do; it never shows a cell value of the data.
``exit_code`` is that of the shell command: 1 if a requirement does not hold, 2 for bad input or a bad policy.
"""

from shoal.errors.array import ArrayError
from shoal.errors.base import ShoalError, listed, nearest, plural
from shoal.errors.comparison import ComparisonError
from shoal.errors.dataset import DatasetError
from shoal.errors.engine import EngineError
from shoal.errors.key import KeyFileError
from shoal.errors.linkage import LinkageError
from shoal.errors.perturbation import PerturbationError
from shoal.errors.policy import PolicyError, TaxonomyError
from shoal.errors.release import CertificateError, ManifestError, RequirementError
from shoal.errors.source import ReservedNameError, SourceError
from shoal.errors.table import TableError
from shoal.errors.visible import visible

__all__ = [
    "ArrayError",
    "CertificateError",
    "ComparisonError",
    "DatasetError",
    "EngineError",
    "KeyFileError",
    "LinkageError",
    "ManifestError",
    "PerturbationError",
    "PolicyError",
    "RequirementError",
    "ReservedNameError",
    "ShoalError",
    "SourceError",
    "TableError",
    "TaxonomyError",
    "listed",
    "nearest",
    "plural",
    "visible",
]
