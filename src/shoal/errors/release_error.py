"""Errors of releases: manifests, certificates and requirements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed, rounded_away
from shoal.errors.failing_classes import FailingClasses


class ManifestError(ShoalError):
    """A manifest cannot be read, or its release cannot be reproduced."""

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the manifest cannot be read: {reason}.")

    @classmethod
    def not_a_manifest(cls, path: Path) -> Self:
        return cls(f"{path} is not a manifest of Shoal. 'shoal protect' writes one next to every release.")

    @classmethod
    def private_unreadable(cls, path: Path, reason: str) -> Self:
        return cls(
            f"{path}: the private manifest, which records the inputs of the release, cannot be read: {reason}. "
            "'shoal protect' writes it next to the manifest, and it stays with the owner of the release."
        )

    @classmethod
    def key_not_kept(cls, path: Path) -> Self:
        return cls(f"{path}: the key of this release was not stored in a file. Give the key itself: key=release.key.")

    @classmethod
    def describes_other_release(cls, path: Path) -> Self:
        return cls(f"{path} describes another release than the manifest next to it (SHA-256 differs).")

    @classmethod
    def not_from_files(cls, path: Path) -> Self:
        return cls(f"{path}: this release was not produced from a file and a policy file, so it cannot be replayed.")

    @classmethod
    def changed(cls, what: str, path: Path) -> Self:
        return cls(f"{path}: the {what} is not the one that the release was produced from (SHA-256 differs).")

    @classmethod
    def release_edited(cls, path: Path) -> Self:
        return cls(
            f"{path} is not the release that its manifest describes (SHA-256 differs). That release was reproduced "
            "bit by bit, so the file was changed later."
        )

    @classmethod
    def figures_differ(cls, path: Path, names: Sequence[str], other_versions: Sequence[str]) -> Self:
        cause = (
            f"Other versions are installed: {listed(other_versions)}. Install those of the manifest."
            if other_versions
            else "The manifest was changed later."
        )
        return cls(
            f"{path}: the release was reproduced bit by bit, but its manifest states other figures under "
            f"{listed(names)}. {cause}"
        )

    @classmethod
    def not_reproduced(cls, path: Path, other_versions: Sequence[str], *, is_there: bool | None) -> Self:
        """``is_there``: whether the file next to the manifest equals the reproduced release; None without a file."""
        same = "input and policy are the same but the release is not"
        file = {
            True: f" {path.name} next to it equals the reproduced release: the manifest describes another one.",
            False: f" {path.name} next to it differs from the reproduced release, too.",
            None: "",
        }[is_there]
        cause = (
            f"Other versions are installed: {listed(other_versions)}. Install those of the manifest."
            if other_versions
            else "The versions of the manifest are installed: either the machine differs or the manifest was changed."
        )
        return cls(f"{path}: {same} (SHA-256 differs).{file} {cause}")


class CertificateError(ShoalError):
    """A certificate cannot be read, does not belong to the policy, or its tree cannot be applied."""

    def in_file(self, path: Path, label: str = "") -> Self:
        """The same error about a certificate of a file. ``label``: which of several."""
        return type(self)(
            f"{path}: the certificate{label} {self}. Put back the file that was written with the release, or move it "
            "away: without it the search is repeated."
        )

    @classmethod
    def changed(cls, path: Path) -> Self:
        return cls("is not the one that was written with the release (SHA-256 differs)").in_file(path)

    @classmethod
    def other_release(cls, path: Path) -> Self:
        return cls("belongs to another release than the manifest (SHA-256 differs)").in_file(path)

    @classmethod
    def stratum_without(cls, path: Path) -> Self:
        return cls("of a stratum of the input is missing").in_file(path)

    @classmethod
    def stratum_unknown(cls, path: Path, n_certificates: int, n_plans: int) -> Self:
        return cls(f"file has {n_certificates} certificates, and the input needs {n_plans}").in_file(path)

    @classmethod
    def other_problem(cls, names: Sequence[str]) -> Self:
        return cls(f"was issued for another problem than that of policy and input ({listed(names)})")

    @classmethod
    def other_cuts(cls) -> Self:
        return cls("has a tree with other columns or cuts than policy and input allow")

    @classmethod
    def requirements_fail(cls) -> Self:
        return cls("has a tree with blocks that the policy does not allow: too few records, or another requirement")

    @classmethod
    def other_cost(cls) -> Self:
        return cls("states a cost that its tree does not have, or a bound that contradicts its cost")

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the certificate cannot be read: {reason}.")

    @classmethod
    def not_a_certificate(cls, path: Path) -> Self:
        return cls(
            f"{path} is not a certificate of Shoal, or was changed so that it cannot be read any more. "
            f"'shoal protect' writes one next to every release of the method gensearch."
        )

    @classmethod
    def other_method(cls, method: str) -> Self:
        return cls(
            f"the policy has the method {method}, which proves no optimum: there is no certificate to check. Leave out "
            f"--certificate, or give the policy of the release."
        )

    @classmethod
    def original_without_certificate(cls) -> Self:
        return cls(
            "the original is only used to check a certificate, and no certificate was given. Give both, or neither."
        )


def _or_suppress(share: float) -> str:
    """What helps besides, unless nothing would be left."""
    return f", or set suppression.limit = {rounded_away(share, up=True)} or more" if share < 1 else ""


class RequirementError(ShoalError):
    """A requirement of the policy does not hold, so nothing is released."""

    exit_code = 1

    @classmethod
    def unattainable(
        cls,
        name: str,
        column: str | None,
        measure: str,
        asked: float,
        nearest: str | None,
        *,
        is_larger: bool,
        unit: str | None = None,
    ) -> Self:
        """``unit``: the column of units, each of which counts once."""
        of = f" of '{column}'" if column else ""
        once = f", where each unit of '{unit}' counts once" if unit else ""
        what = f"{name}{of}: {measure} = {asked:g} cannot be met, not even with all records in one class{once}."
        if nearest is None:
            return cls(f"{what} No other {measure} can be met either. Remove the requirement, or use other records.")
        return cls(f"{what} Require {measure} = {nearest} or {'more' if is_larger else 'less'}, or use other records.")

    @classmethod
    def suppression_above_limit(cls, n_suppressed: int, n_records: int, limit: float, failing: FailingClasses) -> Self:
        share = n_suppressed / n_records
        return cls(
            f"{n_suppressed} of {n_records} records ({share:.2%}) are in groups that fail "
            f"{failing.names}{failing.rare_units}; suppression.limit allows {limit:.2%}. "
            f"Set suppression.limit = {rounded_away(share, up=True)} or more, {failing.remedies}."
        )

    @classmethod
    def nothing_left(cls, n_records: int, failing: FailingClasses) -> Self:
        remedies = failing.remedies[0].upper() + failing.remedies[1:]
        return cls(f"all {n_records} records are in groups that fail {failing.names}. {remedies}.")

    @classmethod
    def small_strata(cls, within: Sequence[str], n_strata: int, n_records: int, k: int, share: float) -> Self:
        return cls(
            f"within {listed(within)}: {n_strata} strata have fewer than {k} records, {n_records} in all, so that "
            f"they cannot form a group. Use fewer or coarser columns{_or_suppress(share)}."
        )

    @classmethod
    def failing_strata(
        cls, within: Sequence[str], n_strata: int, n_records: int, share: float, requirements: Sequence[str]
    ) -> Self:
        return cls(
            f"within {listed(within)}: {n_strata} strata, {n_records} records in all, fail "
            f"{listed(requirements) or 'a requirement'} even "
            f"as one group each. Use fewer or coarser columns, weaken the requirements{_or_suppress(share)}."
        )

    @classmethod
    def fail_together(cls, requirements: Sequence[str]) -> Self:
        return cls(
            f"several strata or sets of quasi-identifiers are searched one by one, and each search suppresses records. "
            f"Compared with the records that remain, further classes fail {listed(requirements)}. "
            f"Set method.suppression = 0."
        )

    @classmethod
    def blanks_insufficient(cls, columns: Sequence[str], requirements: Sequence[str]) -> Self:
        return cls(
            f"{listed(requirements)} does not hold even if all cells of {listed(columns)} are blank and the whole "
            f"table is one class: local suppression cannot satisfy it. Weaken the requirement."
        )

    @staticmethod
    def release_advice(measure: str, reached: float, sufficient: int | None) -> str:
        """What helps where a figure of the whole release is above its limit."""
        k = f"k = {sufficient}, which is always enough" if sufficient else "a larger k"
        met = f"{measure} = {rounded_away(reached, up=True)} can be met"
        return f"Require k_anonymity with {k}. With the same groups, {met}"

    @classmethod
    def gate_closed(cls, failures: Sequence[str]) -> Self:
        return cls("the gate is closed, nothing was released: " + "; ".join(failures) + ".")
