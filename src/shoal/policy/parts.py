"""The parts of a policy: one table of policy.toml each."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from shoal.blocking.block_fusion import Fuse
from shoal.blocking.som.map_rules import BY_RULE, MapRules
from shoal.errors import EarlierReleaseError, PolicyError
from shoal.plan.representation import RepresentationName
from shoal.policy.policy_part import PolicyPart
from shoal.release.weights import Weights

HouseholdNumbering = Literal["linked", "unlinked"]
BlockingMethod = Literal["auto", "none", "twod_tree", "univariate", "som"]
BLOCKING_OPTIONS: dict[tuple[str, ...], tuple[BlockingMethod, ...]] = {  # options -> methods that have them
    ("dimensions",): ("auto", "twod_tree", "univariate"),
    ("fuse", "whole"): ("auto", "twod_tree"),
    ("map",): ("som",),
}


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
    of one column; som: parts of a self-organizing map; none: a single block of any size; auto: a
    single block if grouping it is predicted to take at most a minute, otherwise twod_tree or som, whichever loses less
    in a pilot."""
    limit: Literal["auto"] | int = "auto"
    """Largest number of records of a block; auto: a balance of running time and information loss. With univariate, the
    mean number; with som, twice the mean number."""
    dimensions: tuple[str, ...] | None = None
    """Quasi-identifiers that the 2^d-tree halves, or the one column of univariate. Default: those that explain most of
    the variance."""
    fuse: Fuse = "nearest"
    """Small parts of the 2^d-tree. nearest: fused with the part of the nearest centroid; supervised: only if the fused
    block stays within the limit; none: not fused, so that parts of fewer than k records are suppressed."""
    whole: bool | Literal["auto"] = "auto"
    """true: the 2^d-tree halves all its dimensions at once, as published, even where parts would hold few groups;
    false: one at a time there; auto: what loses less in a pilot, and false if ``fuse`` is not "nearest"."""
    map: MapRules = BY_RULE
    """How the self-organizing map of som is built."""
    repair: bool | Literal["auto"] = "auto"
    """true: groups near the borders of blocks exchange records: less information loss in several times the time; auto:
    with mdav, if that is predicted to take at most a minute."""
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
    dependent: float = Field(default=0.05, ge=0, le=1)
    """Largest share of the persons, 0 to 1, found only because released columns depend on quasi-identifiers."""
    homogeneous: float = Field(default=0.01, ge=0, le=1)
    """Largest share of the records, 0 to 1, in classes whose records all have the same sensitive value."""
    determined: float = Field(default=0.01, ge=0, le=1)
    """Largest share of the values of a quasi-identifier, 0 to 1, that can be computed from means or ends of classes."""
