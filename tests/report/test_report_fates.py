"""The report says what is so: what became of columns, which map grouped, which gamma was taken, which loss is meant."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.blocking.som.batch import train_batch
from shoal.report import render_markdown
from shoal.report.outline import outline
from shoal.report.outline_nodes import Section
from shoal.report.text_nodes import Paragraph, Table, Tiles
from survey_example import write_csv

N = 120


def table(n: int = N) -> pa.Table:
    draw = random.Random(5)
    return pa.table(
        {
            "age": [draw.randint(18, 80) for _ in range(n)],
            "town": [draw.choice(["u", "v", "w"]) for _ in range(n)],
            "pay": [round(draw.uniform(1, 5000)) for _ in range(n)],
            "job": [draw.choice(["cook", "clerk", "nurse", "smith"]) for _ in range(n)],
            "home": [draw.choice(["N", "S"]) for _ in range(n)],
            "illness": [draw.choice(["flu", "gout"]) for _ in range(n)],
        }
    )


def policy(method: Any = "mdav", **more: Any) -> dict[str, Any]:
    return {
        "columns": {
            "age": {"role": "quasi_identifier", "kind": "numeric"},
            "town": {"role": "quasi_identifier"},
            "pay": {"role": "other", "kind": "numeric"},
            "job": {"role": "other"},
            "home": {"role": "other"},
            "illness": {"role": "sensitive"},
        },
        "requirements": [{"name": "k_anonymity", "k": 3}],
        "method": {"name": method} if isinstance(method, str) else method,
        "warn": {"unique": 1, "homogeneous": 1},
    } | more


def section(release: Any, name: str) -> Section:
    return next(s for s in outline(release.manifest, release.assessment).sections if s.name == name)


def prose(release: Any, name: str) -> str:
    texts = [part.text for part in section(release, name).parts if isinstance(part, Paragraph)]
    return " ".join(texts).replace("\u00a0", " ")


def fates(release: Any) -> dict[str, str]:
    """column -> what the report says of it"""
    columns = next(p for p in section(release, "released").parts if isinstance(p, Table) and p.head[0] == "Role")
    return {name: row[2].text for row in columns.rows for name in row[1].text.split(", ")}


PERTURBATIONS = [
    ({"name": "noise", "alpha": 0.3, "columns": ["pay"]}, "pay", "noise (alpha = 0.3, kind = independent"),
    ({"name": "rounding", "base": 50, "columns": ["pay"]}, "pay", "rounding (base = 50"),
    ({"name": "top_bottom_code", "top": 4000, "columns": ["pay"]}, "pay", "top and bottom coding (top = 4000"),
    ({"name": "rank_swap", "p": 7, "columns": ["pay"]}, "pay", "rank swap (p = 7, window = upward"),
    ({"name": "mic", "v": 1, "k": 4, "columns": ["pay"]}, "pay", "mic (v = 1, k = 4"),
    ({"name": "lossy_image", "quality": 60, "columns": ["pay"]}, "pay", "lossy image (quality = 60"),
    ({"name": "data_swap", "rate": 0.2, "columns": ["job"]}, "job", "data swap (rate = 0.2"),
    ({"name": "pram", "stay": 0.6, "columns": ["job"]}, "job", "PRAM (stay = 0.6, invariant = yes"),
    ({"name": "record_swap", "region": "home", "rate": 0.1}, "home", "record swap (region = home"),
    ({"name": "imputation", "how": "mode", "columns": ["job"]}, "job", "gaps filled by imputation (how = mode"),
]


@pytest.mark.gate(but=("noise", "rounding", "top_bottom_code"))
@pytest.mark.parametrize(("rule", "name", "words"), PERTURBATIONS, ids=[rule["name"] for rule, _, _ in PERTURBATIONS])
def test_what_was_perturbed_is_told_with_its_parameters(rule: dict[str, Any], name: str, words: str) -> None:
    told = fates(shoal.protect(table(), policy("mdav", perturbations=[rule])))
    assert words in told[name]
    assert not told[name].startswith("released unchanged")
    others = {"pay", "job", "home", "illness"} - {name}
    assert all(told[other] == "released unchanged" for other in others)


def test_one_perturbation_after_the_other_and_then_the_method() -> None:
    rules = [{"name": "noise", "alpha": 0.1}, {"name": "rounding", "base": 5, "columns": ["age"]}]
    people = table().drop_columns(["town"])
    rule = policy("mdav", perturbations=rules)
    del rule["columns"]["town"]
    told = fates(shoal.protect(people, rule))["age"]
    places = [told.index(word) for word in ("noise", "rounding", "that all records of a group share")]
    assert places == sorted(places)


def test_without_a_method_nothing_is_said_to_be_made_alike() -> None:
    rules = [{"name": "noise", "columns": ["age"]}]
    told = fates(shoal.protect(table(), policy("none", perturbations=rules, requirements=[])))
    assert "records of a group" not in told["age"]
    assert "noise" in told["age"]
    assert told["town"] == "released unchanged"
    blanked = fates(shoal.protect(table(), policy("none", local_suppression={})))
    assert blanked["age"] == "released unchanged, except for blanked cells"


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("kept", "released unchanged"),
        ("rounded", "rounded to two digits"),
        ("stratum", "the mean weight of the stratum"),
    ],
)
def test_new_weights_are_told_as_such(weights: str, words: str) -> None:
    rule = policy("mdav", output={"weights": weights})
    rule["columns"]["pay"]["role"] = "weight"
    assert words in fates(shoal.protect(table(), rule))["pay"]


def test_pseudonyms_are_told_as_such(tmp_path: Any) -> None:
    key = tmp_path / "secret.key"
    key.write_text("5" * 64)
    people = table().append_column("person", pa.array([f"P{at}" for at in range(N)]))
    people = people.append_column("card", pa.array([f"C{at}" for at in range(N)]))
    rules = policy()
    rules["columns"] |= {"person": {"role": "identifier", "pseudonym": str(key)}, "card": {"role": "identifier"}}
    release = shoal.protect(people, rules)
    told = fates(release)
    assert (told["person"], told["card"]) == ("replaced by a keyed pseudonym", "dropped")
    assert "person" in release.records.column_names
    assert "card" not in release.records.column_names


def matrix_of(release: Any) -> dict[str, dict[str, float]]:
    """value -> value it becomes -> chance, as the report shows it"""
    found = next(p for p in section(release, "pram").parts if isinstance(p, Table))
    return {
        row[0].text: {name: float(cell.text) for name, cell in zip(found.head[1:], row[1:], strict=True)}
        for row in found.rows
    }


@pytest.mark.parametrize("invariant", [True, False])
def test_the_matrix_of_pram_is_in_the_report(invariant: bool) -> None:
    rules = [{"name": "pram", "stay": 0.6, "invariant": invariant, "columns": ["job"]}]
    release = shoal.protect(table(), policy("mdav", perturbations=rules))
    shown = matrix_of(release)
    jobs = sorted(set(table()["job"].to_pylist()))
    assert list(shown) == jobs
    for row in shown.values():
        assert list(row) == jobs
        assert sum(row.values()) == pytest.approx(1, abs=0.003)
    if not invariant:
        assert all(shown[job][job] == pytest.approx(0.6) for job in jobs)
    counts = np.array([table()["job"].to_pylist().count(job) for job in jobs])
    chances = np.array([list(row.values()) for row in shown.values()])
    if invariant:
        assert counts @ chances == pytest.approx(counts, rel=0.01)
    assert "PRAM" in render_markdown(release.manifest, release.assessment)


def test_the_matrix_is_of_what_the_last_perturbation_left() -> None:
    swapped = [{"name": "pram", "stay": 0.0, "invariant": False, "columns": ["job"]}] * 2
    release = shoal.protect(table(), policy("mdav", perturbations=swapped))
    tables = [p for p in section(release, "pram").parts if isinstance(p, Table)]
    assert len(tables) == 2


def test_the_matrix_names_no_rare_value() -> None:
    people = table()
    jobs = ["CANARY", *people["job"].to_pylist()[1:]]
    people = people.set_column(people.column_names.index("job"), "job", pa.array(jobs))
    rules = [{"name": "pram", "stay": 0.6, "columns": ["job"]}]
    shown = matrix_of(shoal.protect(people, policy("mdav", perturbations=rules)))
    assert "CANARY" not in shown
    assert all(sum(row.values()) == pytest.approx(1, abs=0.003) for row in shown.values())
    assert all("rarer values" in row for row in shown.values())


def test_banner_tiles_and_text_agree_on_wildcards() -> None:
    rules = policy("none", local_suppression={"blanks": "wildcard"})
    release = shoal.protect(table(), rules)
    reached = release.manifest.k_reached
    assert reached >= 3
    (tiles,) = (part for part in section(release, "proof").parts if isinstance(part, Tiles))
    figures = {tile.label: tile.figure for tile in tiles.tiles}
    assert figures["k reached"] == str(reached)
    assert figures["Highest risk"] == f"{100 / reached:.4g} %"
    story = prose(release, "intruder")
    assert f"at least {reached} records" in story
    assert f"(1 in {reached})" in story
    assert "all alike" not in story
    assert release.findings["unique records"].estimate == 0
    assert release.findings["k reached"].goal == 3


def test_the_map_that_is_shown_is_the_one_that_grouped() -> None:
    noise = [{"name": "noise", "alpha": 2.0, "columns": ["age"]}]
    release = shoal.protect(table(), policy("micro_som", perturbations=noise))
    cells = release.assessment.map.map.labels
    groups = release.groups["group"].to_numpy()
    assert len(set(cells.tolist())) > 3
    assert all(len(set(groups[cells == cell].tolist())) == 1 for cell in set(cells.tolist()))
    assert "were grouped on a self-organizing map" in prose(release, "population")


def test_the_map_of_a_release_is_trained_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.blocking.som import train

    trained = []
    monkeypatch.setattr(train, "train_batch", lambda *given: trained.append(1) or train_batch(*given))
    noise = [{"name": "noise", "alpha": 2.0, "columns": ["age"]}]
    release = shoal.protect(table(), policy("micro_som", perturbations=noise, seed=11))
    assert release.assessment.map.grouped
    assert len(trained) == 1


@pytest.mark.parametrize(
    "more",
    [
        {"within": ["town"]},
        {"requirements": [{"name": "k_anonymity", "k": 3, "columns": [name]} for name in ("age", "town")]},
    ],
    ids=["strata", "key sets"],
)
def test_several_maps_are_told_and_none_is_said_to_have_grouped(more: dict[str, Any]) -> None:
    release = shoal.protect(table(), policy("micro_som", **more))
    told = prose(release, "population")
    assert "one map per block" in told
    assert "were grouped on a self-organizing map of" not in told


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ({"name": "vmdav", "gamma": 1.1}, "formed with gamma 1.1"),
        ({"name": "vmdav", "gamma": "auto"}, "groups were formed with "),
    ],
)
def test_vmdav_tells_its_gammas_and_the_diagnosis(method: dict[str, Any], words: str) -> None:
    release = shoal.protect(table(), policy(method))
    text = render_markdown(release.manifest, release.assessment)
    assert words in text.lower()
    assert re.search(r"records are (clustered|scattered)", text)
    assert "SSE / SST of groups that grow" in text


def test_the_gamma_that_is_told_is_the_one_taken_in_every_block() -> None:
    release = shoal.protect(table(), policy({"name": "vmdav", "gamma": "auto"}, within=["home"]))
    told = re.search(r"Groups were formed with (.*?)\.$", release.findings["SSE / SST of groups that grow"].meaning)[1]
    counted = {rule: int(n.replace(",", "")) for rule, n in re.findall(r"(MDAV|gamma [\d.]+) for ([\d,]+)", told)}
    counted = counted or {told: table().num_rows}
    groups = release.groups["group"].to_numpy()
    homes = np.array(table()["home"].to_pylist())
    assert sum(counted.values()) == len(homes)
    for rule, n in counted.items():
        method = "mdav" if rule == "MDAV" else {"name": "vmdav", "gamma": float(rule.split()[1])}
        fixed = shoal.protect(table(), policy(method, within=["home"])).groups["group"].to_numpy()
        same = [home for home in ("N", "S") if _alike(fixed[homes == home], groups[homes == home])]
        assert sum((homes == home).sum() for home in same) >= n  # several gammas may form the same groups


def _alike(one: Any, other: Any) -> bool:
    pairs = set(zip(one.tolist(), other.tolist(), strict=True))
    return len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def test_notes_name_columns() -> None:
    draw = np.random.default_rng(0)
    names = [f"quantity {letter}" for letter in "abcdefghijkl"]
    people = pa.table({name: draw.normal(size=600) * (at + 1) for at, name in enumerate(names)})
    columns = {name: {"role": "quasi_identifier", "kind": "numeric"} for name in names}
    rules = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]}
    release = shoal.protect(people, rules | {"blocking": {"method": "twod_tree", "limit": 100, "whole": False}})
    (note,) = (note for note in release.manifest.notes if "the tree halves" in note)
    assert "counted from 0" not in note
    assert re.search(r"halves quantity [a-l]", note)


def one_taxonomy(method: Any = "mdav", column: str = "town", **more: Any) -> tuple[str, ...]:
    rules = policy(method, **more)
    rules["columns"][column]["taxonomy"] = {"prefixes": [1]}
    return tuple(note for note in shoal.protect(table(), rules).manifest.notes if "taxonomy" in note)


DIVERSE = [{"name": "k_anonymity", "k": 3}]


@pytest.mark.gate(but=("case0-True", "case1-True", "case2-False"))
@pytest.mark.parametrize(
    ("case", "is_used"),
    [
        ({}, True),
        ({"method": "mondrian"}, True),
        ({"method": "none", "local_suppression": {}}, False),
        ({"column": "job"}, False),
        ({"column": "job", "perturbations": [{"name": "pram", "columns": ["job"], "level": 1}]}, True),
        ({"column": "job", "perturbations": [{"name": "pram", "columns": ["job"]}]}, False),
        ({"perturbations": [{"name": "noise", "columns": ["age"]}]}, True),
        ({"method": "none", "perturbations": [{"name": "noise", "columns": ["age"]}], "requirements": []}, False),
        (
            {
                "column": "illness",
                "requirements": [
                    *DIVERSE,
                    {"name": "t_closeness", "t": 1, "column": "illness", "distance": "hierarchical"},
                ],
            },
            True,
        ),
        (
            {
                "column": "illness",
                "requirements": [*DIVERSE, {"name": "t_closeness", "t": 1, "column": "illness", "distance": "equal"}],
            },
            False,
        ),
    ],
)
def test_a_taxonomy_is_said_to_be_unused_only_where_it_is(case: dict[str, Any], is_used: bool) -> None:
    assert bool(one_taxonomy(**case)) != is_used


def test_only_one_figure_is_called_information_loss() -> None:
    wide = policy({"name": "vmdav", "gamma": "auto"}, blocking={"method": "twod_tree", "limit": 40})
    release = shoal.protect(table(), wide)
    named = [f.name for f in release.findings if "information loss" in f.name]
    assert named == ["information loss", "information loss of age", "information loss of town"]
    assert "100 * sum of squared differences / sum of squares" in release.findings["information loss"].meaning
    beside = shoal.assess(table(), release.records, wide)
    assert [f.name for f in beside.findings if "information loss" in f.name] == named
    from shoal.report.assessment_outline import assessment_outline

    page = assessment_outline(beside, "x")
    tiles = [tile.label for s in page.sections for part in s.parts if isinstance(part, Tiles) for tile in part.tiles]
    assert "Information loss" not in tiles


@pytest.mark.gate
@pytest.mark.parametrize(
    "rules",
    [
        policy("mdav", perturbations=[{"name": "pram", "stay": 0.6, "columns": ["job"]}], within=["home"]),
        policy("none", local_suppression={"blanks": "wildcard"}),
        policy({"name": "vmdav", "gamma": "auto"}, within=["home"]),
        policy("micro_som", perturbations=[{"name": "noise", "alpha": 2.0, "columns": ["age"]}]),
    ],
    ids=["pram", "wildcards", "vmdav", "micro_som"],
)
def test_every_engine_tells_the_same(rules: dict[str, Any], tmp_path: Any) -> None:
    data = write_csv(table(), tmp_path / "data.csv")
    here, there = (
        shoal.protect(data, rules, output=tmp_path / f"{engine}.csv", engine=engine) for engine in ("memory", "duckdb")
    )
    named = ("proof", "pram", "intruder", "lost", "population")
    parts = [[s.parts for s in outline(r.manifest, r.assessment).sections if s.name in named] for r in (here, there)]
    assert parts[0] == parts[1]
