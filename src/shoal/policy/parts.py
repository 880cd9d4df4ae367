"""The parts of a policy: one table of policy.toml each."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from shoal.blocking.block_fusion import Fuse
from shoal.blocking.som.map_rules import BY_RULE, MapRules
from shoal.errors import ColumnError, EarlierReleaseError, PolicyError
from shoal.plan.representation import RepresentationName
from shoal.policy.policy_part import PolicyPart
from shoal.policy.recode_rule import RecodeRule
from shoal.release.column_recoding import IntervalRecoding
from shoal.release.weights import Weights
from shoal.schema import Kind, Level, Role
from shoal.schema.grid import Step
from shoal.schema.taxonomy import DatePart
from shoal.sources import CellKind

HouseholdNumbering = Literal["linked", "unlinked"]
BlockingMethod = Literal["auto", "none", "twod_tree", "univariate", "som"]
BLOCKING_OPTIONS: dict[tuple[str, ...], tuple[BlockingMethod, ...]] = {  # options -> methods that have them
    ("dimensions",): ("auto", "twod_tree", "univariate"),
    ("fuse", "whole"): ("auto", "twod_tree"),
    ("map",): ("som",),
}


class TaxonomyRule(PolicyPart):
    """The source of a taxonomy: exactly one of these keys."""

    file: Path | None = None
    """A hierarchy file with one line per value: value;parent;...;*"""
    prefixes: tuple[int, ...] | None = None
    """Codes are generalized to prefixes of these decreasing lengths, e.g. [3, 1]."""
    intervals: tuple[float, ...] | None = None
    """Numbers are generalized to intervals of these increasing widths, e.g. [5, 10, 20]."""
    date_parts: tuple[DatePart, ...] | None = None
    """Dates are generalized to these calendar units, e.g. ["month", "year"]."""

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        present = [name for name, value in self if value is not None]
        if len(present) != 1:
            raise PolicyError.one_of("a taxonomy", tuple(type(self).model_fields), present)
        return self

    @property
    def n_levels(self) -> int | None:
        """Levels above the values, the root included; None where only the file knows."""
        generated = self.prefixes or self.intervals or self.date_parts
        return len(generated) + 1 if generated else None


def _file_or_rule(taxonomy: Any) -> Any:
    return {"file": taxonomy} if isinstance(taxonomy, str | Path) else taxonomy


RECODED_ROLES: tuple[Role, ...] = ("quasi_identifier", "sensitive", "other")


class ColumnRule(PolicyPart):
    """The role and the kind of one column, and how it is released."""

    role: Role
    """identifier, quasi_identifier, sensitive, weight, household, unit or other."""
    kind: Kind = "nominal"
    """numeric, ordinal, nominal or date."""
    taxonomy: Annotated[
        TaxonomyRule | None, BeforeValidator(_file_or_rule, json_schema_input_type=str | TaxonomyRule | None)
    ] = None
    """A hierarchy file, or a rule that generates the tree from the values."""
    order: tuple[str, ...] | None = None
    """The values of an ordinal column, from lowest to highest."""
    decimals: int | None = None
    """Decimal places of released means. Default: those of the original."""
    grid: Step | None = None
    """Where released intervals may begin and end: at multiples of a number (for dates, of days), or at every hour, day,
    week, month, quarter, year or decade. Default: the first interval or date part of the taxonomy; without a taxonomy,
    a round fraction of the standard deviation."""
    pseudonym: Path | None = None
    """Key file for the pseudonyms of an identifier. Default: the column is dropped."""
    level: Level | None = None
    """household: all members of a household have the same value, so the value of one member reveals that of all."""
    members: tuple[str, ...] | None = None
    """Of a household or unit: the columns by which its members are ordered, e.g. ["relation", "age"]. Default: the
    quasi-identifiers that differ between members, those with an order first."""
    min_level: int | None = Field(default=None, ge=0)
    """Lowest level of the taxonomy that the release may show: 1 means never the value itself. Default: 0, the value."""
    max_level: int | None = Field(default=None, ge=0)
    """Highest level of the taxonomy that the release may show. Default: the root."""
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """Importance of a quasi-identifier in the distances of records, in the choice of cuts and in losses that are sums
    over columns; 0: groups do not depend on it. Not to be confused with the role weight, a survey weight of records."""
    as_written: bool = False
    """true: sensitive values, or units, that differ only in case, blanks or invisible characters count as different."""
    recode: RecodeRule | None = None
    """Global recoding by hand: every value is replaced by a coarser one before anything else is done. ``kind``,
    ``order`` and ``taxonomy`` describe the values before; everything else applies to the recoded values."""
    reason: str | None = None
    """Why the column is treated so; shown in the report, not in the public manifest. It changes nothing else."""

    @model_validator(mode="after")
    def _check_recode(self) -> Self:
        if self.recode is not None:
            if self.role not in RECODED_ROLES:
                allowed = f"role = {' or '.join(map(repr, RECODED_ROLES))}"
                raise PolicyError.only_for("recode", allowed, f"role = '{self.role}'")
            self.recode.check_kind(self.kind)
            self._check_tree(self.recode)
            self._check_merged_order(self.recode)
        return self

    def _check_tree(self, recode: RecodeRule) -> None:
        """A level needs a taxonomy; next to other keys, a taxonomy must still be one of the recoded values."""
        tree = self.taxonomy
        if recode.level is not None:
            if tree is None:
                raise ColumnError.no_levels()
            if tree.n_levels is not None and recode.level > tree.n_levels:
                raise PolicyError.outside("recode.level", 1, tree.n_levels, recode.level)
        elif recode.prefix is not None and tree and tree.prefixes and max(tree.prefixes) < recode.prefix:
            return
        elif tree is not None and not (recode.keeps_numbers and tree.file is None):
            raise ColumnError.taxonomy_of_recoded(recode.keys[0])

    def _check_merged_order(self, recode: RecodeRule) -> None:
        """Merged values of an ordinal column must be neighbors, so that the result has an order."""
        if recode.merge is None or self.order is None:
            return
        merged = [recode.categories.get(value, value) for value in self.order]
        if len(set(merged)) < 1 + sum(one != other for one, other in pairwise(merged)):
            raise ColumnError.merged_apart()

    @property
    def recoded(self) -> ColumnRule:
        """The rule for the values after recoding, with their kind, order and taxonomy."""
        recode = self.recode_by_values
        if recode is None:
            return self
        order = None if self.order is None else tuple(dict.fromkeys(map(self._merged, self.order)))
        changes: dict[str, Any] = {"recode": recode, "order": order, "taxonomy": self._tree_above()}
        if recode.intervals is not None:
            changes |= {"kind": "ordinal", "order": IntervalRecoding(recode.intervals).labels}
        elif recode.width is not None or recode.date_part is not None:
            changes |= {"kind": "numeric" if recode.date_part == "year" else "ordinal"}
        elif recode.level is not None:
            changes |= {"kind": "nominal", "order": None}
        return self.model_copy(update=changes)

    def _merged(self, value: str) -> str:
        return self.recode.categories.get(value, value) if self.recode else value

    @property
    def recode_by_values(self) -> RecodeRule | None:
        """The recoding; a level of a taxonomy that a rule generates as the length, width or part of that level."""
        tree, level = self.taxonomy, self.recode.level if self.recode else None
        if tree is None or level is None or level == tree.n_levels:
            return self.recode
        if tree.prefixes:
            return RecodeRule(prefix=tree.prefixes[level - 1])
        if tree.intervals:
            return RecodeRule(width=tree.intervals[level - 1])
        return RecodeRule(date_part=tree.date_parts[level - 1]) if tree.date_parts else self.recode

    def _tree_above(self) -> TaxonomyRule | None:
        """The taxonomy of the recoded values: of a level, the levels above it."""
        tree, level = self.taxonomy, self.recode.level if self.recode else None
        if tree is None or level is None or tree.file:
            return tree
        above = (tree.prefixes or ())[level:]
        return TaxonomyRule(prefixes=above) if above else None

    @property
    def step(self) -> Step | None:
        """The step of the grid that the policy declares, directly or by the first level of a taxonomy; else None."""
        of_tree = self.taxonomy and (self.taxonomy.intervals or self.taxonomy.date_parts)
        return self.grid or (of_tree[0] if of_tree else None)

    @property
    def cell_kind(self) -> CellKind:
        """How its cells are read from a file without types: by kind, but identifiers and units as text, weights as
        numbers."""
        by_kind: dict[Kind, CellKind] = {"numeric": "numeric", "date": "date", "ordinal": "text", "nominal": "text"}
        by_role: dict[Role, CellKind] = {"identifier": "text", "unit": "text", "weight": "numeric"}
        return by_role.get(self.role, by_kind[self.kind])


class Suppression(PolicyPart):
    """How many records may be suppressed."""

    limit: float = Field(default=0.0, ge=0, le=1)
    """Largest share of the records, 0 to 1, that may be suppressed because their group fails a requirement."""


class LocalSuppression(PolicyPart):
    """As few cells as possible are blanked until the requirements hold, alone or after a method."""

    importance: dict[str, float] = Field(default_factory=dict)
    """Cost of a blank cell, by column. Default: the weight of the column."""
    blanks: Literal["value", "wildcard"] = "value"
    """value: a blank matches only a blank; wildcard: a blank matches any value, as in sdcMicro."""

    @property
    def are_wildcards(self) -> bool:
        """Whether a blank may be any value."""
        return self.blanks == "wildcard"


class Output(PolicyPart):
    """How the release is written."""

    shuffle: bool = True
    """true: records in random order; false: in the order of the input, which may reveal who is who."""
    representation: RepresentationName | None = None
    """centroids: the mean, median or most frequent value of a group; extents: its range, such as [30, 35), or its
    taxonomy node; anatomy: original quasi-identifiers with the number of their group, and the sensitive values of every
    group in a second table. Default: that of the method."""
    categories: Literal["mode", "controlled"] = "mode"
    """With centroids: mode: the most frequent category of a group, for ordinal columns the median; controlled: one that
    occurs in the group, chosen such that the shares of all categories hardly change, at the least cost."""
    ends: bool = False
    """true, with extents: the ends of intervals are released as additional columns, such as age_min and age_max."""
    spreadsheet_safe: bool = False
    """true: a CSV has an apostrophe before every text that begins with = + - or @, so that no spreadsheet runs it."""
    permute: bool = False
    """true: sensitive values are permuted at random within every group, column by column."""
    household: HouseholdNumbering = "linked"
    """linked: a household keeps a number where k others have the same members; unlinked: the number is dropped, and
    persons are grouped one by one with those of k households; as a whole where a value that they share is protected."""
    weights: Weights = "kept"
    """kept: unchanged; rounded: to two digits, with the total of every stratum preserved up to one step; stratum: all
    records of a stratum get its mean weight."""
    totals_by: tuple[str, ...] | None = None
    """Columns, e.g. ["nace"], by whose values the report shows the change of every subtotal; the release does not
    change. Default: the columns of ``within``."""


class BlockingRules(PolicyPart):
    """How a large table is divided into blocks, within which groups are formed."""

    method: BlockingMethod = "auto"
    """twod_tree: space is halved until no block holds more than ``limit`` records; univariate: intervals of equal width
    of one column; som: parts of a self-organizing map; none: a single block of any size; auto: twod_tree for more than
    200,000 records."""
    limit: Literal["auto"] | int = "auto"
    """Largest number of records of a block; auto: a balance of running time and information loss. With univariate, the
    mean number; with som, the number above which a table is divided."""
    dimensions: tuple[str, ...] | None = None
    """Quasi-identifiers that the 2^d-tree halves, or the one column of univariate. Default: those that explain most of
    the variance."""
    fuse: Fuse = "nearest"
    """Small parts of the 2^d-tree. nearest: fused with the part of the nearest centroid; supervised: only if the fused
    block stays within the limit; none: not fused, so that parts of fewer than k records are suppressed."""
    whole: bool = False
    """true: the 2^d-tree halves all its dimensions at once, as published, even where parts would hold few groups."""
    map: MapRules = BY_RULE
    """How the self-organizing map of som is built."""
    repair: bool = False
    """true: groups near the borders of blocks exchange records: less information loss in several times the time."""
    passes: int = Field(default=1, ge=1)
    """Rounds of the repair, each with other borders."""

    @model_validator(mode="after")
    def _check_method(self) -> Self:
        """Options of one method are refused with another one."""
        for names, methods in BLOCKING_OPTIONS.items():
            for name in (name for name in names if getattr(self, name) != type(self).model_fields[name].default):
                if self.method not in methods:
                    allowed = " or ".join(f"'{method}'" for method in methods)
                    raise PolicyError.only_for(f"blocking.{name}", f"blocking.method = {allowed}", f"'{self.method}'")
        if self.method == "univariate" and len(self.dimensions or ("one",)) > 1:
            raise PolicyError.one_dimension(len(self.dimensions or ()))
        return self


class RiskLimits(PolicyPart):
    """What a release must not exceed to be recommended by ``shoal compare``: shares, 0 to 1, each optional. The report
    says whether they are met. They refuse nothing and do not change the release."""

    linked_persons: float | None = Field(default=None, ge=0, le=1)
    """Largest share of the persons whom the strongest linkage may find."""
    prosecutor_risk: float | None = Field(default=None, ge=0, le=1)
    """Largest chance of a correct guess in the smallest class: 0.2 where classes have 5 records."""
    attribute_disclosure: float | None = Field(default=None, ge=0, le=1)
    """How much more often a sensitive value may be guessed right than without the release, at most."""
    suppressed: float | None = Field(default=None, ge=0, le=1)
    """Largest share of the records that may be suppressed."""

    @property
    def by_name(self) -> dict[str, float]:
        """The limits that are set."""
        return {name: most for name, most in self if most is not None}


class EarlierRules(PolicyPart):
    """Earlier releases of the same persons: their groups are kept, so that comparing the releases leaves k records for
    everybody."""

    releases: tuple[Path, ...]
    """Their files, the latest last, e.g. ["2024.csv"], each with its private manifest next to it."""
    person: str | None = None
    """The column that identifies a person in the originals of all releases. Default: the only identifier."""
    stable: tuple[str, ...] | None = None
    """Columns of all releases whose values do not change over time, by which an intruder recognizes a person. Default:
    those that are the same for at least nine persons in ten."""

    @model_validator(mode="after")
    def _check_releases(self) -> Self:
        if not self.releases:
            raise EarlierReleaseError.no_release()
        return self


class Warn(PolicyPart):
    """When report and shell warn of risks that no requirement covers. Warnings do not change the release."""

    unique: float = Field(default=0.05, ge=0, le=1)
    """Largest share of the records, 0 to 1, that may be unique on columns released unchanged."""
    homogeneous: float = Field(default=0.01, ge=0, le=1)
    """Largest share of the records, 0 to 1, in classes whose records all have the same sensitive value."""
    determined: float = Field(default=0.01, ge=0, le=1)
    """Largest share of the values of a quasi-identifier, 0 to 1, that can be computed from means or ends of classes."""
