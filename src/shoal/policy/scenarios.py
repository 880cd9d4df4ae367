"""Scenarios of a release: thresholds that are customary or required by law, each with its source.

A scenario does not change a release. ``shoal init --scenario`` writes its thresholds into the draft, and the report of
a policy that names it compares them with what was reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from shoal.schema.suggest.name_patterns import AGE, POSTAL

ScenarioName = Literal["public-use", "scientific-use", "internal", "hipaa-safe-harbor"]
SCENARIO_NAMES: tuple[ScenarioName, ...] = get_args(ScenarioName)
Check = Literal["k", "risk", "diversity", "weights", "order", "identifiers", "recoded", "absent", "by hand"]

PRACTICE = "common practice"
EMA = "European Medicines Agency, guidance on Policy 0070, EMA/90915/2016"
HHS = "45 CFR 164.514(b)(2)(i)"
ZIP_LIST = "67 FR 53182, 53233-53234: 17 areas by the 2000 Census"
OLDEST_AGE = 90  # ages over 89 are one category


@dataclass(frozen=True)
class ScenarioThreshold:
    """One line of the checklist of a scenario."""

    check: Check
    words: str
    source: str
    asked: float | None = None
    hints: str = ""
    """Words in the names of the columns that the line concerns."""
    recode: str = ""
    """The recoding that the line asks for."""


@dataclass(frozen=True)
class Scenario:
    """Who receives the release, and what is asked of it."""

    name: ScenarioName
    meaning: str
    thresholds: tuple[ScenarioThreshold, ...]

    @property
    def k(self) -> int | None:
        return next((int(each.asked) for each in self.thresholds if each.check == "k" and each.asked), None)

    def asks(self, check: Check) -> bool:
        return any(each.check == check for each in self.thresholds)

    def recoding(self, check_words: str) -> ScenarioThreshold | None:
        return next((each for each in self.thresholds if each.recode == check_words), None)


NO_IDENTIFIERS = ScenarioThreshold("identifiers", "no direct identifier is released", PRACTICE)
ORDER = ScenarioThreshold("order", "records are in random order", PRACTICE)


def _item(number: str, words: str, hints: str) -> ScenarioThreshold:
    """One of the 18 identifiers of the Safe Harbor rule, which must not be released."""
    return ScenarioThreshold("absent", f"no {words}", f"{HHS}({number})", hints=hints)


PUBLIC_USE = Scenario(
    "public-use",
    "Anybody may read the release; nobody has signed a contract.",
    (
        ScenarioThreshold("risk", "highest risk of a correct guess", f"{EMA}: 0.09 for publication", 0.09),
        ScenarioThreshold("k", "records of the smallest class", f"the smallest k with 1/k at most 0.09 ({EMA})", 12),
        ScenarioThreshold("diversity", "values of each sensitive column in every class", PRACTICE, 2),
        ScenarioThreshold("recoded", "dates are months or coarser, birth dates years", PRACTICE, recode="month"),
        ScenarioThreshold("weights", "survey weights are not released with all digits", PRACTICE),
        ORDER,
        NO_IDENTIFIERS,
    ),
)
SCIENTIFIC_USE = Scenario(
    "scientific-use",
    "Researchers under contract read the release at their institutions.",
    (
        ScenarioThreshold(
            "k", "records of the smallest class", f"{PRACTICE} of statistical offices for files under contract", 3
        ),
        ORDER,
        NO_IDENTIFIERS,
    ),
)
INTERNAL = Scenario(
    "internal",
    "Colleagues read the release in a controlled place.",
    (
        ScenarioThreshold("k", "records of the smallest class", f"{PRACTICE}: no record is unique", 2),
        NO_IDENTIFIERS,
    ),
)
GEOGRAPHY = (
    r"city|town|county|municipality|street|address|district|precinct|latitude|longitude|geocode|block|tract|village"
)
HIPAA_SAFE_HARBOR = Scenario(
    "hipaa-safe-harbor",
    "Health data that count as de-identified in the United States by the Safe Harbor rule.",
    (
        _item("A", "names", r"((first|last|given|patient|family|full|maiden) )?name|nom|surname|lastname|firstname"),
        _item("B", "geographic unit smaller than a state except the first three digits of a ZIP code", GEOGRAPHY),
        ScenarioThreshold("recoded", "ZIP codes have three digits; 000 where the area has 20,000 persons or fewer",
                  f"{HHS}(B); {ZIP_LIST}", hints=POSTAL, recode="prefix"),
        ScenarioThreshold("recoded", "ages over 89 are one category, and so are the birth years that tell them",
                  f"{HHS}(C)", OLDEST_AGE, AGE, "top"),
        ScenarioThreshold("recoded", "dates that concern a person are years", f"{HHS}(C)", recode="date_part"),
        _item("D", "telephone numbers", r"phone|telephone|mobile|cell"),
        _item("E", "fax numbers", r"fax"),
        _item("F", "e-mail addresses", r"e ?mail|mail"),
        _item("G", "social security numbers", r"ssn|social security( number)?"),
        _item("H", "medical record numbers", r"mrn|medical record( number)?|patient (id|no|nr|number)|chart"),
        _item("I", "health plan beneficiary numbers", r"beneficiary|health plan|insurance (id|no|number)|member id"),
        _item("J", "account numbers", r"account( number)?|iban"),
        _item("K", "certificate or license numbers", r"licen[cs]e|certificate"),
        _item("L", "vehicle identifiers", r"vehicle|vin|plate"),
        _item("M", "device identifiers", r"device|serial"),
        _item("N", "web addresses", r"url|website|web"),
        _item("O", "IP addresses", r"ip|ip address"),
        _item("P", "biometric identifiers", r"biometric|fingerprint|voice|retina"),
        _item("Q", "photographs of faces", r"photo\w*|image|picture|face"),
        _item("R", "other identifying number or code", r"id|uuid|guid|identifier"),
        ScenarioThreshold("by hand", "nobody in the organization knows that what is left identifies a person",
                  "45 CFR 164.514(b)(2)(ii)"),
        ScenarioThreshold("k", "records of the smallest class", f"{PRACTICE}; Safe Harbor asks for none", 5),
    ),
)  # fmt: skip

SCENARIOS: dict[ScenarioName, Scenario] = {
    each.name: each for each in (PUBLIC_USE, SCIENTIFIC_USE, INTERNAL, HIPAA_SAFE_HARBOR)
}
