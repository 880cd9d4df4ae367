"""The private folder of a run: nobody else can read it, and it is removed at the end."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from shoal.errors import EngineError
from shoal.operating_system import open_locked
from shoal.sources.disk_space import FULL
from shoal.sources.leftovers import remove_leftovers
from shoal.sources.private import create_private, create_private_folder
from shoal.sources.temp_files import new_temp_name, new_unlocked_name


class PrivateFolder:
    def __init__(self, path: Path, lock_handle: int) -> None:
        self.path = path
        self._lock: int | None = lock_handle
        self._n_files = 0

    @classmethod
    def create_in(cls, parent: Path) -> Self:
        """Creates a new one, and removes what dead runs left in the same place."""
        remove_leftovers(parent)
        # Locked before it gets a name under which other runs remove it.
        draft = create_private_folder(parent / new_unlocked_name())
        lock_handle = open_locked(draft)
        return cls(draft.rename(parent / new_temp_name()), lock_handle)

    def new_file(self, suffix: str) -> Path:
        """Creates an empty file that only its owner may read, as the folder."""
        return create_private(self.new_name(suffix))

    def new_name(self, suffix: str) -> Path:
        """Of a file or folder that does not exist yet."""
        self._n_files += 1
        return self.path / f"{self._n_files}{suffix}"

    @contextmanager
    def disk_errors(self) -> Iterator[None]:
        """Raises EngineError where the disk is full."""
        try:
            yield
        except OSError as error:
            if error.errno in FULL:
                raise EngineError.no_room(self.path.parent) from None
            raise

    def remove(self) -> None:
        if self._lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            os.close(self._lock)
            self._lock = None
