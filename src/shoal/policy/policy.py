"""The policy: everything that determines a release apart from the data and the private key."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, PrivateAttr, model_validator

from shoal.errors import PolicyError, listed, plural, visible
from shoal.methods import AnyMethod, Mdav
from shoal.methods.perturbation import AnyPerturbation, Noise
from shoal.plan.representation import REPRESENTATIONS, Representation
from shoal.policy.parts import BlockingRules, ColumnRule, LocalSuppression, Output, Suppression, Warn
from shoal.policy.policy_part import PolicyPart
from shoal.policy.scenarios import ScenarioName
from shoal.requirements import AnyRequirement, Requirement
from shoal.requirements.requirement import least_records
from shoal.schema import Column, Role, Schema
from shoal.schema.grid import Grid
from shoal.sources import CellKind, FormatName, ReadOptions

NOT_RELEASED = {"warn": True, "seed": True, "scenario": True}  # parts that the digest leaves out


def _default_name(content: Any) -> Any:
    return {"name": "mdav", **content} if isinstance(content, dict) else content


class Policy(PolicyPart):
    """How a table is protected and released, and what the release must satisfy."""

    columns: dict[str, ColumnRule] = Field(min_length=1)
    """All columns of the table, by name."""
    requirements: tuple[AnyRequirement, ...] = ()
    """Requirements that every equivalence class of the release must satisfy."""
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
    scenario: ScenarioName | None = None
    """public-use, scientific-use, internal or hipaa-safe-harbor: the report compares its thresholds with what was
    reached. It does not change the release."""
    seed: int = Field(default=0, ge=0)
    """Selects the random numbers: the same policy, data, seed and key give the same release."""

    _file: Path | None = PrivateAttr(default=None)

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

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        for name, declared in self.columns.items():
            Column(name, declared.role, declared.kind, order=declared.order)  # validates; raises PolicyError
            rule = declared.recoded
            Column(
                name,
                rule.role,
                rule.kind,
                order=rule.order,
                decimals=rule.decimals,
                key_file=rule.pseudonym,
                grid=None if rule.grid is None else Grid(rule.grid),
                as_written=rule.as_written,
            )
            self._check_merged_names(name, declared)
        self._check_singles()
        for place, requirement in enumerate(self.requirements):
            for name in requirement.columns or ():
                self._check_role(f"requirements.{place}.columns", name, "quasi_identifier")
            if requirement.column is not None:
                role: Role = "quasi_identifier" if requirement.reads == "extents" else "sensitive"
                self._check_role(f"requirements.{place}.column", requirement.column, role)
                rule = self.columns[requirement.column].recoded
                self._check_distances(f"requirements.{place}.distance", requirement, rule)
                if role == "quasi_identifier" and requirement.column not in (requirement.columns or self.columns):
                    known = requirement.columns or ()
                    raise PolicyError.not_in_classes(f"requirements.{place}.columns", requirement.column, known)
        for name in self.local_suppression.importance if self.local_suppression else ():
            self._check_role("local_suppression.importance", name, "quasi_identifier")
        for name in self.within:
            if name not in self.columns:
                raise PolicyError.unlisted_in_policy("within", name, tuple(self.columns))
        self._check_output()
        least = least_records(self.requirements)
        if least is not None and self.method.k is not None and self.method.k < least:
            strictest = next(each for each in self.requirements if each.least_records == least)
            raise PolicyError.too_small("method.k", least, self.method.k, f"{strictest.name} requires k = {least}")
        if self.blocking.limit != "auto" and self.blocking.limit < 2 * (self.k or 1):
            reason = "a block must hold at least two groups of k records"
            raise PolicyError.too_small("blocking.limit", 2 * (self.k or 1), self.blocking.limit, reason)
        return self

    def _check_merged_names(self, name: str, rule: ColumnRule) -> None:
        """A merged category must not be named by a word that means "missing": it would be read as missing."""
        for category in (rule.recode.merge or {}) if rule.recode else ():
            if category in self.source.missing:
                raise PolicyError.merged_into_missing(name, category)

    def _check_singles(self) -> None:
        """At most one weight and one household or unit column; also what households and units allow elsewhere."""
        for roles in (("weight",), ("household", "unit")):
            names = [name for name, rule in self.columns.items() if rule.role in roles]
            if len(names) > 1:
                raise PolicyError.only_one(" or ".join(roles), names)
        for name, rule in self.columns.items():
            if rule.level == "household" and not any(each.role == "household" for each in self.columns.values()):
                raise PolicyError.no_household(name)
        for perturbation in self.perturbations:
            if isinstance(perturbation, Noise) and perturbation.kind == "correlated":
                self._check_levels(perturbation)
        units = [name for name, rule in self.columns.items() if rule.role in ("household", "unit")]
        if units and self.local_suppression and self.local_suppression.are_wildcards:
            raise PolicyError.units_of_wildcards(units[0])

    def _check_levels(self, noise: Noise) -> None:
        names = [
            name
            for name, rule in self.columns.items()
            if noise.changes(name, is_quasi_identifier=rule.role == "quasi_identifier")
        ]
        shared = [name for name in names if self.columns[name].level == "household"]
        if shared and len(shared) < len(names):
            raise PolicyError.noise_of_two_levels(shared)

    def _check_output(self) -> None:
        """Options of groups need a method that forms groups; ``ends`` needs extents; ``weights`` a weight column."""
        if self.output.weights != "kept" and not any(rule.role == "weight" for rule in self.columns.values()):
            raise PolicyError.only_for("output.weights", "a column of role = 'weight'", "none")
        if self.method.forms_classes:
            if self.output.ends and not self.representation.releases_extents:
                raise PolicyError.no_ends(self.representation.name)
            return
        options = {
            "output.permute": self.output.permute,
            "output.ends": self.output.ends,
            "output.representation": self.representation.releases_extents,
        }
        for where in (where for where, is_set in options.items() if is_set):
            raise PolicyError.nothing_grouped(where)

    @staticmethod
    def _check_distances(where: str, requirement: Requirement, rule: ColumnRule) -> None:
        """A distance by order needs a declared order (alphabetical order proves nothing), one by tree a taxonomy."""
        name = str(requirement.column)
        if requirement.reads == "order" and (rule.kind == "nominal" or (rule.kind == "ordinal" and not rule.order)):
            raise PolicyError.no_order(where, name, rule.kind)
        if requirement.reads == "tree" and rule.taxonomy is None:
            raise PolicyError.no_tree(where, name)

    def _check_role(self, where: str, name: str, role: Role) -> None:
        if name not in self.columns:
            raise PolicyError.unlisted_in_policy(where, name, tuple(self.columns))
        if self.columns[name].role != role:
            raise PolicyError.wrong_role(where, name, role, self.columns[name].role)

    def read_from(self, file: Path) -> Policy:
        """The same policy, with ``file`` as the policy.toml it was read from."""
        copy = self.model_copy()
        copy._file = file
        return copy

    def spreadsheet_safe(self) -> Policy:
        """The same policy, with apostrophes before texts that a spreadsheet would execute as formulas."""
        return self.model_copy(update={"output": self.output.model_copy(update={"spreadsheet_safe": True})})

    def read_as(self, format_: FormatName | None) -> Policy:
        """The same policy for a file of this format, whatever its extension."""
        return self.model_copy(update={"source": self.source.model_copy(update={"format": format_})})

    def __repr__(self) -> str:
        """What must hold and by what method; no seed, no value, and of its file only the name."""
        n = len(self.columns)
        requirements = [f"{each.name} ({each.measure} = {each.asked:g})" for each in self.requirements]
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
        """Minimum group size: the k of the method, else the largest k of the requirements; None without either."""
        return self.method.k or least_records(self.requirements)

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
                rule.role,
                rule.kind,
                order=rule.order,
                key_file=rule.pseudonym,
                level=rule.level,
                as_written=rule.as_written,
                missing=self.source.missing,
                in_grammar=rule.recode is not None and rule.recode.writes_extents,
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
        named = [*taxonomies, *(rule.pseudonym for rule in rules if rule.pseudonym)]
        return (*([self.file] if self.file else []), *map(self.path_of, named))

    def path_of(self, file: Path) -> Path:
        """The path of a file that the policy names, resolved relative to the folder of policy.toml."""
        return self.file.parent / file if self.file else file

    def summary(self) -> dict[str, Any]:
        """The summary of the policy for manifests: names of columns, but no values of them."""
        return {"sha256": self.digest(), **self.description()}

    def description(self) -> dict[str, Any]:
        """The summary without its digest."""
        return {
            "representation": self.representation.name,
            **self.model_dump(mode="json", exclude={"columns", "source", "seed", "scenario"}),
            **({"scenario": self.scenario} if self.scenario else {}),
            "columns": {
                name: {
                    "role": rule.role,
                    "kind": rule.kind,
                    "pseudonym": rule.pseudonym is not None,
                    **({"recode": rule.recode.summary()} if rule.recode else {}),
                }
                for name, rule in self.columns.items()
            },
        }

    def digest(self) -> str:
        """SHA-256 of everything in the policy that determines a release except the seed, hierarchy files included;
        reasons, warnings and the scenario determine nothing."""
        return self._digest(NOT_RELEASED)

    def digest_of_values(self) -> str:
        """SHA-256 of what determines the released values only: without shuffling and spreadsheet-safe writing."""
        return self._digest({**NOT_RELEASED, "output": {"shuffle", "spreadsheet_safe"}})

    def _digest(self, exclude: dict[str, Any]) -> str:
        """Of what differs from the defaults, so that a key added to policies later changes no release of this one. The
        format is left out: it may be an option of the shell."""
        columns = {name: rule.not_in_digest for name, rule in self.columns.items()}
        without = {**exclude, "columns": columns}
        content = self.read_as(None).model_dump_json(exclude=without, exclude_defaults=True)
        digest = hashlib.sha256(content.encode())
        names = [
            self.method.name,
            *(each.name for each in self.requirements),
            *(each.name for each in self.perturbations),
        ]
        digest.update("".join(f"\n{name}" for name in names).encode())  # the name of each is its default
        for rule in self.columns.values():
            if rule.taxonomy and rule.taxonomy.file:
                path = self.path_of(rule.taxonomy.file)
                digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()
