"""Errors of releases: manifests, certificates and requirements."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from shoal.errors.base import ShoalError, listed


class ManifestError(ShoalError):
    """A manifest cannot be read, or its release cannot be reproduced."""

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the manifest cannot be read: {reason}.")

    @classmethod
    def no_manifest(cls, path: Path) -> Self:
        return cls(f"{path} is no manifest of Shoal. 'shoal protect' writes one beside every release.")

    @classmethod
    def no_private(cls, path: Path, reason: str) -> Self:
        return cls(
            f"{path}: the private file of the release, which says from what it was made, cannot be read: {reason}. "
            "It is written beside the manifest and stays with who made the release."
        )

    @classmethod
    def key_not_kept(cls, path: Path) -> Self:
        return cls(f"{path}: the key of this release was kept in no file. Give the key itself: key=release.key.")

    @classmethod
    def of_another(cls, path: Path) -> Self:
        return cls(f"{path} tells of another release than the manifest beside it (SHA-256 differs).")

    @classmethod
    def not_from_files(cls, path: Path) -> Self:
        return cls(f"{path}: this release was not made from a file and a policy file, so it cannot be replayed.")

    @classmethod
    def changed(cls, what: str, path: Path) -> Self:
        return cls(f"{path}: the {what} is not the one the manifest was made from (SHA-256 differs).")

    @classmethod
    def edited(cls, path: Path) -> Self:
        return cls(
            f"{path} is not the release that its manifest tells of (SHA-256 differs), which was made once more, bit by "
            "bit: the file was changed later."
        )

    @classmethod
    def not_repeated(cls, path: Path, other_versions: Sequence[str], *, is_there: bool | None) -> Self:
        """``is_there``: whether the file next to the manifest equals the reproduced release; None without a file."""
        same = "input and policy are the same but the release is not"
        beside = {
            True: f" {path.name} beside it is the release made once more, bit by bit: the manifest tells of another.",
            False: f" Nor is it {path.name} beside it.",
            None: "",
        }[is_there]
        told = (
            f"Other versions are installed: {listed(other_versions)}. Install those of the manifest."
            if other_versions
            else "The versions of the manifest are installed, so it is the machine, or the manifest was changed."
        )
        return cls(f"{path}: {same} (SHA-256 differs).{beside} {told}")


class CertificateError(ShoalError):
    """A certificate cannot be read, or does not belong to the policy."""

    @classmethod
    def unreadable(cls, path: Path, reason: str) -> Self:
        return cls(f"{path}: the certificate cannot be read: {reason}.")

    @classmethod
    def no_certificate(cls, path: Path) -> Self:
        return cls(
            f"{path} is no certificate of Shoal, or was changed so that it says nothing any more. "
            f"'shoal protect' writes one beside every release of the method gensearch."
        )

    @classmethod
    def other_method(cls, method: str) -> Self:
        return cls(
            f"the policy has the method {method}, which proves no optimum: there is no certificate to check. Leave "
            f"--certificate out, or give the policy that the release was made with."
        )

    @classmethod
    def nothing_to_recount(cls) -> Self:
        return cls("an original is only looked at with a certificate to check against it. Give both, or neither.")


class RequirementError(ShoalError):
    """A requirement of the policy does not hold, so nothing is released."""

    exit_code = 1

    @classmethod
    def suppression_above_limit(cls, n_suppressed: int, n_records: int, limit: float) -> Self:
        share = n_suppressed / n_records
        return cls(
            f"{n_suppressed} of {n_records} records ({share:.2%}) are in groups that fail a requirement; "
            f"suppression.limit allows {limit:.2%}. Raise the limit, raise k, or ask for less."
        )

    @classmethod
    def nothing_left(cls, n_records: int) -> Self:
        return cls(f"all {n_records} records are in groups that fail a requirement. Raise k, or ask for less.")

    @classmethod
    def small_strata(cls, within: Sequence[str], n_strata: int, n_records: int, k: int) -> Self:
        return cls(
            f"within {listed(within)}: {n_strata} strata have fewer than {k} records, {n_records} in all, and no group "
            "of their own. Take fewer or coarser columns, or allow more by suppression.limit."
        )

    @classmethod
    def failing_strata(cls, within: Sequence[str], n_strata: int, n_records: int) -> Self:
        return cls(
            f"within {listed(within)}: {n_strata} strata, {n_records} records in all, fail a requirement even as one "
            "group each. Take fewer or coarser columns, ask for less, or allow more by suppression.limit."
        )

    @classmethod
    def not_even_blank(cls, columns: Sequence[str]) -> Self:
        return cls(
            f"a requirement does not hold even if all cells of {listed(columns)} are blank, for the whole table as one "
            f"class: no local suppression can reach it. Ask for less."
        )

    @classmethod
    def gate_closed(cls, failures: Sequence[str]) -> Self:
        return cls("the gate is closed, nothing was released: " + "; ".join(failures) + ".")
