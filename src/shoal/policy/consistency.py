"""Consistency of a policy: what its parts allow each other. Problems of all parts come in one error."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import normalize

from shoal.errors import ColumnError, EarlierReleaseError, PolicyError
from shoal.errors.base import ErrorList
from shoal.methods.perturbation import Noise
from shoal.policy.analysis_rule import check_analyses
from shoal.policy.key_path import key_path
from shoal.requirements import Requirement
from shoal.requirements.population_sizes import populations
from shoal.requirements.requirement import least_records, reads_numbers, roles_of_column, tolerance_of
from shoal.schema import Column, Role
from shoal.schema.grid import Grid

if TYPE_CHECKING:
    from shoal.policy.column_rule import ColumnRule
    from shoal.policy.policy import Policy


def check_consistency(policy: Policy) -> None:
    """Raises PolicyError with all problems: first those of single columns, which the other parts refer to."""
    _check_columns(policy)
    errors = ErrorList(PolicyError)
    for check in (
        lambda policy: policy.method.check_keys(),
        _check_singles,
        _check_weights,
        _check_all_level_limits,
        _check_requirements,
        _check_population,
        _check_names,
        _check_output,
        _check_sizes,
        _check_suppression,
        _check_strata,
        check_analyses,
        _check_earlier,
    ):
        with errors.collect():
            check(policy)
    errors.raise_all("the policy")


def _check_all_level_limits(policy: Policy) -> None:
    for name, rule in policy.columns.items():
        if rule.min_level is not None or rule.max_level is not None:
            _check_level_limits(policy, name, rule)


def _check_requirements(policy: Policy) -> None:
    """Columns of requirements have the roles and kinds that these read."""
    n = len(policy.requirements)
    for place, requirement in enumerate(policy.required):
        if policy.local_suppression and policy.local_suppression.are_wildcards and requirement.reads != "totals":
            raise PolicyError.only_for("local_suppression.blanks = 'wildcard'", "k_anonymity", requirement.name)
        at = key_path(("requirements", place) if place < n else ("rules", "requirements", place - n))
        for name in requirement.columns or ():
            _check_role(policy, f"{at}.columns", name, "quasi_identifier")
        if requirement.column is not None:
            _check_role(policy, f"{at}.column", requirement.column, *roles_of_column(requirement))
            rule = policy.columns[requirement.column].recoded
            _check_distances(f"{at}.distance", requirement, rule)
            _check_numbers(policy, f"{at}.column", requirement)
            if tolerance_of(requirement) is not None and rule.cell_kind != "numeric":
                raise PolicyError.tolerates_numbers(f"{at}.tolerance", requirement.column, rule.kind)
            if requirement.reads == "extents" and requirement.column not in (requirement.columns or policy.columns):
                known = requirement.columns or ()
                raise PolicyError.not_in_classes(f"{at}.columns", requirement.column, known)


def _check_population(policy: Policy) -> None:
    """The persons of a population can be counted in classes that the method cuts, and that show what they contain."""
    found = populations(policy.required)
    if len(found) > 1:
        raise PolicyError.many_populations(found)
    units = [name for name, rule in policy.columns.items() if rule.role in ("household", "unit")]
    keys = [name for name, rule in policy.columns.items() if rule.role == "quasi_identifier"]
    replaced = [name for name in keys if any(each.gives_values(name) for each in policy.perturbations)]
    unfit = {
        f"the method {policy.method.name}": (
            not policy.method.finds_cuts or policy.method.issues_certificates,
            "Use global_recoding or mondrian, which cut the values that persons of the population have, too.",
        ),
        f"representation = '{policy.representation.name}'": (
            not policy.representation.releases_extents,
            "Set output.representation = 'extents'.",
        ),
        "perturbed quasi-identifiers": (bool(replaced), "Remove the perturbations of quasi-identifiers."),
        "local suppression": (policy.local_suppression is not None, "Remove [local_suppression]."),
        "several records of a unit": (bool(units), "Release one record of every person."),
    }
    for what, (is_set, remedy) in unfit.items() if found else ():
        if is_set:
            raise PolicyError.unfit_for_population(what, remedy)


def _check_names(policy: Policy) -> None:
    """Columns that other parts of the policy name are there, with the right role."""
    for name in policy.local_suppression.importance if policy.local_suppression else ():
        _check_role(policy, "local_suppression.importance", name, "quasi_identifier")
    for name in policy.within:
        if name not in policy.columns:
            raise PolicyError.unlisted_in_policy("within", name, tuple(policy.columns))
    for name in policy.blocking.dimensions or ():
        _check_role(policy, "blocking.dimensions", name, "quasi_identifier")
    for name in (name for rule in policy.linkage.blocking for name in rule.options.columns):
        if name not in policy.columns:
            raise PolicyError.unlisted_in_policy("linkage.blocking.keys", name, tuple(policy.columns))


def _check_sizes(policy: Policy) -> None:
    """Groups are as large as the requirements ask, and blocks hold two of them."""
    least = least_records(policy.required)
    if least is not None and policy.method.k is not None and policy.method.k < least:
        strictest = next(each for each in policy.required if each.least_records == least)
        raise PolicyError.too_small("method.k", least, policy.method.k, f"{strictest.name} requires k = {least}")
    if policy.blocking.limit != "auto" and policy.blocking.limit < 2 * (policy.k or 1):
        reason = "a block must hold at least two groups of k records"
        raise PolicyError.too_small("blocking.limit", 2 * (policy.k or 1), policy.blocking.limit, reason)


def _check_suppression(policy: Policy) -> None:
    """A search suppresses no more than the release may lose. It keeps its share in every stratum, and so in all."""
    if policy.method.suppression > policy.suppression.limit:
        raise PolicyError.suppresses_too_many(policy.method.suppression, policy.suppression.limit)


def _check_strata(policy: Policy) -> None:
    """Requirements hold within strata only where classes are made in each of them."""
    if policy.within and policy.required and not policy.method.forms_classes:
        raise PolicyError.only_for("within", "a method that forms groups or classes", f"method '{policy.method.name}'")


def _check_earlier(policy: Policy) -> None:
    """Earlier releases need a column of persons, and a method whose groups can be kept."""
    if policy.earlier is None:
        return
    if policy.person is None:
        identifiers = [name for name, rule in policy.columns.items() if rule.role == "identifier"]
        raise EarlierReleaseError.no_person_column(identifiers)
    named = {"earlier.person": (policy.person,), "earlier.stable": policy.earlier.stable or ()}
    for where, name in ((where, name) for where, names in named.items() for name in names):
        if name not in policy.columns:
            raise PolicyError.unlisted_in_policy(where, name, tuple(policy.columns))
    for what, (is_set, remedy) in _unfit_for_earlier(policy).items():
        if is_set:
            raise EarlierReleaseError.unfit_policy(what, remedy)


def _unfit_for_earlier(policy: Policy) -> dict[str, tuple[bool, str]]:
    """What groups of earlier releases cannot be kept with: whether the policy has it, and what helps."""
    units = any(rule.role in ("household", "unit") for rule in policy.columns.values())
    sets = {requirement.columns for requirement in policy.required if requirement.columns is not None}
    return {
        f"the method {policy.method.name}": (
            policy.method.microaggregation is None,
            "Use a method that forms groups of records, such as mdav or vmdav.",
        ),
        "several records of a unit": (units, "Release one record of every person."),
        "requirements on some of the quasi-identifiers": (bool(sets), "Remove 'columns' from the requirements."),
        "anatomy": (policy.representation.separates_sensitive, "Use centroids or extents."),
        "permuted values": (policy.output.permute, "Set output.permute = false."),
        "perturbed values": (bool(policy.perturbations), "Remove the perturbations."),
        "local suppression": (policy.local_suppression is not None, "Remove [local_suppression]."),
        "blocks": (policy.blocking.method not in ("auto", "none"), "Set blocking.method = 'none'."),
        "no k": (policy.k is None, "Require k_anonymity."),
    }


def _check_merged_names(policy: Policy, name: str, rule: ColumnRule) -> None:
    """A merged category must not be named by a word that means "missing": it would be read as missing."""
    for category in (rule.recode.merge or {}) if rule.recode else ():
        if category in policy.source.missing:
            raise ColumnError.merged_into_missing(name, category)


def _check_columns(policy: Policy) -> None:
    """Raises one PolicyError for all columns whose keys contradict each other, or whose names readers may confuse."""
    errors, seen = ErrorList(PolicyError), dict[str, str]()
    for name in policy.columns:
        first = seen.setdefault(normalize("NFKC", normalize("NFKC", name).casefold()), name)
        with errors.collect():
            if first != name:
                raise ColumnError.named_alike(first, name)
    for name, declared in policy.columns.items():
        with errors.collect():
            _check_column(policy, name, declared)
    errors.raise_all("columns")


def _check_column(policy: Policy, name: str, declared: ColumnRule) -> None:
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
    _check_merged_names(policy, name, declared)
    for member in rule.members or ():
        _check_member(policy, f"columns.{name}.members", member)


def _check_singles(policy: Policy) -> None:
    """At most one weight and one household or unit column; also what households and units allow elsewhere."""
    for roles in (("weight",), ("household", "unit")):
        names = [name for name, rule in policy.columns.items() if rule.role in roles]
        if len(names) > 1:
            raise ColumnError.only_one(" or ".join(roles), names)
    for name, rule in policy.columns.items():
        if rule.level == "household" and not any(each.role == "household" for each in policy.columns.values()):
            raise ColumnError.no_household(name)
    for perturbation in policy.perturbations:
        if isinstance(perturbation, Noise) and perturbation.kind == "correlated":
            _check_levels(policy, perturbation)
    units = [name for name, rule in policy.columns.items() if rule.role in ("household", "unit")]
    if units and policy.local_suppression and policy.local_suppression.are_wildcards:
        raise PolicyError.units_of_wildcards(units[0])


def _check_member(policy: Policy, where: str, name: str) -> None:
    """Members are ordered by what is released or known: the order by a sensitive value would reveal it."""
    if name not in policy.columns:
        raise PolicyError.unlisted_in_policy(where, name, tuple(policy.columns))
    if policy.columns[name].role not in ("quasi_identifier", "other", "identifier"):
        raise ColumnError.reveals_order(where, name, policy.columns[name].role)


def _check_level_limits(policy: Policy, name: str, rule: ColumnRule) -> None:
    """Limits of levels need a taxonomy by which the method generalizes the column, and extents that show it."""
    where = f"columns.{name}.{'min_level' if rule.min_level is not None else 'max_level'}"
    if rule.taxonomy is None:
        raise PolicyError.only_for(where, "a taxonomy of the column", "none")
    if not _uses_levels(policy, name, rule):
        raise ColumnError.nothing_generalized(where, policy.method.name, policy.representation.name)
    if (rule.min_level or 0) > (rule.max_level if rule.max_level is not None else rule.min_level or 0):
        raise PolicyError.too_small(
            f"columns.{name}.max_level", rule.min_level or 0, rule.max_level, "it is not below min_level"
        )
    if rule.max_level is not None and policy.method.issues_certificates:
        raise ColumnError.no_max_level(name, policy.method.name)


def _check_weights(policy: Policy) -> None:
    """A weight must have an effect: on the distances or the loss of the method, or on what a blank cell costs."""
    rules = {name: rule for name, rule in policy.columns.items() if rule.role == "quasi_identifier"}
    given = policy.local_suppression.importance if policy.local_suppression else {}
    for name in (name for name, rule in rules.items() if rule.weight != 1):
        if policy.local_suppression and not policy.columns[name].weight and name not in given:
            raise ColumnError.free_blanks(name)
        is_used = policy.method.weighs_columns or (policy.method.forms_classes and not policy.columns[name].weight)
        if not is_used and not policy.local_suppression:
            raise ColumnError.unused_weight(name, policy.method.name)


def _check_levels(policy: Policy, noise: Noise) -> None:
    names = [
        name
        for name, rule in policy.columns.items()
        if noise.changes(name, is_quasi_identifier=rule.role == "quasi_identifier")
    ]
    shared = [name for name in names if policy.columns[name].level == "household"]
    if shared and len(shared) < len(names):
        raise PolicyError.noise_of_two_levels(shared)


def _check_output(policy: Policy) -> None:
    """Options of groups need a method that forms groups; ``ends`` needs extents; ``weights`` a weight column."""
    for name in policy.output.totals_by or ():
        if name not in policy.columns:
            raise PolicyError.unlisted_in_policy("output.totals_by", name, tuple(policy.columns))
        if policy.columns[name].role in ("identifier", "unit", "household", "weight"):
            roles = "' or '".join(("quasi_identifier", "sensitive", "other"))
            raise PolicyError.wrong_role("output.totals_by", name, roles, policy.columns[name].role)
        if _loses_values(policy, name):
            raise PolicyError.no_cells_of_totals(name)
    if policy.output.weights != "kept" and not any(rule.role == "weight" for rule in policy.columns.values()):
        raise PolicyError.only_for("output.weights", "a column of role = 'weight'", "none")
    if policy.output.household == "unlinked" and not any(rule.role == "household" for rule in policy.columns.values()):
        raise PolicyError.only_for("output.household", "a column of role = 'household'", "none")
    if policy.output.categories == "controlled":
        _check_categories(policy)
    if policy.method.forms_classes:
        if policy.output.ends and not policy.representation.releases_extents:
            raise PolicyError.no_ends(policy.representation.name)
        return
    options = {
        "output.permute": policy.output.permute,
        "output.ends": policy.output.ends,
        "output.representation": policy.representation.releases_extents,
    }
    for where in (where for where, is_set in options.items() if is_set):
        raise PolicyError.nothing_grouped(where)


def _check_categories(policy: Policy) -> None:
    """Controlled categories need groups that are released as centroids, and a column of categories."""
    kinds = [rule.kind for rule in policy.columns.values() if rule.role == "quasi_identifier"]
    if not policy.method.forms_classes:
        raise PolicyError.nothing_grouped("output.categories")
    if not policy.representation.releases_means:
        has = f"'{policy.representation.name}'"
        raise PolicyError.only_for("output.categories", "output.representation = 'centroids'", has)
    if not {"nominal", "ordinal"} & set(kinds):
        raise PolicyError.only_for("output.categories", "a quasi-identifier of kind nominal or ordinal", "none")


def _loses_values(policy: Policy, name: str) -> bool:
    """Whether the release has other values of a column than the original: intervals, nodes or means."""
    rule = policy.columns[name]
    if rule.role != "quasi_identifier" or name in policy.within or not policy.method.forms_classes:
        return False
    return policy.representation.releases_extents or rule.kind in ("numeric", "date")


def _check_distances(where: str, requirement: Requirement, rule: ColumnRule) -> None:
    """A distance by order needs a declared order (alphabetical order proves nothing), one by tree a taxonomy."""
    name = str(requirement.column)
    if requirement.reads == "order" and (rule.kind == "nominal" or (rule.kind == "ordinal" and not rule.order)):
        raise PolicyError.no_order(where, name, rule.kind)
    if requirement.reads == "tree" and rule.taxonomy is None:
        raise PolicyError.no_tree(where, name)


def _check_numbers(policy: Policy, where: str, requirement: Requirement) -> None:
    """What is added up must be numbers, and both tables of an anatomy would be needed for it."""
    if not reads_numbers(requirement.reads):
        return
    rule = policy.columns[str(requirement.column)]
    if rule.cell_kind != "numeric":
        raise PolicyError.no_amounts(where, str(requirement.column), rule.kind)
    if rule.role == "quasi_identifier" and policy.local_suppression:
        raise PolicyError.only_for(where, "a sensitive column where cells are blanked", "a quasi-identifier")
    if policy.representation.separates_sensitive:
        raise PolicyError.only_for(where, "representation = 'centroids' or 'extents'", "'anatomy'")


def _check_role(policy: Policy, where: str, name: str, *roles: Role) -> None:
    if name not in policy.columns:
        raise PolicyError.unlisted_in_policy(where, name, tuple(policy.columns))
    if policy.columns[name].role not in roles:
        raise PolicyError.wrong_role(where, name, "' or '".join(roles), policy.columns[name].role)


def _uses_levels(policy: Policy, name: str, rule: ColumnRule) -> bool:
    is_extent = policy.method.forms_classes and policy.representation.releases_extents and name not in policy.within
    return is_extent and rule.role == "quasi_identifier" and policy.method.uses_taxonomy(rule.kind)
