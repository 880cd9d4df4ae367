"""Releases that several files of tests read."""

from pathlib import Path

import pytest

from without_linkage import without_linkage, without_second_lock
from yearly_releases import release_years

__all__ = ["without_linkage", "without_second_lock", "years"]


@pytest.fixture(scope="session")
def years(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """See ``release_years``; tests add files and leave these as they are."""
    folder = tmp_path_factory.mktemp("years")
    release_years(folder)
    return folder
