"""shoal.assess is a function and a room."""

import inspect
import subprocess
import sys

import pytest

import shoal
from shoal import run

LINES = (
    "import shoal.assess.link as L; assert L.linked; import shoal; assert callable(shoal.assess)",
    "import shoal; assert callable(shoal.assess); import shoal.assess.link as L; assert L.linked",
    "from shoal.assess.link import linked; from shoal import assess; assert callable(assess)",
    "import shoal.assess; assert shoal.assess.__name__ == 'shoal.assess' and callable(shoal.assess)",
)


@pytest.mark.slow
@pytest.mark.parametrize("lines", LINES)
def test_it_can_be_called_and_imported_from_in_any_order(lines):
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_says_how_it_is_called():
    assert inspect.signature(shoal.assess) == inspect.signature(run.assess)


def test_the_room_gives_the_same_classes():
    from shoal.assess import findings

    assert findings.Finding is shoal.Finding
