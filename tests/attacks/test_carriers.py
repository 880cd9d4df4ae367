"""Values of the original that no cell of a release shows, looked for in all the rest of its files."""

import pytest
import tomlkit

import shoal
from attacks import carriers, planted

SUFFIXES = list(planted.ORIGINALS)
POLICIES = {
    "centroids": {"method": {"name": "mdav"}},
    "extents": {"method": {"name": "mondrian"}},
    "anatomy": {"method": {"name": "mdav"}, "output": {"representation": "anatomy"}},
    "blanks": {"method": {"name": "none"}, "local_suppression": {}},
}


def _published(made, suffix, folder, policy, **how):
    public = folder / "public"
    public.mkdir()
    (folder / "policy.toml").write_text(tomlkit.dumps(policy), encoding="utf-8")
    output = public / f"release{suffix}"
    shoal.protect(made.path, folder / "policy.toml", output=output, report=public / "report.html", **how)
    return sorted(public.iterdir())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_careless_copy_tells_what_no_cell_shows(suffix, tmp_path):
    made = planted.original(suffix, tmp_path)
    copy = planted.careless_copy(made, tmp_path / f"copy{suffix}")
    assert carriers.rate(copy, made).succeeds(0.2)


@pytest.mark.parametrize("told", POLICIES)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_release_tells_nothing_besides_its_cells(suffix, told, tmp_path):
    made = planted.original(suffix, tmp_path)
    for path in _published(made, suffix, tmp_path, planted.policy(**POLICIES[told])):
        assert carriers.rate(path, made).n_right == 0, path.name
