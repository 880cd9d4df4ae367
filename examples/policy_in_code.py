"""Let Shoal propose a policy, correct it in Python as a typed value, and keep it as a file."""

from pathlib import Path

import shoal

people = shoal.datasets.synthetic_census(1_000, seed=2)

draft = shoal.propose(people)
print("proposed:", ", ".join(f"{each.name} is {each.role}" for each in draft.suggestions[:4]))
for question in draft.questions[:2]:
    print("please decide:", question)
Path("policy.toml").write_text(draft.text, encoding="utf-8")  # with a comment for every line

roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "region": "quasi_identifier", "income": "sensitive"}
policy = shoal.Policy.model_validate(
    {
        "requirements": [shoal.KAnonymity(5), shoal.TCloseness(0.3, "income", "ordered")],
        "columns": {
            name: {"role": role, "kind": "numeric" if name in ("age", "income") else "nominal"}
            for name, role in roles.items()
        },
    }
)
release = shoal.protect(people.select(list(roles)), policy)
print(release)
