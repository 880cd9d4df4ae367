"""Where sanitized kernels are asked for, sanitized kernels are what is tested."""

import os
from pathlib import Path

import pytest


@pytest.mark.skipif("SHOAL_SANITIZED" not in os.environ, reason="only under make sanitize")
def test_the_kernels_are_the_sanitized_ones():
    from shoal.kernels import _compiled

    assert b"__asan_init" in Path(_compiled.__file__).read_bytes()
