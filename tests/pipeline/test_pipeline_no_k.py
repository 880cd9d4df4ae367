"""Requirements without a k: k counts as 1 and every verdict says so; methods that form groups ask for a k; nothing
says more about few records."""

from collections import defaultdict

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import shoal
from method_examples import methods_of
from shoal.errors import PolicyError, TableError
from shoal.gate.gate import NO_K
from shoal.policy import load
from shoal.policy.change.candidate_changes import RiskyColumns, candidate_changes
from survey_example import desk, shell

N = 60
TABLE = {
    "age": [20 + (7 * at) % 50 for at in range(N)],
    "zip": [f"Z{at % 4}" for at in range(N)],
    "ill": ["cold" if at % 5 else "flu" for at in range(N)],
    "w": [1.5 + at % 3 for at in range(N)],
    "pay": [1000 + 13 * at for at in range(N)],
}
COLUMNS = {
    "age": {"role": "quasi_identifier", "kind": "numeric"},
    "zip": {"role": "quasi_identifier", "kind": "nominal"},
    "ill": {"role": "sensitive"},
    "w": {"role": "weight", "kind": "numeric"},
    "pay": {"role": "other", "kind": "numeric"},
}
ALONE = {
    "distinct_l_diversity": {"l": 2},
    "t_closeness": {"t": 0.5},
    "beta_likeness": {"beta": 1.5},
    "delta_disclosure": {"delta": 1.5},
}
KEY = bytes(32)
# Both hold for a class of a single record, so that k counts as 1.
OF_POPULATION = {"name": "journalist_risk", "maximum": 0.5, "sampling_fraction": 0.3}
WIDE = {"name": "minimum_length", "column": "age", "width": 2}


def policy(method, *requirements, **more):
    return {"columns": COLUMNS, "method": {"name": method}, "requirements": list(requirements), **more}


def alone(name):
    return {"name": name, "column": "ill", **ALONE[name]}


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("method", methods_of("cuts"))
@pytest.mark.gate(but=("mondrian-distinct_l_diversity", "global_recoding-beta_likeness", "gensearch-t_closeness"))
def test_a_requirement_alone_is_released_and_every_verdict_says_that_k_counts_as_1(method, name, tmp_path):
    release = shoal.protect(TABLE, policy(method, alone(name)), key=KEY)
    (verdict,) = release.manifest.proof["verdicts"]
    assert (verdict["requirement"], verdict["holds"]) == (name, True)
    for said in (repr(release), release.report("md"), release.report("md", "external"), *release.manifest.notes[-1:]):
        assert NO_K in said
    written = release.write(tmp_path / "out") / "release.parquet"
    assert NO_K in shoal.verify(written, policy(method, alone(name))).notes
    if name == "distinct_l_diversity":
        assert min(len(values) for values in _values_by_class(written)) >= 2


def _values_by_class(written):
    """The sensitive values of every class, counted here and not by the gate."""
    found = defaultdict(set)
    for record in pq.read_table(written).to_pylist():
        found[record["age"], record["zip"]].add(record["ill"])
    return found.values()


def test_the_shell_says_so_when_it_protects_and_when_it_verifies(tmp_path):
    place = desk(tmp_path, pa.table(TABLE), policy("mondrian", alone("distinct_l_diversity")))
    made = shell("protect", place.data, "-p", place.policy, "-o", place.release)
    proved = shell("verify", place.release, "-p", place.policy)
    assert (made.code, proved.code) == (0, 0)
    assert all(f"note: {NO_K}" in said.out for said in (made, proved))


def test_with_a_k_nothing_is_said():
    k = {"name": "k_anonymity", "k": 2}
    release = shoal.protect(TABLE, policy("mondrian", k, alone("distinct_l_diversity")), key=KEY)
    assert all(NO_K not in said for said in (repr(release), release.report("md"), *release.manifest.notes))


@pytest.mark.parametrize("method", methods_of("groups"))
@pytest.mark.parametrize("requirement", [alone("distinct_l_diversity"), OF_POPULATION], ids=["l", "journalist"])
@pytest.mark.gate(but=("l-mdav", "journalist-mdav"))
def test_a_method_that_forms_groups_asks_for_its_own_k(method, requirement):
    """A requirement that a group of one record satisfies is no k either."""
    with pytest.raises(PolicyError, match=f"method: '{method}' forms groups of k records, and no k is given. Set meth"):
        shoal.protect(TABLE, policy(method, requirement))


def test_a_figure_of_the_whole_release_alone_is_refused_since_no_class_fails_it():
    """A search would release every record as a class of its own, and the gate would refuse it."""
    at_risk = {"name": "records_at_risk", "share": 0.2, "threshold": 0.2, "column": "w"}
    for asked in (policy("mondrian", at_risk), policy("gensearch"), policy("global_recoding")):
        with pytest.raises(PolicyError, match=r"name = 'k_anonymity', k = 5\.$"):
            shoal.protect(TABLE, asked)
    assert shoal.protect(TABLE, policy("mondrian", at_risk, {"name": "k_anonymity", "k": 8}), key=KEY)


@pytest.mark.parametrize("requirement", [OF_POPULATION, WIDE], ids=["journalist", "length"])
def test_no_page_shows_more_since_k_counts_as_1(requirement):
    """What may leave is about 3 records, as where the policy requires nothing; the page is proved so."""
    release = shoal.protect(TABLE, policy("mondrian", requirement), key=KEY)
    assert release.manifest.k_reached == 1
    assert release.fewest_shown == 3
    assert all(node.n_records >= 3 for plan in release.assessment.plans for node in plan.nodes)


def test_subtotals_of_fewer_than_3_records_are_hidden_where_no_k_is_required():
    """The first cell has two records: their sums would be those of few."""
    table = {**TABLE, "zip": ["A", "A", *TABLE["zip"][2:]]}
    asked = policy("none", output={"totals_by": ["zip"]}, perturbations=[{"name": "noise", "columns": ["age"]}])
    found = shoal.protect(table, asked, key=KEY).assessment.subtotals
    assert [cell.values for cell in found.cells] == [(f"Z{at}",) for at in range(4)]
    assert found.n_hidden == 1


def test_a_table_without_records_is_refused_as_such():
    empty = {name: values[:0] for name, values in TABLE.items()}
    with pytest.raises(TableError, match="no records"):
        shoal.protect(pa.table(empty).cast(pa.table(TABLE).schema), policy("mondrian", alone("t_closeness")))


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        (policy("mondrian", alone("distinct_l_diversity")), ["k = 2", "k = 10"]),
        (policy("mdav", {"name": "prosecutor_risk", "maximum": 0.25}), ["k = 5", "k = 8", "k = 10"]),
        (policy("none"), []),
    ],
)
def test_what_would_lower_a_risk_requires_k_anonymity_where_nothing_has_a_k_to_raise(asked, titles):
    found = candidate_changes(load(asked), RiskyColumns(limits={"prosecutor_risk": 0.1}))
    assert [change.title for change in found if change.title.startswith("k =")] == titles
    for change in (change for change in found if change.title.startswith("k =")):
        (edit,) = change.edits
        assert edit.is_new
        assert edit.content == {"name": "k_anonymity", "k": int(change.title[4:])}


def test_a_proposal_always_has_a_k():
    assert shoal.propose(pa.table({name: TABLE[name] for name in ("age", "zip", "ill")})).k == 5


def test_a_release_of_one_class_is_not_advised_a_smaller_k():
    table = {**TABLE, "ill": ["flu"] + ["cold"] * (N - 1)}
    notes = shoal.protect(table, policy("mondrian", alone("distinct_l_diversity")), key=KEY).manifest.notes
    (note,) = (each for each in notes if "in one class" in each)
    assert note.endswith("Weaker requirements or fewer quasi-identifiers leave some.")


@pytest.mark.parametrize("method", ["mondrian", pytest.param("global_recoding", marks=pytest.mark.gate)])
def test_the_external_edition_is_written_and_proved_where_no_k_is_required(method, tmp_path):
    page = tmp_path / "page.md"
    shoal.protect(
        TABLE, policy(method, alone("t_closeness")), key=KEY, output=tmp_path / "r.csv", report=page, edition="external"
    )
    assert NO_K in page.read_text()
