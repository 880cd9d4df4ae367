"""A table and a policy whose release has a certificate, and what tests read from and change in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import shoal
from shoal.pipeline.files.release import Release
from shoal.pipeline.verify.check_on_release import ProofWithCertificate
from survey_example import Desk, write_csv, write_policy

TREE = "nurse;health;*\ndoctor;health;*\nbaker;food;*\ncook;food;*\n"
FLAT_TREE = "nurse;*\ndoctor;*\nbaker;*\ncook;*\n"


def table(n: int = 160, seed: int = 1) -> pa.Table:
    """Employees of few ages, jobs and towns."""
    chance = np.random.default_rng(seed)
    return pa.table(
        {
            "age": chance.integers(18, 23, n),
            "job": chance.choice(["nurse", "doctor", "baker", "cook"], n, p=[0.5, 0.3, 0.15, 0.05]),
            "town": chance.choice(["u", "v"], n),
            "region": chance.choice(["north", "south"], n, p=[0.6, 0.4]),
            "income": chance.choice(["low", "high"], n),
        }
    )


def rules(k: int = 4, **more: Any) -> dict[str, Any]:
    """A policy whose search proves its optimum."""
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "job": {"role": "quasi_identifier", "taxonomy": "jobs.csv"},
        "town": {"role": "quasi_identifier"},
        "region": {"role": "other"},
        "income": {"role": "sensitive"},
    }
    method = {"name": "gensearch", "nodes": 30000, **more.pop("method", {})}
    return {"columns": columns, "requirements": [{"name": "k_anonymity", "k": k}], "method": method} | more


def certificate_desk(folder: Path, **more: Any) -> Desk:
    """A folder with the table, its taxonomy and its policy."""
    desk = Desk(folder)
    (folder / "jobs.csv").write_text(TREE)
    write_csv(table(), desk.data)
    write_policy(rules(**more), desk.policy)
    return desk


def table_of_rare_jobs() -> pa.Table:
    """Employees of two jobs and, of two more, fewer than a class needs: a taxonomy of all four is cut into all."""
    chance = np.random.default_rng(1)
    job = np.repeat(["nurse", "doctor", "baker", "cook"], [80, 70, 3, 4])
    n = job.size
    is_usual = chance.random(n) < 0.9
    return pa.table(
        {
            "age": chance.integers(18, 21, n),
            "job": job,
            "town": chance.choice(["u", "v"], n),
            "region": np.where(np.arange(n) % 2, "north", "south"),
            "income": np.where((job == "nurse") == is_usual, "low", "high"),
        }
    )


def suppression_desk(folder: Path, share: float = 0.02, **more: Any) -> Desk:
    """A folder whose search suppresses a ``share`` of the records at most, those of rare jobs."""
    desk = Desk(folder)
    (folder / "jobs.csv").write_text(FLAT_TREE)
    write_csv(table_of_rare_jobs(), desk.data)
    method = {"suppression": share, **more.pop("method", {})}
    write_policy(rules(8, method=method, suppression={"limit": share}, **more), desk.policy)
    return desk


def protected(desk: Desk, **more: Any) -> tuple[Release, Path]:
    """The release, and the file of its certificates."""
    release = shoal.protect(desk.data, desk.policy, output=desk.release, **more)
    return release, desk.folder / "release.certificate.json"


def outcomes(proof: ProofWithCertificate) -> dict[str, bool | None]:
    """Whether each check of a certificate holds."""
    return {check.what: check.holds for check in proof.checks}


def changed(path: Path, **values: object) -> Path:
    """The same file, with other values of its first certificate."""
    content = json.loads(path.read_text())
    content["certificates"][0].update(values)
    path.write_text(json.dumps(content))
    return path
