"""The table [linkage] of a policy: how linkage attacks select the pairs of records that they compare."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from shoal.linkage.blocking_options import BlockingOptions, LinkageBlockingMethod
from shoal.policy.policy_part import PolicyPart


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str | dict) else value


class LinkageBlockingRule(PolicyPart):
    """A blocking for linkage: which pairs of records are compared."""

    method: LinkageBlockingMethod = "auto"
    """none: every pair; standard: pairs that agree on a key; sorted: pairs that are close in the order of a key; fuzzy:
    pairs whose averages of all columns round alike; twod_tree, som: pairs in one block of a 2^d-tree or of a
    self-organizing map; auto: of standard, sorted and fuzzy the one that keeps most true pairs."""
    quantifier: Annotated[tuple[str, ...], BeforeValidator(_as_list, json_schema_input_type=str | tuple[str, ...])] = ()
    """For fuzzy: "power 1.2", "logistic 0.5" or "threshold 0.9"; a list is one pass for each. Default: "power 1", the
    mean."""
    decimals: int | None = None
    """For standard and fuzzy: numbers are scaled to 0..1 and rounded to so many decimals. Default: 1."""
    n_blocks: int | None = Field(default=None, ge=1)
    """Instead of decimals: so many blocks of equal size; for twod_tree and som about so many."""
    keys: tuple[str | tuple[str, ...], ...] = ()
    """For standard and sorted: columns, one pass for each; for standard ["sex", "age"] within the list is one key of
    both. For fuzzy: the columns that are averaged. Default: every column."""
    window: int | float | None = Field(default=None, gt=0)
    """For sorted: a share of the records, such as 0.05, or a number of positions. Default: 0.1."""

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        self.options  # noqa: B018  raises PolicyError or LinkageError
        return self

    @property
    def options(self) -> BlockingOptions:
        return BlockingOptions(
            self.method, self.quantifier, self.decimals, self.n_blocks, self.keys, self.window, "linkage.blocking"
        )


class LinkageRules(PolicyPart):
    """How ``shoal link`` and ``shoal assess`` link. It changes neither the release nor its hash."""

    blocking: Annotated[
        tuple[LinkageBlockingRule, ...],
        BeforeValidator(_as_list, json_schema_input_type=LinkageBlockingRule | tuple[LinkageBlockingRule, ...]),
    ] = ()
    """One blocking, [linkage.blocking], or several passes, [[linkage.blocking]]. Default: every pair is compared."""
