"""Totals: the parts of any pieces, in any order, pickled or not, add up to the part of the whole table."""

import hashlib
import pickle
from dataclasses import fields, is_dataclass
from functools import partial, reduce
from itertools import pairwise
from operator import add

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.assessment.profile import column_summary
from shoal.assessment.profile.column_summary import ColumnCounts
from shoal.assessment.risk.attribute_disclosure import disclosure_of_counts, persons_of_counts
from shoal.assessment.risk.release_counts import SmallClasses
from shoal.assessment.risk.sampled_classes import ClassSample
from shoal.assessment.risk.sensitive_distribution import SensitiveValues
from shoal.blocking.point_sample import PointSample, sampled_rows
from shoal.encode import digest
from shoal.encode.class_numbers import class_numbers
from shoal.encode.combination_counts import count_combinations
from shoal.encode.count_table import CountTable
from shoal.encode.digest import ChunkDigests, digest_of
from shoal.encode.statistics import Sums, WinsorizedMoments, squares_of
from shoal.encode.steps import Steps
from shoal.encode.tails import Tails
from shoal.encode.units import count_units, values_of_units
from shoal.gate.page.original_counts import OriginalCounts
from shoal.gate.page.shown_combinations import CombinationCounts, ShownCombination
from shoal.kernels import ExactSums
from shoal.pipeline.protect.group_index import GroupList, GroupTotals
from shoal.pipeline.protect.subtotal_sums import SubtotalSums
from shoal.pipeline.protect.weighted_totals import TotalsByStratum
from shoal.policy.column_profile import ColumnProfile
from shoal.schema.helper_columns import RECORD_ID
from shoal.total import ByColumn, OfColumns, total_of_table

N = 200


def column(name, kind):
    return shoal.Column(name, "quasi_identifier", kind)


SCHEMA = shoal.Schema([column("x", "numeric"), column("y", "numeric"), column("c", "nominal"), column("day", "date")])


def table():
    rng = np.random.default_rng(3)
    days = np.datetime64("2020-01-01") + rng.integers(0, 900, N)
    return pa.table(
        {
            "x": pa.array(rng.normal(0, 1e6, N) * 10.0 ** rng.integers(-8, 8, N), mask=rng.random(N) < 0.1),
            "y": pa.array(rng.integers(-3, 40, N) * 5),
            "c": pa.array(rng.choice(["a", "bb", "", None], N)),
            "day": pa.array(days, mask=rng.random(N) < 0.1),
            "who": pa.array(rng.integers(0, 60, N)),
            RECORD_ID: pa.array(np.arange(N)),
        }
    )


OF = {
    "sums": partial(Sums.of, "x"),
    "squares": partial(squares_of, "x", 0.3),
    "winsorized": partial(WinsorizedMoments.of, "x", -5e5, 7e5),
    "tails": partial(Tails.of, "x", 7, "who"),
    "profile": partial(ColumnProfile.of, "y", True),
    "profile of days": partial(ColumnProfile.of, "day", True),
    "columns": OfColumns({name: partial(Sums.of, name) for name in ("x", "y")}),
    "page": OriginalCounts(pa.array(["a", "bb"]), pa.array([5.0, 10.0]), {"y": [20.0]}, None).of_piece,
    "page of units": OriginalCounts(pa.array(["a", "bb"]), pa.array([5.0, 10.0]), {"y": [20.0]}, "who").of_piece,
    "combinations": CombinationCounts(
        [ShownCombination("1", {"c": frozenset(["a"]), "y": frozenset([5.0, 15.0])})], None, 5
    ).of_piece,
    "totals": TotalsByStratum(("y",), "who", np.arange(N) % 3, 3),
    "subtotals": SubtotalSums(("c",), ("y",), None),
}


def seen(part):
    """What of a part must not depend on the pieces."""
    if isinstance(part, ExactSums):
        return part.values().tolist()
    if isinstance(part, Tails):
        return part.inner
    if isinstance(part, Steps):
        return part.lattice, part.places, part.low, part.high, part.residues.n_known, part.decimals(None)
    if isinstance(part, ClassSample):
        return seen(part.in_order())
    if isinstance(part, ColumnCounts):
        return part.summary(PAY), part.numbers is None or sorted(zip(part.numbers, part.n, strict=True))
    if isinstance(part, CountTable):
        return seen(part.by(part.names).to_table())
    if isinstance(part, ByColumn):
        return {name: seen(each) for name, each in part.parts.items()}
    if isinstance(part, pa.Table):
        return sorted(map(repr, part.to_pylist()))
    if isinstance(part, np.ndarray):
        return part.tolist()
    if is_dataclass(part):
        return [seen(getattr(part, each.name)) for each in fields(part)]
    return part


def splits():
    rng = np.random.default_rng(8)
    for n_pieces in (1, 2, 5, 40):
        ends = [0, *np.sort(rng.integers(0, N + 1, n_pieces - 1)).tolist(), N]
        pieces = [table().slice(first, end - first) for first, end in pairwise(ends)]
        yield [pieces[at] for at in rng.permutation(n_pieces)]


@pytest.mark.gate(but=("sums", "squares", "winsorized"))
@pytest.mark.parametrize("name", OF)
def test_parts_of_any_pieces_add_up_to_the_part_of_the_table(name):
    of = pickle.loads(pickle.dumps(OF[name]))
    whole = seen(OF[name](table()))
    for pieces in splits():
        parts = [of(piece) for piece in pieces]
        assert seen(reduce(add, parts)) == whole
        assert seen(reduce(add, [pickle.loads(pickle.dumps(part)) for part in reversed(parts)])) == whole


@pytest.mark.parametrize("name", OF)
def test_a_piece_without_records_adds_nothing(name):
    whole, nothing = OF[name](table()), OF[name](table().slice(0, 0))
    assert seen(nothing + whole) == seen(whole + nothing) == seen(whole)


PAY = shoal.Column("pay", "sensitive", "numeric")
ILL = shoal.Column("ill", "sensitive")


def patients():
    """Stays of 60 patients, some with up to 30 in a class, and of a few who are not known."""
    rng = np.random.default_rng(5)
    who = rng.integers(0, 60, N) * (rng.random(N) < 0.7)
    return pa.table(
        {
            "town": pa.array(rng.choice(["a", "bb", None], N)),
            "age": pa.array(rng.integers(0, 4, N)),
            "ill": pa.array(rng.choice(["flu", "Flu ", "gout", "cold", None], N)),
            "pay": pa.array(rng.integers(0, 40, N) / 7, mask=rng.random(N) < 0.1),
            "who": pa.array(who, mask=rng.random(N) < 0.1),
            "group": pa.array(rng.integers(0, 4, N) * 2**32 + rng.integers(0, 9, N) * 2, mask=rng.random(N) < 0.1),
        }
    )


def values_of(column):
    return SensitiveValues.of(column, count_combinations(patients(), [column.name]))


CLASSES = ("town", "age")
OF_CLASSES = {
    "small classes": (CLASSES, (), partial(SmallClasses.of_counts, CLASSES, None, 9)),
    "small classes of units": (CLASSES, ("who",), partial(SmallClasses.of_counts, CLASSES, "who", 9)),
    "guesses": (CLASSES, ("pay",), partial(disclosure_of_counts, values_of(PAY), None)),
    "guesses of units": (CLASSES, ("pay", "who"), partial(disclosure_of_counts, values_of(PAY), "who")),
    "guesses of spellings": (CLASSES, ("ill", "who"), partial(disclosure_of_counts, values_of(ILL), "who")),
    "persons": (CLASSES, ("ill", "who"), partial(persons_of_counts, values_of(ILL), "who")),
    "sampled classes": (CLASSES, ("pay",), partial(ClassSample.of, 2, 5)),
    "column": (("pay",), (), partial(ColumnCounts.of, PAY)),
    "groups": (("group",), (), GroupTotals.of),
    "list of groups": (("group",), (), partial(GroupList.of, np.arange(3))),
    "values of units": (("who",), ("ill",), partial(values_of_units, "who")),
}


def splits_of_classes(names, counts):
    """No class is in two pieces; some pieces have none."""
    rng = np.random.default_rng(9)
    classes = class_numbers(counts, names)
    for n_pieces in (1, 2, 5, 40):
        of_class = rng.integers(0, n_pieces, classes.max() + 1)
        pieces = [np.flatnonzero(of_class[classes] == at) for at in range(n_pieces)]
        yield [counts.take(rng.permutation(pieces[at])) for at in rng.permutation(n_pieces)]


@pytest.mark.parametrize("name", OF_CLASSES)
def test_parts_of_any_whole_classes_add_up_to_the_part_of_all(name):
    classes, values, plain = OF_CLASSES[name]
    counts, of = count_combinations(patients(), [*classes, *values]).to_table(), pickle.loads(pickle.dumps(plain))
    whole = seen(plain(counts))
    assert seen(plain(counts.slice(0, 0)) + plain(counts)) == whole
    for pieces in splits_of_classes(classes, counts):
        parts = [pickle.loads(pickle.dumps(of(piece))) for piece in pieces]
        assert seen(reduce(add, parts)) == seen(reduce(add, reversed(parts))) == whole


def test_numbers_of_too_many_records_are_dropped_whatever_the_pieces(monkeypatch):
    monkeypatch.setattr(column_summary, "MOST_NUMBERS", 100)
    counts = count_combinations(patients(), ["pay"]).to_table()
    for pieces in splits_of_classes(["pay"], counts):
        total = reduce(add, [ColumnCounts.of(PAY, piece) for piece in pieces])
        assert total.numbers is None
        assert total.n_distinct == len(patients()["pay"].drop_null().unique())


@pytest.mark.parametrize("spelled", [{}, {"Flu ": "flu"}])
def test_units_of_values_are_counted_as_if_all_were_listed(spelled):
    """Also where spellings of a value are one, so that a unit that has two of them counts once."""
    listed = count_combinations(patients(), ["who", "ill"])
    few = values_of_units("who", listed.to_table())
    assert len(few) < len(listed)

    def by_value(counts):
        ill = [spelled.get(each, each) for each in counts["ill"].to_pylist()]
        return seen(count_units(CountTable(pa.table({"ill": ill, "who": counts["who"]}), counts.n), "who"))

    assert by_value(few) == by_value(listed)


def test_exact_sums_travel_without_loss():
    """Of numbers whose float sum depends on their order."""
    numbers = np.array([1e308, 1e-300, -1e308, 1.0, 2.0**-1074, 1e17, -1e17, 3.0])
    parts = []
    for number in numbers:
        part = ExactSums(1)
        part.add(np.array([[number]]))
        parts.append(pickle.loads(pickle.dumps(part)))
    for order in (range(8), reversed(range(8)), [3, 1, 7, 5, 0, 6, 2, 4]):
        assert reduce(add, [parts[at] for at in order]).values()[0] == 4.0
    assert (parts[0] + parts[0] + parts[2] + parts[2]).values()[0] == 0.0
    with pytest.raises(ValueError, match="another number of columns"):
        parts[0] + ExactSums(2)


def test_a_sum_may_be_added_to_itself_again_and_again():
    """What one adds to another is carried before: 40 bits on top of 32 are more than a word of 64 has."""
    part = ExactSums(1)
    part.add(np.array([[2.0**53 - 1]]))
    for _ in range(40):
        part += part
    assert part.values()[0] == (2.0**53 - 1) * 2.0**40


def digest_in(pieces, n=N):
    return digest_of(SCHEMA, n, lambda columns, of: reduce(add, [of(piece.select(columns)) for piece in pieces]))


def test_a_digest_is_that_of_the_table_whatever_its_pieces(monkeypatch):
    monkeypatch.setattr(digest, "CHUNK", 16)
    whole = digest_in([table()])
    for pieces in splits():
        assert digest_in(pieces) == whole
    assert digest_in([table().take(np.random.default_rng(0).permutation(N))]) == whole


@pytest.mark.parametrize("chunk", [16, 1 << 16])
def test_a_digest_tells_cells_and_order_apart(monkeypatch, chunk):
    monkeypatch.setattr(digest, "CHUNK", chunk)
    changed = table().set_column(1, "y", pa.array([*table()["y"].to_pylist()[:-1], 7]))
    swapped = table().drop_columns(RECORD_ID).take(np.array([1, 0, *range(2, N)]))
    swapped = swapped.append_column(RECORD_ID, table()[RECORD_ID])
    shorter = digest_in([table().slice(0, N - 1)], N - 1)
    assert len({digest_in([each]) for each in (table(), changed, swapped)} | {shorter}) == 4


def test_a_digest_is_the_hash_of_hashes_of_chunks(monkeypatch):
    """By hand: names of the columns, then of every chunk the shape and the values of each column."""
    monkeypatch.setattr(digest, "CHUNK", 2)
    schema = shoal.Schema([column("c", "nominal")])
    cells = pa.table({"c": ["a", None, "bcd"], RECORD_ID: [0, 1, 2]})

    def sha(*parts):
        return hashlib.sha256(b"".join(parts)).digest()

    lengths = [np.array(n, np.int64).tobytes() for n in ([1, -1], [3])]
    chunks = [sha(sha(shape), sha(values)) for shape, values in zip(lengths, (b"a", b"bcd"), strict=True)]
    assert digest_of(schema, 3, total_of_table(cells)) == sha(sha(b"c"), *chunks).hex()


def test_only_edges_of_pieces_are_kept_until_their_chunk_is_whole(monkeypatch):
    monkeypatch.setattr(digest, "CHUNK", 16)
    columns = tuple(SCHEMA.columns)
    part = ChunkDigests.of(columns, N, table().slice(10, 100))
    assert sorted(part.finished) == [1, 2, 3, 4, 5]
    assert sorted(part.begun) == [0, 6]


def test_a_sample_does_not_depend_on_pieces_and_draws_evenly():
    ids, points = np.arange(5000), np.arange(5000.0)[:, None]
    rows = sampled_rows(ids, 500)
    parts = [
        PointSample(500, chosen, points[chosen])
        for some in np.split(np.random.default_rng(1).permutation(ids), [7, 900, 4000])
        for chosen in [some[sampled_rows(some, 500)]]
    ]
    assert (reduce(add, parts).in_order() == points[rows]).all()
    assert len(np.unique(rows)) == 500
    by_part = np.bincount(rows // 500, minlength=10)
    assert (abs(by_part - 50) <= 4 * np.sqrt(50)).all()
    assert 190 <= (rows % 2).sum() <= 310
    assert (sampled_rows(ids[:30], 500) == ids[:30]).all()
