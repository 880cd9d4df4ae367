"""Requirements compiled for the search: tests of the counts of a block.

Every requirement of shoal.requirements has a native counterpart, so that a search never calls Python to check a block.
Its result is checked again by the requirements themselves.
"""

from __future__ import annotations

from math import ceil, log
from typing import Any

import numpy as np

from shoal import kernels
from shoal.errors import PolicyError
from shoal.kernels import Labels, Vector
from shoal.methods.generalization.attribute import Attribute, SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts, Sensitive
from shoal.plan import NumericDomain
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
    Requirement,
    TCloseness,
)
from shoal.requirements.judge import Key, domain_keys
from shoal.requirements.shares import SLACK

Firsts = dict[Key, int]  # where the counts of a sensitive column begin


def native_tests(coded: CodedCounts, firsts: Firsts) -> list[kernels.BlockTest]:
    """The tests of all requirements except minimum group sizes."""
    return [
        test
        for wanted in coded.requirements
        if not isinstance(wanted, KAnonymity)
        for test in _tests(coded, wanted, firsts)
    ]


def least_size(coded: CodedCounts) -> int:
    """Minimum size of every block, implied by any of the requirements."""
    by_belief = [
        ceil((wanted.b + (wanted.sigma + wanted.b) / (wanted.epsilon - 1)) * (1 - 2 * SLACK))
        for wanted in coded.requirements
        if isinstance(wanted, EpsilonPrivacy)
    ]
    by_values = [wanted.l for wanted in coded.requirements if isinstance(wanted, DistinctLDiversity)]
    return max([coded.least, *by_belief, *by_values])


def _tests(coded: CodedCounts, wanted: Requirement, firsts: Firsts) -> list[kernels.BlockTest]:
    """One for every form of the sensitive column."""
    if isinstance(wanted, MinimumLength):
        return [_length(coded, wanted)]
    found = [_test(wanted, coded.sensitive[key], firsts[key]) for key in domain_keys(wanted, coded.sensitive)]
    if not found:
        raise PolicyError.not_native(wanted.name)
    return found


def _test(wanted: Requirement, sensitive: Sensitive, first: int) -> kernels.BlockTest:
    kind, options = _kind(wanted, sensitive)
    known = max(int(sensitive.whole.sum()), 1)
    return kernels.BlockTest(
        kind=kind, first=first, size=sensitive.whole.size, overall=(sensitive.whole / known).tolist(), **options
    )


def _kind(wanted: Requirement, sensitive: Sensitive) -> tuple[kernels.TestKind, dict[str, Any]]:
    test = kernels.TestKind
    match wanted:
        case DistinctLDiversity():
            return test.distinct, {"asked": wanted.l}
        case EntropyLDiversity():
            return test.entropy, {"asked": log(wanted.l)}
        case RecursiveLDiversity():
            return test.recursive, {"asked": wanted.c, "since": wanted.l}
        case AlphaKAnonymity():
            return test.share, {"asked": wanted.alpha}
        case TCloseness(distance="hierarchical") if sensitive.tree is not None:
            return test.tree, {"asked": wanted.t, "tree": _flat(sensitive.tree)}
        case TCloseness():
            return test.ordered if wanted.distance == "ordered" else test.equal, {"asked": wanted.t}
        case DeltaDisclosure():
            return test.delta, {"asked": wanted.delta}
        case BetaLikeness():
            return test.enhanced_beta if wanted.enhanced else test.beta, {"asked": wanted.beta}
        case EpsilonPrivacy():
            return test.epsilon, {"asked": wanted.epsilon, "since": wanted.b, "sigma": wanted.sigma + wanted.b}
        case _:
            raise PolicyError.not_native(wanted.name)


def _flat(tree: Labels) -> list[int]:
    """Level by level, nodes renumbered from 0."""
    levels = [np.unique(nodes, return_inverse=True)[1] for nodes in tree.T]
    return [int(node) for nodes in levels for node in nodes]


def _length(coded: CodedCounts, wanted: MinimumLength) -> kernels.BlockTest:
    names = [attribute.domain.name for attribute in coded.attributes]
    column = names.index(wanted.column)
    attribute = coded.attributes[column]
    starts, stops = np.array([(node.start, node.stop) for node in attribute.nodes]).T
    lengths = attribute.lengths(starts, stops, np.arange(len(attribute.nodes)))
    is_number = isinstance(attribute.domain, NumericDomain)
    return kernels.BlockTest(
        kind=kernels.TestKind.length,
        asked=wanted.width,
        since=0.0 if is_number else 1.0,
        overall=_ends(attribute).tolist(),
        node_lengths=lengths.tolist(),
        column=column,
    )


def _ends(attribute: Attribute) -> Vector:
    """(n_codes + 1,) the points at which codes begin; the length of a range is the difference of its two ends."""
    if isinstance(attribute.domain, NumericDomain):
        return np.array([-np.inf, *attribute.domain.cuts, *[np.inf] * (1 + attribute.domain.has_missing)])
    return np.arange(attribute.domain.n_codes + 1.0)


def has_length(coded: CodedCounts, column: int) -> bool:
    """Whether a requirement restricts the length of blocks on a column."""
    name = coded.attributes[column].domain.name
    return any(isinstance(wanted, MinimumLength) and wanted.column == name for wanted in coded.requirements)


def has_nodes(attribute: Attribute) -> bool:
    """Whether a cut can produce all children of a node at once."""
    return any(node.rule == SplitRule.ALL for node in attribute.nodes)
