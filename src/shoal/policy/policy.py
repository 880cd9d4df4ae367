"""The policy: everything that determines a release apart from the data and the private key."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, PrivateAttr, model_validator

from shoal.errors import PolicyError, TaxonomyError, listed, plural, visible
from shoal.errors.base import ErrorList
from shoal.methods import AnyMethod, Mdav
from shoal.methods.perturbation import AnyPerturbation, Noise
from shoal.plan.representation import REPRESENTATIONS, Representation
from shoal.policy.parts import BlockingRules, ColumnRule, LocalSuppression, Output, Suppression, Warn
from shoal.policy.policy_part import PolicyPart
from shoal.policy.scenarios import ScenarioName
from shoal.requirements import AnyRequirement, Requirement
from shoal.requirements.requirement import group_size, least_records, reads_numbers, roles_of_column
from shoal.schema import Column, Role, Schema
from shoal.schema.grid import Grid
from shoal.sources import CellKind, FormatName, ReadOptions

# The report alone depends on totals_by.
NOT_IN_MANIFEST: dict[str, Any] = {
    "columns": True,
    "source": True,
    "seed": True,
    "scenario": True,
    "output": {"totals_by"},
}


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
        self._check_columns()
        self._check_singles()
        self._check_weights()
        for name, rule in self.columns.items():
            if rule.min_level is not None or rule.max_level is not None:
                self._check_level_limits(name, rule)
        for place, requirement in enumerate(self.requirements):
            for name in requirement.columns or ():
                self._check_role(f"requirements.{place}.columns", name, "quasi_identifier")
            if requirement.column is not None:
                self._check_role(f"requirements.{place}.column", requirement.column, *roles_of_column(requirement))
                rule = self.columns[requirement.column].recoded
                self._check_distances(f"requirements.{place}.distance", requirement, rule)
                self._check_numbers(f"requirements.{place}.column", requirement)
                if requirement.reads == "extents" and requirement.column not in (requirement.columns or self.columns):
                    known = requirement.columns or ()
                    raise PolicyError.not_in_classes(f"requirements.{place}.columns", requirement.column, known)
        for name in self.local_suppression.importance if self.local_suppression else ():
            self._check_role("local_suppression.importance", name, "quasi_identifier")
        for name in self.within:
            if name not in self.columns:
                raise PolicyError.unlisted_in_policy("within", name, tuple(self.columns))
        for name in self.blocking.dimensions or ():
            self._check_role("blocking.dimensions", name, "quasi_identifier")
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

    def _check_columns(self) -> None:
        """Raises one PolicyError for all columns whose keys contradict each other."""
        errors = ErrorList(PolicyError)
        for name, declared in self.columns.items():
            with errors.collect():
                self._check_column(name, declared)
        errors.raise_all("columns")

    def _check_column(self, name: str, declared: ColumnRule) -> None:
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
            members=rule.members,
            weight=rule.weight,
        )
        self._check_merged_names(name, declared)
        for member in rule.members or ():
            self._check_member(f"columns.{name}.members", member)

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

    def _check_member(self, where: str, name: str) -> None:
        """Members are ordered by what is released or known: the order by a sensitive value would reveal it."""
        if name not in self.columns:
            raise PolicyError.unlisted_in_policy(where, name, tuple(self.columns))
        if self.columns[name].role not in ("quasi_identifier", "other", "identifier"):
            raise PolicyError.reveals_order(where, name, self.columns[name].role)

    def _check_level_limits(self, name: str, rule: ColumnRule) -> None:
        """Limits of levels need a taxonomy by which the method generalizes the column, and extents that show it."""
        where = f"columns.{name}.{'min_level' if rule.min_level is not None else 'max_level'}"
        if rule.taxonomy is None:
            raise PolicyError.only_for(where, "a taxonomy of the column", "none")
        if not _uses_levels(self, name, rule):
            raise PolicyError.nothing_generalized(where, self.method.name, self.representation.name)
        if (rule.min_level or 0) > (rule.max_level if rule.max_level is not None else rule.min_level or 0):
            raise PolicyError.too_small(
                f"columns.{name}.max_level", rule.min_level or 0, rule.max_level, "it is not below min_level"
            )
        if rule.max_level is not None and self.method.issues_certificates:
            raise PolicyError.no_max_level(name, self.method.name)

    def _check_weights(self) -> None:
        """A weight must have an effect: on the distances or the loss of the method, or on what a blank cell costs."""
        rules = {name: rule for name, rule in self.columns.items() if rule.role == "quasi_identifier"}
        given = self.local_suppression.importance if self.local_suppression else {}
        for name in (name for name, rule in rules.items() if rule.weight != 1):
            if self.local_suppression and not self.columns[name].weight and name not in given:
                raise PolicyError.free_blanks(name)
            is_used = self.method.weighs_columns or (self.method.forms_classes and not self.columns[name].weight)
            if not is_used and not self.local_suppression:
                raise PolicyError.unused_weight(name, self.method.name)

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
        for name in self.output.totals_by or ():
            if name not in self.columns:
                raise PolicyError.unlisted_in_policy("output.totals_by", name, tuple(self.columns))
            if self.columns[name].role in ("identifier", "unit", "household", "weight"):
                roles = "' or '".join(("quasi_identifier", "sensitive", "other"))
                raise PolicyError.wrong_role("output.totals_by", name, roles, self.columns[name].role)
            if self._loses_values(name):
                raise PolicyError.no_cells_of_totals(name)
        if self.output.weights != "kept" and not any(rule.role == "weight" for rule in self.columns.values()):
            raise PolicyError.only_for("output.weights", "a column of role = 'weight'", "none")
        if self.output.household == "unlinked" and not self._with_role("household"):
            raise PolicyError.only_for("output.household", "a column of role = 'household'", "none")
        if self.output.categories == "controlled":
            self._check_categories()
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

    def _check_categories(self) -> None:
        """Controlled categories need groups that are released as centroids, and a column of categories."""
        kinds = [rule.kind for rule in self.columns.values() if rule.role == "quasi_identifier"]
        if not self.method.forms_classes:
            raise PolicyError.nothing_grouped("output.categories")
        if not self.representation.releases_means:
            has = f"'{self.representation.name}'"
            raise PolicyError.only_for("output.categories", "output.representation = 'centroids'", has)
        if not {"nominal", "ordinal"} & set(kinds):
            raise PolicyError.only_for("output.categories", "a quasi-identifier of kind nominal or ordinal", "none")

    def _loses_values(self, name: str) -> bool:
        """Whether the release has other values of a column than the original: intervals, nodes or means."""
        rule = self.columns[name]
        if rule.role != "quasi_identifier" or name in self.within or not self.method.forms_classes:
            return False
        return self.representation.releases_extents or rule.kind in ("numeric", "date")

    @staticmethod
    def _check_distances(where: str, requirement: Requirement, rule: ColumnRule) -> None:
        """A distance by order needs a declared order (alphabetical order proves nothing), one by tree a taxonomy."""
        name = str(requirement.column)
        if requirement.reads == "order" and (rule.kind == "nominal" or (rule.kind == "ordinal" and not rule.order)):
            raise PolicyError.no_order(where, name, rule.kind)
        if requirement.reads == "tree" and rule.taxonomy is None:
            raise PolicyError.no_tree(where, name)

    def _check_numbers(self, where: str, requirement: Requirement) -> None:
        """What is added up must be numbers, and both tables of an anatomy would be needed for it."""
        if not reads_numbers(requirement.reads):
            return
        rule = self.columns[str(requirement.column)]
        if rule.cell_kind != "numeric":
            raise PolicyError.no_amounts(where, str(requirement.column), rule.kind)
        if rule.role == "quasi_identifier" and self.local_suppression:
            raise PolicyError.only_for(where, "a sensitive column where cells are blanked", "a quasi-identifier")
        if self.representation.separates_sensitive:
            raise PolicyError.only_for(where, "representation = 'centroids' or 'extents'", "'anatomy'")

    def _check_role(self, where: str, name: str, *roles: Role) -> None:
        if name not in self.columns:
            raise PolicyError.unlisted_in_policy(where, name, tuple(self.columns))
        if self.columns[name].role not in roles:
            raise PolicyError.wrong_role(where, name, "' or '".join(roles), self.columns[name].role)

    def read_from(self, file: Path) -> Policy:
        """The same policy, with ``file`` as the policy.toml it was read from."""
        copy = self.model_copy()
        copy._file = file
        return copy

    def role_of(self, name: str) -> Role:
        """The role of a column in the release: a household that is not to be recognized is a unit."""
        role = self.columns[name].role
        return "unit" if role == "household" and self.output.household == "unlinked" else role

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
        return self.method.k or group_size(self.requirements)

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
            **self.model_dump(mode="json", exclude=NOT_IN_MANIFEST),
            **({"scenario": self.scenario} if self.scenario else {}),
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
        reasons, warnings and the scenario determine nothing."""
        return self._with_defaults(output=self.output.model_copy(update={"totals_by": None}))._digest()

    def digest_of_values(self) -> str:
        """SHA-256 of what determines the released values only: without shuffling and spreadsheet-safe writing."""
        defaults = {"shuffle": True, "spreadsheet_safe": False, "totals_by": None}
        return self._with_defaults(output=self.output.model_copy(update=defaults))._digest()

    def _with_defaults(self, output: Output) -> Policy:
        """The policy with the defaults of what determines no release, so that it is in no digest."""
        return self.model_copy(update={"warn": Warn(), "seed": 0, "scenario": None, "output": output})

    def _digest(self) -> str:
        """Of what differs from the defaults, so that a key added to policies later changes no release of this one. The
        format is left out: it may be an option of the shell."""
        written = self.read_as(None).model_dump_json(
            exclude={"columns": {"__all__": {"reason"}}}, exclude_defaults=True
        )
        digest = hashlib.sha256(written.encode())
        asked, changed = ([part.name for part in parts] for parts in (self.requirements, self.perturbations))
        names = [self.method.name, *asked, *changed]  # the name of each is its default
        digest.update("".join(f"\n{name}" for name in names).encode())
        for rule in self.columns.values():
            if rule.taxonomy and rule.taxonomy.file:
                path = self.path_of(rule.taxonomy.file)
                digest.update(_content(path))
        return digest.hexdigest()


def _content(path: Path) -> bytes:
    """The content of a hierarchy file; of none where it does not exist."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError as reason:
        raise TaxonomyError.no_file(path, reason) from None


def _uses_levels(policy: Policy, name: str, rule: ColumnRule) -> bool:
    is_extent = policy.method.forms_classes and policy.representation.releases_extents and name not in policy.within
    return is_extent and rule.role == "quasi_identifier" and policy.method.uses_taxonomy(rule.kind)
