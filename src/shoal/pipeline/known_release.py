"""A release whose owner knows whose every record is: by its private manifest, or by a column of persons in it.

The private manifest names the original, policy and key that the release was made from. With them the release is
produced again, which shows the original record of every released one, and so the person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import EarlierReleaseError, LinkageError, ManifestError, ShoalError
from shoal.gate.person_records import PersonRecords
from shoal.kernels import Labels
from shoal.pipeline.files.file_names import private_path
from shoal.pipeline.record_pairing import RecordPairing
from shoal.pipeline.replay import with_manifest_options
from shoal.pipeline.verify.completeness import find_manifest
from shoal.pipeline.verify.earlier_proof import ReleasePersons, written_records
from shoal.policy import Policy, load
from shoal.release.private_manifest import PrivateManifest
from shoal.sources import read, sha256_of
from shoal.sources.table_parts import is_pattern


@dataclass(frozen=True)
class KnownRelease:
    """The file of a release, and where its persons are found."""

    path: Path
    person: str | None  # the column of persons in originals

    def records(self, class_columns: Sequence[str]) -> PersonRecords:
        """The records as they are written. ``class_columns``: the quasi-identifiers where no policy states them."""
        private = _private_manifest(self.path)
        if private is None or private.policy_path is None or private.input_path is None:
            return self._without_manifest(class_columns)
        self._check_there("policy", private.policy_path)
        policy = with_manifest_options(load(self.path.parent / private.policy_path), self.path)
        persons = self._persons(private, policy) if self.person else None
        return written_records(self.path, policy, persons, self.path.name)

    def _persons(self, private: PrivateManifest, policy: Policy) -> ReleasePersons:
        folder, name = self.path.parent, self.path.name
        self._check_files(private, policy)
        try:
            pair = RecordPairing.of(
                folder / str(private.input_path), self.path, policy, None, None, folder / str(private.key_path)
            )
        except LinkageError:
            raise EarlierReleaseError.other_groups(name, self._versions()) from None
        except ShoalError as reason:
            raise EarlierReleaseError.not_repeated(name, str(reason)) from None
        assert pair.truth is not None, "repeated"
        return persons_of_release(pair.original, str(self.person), pair.truth, f"the original of {name}")

    def _check_files(self, private: PrivateManifest, policy: Policy) -> None:
        """Raises an error unless original, policy and key are those that the private manifest names."""
        if private.key_path is None:
            raise EarlierReleaseError.no_key(self.path.name)
        self._check_there("key", private.key_path)
        self._check_there("original", str(private.input_path))
        if sha256_of(self.path.parent / str(private.input_path)) != private.input_sha256:
            raise EarlierReleaseError.changed_file(self.path.name, "original", str(private.input_path))
        if policy.digest() != private.policy_sha256:
            raise EarlierReleaseError.changed_file(self.path.name, "policy", str(private.policy_path))

    def _check_there(self, what: str, path: str) -> None:
        file = self.path.parent / path
        if not file.exists() and not is_pattern(file):
            raise EarlierReleaseError.missing_file(self.path.name, what, path)

    def _versions(self) -> tuple[str, ...]:
        """Packages that have another version than when the release was made; none where it has no manifest."""
        try:
            found = find_manifest(self.path)
        except ManifestError:
            return ()
        return found[1].other_versions() if found else ()

    def _without_manifest(self, class_columns: Sequence[str]) -> PersonRecords:
        """A release of another tool, or an internal copy that holds a column of persons."""
        table = read(self.path, kinds="infer").table
        names = tuple(name for name in class_columns if name in table.column_names and name != self.person)
        if not names:
            raise EarlierReleaseError.no_class_column(self.path.name)
        if self.person is None or self.person not in table.column_names:
            return PersonRecords(self.path.name, table, names, None)
        persons = person_texts(table, self.person, self.path.name)
        return PersonRecords(self.path.name, table.drop_columns(self.person), names, persons)


def _private_manifest(path: Path) -> PrivateManifest | None:
    for private in (private_path(path), path.with_name("private.json")):
        if private.is_file():
            return _read(private, path.name)
    return None


def _read(private: Path, release: str) -> PrivateManifest:
    try:
        return PrivateManifest.read(private)
    except ManifestError:
        raise EarlierReleaseError.unreadable_manifest(release, private.name) from None


def persons_of_release(original: pa.Table, person: str, truth: Labels, where: str) -> ReleasePersons:
    """The persons of a release. ``truth``: the released record of each original one, -1 where there is none."""
    persons = person_texts(original, person, where)
    released = np.flatnonzero(truth >= 0)
    in_order = persons.take(released[np.argsort(truth[released], kind="stable")])
    return ReleasePersons(in_order, persons.filter(pa.array(truth < 0)))


def person_texts(table: pa.Table, person: str, where: str) -> pa.Array[Any]:
    """(n_records,) the column of persons as text; an error where a record has none or shares it with another one."""
    if person not in table.column_names:
        raise EarlierReleaseError.unknown_person_column(person, where)
    cells: Any = table[person].combine_chunks()
    if pa.types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    if pa.types.is_floating(cells.type) and pc.all(pc.equal(pc.floor(cells), cells)).as_py():
        cells = cells.cast(pa.int64())
    texts: pa.Array[Any] = cells.cast(pa.string())
    n_fit = len(texts.drop_null().unique())
    if n_fit < len(texts):
        raise EarlierReleaseError.unfit_person_column(person, where, len(texts) - n_fit)
    return texts
