"""Errors of earlier releases: files, persons and columns that do not belong together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shoal.errors.base import ShoalError, listed

LEARNED = "whose its records are is learned by producing it again, from the files that its private manifest names"


def _copy_of(earlier: str) -> str:
    """What can be done without these files."""
    return (
        f"Or give instead a copy of {earlier} to which somebody who knows whose the records are has added the column "
        "of persons; it needs no other file, and must not be handed out."
    )


class EarlierReleaseError(ShoalError, ValueError):
    """Releases of the same persons cannot be compared as requested. Messages show counts and names, never values."""

    @classmethod
    def not_stable(cls, column: str, release: str, shared: Sequence[str]) -> Self:
        columns = f"It can be: {listed(shared)}." if shared else "The releases share no such column."
        return cls(
            f"stable: {release} does not show '{column}' as a column that makes no class, so records of two releases "
            f"cannot be recognized by it. {columns}"
        )

    @classmethod
    def not_shown(cls, column: str, release: str) -> Self:
        return cls(
            f"m_invariance of '{column}': {release} does not show this column, so that its values cannot be compared. "
            "Require m_invariance of a column that all releases show."
        )

    @classmethod
    def no_common_person(cls, earlier: str, new: str) -> Self:
        return cls(
            f"the originals of {earlier} and of {new} have no person in common. Give an earlier release of the same "
            "persons, and a column that has the same value for a person in both originals: --person."
        )

    @classmethod
    def no_common_record(cls, earlier: str, new: str) -> Self:
        return cls(
            f"nobody has a record in {earlier} and in {new}. Either these are releases of other persons, or the column "
            "of persons has other values in one of the originals (--person), or everybody whom both originals have is "
            f"suppressed in one of the releases: then there is nothing to compare, so leave {earlier} out."
        )

    @classmethod
    def is_original(cls, earlier: str) -> Self:
        return cls(
            f"{earlier} is the original of this release. Give files that were published earlier, each with its private "
            "manifest next to it."
        )

    @classmethod
    def no_class_column(cls, earlier: str) -> Self:
        return cls(
            f"{earlier} shows no quasi-identifier of this release: it is a release of another table. Give an earlier "
            "release of the same persons, whose columns have the same names."
        )

    @classmethod
    def of_anatomy(cls, release: str) -> Self:
        return cls(
            f"{release} is an anatomy, whose quasi-identifiers are released as they are. Earlier releases are compared "
            "by classes only: give releases with centroids or extents."
        )

    @classmethod
    def no_person_column(cls, given: Sequence[str]) -> Self:
        known = f"The policy has several identifiers: {listed(given)}." if given else "The policy has no identifier."
        return cls(
            f"which records of two releases are of one person is not known. {known} Name the column of the originals "
            'that identifies a person: --person COLUMN, or person = "COLUMN" under [earlier].'
        )

    @classmethod
    def unknown_person_column(cls, column: str, where: str) -> Self:
        return cls(
            f"person: {where} has no column '{column}'. Name a column that identifies a person in the originals of all "
            "releases."
        )

    @classmethod
    def unfit_person_column(cls, column: str, where: str, n: int) -> Self:
        return cls(
            f"person '{column}': {n:,} records of {where} have no value or that of another record. Earlier releases "
            "are compared for one record of every person."
        )

    @classmethod
    def not_repeated(cls, earlier: str, reason: str) -> Self:
        return cls(f"{earlier}: {LEARNED}, and this failed: {reason} {_copy_of(earlier)}")

    @classmethod
    def missing_file(cls, earlier: str, what: str, path: str) -> Self:
        return cls(
            f"{earlier}: {LEARNED}, and the {what} that it names, {path}, is not there. Put it back, next to the "
            f"release as it was. {_copy_of(earlier)}"
        )

    @classmethod
    def changed_file(cls, earlier: str, what: str, path: str) -> Self:
        return cls(
            f"{earlier}: {LEARNED}, and the {what} that it names, {path}, has changed since. Put the {what} of that "
            f"time there; work on a copy of another name. {_copy_of(earlier)}"
        )

    @classmethod
    def no_key(cls, earlier: str) -> Self:
        return cls(
            f"{earlier}: {LEARNED}, and its key was not stored. Whoever has the key writes it to a file and enters "
            f"this under key_path in the private manifest. {_copy_of(earlier)}"
        )

    @classmethod
    def other_groups(cls, earlier: str, versions: Sequence[str]) -> Self:
        since = (
            f" Other versions since: {'; '.join(versions)}." if versions else " Either it was edited since, or the key."
        )
        remedy = "Use the versions that made it for both releases." if versions else "Restore them."
        return cls(
            f"{earlier}: {LEARNED}; original and policy are those that it names, but another release came out of "
            f"them.{since} {remedy} {_copy_of(earlier)}"
        )

    @classmethod
    def unreadable_manifest(cls, earlier: str, manifest: str) -> Self:
        return cls(
            f"{earlier}: {manifest} is not a private manifest as this version of Shoal writes it, so it is not known "
            f"whose the records are. Restore the file, or use the version of Shoal that wrote it for both releases. "
            f"{_copy_of(earlier)}"
        )

    @classmethod
    def no_private_manifest(cls, earlier: str) -> Self:
        return cls(
            f"{earlier}: its private manifest is not next to it, and it has no column of persons, so it is not known "
            "whose its records are. Put both into one folder, with the original, policy and key that it names. "
            f"{_copy_of(earlier)}"
        )

    @classmethod
    def no_release(cls) -> Self:
        return cls("earlier.releases names no file. Name at least one earlier release, or remove [earlier].")

    @classmethod
    def unfit_policy(cls, what: str, remedy: str) -> Self:
        return cls(
            f"earlier: groups of earlier releases cannot be kept with {what}. {remedy} Or protect the table without "
            "earlier releases, and measure what they reveal together: shoal assess --earlier."
        )
