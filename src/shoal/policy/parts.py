"""The parts of a policy: one table of policy.toml each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from shoal.errors import PolicyError
from shoal.plan.representation import RepresentationName
from shoal.release.weights import Weights
from shoal.schema import Kind, Level, Role
from shoal.schema.grid import Step
from shoal.schema.taxonomy import DatePart


class PolicyPart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class TaxonomyRule(PolicyPart):
    """Where a taxonomy comes from: exactly one of these."""

    file: Path | None = None
    """A hierarchy file, one line per value: value;parent;...;*"""
    prefixes: tuple[int, ...] | None = None
    """Codes by ever shorter prefixes, e.g. [3, 1]."""
    intervals: tuple[float, ...] | None = None
    """Numbers by ever wider intervals, e.g. [5, 10, 20]."""
    date_parts: tuple[DatePart, ...] | None = None
    """Dates by parts of the calendar, e.g. ["month", "year"]."""

    @model_validator(mode="after")
    def _check_one_source(self) -> Self:
        given = [name for name, value in self if value is not None]
        if len(given) != 1:
            raise PolicyError.one_of("a taxonomy", tuple(type(self).model_fields), given)
        return self


def _file_or_rule(given: Any) -> Any:
    return {"file": given} if isinstance(given, str | Path) else given


class ColumnRule(PolicyPart):
    """One column of the table."""

    role: Role
    """identifier, quasi_identifier, sensitive, weight, household, unit or other."""
    kind: Kind = "nominal"
    """numeric, ordinal, nominal or date."""
    taxonomy: Annotated[
        TaxonomyRule | None, BeforeValidator(_file_or_rule, json_schema_input_type=str | TaxonomyRule | None)
    ] = None
    """A hierarchy file, or a rule that makes the tree from the values."""
    order: tuple[str, ...] | None = None
    """The values of an ordinal column, from first to last."""
    decimals: int | None = None
    """Digits after the point of released means; left out, those of the original."""
    grid: Step | None = None
    """Where intervals of extents may begin and end: multiples of a number, for dates of days; or every hour, day, week,
    month, quarter, year or decade. Left out: the first interval or date part of the taxonomy, or a round part of the
    spread."""
    pseudonym: Path | None = None
    """Key file of the pseudonyms of an identifier; left out, the column is dropped."""
    level: Level | None = None
    """household: all members of a household have the same value, so a blank can be read off a sibling."""
    as_written: bool = False
    """Sensitive values, or units, that differ only by case, blanks or invisible characters are different ones."""

    @property
    def step(self) -> Step | None:
        """The step of the grid that the policy declares, directly or by the first level of a taxonomy; else None."""
        of_tree = self.taxonomy and (self.taxonomy.intervals or self.taxonomy.date_parts)
        return self.grid or (of_tree[0] if of_tree else None)


class Suppression(PolicyPart):
    """What may be lost."""

    limit: float = Field(default=0.0, ge=0, le=1)
    """Share of the records, 0 to 1, that may be dropped because their group fails a requirement."""


class LocalSuppression(PolicyPart):
    """The fewest cells are blanked until the requirements hold: alone, or after a method."""

    importance: dict[str, float] = Field(default_factory=dict)
    """What a blank cell of a column costs; 1 where nothing is said."""
    blanks: Literal["value", "wildcard"] = "value"
    """value: a blank equals only a blank; wildcard: it may be any value, as sdcMicro counts."""

    @property
    def are_wildcards(self) -> bool:
        """Whether a blank may be any value."""
        return self.blanks == "wildcard"


class Output(PolicyPart):
    """How the release is written."""

    shuffle: bool = True
    """Records in random order; false: in that of the input, which may tell who is who."""
    representation: RepresentationName | None = None
    """centroids: what the records of a group have on average; extents: from where to where they reach, as [30, 35).
    anatomy: as they are, with the number of their group, and the sensitive values of every group in a second table.
    Left out: as the method makes them."""
    ends: bool = False
    """With extents: the ends of numbers and dates as columns of their own, age_min and age_max."""
    spreadsheet_safe: bool = False
    """In a CSV, an apostrophe before every text that begins with = + - or @, so that no spreadsheet runs it."""
    permute: bool = False
    """The sensitive values of a group are dealt anew among its records, column by column."""
    weights: Weights = "kept"
    """kept: as they are; rounded: two digits of each, the total of every stratum kept but for one step; stratum: the
    mean weight of the stratum for all of its records."""


class BlockingRules(PolicyPart):
    """How a large table is divided, so that groups are looked for inside of blocks."""

    method: Literal["auto", "none", "twod_tree"] = "auto"
    """twod_tree: space is halved until no block holds more than ``limit`` records; none: one block, however large;
    auto: a tree where there are more than 200,000 records."""
    limit: Literal["auto"] | int = "auto"
    """Records of a block at most; auto: what balances time and loss."""
    repair: bool = False
    """Groups near the borders of blocks exchange records: less is lost, for several times the work."""


class Warn(PolicyPart):
    """When report and shell warn of what the requirements do not ask about. The release is made all the same."""

    unique: float = Field(default=0.05, ge=0, le=1)
    """Share of the records, 0 to 1, that may be unique on columns released as they are."""
    homogeneous: float = Field(default=0.01, ge=0, le=1)
    """Share of the records, 0 to 1, that may lie in classes whose records all share a sensitive value."""
    determined: float = Field(default=0.01, ge=0, le=1)
    """Share of the values of a quasi-identifier, 0 to 1, that may be computed from the means or ends of classes."""
