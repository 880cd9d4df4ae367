"""Identity disclosure as attacks: the prosecutor, the journalist and the marketer (El Emam & Dankar 2008,
doi:10.1197/jamia.M2716), from figures that were counted."""

from __future__ import annotations

from shoal.assessment.risk.attack import Attack
from shoal.findings import Findings

PROSECUTOR = "a prosecutor, who knows that the person is in the file"
JOURNALIST = "a journalist, who does not know who is in the file"
MARKETER = "a marketer, who links everybody"
ONE, ALL = "the quasi-identifiers of one person", "the quasi-identifiers of everybody"
INTRUDERS = {
    "highest prosecutor risk": (PROSECUTOR, ONE),
    "mean prosecutor risk": (MARKETER, f"{ALL} in the file"),
    "highest journalist risk": (JOURNALIST, ONE),
    "marketer risk": (MARKETER, f"{ALL} in the population"),
}


def identity_attacks(findings: Findings) -> tuple[Attack, ...]:
    """The attacks whose figures are among the findings."""
    known = [(findings[name], *who) for name, who in INTRUDERS.items() if name in findings]
    return tuple(Attack("identity", intruder, holds, finding) for finding, intruder, holds in known)
