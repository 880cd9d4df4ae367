"""Prove a release in another process, as somebody who has the files and not the data would."""

import subprocess
import sys
from pathlib import Path

import pyarrow.csv

import shoal

POLICY = """
[[requirements]]
name = "k_anonymity"
k = 5

[columns.age]
role = "quasi_identifier"
kind = "numeric"

[columns.sex]
role = "quasi_identifier"

[columns.health_condition]
role = "sensitive"
"""

people = shoal.datasets.synthetic_census(1_000, seed=4).select(["age", "sex", "health_condition"])
pyarrow.csv.write_csv(people, "people.csv")
Path("policy.toml").write_text(POLICY, encoding="utf-8")
shoal.protect("people.csv", "policy.toml", output="release.csv")
Path("people.csv").unlink()  # whoever proves it does not need the original

command = [
    sys.executable,
    "-c",
    "from shoal.cli import main; main()",
    "verify",
    "release.csv",
    "--policy",
    "policy.toml",
]
proof = subprocess.run(command, capture_output=True, text=True, check=False)
print(proof.stdout, end="")
print("exit code", proof.returncode)

release = Path("release.csv").read_text(encoding="utf-8")
Path("release.csv").write_text(release + "101,female,none\n", encoding="utf-8")  # somebody adds a record
proof = subprocess.run(command, capture_output=True, text=True, check=False)
print(proof.stdout + proof.stderr, end="")
print("exit code", proof.returncode)
