"""Sixty policies over small stored tables, and what Shoal is asked about the release of each.

    tables/persons.csv      72 persons of 27 households, from the stored census
    tables/sorted.csv       80 records in the order of age, then zip
    tables/skewed.csv       84 records: incomes, wealth that is often 0, a rare answer, weights
    tables/stays.csv        86 hospital stays of 56 patients: codes, dates, -99 for missing
    tables/survey.csv       90 persons nested in households, with values of the household
    tables/firms.csv        72 firms, some of one holding, with turnover
    tables/gaps.csv         75 records with zeros and gaps; semicolons, decimal commas, words for missing
    tables/labelled.csv     70 answers to a questionnaire, in codes; the labels are written to a file of Stata
    tables/year1.csv, year2.csv                 80 persons, and who of them is there a year later
    tables/NAME_by_another_tool.csv             releases that Shoal did not make
    tables/population.csv                       who the records of skewed.csv are drawn from

All are made up. A table is small because an assessment of 80 records says as many sentences as one of 8,000.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from golden.cases import CASES, COLUMNS

ASSESS, LINK = "assess DATA RELEASE -p policy.toml", "link DATA RELEASE -p policy.toml"
FIGURES = f"{ASSESS} --json"  # paired by the policy
UNPAIRED = "assess DATA RELEASE --json"
PROFILE = "profile DATA -p policy.toml --json"


@dataclass(frozen=True)
class Case:
    """A policy, its table, and what is asked of the release besides its own figures.

    asked    commands of the shell; DATA and RELEASE are the files, ``--report`` names a page that is kept as well
    reports  whether the report of the release is kept, in both editions
    html     whether the visible text of the page is kept
    """

    table: str
    policy: dict[str, Any]
    asked: tuple[str, ...] = ()
    reports: bool = False
    html: bool = False
    earlier: tuple[str, ...] = field(default=())  # tables that are released first, by the same policy


def quasi(kind: str = "nominal", **more: Any) -> dict[str, Any]:
    return {"role": "quasi_identifier", "kind": kind, **more}


OTHER, AMOUNT = {"role": "other"}, {"role": "other", "kind": "numeric"}
NUMBER, SENSITIVE, IDENTIFIER = quasi("numeric"), {"role": "sensitive"}, {"role": "identifier"}
WEIGHT = {"role": "weight", "kind": "numeric"}
ZIP = quasi(taxonomy={"prefixes": [3, 1]})
TABLES: dict[str, dict[str, Any]] = {
    "persons": COLUMNS,
    "sorted": {
        "age": NUMBER,
        "zip": ZIP,
        "sex": quasi(),
        "education": quasi("ordinal", order=["primary", "secondary", "tertiary"]),
        "height": AMOUNT,
        "disease": SENSITIVE,
    },
    "skewed": {
        "nr": IDENTIFIER,
        "region": quasi(),
        "sex": quasi(),
        "persons": NUMBER,
        "income": AMOUNT,
        "wealth": AMOUNT,
        "debtor": SENSITIVE,
        "weight": WEIGHT,
    },
    "stays": {
        "patient": {"role": "unit"},
        "born": quasi("date"),
        "sex": quasi(),
        "postal_code": ZIP,
        "admitted": quasi("date", grid="month"),
        "icd": SENSITIVE | {"taxonomy": {"prefixes": [3, 1]}},
        "nights": AMOUNT,
        "discharge": OTHER,
    },
    "survey": {
        "household": {"role": "household"},
        "member": AMOUNT,
        "region": quasi(level="household"),
        "tenure": quasi(level="household"),
        "relation": OTHER,
        "sex": quasi(),
        "age": NUMBER,
        "activity": quasi(),
        "income": SENSITIVE | {"kind": "numeric"},
        "weight": WEIGHT,
    },
    "firms": {
        "firm": IDENTIFIER,
        "holding": IDENTIFIER,
        "nace": quasi(),
        "region": quasi(),
        "staff": NUMBER,
        "turnover": SENSITIVE | {"kind": "numeric"},
        "wages": AMOUNT,
        "weight": WEIGHT,
    },
    "gaps": {
        "Ort": quasi(),
        "Stand": quasi(),
        "Alter": NUMBER,
        "Miete": NUMBER,
        "Abweichung": AMOUNT,
        "erkrankt": SENSITIVE,
        "Datum": quasi("date"),
    },
    "labelled": {
        "serial": IDENTIFIER,
        "gender": quasi(),
        "schooling": quasi("ordinal", order=["1", "2", "3", "4", "9"]),
        "area": quasi(),
        "years": NUMBER,
        "health": SENSITIVE,
    },
    "year2": {
        "person": IDENTIFIER,
        "age": NUMBER,
        "region": quasi(),
        "schooling": NUMBER,
        "condition": SENSITIVE,
        "visits": AMOUNT,
    },
}
LABELS = {
    "gender": {1: "man", 2: "woman"},
    "schooling": {1: "none", 2: "basic", 3: "vocational", 4: "university", 9: "no answer"},
    "area": {1: "town", 2: "suburb", 3: "country"},
    "health": {1: "good", 2: "fair", 3: "bad"},
}
SOURCES = {
    "stays": {"missing": ["", "-99"]},
    "gaps": {"decimal": ",", "missing": ["", "k. A."], "date_format": "%d.%m.%Y"},
}


def k_anonymity(k: int = 3) -> dict[str, Any]:
    return {"name": "k_anonymity", "k": k}


def of(column: str, name: str, **parameters: Any) -> dict[str, Any]:
    """A requirement on a column."""
    return {"name": name, "column": column, **parameters}


def case(
    table: str,
    *requirements: dict[str, Any],
    asked: tuple[str, ...] = (),
    reports: bool = False,
    html: bool = False,
    columns: dict[str, Any] | None = None,
    earlier: tuple[str, ...] = (),
    **more: Any,
) -> Case:
    """``columns`` take the place of those that the table usually has."""
    rules = {"requirements": list(requirements), "columns": TABLES[table] | (columns or {}), **more}
    if table in SOURCES:
        rules["source"] = SOURCES[table]
    return Case(table, rules, asked, reports, html, earlier)


def golden(name: str, *asked: str, reports: bool = False) -> Case:
    """A policy whose released bytes are kept, too, on fewer records."""
    return Case("persons", CASES[name], asked, reports)


PERMUTED = {"permute": True}
FEW = {"zip": OTHER, "education": OTHER}
BLOCKS = "--blocking standard --block-key sex --block-key region --decimals 1"
LIMITS = {"linked_persons": 0.05, "prosecutor_risk": 0.25, "attribute_disclosure": 0.2, "suppressed": 0.02}

SHOWN_MOST: dict[str, Case] = {  # of make test: every command, every table that is odd in a way of its own
    "mdav_of_persons": golden("mdav", "verify RELEASE -p policy.toml", FIGURES, reports=True),
    "households_of_a_survey": case(
        "survey", k_anonymity(), asked=(PROFILE, UNPAIRED), reports=True, suppression={"limit": 0.2}
    ),
    "stays_of_patients": case(
        "stays",
        k_anonymity(),
        of("icd", "distinct_l_diversity", l=2),
        asked=("verify RELEASE -p policy.toml --json", f"{LINK} --by rank --json"),
        reports=True,
        suppression={"limit": 0.1},
    ),
    "firms_by_dominance": case(
        "firms",
        k_anonymity(),
        of("turnover", "dominance", share=0.8),
        of("turnover", "p_percent", p=5),
        asked=(PROFILE,),
        reports=True,
        output={"totals_by": ["nace"], "weights": "rounded"},
        suppression={"limit": 0.2},
    ),
    "extents_within_limits": case(
        "sorted",
        k_anonymity(),
        of("disease", "t_closeness", t=0.6),
        asked=(f"{ASSESS} --report assessment.md", "assess DATA FOREIGN -p policy.toml --truth position --json"),
        output={"representation": "extents", "ends": True},
        limits=LIMITS,
    ),
    "mondrian_of_gaps": case("gaps", k_anonymity(), asked=(PROFILE,), html=True, method={"name": "mondrian"}),
    "local_suppression_of_labels": case(
        "labelled", k_anonymity(), asked=(UNPAIRED,), reports=True, local_suppression={}
    ),
    "compared_over_a_grid": case(
        "sorted",
        k_anonymity(),
        asked=("compare DATA -p policy.toml --grid method.k=2,4 --json",),
        columns=FEW,
        method={"name": "mdav", "k": 3},
        limits=LIMITS,
    ),
    "mended": case(
        "skewed",
        k_anonymity(2),
        asked=("mend DATA -p policy.toml --json",),
        columns=dict.fromkeys(("persons", "income", "weight"), IDENTIFIER),
        output=PERMUTED,
    ),
    "swapped_and_rounded": case(
        "skewed",
        asked=(f"{LINK} {BLOCKS} --json", "assess DATA FOREIGN --id nr --json"),
        columns={"income": NUMBER, "wealth": NUMBER},
        method={"name": "none"},
        perturbations=[
            {"name": "rank_swap", "p": 8, "columns": ["income"]},
            {"name": "noise", "alpha": 0.05, "columns": ["wealth"]},
            {"name": "pram", "stay": 0.8, "columns": ["sex"]},
            {"name": "rounding", "base": 2, "columns": ["persons"]},
        ],
    ),
    "cuts_with_a_certificate": case(
        "sorted",
        k_anonymity(),
        asked=("verify RELEASE -p policy.toml --certificate release.certificate.json --original DATA --json",),
        reports=True,
        columns=FEW,
        method={"name": "gensearch", "cuts": {"age": 6}, "nodes": 2_000},
    ),
    "refused": golden("mdav_units_diverse"),
}

OTHERS: dict[str, Case] = {
    # methods and blocks, on the persons whose golden releases are kept
    "persons_households": golden("mdav_households", FIGURES, PROFILE, reports=True),
    "persons_weights": golden("mdav_weights", FIGURES),
    "persons_suppressed": golden("mdav_diverse_suppressed", FIGURES, reports=True),
    "persons_permuted": golden("mdav_permuted", FIGURES, UNPAIRED),
    "persons_anatomy": golden("mdav_anatomy", FIGURES, f"{LINK} --by extents --json", reports=True),
    "persons_blocks": golden("mdav_blocks_repaired", FIGURES, f"{LINK} --by mahalanobis --json"),
    "persons_key_sets": golden("mdav_key_sets", FIGURES, reports=True),
    "persons_pseudonyms": golden("mdav_pseudonyms", FIGURES),
    "persons_vmdav": golden("vmdav_auto", FIGURES, f"{LINK} --one-to-one --json"),
    "persons_micro_som": golden("micro_som", FIGURES, reports=True),
    "persons_controlled": golden("mdav_controlled", FIGURES),
    "persons_weighted_columns": golden("mdav_weighted_columns", LINK),
    "persons_recoded": golden("recoded", FIGURES, reports=True),
    "persons_mondrian": golden("mondrian", FIGURES, UNPAIRED),
    "persons_global_recoding": golden("global_recoding", FIGURES, f"{LINK} --by extents", reports=True),
    "persons_wildcards": golden("local_suppression_wildcard", FIGURES, UNPAIRED),
    "persons_perturbed": golden("perturbed_numbers", FIGURES, ASSESS, reports=True),
    "persons_shifted_dates": golden("shifted_dates", FIGURES),
    "persons_perturbed_categories": golden("perturbed_categories", FIGURES),
    # requirements
    "entropy": case("sorted", k_anonymity(), of("disease", "entropy_l_diversity", l=1.5), asked=(FIGURES,)),
    "recursive": case("sorted", k_anonymity(), of("disease", "recursive_l_diversity", c=4, l=2), asked=(FIGURES,)),
    "alpha_k": case("sorted", of("disease", "alpha_k_anonymity", alpha=0.8, k=3), reports=True),
    "delta_and_beta": case(
        "skewed",
        k_anonymity(),
        of("debtor", "beta_likeness", beta=3),
        asked=(UNPAIRED,),
        suppression={"limit": 0.5},
    ),
    "risk_thresholds": case(
        "skewed",
        {"name": "prosecutor_risk", "maximum": 0.34},
        of("weight", "journalist_risk", maximum=0.1),
        {"name": "marketer_risk", "average": 0.3},
        {"name": "records_at_risk", "share": 0.05, "threshold": 0.3},
        asked=(FIGURES,),
        reports=True,
    ),
    "minimum_length": case("sorted", k_anonymity(), of("age", "minimum_length", width=10), method={"name": "mondrian"}),
    "contributors": case(
        "firms",
        k_anonymity(),
        of("turnover", "minimum_contributors", n=3),
        asked=(FIGURES,),
        within=["region"],
        suppression={"limit": 0.3},
    ),
    "firms_of_holdings": case(
        "firms",
        k_anonymity(2),
        asked=(FIGURES, PROFILE),
        columns={"holding": {"role": "unit"}},
        output={"totals_by": ["region"]},
    ),
    # tables of other kinds, and what is asked of them
    "survey_extents": case(
        "survey",
        k_anonymity(),
        asked=(FIGURES,),
        reports=True,
        output={"household": "unlinked", "representation": "extents"},
    ),
    "survey_scenario": case(
        "survey", k_anonymity(), asked=(ASSESS,), reports=True, scenario="public-use", output={"household": "unlinked"}
    ),
    "survey_in_strata": case("survey", k_anonymity(), asked=(FIGURES,), within=["tenure"], suppression={"limit": 0.4}),
    "stays_in_classes": case(
        "stays",
        k_anonymity(),
        asked=(FIGURES, "assess DATA FOREIGN -p policy.toml --truth position --json"),
        method={"name": "mondrian"},
    ),
    "stays_by_a_profile": case("stays", k_anonymity(2), asked=("profile DATA -p policy.toml --report profile.md",)),
    "stays_of_another_tool": case(
        "stays",
        asked=("assess DATA FOREIGN --json", "link DATA FOREIGN --truth position"),
        method={"name": "none"},
    ),
    "gaps_and_analyses": case(
        "gaps",
        k_anonymity(),
        asked=(FIGURES,),
        reports=True,
        analyses=[{"formula": "Miete ~ Alter + Stand"}, {"name": "ill by age", "formula": "erkrankt ~ Alter"}],
    ),
    "gaps_guessed": case("gaps", k_anonymity(), asked=("profile DATA", "init DATA -o proposed.toml")),
    "gaps_imputed": case(
        "gaps",
        k_anonymity(),
        asked=(FIGURES,),
        perturbations=[
            {"name": "imputation", "columns": ["Alter"]},
            {"name": "top_bottom_code", "top_share": 0.05, "columns": ["Miete"]},
        ],
        method={"name": "mdav"},
    ),
    "labels_of_a_questionnaire": case("labelled", k_anonymity(), asked=(ASSESS,), reports=True, html=True),
    "labels_generalized": case("labelled", k_anonymity(), asked=(FIGURES, PROFILE), method={"name": "global_recoding"}),
    "a_year_later": case(
        "year2",
        k_anonymity(),
        asked=(
            f"{ASSESS} --earlier earlier.csv --person person --json",
            "verify RELEASE -p policy.toml --earlier earlier.csv --person person --json",
        ),
        reports=True,
        earlier=("year1",),
        suppression={"limit": 0.3},
    ),
    "skewed_population": case(
        "skewed",
        k_anonymity(),
        asked=(f"{ASSESS} --population POPULATION --json", PROFILE, "init DATA -o proposed.toml"),
    ),
    "skewed_by_another_tool": case(
        "skewed",
        k_anonymity(),
        asked=(
            "assess DATA FOREIGN --id nr --report foreign.md --edition external",
            "link DATA FOREIGN --id nr --by probabilistic",
        ),
        output={"weights": "stratum"},
    ),
    "blockings_in_a_table": case(
        "sorted", k_anonymity(2), asked=(f"{LINK} --blocking-table", f"{LINK} --blocking fuzzy --json")
    ),
    "an_intruder_who_knows_less": case(
        "sorted",
        k_anonymity(),
        asked=(f"{ASSESS} --known age --known sex --precision age=5 --persons 0.5 --json",),
        linkage={"blocking": {"method": "standard", "keys": ["sex"]}},
    ),
    "compared_pages": case(
        "skewed",
        k_anonymity(2),
        asked=(
            "compare DATA -p policy.toml --grid method.name=mdav,vmdav --grid method.k=2,3 --pair 1,3 "
            "--report comparison.md",
            "compare DATA -p policy.toml --edition external --report external.md",
        ),
        columns={"income": NUMBER, "wealth": IDENTIFIER},
        limits={"linked_persons": 0.2},
    ),
    "compared_without_a_release": case(
        "firms",
        k_anonymity(),
        asked=("compare DATA -p policy.toml --grid requirements.0.k=3,400 --json",),
        limits={"suppressed": 0},
    ),
    "mended_pages": case(
        "skewed",
        k_anonymity(2),
        asked=("mend DATA -p policy.toml --report mends.md",),
        columns=dict.fromkeys(("persons", "income", "wealth"), IDENTIFIER),
    ),
    "page_as_json": case(
        "sorted",
        k_anonymity(),
        of("disease", "distinct_l_diversity", l=2),
        asked=(f"{ASSESS} --report page.json",),
        html=True,
    ),
    "protected_by_the_shell": case(
        "skewed",
        k_anonymity(),
        asked=(
            "protect DATA -p policy.toml -o again.csv --report again.md --edition external",
            "protect DATA -p policy.toml -o again.csv",
            "verify DATA -p policy.toml",
        ),
        columns={"wealth": NUMBER},
    ),
}
NET = SHOWN_MOST | OTHERS
