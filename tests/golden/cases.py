"""The policies whose releases are kept: each method and representation, households, strata, weights, perturbation.

No budget of a clock is among them, so that every machine makes the same release.
"""

from __future__ import annotations

from typing import Any

K = {"name": "k_anonymity", "k": 4}
DIVERSE = {"name": "distinct_l_diversity", "l": 2, "column": "health_condition"}
CLOSE = {"name": "t_closeness", "t": 0.6, "column": "health_condition"}

COLUMNS: dict[str, dict[str, Any]] = {
    "person_id": {"role": "identifier"},
    "household_id": {"role": "identifier"},
    "region": {"role": "other"},
    "municipality": {"role": "quasi_identifier", "taxonomy": {"prefixes": [3, 2]}},
    "sex": {"role": "quasi_identifier"},
    "age": {"role": "quasi_identifier", "kind": "numeric", "decimals": 0},
    "marital_status": {"role": "other"},
    "education": {
        "role": "quasi_identifier",
        "kind": "ordinal",
        "order": ["none", "primary", "lower secondary", "upper secondary", "bachelor", "master or higher"],
    },
    "occupation": {"role": "other"},
    "moved_in": {"role": "quasi_identifier", "kind": "date"},
    "hours_per_week": {"role": "other", "kind": "numeric"},
    "income": {"role": "other", "kind": "numeric"},
    "rent": {"role": "other", "kind": "numeric"},
    "health_condition": {"role": "sensitive"},
    "weight": {"role": "other", "kind": "numeric"},
}
LIVING_TOGETHER = {"household_id": {"role": "household"}}
WEIGHTED = {"weight": {"role": "weight", "kind": "numeric"}}
NUMBERS = {
    name: {"role": "quasi_identifier", "kind": "numeric"} for name in ("age", "hours_per_week", "income", "rent")
}
RECODED = {
    "municipality": {"role": "quasi_identifier", "recode": {"prefix": 2}},
    "age": {"role": "quasi_identifier", "kind": "numeric", "recode": {"intervals": [18, 30, 45, 65]}},
    "moved_in": {"role": "quasi_identifier", "kind": "date", "recode": {"date_part": "year"}},
}
FEW = {"municipality": {"role": "other"}, "moved_in": {"role": "other"}}


def case(*requirements: dict[str, Any], columns: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A policy for the stored census; ``columns`` take the place of those that it usually has."""
    return {"requirements": list(requirements or (K,)), "columns": COLUMNS | (columns or {}), **more}


CASES: dict[str, dict[str, Any]] = {
    "mdav": case(method={"name": "mdav"}),
    "mdav_households": case(columns=LIVING_TOGETHER),
    "mdav_households_unlinked": case(columns=LIVING_TOGETHER, output={"household": "unlinked"}),
    "mdav_units_diverse": case(
        K,
        DIVERSE,
        columns={"household_id": {"role": "unit", "members": ["age"]}},
        perturbations=[{"name": "date_shift", "columns": ["moved_in"], "days": 30}],
        method={"name": "mdav"},
        suppression={"limit": 0.05},
    ),
    "mdav_weights": case(columns=WEIGHTED, seed=3),
    "mdav_strata": case(within=["region"], suppression={"limit": 0.1}),
    "mdav_diverse": case(K, DIVERSE, method={"name": "mdav"}),
    "mdav_diverse_suppressed": case(K, DIVERSE, method={"name": "mdav", "merge": False}, suppression={"limit": 0.5}),
    "mdav_extents": case(output={"representation": "extents", "ends": True}),
    "mdav_permuted": case(K, DIVERSE, output={"permute": True, "shuffle": True}),
    "mdav_anatomy": case(K, DIVERSE, output={"representation": "anatomy", "shuffle": True}),
    "mdav_blocks": case(columns=NUMBERS, blocking={"method": "twod_tree", "limit": 60, "repair": False}),
    "mdav_blocks_repaired": case(columns=NUMBERS, blocking={"method": "twod_tree", "limit": 60, "repair": True}),
    "mdav_key_sets": case(
        {"name": "k_anonymity", "k": 5, "columns": ["age", "sex", "education"]},
        {"name": "k_anonymity", "k": 3, "columns": ["municipality", "moved_in"]},
    ),
    "mdav_pseudonyms": case(columns={"person_id": {"role": "identifier", "pseudonym": "pseudonym.key"}}),
    "vmdav": case(method={"name": "vmdav", "gamma": 0.4}),
    "vmdav_auto": case(columns=NUMBERS, method={"name": "vmdav", "gamma": "auto", "split": True}),
    "mu_approx": case(method={"name": "mu_approx"}),
    "micro_som": case(method={"name": "micro_som", "map": {"size": [4, 5], "shape": "toroid"}}),
    "micro_som_refined": case(columns=NUMBERS, method={"name": "micro_som", "refined": True, "grow": 40}),
    "microaggregate": case(columns=NUMBERS, method={"name": "microaggregate", "proposals": 20_000}),
    "mhm": case(columns=NUMBERS, method={"name": "mhm"}),
    "mst_partition": case(method={"name": "mst_partition"}),
    "genetic": case(columns=NUMBERS, method={"name": "genetic", "generations": 30, "population": 20}),
    "mdav_blocks_of_a_map": case(columns=NUMBERS, blocking={"method": "som", "limit": 60, "map": {"size": [3, 2]}}),
    "mdav_weighted_columns": case(
        columns={"age": {**COLUMNS["age"], "weight": 4}, "sex": {**COLUMNS["sex"], "weight": 0}}
    ),
    "mdav_controlled": case(output={"categories": "controlled"}),
    "recoded": case(columns=RECODED | {"education": {"role": "other"}}, local_suppression={}),
    "mdav_recoded": case(columns=RECODED),
    "mondrian": case(K, DIVERSE, method={"name": "mondrian", "mode": "strict"}),
    "mondrian_greedy_strata": case(K, CLOSE, method={"name": "mondrian", "mode": "greedy"}, within=["sex"])
    | {"columns": COLUMNS | {"sex": {"role": "other"}}},
    "mondrian_centroids": case(method={"name": "mondrian"}, output={"representation": "centroids"}),
    "gensearch": case(columns=FEW, method={"name": "gensearch", "cuts": {"age": 8}, "nodes": 20_000}),
    "gensearch_anatomy": case(
        K, DIVERSE, columns=FEW, method={"name": "gensearch", "nodes": 2_000}, output={"representation": "anatomy"}
    ),
    "global_recoding": case(method={"name": "global_recoding"}),
    "global_recoding_cuts": case(columns=FEW, method={"name": "global_recoding", "scheme": "cuts"}),
    "local_suppression": case(columns=FEW, local_suppression={"importance": {"age": 3}}),
    "local_suppression_wildcard": case(columns=FEW, local_suppression={"blanks": "wildcard"}),
    "perturbed_numbers": case(
        columns=NUMBERS,
        method={"name": "none"},
        perturbations=[
            {"name": "rank_swap", "p": 8, "columns": ["income"]},
            {"name": "noise", "alpha": 0.1, "columns": ["hours_per_week"]},
            {"name": "top_bottom_code", "top_share": 0.05, "columns": ["age"]},
            {"name": "rounding", "base": 50, "columns": ["rent"]},
        ],
    )
    | {"requirements": []},
    "shifted_dates": case(
        columns={"household_id": {"role": "unit"}}, perturbations=[{"name": "date_shift", "columns": ["moved_in"]}]
    )
    | {"requirements": []},
    "perturbed_categories": case(
        columns=FEW,
        method={"name": "mdav"},
        perturbations=[
            {"name": "imputation", "columns": ["education"]},
            {"name": "pram", "stay": 0.7, "columns": ["sex"]},
            {"name": "data_swap", "rate": 0.2, "columns": ["education"]},
        ],
    ),
}
