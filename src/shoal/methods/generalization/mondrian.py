"""Mondrian: the space of quasi-identifiers is cut recursively while all parts satisfy the requirements.

a table of counts -> CutTree            (relaxed_mondrian: records -> Partition)

LeFevre, DeWitt & Ramakrishnan (2006), doi:10.1109/ICDE.2006.101.

    strict    at the median of the column with the widest range in the block, normalized by the whole table; if that
              cut is not allowed the next widest column is tried
    relaxed   the same, but records equal to the median are assigned to either side as needed. That is no rule on
              values, so the plan is a partition of the given records, not a cut tree
    greedy    of all allowed cuts of all columns the one after which the loss is least

Where the paper is silent, or we depart (constants were chosen on Adult; docs/mondrian.md gives the results):
- of the two cuts next to the median the more even one is taken; of equally wide columns the one with the more even cut;
- the median of a small block (below 4k records) may leave parts that no cut divides: there the cut is taken whose parts
  have the least discernibility at best, n^2 / floor(n / 1.1k). Greedy on discernibility compares all cuts by this,
  and in large blocks (from 12k records on) cuts the least even columns first, since they have few cuts to offer later;
- a taxonomy node is cut into all of its children at once, and its width is its share of the values;
- a cut that keeps all records together (a node whose records are all below one child) costs nothing and is more
  specific: it is made first. The other children are blocks without records, which are allowed;
- any requirement is supported. Every block is checked with respect to the whole table, and a cut is allowed if all
  parts satisfy the requirements; as all requirements are monotone, a block that fails need not be examined further.

Cuts of all open blocks are proposed at once by the kernel, and their parts checked at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar, Literal, get_args

import numpy as np

from shoal import kernels, progress
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.errors import PolicyError
from shoal.kernels import Ints, Labels
from shoal.losses import AnyLoss, LossName, UserLoss
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.column_reader import read_columns
from shoal.methods.generalization.cut_tree_builder import tree_from_mondrian
from shoal.methods.generalization.generalization_method import GeneralizationMethod
from shoal.methods.generalization.splits import Cuts, Unordered
from shoal.methods.generalization.user_calls import BlockRows, UserCall, loss_call
from shoal.methods.method import Method
from shoal.plan import CutTree, Partition
from shoal.requirements import Requirement
from shoal.requirements.judge import Domains
from shoal.schema import Schema

CutMode = Literal["strict", "greedy"]
Mode = Literal[CutMode, "relaxed"]
CHOICE = {"strict": "median", "relaxed": "halves", "greedy": "least_loss"}


def mondrian(
    table: Any,
    schema: Schema,
    requirements: Sequence[Requirement],
    *,
    mode: CutMode = "strict",
    loss: AnyLoss = "discernibility",
    target: str | None = None,
    cuts: Cuts | None = None,
    unordered: Unordered = "line",
) -> CutTree:
    """Blocks of ``table`` (a file or any dataframe) that satisfy all ``requirements``.

    ``cuts`` says where numbers may be cut: a list of values (c means "< c | >= c"), or a number of intervals with
    about as many records in each; if omitted, at every value. ``loss`` is for mode "greedy"; "classification" counts
    the records not in the majority class of the column ``target``; it may be one that you wrote (``UserLoss``).
    """
    if mode not in get_args(CutMode):
        raise PolicyError.unknown_choice("mode", mode, get_args(CutMode))
    names = _columns_read(schema, requirements, target)
    counts = count_combinations(read_columns(table, schema, names), names)
    return Mondrian(mode, loss, target, cuts, unordered).cut(counts, schema, requirements)


def relaxed_mondrian(
    table: Any,
    schema: Schema,
    requirements: Sequence[Requirement],
    *,
    cuts: Cuts | None = None,
    unordered: Unordered = "line",
) -> Partition:
    """Groups of the records of ``table`` that satisfy all ``requirements``; equal records may be in different groups.

    ``cuts`` as in :func:`shoal.mondrian`.
    """
    records = read_columns(table, schema, _columns_read(schema, requirements))
    ones = np.ones(len(records), dtype=np.int64)
    coded = CodedCounts.of(CountTable(records, ones), schema, requirements, cuts, unordered)
    return Partition(np.unique(_cut(coded, "relaxed", "discernibility", None).labels(), return_inverse=True)[1])


def _columns_read(schema: Schema, requirements: Sequence[Requirement], target: str | None = None) -> list[str]:
    sensitive = [each.column for each in requirements if each.column]
    return list(dict.fromkeys([*schema.quasi_identifiers, *sensitive, *([target] if target else [])]))


@dataclass(frozen=True)
class Mondrian(GeneralizationMethod):
    """Mondrian as the method of a policy.

    mode       strict: at the median of the widest column; greedy: the cut with the least loss
    loss       for mode greedy: discernibility, classification, volume or certainty
    target     the class column of the loss "classification"
    cuts       where numbers may be cut, by column: values, or a number of intervals; if omitted, everywhere
    unordered  nominal values without a taxonomy are a line in sorted order, or any subsets
    """

    mode: CutMode = "strict"
    loss: AnyLoss = "discernibility"
    target: str | None = None
    cuts: Mapping[str, int | Sequence[float | str | date]] | None = None
    unordered: Unordered = "line"
    name: Literal["mondrian"] = "mondrian"

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    def __post_init__(self) -> None:
        for key, known in (
            ("mode", get_args(CutMode)),
            ("loss", get_args(LossName)),
            ("unordered", get_args(Unordered)),
        ):
            if getattr(self, key) not in known and not isinstance(getattr(self, key), UserLoss):
                raise PolicyError.unknown_choice(f"method.{key}", getattr(self, key), known)
        if self.loss == "classification" and self.target is None:
            raise PolicyError.no_target()

    def check_keys(self) -> None:
        if self.mode == "strict" and self.loss != Mondrian.loss:
            raise PolicyError.only_for("method.loss", "method.mode = 'greedy'", "mode = 'strict'")
        if self.target and self.loss != "classification":
            raise PolicyError.only_for("method.target", "method.loss = 'classification'", f"loss = '{self.loss}'")

    def with_loss(self, loss: UserLoss, target: str | None) -> Method:
        if self.mode != "greedy":
            return super().with_loss(loss, target)
        return replace(self, loss=loss, target=target)

    @property
    def weighs_columns(self) -> bool:
        """The widths of columns are compared, or are the loss; the other losses do not distinguish columns."""
        return self.mode == "strict" or self.loss == "certainty"

    def chooses_cuts(self, name: str) -> bool:
        return isinstance((self.cuts or {}).get(name, 1), int)

    def cut(
        self, counts: CountTable, schema: Schema, requirements: Sequence[Requirement], whole: Domains | None = None
    ) -> CutTree:
        """The cut tree of the combinations of quasi-identifiers and sensitive columns.

        ``whole``: the sensitive values of the whole table, if ``counts`` is a part of it; by default it is the whole.
        """
        coded = CodedCounts.of(counts, schema, requirements, self.cuts, self.unordered, whole)
        return tree_from_mondrian(coded.attributes, _cut(coded, self.mode, self.loss, self._classes(coded.counts)))

    def _classes(self, counts: CountTable) -> Labels | None:
        reads_classes = self.loss == "classification" or isinstance(self.loss, UserLoss)
        if self.mode != "greedy" or not reads_classes or self.target is None:
            return None
        if self.target not in counts.names:
            raise PolicyError.unknown_column("method.target", self.target, counts.names)
        encoded: Any = counts[self.target].combine_chunks().dictionary_encode(null_encoding="encode")
        classes: Labels = encoded.indices.to_numpy().astype(np.int64)
        return classes


def _cut(coded: CodedCounts, mode: Mode, loss: AnyLoss, classes: Labels | None) -> kernels.Mondrian:
    """The kernel's state when no block has an allowed cut left."""
    n_classes = 0 if classes is None else int(classes.max(initial=0)) + 1
    state = kernels.Mondrian(
        attributes=[attribute.kernel for attribute in coded.attributes],
        codes=coded.codes,
        n=coded.n,
        classes=coded.n if classes is None else classes,
        n_classes=n_classes,
        choice=kernels.CutChoice[CHOICE[mode]],
        loss=kernels.LossKind.user if isinstance(loss, UserLoss) else kernels.LossKind[loss],
        least=coded.least,
        user_loss=_user_call(coded, loss, n_classes) if isinstance(loss, UserLoss) else None,
    )
    with progress.stage("cutting the space", 0) as at:
        while n_proposals := state.propose():
            state.take(_allowed(coded, state, n_proposals))
            at(0)
    return state


def _user_call(coded: CodedCounts, loss: UserLoss, n_classes: int) -> UserCall:
    return loss_call(loss, BlockRows(coded.attributes, n_classes, coded.n_records, coded.weights))


def _allowed(coded: CodedCounts, state: kernels.Mondrian, n_proposals: int) -> Ints:
    """(n_proposals,) 1 where all parts of a cut satisfy the requirements."""
    allowed = np.ones(n_proposals, dtype=np.int64)
    if coded.only_sizes:
        return allowed  # the kernel proposes no cut that leaves too few records

    def lengths(column: int) -> kernels.Vector:
        return coded.attributes[column].lengths(*state.child_parts(column).T)

    held = coded.holds(state.rows(), state.row_children(), state.child_totals(), lengths)
    allowed[state.child_proposals()[~held]] = 0
    return allowed
