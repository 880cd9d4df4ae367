"""Values of the original that no cell of a release shows, looked for in all the rest of its files."""

import csv

import numpy as np
import pyarrow as pa
import pytest
import tomlkit

import shoal
from attacks import carriers, planted
from file_examples import COMPRESSED_CSV, ONE_OF_EACH_FORMAT

SUFFIXES = list(planted.ORIGINALS)
OTHER_FORMATS = [*ONE_OF_EACH_FORMAT, ".tsv", *COMPRESSED_CSV]
POLICIES = {
    "centroids": {"method": {"name": "mdav"}},
    "extents": {"method": {"name": "mondrian"}},
    "anatomy": {"method": {"name": "mdav"}, "output": {"representation": "anatomy"}},
    "blanks": {"method": {"name": "none"}, "local_suppression": {}, "suppression": {"limit": 0.1}},
}
N_RARE = 600


def _published(path, suffix, folder, policy, **how):
    public = folder / "public"
    public.mkdir()
    (folder / "policy.toml").write_text(tomlkit.dumps(policy), encoding="utf-8")
    output = public / f"release{suffix}"
    shoal.protect(path, folder / "policy.toml", output=output, report=public / "report.html", **how)
    return sorted(public.iterdir())


@pytest.mark.gate(but=(".csv.gz", ".sav", ".zsav"))
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_careless_copy_tells_what_no_cell_shows(suffix, tmp_path):
    made = planted.original(suffix, tmp_path)
    copy = planted.careless_copy(made, tmp_path / f"copy{suffix}")
    assert carriers.rate(copy, made).succeeds(0.2)


# Every format with means, and every representation in a format of each kind; the others take long.
FEW = (".sav", ".parquet")
CASES = [
    pytest.param(suffix, told, marks=[pytest.mark.long] * (told != "centroids" and suffix not in FEW))
    for suffix in SUFFIXES
    for told in POLICIES
]


@pytest.mark.gate(but=".sav-anatomy")
@pytest.mark.parametrize(("suffix", "told"), CASES)
def test_a_release_tells_nothing_besides_its_cells(suffix, told, tmp_path):
    made = planted.original(suffix, tmp_path)
    for path in _published(made.path, suffix, tmp_path, planted.policy(**POLICIES[told])):
        assert carriers.rate(path, made).fails(0), path.name


@pytest.mark.gate(but=".parquet")
@pytest.mark.parametrize("suffix", [".parquet", ".csv.gz"])
def test_nor_does_one_that_was_made_piece_by_piece(suffix, tmp_path):
    made = planted.original(suffix, tmp_path)
    for path in _published(made.path, suffix, tmp_path, planted.policy(**POLICIES["centroids"]), engine="duckdb"):
        assert carriers.rate(path, made).fails(0), path.name


@pytest.mark.gate(but=".arrow")
@pytest.mark.parametrize("suffix", OTHER_FORMATS)
def test_nor_does_one_in_another_format(suffix, tmp_path):
    made = planted.original(".sav", tmp_path)
    for path in _published(made.path, suffix, tmp_path, planted.policy(**POLICIES["centroids"])):
        assert carriers.rate(path, made).fails(0), path.name


def _with_rare_values(path):
    """Every record has a name, a town or a job of its own; numbers that nobody else has are among them, too."""
    draw, at = np.random.default_rng(3), np.arange(3 * N_RARE)
    rare = {f"Zqtown{i:04}q": i for i in range(N_RARE)}
    table = pa.table(
        {
            "person": [f"Zqname{i:04}q" for i in at],
            "town": [*rare, *(f"Town {i % 5}" for i in at[N_RARE:])],
            "age": draw.integers(18, 90, at.size),
            "income": np.where(at % 3 == 0, 7_310_000_000 + 977 * at, draw.integers(100, 9000, at.size)),
            "disease": draw.choice(["flu", "cold", "cough", "none"], at.size),
        }
    )
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(table.column_names)
        writer.writerows(zip(*table.to_pydict().values(), strict=True))
    return [*table["person"].to_pylist(), *rare, *(str(n) for n in table["income"].to_pylist() if n > 9000)]


@pytest.mark.gate(but="centroids")
@pytest.mark.parametrize("told", POLICIES)
def test_report_and_manifest_name_no_value_that_the_release_lacks(told, tmp_path):
    secrets = _with_rare_values(tmp_path / "original.csv")
    columns = {name: dict(rule) for name, rule in planted.COLUMNS.items() if name != "household"}
    columns["income"]["role"] = "quasi_identifier"
    policy = planted.policy(**POLICIES[told], columns=columns)
    cells, page, manifest = "", "", ""
    for path in _published(tmp_path / "original.csv", ".csv", tmp_path, policy):
        text = path.read_text(encoding="utf-8")
        cells += text if path.suffix == ".csv" else ""
        page += text if path.suffix == ".html" else ""
        manifest += text if path.suffix == ".json" else ""
    lacking = [secret for secret in secrets if secret not in cells]
    assert len(lacking) >= 500
    assert [secret for secret in lacking if secret in page.replace(",", "") or secret in manifest] == []
