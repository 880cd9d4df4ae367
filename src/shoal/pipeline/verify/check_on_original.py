"""Checks of a certificate against the original: cost, requirements, classes and, if small enough, the lower bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal import progress
from shoal.encode.count_table import CountTable
from shoal.engines.protocol import Engine, F
from shoal.methods import Gensearch
from shoal.methods.generalization.certificate import CertificateCheck, check
from shoal.methods.generalization.coded_counts import CodedCounts
from shoal.methods.generalization.exhaustive_boxes import MOST_WORK, Work
from shoal.methods.generalization.plan_cost import failing_blocks
from shoal.methods.generalization.splits import attributes
from shoal.pipeline.files.certificates import PlanCertificate, certificate_labels, plan_subject
from shoal.pipeline.protect.fitted_table import FittedTable
from shoal.pipeline.protect.key_set_counts import KeySetCounts, counts_by_key_set, strata_of
from shoal.pipeline.protect.perturbation_step import perturb_table
from shoal.pipeline.verify.check_on_release import Check
from shoal.plan import CutTree
from shoal.policy import ReleasePlan
from shoal.release.grammar import write
from shoal.schema import Schema

PROVED_AGAIN, TOO_LARGE = "proved again", "too large to prove again"

Class = tuple[str | None, ...]


@dataclass(frozen=True)
class CertificateRecount:
    """Checks of the certificates of one key set. ``released``: the classes of the release by stratum; None where they
    are not the blocks, or where another key set suppresses records of them."""

    key_counts: KeySetCounts
    method: Gensearch
    released: Mapping[int, Mapping[Class, int]] | None

    def checks(self, stratum: int, counts: CountTable, one: PlanCertificate, label: str, work: Work) -> Iterator[Check]:
        tree, requirements = CutTree.from_json(one.certificate.tree), self.key_counts.key_set.requirements
        domains = [attribute.domain for attribute in attributes(counts, self.key_counts.schema, self.method.cuts)]
        splits = {domain.name: domain.n_codes for domain in domains}
        same = tuple(domains) == tree.domains and splits == dict(one.certificate.splits)
        yield Check("splits of the original", same, label=label)
        known = one.certificate.target is None or one.certificate.target in counts.names
        if not (same and known) or tuple(map(repr, requirements)) != one.certificate.requirements:
            return  # made for other splits, target or requirements: cannot be counted
        schema, cuts, whole = self.key_counts.schema, self.method.cuts, self.key_counts.whole
        found = check(
            one.certificate, counts, schema, requirements, cuts, whole=whole, work=work, loss=self.method.loss
        )
        yield from _recount_checks(found, label)
        if self.released is None:
            yield Check("classes are the blocks", None, "the release does not show its blocks", label)
        else:
            suppressed = failing_blocks(CodedCounts.read(counts, schema, requirements, cuts, whole=whole), tree)
            blocks = classes_of_tree(tree, counts, schema, suppressed)
            yield Check("classes are the blocks", blocks == dict(self.released.get(stratum, {})), label=label)


def checks_on_original(
    original: FittedTable[F], method: Gensearch, certified: Sequence[PlanCertificate], release: F, engine: Engine[F]
) -> Iterator[Check]:
    """Checks of all certificates against the original; ``release`` belongs to ``engine``."""
    changed = perturb_table(original)
    name_of = {id(one): label for one, label in zip(certified, certificate_labels(certified), strict=True)}
    left, done_so_far = list(certified), 0
    with progress.stage("recounting the certificate", len(certified)) as done:
        in_part = any(one.in_part for one in certified)
        for key_counts in counts_by_key_set(changed, method, strata_of(changed), in_part=in_part):
            several = len(changed.keys) > 1 and any(one.certificate.n_suppressed for one in certified)
            released = None if several else _classes_of_release(release, engine, key_counts, changed.plan)
            recounting = CertificateRecount(key_counts, method, released)
            for stratum, counts in key_counts.by_stratum():
                subject = plan_subject(key_counts.schema.quasi_identifiers, key_counts.strata.values_of(stratum))
                one = next((one for one in left if one.subject == subject), None)
                if one is None and not key_counts.holds(stratum, counts):
                    continue  # no part of it was released: all records of the release are those of certificates
                if one is None:
                    yield Check("one for every stratum", False, "a stratum of the original has none")
                    continue
                work = Work((MOST_WORK - done_so_far) // len(left))  # work left over by one is shared by the others
                left.remove(one)
                yield from recounting.checks(stratum, counts, one, name_of[id(one)], work)
                done_so_far += work.done
                done(len(certified) - len(left))
    for one in left:
        yield Check("stratum of the original", False, "the original has no such stratum", name_of[id(one)])


def _recount_checks(found: CertificateCheck, label: str) -> Iterator[Check]:
    yield Check("cost of the original", found.cost_holds, "computed with the tree", label)
    yield Check("requirements of its blocks", found.requirements_hold, label=label)
    yield Check("bound", found.bound_holds, TOO_LARGE if found.bound_holds is None else PROVED_AGAIN, label)


def classes_of_tree(
    tree: CutTree, counts: CountTable, schema: Schema, suppressed: NDArray[np.bool_]
) -> dict[Class, int]:
    """The blocks with records as a release writes them, with their records; without those that are suppressed."""
    blocks = tree.block_of(counts.combinations)
    totals = np.bincount(blocks, weights=counts.n, minlength=tree.n_blocks).astype(np.int64)
    filled = np.flatnonzero((totals > 0) & ~suppressed)
    texts = [
        write(extents, schema[name]).take(extents.of_group[filled]).to_pylist()
        for name, extents in tree.extents.items()
    ]
    return _class_counts(zip(*texts, strict=True), totals[filled].tolist())


def _classes_of_release(
    release: F, engine: Engine[F], key_counts: KeySetCounts, plan: ReleasePlan
) -> dict[int, dict[Class, int]] | None:
    columns = key_counts.schema.quasi_identifiers
    if not plan.releases_cuts or plan.unit:
        return None
    counts = CountTable.of(engine.group_counts(release, [*key_counts.strata.names, *columns]))
    classes_written = zip(*(counts[name].to_pylist() for name in columns), strict=True)
    found: dict[int, dict[Class, int]] = {}
    stratum_of = key_counts.strata.stratum_of(counts.combinations).tolist()
    for stratum, texts, n_records in zip(stratum_of, classes_written, counts.n.tolist(), strict=True):
        classes = found.setdefault(stratum, {})
        classes[texts] = classes.get(texts, 0) + n_records
    return found


def _class_counts(keys: Iterator[Class], n: Sequence[int]) -> dict[Class, int]:
    """Numbers of records by class; blocks that are written alike are one class."""
    found: dict[Class, int] = {}
    for key, n_records in zip(keys, n, strict=True):
        found[key] = found.get(key, 0) + n_records
    return found
