"""Protect a table of persons, look at what the report says, and prove the written file again."""

import shoal

people = shoal.datasets.synthetic_census(2_000, seed=1).select(
    ["age", "sex", "region", "education", "health_condition"]
)

policy = {
    "requirements": [
        {"name": "k_anonymity", "k": 5},
        {"name": "distinct_l_diversity", "l": 2, "column": "health_condition"},
    ],
    "method": {"name": "mdav"},
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

release = shoal.protect(people, policy)
print(release)
for name in ("highest prosecutor risk", "unique records", "linked persons, distance", "information loss"):
    finding = release.findings[name]
    print(f"{name}: {finding.shown(finding.estimate)}, before {finding.shown(finding.baseline)}")

release.write("people")  # the release, its manifest, and a report that stays in the house
proof = shoal.verify("people/release.parquet", policy)
print("proven again:", proof.holds)
