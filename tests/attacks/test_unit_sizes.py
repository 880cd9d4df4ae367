"""What is left of an anatomy with units: how often a value is counted tells whose it is, where persons have unlike
numbers of records. It is noted; where all have as many, nothing is told."""

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa

from attacks.published import publish
from attacks.rates import FEWEST_TARGETS
from attacks.unit_sizes import guesses, rate

NAMES, ALPHA, N = ("age", "district"), 0.5, 700
NOTED = "unit: the sensitive table counts records"


def attacked(folder, most, representation="anatomy"):
    """The rate, what the groups say by their most frequent value, and the notes."""
    draw = np.random.default_rng(0)
    size = draw.integers(1 if most > 3 else most, most + 1, N)
    values = draw.choice(list("abcdef"), N, p=[0.35, 0.25, 0.15, 0.1, 0.1, 0.05])
    persons = [(str(age), place) for age in range(18, 193) for place in "NSEW"]
    of = np.repeat(np.arange(N), size)
    table = pa.table(
        {
            "unit": [f"U{at:05}" for at in of],
            "age": [int(persons[at][0]) for at in of],
            "district": [persons[at][1] for at in of],
            "illness": values[of],
        }
    )
    known = {"role": "quasi_identifier"}
    columns = {"unit": {"role": "unit"}, "age": {**known, "kind": "numeric"}, "district": known}
    policy = {
        "columns": {**columns, "illness": {"role": "sensitive"}},
        "requirements": [{"name": "alpha_k_anonymity", "alpha": ALPHA, "k": 3, "column": "illness"}],
        "method": {"name": "mondrian"},
        "output": {"representation": representation},
        "suppression": {"limit": 0.2},
    }
    published = publish(table, policy, folder)
    if published.sensitive is None:
        return published.manifest["notes"]
    found = guesses(published, dict(zip(persons, size.tolist(), strict=True)), NAMES, "illness")
    truth = dict(zip(persons, values.tolist(), strict=True))
    return rate(found, truth), said(published, truth, found), published.manifest["notes"]


def said(published, truth, found):
    """How sure the group makes of those who are guessed, who counts its persons: the most frequent value."""
    groups = dict(
        zip(
            zip(*(published.records[n].to_pylist() for n in NAMES), strict=True),
            published.records["group"].to_pylist(),
            strict=True,
        )
    )
    members = defaultdict(list)
    for guess in found:
        members[groups[guess.person]].append(truth[guess.person])
    return sum(Counter(own).most_common(1)[0][1] for own in members.values()) / len(found)


def test_unlike_sizes_tell_whose_a_value_is_and_it_is_noted(tmp_path):
    found, own, notes = attacked(tmp_path, 10)
    assert found.n_targets >= FEWEST_TARGETS
    assert found.succeeds(ALPHA)
    assert found.succeeds(own)
    assert any(note.startswith(NOTED) for note in notes)


def test_where_all_have_as_many_records_no_more_is_told_than_the_group_says(tmp_path):
    found, own, _ = attacked(tmp_path, 3)
    assert found.fails(own)
    assert found.fails(ALPHA)


def test_other_representations_have_no_such_note(tmp_path):
    assert not any(note.startswith(NOTED) for note in attacked(tmp_path, 10, "extents"))
