"""One example of every requirement: the only list of them in the tests.

Tests of the pipeline, of the gate, of laws and of the soak take their parameters from here, so that whatever is added
here is tested by all of them. Columns are those of the survey (tests/survey_example.py), or "s", a sensitive column of
few values. ``tests/registry/test_examples.py`` compares the names with those that a policy knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

import shoal
from reference import requirements as twin
from shoal.requirements import Requirement

Entry = dict[str, Any]  # of a policy
Group = Sequence[Any]  # the sensitive values of a group; None is missing
Paths = Mapping[Any, tuple[Any, ...]]  # from every sensitive value to the root of its taxonomy


@dataclass(frozen=True)
class RequirementExample:
    """A requirement of a policy.

    written    every key of it and a value; columns are those of the policy of tests/policy_examples.py
    read       the same as a value
    surveyed   the same for a column of the survey, where ``written`` names another one
    of_s       parameters for the column "s" which the records of most small tables can meet; a test that needs others
               says so in one of the fields below, where nothing stands for ``of_s``
    figure     the slow twin: the value that a group reaches, from requirement, group, whole and taxonomy
    decision   the slow twin where there is no such value: whether a group satisfies the requirement
    at_least   the larger value protects more; ``strictly``: what is asked is not enough, it must be less
    laws       parameters of the laws of tests/requirements
    mergers    parameters of the law of mergers, which many draws must meet
    proved     parameters that the gate proves piece by piece
    cut        parameters under which Mondrian still cuts 120 records
    searched   what gensearch is asked for besides k; requirements without a compiled test are refused
    survey     policy entries that the survey meets after groups are merged, and does not after they were tampered with
    loose      policy entries without ``column`` that many random tables meet
    drawn      policy entries that a soak of the gate draws, for a strategy of columns
    """

    written: Entry
    read: Requirement
    of_s: Requirement
    surveyed: Entry | None = None
    figure: Callable[[Any, Group, Group, Paths], float] | None = None
    decision: Callable[[Any, Group], bool] | None = None
    at_least: bool = True
    strictly: bool = False
    laws: tuple[Requirement, ...] = ()
    mergers: tuple[Requirement, ...] = ()
    proved: tuple[Requirement, ...] = ()
    cut: tuple[Requirement, ...] = ()
    searched: tuple[list[Requirement], ...] = ()
    survey: tuple[Entry, ...] = ()
    loose: tuple[Entry, ...] = ()
    drawn: Callable[[st.SearchStrategy[str]], list[st.SearchStrategy[Entry]]] | None = None

    def holds(self, requirement: Requirement, group: Group, whole: Group, paths: Paths) -> bool:
        """Whether a group satisfies the requirement, by the slow twin."""
        if self.figure is None:
            assert self.decision is not None
            return self.decision(requirement, group)
        figure = self.figure(requirement, group, whole, paths)
        if self.strictly:
            return figure < requirement.asked
        return figure >= requirement.asked - 1e-6 if self.at_least else figure <= requirement.asked + 1e-6


def _t_figure(requirement: Any, group: Group, whole: Group, paths: Paths) -> float:
    if requirement.distance == "hierarchical":
        return float(twin.t_hierarchical(group, whole, paths))
    return float((twin.t_ordered if requirement.distance == "ordered" else twin.t_equal)(group, whole))


def _drawn(name: str, **keys: Any) -> st.SearchStrategy[Entry]:
    return st.fixed_dictionaries({"name": st.just(name), **keys})


K, FEW, SHARE = st.integers(2, 4), st.integers(2, 3), st.floats(0.05, 0.95)

REQUIREMENTS = {
    "k_anonymity": RequirementExample(
        written={"name": "k_anonymity", "k": 3, "columns": ["age", "zip"]},
        read=shoal.KAnonymity(3, ("age", "zip")),
        of_s=shoal.KAnonymity(3),
        figure=lambda r, g, w, paths: len(g),
        mergers=(shoal.KAnonymity(6),),
        proved=(shoal.KAnonymity(3), shoal.KAnonymity(2, columns=("a",))),
        cut=(shoal.KAnonymity(4),),
        searched=([],),
        drawn=lambda column: [_drawn("k_anonymity", k=K)],
    ),
    "distinct_l_diversity": RequirementExample(
        written={"name": "distinct_l_diversity", "l": 2, "column": "disease", "columns": ["age"]},
        read=shoal.DistinctLDiversity(2, "disease", ("age",)),
        of_s=shoal.DistinctLDiversity(2, "s"),
        figure=lambda r, g, w, paths: twin.distinct_l(g),
        laws=(shoal.DistinctLDiversity(2, "s"), shoal.DistinctLDiversity(3, "s")),
        mergers=(shoal.DistinctLDiversity(3, "s"),),
        cut=(shoal.DistinctLDiversity(3, "s"),),
        searched=([shoal.DistinctLDiversity(3, "s")],),
        loose=({"name": "distinct_l_diversity", "l": 2},),
        drawn=lambda column: [_drawn("distinct_l_diversity", l=FEW, column=column)],
    ),
    "entropy_l_diversity": RequirementExample(
        written={"name": "entropy_l_diversity", "l": 2.5, "column": "pay", "tolerance": "5%"},
        read=shoal.EntropyLDiversity(2.5, "pay", tolerance="5%"),
        surveyed={"name": "entropy_l_diversity", "l": 2.5, "column": "disease"},
        of_s=shoal.EntropyLDiversity(1.5, "s"),
        figure=lambda r, g, w, paths: twin.entropy_l(g),
        laws=(shoal.EntropyLDiversity(2, "s"), shoal.EntropyLDiversity(2.8, "s")),
        mergers=tuple(shoal.EntropyLDiversity(l, "s") for l in (1.5, 2, 3)),  # noqa: E741
        cut=(shoal.EntropyLDiversity(2.5, "s"),),
        searched=([shoal.EntropyLDiversity(2.5, "s")],),
        survey=(
            {"name": "entropy_l_diversity", "l": 2.5, "column": "disease"},
            {"name": "entropy_l_diversity", "l": 2.5, "column": "amount", "tolerance": "20%"},
        ),
        loose=({"name": "entropy_l_diversity", "l": 1.5}, {"name": "entropy_l_diversity", "l": 1.3}),
        drawn=lambda column: [_drawn("entropy_l_diversity", l=st.floats(1.1, 3), column=column)],
    ),
    "recursive_l_diversity": RequirementExample(
        written={"name": "recursive_l_diversity", "c": 3, "l": 2, "column": "disease"},
        read=shoal.RecursiveLDiversity(3, 2, "disease"),
        of_s=shoal.RecursiveLDiversity(2, 2, "s"),
        figure=lambda r, g, w, paths: twin.recursive_l(g, r.c),
        laws=(shoal.RecursiveLDiversity(2, 2, "s"), shoal.RecursiveLDiversity(1.5, 3, "s")),
        mergers=tuple(shoal.RecursiveLDiversity(c, l, "s") for c in (0.8, 1, 3) for l in (2, 3)),  # noqa: E741
        survey=({"name": "recursive_l_diversity", "c": 2, "l": 2, "column": "disease"},),
        loose=({"name": "recursive_l_diversity", "c": 3, "l": 2},),
        drawn=lambda column: [_drawn("recursive_l_diversity", c=st.sampled_from([1, 2, 3.5]), l=FEW, column=column)],
    ),
    "alpha_k_anonymity": RequirementExample(
        written={"name": "alpha_k_anonymity", "alpha": 0.5, "k": 3, "column": "disease"},
        read=shoal.AlphaKAnonymity(0.5, 3, "disease"),
        of_s=shoal.AlphaKAnonymity(0.6, 2, "s"),
        figure=lambda r, g, w, paths: twin.alpha_k(g, r.k),
        at_least=False,
        laws=(shoal.AlphaKAnonymity(0.5, 3, "s"),),
        mergers=(shoal.AlphaKAnonymity(0.5, 4, "s"),),
        cut=(shoal.AlphaKAnonymity(0.6, 3, "s"),),
        searched=([shoal.AlphaKAnonymity(0.5, 4, "s")],),
        survey=({"name": "alpha_k_anonymity", "alpha": 0.5, "k": 4, "column": "disease"},),
        loose=(
            {"name": "alpha_k_anonymity", "alpha": 0.7, "k": 3},
            {"name": "alpha_k_anonymity", "alpha": 0.8, "k": 2},
        ),
        drawn=lambda column: [_drawn("alpha_k_anonymity", alpha=SHARE, k=K, column=column)],
    ),
    "t_closeness": RequirementExample(
        written={"name": "t_closeness", "t": 0.2, "column": "pay", "distance": "ordered"},
        read=shoal.TCloseness(0.2, "pay", "ordered"),
        of_s=shoal.TCloseness(0.3, "s"),
        surveyed={"name": "t_closeness", "t": 0.2, "column": "disease", "distance": "equal"},
        figure=_t_figure,
        at_least=False,
        laws=(
            shoal.TCloseness(0.3, "s"),
            shoal.TCloseness(0.2, "s", "ordered"),
            shoal.TCloseness(0.2, "s", "hierarchical"),
        ),
        mergers=tuple(
            shoal.TCloseness(t, "s", distance) for t in (0.2, 0.4) for distance in ("equal", "ordered", "hierarchical")
        ),
        proved=(shoal.TCloseness(0.3, "s", "ordered"),),
        cut=(shoal.TCloseness(0.25, "s"), shoal.TCloseness(0.2, "s", "hierarchical")),
        searched=([shoal.TCloseness(0.2, "s", "ordered"), shoal.DistinctLDiversity(3, "s")],),
        survey=(
            {"name": "t_closeness", "t": 0.15, "column": "disease", "distance": "equal"},
            {"name": "t_closeness", "t": 0.1, "column": "disease", "distance": "hierarchical"},
            {"name": "t_closeness", "t": 0.1, "column": "amount", "distance": "ordered"},
            {"name": "t_closeness", "t": 0.1, "column": "rank", "distance": "ordered"},
        ),
        loose=(
            {"name": "t_closeness", "t": 0.4},
            {"name": "t_closeness", "t": 0.5},
            {"name": "t_closeness", "t": 0.5, "distance": "ordered"},
            {"name": "t_closeness", "t": 0.6, "distance": "hierarchical"},
        ),
        drawn=lambda column: [
            _drawn("t_closeness", t=SHARE, column=column),
            _drawn("t_closeness", t=SHARE, column=st.just("t"), distance=st.just("ordered")),
        ],
    ),
    "delta_disclosure": RequirementExample(
        written={"name": "delta_disclosure", "delta": 1.5, "column": "disease"},
        read=shoal.DeltaDisclosure(1.5, "disease"),
        of_s=shoal.DeltaDisclosure(1.0, "s"),
        figure=lambda r, g, w, paths: twin.delta(g, w),
        at_least=False,
        strictly=True,
        laws=(shoal.DeltaDisclosure(1.2, "s"),),
        mergers=tuple(shoal.DeltaDisclosure(delta, "s") for delta in (0.8, 1.5)),
        cut=(shoal.DeltaDisclosure(1.5, "s"),),
        searched=([shoal.DeltaDisclosure(1.2, "s")],),
        survey=({"name": "delta_disclosure", "delta": 0.5, "column": "disease"},),
        loose=({"name": "delta_disclosure", "delta": 2.5}, {"name": "delta_disclosure", "delta": 3}),
        drawn=lambda column: [_drawn("delta_disclosure", delta=st.floats(0.1, 3), column=column)],
    ),
    "beta_likeness": RequirementExample(
        written={"name": "beta_likeness", "beta": 2, "column": "disease", "enhanced": True},
        read=shoal.BetaLikeness(2, "disease", enhanced=True),
        of_s=shoal.BetaLikeness(1.0, "s"),
        figure=lambda r, g, w, paths: twin.beta(g, w, r.enhanced),
        at_least=False,
        laws=(shoal.BetaLikeness(1, "s"), shoal.BetaLikeness(1, "s", enhanced=True)),
        mergers=tuple(shoal.BetaLikeness(beta, "s", enhanced) for beta in (0.5, 1.5) for enhanced in (False, True)),
        cut=(shoal.BetaLikeness(1.5, "s"),),
        searched=([shoal.BetaLikeness(1.0, "s")], [shoal.BetaLikeness(1.0, "s", enhanced=True)]),
        survey=(
            {"name": "beta_likeness", "beta": 0.4, "column": "disease"},
            {"name": "beta_likeness", "beta": 0.4, "column": "disease", "enhanced": True},
        ),
        loose=({"name": "beta_likeness", "beta": 2},),
        drawn=lambda column: [_drawn("beta_likeness", beta=st.floats(0.1, 3), column=column)],
    ),
    "epsilon_privacy": RequirementExample(
        written={"name": "epsilon_privacy", "epsilon": 10, "sigma": 100, "b": 2, "column": "disease"},
        read=shoal.EpsilonPrivacy(10, 100, 2, "disease"),
        of_s=shoal.EpsilonPrivacy(3, 2, 0, "s"),
        decision=lambda r, g: bool(twin.epsilon_holds(g, r.epsilon, r.sigma, r.b)),
        at_least=False,
        laws=(
            shoal.EpsilonPrivacy(2.5, 2, 0, "s"),
            shoal.EpsilonPrivacy(3, 4, 2, "s"),
            shoal.EpsilonPrivacy(4, 1, 0, "s"),
        ),
        mergers=tuple(shoal.EpsilonPrivacy(e, sigma, b, "s") for e in (1.5, 3) for sigma in (1, 6) for b in (0, 1, 3)),
        cut=(shoal.EpsilonPrivacy(3, 4, 1, "s"),),
        searched=([shoal.EpsilonPrivacy(3, 4, 1, "s")],),
        survey=({"name": "epsilon_privacy", "epsilon": 3, "sigma": 20, "b": 2, "column": "disease"},),
        loose=({"name": "epsilon_privacy", "epsilon": 3, "sigma": 20, "b": 2},),
    ),
    "minimum_length": RequirementExample(
        written={"name": "minimum_length", "width": 5, "column": "age"},
        read=shoal.MinimumLength(5, "age"),
        of_s=shoal.MinimumLength(5, "age"),
        loose=({"name": "minimum_length", "width": 2},),
        searched=(
            [shoal.MinimumLength(3, "age")],
            [shoal.MinimumLength(1, "job"), shoal.MinimumLength(1, "town")],
        ),
    ),
    "prosecutor_risk": RequirementExample(
        written={"name": "prosecutor_risk", "maximum": 0.34, "columns": ["age", "zip"]},
        read=shoal.ProsecutorRisk(0.34, ("age", "zip")),
        of_s=shoal.ProsecutorRisk(0.34),
        figure=lambda r, g, w, paths: 1 / len(g),
        at_least=False,
        mergers=(shoal.ProsecutorRisk(1 / 6),),
        cut=(shoal.ProsecutorRisk(0.25),),
        searched=([shoal.ProsecutorRisk(0.25)],),
        drawn=lambda column: [_drawn("prosecutor_risk", maximum=st.sampled_from([0.2, 0.3, 0.5]))],
    ),
    "journalist_risk": RequirementExample(
        written={"name": "journalist_risk", "maximum": 0.1, "sampling_fraction": 0.25},
        read=shoal.JournalistRisk(0.1, sampling_fraction=0.25),
        of_s=shoal.JournalistRisk(0.1, sampling_fraction=0.25),
        figure=lambda r, g, w, paths: r.sampling_fraction / len(g),
        at_least=False,
        drawn=lambda column: [_drawn("journalist_risk", maximum=st.just(0.1), sampling_fraction=st.just(0.25))],
    ),
    "marketer_risk": RequirementExample(
        written={"name": "marketer_risk", "average": 0.2},
        read=shoal.MarketerRisk(0.2),
        of_s=shoal.MarketerRisk(0.4),
        at_least=False,
    ),
    "records_at_risk": RequirementExample(
        written={"name": "records_at_risk", "share": 0.1, "threshold": 0.2},
        read=shoal.RecordsAtRisk(0.1, 0.2),
        of_s=shoal.RecordsAtRisk(0.5, 0.4),
        at_least=False,
    ),
    "dominance": RequirementExample(
        written={"name": "dominance", "share": 0.8, "contributors": 2, "column": "pay"},
        read=shoal.Dominance(0.8, "pay", 2),
        of_s=shoal.Dominance(0.8, "s"),
        surveyed={"name": "dominance", "share": 0.8, "contributors": 2, "column": "age"},
        at_least=False,
    ),
    "p_percent": RequirementExample(
        written={"name": "p_percent", "p": 10, "column": "pay"},
        read=shoal.PPercent(10, "pay"),
        of_s=shoal.PPercent(10, "s"),
        surveyed={"name": "p_percent", "p": 10, "column": "age"},
    ),
    "minimum_contributors": RequirementExample(
        written={"name": "minimum_contributors", "n": 3, "column": "pay"},
        read=shoal.MinimumContributors(3, "pay"),
        of_s=shoal.MinimumContributors(3, "s"),
        surveyed={"name": "minimum_contributors", "n": 2, "column": "age"},
    ),
    "m_invariance": RequirementExample(
        written={"name": "m_invariance", "m": 2, "column": "disease"},
        read=shoal.MInvariance(2, "disease"),
        of_s=shoal.MInvariance(2, "s"),
        figure=lambda r, g, w, paths: twin.m_invariance(g),
        laws=(shoal.MInvariance(2, "s"), shoal.MInvariance(3, "s")),
        mergers=(shoal.MInvariance(2, "s"), shoal.MInvariance(3, "s")),
        cut=(shoal.MInvariance(2, "s"),),
        searched=([shoal.MInvariance(2, "s")],),
        survey=({"name": "m_invariance", "m": 2, "column": "disease"},),
        drawn=lambda column: [_drawn("m_invariance", m=FEW, column=column)],
    ),
}


def parameters(field: str, reading: Callable[[Requirement], bool] = lambda each: True) -> list[Any]:
    """The parameters that a field names, requirement after requirement; ``of_s`` where it names none.

    ``reading``: which requirements a test can judge, by what they read.
    """
    return [
        each
        for example in REQUIREMENTS.values()
        if reading(example.of_s)
        for each in getattr(example, field) or (example.of_s,)
    ]


def on_column(entry: Entry, column: str) -> Entry:
    """The entry of a policy, for a sensitive column."""
    return {**entry, "column": column}


def example_of(requirement: Requirement) -> RequirementExample:
    return REQUIREMENTS[requirement.name]
