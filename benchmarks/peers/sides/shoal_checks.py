"""k, l and t that a written table reaches, by `shoal verify`. The last column is sensitive."""

from side import report, table_file

import shoal

path = table_file()
*keys, sensitive = path.read_text(encoding="utf-8").partition("\n")[0].replace('"', "").split(",")


def policy():
    return {
        "columns": {name: {"role": "quasi_identifier", "kind": "nominal"} for name in keys}
        | {sensitive: {"role": "sensitive", "kind": "nominal"}},
        "requirements": [
            {"name": "k_anonymity", "k": 2},
            {"name": "distinct_l_diversity", "l": 2, "column": sensitive},
            {"name": "t_closeness", "t": 0.5, "column": sensitive},
        ],
    }


def reached(proof):
    names = ("k", "l", "t")
    return {name: float(verdict.reached) for name, verdict in zip(names, proof.verdicts, strict=True)}


report(lambda: shoal.verify(path, policy()), reached)
