"""Special uniques of an original: records that some of its keys already single out.

Scores as in `shoal.assessment.risk.suda`, from the minimal sample uniques that counting the sets of keys has found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.assessment.profile.key_table import KeyClasses, KeyTable
from shoal.assessment.profile.unique_sets import UniqueSets
from shoal.assessment.risk.suda import contributions, dis_scores, suda_weights
from shoal.kernels import Labels


@dataclass(frozen=True)
class SpecialUniques:
    """Records that are unique on some of the keys, and the keys that make them so.

    n_records      records with a minimal sample unique of the sets that were counted
    n_hidden       records that all keys together single out, and none of the sets that were counted; 0 if these were
                   all sets
    by_size        records that a single key singles out, then two but no single one, then three but no two, and so on
                   to the largest sets that were counted
    keys           the keys that were combined
    contributions  percent of the sum of SUDA scores that is due to sets with the key, for each of these keys
    highest_dis    the highest DIS-SUDA score, in percent, as of sdcMicro with original_scores=FALSE; None without
                   weights, which give the sampling fraction, and where not all keys were combined
    """

    n_records: int
    n_hidden: int
    by_size: tuple[int, ...]
    keys: tuple[str, ...]
    contributions: tuple[float, ...]
    highest_dis: float | None


def special_uniques(table: KeyTable, classes: KeyClasses, found: UniqueSets) -> SpecialUniques:
    d = len(found.combined)
    weights = suda_weights(d, found.largest)
    scores = found.by_row @ weights
    shares = contributions(found.by_key @ weights, float((scores * table.n).sum()))
    is_special = scores > 0
    smallest = np.argmax(found.by_row[is_special] > 0, axis=1)
    n_records, n_unique = int(table.n[is_special].sum()), int(classes.n[classes.n_units == 1].sum())
    return SpecialUniques(
        n_records,
        n_unique - n_records,
        tuple(int(n) for n in np.bincount(smallest, table.n[is_special], found.largest)),
        tuple(table.names[key] for key in found.combined),
        tuple(float(share) for share in shares),
        _highest_dis(found.by_row[is_special].repeat(table.n[is_special], axis=0), table, classes, d),
    )


def _highest_dis(unique_sets: Labels, table: KeyTable, classes: KeyClasses, d: int) -> float | None:
    """``unique_sets``: the minimal sample uniques of every special unique, by their size."""
    fraction = int(classes.n_persons.sum()) / float(classes.persons.sum())
    if table.persons is None or fraction >= 1 or d < len(table.names):
        return None
    n_unique, n_paired = (int(classes.n[classes.n_units == size].sum()) for size in (1, 2))
    return 100 * float(dis_scores(unique_sets, d, fraction, n_unique, n_paired).max(initial=0))
