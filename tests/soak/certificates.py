"""Certificates: changed in any way, none passes that claims what is not so."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal.errors import ShoalError
from soak.mutations import at, damaged, disturbed, places
from survey_example import Desk, write_csv, write_policy

TREE = "nurse;health;*\ndoctor;health;*\nbaker;food;*\ncook;food;*\n"


@cache
def proven(within: bool) -> tuple[Desk, dict[str, Any]]:
    """A release whose optimum is proved, and its certificate."""
    desk = Desk(Path(mkdtemp(prefix="soak-")))
    chance = np.random.default_rng(3)
    table = pa.table(
        {
            "age": chance.integers(18, 22, 60),
            "job": chance.choice(["nurse", "doctor", "baker", "cook"], 60),
            "region": chance.choice(["north", "south"], 60),
        }
    )
    columns = {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "job": {"role": "quasi_identifier", "taxonomy": "jobs.csv"},
        "region": {"role": "other"},
    }
    rules: dict[str, Any] = {
        "columns": columns,
        "requirements": [{"name": "k_anonymity", "k": 4}],
        "method": {"name": "gensearch", "nodes": 30000},
        "within": ["region"] if within else [],
    }
    (desk.folder / "jobs.csv").write_text(TREE)
    write_csv(table, desk.data)
    write_policy(rules, desk.policy)
    shoal.protect(desk.data, desk.policy, output=desk.release)
    return desk, json.loads((desk.folder / "release.certificate.json").read_text(encoding="utf-8"))


@st.composite
def changed(draw: st.DrawFn, true: dict[str, Any]) -> bytes:
    kind = draw(st.sampled_from(["tree", "number", "bytes"]))
    if kind == "bytes":
        return draw(damaged(json.dumps(true).encode()))
    if kind == "tree":
        return json.dumps(draw(disturbed(true))).encode()
    content = json.loads(json.dumps(true))
    numbers = [path for path in places(content) if type(at(content, path)) in (int, float, bool)]
    *above, key = draw(st.sampled_from(numbers))
    room = at(content, tuple(above))
    room[key] = not room[key] if isinstance(room[key], bool) else room[key] + draw(st.sampled_from([-1, 1, -0.5, 100]))
    return json.dumps(content).encode()


def claims(content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What is claimed of every stratum."""
    return {json.dumps(one["stratum"], sort_keys=True): one for one in content["certificates"]}


@given(st.data())
def fuzz(data: st.DataObject) -> None:
    desk, true = proven(data.draw(st.booleans()))
    content = data.draw(changed(true))
    path = desk.folder / "changed.json"
    path.write_bytes(content)
    try:
        proof = shoal.verify(desk.release, desk.policy, certificate=path, original=desk.data)
    except ShoalError:
        return
    if not proof.holds:
        return
    told, right = claims(json.loads(content)), claims(true)
    assert told.keys() == right.keys()
    for stratum, claim in told.items():
        is_so = right[stratum]
        assert claim["cost"] == is_so["cost"]
        assert claim["lower_bound"] <= is_so["cost"]
        assert not claim["is_optimal"] or claim["lower_bound"] >= is_so["cost"]
        for name in ("columns", "n_records", "splits", "loss", "requirements", "target", "empty_blocks"):
            assert claim[name] == is_so[name], name
