"""The minimality attack replays the rule that merged the groups: who failed went to its cheapest neighbor of the same
block and, where units are grouped as vectors, of the same size, all positions together."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import shoal
from shoal.engines.protocol import PART
from shoal.pipeline.protect import minimality_attack
from shoal.pipeline.protect.strata import GROUPS_OF_A_BLOCK

NUMBER = {"role": "quasi_identifier", "kind": "numeric"}
L_DIVERSITY = {"name": "distinct_l_diversity", "column": "illness", "l": 2}
WAYS = {
    "none": {},
    "household": {"columns": {"home": {"role": "household"}}},
    "unit": {"columns": {"home": {"role": "unit"}}},
    "blocks": {"blocking": {"method": "twod_tree", "limit": 40, "repair": False}},
    "repair": {"blocking": {"method": "twod_tree", "limit": 40, "repair": True}},
    "strata": {"columns": {"home": {"role": "household"}}, "within": ["region"]},
}


def people(seed):
    chance = np.random.default_rng(seed)
    homes = np.repeat(np.arange(160), chance.choice([1, 2], 160))
    n = homes.size
    return pa.table(
        {
            "height": chance.normal(172, 9, n),
            "weight": chance.normal(75, 12, n),
            "illness": chance.choice(["flu", "HIV"], n, p=[0.85, 0.15]),
            "region": chance.choice(["east", "west"], 160)[homes],
            "home": homes,
        }
    )


def large_and_ill(seed):
    """A fifth of all units have all that are ill, and more than half of the records."""
    chance = np.random.default_rng(seed)
    homes = np.repeat(np.arange(60), [6] * 12 + [1] * 48)
    n = homes.size
    body = {"height": chance.normal(172, 9, n), "weight": chance.normal(75, 12, n)}
    return pa.table({**body, "illness": np.where(homes < 12, "HIV", "flu"), "region": ["east"] * n, "home": homes})


def policy(columns=None, asked=L_DIVERSITY, **more):
    of_columns = {"height": NUMBER, "weight": NUMBER, "illness": {"role": "sensitive"}}
    others = {"region": {"role": "other"}, "home": {"role": "identifier"}}
    return {
        "requirements": [{"name": "k_anonymity", "k": 3}, asked],
        "columns": {**of_columns, **others, **(columns or {})},
        "suppression": {"limit": 1.0},
        **more,
    }


def territories(parts, before, after, by_size):
    """part -> its block and, where households are told, how many members each of them has."""
    homes = before["home"].to_numpy()
    members = np.bincount(homes)[homes] if by_size else np.zeros(homes.size)
    blocks = after[PART].to_numpy() // GROUPS_OF_A_BLOCK
    return dict(zip(parts.tolist(), zip(blocks.tolist(), members.tolist(), strict=True), strict=True))


def first_parts(parts, before, is_vector):
    """(n_parts,) the part at the first position of the same group of units."""
    homes = before["home"].to_numpy() if is_vector else np.arange(len(parts))
    first = np.full(int(homes.max()) + 1, len(parts))
    np.minimum.at(first, homes, parts)
    found = np.zeros(int(parts.max()) + 1, dtype=np.int64)
    found[parts] = first[homes]
    return found


@pytest.fixture
def replays(monkeypatch):
    """What protect replays, the points that it saw, the territory of every part, and the first of its positions."""
    seen = []

    def made(changed, before, after, replay=minimality_attack._replay):
        found = replay(changed, before, after)
        by_size = changed.plan.groups_units
        places = territories(found.parts, before, after, by_size)
        seen.append((found, changed.embedding.points(before), places, first_parts(found.parts, before, by_size)))
        return found

    monkeypatch.setattr(minimality_attack, "_replay", made)

    def of(rules, n_tables=4, table=people):
        seen.clear()
        for seed in range(n_tables):
            shoal.protect(table(seed), rules, key=b"k" * 32)
        return list(seen)

    return of


def failing_of(replay):
    return np.flatnonzero(replay.fails(np.arange(replay.parts.size), replay.parts))


@pytest.mark.gate(but="none")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_who_failed_is_with_the_one_it_is_said_to_have_chosen(way, replays):
    """But for those who came late: a cheaper pair has one of the two."""
    n_failing = n_together = 0
    for replay, _, _, first in replays(policy(**way)):
        failing = failing_of(replay)
        chosen = replay.choices(failing)
        failing, chosen = failing[chosen >= 0], chosen[chosen >= 0]  # the only part of a block has no neighbor
        together = replay.group_of_part[failing] == replay.group_of_part[chosen]
        pairs = [{one, other} for one, other in zip(first[failing].tolist(), first[chosen].tolist(), strict=True)]
        late = [any(pair & other and pair != other for other in pairs) for pair in pairs]
        assert (together | np.array(late)).all()
        n_failing, n_together = n_failing + failing.size, n_together + together.sum()
    assert n_failing > 80
    assert n_together > 0.8 * n_failing


@pytest.mark.gate(but="none")
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_choice_is_the_cheapest_part_of_the_block_and_kind(way, replays):
    """The slow twin: every part of the territory, one by one."""
    for replay, points, places, first in replays(policy(**way), n_tables=2):
        numbers, sizes = np.arange(replay.parts.max() + 1), np.bincount(replay.parts)
        centers = np.array([points[replay.parts == part].mean(axis=0) for part in numbers])

        def cost(one, other, sizes=sizes, centers=centers, first=first):
            """Of merging all positions; those of one group of units are numbered one after the other."""
            weight = sizes[one] * sizes[other] / (sizes[one] + sizes[other])
            ours, theirs = (centers[first == first[part]] for part in (one, other))
            return weight * ((ours - theirs) ** 2).sum()

        for part, chosen in zip(numbers, replay.choices(numbers), strict=True):
            at = part - first[part]
            others = [
                o for o in numbers if first[o] != first[part] and places[o] == places[part] and o - first[o] == at
            ]
            assert chosen == min(others, key=lambda other: cost(part, other), default=-1)


@pytest.mark.gate(but="unit")
@pytest.mark.parametrize("role", ["unit", "household"])
def test_who_fails_is_counted_by_units_as_when_groups_were_merged(role, replays):
    """t-closeness compares with the shares among units, of which large ones must not count twice."""
    asked = {"name": "t_closeness", "column": "illness", "t": 0.35}
    for replay, *_ in replays(policy({"home": {"role": role}}, asked)):
        alone = replay.parts_in_groups[replay.group_of_part] == 1
        assert not alone[failing_of(replay)].any()


def test_large_units_do_not_count_twice(replays):
    """A group without anybody ill is near to the shares among units, and would be far from those among records."""
    asked = {"name": "t_closeness", "column": "illness", "t": 0.35}
    ((replay, *_),) = replays(policy({"home": {"role": "unit"}}, asked), n_tables=1, table=large_and_ill)
    alone = replay.parts_in_groups[replay.group_of_part] == 1
    assert alone.any()
    assert not alone[failing_of(replay)].any()


def test_what_pairs_cost_is_told_beside_merging_inside_of_kinds():
    """Merged by cost in truth, it is the same loss."""
    in_full = {name: {**NUMBER, "decimals": 9} for name in ("height", "weight")}
    rules = policy({"home": {"role": "household"}, **in_full})
    by_cost = shoal.protect(people(0), rules).findings["information loss"]
    pairs = shoal.protect(people(0), {**rules, "method": {"decoys": "auto"}})
    told = pairs.findings["SSE / SST of groups merged by pairs"]
    assert told.baseline == pytest.approx(by_cost.estimate, rel=1e-6)
