"""Global recoding by hand in the pipeline: before everything else, on every engine, in every format, and proved."""

from collections import Counter
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyreadstat
import pytest

import shoal
from file_examples import ONE_OF_EACH_FORMAT
from reference import recoding as twin
from shoal.errors import PolicyError, RequirementError
from shoal.pipeline.files.targets import Targets
from shoal.pipeline.protect.protect import protect_by
from shoal.policy import load
from shoal.sources import read
from survey_example import as_parquet, carrier, in_order, read_cells, write_csv, write_policy

KEY = bytes(range(32))
KEYS = ("born", "zip", "age", "job")


def table(n=400):
    rng = np.random.default_rng(16)
    born = [date(1940, 1, 1) + timedelta(int(days)) for days in rng.integers(0, 20_000, n)]
    return pa.table(
        {
            "born": pa.array([None if at % 50 == 7 else day for at, day in enumerate(born)], pa.date32()),
            "zip": rng.choice(["04712", "04711", "0471", "99084", "01067"], n),
            "age": pa.array(
                [None if at % 40 == 3 else int(x) for at, x in enumerate(rng.integers(0, 95, n))], pa.int64()
            ),
            "job": rng.choice(["nurse", "clerk", "lawyer", "smith"], n),
            "icd": rng.choice(["I21", "I21.4", "J45.0", "J45"], n),
            "income": rng.integers(0, 9000, n),
            "admitted": [date(2023, 1, 1) + timedelta(int(days)) for days in rng.integers(0, 365, n)],
        }
    )


def policy(k=3, **more):
    made = {
        "requirements": [{"name": "k_anonymity", "k": k}],
        "method": {"name": "none"},
        "local_suppression": {},
        "columns": {
            "born": {"role": "quasi_identifier", "kind": "date", "recode": {"date_part": "year"}},
            "zip": {"role": "quasi_identifier", "recode": {"prefix": 2}},
            "age": {"role": "quasi_identifier", "kind": "numeric", "recode": {"intervals": [18, 40, 65]}},
            "job": {"role": "quasi_identifier", "recode": {"merge": {"other": ["lawyer", "smith"]}}, "reason": "few"},
            "icd": {"role": "sensitive", "recode": {"prefix": 3}},
            "income": {"role": "other", "kind": "numeric", "recode": {"top": 5000, "bottom": 100}},
            "admitted": {"role": "other", "kind": "date", "recode": {"date_part": "month"}},
        },
    }
    return in_order(made | more)


def expected(original):
    """The recoded columns, value by value."""
    ways = {
        "born": lambda x: twin.part(x, "year"),
        "zip": lambda x: twin.prefix(x, 2),
        "age": lambda x: twin.interval(x, [18, 40, 65]),
        "job": lambda x: "other" if x in ("lawyer", "smith") else x,
        "icd": lambda x: twin.prefix(x, 3),
        "income": lambda x: min(max(x, 100), 5000),
        "admitted": lambda x: twin.part(x, "month"),
    }
    return {name: [None if x is None else way(x) for x in original[name].to_pylist()] for name, way in ways.items()}


def test_every_released_cell_is_the_recoded_one_or_blank():
    released = shoal.protect(table(), policy()).records
    for name, cells in expected(table()).items():
        pairs = list(zip(cells, released[name].to_pylist(), strict=True))
        assert all(after in (before, None) for before, after in pairs)
        assert name in KEYS or all(before == after for before, after in pairs)
    classes = Counter(zip(*(released[name].to_pylist() for name in KEYS), strict=True))
    assert min(classes.values()) >= 3


@pytest.mark.gate
@pytest.mark.parametrize("method", ["none", "mdav", "mondrian", "global_recoding"])
def test_both_engines_release_the_same_bytes(tmp_path, method):
    source, loaded = write_csv(table(), tmp_path / "in.csv"), load(policy(method={"name": method}))
    for name in ("memory", "duckdb"):
        with carrier(name, tmp_path) as engine:
            targets = Targets.of(tmp_path / f"{name}.csv", None, None)
            protect_by(engine, source, loaded, targets, KEY, force=False)
    assert (tmp_path / "memory.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()
    for name in ("memory", "duckdb"):
        assert shoal.verify(tmp_path / "memory.csv", loaded, engine=name).holds


@pytest.mark.gate(but=(".csv", ".parquet"))
@pytest.mark.parametrize("extension", ONE_OF_EACH_FORMAT)
def test_every_format_holds_the_same_values_and_is_proved(tmp_path, extension):
    source, out = as_parquet(table(), tmp_path / "in.parquet"), tmp_path / f"release{extension}"
    shoal.protect(source, policy(), output=out, key=KEY)
    assert shoal.verify(out, policy()).holds
    inside = shoal.protect(source, policy(), key=KEY).records
    written = read(out, kinds=dict.fromkeys(inside.column_names, "text")).table
    for name in inside.column_names:
        texts = [None if x is None else str(x) for x in inside[name].to_pylist()]
        cells = [
            None if x in (None, "") else str(int(x) if isinstance(x, float) else x) for x in written[name].to_pylist()
        ]
        assert cells == texts


@pytest.mark.gate(but=("more0", "more1", "more2"))
@pytest.mark.parametrize(
    "more",
    [
        {"method": {"name": "mdav"}},
        {"method": {"name": "mdav"}, "output": {"representation": "extents", "shuffle": False}},
        {
            "method": {"name": "mdav"},
            "output": {"representation": "anatomy", "shuffle": False},
            "local_suppression": None,
        },
        {"method": {"name": "mondrian"}, "local_suppression": None},
        {"method": {"name": "gensearch", "nodes": 200}, "local_suppression": None},
        {"method": {"name": "global_recoding"}, "local_suppression": None, "suppression": {"limit": 0.05}},
        {"method": {"name": "none"}, "perturbations": [{"name": "pram", "columns": ["job"], "stay": 0.9}]},
        {"method": {"name": "none"}, "perturbations": [{"name": "rank_swap", "p": 5, "columns": ["born"]}]},
        {"method": {"name": "mdav"}, "within": ["job"]},
    ],
)
def test_any_method_follows_and_the_gate_proves_it(tmp_path, more):
    made = policy(**more)
    out = tmp_path / "release.csv"
    release = shoal.protect(table(), made, output=out)
    assert shoal.verify(out, made).holds
    assert all(0 < loss <= 100 for name, loss in release.assessment.losses.items())


def cheat(path, name, cell, at=0):
    """The release with one cell replaced; classes are made alike by replacing the value in all its records."""
    rows = read_cells(path)
    old = rows[at][name]
    lines = [{key: cell if key == name and value == old else value for key, value in row.items()} for row in rows]
    arrow_csv.write_csv(pa.table({key: [row[key] for row in lines] for key in rows[0]}), path)


@pytest.mark.gate(but=("born-1950-02-03", "born-19500203", "zip-0471*", "age-[18, 40]", "zip-04**"))
@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("born", "1950-02-03"),
        ("born", "19500203"),
        ("zip", "0471*"),
        ("zip", "04**"),
        ("age", "33"),
        ("age", "[18, 30)"),
        ("age", "[18, 40]"),
        ("job", "lawyer"),
        ("icd", "I21.4"),
        ("icd", "J45.*"),
        ("income", "9999"),
        ("admitted", "2023-05-17"),
        ("admitted", "2023-13"),
    ],
)
def test_a_value_finer_than_declared_closes_the_gate(tmp_path, name, cell):
    out = tmp_path / "release.csv"
    shoal.protect(table(), policy(), output=out)
    (tmp_path / "release.manifest.json").unlink()
    assert shoal.verify(out, policy()).holds
    rows = read_cells(out)
    cheat(out, name, cell, next(at for at, row in enumerate(rows) if row[name]))
    proof = shoal.verify(out, policy())
    assert any("not of its recoding" in fault and name in fault for fault in proof.faults)
    assert cell not in " ".join(proof.faults)


def bounded(**more):
    """Years of birth before 1950 are one category."""
    columns = policy()["columns"]
    return policy(
        columns={**columns, "born": {**columns["born"], "recode": {"date_part": "year", "bottom": 1950}}}, **more
    )


def test_years_below_a_bottom_code_are_never_released_and_close_the_gate(tmp_path):
    out = tmp_path / "release.csv"
    released = shoal.protect(table(), bounded(), output=out).records["born"]
    years = [None if day is None else max(day.year, 1950) for day in table()["born"].to_pylist()]
    assert all(after in (before, None) for before, after in zip(years, released.to_pylist(), strict=True))
    (tmp_path / "release.manifest.json").unlink()
    assert shoal.verify(out, bounded()).holds
    cheat(out, "born", "1931", next(at for at, row in enumerate(read_cells(out)) if row["born"]))
    assert any("not of its recoding" in fault for fault in shoal.verify(out, bounded()).faults)


@pytest.mark.gate
@pytest.mark.parametrize("method", ["none", "mdav", "mondrian"])
def test_bounded_years_are_the_same_on_both_engines(tmp_path, method):
    source, loaded = write_csv(table(), tmp_path / "in.csv"), load(bounded(method={"name": method}))
    for name in ("memory", "duckdb"):
        with carrier(name, tmp_path) as engine:
            protect_by(engine, source, loaded, Targets.of(tmp_path / f"{name}.csv", None, None), KEY, force=False)
    assert (tmp_path / "memory.csv").read_bytes() == (tmp_path / "duckdb.csv").read_bytes()


def test_a_stage_that_forgets_to_recode_is_refused(monkeypatch):
    from shoal.release.column_recoding import PrefixRecoding

    monkeypatch.setattr(PrefixRecoding, "recode", lambda self, name, cells: cells)
    with pytest.raises(RequirementError, match="not of its recoding"):
        shoal.protect(table(), policy())


def test_a_level_of_a_hierarchy_file_leaves_the_levels_above_to_a_method(tmp_path):
    lines = ["nurse;care;people;*", "clerk;office;people;*", "lawyer;office;people;*", "smith;craft;things;*"]
    (tmp_path / "jobs.csv").write_text("\n".join(lines))
    made = policy(method={"name": "global_recoding"}, local_suppression=None, suppression={"limit": 0.2})
    made["columns"]["job"] = {"role": "quasi_identifier", "taxonomy": "jobs.csv", "recode": {"level": 1}}
    file, out = write_policy(made_without_none(made), tmp_path / "policy.toml"), tmp_path / "release.csv"
    shoal.protect(table(), file, output=out)
    assert shoal.verify(out, file).holds
    assert {row["job"] for row in read_cells(out)} <= {"care", "office", "craft", "people", "things", "*"}
    made["columns"]["job"]["recode"] = {"level": 3}
    write_policy(made_without_none(made), file)
    shoal.protect(table(), file, output=out, force=True)
    assert shoal.verify(out, file).holds
    made["columns"]["job"]["recode"] = {"level": 4}
    write_policy(made_without_none(made), file)
    with pytest.raises(PolicyError, match=r"columns.job.recode.level must be from 1 to 3"):
        shoal.protect(table(), file)


def made_without_none(made):
    return {key: value for key, value in made.items() if value is not None}


def test_the_whole_domain_is_a_star_and_never_a_list():
    made = policy()
    made["columns"]["zip"] |= {"taxonomy": {"prefixes": [2]}, "recode": {"level": 2}}
    release = shoal.protect(table(), made)
    assert set(release.records["zip"].to_pylist()) == {"*"}
    assert release.assessment.losses["zip"] == 100


def test_replay_assess_link_and_compare_work_with_a_recoded_release(tmp_path):
    source, file = write_csv(table(), tmp_path / "in.csv"), write_policy(policy(), tmp_path / "policy.toml")
    out = tmp_path / "release.csv"
    shoal.protect(source, file, output=out, key=tmp_path / "policy.key")
    shoal.replay(tmp_path / "release.manifest.json")
    found = shoal.assess(source, out, file)
    own = shoal.protect(source, file, key=tmp_path / "policy.key").assessment
    assert found.losses == own.losses
    assert repr(found.original_sizes) == repr(own.original_sizes)
    assert any("recoded by hand" in note for note in found.notes)
    assert 0 <= shoal.link(source, out, file).risk <= 1
    (compared,) = shoal.compare(source, file).policies
    assert compared.outcome is not None


@pytest.mark.gate
def test_without_a_policy_years_are_read_as_intervals_of_dates(tmp_path):
    source, out = as_parquet(table(), tmp_path / "in.parquet"), tmp_path / "release.parquet"
    shoal.protect(source, policy(), output=out)
    notes = shoal.assess(source, out, truth="position").notes
    assert "born: 5 different cells were read in the notation of another tool." in notes
    assert not any(note.startswith("admitted: intervals such as 20-29") for note in notes)


@pytest.mark.gate
def test_a_reason_changes_no_cell_and_stays_out_of_the_public_manifest(tmp_path):
    plain, reasoned = policy(), policy()
    reasoned["columns"]["born"]["reason"] = "the board's decision of May"
    plain["output"] = reasoned["output"] = {"shuffle": True}
    cells = []
    for at, made in enumerate((plain, reasoned)):
        out = tmp_path / f"{at}.csv"
        release = shoal.protect(table(), made, output=out, report=tmp_path / f"{at}.html", key=KEY)
        cells.append(out.read_bytes())
        assert "decision of May" not in (tmp_path / f"{at}.manifest.json").read_text()
        assert ("decision of May" in (tmp_path / f"{at}.html").read_text()) is bool(at)
    assert cells[0] == cells[1]
    assert release.manifest.policy["columns"]["born"]["recode"] == {"date_part": "year"}


@pytest.mark.gate
def test_figures_are_counted_and_the_report_shows_them(tmp_path):
    made, original = policy(), table()
    made["columns"]["job"]["recode"]["merge"]["other"].append("smiht")
    release = shoal.protect(original, made, report=tmp_path / "report.html")
    by_name = {each.column: each for each in release.assessment.recodings}
    for name, cells in expected(original).items():
        before = original[name].to_pylist()
        assert by_name[name].n_before == len(set(before) - {None})
        assert by_name[name].n_after == len(set(cells) - {None})
        changed = sum(x is not None and str(x) != str(y) for x, y in zip(before, cells, strict=True))
        assert by_name[name].changed == pytest.approx(100 * changed / len(before))
    page = (tmp_path / "report.html").read_text()
    assert "Global recoding" in page
    assert "recoded to the first 2 characters" in page
    assert "smiht" in page
    assert "smiht" not in str(release.manifest)
    assert not any("not occur" in note for note in release.manifest.notes)  # it would tell of suppressed records


@pytest.mark.gate(but="memory")
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_figures_are_the_same_on_both_engines(tmp_path, engine):
    source = as_parquet(table(), tmp_path / "in.parquet")
    with carrier(engine, tmp_path) as chosen:
        targets = Targets.of(tmp_path / "release.csv", None, None)
        found = protect_by(chosen, source, load(policy()), targets, KEY, force=False).assessment
    own = shoal.protect(source, policy(), key=KEY).assessment
    assert found.recodings == own.recodings
    assert found.losses == own.losses


@pytest.mark.parametrize("extension", [".sav", ".dta"])
def test_value_labels_of_recoded_columns_are_dropped_and_the_gate_insists(tmp_path, extension):
    is_stata = extension == ".dta"
    write = pyreadstat.write_dta if is_stata else pyreadstat.write_sav
    source, out = tmp_path / f"in{extension}", tmp_path / f"release{extension}"
    rng, names = np.random.default_rng(1), {1: "nurse", 2: "clerk", 3: "lawyer"}
    labels = {"job": names, "sex": {1: "female", 2: "male"}, "rooms": {2: "exactly two"}}
    frame = pd.DataFrame(
        {
            "job": rng.choice([1.0, 2.0, 3.0], 60),
            "sex": rng.choice([1.0, 2.0], 60),
            "rooms": rng.choice([1.0, 2.0, 9.0], 60),
        }
    )
    write(frame, str(source), variable_value_labels=labels, column_labels={"job": "occupation", "sex": "sex"})
    columns = {
        "job": {"role": "quasi_identifier", "recode": {"merge": {"other": ["2", "3"]}}},
        "sex": {"role": "quasi_identifier"},
        "rooms": {"role": "other", "kind": "numeric", "recode": {"top": 2}},
    }
    made = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}], "method": {"name": "none"}}
    shoal.protect(source, made, output=out)
    released, meta = (pyreadstat.read_dta if is_stata else pyreadstat.read_sav)(str(out))
    assert set(released["job"]) == {"1", "other"}
    assert set(meta.variable_value_labels) == {"sex"}
    assert meta.column_names_to_labels["job"] == "occupation"
    (tmp_path / "release.manifest.json").unlink()
    write(released, str(out), variable_value_labels={"rooms": labels["rooms"], "sex": labels["sex"]})
    assert any("value labels" in fault and "rooms" in fault for fault in shoal.verify(out, made).faults)


def test_numbers_with_decimal_commas_are_within_their_bounds(tmp_path):
    source, out = tmp_path / "in.csv", tmp_path / "release.csv"
    source.write_text("sex;rent\n" + "".join(f"{'fm'[at % 2]};{at},5\n" for at in range(40)))
    columns = {
        "sex": {"role": "quasi_identifier"},
        "rent": {"role": "other", "kind": "numeric", "recode": {"top": 30.5}},
    }
    made = {"columns": columns, "requirements": [{"name": "k_anonymity", "k": 2}], "method": {"name": "none"}}
    made["source"] = {"decimal": ",", "delimiter": ";"}
    shoal.protect(source, made, output=out)
    assert shoal.verify(out, made).holds
    assert "39,5" not in out.read_text()
    (tmp_path / "release.manifest.json").unlink()
    out.write_text(out.read_text().replace("29,5", "39,5"))
    assert not shoal.verify(out, made).holds


@pytest.mark.parametrize("recode", [{"intervals": [18, 40, 65]}, {"width": 10}])
def test_extents_of_recoded_intervals_are_joined_in_the_grammar(tmp_path, recode):
    made = policy(method={"name": "mdav"}, output={"representation": "extents", "shuffle": False})
    made["columns"]["age"]["recode"] = recode
    del made["local_suppression"]
    made["columns"]["zip"] |= {"taxonomy": {"prefixes": [2]}, "recode": {"level": 2}}
    out = tmp_path / "release.csv"
    shoal.protect(table(), made, output=out)
    assert shoal.verify(out, made).holds
    rows = read_cells(out)
    assert {row["zip"] for row in rows} == {"*"}
    for age, row in zip(table()["age"].to_pylist(), rows, strict=True):
        text = row["age"]
        assert text in ("", "*") or (text[0] == "[" and text[-1] == ")" and text.count("[") == 1)
        if age is not None and text not in ("", "*"):
            low, high = text[1:-1].split(", ")
            assert float(low) <= age < float(high)
    (tmp_path / "release.manifest.json").unlink()
    cheat(out, "age", "[20, 23)", next(at for at, row in enumerate(rows) if row["age"] not in ("", "*")))
    assert not shoal.verify(out, made).holds
