"""What the class of a person in a release tells about their health, by `shoal assess`, with all its other findings."""

from side import report, table_file

import shoal

KEYS = {"region": "nominal", "sex": "nominal", "age": "numeric", "education": "nominal", "occupation": "nominal"}
SECRET = "health_condition"

columns = [shoal.Column(name, "quasi_identifier", kind) for name, kind in KEYS.items()]
schema = shoal.Schema([*columns, shoal.Column(SECRET, "sensitive", "nominal")])


def guessed(found):
    attack = next(each for each in found.attacks if each.figure.name == f"right guesses of {SECRET}")
    return {"right guesses, %": attack.figure.estimate, "baseline, %": attack.figure.baseline}


report(lambda: shoal.assess(table_file(1), table_file(2), schema, truth="position"), guessed)
