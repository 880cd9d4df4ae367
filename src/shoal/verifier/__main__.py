"""python -m shoal.verifier policy.toml release.csv: 0 where all is proved, 1 where not, 2 where it cannot be read."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from shoal.verifier.proof import Proof
from shoal.verifier.refused import RefusedError
from shoal.verifier.stated import Manifest
from shoal.verifier.verify import OWN_RULE, verify


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m shoal.verifier", description=__doc__)
    parser.add_argument("policy", type=Path, help="the policy.toml that the release must satisfy")
    parser.add_argument("release", type=Path, help="the written file, or a folder of Parquet files")
    parser.add_argument("--second", type=Path, help="the table of sensitive values of an anatomy")
    parser.add_argument("--manifest", type=Path, help="the manifest; by default that beside the release")
    parser.add_argument("--memory", help="memory limit, such as 2GB")
    parser.add_argument("--without-own-rules", action="store_true", help="do without rules that you wrote")
    parser.add_argument("--sql", action="store_true", help="print the queries, too")
    parser.add_argument("--json", action="store_true", help="print the proof as JSON")
    asked = parser.parse_args(arguments)
    queries: list[str] = []
    try:
        policy = asked.policy.read_text(encoding="utf-8")
        manifest = Manifest.read(asked.manifest) if asked.manifest else Manifest.beside(asked.release)
        proof = verify(
            policy,
            asked.release,
            folder=asked.policy.parent,
            second=asked.second,
            manifest=manifest,
            memory=asked.memory,
            queries=queries,
        )
    except (RefusedError, OSError, UnicodeDecodeError) as reason:
        sys.stderr.write(f"Refused: {reason}\n")
        return 2
    said = [json.dumps(proof.to_dict(), indent=1)] if asked.json else proof.lines()
    sys.stdout.write("".join(f"{line}\n" for line in [*(f"{query};" for query in queries if asked.sql), *said]))
    return 0 if _is_enough(proof, without_own_rules=asked.without_own_rules) else 1


def _is_enough(proof: Proof, *, without_own_rules: bool) -> bool:
    left = [each for each in proof.unproved if not (without_own_rules and each.endswith(OWN_RULE))]
    return proof.holds and not left


if __name__ == "__main__":
    sys.exit(main())
