"""The score of a release, by its numeric quasi-identifiers.

aligned original and release -> Score
"""

from __future__ import annotations

from shoal.assessment.linkage_attacks import LinkageAttacks, linkage_attacks
from shoal.assessment.numeric_pair import numeric_pair
from shoal.assessment.risk.informed.published_methods import PublishedMethods
from shoal.assessment.risk.interval import interval_disclosure
from shoal.assessment.score import Score
from shoal.assessment.table_pair import AlignedTables
from shoal.assessment.utility.moments import mean_variation
from shoal.linkage.intruder import Intruder

SCORED_MEASURES = ("distance", "probabilistic")


def release_score(
    aligned: AlignedTables, intruder: Intruder, attacks: LinkageAttacks, published: PublishedMethods | None = None
) -> tuple[Score | None, tuple[str, ...]]:
    """The score in the worst case: an intruder who holds all numeric quasi-identifiers of everybody. The ``attacks`` of
    ``intruder`` are reused if they were this case. Without a score, a note says why. For intervals, a person's distance
    is that to the middle, or 0 within the interval (linkage by extents): the more successful attack counts.
    ``published``: how values were changed, for the strongest linkage.
    """
    names = [n for n in aligned.schema.quasi_identifiers if aligned.schema[n].kind in ("numeric", "date")]
    if not names:
        return None, ("There is no score: no quasi-identifier is numeric.",)
    recoded = [name for name in names if name not in aligned.schema_of_distances]
    if recoded:
        return None, (f"There is no score: {', '.join(recoded)} cannot be compared with the values before recoding.",)
    pair = numeric_pair(aligned.before_recoding, aligned.after(aligned.single_valued), aligned.schema)
    if pair is None:
        return None, ("There is no score: too few records have a known value in every numeric quasi-identifier.",)
    worst = Intruder(seed=intruder.seed)
    is_worst_case = intruder == worst and len(names) == len(aligned.schema.quasi_identifiers)
    used = attacks if is_worst_case else linkage_attacks(aligned, worst, names, published=published)
    notes, links = tuple(note for note in used.notes if note not in attacks.notes), used.linkages
    if any(by not in links for by in SCORED_MEASURES):
        return None, (*notes, "There is no score: not all linkage attacks on the numeric quasi-identifiers were tried.")
    score = Score(
        information_loss=mean_variation(pair.original, pair.released).information_loss,
        interval_disclosure=interval_disclosure(pair.original, pair.released).estimate,
        distance_linkage=100 * max(links[by].risk for by in ("distance", "extents") if by in links),
        probabilistic_linkage=100 * links["probabilistic"].risk,
        other_linkage=100 * max((link.risk for by, link in links.items() if by not in SCORED_MEASURES), default=0.0),
    )
    return score, tuple(f"For the score: {note}" for note in notes)
