"""Dates that lie on certain days give the shift of a unit away; columns of unlike steps gave it away modulo a week."""

import numpy as np
import pyarrow as pa
import pytest

import shoal
from attacks.members import publish_in_order
from attacks.shifted_dates import (
    days_of,
    on_first_of_month,
    on_last_of_month,
    on_working_days,
    possible_shifts,
    rate,
)
from shoal.errors import PerturbationError
from shoal.methods.perturbation.calendar_pattern import CalendarPattern

N, DAYS = 600, 14
MONDAY, YEAR = np.datetime64("2023-01-02"), np.datetime64("2023")


def patients(insured, **more):
    """One stay each, on any day of 2023."""
    draw = np.random.default_rng(5)
    return pa.table(
        {
            "patient": [f"P{at:04}" for at in range(N)],
            "age": draw.integers(20, 90, N),
            "admitted": np.datetime64("2023-01-01") + draw.integers(0, 365, N),
            "insured": insured,
            **more,
        }
    )


def ends_of(months):
    return (months + np.timedelta64(1, "M")).astype("datetime64[D]") - np.timedelta64(1, "D")


def month_days(last=False, mostly=False):
    draw = np.random.default_rng(6)
    months = np.datetime64("2010-01") + draw.integers(0, 150, N)
    days = ends_of(months) if last else months.astype("datetime64[D]")
    return days + np.where(draw.random(N) < 0.1, draw.integers(-14, 15, N), 0) if mostly else days


def policy(table, shifted=("admitted", "insured"), recoded=None, **rule):
    columns = {name: {"role": "other", "kind": "date"} for name in ("admitted", "insured")} | {
        "patient": {"role": "unit"},
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        **{name: {"role": "other"} for name in table.column_names[4:]},
    }
    if recoded:
        columns["insured"]["recode"] = {"date_part": recoded}
    rules = [{"name": "date_shift", "columns": list(shifted), "days": DAYS, **rule}]
    k = [{"name": "k_anonymity", "k": 3}]
    return {"columns": columns, "requirements": k, "perturbations": rules, "suppression": {"limit": 0.1}}


def shifts_of(published, table, name="admitted"):
    found, places = published
    return (days_of(found.records, name) - table[name].to_numpy()[places]).astype(np.int64)


@pytest.mark.parametrize(
    ("how", "fits", "least"),
    [
        ({}, on_first_of_month, 0.95),
        ({"last": True}, on_last_of_month, 0.95),
        ({"mostly": True}, on_first_of_month, 0.8),
    ],
    ids=["first", "last", "mostly"],
)
def test_days_of_months_would_give_shifts_away_and_are_refused(how, fits, least, tmp_path, monkeypatch):
    table = patients(month_days(**how))
    with pytest.raises(PerturbationError, match=r"'insured' lie on one day of the month.* date_part = 'month'"):
        shoal.protect(table, policy(table))
    monkeypatch.setattr(shoal.DateShift, "check_calendar", lambda *_: None)
    weak = publish_in_order(table, policy(table), tmp_path)
    possible = possible_shifts(days_of(weak[0].records, "insured"), fits, DAYS)
    chance, certain = rate(possible, shifts_of(weak, table))
    assert min(chance, certain.share) > least


def test_months_beside_shifted_days_tell_nothing_of_the_shift(tmp_path):
    """The remedy of the message: the months are shown, every shift remains possible."""
    table = patients(month_days())
    ours = publish_in_order(table, policy(table, ["admitted"], "month"), tmp_path)
    assert {len(cell) for cell in ours[0].records["insured"].to_pylist()} == {len("2010-01")}
    shifts = shifts_of(ours, table)
    assert set(shifts.tolist()) == set(range(-DAYS, DAYS + 1))


@pytest.mark.gate(but="1")
@pytest.mark.parametrize("n_weekdays", [1, 2, 3])
def test_few_days_of_the_week_are_refused_and_kept_by_whole_weeks(n_weekdays, tmp_path, monkeypatch):
    """Every tenth date is on another day, so the column has no step of a week."""
    draw = np.random.default_rng(7)
    days = MONDAY + 7 * draw.integers(0, 300, N) + 2 * draw.integers(0, n_weekdays, N)
    table = patients(days + np.where(draw.random(N) < 0.1, draw.integers(0, 7, N), 0))
    with pytest.raises(PerturbationError, match=r"'insured' lie on one day of the week.* step = 7"):
        shoal.protect(table, policy(table))
    ours = publish_in_order(table, policy(table, step=7), tmp_path / "ours")
    assert set(shifts_of(ours, table).tolist()) == {-14, -7, 0, 7, 14}
    monkeypatch.setattr(shoal.DateShift, "check_calendar", lambda *_: None)
    weak = publish_in_order(table, policy(table), tmp_path / "weak")

    def fits(days):
        return np.isin((days - MONDAY).astype(int) % 7, 2 * np.arange(n_weekdays))

    chances = [
        rate(possible_shifts(days_of(found[0].records, "insured"), fits, DAYS), shifts_of(found, table))[0]
        for found in (weak, ours)
    ]
    assert chances[0] > 1.8 / (2 * DAYS + 1)  # of 29 shifts, of which one should be as likely as another
    assert chances[1] < 1 / 5


def test_days_of_every_kind_are_no_pattern_by_chance():
    """Of 2,000 small and large tables without a pattern none is refused; of those with one, all but the smallest."""
    draw = np.random.default_rng(1)
    for n in (5, 20, 80, 300):
        for _ in range(500):
            days = draw.integers(0, 20000, n)
            assert CalendarPattern.of(days, np.ones(n, dtype=np.int64)) is None
    firsts = month_days().astype(np.int64)
    assert all(CalendarPattern.of(firsts[:n], np.ones(n, dtype=np.int64)) for n in (8, 40, N))
    working = np.flatnonzero(on_working_days(np.arange(20000).astype("datetime64[D]")))
    assert CalendarPattern.of(working, np.ones(working.size, dtype=np.int64)) is None  # 1.4 times its share


def test_a_few_dates_on_the_end_of_months_are_a_pattern():
    """One of twelve is on the last day, which is the 30th of some months and the 31st of others."""
    draw = np.random.default_rng(2)
    days = draw.integers(0, 20000, 6000)
    months = days[::12].astype("datetime64[D]").astype("datetime64[M]")
    days[::12] = ends_of(months).astype(int)
    found = CalendarPattern.of(days, np.ones(days.size, dtype=np.int64))
    assert found is not None
    assert found.share == pytest.approx(1 / 12 + 11 / 12 * 12 / 365, rel=0.1)


def billed_on_mondays():
    draw = np.random.default_rng(8)
    table = patients(MONDAY + 7 * draw.integers(0, 60, N))
    return table.append_column(
        "wait", pa.array((table["insured"].to_numpy() - table["admitted"].to_numpy()).astype(int))
    )


def differences(records):
    """(n_records,) by how much the released interval is not the true one, which is released, too."""
    return np.array(records["wait"].to_pylist(), dtype=int) - (
        days_of(records, "insured") - days_of(records, "admitted")
    ).astype(int)


def test_columns_of_unlike_steps_are_shifted_together(tmp_path):
    """Rounded column by column, the interval between the columns would give the shift modulo a week."""
    table = billed_on_mondays()
    days = {"days": 60}
    ours = publish_in_order(table, policy(table, **days), tmp_path / "ours")
    shifts = shifts_of(ours, table)
    assert not differences(ours[0].records).any()
    np.testing.assert_array_equal(shifts, shifts_of(ours, table, "insured"))
    assert set(shifts.tolist()) == set(range(-56, 57, 7))

    moved = shoal.date_shift(np.zeros((N, 1)), np.arange(N), days=60)[:, 0].astype(int)
    every = np.arange(-60, 61)
    told = moved - 7 * np.rint(moved / 7)  # as each column was once rounded to its own step
    chance, _ = rate(told[:, None] == every - 7 * np.rint(every / 7), moved)
    assert chance > 6 / 121  # of 121 shifts, of which one should be as likely as another


def test_a_rule_that_cannot_move_its_columns_is_refused():
    table = billed_on_mondays()
    with pytest.raises(PerturbationError, match=r"multiples of 7 days together, but days = 6 allows none"):
        shoal.protect(table, policy(table, days=6))


def linked_stays(n_stays):
    """Of patients who come on working days of one year."""
    draw = np.random.default_rng(9)
    days = np.arange(np.datetime64("2023-01-01"), np.datetime64("2024-01-01"))
    return draw.choice(days[on_working_days(days)], (500, n_stays))


@pytest.mark.parametrize(
    ("n_stays", "days", "step", "in_year", "percent"),
    [
        (1, 30, 1, True, 2.6),
        (8, 30, 1, False, 9.3),
        (8, 30, 1, True, 19.5),
        (8, 210, 7, False, 1.6),
        (8, 210, 7, True, 15),
    ],
)
def test_what_weekends_and_the_calendar_year_leave_of_a_shift(n_stays, days, step, in_year, percent):
    """The table of `docs/date_shift.md`: many stays narrow a shift of 61 possible ones; whole weeks hide weekends."""
    stays = linked_stays(n_stays)
    moved = shoal.date_shift(stays.astype(int), np.arange(len(stays)), days=days, step=step).astype("datetime64[D]")
    possible = np.tile(np.arange(-days, days + 1) % step == 0, (len(stays), 1))
    for stay in moved.T:
        possible &= possible_shifts(stay, on_working_days, days)
        possible &= possible_shifts(stay, lambda day: (not in_year) | (day.astype("datetime64[Y]") == YEAR), days)
    chance, _ = rate(possible, (moved - stays)[:, 0].astype(int))
    assert 100 * chance == pytest.approx(percent, rel=0.1)
