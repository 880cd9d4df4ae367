"""Compare methods on one table: what each loses, and how many persons an intruder still finds."""

import shoal

people = shoal.datasets.synthetic_census(600, seed=3).select(["age", "sex", "region", "education", "health_condition"])
policy = {
    "requirements": [{"name": "k_anonymity", "k": 5}],
    "limits": {"linked_persons": 0.2, "prosecutor_risk": 0.2},
    "suppression": {"limit": 0.05},
    "columns": {
        "age": {"role": "quasi_identifier", "kind": "numeric"},
        "sex": {"role": "quasi_identifier"},
        "region": {"role": "quasi_identifier"},
        "education": {
            "role": "quasi_identifier",
            "kind": "ordinal",
            "order": list(shoal.datasets.CENSUS_EDUCATION_ORDER),
        },
        "health_condition": {"role": "sensitive"},
    },
}

found = shoal.compare(people, policy, grid={"method.name": ["mdav", "mondrian", "global_recoding"]})
for each in found.policies:
    outcome = each.outcome
    print(f"{each.settings_text}: loses {outcome.information_loss:.1f} %, {outcome.linked_persons:.1f} % found")
print("recommended:", found.name_of(found.recommended))
