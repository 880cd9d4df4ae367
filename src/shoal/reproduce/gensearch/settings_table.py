"""The whole grid of settings as Markdown: costs of three Mondrians and of both searches, and the proven bound."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.reproduce.gensearch.experiment_runs import QUEUE_LENGTHS, Run
from shoal.reproduce.gensearch.mondrians import MONDRIANS


def settings_table(runs: Sequence[Run]) -> str:
    names = [
        *("experiment", "setting", "loss", "splits"),
        *MONDRIANS,
        *(f"enumeration, {length:,} wait" for length in QUEUE_LENGTHS),
        *("boxes", "lower bound"),
    ]
    head = f"## All settings\n\n| {' | '.join(names)} |\n|---|---|---|{'---:|' * (len(names) - 3)}\n"
    return head + "".join(map(_line, runs))


def _line(one: Run) -> str:
    costs = [*one.mondrians.values(), *one.enumerations.values(), one.boxes, one.lower_bound]
    cells = [one.experiment, one.setting, one.loss, str(one.n_splits), *(f"{cost:,.0f}" for cost in costs)]
    return f"| {' | '.join(cells)} |\n"
