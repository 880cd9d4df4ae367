"""The room itself: everything it names is there, and it is cheap to enter."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shoal import datasets


def test_every_public_name_is_there() -> None:
    assert set(datasets.__all__) == set(dir(datasets))
    for name in datasets.__all__:
        assert getattr(datasets, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="attribute nonsense"):
        _ = datasets.nonsense


def test_importing_the_room_loads_nothing_heavy() -> None:
    code = "import sys, shoal.datasets; sys.exit('pyarrow.lib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
