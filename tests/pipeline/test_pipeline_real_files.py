"""Files as they come: padded cells, marks of thousands, unusual extensions; from file to proof and back."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from typer.testing import CliRunner

import shoal
from shoal.cli.commands import app
from shoal.errors import SourceError
from shoal.policy import load

RECORDS = [
    (20 + i % 7, "Private" if i % 3 else "?", 1000 * (i % 11) + i % 4, "yes" if i % 2 else "no") for i in range(60)
]
POLICY: dict[str, Any] = {
    "columns": {
        "column_1": {"role": "quasi_identifier", "kind": "numeric"},
        "column_2": {"role": "quasi_identifier", "kind": "nominal"},
        "column_3": {"role": "quasi_identifier", "kind": "numeric"},
        "column_4": {"role": "sensitive", "kind": "nominal"},
    },
    "requirements": [{"name": "k_anonymity", "k": 3}],
    "source": {"header": False, "missing": ["", "?"]},
}
PLAIN = "".join(",".join(map(str, record)) + "\n" for record in RECORDS)
PADDED = PLAIN.replace(",", ", ") + "\n"
GROUPED = "".join(f"{a};{b};{c:,};{d}\n".replace(",", ".") for a, b, c, d in RECORDS)
KEY = bytes(32)


def _policy(tmp_path: Path, **source: object) -> Path:
    path = tmp_path / f"policy{len(source)}.toml"
    content = {**POLICY, "source": {**POLICY["source"], **source}}
    path.write_text(tomlkit.dumps(content))
    return path


def _release(folder: Path, data: Path, policy: Path, engine: str = "memory") -> str:
    folder.mkdir()
    shoal.protect(data, policy, output=folder / "r.csv", key=KEY, engine=engine)
    return (folder / "r.csv").read_text()


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_blanks_change_nothing_of_a_release(tmp_path: Path, engine: str) -> None:
    """Blanks around cells are no part of them: the same bytes as without them, on both engines."""
    (tmp_path / "plain.csv").write_text(PLAIN)
    (tmp_path / "padded.data").write_text(PADDED)
    policy = _policy(tmp_path, trim=True)
    plain = _release(tmp_path / "a", tmp_path / "plain.csv", policy, "memory")
    padded = _release(tmp_path / "b", tmp_path / "padded.data", policy, engine)
    assert padded == plain
    assert " " not in padded
    assert shoal.verify(tmp_path / "b" / "r.csv", policy).holds
    shoal.replay(tmp_path / "b" / "r.manifest.json", key=KEY)  # an error where it differs


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_marks_of_thousands_change_nothing_of_a_release(tmp_path: Path, engine: str) -> None:
    (tmp_path / "plain.csv").write_text(PLAIN.replace(",", ";"))
    (tmp_path / "grouped.csv").write_text(GROUPED)
    policy = _policy(tmp_path, thousands=".")
    plain = _release(tmp_path / "a", tmp_path / "plain.csv", policy, "memory")
    grouped = _release(tmp_path / "b", tmp_path / "grouped.csv", policy, engine)
    assert grouped == plain
    assert shoal.verify(tmp_path / "b" / "r.csv", policy).holds


def test_a_release_with_blanks_is_not_trimmed_by_the_proof(tmp_path: Path) -> None:
    """Two spellings that differ by a blank are two values for whoever reads the release."""
    rows = [f"{age},{work},{income},yes\n" for age, work, income in [(1, "a", 5)] * 3 + [(1, " a", 5)] * 2]
    (tmp_path / "r.csv").write_text("column_1,column_2,column_3,column_4\n" + "".join(rows))
    proof = shoal.verify(tmp_path / "r.csv", _policy(tmp_path, trim=True))
    assert (proof.n_classes, proof.k_reached, proof.holds) == (2, 2, False)


@pytest.mark.parametrize("name", ["x.data", "x.txt", "x.dat", "x.data.gz"])
def test_texts_of_any_usual_extension_are_csv(tmp_path: Path, name: str) -> None:
    content = PLAIN.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert "column_1" in _release(tmp_path / "a", tmp_path / name, _policy(tmp_path))


@pytest.mark.gate
def test_an_unknown_extension_needs_its_format(tmp_path: Path) -> None:
    (tmp_path / "x.export").write_text(PLAIN)
    with pytest.raises(SourceError, match=r"--format csv, or declare format = 'csv' under \[source\]"):
        shoal.protect(tmp_path / "x.export", _policy(tmp_path), output=tmp_path / "r.csv", key=KEY)
    plain = _release(tmp_path / "a", tmp_path / "x.export", _policy(tmp_path, format="csv"))
    assert plain == _release(tmp_path / "b", tmp_path / "x.export", _policy(tmp_path, format="csv"), "duckdb")
    (tmp_path / "x.csv").write_text(PLAIN)
    assert plain == _release(tmp_path / "c", tmp_path / "x.csv", _policy(tmp_path)), "the format decides nothing else"


def test_the_format_given_to_the_shell_is_remembered_by_a_replay(tmp_path: Path) -> None:
    (tmp_path / "x.export").write_text(PLAIN)
    (tmp_path / "k.key").write_text(KEY.hex())
    policy, output = _policy(tmp_path), tmp_path / "r.csv"
    arguments = ["protect", str(tmp_path / "x.export"), "-p", str(policy), "-o", str(output)]
    assert "--format" in str(CliRunner().invoke(app, arguments).exception)
    done = CliRunner().invoke(app, [*arguments, "--format", "csv"])
    assert done.exit_code == 0, done.exception
    assert CliRunner().invoke(app, ["protect", "--replay", str(tmp_path / "r.manifest.json")]).exit_code == 0
    assert CliRunner().invoke(app, ["verify", str(output), "-p", str(policy)]).exit_code == 0
    wrong = CliRunner().invoke(app, [*arguments, "--format", "word"])
    assert "--format" in str(wrong.exception)


def test_init_of_an_unknown_extension_writes_the_format_into_the_policy(tmp_path: Path) -> None:
    (tmp_path / "x.export").write_text(PADDED)
    policy = tmp_path / "p.toml"
    done = CliRunner().invoke(
        app, ["init", str(tmp_path / "x.export"), "-o", str(policy), "--format", "csv", "--trim", "--no-header"]
    )
    assert done.exit_code == 0, done.exception
    written = load(policy)
    assert (written.source.format, written.source.trim) == ("csv", True)
    assert written.columns["column_1"].kind != "nominal"


def test_adult_as_it_is_shipped(tmp_path: Path, reference_data: Path) -> None:
    """No header, a blank after every comma, ? for missing, an empty last line."""
    shipped, lines = reference_data / "adult" / "adult.data", 3000
    head = "".join(shipped.read_text().splitlines(keepends=True)[:lines]) + "\n"
    (tmp_path / "adult.data").write_text(head)
    kinds = {1: "numeric", 3: "numeric", 5: "numeric", 11: "numeric", 12: "numeric", 13: "numeric"}
    roles = {1: "quasi_identifier", 2: "quasi_identifier", 10: "quasi_identifier", 15: "sensitive"}
    columns = {f"column_{i}": {"role": roles.get(i, "other"), "kind": kinds.get(i, "nominal")} for i in range(1, 16)}
    policy = {**POLICY, "columns": columns, "source": {"header": False, "trim": True, "missing": ["", "?"]}}
    release = shoal.protect(tmp_path / "adult.data", policy, output=tmp_path / "r.csv", key=KEY)
    assert release.manifest.counts["n_released"] == lines
    text = (tmp_path / "r.csv").read_text()
    assert " " not in text
    assert "?" not in text
    assert text.count(",Male,") + text.count(",Female,") == lines
