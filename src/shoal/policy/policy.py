"""The policy: everything that determines a release apart from the data and the private key."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, PrivateAttr, ValidationInfo, field_validator, model_validator

from shoal.errors import RuleError, TaxonomyError, listed, plural, visible
from shoal.methods import AnyMethod, Mdav
from shoal.methods.perturbation import AnyPerturbation
from shoal.plan.representation import REPRESENTATIONS, Representation
from shoal.policy.analysis_rule import AnalysisRule
from shoal.policy.column_rule import ColumnRule
from shoal.policy.consistency import check_consistency
from shoal.policy.linkage_rules import LinkageRules
from shoal.policy.parts import (
    BlockingRules,
    EarlierRules,
    LocalSuppression,
    Output,
    RiskLimits,
    Suppression,
    Warn,
)
from shoal.policy.policy_part import PolicyPart
from shoal.policy.scenarios import ScenarioName
from shoal.policy.user_rules import RuleFile, UserRules, run_rules
from shoal.requirements import AnyRequirement, Requirement
from shoal.requirements.population_sizes import populations
from shoal.requirements.requirement import RequirementOfColumn, group_size, largest_stated_k
from shoal.schema import Column, Role, Schema
from shoal.sources import CellKind, FormatName, ReadOptions, check_readable, sha256_of

# The report alone depends on totals_by and analyses.
NOT_IN_MANIFEST: dict[str, Any] = {
    "columns": True,
    "source": True,
    "seed": True,
    "scenario": True,
    "analyses": True,
    "limits": True,
    "earlier": True,
    "linkage": True,
    "rules": True,
    "output": {"totals_by"},
}


def _default_name(content: Any) -> Any:
    return {"name": "mdav", **content} if isinstance(content, dict) else content


@dataclass(frozen=True)
class Given:
    """What a policy was read from. It makes no difference between policies that say the same."""

    content: str | dict[str, Any] | None = field(default=None, compare=False)


class Policy(PolicyPart):
    """How a table is protected and released, and what the release must satisfy."""

    columns: dict[str, ColumnRule] = Field(min_length=1)
    """All columns of the table, by name."""
    requirements: tuple[AnyRequirement, ...] = ()
    """Requirements that every equivalence class of the release must satisfy."""
    rules: RuleFile | None = None
    """Requirements and a loss that you wrote in Python, in a file beside the policy."""
    perturbations: tuple[AnyPerturbation, ...] = ()
    """Perturbations of values, applied in this order before the method. With them the method may be left out."""
    within: tuple[str, ...] = ()
    """Strata: columns, e.g. ["region"], that all records of a group must share; they are released unchanged."""
    method: Annotated[AnyMethod, BeforeValidator(_default_name)] = Mdav()
    """The method that forms groups or classes of records."""
    blocking: BlockingRules = BlockingRules()
    """How a large table is divided into blocks."""
    suppression: Suppression = Suppression()
    """How many records may be suppressed."""
    local_suppression: LocalSuppression | None = None
    """Blanking of cells until the requirements hold. With local suppression the method may be left out."""
    source: ReadOptions = ReadOptions()
    """How to read the file, where this cannot be detected."""
    output: Output = Output()
    """How the release is written."""
    warn: Warn = Warn()
    """When report and shell warn of further risks."""
    limits: RiskLimits = RiskLimits()
    """What a release must not exceed to be recommended by ``shoal compare``."""
    scenario: ScenarioName | None = None
    """public-use, scientific-use, internal or hipaa-safe-harbor: the report compares its thresholds with what was
    reached. It does not change the release."""
    analyses: tuple[AnalysisRule, ...] = ()
    """Analyses that the release must still serve: the report compares their results on original and release. They do
    not change the release."""
    earlier: EarlierRules | None = None
    """Earlier releases of the same persons, whose groups are kept."""
    linkage: LinkageRules = LinkageRules()
    """Which pairs of records ``shoal link`` compares. It does not change the release."""
    seed: int = Field(default=0, ge=0)
    """Selects the random numbers: the same policy, data, seed and key give the same release."""

    _file: Path | None = PrivateAttr(default=None)
    _own: UserRules | None = PrivateAttr(default=None)
    _given: Given = PrivateAttr(default=Given())

    @model_validator(mode="before")
    @classmethod
    def _default_method(cls, content: Any) -> Any:
        """Sets the method to "none" where there are perturbations or local suppression and no method is given."""
        others = ("perturbations", "local_suppression")
        if (
            isinstance(content, dict)
            and any(content.get(key) is not None for key in others)
            and "method" not in content
        ):
            return {**content, "method": {"name": "none"}}
        return content

    @field_validator("requirements")
    @classmethod
    def _of_columns(cls, asked: tuple[Requirement, ...], known: ValidationInfo) -> tuple[Requirement, ...]:
        """What follows from their columns is resolved here, so that policy, digest and manifests state it."""
        rules = {name: rule.recoded for name, rule in known.data.get("columns", {}).items()}
        return tuple(
            each.of_column(rule.kind, has_order=rule.order is not None, has_taxonomy=rule.taxonomy is not None)
            if isinstance(each, RequirementOfColumn) and (rule := rules.get(str(each.column)))
            else each
            for each in asked
        )

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        check_consistency(self)
        return self

    def read_from(self, file: Path) -> Policy:
        """The same policy, with ``file`` as the policy.toml it was read from."""
        copy = self.model_copy()
        copy._file = file
        return copy

    def given_as(self, content: str | dict[str, Any]) -> Policy:
        """The same policy, with what it was read from: a text, or tables."""
        copy = self.model_copy()
        copy._given = Given(content)
        return copy

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A changed policy is not what was read any more."""
        copy = super().model_copy(update=update, deep=deep)
        copy._given = Given() if update else self._given
        return copy

    @property
    def given(self) -> str | dict[str, Any] | None:
        """What it was read from, as its author wrote it; None where it was changed since."""
        return self._given.content

    def with_rules(self, file: str | Path) -> Policy:
        """The same policy with the rules that users wrote: runs ``file``, which must be the one that it names."""
        if self.rules is None:
            raise RuleError.not_needed(Path(file))
        wanted = self.path_of(Path(self.rules.file))
        if Path(file).resolve() != wanted.resolve():
            raise RuleError.other_file(wanted, Path(file))
        own = run_rules(self.rules, wanted)
        copy = self.model_copy(update={"rules": self.rules.model_copy(update={"sha256": own.sha256})})
        copy._own = own
        check_consistency(copy)
        return copy

    @property
    def own_rules(self) -> UserRules | None:
        """The rules that users wrote; None where the policy has none. Raises RuleError where they are not allowed."""
        if self.rules is not None and self._own is None:
            raise RuleError.not_allowed(self.rules.file)
        return self._own

    @property
    def required(self) -> tuple[Requirement, ...]:
        """All requirements, those that users wrote included as soon as they are allowed."""
        return (*self.requirements, *(self._own.requirements if self._own else ()))

    def role_of(self, name: str) -> Role:
        """The role of a column in the release: a household that is not to be recognized is a unit."""
        role = self.columns[name].role
        return "unit" if role == "household" and self.output.household == "unlinked" else role

    def spreadsheet_safe(self) -> Policy:
        """The same policy, with apostrophes before texts that a spreadsheet would execute as formulas."""
        return self.model_copy(update={"output": self.output.model_copy(update={"spreadsheet_safe": True})})

    def with_earlier(self, releases: Sequence[Path], person: str | None = None) -> Policy:
        """The same policy with these earlier releases instead of its own; without any, the policy as it is."""
        if not releases:
            return self
        rules = {"releases": tuple(path.absolute() for path in releases), **({"person": person} if person else {})}
        own = self.earlier.model_dump() if self.earlier else {}
        copy = self.model_copy(update={"earlier": EarlierRules(**{**own, **rules})})
        check_consistency(copy)
        return copy

    @property
    def earlier_files(self) -> tuple[Path, ...]:
        """The files of earlier releases."""
        return tuple(map(self.path_of, self.earlier.releases)) if self.earlier else ()

    @property
    def population(self) -> Path | None:
        """The file of the population that requirements read; None where they read none."""
        return next(map(self.path_of, map(Path, populations(self.required))), None)

    @property
    def person(self) -> str | None:
        """The column that identifies persons across releases: as declared, else the only identifier."""
        if self.earlier and self.earlier.person:
            return self.earlier.person
        identifiers = [name for name, rule in self.columns.items() if rule.role == "identifier"]
        return identifiers[0] if len(identifiers) == 1 else None

    def read_as(self, format_: FormatName | None) -> Policy:
        """The same policy for a file of this format, whatever its extension."""
        return self.model_copy(update={"source": self.source.model_copy(update={"format": format_})})

    def __repr__(self) -> str:
        """What must hold and by what method; no seed, no value, and of its file only the name."""
        n = len(self.columns)
        requirements = [f"{each.name} ({each.measure} = {each.asked:g})" for each in self.required]
        lines = [
            f"Policy: {n} {plural(n, 'column')}, method {self.method.name}",
            f"  requirements: {listed(requirements) or 'none'}",
            f"  quasi-identifiers: {listed(self._with_role('quasi_identifier')) or 'none'}",
            f"  sensitive: {listed(self._with_role('sensitive')) or 'none'}",
        ]
        return "\n".join([*lines, f"  file: {visible(self.file.name)}"] if self.file else lines)

    __str__ = __repr__

    def _with_role(self, role: Role) -> list[str]:
        return [visible(name) for name, rule in self.columns.items() if rule.role == role]

    @property
    def file(self) -> Path | None:
        """The policy.toml it was read from; paths in the policy are relative to its folder."""
        return self._file

    @property
    def k(self) -> int | None:
        """Minimum group size: the k of the method, else the largest k of the requirements; None where neither asks for
        two records: no k-anonymity is required, and k counts as 1."""
        k = self.method.k or group_size(self.required) or 1
        return k if k > 1 else None

    @property
    def row_of_k(self) -> str:
        """The key that states the largest k."""
        if self.method.k:
            return "method.k"
        k = largest_stated_k(self.required)
        rows = (f"requirements[{at}].k" for at, each in enumerate(self.required, 1) if getattr(each, "k", None) == k)
        return next(rows, "k")

    @property
    def representation(self) -> Representation:
        """What is released of equivalence classes: as declared in the policy, else the default of the method."""
        declared = self.output.representation
        return REPRESENTATIONS[declared] if declared else self.method.representation

    @property
    def declared_schema(self) -> Schema:
        """The schema as far as the policy declares it, after recoding and without what is read from a table."""
        return Schema(
            Column(
                name,
                self.role_of(name),
                rule.kind,
                order=rule.order,
                key_file=rule.pseudonym,
                level=rule.level,
                as_written=rule.as_written,
                members=rule.members,
                missing=self.source.missing,
                in_grammar=rule.recode is not None and rule.recode.writes_extents,
                weight=rule.weight,
            )
            for name, rule in ((name, declared.recoded) for name, declared in self.columns.items())
        )

    @property
    def cell_kinds(self) -> dict[str, CellKind]:
        """How the cells of every column of the original are read from a file without types."""
        return {name: rule.cell_kind for name, rule in self.columns.items()}

    @property
    def reasons(self) -> dict[str, str]:
        """Why columns are treated as they are, by column, where the policy says so."""
        return {name: rule.reason for name, rule in self.columns.items() if rule.reason}

    @property
    def files(self) -> tuple[Path, ...]:
        """The policy.toml and all files that it names: a release must not overwrite them."""
        rules = self.columns.values()
        taxonomies = [rule.taxonomy.file for rule in rules if rule.taxonomy and rule.taxonomy.file]
        own = [Path(self.rules.file)] if self.rules else []
        population = map(Path, populations(self.required))
        named = [*taxonomies, *(rule.pseudonym for rule in rules if rule.pseudonym), *own, *population]
        return (*([self.file] if self.file else []), *map(self.path_of, named), *self.earlier_files)

    def path_of(self, file: Path) -> Path:
        """The path of a file that the policy names, resolved relative to the folder of policy.toml."""
        return self.file.parent / file if self.file else file

    def summary(self) -> dict[str, Any]:
        """The summary of the policy for manifests: names of columns, but no values of them."""
        return {"sha256": self.digest(), **self.description(), **self._earlier_summary()}

    def _earlier_summary(self) -> dict[str, Any]:
        """Names and hashes of earlier releases, which are published themselves; nothing without any."""
        if self.earlier is None:
            return {}
        files = [{"path": path.name, "sha256": _sha256(path)} for path in self.earlier_files]
        return {"earlier": {**self.earlier.model_dump(mode="json"), "releases": files}}

    def description(self) -> dict[str, Any]:
        """The summary without its digest."""
        return {
            "representation": self.representation.name,
            **self.model_dump(mode="json", exclude=NOT_IN_MANIFEST),
            **({"rules": self.rules.model_dump(mode="json")} if self.rules else {}),
            **({"scenario": self.scenario} if self.scenario else {}),
            **({"limits": self.limits.by_name} if self.limits.by_name else {}),
            "columns": {
                name: {
                    "role": self.role_of(name),
                    "kind": rule.kind,
                    "pseudonym": rule.pseudonym is not None,
                    **({"recode": rule.recode.summary()} if rule.recode else {}),
                }
                for name, rule in self.columns.items()
            },
        }

    def digest(self) -> str:
        """SHA-256 of everything in the policy that determines a release except the seed, hierarchy files included;
        reasons, warnings, limits, the scenario, analyses and linkage determine nothing."""
        return self._with_defaults(output=self.output.model_copy(update={"totals_by": None}))._digest()

    def digest_of_values(self) -> str:
        """SHA-256 of what determines the released values only: without shuffling and spreadsheet-safe writing."""
        defaults = {"shuffle": True, "spreadsheet_safe": False, "totals_by": None}
        return self._with_defaults(output=self.output.model_copy(update=defaults))._digest()

    def _with_defaults(self, output: Output) -> Policy:
        """The policy with the defaults of what determines no release, so that it is in no digest."""
        of_report = {
            "warn": Warn(),
            "limits": RiskLimits(),
            "scenario": None,
            "analyses": (),
            "linkage": LinkageRules(),
        }
        asked = tuple(each.in_digest if isinstance(each, RequirementOfColumn) else each for each in self.requirements)
        return self.model_copy(update={**of_report, "requirements": asked, "seed": 0, "output": output})

    def _digest(self) -> str:
        """Of what differs from the defaults, so that a key added to policies later changes no release of this one. The
        format is left out: it may be an option of the shell."""
        written = self.read_as(None).model_dump_json(
            exclude={"columns": {"__all__": {"reason"}}, "earlier": {"releases"}}, exclude_defaults=True
        )
        digest = hashlib.sha256(written.encode())
        for path in self.earlier_files:
            digest.update(_sha256(path).encode())
        asked, changed = ([part.name for part in parts] for parts in (self.requirements, self.perturbations))
        names = [self.method.name, *asked, *changed]  # the name of each is its default
        digest.update("".join(f"\n{name}" for name in names).encode())
        for rule in self.columns.values():
            if rule.taxonomy and rule.taxonomy.file:
                path = self.path_of(rule.taxonomy.file)
                digest.update(_content(path))
        return digest.hexdigest()


def _sha256(path: Path) -> str:
    check_readable(path)
    return sha256_of(path)


def _content(path: Path) -> bytes:
    """The content of a hierarchy file; of none where it does not exist."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError as reason:
        raise TaxonomyError.no_file(path, reason) from None
