"""shoal.assessment is a function and a room."""

import inspect
import subprocess
import sys

import pytest

import shoal
from shoal import run

LINES = (
    "import shoal.linkage.link as L; assert L.linked; import shoal; assert callable(shoal.assessment)",
    "import shoal; assert callable(shoal.assessment); import shoal.linkage.link as L; assert L.linked",
    "from shoal.linkage.link import linked; from shoal import assess; assert callable(assess)",
    "import shoal.assessment; assert shoal.assessment.__name__ == 'shoal.assessment' and callable(shoal.assessment)",
)


@pytest.mark.slow
@pytest.mark.parametrize("lines", LINES)
def test_it_can_be_called_and_imported_from_in_any_order(lines):
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_it_says_how_it_is_called():
    assert inspect.signature(shoal.assessment) == inspect.signature(run.assess)


def test_the_room_gives_the_same_classes():
    from shoal.assessment import findings

    assert findings.Finding is shoal.Finding
