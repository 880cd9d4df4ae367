"""What is just small enough is taken, and what is just too large is refused, on either side of zero."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.encode import embedding
from shoal.encode.codes import to_codes
from shoal.encode.embedding import embed
from shoal.encode.number_column import NumberColumn, from_numbers, to_numbers
from shoal.encode.packed_combinations import PackedCombinations, number_keys
from shoal.errors import ShoalError, TableError


def points(values, kind):
    return embed(pa.table({"x": values}), shoal.Schema([shoal.Column("x", "quasi_identifier", kind)]))


def test_a_thousand_nominal_values_are_not_too_many():
    assert points([str(i) for i in range(1000)], "nominal").shape == (1000, 1000)


def test_points_may_fill_the_memory_that_there_is_and_not_more(monkeypatch):
    monkeypatch.setattr(embedding, "MAX_BYTES", 3 * 8)
    assert points([1.0, 2.0, 4.0], "numeric").shape == (3, 1)
    with pytest.raises(TableError, match="4 records"):
        points([1.0, 2.0, 4.0, 5.0], "numeric")


@pytest.mark.parametrize(
    ("value", "word"),
    [(-(2**53) - 1, "beyond 2"), (-1e141, "1e\\+140"), (float("-inf"), "infinite"), (1e141, "1e\\+140")],
)
def test_what_is_too_far_from_zero_is_refused_on_both_sides(value, word):
    with pytest.raises(TableError, match=word):
        to_numbers("x", pa.chunked_array([[value]]))


def test_a_mean_just_below_zero_is_written_as_zero():
    found = from_numbers(NumberColumn(np.array([-0.04, 0.04]), np.zeros(2, dtype=bool)), pa.float64(), decimals=1)
    assert [str(value) for value in found.to_pylist()] == ["0.0", "0.0"]


def test_times_come_back_in_their_zone():
    kind = pa.timestamp("ms", "Europe/Berlin")
    times = pa.chunked_array([pa.array([1_700_000_000_000, None, 0], kind)])
    assert from_numbers(to_numbers("x", times), kind).equals(times.combine_chunks().cast(pa.timestamp("us", kind.tz)))


def test_a_category_without_records_need_not_be_in_the_order():
    cells = pa.DictionaryArray.from_arrays(pa.array([0, 2, 0]), pa.array(["low", "never", "high"]))
    found = to_codes("x", pa.chunked_array([cells]), ("low", "high"))
    assert (found.codes.tolist(), found.texts) == ([0, 1, 0], ["low", "high"])


def binary(n_columns, n_values=3):
    """So many columns of two bits each: three values, and missing."""
    names = [f"c{j}" for j in range(n_columns)]
    chance = np.random.default_rng(n_columns)
    columns = [pa.array([*range(n_values), *chance.integers(0, n_values, 40)]) for _ in names]
    return pa.table(columns, names=names), names


def test_packed_keys_have_a_place_for_all_128_bits():
    table, names = binary(64)
    packed = PackedCombinations.of(table, names)
    records = list(zip(*(table[name].to_pylist() for name in names), strict=True))
    assert len(set(number_keys(packed.keys).tolist())) == len(set(records))
    with pytest.raises(ShoalError):
        PackedCombinations.of(*binary(65))


def test_both_words_of_a_packed_key_tell_it_apart():
    keys = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 1]], dtype=np.uint64)
    assert number_keys(keys).tolist() == [0, 1, 2, 3, 1]


@pytest.mark.parametrize("n_small", [30, 31, 62])
def test_packed_columns_share_no_bit(n_small):
    """A column of three bits stands where two would fit, and where three would."""
    table, names = binary(n_small)
    table = table.append_column("wide", pa.array([at % 7 for at in range(len(table))]))
    names = [*names, "wide"]
    if n_small == 62:
        names = ["wide", *names[:-1]]
    packed = PackedCombinations.of(table, names)
    bits = [int(low) | int(high) << 64 for low, high in packed.fields.tolist()]
    assert [field.bit_count() for field in bits] == [3 if name == "wide" else 2 for name in names]
    assert (
        sum(field.bit_count() for field in bits) == int(np.bitwise_or.reduce(np.array(bits, dtype=object))).bit_count()
    )
    for name, field in zip(names, packed.fields, strict=True):
        assert len(np.unique(packed.keys & field, axis=0)) == len(set(table[name].to_pylist()))
