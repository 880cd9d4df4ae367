"""shoal.assess is a function; its package has another name, so that both can be imported in any order."""

import subprocess
import sys

import pytest

import shoal

LINES = (
    "import shoal.linkage.link_tables as L; assert L.link_tables; import shoal; assert callable(shoal.assess)",
    "import shoal; assert callable(shoal.assess); import shoal.assessment.assessment as A; assert A.Assessment",
    "from shoal.linkage.link_tables import link_tables; from shoal import assess; assert callable(assess)",
)


@pytest.mark.gate
@pytest.mark.parametrize("lines", LINES)
def test_it_can_be_called_and_imported_from_in_any_order(lines):
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_package_gives_the_same_classes():
    from shoal import findings

    assert findings.Finding is shoal.Finding
