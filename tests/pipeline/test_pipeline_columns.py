"""What becomes of the columns that no method changes."""

import hashlib
import hmac
from collections import defaultdict

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from shoal.errors import PolicyError
from survey_example import desk, in_order, read_cells, survey, survey_policy

KEY = "0123456789abcdef0123456789abcdef"


def with_pseudonyms(key_file="secret.key", **more):
    policy = survey_policy(**more)
    policy["columns"]["person"]["pseudonym"] = str(key_file)
    return policy


@pytest.fixture
def key(tmp_path):
    path = tmp_path / "secret.key"
    path.write_text(KEY + "\n")
    return path


def test_identifiers_are_gone(tmp_path):
    place = desk(tmp_path)
    release = shoal.protect(place.data, place.policy, output=place.release)
    text = place.release.read_text()
    assert "person" not in release.records.column_names
    assert not [name for name in survey()["person"].to_pylist() if name in text]


def test_pseudonyms_are_those_of_hmac(tmp_path, key):
    people = survey()["person"].to_pylist()
    people[7] = None
    table = survey().set_column(0, "person", pa.array(people))
    place = desk(tmp_path, table, with_pseudonyms())
    shoal.protect(place.data, place.policy, output=place.release)
    by_hand = ["" if p is None else hmac.new(KEY.encode(), p.encode(), hashlib.sha256).hexdigest()[:32] for p in people]
    assert [record["person"] for record in read_cells(place.release)] == by_hand
    from_memory = shoal.protect(table, with_pseudonyms(key)).records["person"].to_pylist()
    assert [name or "" for name in from_memory] == by_hand


def test_another_key_gives_other_names(tmp_path, key):
    other = tmp_path / "other.key"
    other.write_text(KEY[::-1])
    first, second = (
        set(shoal.protect(survey(), with_pseudonyms(k)).records["person"].to_pylist()) for k in (key, other)
    )
    assert len(first) == len(second) == len(survey())
    assert not first & second


@pytest.mark.gate(but=("None", "", "short"))
@pytest.mark.parametrize("content", [None, "", "short", "fifteen bytes..", " " * 40])
def test_a_missing_or_short_key_is_refused(tmp_path, content):
    place = desk(tmp_path, policy=with_pseudonyms())
    if content is not None:
        (tmp_path / "secret.key").write_text(content)
    before = place.files()
    with pytest.raises(PolicyError, match=r"columns\.person\.pseudonym.*secret\.key.*token_hex") as refused:
        shoal.protect(place.data, place.policy, output=place.release)
    assert ("cannot be read" if content is None else "fewer than 16 bytes") in str(refused.value)
    assert place.files() == before


def test_households_get_new_numbers_and_stay_together():
    release = shoal.protect(survey(), survey_policy())
    old, new = survey()["household"].to_pylist(), release.records["household"].to_pylist()
    assert all(after is None for before, after in zip(old, new, strict=True) if before is None)
    pairs = {(a, b) for a, b in zip(old, new, strict=True) if b is not None}
    n_households = len({a for a, _ in pairs})
    assert len(pairs) == n_households == len({b for _, b in pairs})  # one to one
    assert {b for _, b in pairs} == set(range(1, n_households + 1))
    in_order = [b for _, b in sorted(pairs)]
    assert in_order != sorted(in_order)
    assert any("households got new numbers" in note for note in release.manifest.notes)
    other = shoal.protect(survey(), survey_policy(seed=1)).records["household"].to_pylist()
    assert other != new


def test_where_all_households_lose_their_numbers_no_note_says_that_they_can_be_seen():
    """No two households have as many members."""
    table = pa.table({"age": [30] * 21, "household": [size for size in range(1, 7) for _ in range(size)]})
    columns = {"age": {"role": "quasi_identifier", "kind": "numeric"}, "household": {"role": "household"}}
    release = shoal.protect(table, {"requirements": [{"name": "k_anonymity", "k": 3}], "columns": columns})
    assert set(release.records["household"].to_pylist()) == {None}
    assert any("6 of 6 households lost their number" in note for note in release.manifest.notes)
    assert not any("households got new numbers" in note for note in release.manifest.notes)


def test_household_numbers_do_not_depend_on_the_door(tmp_path):
    table = survey().set_column(1, "household", pa.array([i // 3 for i in range(40)]))  # 2 before 10, not after
    place = desk(tmp_path, table)
    from_text = shoal.protect(place.data, place.policy).records["household"].to_pylist()
    assert from_text == shoal.protect(table, survey_policy()).records["household"].to_pylist()


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_other_columns_are_untouched_to_the_last_bit(tmp_path, suffix):
    from shoal.sources import read, write_table

    source, output = tmp_path / f"survey{suffix}", tmp_path / f"release{suffix}"
    write_table(survey(), source)
    shoal.protect(source, survey_policy(), output=output)
    for name in ("disease", "code", "amount", "weight", "note"):
        assert read(output).table[name].equals(read(source).table[name])


def test_cells_of_a_csv_stay_as_written(tmp_path):
    place = desk(tmp_path)
    shoal.protect(place.data, place.policy, output=place.release)
    before, after = read_cells(place.data), read_cells(place.release)
    for name in ("disease", "code", "amount", "weight", "note"):
        assert [record[name] for record in after] == [record[name] for record in before]
    assert {"01067", "04103"} < {record["zip"] for record in after} | {"99084"}
    assert {record["zip"] for record in after} <= {record["zip"] for record in before}


def test_a_weight_is_a_number_whatever_its_kind(tmp_path):
    """Weighted means from a CSV, although nobody said that the column is numeric."""
    place = desk(tmp_path, pa.table({"a": [10.0, 20.0, 70.0, 90.0], "w": [3.0, 1.0, 1.0, 1.0]}), WEIGHTED)
    shoal.protect(place.data, place.policy, output=place.release)
    assert [(record["a"], record["w"]) for record in read_cells(place.release)] == [
        ("12.5", "3.0"),
        ("12.5", "1.0"),
        ("80.0", "1.0"),
        ("80.0", "1.0"),
    ]


WEIGHTED = {
    "method": {"k": 2},
    "output": {"shuffle": False},
    "columns": {"a": {"role": "quasi_identifier", "kind": "numeric", "decimals": 1}, "w": {"role": "weight"}},
}


def test_odd_types_pass_untouched(tmp_path):
    """Whatever Parquet can hold: nobody who is not asked changes it."""
    n = 6
    odd = pa.table(
        {
            "a": pa.array(range(n), pa.int16()),
            "parts": pa.array([[i] for i in range(n)]),
            "time": pa.array(range(n), pa.time64("us")),
            "money": pa.array(range(n)).cast(pa.decimal128(30, 2)),
            "raw": pa.array([bytes([i]) for i in range(n)], pa.binary()),
            "huge": pa.array([2**64 - 1 - i for i in range(n)], pa.uint64()),
            "far": pa.array([float("inf"), -float("inf"), 1e308, 5e-324, None, -0.0]),
            "flag": pa.array([True, None, False] * 2),
            "category": pa.array(["x", "y", None] * 2).dictionary_encode(),
        }
    )
    source, output = tmp_path / "odd.parquet", tmp_path / "release.parquet"
    pq.write_table(odd, source)
    columns = {name: {"role": "other"} for name in odd.column_names}
    columns["a"] = {"role": "quasi_identifier", "kind": "numeric"}
    policy = in_order({"columns": columns, "requirements": [{"name": "k_anonymity", "k": 3}]})
    shoal.protect(source, policy, output=output)
    written = pq.read_table(output)
    for name in odd.column_names[1:]:
        assert written[name].to_pylist() == odd[name].to_pylist()
    assert str(written["far"].to_pylist()[5]) == "-0.0"
    assert written["a"].type == pa.int16()


@pytest.mark.parametrize(
    "values", [[True, True, False, False], [1, 1, 1, 1], ["x", "x", None, None], [None, None, 5, 5]]
)
def test_nothing_is_lost_where_records_are_alike_already(values):
    """Booleans, constants, duplicates and gaps: groups of equal records keep their values."""
    kind = "numeric" if isinstance(values[-1], int) and not isinstance(values[0], bool) else "nominal"
    policy = {"method": {"k": 2}, "columns": {"a": {"role": "quasi_identifier", "kind": kind}}}
    assert shoal.protect({"a": values}, in_order(policy)).table["a"] == values


def test_classes_hold_every_record_of_their_group():
    release = shoal.protect(survey(), survey_policy())
    members = defaultdict(set)
    for record, group in zip(release.records.to_pylist(), release.groups["group"].to_pylist(), strict=True):
        members[group].add(tuple(record[name] for name in ("zip", "age", "grade", "born")))
    assert {len(points) for points in members.values()} == {1}
    assert release.groups["record"].to_pylist() == list(range(1, 41))
