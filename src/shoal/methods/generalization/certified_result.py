"""The result of an earlier search, from its certificate.

a problem, a certificate -> GensearchResult

Everything is checked but the lower bound: that the certificate was issued for this problem, that its tree cuts as
allowed, that its blocks satisfy the requirements or may be suppressed, and that it costs what is stated.
"""

from __future__ import annotations

from dataclasses import replace

from shoal.errors import CertificateError
from shoal.methods.generalization.box_search import BoxSearch
from shoal.methods.generalization.certificate import Certificate, slack_of
from shoal.methods.generalization.gensearch_result import GensearchResult, SearchProgress
from shoal.plan import CutTree


def certified_result(search: BoxSearch, certificate: Certificate) -> GensearchResult:
    """``search``: not run, with its initial plans. Raises CertificateError for another problem, tree or cost."""
    start, tree = search.result(), CutTree.from_json(certificate.tree)
    _check(search, certificate, tree, start.certificate)
    found = certificate.cost, certificate.lower_bound
    end = SearchProgress(start.history[-1].seconds, certificate.n_nodes, *found)
    return GensearchResult(
        tree,
        *found,
        certificate.is_optimal,
        replace(certificate, tree=tree.to_json()),
        (*start.history, end),
        (search.losses_of("gensearch", tree), *search.others),
        was_searched=False,
    )


def _check(search: BoxSearch, certificate: Certificate, tree: CutTree, own: Certificate) -> None:
    """``own``: a certificate of the problem of the search."""
    others = certificate.other_problem(own)
    if others:
        raise CertificateError.other_problem(others)
    if tree.domains != tuple(attribute.domain for attribute in search.coded.attributes):
        raise CertificateError.other_cuts()
    found = search.evaluate(tree)
    if not (search.allows(tree) and found.is_within(search.most_suppressed)):
        raise CertificateError.requirements_fail()
    is_same = abs(found.cost - certificate.cost) <= slack_of(certificate.loss, found.cost)
    if not (certificate.is_consistent and is_same and found.n_suppressed == certificate.n_suppressed):
        raise CertificateError.other_cost()
