"""The partition enumeration tree: complete, without duplicates, and as the paper draws it."""

import json
from collections import defaultdict

import numpy as np
import pytest

from reference import partitions as reference
from shoal.methods.generalization.enumeration.box_space import BoxSpace
from shoal.methods.generalization.enumeration.enumeration import partitions
from shoal.methods.generalization.enumeration.enumeration_tree import EnumerationTree
from shoal.methods.generalization.enumeration.partition_tree import LEAF, nodes_of
from shoal.methods.generalization.enumeration.split_set import SplitSet
from shoal.methods.generalization.enumeration.timestamped_node import TimestampedNode
from shoal.methods.generalization.splits import Attribute, AttributeNode, SplitRule
from shoal.plan import CategoricalDomain, NumericDomain


def line(name, n_splits):
    places = np.arange(n_splits + 1) / n_splits
    domain = NumericDomain(name, False, tuple(map(float, range(1, n_splits + 1))))
    return Attribute(domain, (AttributeNode(0, n_splits + 1, SplitRule.LINE),), places, places)


def split_set(*n_splits):
    return SplitSet.of(tuple(line(f"x{at}", n) for at, n in enumerate(n_splits)))


def working_class():
    """Self-employed (2), Government (3), Private (1), Without work (2): 3 + 4 places."""
    paths = (
        *(("incorporated", "self", "*"), ("not incorporated", "self", "*")),
        *((each, "government", "*") for each in ("federal", "state", "local")),
        ("private", "private", "*"),
        *((each, "without", "*") for each in ("without pay", "never worked")),
    )
    domain = CategoricalDomain("working class", False, paths)
    ends = [(0, 2), (2, 5), (5, 6), (6, 8)]
    inner = [
        AttributeNode(a, b, SplitRule.ALL, 1, first, b - a) for (a, b), first in zip(ends, (5, 7, 10, 11), strict=True)
    ]
    nodes = (
        AttributeNode(0, 8, SplitRule.ALL, 2, 1, 4),
        *inner,
        *(AttributeNode(at, at + 1, SplitRule.NONE) for at in range(8)),
    )
    places = np.arange(8) / 7
    return Attribute(domain, nodes, places, places)


def blocks_of(tree, space):
    return frozenset(space.boxes[node.box] for node in nodes_of(tree, space) if node.split == LEAF)


@pytest.mark.gate(but=("n_splits0-64", "n_splits1-8", "n_splits2-320"))
@pytest.mark.parametrize(
    ("n_splits", "expected"),
    [((6,), 64), ((1, 1), 8), ((2, 2), 320), ((3, 3), 68_480), ((2, 2, 1), 313_138), ((1, 1, 1, 1), 61_712)],
)
def test_the_number_of_partitions_is_that_of_brute_force(n_splits, expected):
    assert len(partitions(split_set(*n_splits))) == expected


@pytest.mark.parametrize("n_splits", [(4,), (2, 1), (2, 2), (1, 1, 1)])
def test_every_class_of_trees_has_one_legal_tree_and_it_is_enumerated(n_splits):
    splits, whole = reference.lines(*n_splits), tuple((0, n + 1) for n in n_splits)
    classes = defaultdict(list)
    for tree in reference.multi_enumerate(splits, whole):
        classes[reference.blocks(tree, splits, whole)].append(tree)
    legal = []
    for trees in classes.values():
        (one,) = [tree for tree in trees if reference.is_legal(tree, splits)]
        legal.append(reference.preorder(one))
    assert sorted(legal) == sorted(partitions(split_set(*n_splits)))


def test_switches_lead_from_every_tree_to_the_legal_one():
    splits, whole = reference.lines(2, 2), ((0, 3), (0, 3))
    for tree in reference.multi_enumerate(splits, whole):
        found = reference.legalized(tree, splits)
        assert reference.is_legal(found, splits)
        assert reference.blocks(found, splits, whole) == reference.blocks(tree, splits, whole)


def test_partitions_of_a_taxonomy_and_a_line_are_all_there_once():
    splits = SplitSet.of((line("salary", 1), working_class()))
    space = BoxSpace(splits)
    found = [blocks_of(tree, space) for tree in partitions(splits)]
    assert len(found) == len(set(found))
    assert set(found) == reference.all_partitions(space.boxes[0], reference.divisions_in(space))


def test_two_taxonomies_and_missing_values():
    missing = Attribute(
        NumericDomain("x", True, (1.0, 2.0)),
        (
            AttributeNode(0, 4, SplitRule.ALL, 0, 1, 2),
            AttributeNode(0, 3, SplitRule.LINE),
            AttributeNode(3, 4, SplitRule.NONE),
        ),
        np.array([0, 0.5, 1, 1]),
        np.array([0, 0.5, 1, 1]),
    )
    sex = CategoricalDomain("sex", False, (("female", "*"), ("male", "*")))
    tree = Attribute(
        sex,
        (
            AttributeNode(0, 2, SplitRule.ALL, 1, 1, 2),
            AttributeNode(0, 1, SplitRule.NONE),
            AttributeNode(1, 2, SplitRule.NONE),
        ),
        np.array([0.0, 1.0]),
        np.array([0.0, 1.0]),
    )
    splits = SplitSet.of((missing, tree))
    space = BoxSpace(splits)
    found = [blocks_of(tree, space) for tree in partitions(splits)]
    assert len(found) == len(set(found))
    assert set(found) == reference.all_partitions(space.boxes[0], reference.divisions_in(space))


def test_the_paper_s_out_of_sequence_split():
    """Figure 3: splits 1, 2 of age and 3, 4 of salary; (3), (1), (4), (2) is a tree, a second (2) below (4) is not."""
    trees = {tuple(t) for t in partitions(split_set(2, 2))}
    age_1, age_2, salary_3, salary_4 = range(4)
    without = (salary_3, age_1, LEAF, LEAF, salary_4, age_2)
    assert without in trees
    assert (*without, LEAF, LEAF, age_2) not in trees
    assert (salary_3, age_1, LEAF, LEAF, age_2, salary_4, LEAF, LEAF, salary_4) in trees


def test_the_partition_tree_of_figure_3_shows_ids_timestamps_and_available_splits():
    shown = TimestampedNode.of((2, 0, LEAF, LEAF, 3, 1), BoxSpace(split_set(2, 2)))
    assert [(n.split, n.timestamp) for n in shown.preorder() if n.split] == [(3, 1), (1, 2), (4, 3), (2, 4)]
    assert str(shown).splitlines() == [
        "(3)[1]",
        "  (1)[2]",
        "    leaf {}",
        "    leaf {2}",
        "  (4)[3]",
        "    (2)[4]",
        "      leaf {1}",
        "      leaf {}",
        "    leaf {1, 2}",
    ]


def test_the_paper_s_working_class_makes_left_deep_trees():
    """Figures 10 and 11: (1) forces (2) and (3); then (9) in the second block, and government below it."""
    splits = SplitSet.of((working_class(), line("salary", 3)))
    assert [one.ids for one in splits.splits] == [(1, 2, 3), (4,), (5, 6), (7,), (8,), (9,), (10,)]
    root, government, salary_9 = 0, 2, 5
    shown = TimestampedNode.of((root, LEAF, salary_9, government), BoxSpace(splits))
    stamps = [(node.split, node.timestamp) for node in shown.preorder() if node.split]
    assert stamps == [(1, 1), (2, 2), (3, 3), (9, 4), (5, 5), (6, 6)]
    assert shown.left.split == 2
    assert shown.left.left.split == 3
    assert shown.left.left.right.split == 9
    assert shown.left.left.right.left.split == 5
    assert shown.left.left.right.left.left.split == 6


def test_timestamps_ascend_in_preorder_and_the_enumeration_tree_can_be_shown():
    tree = EnumerationTree.of(split_set(2, 1))
    assert tree.n_partitions == 34
    for one in tree.children:
        stamps = [node.timestamp for node in tree.partition_tree(one).preorder() if node.split]
        assert stamps == sorted(stamps)
    lines = str(tree).splitlines()
    assert len(lines) == 34
    assert lines[:3] == ["the whole space", "  (1)[1]", "    (1)[1] (3)[2]"]
    root = json.loads(tree.to_json())
    assert root["partition"] == {"available": [1, 2, 3]}
    assert [child["partition"]["split"] for child in root["children"]] == [1, 2, 3]
