"""Suggested role and kind of every column, each with its reason; the data steward decides.

The name of a column is considered first, then its values. A column without evidence is suggested as a quasi-identifier,
the cautious choice.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from shoal.errors import plural
from shoal.schema.column import Kind, Role

# Words in a column name, in English, German, French and Spanish and their usual spellings, and the role they suggest.
# The first match counts. A weight must be recognizable as a survey weight, not as the body weight of a person.
NAME_PATTERNS: tuple[tuple[Role, str], ...] = (
    ("household", r"^(household|hh|haushalt|menage|foyer|hogar)$|hhid"
                  r"|(household|hh|family|haushalts?|menage|foyer|hogar) (id|no|nr|number|key|code|nummer|numero)"
                  r"|haushaltsnummer|haushaltsid"),
    ("weight", r"^weights?$|^wgts?$|a?fnl ?wgt|final ?weight|[pfai]weight"
               r"|(sampl\w+|survey|design|person|population|case|probability|frequency|calibrat\w+|expansion|statistical)"
               r" (weights?|wgt|wt)|weighting( factor)?|expansion factor|gewichtung(sfaktor)?"
               r"|hochrechnung(sfaktor)?|ponderation|poids de sondage"
               r"|ponderacion|ponderador|factor de (expansion|elevacion|ponderacion)"),
    ("identifier", r"id|uuid|guid|ssn|nino|name|surname|firstname|lastname|email|mail|phone|telephone|mobile|iban"
                   r"|passport|licen[cs]e|address|street|identifier|record number|patient number|ip"
                   r"|nachname|vorname|familienname|kennung|kennummer|kennnummer|personalnummer|versichertennummer"
                   r"|adresse|anschrift|strasse|telefon|handy|nom|prenom|identifiant|matricule|rue|courriel"
                   r"|nombre|apellidos?|dni|nif|nie|direccion|calle|telefono|movil|correo|identificador"),
    ("sensitive", r"diseases?|illness(es)?|sickness|ailments?|diagnos[ie]s|diagnose[sd]?|dx|icd ?\d*|conditions?"
                  r"|symptoms?|health|mental|disabilit(y|ies)|disabled|hiv|aids|cancer|tumou?r|diabetes|allerg(y|ies)|pregnan\w*"
                  r"|abortions?|addict\w*|alcohol\w*|smok\w*|drugs?|medications?|medicines?|prescriptions?|treatments?"
                  r"|therap(y|ies)|surger(y|ies)|blood \w+|genetic\w*|genotype|cause of death|suicid\w*"
                  r"|religi\w*|faith|church|denomination|politic\w*|party|vot(e|es|ed|ing)|orientation|sexuality"
                  r"|unions?|salar(y|ies)|incomes?|wages?|earnings?|pay|wealth|assets?|debts?|loans?|credit|benefits?"
                  r"|welfare|pension|tax(es)?|convict\w*|criminal\w*|crimes?|offen[cs]es?|offenders?|arrest\w*"
                  r"|sentence|prison"
                  r"|krankheit(en)?|erkrankung(en)?|diagnosen?|befund|symptome?|behinderung|gesundheit\w*|sucht"
                  r"|medikamente?|therapie|religion|konfession|kirche|partei|gewerkschaft|gehalt|einkommen|lohn|vermogen"
                  r"|schulden|kredit|rente|sozialhilfe|straftat(en)?|vorstrafen?|todesursache"
                  r"|maladies?|diagnostics?|handicap|sante|traitement|medicaments?|confession|syndicat|salaire|revenus?"
                  r"|dettes?|patrimoine|infractions?|condamnations?"
                  r"|enfermedad(es)?|diagnosticos?|discapacidad|salud|tratamiento|medicamentos?|sindicato|salario|sueldo"
                  r"|ingresos?|deudas?|delitos?|condenas?"),
    ("quasi_identifier", r"age|birth\w*|dob|born|sex|gender|zip|zipcode|postcode|postal|region|state|county|city|town"
                         r"|municipality|country|nation\w*|race|ethnic\w*|marital|civil|education|degree|occupation"
                         r"|profession|job|workclass|employ\w*|industry|citizen\w*|language|date|year"
                         r"|alter|geburts\w*|geboren|geschlecht|plz|postleitzahl|bundesland|kreis|gemeinde|stadt|ort"
                         r"|land|staatsangeh\w*|familienstand|bildung\w*|beruf|branche|sprache|datum|jahr"
                         r"|naissance|sexe|genre|ville|commune|departement|pays|metier|langue|annee"
                         r"|edad|nacimiento|nacido|sexo|genero|ciudad|municipio|provincia|pais|estudios|ocupacion"
                         r"|profesion|idioma|fecha|ano"),
)  # fmt: skip
ROLE_NOTES: dict[Role, str] = {
    "weight": ", and weights are released unchanged",
    "sensitive": ", so it is released unchanged; if others may know it about a person, make it a quasi_identifier",
}
SINGLE_ROLES: tuple[Role, ...] = ("household", "weight")  # a table has one of each
CODES = r"zip\w*|post ?code|postal|plz|postleitzahl|code postal|codigo postal|codes?$"
MISSING_WORDS = frozenset({"NA", "N/A", "n/a", "NULL", "null", "None", "NaN", "nan", "?", "-", ".", "#N/A", "missing"})
FEW_VALUES = 12  # integers with at most this many distinct values are taken for codes or grades, not amounts


@dataclass(frozen=True)
class Suggestion:
    name: str
    role: Role
    kind: Kind
    reason: str


def suggest(table: pa.Table, dates: Mapping[str, str] | None = None) -> list[Suggestion]:
    """One suggestion per column of a typed table; ``dates``: reasons for text columns that hold dates, by name."""
    found = [_suggestion(name, table[name], (dates or {}).get(name)) for name in table.column_names]
    for role in SINGLE_ROLES:
        found = _only_first(role, found)
    return found


def missing_words(table: pa.Table) -> tuple[str, ...]:
    """Words found in text columns that usually mean "missing"."""
    words = pa.array(sorted(MISSING_WORDS))
    found: set[str] = set()
    for column in table.columns:
        if pa.types.is_string(column.type):
            present: Any = column.filter(pc.is_in(column, value_set=words)).unique()
            found |= set(present.to_pylist())
    return tuple(sorted(found))


def _only_first(role: Role, suggestions: list[Suggestion]) -> list[Suggestion]:
    """Keeps the first column suggested for ``role``; the others become identifiers (dropped), to be cautious."""
    others = [s for s in suggestions if s.role == role][1:]
    return [_as_identifier(s, role) if s in others else s for s in suggestions]


def _as_identifier(suggestion: Suggestion, role: Role) -> Suggestion:
    kind_reason = suggestion.reason.partition("; ")[2]
    return replace(suggestion, role="identifier", reason=f"another column already has the role {role}; {kind_reason}")


def _suggestion(name: str, values: pa.ChunkedArray[Any], dates: str | None) -> Suggestion:
    n_values = _n_values(values)
    if n_values is None:
        return Suggestion(name, "identifier", "nominal", "its cells are not single values, so they cannot be compared")
    kind, kind_reason = _kind(name, values, n_values)
    role, role_reason = _role(name, values, n_values)
    if dates is not None:
        kind, kind_reason = "date", dates
    return Suggestion(name, role, kind, f"{role_reason}; {kind_reason}")


def _n_values(values: Any) -> int | None:
    """Number of distinct values; None where cells are not scalar: lists, structs, calendar intervals."""
    plain = values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values
    if pa.types.is_interval(plain.type):
        return None
    try:
        return int(pc.count_distinct(plain, mode="only_valid").as_py())
    except pa.ArrowNotImplementedError:
        return None


def _kind(name: str, values: pa.ChunkedArray[Any], n_values: int) -> tuple[Kind, str]:
    type_ = values.type
    if pa.types.is_date(type_) or pa.types.is_timestamp(type_):
        return "date", "dates"
    if pa.types.is_integer(type_) and _name_matches(CODES, name):
        return "nominal", f"{n_values} different {plural(n_values, 'code')}, which are not amounts"
    if pa.types.is_integer(type_) and n_values <= FEW_VALUES:
        return "ordinal", f"only {n_values} different whole {plural(n_values, 'number')}, assumed to be grades"
    if _is_number(type_):
        return "numeric", "numbers"
    if pa.types.is_dictionary(type_) and type_.ordered:
        return "ordinal", "ordered categories"
    return "nominal", f"{n_values} different {plural(n_values, 'value')}"


def _is_number(type_: pa.DataType) -> bool:
    return pa.types.is_integer(type_) or pa.types.is_floating(type_) or pa.types.is_decimal(type_)


def _role(name: str, values: pa.ChunkedArray[Any], n_values: int) -> tuple[Role, str]:
    for role, hints in NAME_PATTERNS:
        if _name_matches(hints, name) and (role != "weight" or _is_number(values.type)):
            return role, f"its name suggests {role}" + ROLE_NOTES.get(role, "")
    if n_values == 0:
        return "identifier", "it has no values, so there is nothing to release"
    n_known = len(values) - values.null_count
    if n_values == n_known > 20 and not pa.types.is_floating(values.type):
        return "identifier", "every record has a different value"
    if n_values == 1:
        return "other", "all records have the same value"
    return "quasi_identifier", "an intruder may know it, and nothing in its name or values suggests another role"


def _name_matches(hints: str, name: str) -> bool:
    return re.search(rf"(?<!\w)({hints})(?!\w)", _words(name)) is not None


def _words(name: str) -> str:
    """The name as lowercase words without accents: birthDate, birth_date and BIRTH-DATE are all 'birth date'."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", spaced.casefold()) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", " ", plain).strip()
