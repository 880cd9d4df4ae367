"""Requirements compiled for the search: tests of the counts of a block.

A requirement states its native counterpart itself, so that a search does not call Python to check a block. One that a
user wrote has none, and is called. The result is checked again by the requirements themselves.
"""

from __future__ import annotations

import numpy as np

from shoal import kernels
from shoal.errors import PolicyError
from shoal.kernels import Labels, Vector
from shoal.methods.generalization.attribute import Attribute, SplitRule
from shoal.methods.generalization.coded_counts import CodedCounts, Sensitive
from shoal.methods.generalization.user_calls import RuleFailures, requirement_call
from shoal.plan import NumericDomain
from shoal.requirements import Requirement
from shoal.requirements.judge import Key, domain_keys
from shoal.requirements.native_test import NativeTest
from shoal.requirements.requirement import ReleaseRequirement
from shoal.requirements.user_requirement import UserRequirement

Firsts = dict[Key, int]  # where the counts of a sensitive column begin


def native_tests(coded: CodedCounts, firsts: Firsts, total: int, failures: RuleFailures) -> list[kernels.BlockTest]:
    """The tests of all requirements on blocks except minimum group sizes. ``total``: where records are counted, for the
    rules of users."""
    of_blocks = [wanted for wanted in coded.requirements if not isinstance(wanted, ReleaseRequirement)]
    return [
        test
        for wanted in of_blocks
        if wanted.reads != "totals"
        for test in (
            _user_tests(coded, wanted, firsts, total, failures)
            if isinstance(wanted, UserRequirement)
            else _tests(coded, wanted, firsts)
        )
    ]


def calls_user(coded: CodedCounts) -> bool:
    """Whether a requirement is written by a user."""
    return any(isinstance(wanted, UserRequirement) for wanted in coded.requirements)


def least_size(coded: CodedCounts) -> int:
    """Minimum size of every block, implied by any of the requirements."""
    natives = [wanted.native_test for wanted in coded.requirements]
    return max([coded.least, *(native.least_records for native in natives if native is not None)])


def _tests(coded: CodedCounts, wanted: Requirement, firsts: Firsts) -> list[kernels.BlockTest]:
    """One for every form of the sensitive column."""
    native = wanted.native_test
    if native is None:
        raise PolicyError.not_native(wanted.name)
    if wanted.reads == "extents":
        return [_length(coded, str(wanted.column), native)]
    tests = [_test(native, coded.sensitive[key], firsts[key]) for key in domain_keys(wanted, coded.sensitive)]
    if not tests:
        raise PolicyError.not_native(wanted.name)
    return tests


def _user_tests(
    coded: CodedCounts, wanted: UserRequirement, firsts: Firsts, total: int, failures: RuleFailures
) -> list[kernels.BlockTest]:
    """One for every form of the sensitive column, or one of records alone."""
    read = [(firsts[key], coded.sensitive[key]) for key in domain_keys(wanted, coded.sensitive)]
    user = kernels.TestKind.user
    if not read:
        call = failures.kept_of(requirement_call(wanted, None, None))
        return [kernels.BlockTest(kind=user, asked=wanted.asked, total=total, user=call)]
    return [
        kernels.BlockTest(
            kind=user,
            asked=wanted.asked,
            first=first,
            size=sensitive.whole.size,
            total=total,
            user=failures.kept_of(requirement_call(wanted, sensitive.whole, sensitive.tree)),
        )
        for first, sensitive in read
    ]


def _test(native: NativeTest, sensitive: Sensitive, first: int) -> kernels.BlockTest:
    known = max(int(sensitive.whole.sum()), 1)
    return kernels.BlockTest(
        kind=native.kind,
        asked=native.asked,
        since=native.since,
        sigma=native.sigma,
        first=first,
        size=sensitive.whole.size,
        overall=(sensitive.whole / known).tolist(),
        tree=[] if sensitive.tree is None else _flat(sensitive.tree),
    )


def _flat(tree: Labels) -> list[int]:
    """Level by level, nodes renumbered from 0."""
    levels = [np.unique(nodes, return_inverse=True)[1] for nodes in tree.T]
    return [int(node) for nodes in levels for node in nodes]


def _length(coded: CodedCounts, name: str, native: NativeTest) -> kernels.BlockTest:
    column = [attribute.domain.name for attribute in coded.attributes].index(name)
    attribute = coded.attributes[column]
    starts, stops = np.array([(node.start, node.stop) for node in attribute.nodes]).T
    lengths = attribute.lengths(starts, stops, np.arange(len(attribute.nodes)))
    is_number = isinstance(attribute.domain, NumericDomain)
    return kernels.BlockTest(
        kind=native.kind,
        asked=native.asked,
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
    return any(wanted.reads == "extents" and wanted.column == name for wanted in coded.requirements)


def has_nodes(attribute: Attribute) -> bool:
    """Whether a cut can produce all children of a node at once."""
    return any(node.rule == SplitRule.ALL for node in attribute.nodes)
