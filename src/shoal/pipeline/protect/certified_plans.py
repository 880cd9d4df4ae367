"""Plans of a release that is repeated: the trees of its certificates are applied, and nothing is searched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from shoal.encode.count_table import CountTable
from shoal.errors import CertificateError
from shoal.methods import Gensearch
from shoal.methods.generalization.certificate import Certificate
from shoal.methods.generalization.gensearch_result import GensearchResult
from shoal.pipeline.files.certificates import PlanCertificate, PlanSubject, certificate_labels, plan_subject
from shoal.pipeline.protect.key_set_counts import KeySetCounts


@dataclass(frozen=True)
class CertifiedPlans:
    """The certificates of an earlier search, and their file, which errors name."""

    certified: tuple[PlanCertificate, ...]
    path: Path

    def find(self, key_counts: KeySetCounts, stratum: int, counts: CountTable, method: Gensearch) -> GensearchResult:
        """The plan of a stratum; raises CertificateError if it has none, or one that does not apply to it."""
        subject = plan_subject(key_counts.schema.quasi_identifiers, key_counts.strata.values_of(stratum))
        if subject not in self._by_subject:
            raise CertificateError.stratum_without(self.path)
        label, certificate = self._by_subject[subject]
        requirements, whole = key_counts.key_set.requirements, key_counts.whole
        try:
            return method.find_again(certificate, counts, key_counts.schema, requirements, whole)
        except CertificateError as error:
            raise error.in_file(self.path, label) from None

    @property
    def are_in_part(self) -> bool:
        """Whether some strata are released in part."""
        return any(one.in_part for one in self.certified)

    def has(self, key_counts: KeySetCounts, stratum: int) -> bool:
        """Whether there is a plan of a stratum."""
        return (
            plan_subject(key_counts.schema.quasi_identifiers, key_counts.strata.values_of(stratum)) in self._by_subject
        )

    @cached_property
    def _by_subject(self) -> dict[PlanSubject, tuple[str, Certificate]]:
        labels = certificate_labels(self.certified)
        return {one.subject: (label, one.certificate) for one, label in zip(self.certified, labels, strict=True)}

    def check_number(self, n_plans: int) -> None:
        """Raises CertificateError if there are other certificates than those of the plans."""
        if n_plans != len(self.certified):
            raise CertificateError.stratum_unknown(self.path, len(self.certified), n_plans)
