"""The policy: everything that decides a release besides the data."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, PrivateAttr, model_validator

from shoal.errors import PolicyError
from shoal.methods import AnyMethod, Mdav
from shoal.methods.generalization.cutting_method import CuttingMethod
from shoal.methods.microaggregation.grouping_method import GroupingMethod
from shoal.methods.perturbation import AnyPerturbation, Noise, PerturbingMethod
from shoal.policy.parts import Blocking, ColumnRule, LocalSuppression, Output, Part, Representation, Suppression, Warn
from shoal.release.generalize import end_names, has_ends
from shoal.requirements import AlphaKAnonymity, AnyRequirement, KAnonymity, Requirement
from shoal.schema import Column, Kind, Role, Schema
from shoal.schema.grid import Grid
from shoal.sources import CellKind, ReadOptions


def _named_or_mdav(given: Any) -> Any:
    return {"name": "mdav", **given} if isinstance(given, dict) else given


class Policy(Part):
    """What is released, and what must hold of it."""

    columns: dict[str, ColumnRule] = Field(min_length=1)
    """Every column of the table, by name."""
    requirements: tuple[AnyRequirement, ...] = ()
    """What must hold of every class of the release."""
    perturbations: tuple[AnyPerturbation, ...] = ()
    """What is done to values, one after the other, before records are made alike. With them no method is needed."""
    within: tuple[str, ...] = ()
    """Columns, e.g. ["region"], that records of one group must share; they are released as they are."""
    method: Annotated[AnyMethod, BeforeValidator(_named_or_mdav)] = Mdav()
    """How records are made alike."""
    blocking: Blocking = Blocking()
    """How a large table is divided."""
    suppression: Suppression = Suppression()
    """What may be lost."""
    local_suppression: LocalSuppression | None = None
    """Cells are blanked where requirements do not hold yet. With it no method is needed."""
    source: ReadOptions = ReadOptions()
    """How to read the file, where looking at it is not enough."""
    output: Output = Output()
    """How the release is written."""
    warn: Warn = Warn()
    """When report and shell warn."""
    seed: int = Field(default=0, ge=0)
    """Same policy, same data, same seed, same key: same release."""

    _file: Path | None = PrivateAttr(default=None)

    @model_validator(mode="before")
    @classmethod
    def _none_where_others_do(cls, given: Any) -> Any:
        """Who perturbs or blanks and names no method wants none."""
        others = ("perturbations", "local_suppression")
        if isinstance(given, dict) and any(given.get(key) is not None for key in others) and "method" not in given:
            return {**given, "method": {"name": "none"}}
        return given

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for name, rule in self.columns.items():
            Column(  # complains, or not
                name,
                rule.role,
                rule.kind,
                order=rule.order,
                decimals=rule.decimals,
                key_file=rule.pseudonym,
                grid=None if rule.grid is None else Grid(rule.grid),
                as_written=rule.as_written,
            )
        self._check_singles()
        for place, requirement in enumerate(self.requirements):
            for name in requirement.columns or ():
                self._check_role(f"requirements.{place}.columns", name, "quasi_identifier")
            if requirement.column is not None:
                role: Role = "quasi_identifier" if requirement.reads == "extents" else "sensitive"
                self._check_role(f"requirements.{place}.column", requirement.column, role)
                self._check_distances(f"requirements.{place}.distance", requirement, self.columns[requirement.column])
                if role == "quasi_identifier" and requirement.column not in (requirement.columns or self.columns):
                    known = requirement.columns or ()
                    raise PolicyError.not_in_classes(f"requirements.{place}.columns", requirement.column, known)
        for name in self.local_suppression.importance if self.local_suppression else ():
            self._check_role("local_suppression.importance", name, "quasi_identifier")
        for name in self.within:
            if name not in self.columns:
                raise PolicyError.unlisted_in_policy("within", name, tuple(self.columns))
        self._check_output()
        strictest = max(self._of_size, key=lambda requirement: requirement.k, default=None)
        if strictest is not None and self.method.k is not None and self.method.k < strictest.k:
            reason = f"{strictest.name} asks for k = {strictest.k}"
            raise PolicyError.too_small("method.k", strictest.k, self.method.k, reason)
        if self.blocking.limit != "auto" and self.blocking.limit < 2 * (self.k or 1):
            reason = "a block that holds no two groups leaves nothing to choose"
            raise PolicyError.too_small("blocking.limit", 2 * (self.k or 1), self.blocking.limit, reason)
        return self

    def _check_singles(self) -> None:
        """One weight, and one column that says which records belong together."""
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
        if self.unit and self.blanks_are_wildcards:
            raise PolicyError.units_of_wildcards(self.unit)

    def _check_levels(self, noise: Noise) -> None:
        names = [name for name in self.columns if noise in self._perturbed_by(name)]
        shared = [name for name in names if self.columns[name].level == "household"]
        if shared and len(shared) < len(names):
            raise PolicyError.noise_of_two_levels(shared)

    def _check_output(self) -> None:
        """Where no method makes groups, nothing can be told of them; only extents have ends."""
        if self.output.weights != "kept" and not any(rule.role == "weight" for rule in self.columns.values()):
            raise PolicyError.only_for("output.weights", "a column of role = 'weight'", "there is none")
        if isinstance(self.method, CuttingMethod | GroupingMethod):
            if self.output.ends and self.representation != "extents":
                raise PolicyError.no_ends(self.representation)
            return
        asked = {
            "output.permute": self.output.permute,
            "output.ends": self.output.ends,
            "output.representation": self.output.representation == "extents",
        }
        for where in (where for where, is_asked in asked.items() if is_asked):
            raise PolicyError.nothing_grouped(where)

    @staticmethod
    def _check_distances(where: str, requirement: Requirement, rule: ColumnRule) -> None:
        """Sorted words are no order that a proof could rest on: of an ordinal column it must be given."""
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

    def beside(self, file: Path) -> Policy:
        """The same policy as read from ``file``."""
        copy = self.model_copy()
        copy._file = file
        return copy

    def spreadsheet_safe(self) -> Policy:
        """The same policy with apostrophes before texts that a spreadsheet would run."""
        return self.model_copy(update={"output": self.output.model_copy(update={"spreadsheet_safe": True})})

    @property
    def file(self) -> Path | None:
        """The policy.toml it came from; files that it names are looked for beside it."""
        return self._file

    @property
    def k(self) -> int | None:
        """The smallest group that the method makes: its own k, else the largest asked for."""
        return self.method.k or max((requirement.k for requirement in self._of_size), default=None)

    @property
    def representation(self) -> Representation:
        """How groups are told."""
        return self.output.representation or ("extents" if isinstance(self.method, CuttingMethod) else "centroids")

    @property
    def blanks_are_wildcards(self) -> bool:
        return self.local_suppression is not None and self.local_suppression.blanks == "wildcard"

    @property
    def unit(self) -> str | None:
        """The column whose different values requirements count; None: they count records."""
        return next((name for name, rule in self.columns.items() if rule.role in ("household", "unit")), None)

    @property
    def shows_units(self) -> bool:
        """Which records are of one unit can be told from the release: by the numbers of households."""
        return self.unit is not None and self.columns[self.unit].role == "household"

    @property
    def hides_units(self) -> bool:
        """Requirements count units that nobody can tell from the release."""
        return self.unit is not None and not self.shows_units

    @property
    def ties_households(self) -> bool:
        """Members of a household can be told from the release, and their quasi-identifiers are protected."""
        return self.shows_units and bool(self._of_size) and self.representation != "anatomy"

    @property
    def keeps_households(self) -> bool:
        """Members of a household share a group."""
        return isinstance(self.method, GroupingMethod) and not self.method.split_households

    def has_tree_file(self, name: str) -> bool:
        """Whether the taxonomy of a column is written down, and not made from values that a release does not show."""
        taxonomy = self.columns[name].taxonomy if name in self.columns else None
        return taxonomy is not None and taxonomy.file is not None

    def uses_taxonomy(self, column: Column) -> bool:
        """Whether a perturbation, a requirement or the method looks at the taxonomy of a column."""
        if any(self._swaps_below_nodes(each, column) for each in self.perturbations):
            return True
        if any(wanted.column == column.name and wanted.reads == "tree" for wanted in self.requirements):
            return True
        if column.role != "quasi_identifier" or column.name in self.within:
            return False
        by_distance = isinstance(self.method, GroupingMethod) and column.kind == "nominal"
        return by_distance or isinstance(self.method, CuttingMethod)

    @staticmethod
    def _swaps_below_nodes(perturbation: PerturbingMethod, column: Column) -> bool:
        changes = perturbation.changes(column.name, is_quasi_identifier=column.role == "quasi_identifier")
        return changes and getattr(perturbation, "level", None) is not None

    def _perturbed_by(self, name: str) -> tuple[PerturbingMethod, ...]:
        is_known = self.columns[name].role == "quasi_identifier"
        return tuple(each for each in self.perturbations if each.changes(name, is_quasi_identifier=is_known))

    @property
    def made_numbers(self) -> tuple[str, ...]:
        """Numbers and dates among whose values are some that a perturbation makes."""
        numbers = (name for name, rule in self.columns.items() if rule.kind in ("numeric", "date"))
        return tuple(name for name in numbers if any(each.makes_numbers for each in self._perturbed_by(name)))

    @property
    def told_as_made(self) -> tuple[str, ...]:
        """Those of which every value is made by a perturbation, and released so: not by groups, nor on another base."""
        return tuple(name for name in self.made_numbers if self._is_remade(name) and not self._is_grouped(name))

    def _is_remade(self, name: str) -> bool:
        methods = self._perturbed_by(name)
        last = max((place for place, each in enumerate(methods) if each.remakes_all), default=len(methods))
        return last < len(methods) and all(each.keeps_steps for each in methods[last:])

    def _is_grouped(self, name: str) -> bool:
        groups = isinstance(self.method, CuttingMethod | GroupingMethod) and self.representation != "anatomy"
        return groups and self.columns[name].role == "quasi_identifier"

    @property
    def by_extents(self) -> tuple[str, ...]:
        """The quasi-identifiers that are told by extents."""
        return tuple(name for name in self.columns if self._tells_extents(name))

    def _tells_extents(self, name: str) -> bool:
        is_known = self.columns[name].role == "quasi_identifier"
        return is_known and self.representation == "extents" and name not in self.within

    @property
    def on_grid(self) -> tuple[str, ...]:
        """Numbers and dates whose intervals end where a grid says: not where the policy says it, or a taxonomy."""
        return tuple(
            name
            for name in self.by_extents
            if self.columns[name].kind in ("numeric", "date") and self._chooses_ends(name)
        )

    def _chooses_ends(self, name: str) -> bool:
        if not isinstance(self.method, CuttingMethod):
            return True
        return self.columns[name].taxonomy is None and self.method.chooses_cuts(name)

    @property
    def told_by_means(self) -> tuple[str, ...]:
        """The quasi-identifiers of which a release tells means of numbers."""
        return self._by_means("numeric")

    @property
    def dates_by_means(self) -> tuple[str, ...]:
        """Those of which it tells means of dates and times."""
        return self._by_means("date")

    def _by_means(self, kind: Kind) -> tuple[str, ...]:
        groups = isinstance(self.method, CuttingMethod | GroupingMethod) and self.representation == "centroids"
        of_kind = [name for name, rule in self.columns.items() if rule.kind == kind and name not in self.within]
        return tuple(name for name in of_kind if groups and self.columns[name].role == "quasi_identifier")

    def ends_of(self, name: str) -> tuple[str, ...]:
        """The columns that tell the ends of a quasi-identifier."""
        rule = self.columns[name]
        told = self.output.ends and self._tells_extents(name)
        return end_names(name) if told and has_ends(Column(name, rule.role, rule.kind)) else ()

    def written(self, schema: Schema) -> Schema:
        """The columns of the release: those of the table, and the ends of extents."""
        kind = {column.name: column.kind for column in schema.columns}
        return Schema(
            each
            for column in schema.columns
            for each in (
                column,
                *(Column(end, "quasi_identifier", kind[column.name]) for end in self.ends_of(column.name)),
            )
        )

    @property
    def sensitive_read(self) -> tuple[str, ...]:
        """The sensitive columns that requirements read; extents are those of a quasi-identifier."""
        return tuple(sorted({str(r.column) for r in self.requirements if r.column and r.reads != "extents"}))

    @property
    def _of_size(self) -> list[KAnonymity | AlphaKAnonymity]:
        return [r for r in self.requirements if isinstance(r, KAnonymity | AlphaKAnonymity)]

    @property
    def cell_kinds(self) -> dict[str, CellKind]:
        """How the cells of a file without types are to be read: identifiers are names, weights are numbers."""
        by_kind: dict[Kind, CellKind] = {"numeric": "numeric", "date": "date", "ordinal": "text", "nominal": "text"}
        by_role: dict[Role, CellKind] = {"identifier": "text", "unit": "text", "weight": "numeric"}
        return {name: by_role.get(rule.role, by_kind[rule.kind]) for name, rule in self.columns.items()}

    @property
    def released_kinds(self) -> dict[str, CellKind]:
        """The same of a release: households have new numbers, extents are texts."""
        kinds = self.cell_kinds
        for name, rule in self.columns.items():
            if rule.role == "household":
                kinds[name] = "numeric"
            elif rule.role == "quasi_identifier" and self.representation == "extents":
                kinds[name] = "text"
        return kinds

    @property
    def files(self) -> tuple[Path, ...]:
        """The policy.toml and all that it names: no release may take the place of one."""
        rules = self.columns.values()
        taxonomies = [rule.taxonomy.file for rule in rules if rule.taxonomy and rule.taxonomy.file]
        named = [*taxonomies, *(rule.pseudonym for rule in rules if rule.pseudonym)]
        return (*([self.file] if self.file else []), *map(self.path_of, named))

    def path_of(self, file: Path) -> Path:
        """A file that the policy names."""
        return self.file.parent / file if self.file else file

    def summary(self) -> dict[str, Any]:
        """What a manifest says of it: names of columns, but no value of one."""
        return {
            "sha256": self.digest(),
            "representation": self.representation,
            **self.model_dump(mode="json", exclude={"columns", "source", "seed"}),
            "columns": {
                name: {"role": rule.role, "kind": rule.kind, "pseudonym": rule.pseudonym is not None}
                for name, rule in self.columns.items()
            },
        }

    def digest(self) -> str:
        """SHA-256 of all that decides a release but the seed, the contents of its hierarchy files included."""
        return self._digest({"warn": True, "seed": True})

    def digest_of_values(self) -> str:
        """The same of what decides the values alone, in whatever order and spelling they are written."""
        return self._digest({"warn": True, "seed": True, "output": {"shuffle", "spreadsheet_safe"}})

    def _digest(self, exclude: dict[str, Any]) -> str:
        digest = hashlib.sha256(self.model_dump_json(exclude=exclude).encode())
        for rule in self.columns.values():
            if rule.taxonomy and rule.taxonomy.file:
                path = self.path_of(rule.taxonomy.file)
                digest.update(path.read_bytes() if path.is_file() else b"")
        return digest.hexdigest()
