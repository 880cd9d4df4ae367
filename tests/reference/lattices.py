"""Lattices for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from shoal.blocking.som.lattice import Lattice


@st.composite
def lattices(draw, longest=7):
    form = draw(st.sampled_from(["hexagonal", "rectangular"]))
    shape = draw(st.sampled_from(["sheet", "cylinder", "toroid"]))
    rows, columns = draw(st.integers(1, longest)), draw(st.integers(1, longest))
    if (form, shape) == ("hexagonal", "toroid"):
        rows += rows % 2
    return Lattice(rows, columns, form, shape)
