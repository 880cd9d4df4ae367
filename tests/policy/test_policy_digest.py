"""The digest of a policy: whatever decides the release changes it, and nothing else."""

from policy_examples import FULL
from shoal.policy import load
from survey_example import survey_policy, write_policy


def test_digest_sees_all_that_decides(tmp_path):
    (tmp_path / "jobs.csv").write_text("a;*\n")
    first = load(write_policy(FULL, tmp_path / "policy.toml")).digest()
    assert load(write_policy(FULL, tmp_path / "other.toml")).digest() == first
    assert load(write_policy(FULL | {"seed": 8}, tmp_path / "policy.toml")).digest() == first  # told apart from it
    assert load(write_policy(FULL | {"output": {"shuffle": False}}, tmp_path / "policy.toml")).digest() != first
    (tmp_path / "jobs.csv").write_text("b;*\n")
    assert load(write_policy(FULL, tmp_path / "policy.toml")).digest() != first


def test_a_default_that_is_written_down_changes_no_digest():
    plain, written = survey_policy(), survey_policy(method={"name": "mdav", "merge": True}, output={"permute": False})
    assert load(plain).digest() == load(written).digest()


def test_order_and_apostrophes_change_no_digest_of_values():
    plain = load(survey_policy()).digest_of_values()
    for output in ({"shuffle": True}, {"spreadsheet_safe": True}):
        changed = load(survey_policy(output=output))
        assert changed.digest_of_values() == plain
        assert changed.digest() != load(survey_policy()).digest()
    assert load(survey_policy(output={"permute": True})).digest_of_values() != plain


def test_methods_and_requirements_without_options_differ_in_their_digest():
    methods = [load(survey_policy(method={"name": name})).digest() for name in ("mdav", "vmdav", "mondrian")]
    required = [
        load(survey_policy(requirements=[{"name": name, "l": 2, "column": "disease"}])).digest()
        for name in ("distinct_l_diversity", "entropy_l_diversity")
    ]
    assert len({*methods, *required}) == 5
