"""Words in names and labels of columns, in English, German, French and Spanish, and what they suggest."""

from __future__ import annotations

import re
import unicodedata

from shoal.schema.column import Role

PERSONS = (
    "patients?|persons?|people|case|client|customer|member|subject|respondent|participant|insured|beneficiary|employee"
    "|student|pupil|taxpayer|resident|pat|versicherter?|fall|kunde|paciente|persona|personne|cliente?"
)
FIRMS = (
    "firm|company|enterprise|establishment|plant|utility|business|organi[sz]ation|unternehmen|betrieb|entreprise"
    "|empresa"
)
NUMBERS = "id|ids|nr|no|num|number|key|code|nummer|numero|kennung|kennzeichen|kennziffer|pseudonym"
FIRM_NUMBERS = rf"({FIRMS}|betriebs|unternehmens|firmen) ?({NUMBERS})|^({FIRMS})$"
# First parts of German compounds such as Patientennummer, Kundennr
NUMBERED = (
    "patienten|personen|personal|versicherten|kunden|fall|mitarbeiter|mitglieds?|mitglieder|teilnehmer|probanden|schuler"
    "|studenten|studierenden|beschaftigten|arbeitnehmer|einwohner|burger|klienten|mandanten|steuer|versicherungs"
    "|sozialversicherungs|krankenversicherungs|krankenversicherten|rentenversicherungs|sv|kv|vers|matrikel|betriebs"
    "|unternehmens|firmen"
)
# Numbers of persons by themselves; a column of few values may number anything
PERSON_KEYS = (
    r"^ids?$|^(uuid|guid|key|kennung|kennn?ummer|identifier|identifiant|identificador|pseudonym|pseudo ?id)$"
    r"|ssn|nino|dni|nif|nie|matricule|social security( (no|number))?"
)
# Words that by themselves may as well mean something else: a case of a study, a plant, what a table is sorted by
WORDS_ALONE = rf"^({PERSONS}|{FIRMS}|household|hh|haushalt|menage|foyer|hogar|ids?|key)$"
WEIGHTS_ALONE = r"^(weights?|wgts?|wt\d*|w)$"
MASSES = r"^(gewichte?|poids|peso)$"  # rather what somebody weighs, but weights of a survey are named so, too
NAMES = (  # and addresses, which are texts
    r"\w*names?|nom|prenom|nombre|apellidos?|address|street|\w*adresse|anschrift|\w*strasse|rue|direccion|calle"
    r"|e?mail|courriel|correo|url"
)
DATES = r"dates?|dob|birthda(te|y)|\w*datum|fecha"

# The first match counts. A weight must be recognizable as a survey weight, not as the body weight of a person.
NAME_PATTERNS: tuple[tuple[Role, str], ...] = (
    ("household", r"^(household|hh|haushalt|menage|foyer|hogar)$|hhid|hh ?nr|hid|idhh"
                  r"|(household|hh|family|haushalts?|menage|foyer|hogar) (id|no|nr|number|key|code|nummer|numero)"
                  r"|haushaltsnummer|haushaltsid"),
    ("weight", r"^weights?$|^wgts?$|^wt\d*$|^pw$|^w$|wgt|a?fnl ?wgt|final ?weight|[pfai]weight|weight final"
               r"|(sampl\w+|survey|design|person|pers|population|pop|case|probability|prob|frequency|calibrat\w+|expansion"
               r"|statistical|strat\w*|hh|household|instance|base|replicate|post ?strat\w*|gross\w*|ind|norm\w*)"
               r" (weights?|wgt|wt|w)|weighting( factor)?|expansion factor|gewichtung(sfaktor)?"
               r"|hochrechnung(sfaktor)?|ponderation|poids de sondage"
               r"|ponderacion|ponderador|factor de (expansion|elevacion|ponderacion)"),
    ("unit", rf"({PERSONS}|{FIRMS}|{NUMBERED}) ?({NUMBERS})|pid|patid|^({PERSONS}|{FIRMS})$|mrn|medical record"),
    ("identifier", r"id|uuid|guid|ssn|nino|name|surname|firstname|lastname|email|mail|phone|telephone|mobile|fax|iban"
                   r"|passport|licen[cs]e|address|street|identifier|record number|account number|ip|url"
                   r"|nachname|vorname|familienname|kennung|kennummer|kennnummer|pseudonym"
                   r"|adresse|anschrift|strasse|telefon|handy|nom|prenom|identifiant|matricule|rue|courriel"
                   r"|nombre|apellidos?|dni|nif|nie|direccion|calle|telefono|movil|correo|identificador"),
    ("sensitive", r"diseases?|illness(es)?|sickness|ailments?|diag|diagnos[ie]s|diagnose[sd]?|dx|icd ?\d*|conditions?"
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
                         r"|nuts ?\d?|nace\w*|isic"
                         r"|alter|geburts\w*|geboren|geschlecht|plz|postleitzahl|bundesland|kreis|gemeinde|stadt|ort"
                         r"|land|staatsangeh\w*|familienstand|bildung\w*|beruf|branche|sprache|datum|jahr"
                         r"|naissance|sexe|genre|ville|commune|departement|pays|metier|langue|annee"
                         r"|edad|nacimiento|nacido|sexo|genero|ciudad|municipio|provincia|pais|estudios|ocupacion"
                         r"|profesion|idioma|fecha|ano"),
)  # fmt: skip
# Parts of German compounds such as Hauptdiagnose or Nettoeinkommen, anywhere in a word; the first match counts.
COMPOUND_PARTS: tuple[tuple[Role, str], ...] = (
    ("identifier", r"(telefon|handy|mobil|konto|ausweis|pass|fuhrerschein|fax) ?nummer|(mail|wohn|post|ip) ?adresse"
                   r"|(patienten|kunden|mitarbeiter|mutter|vater|versicherten|personen|geburts|madchen)name"),
    ("sensitive", r"diagnose|krankheit|erkrankung|behinderung|medikament|medikation|therapie|gesundheit|todesursache"
                  r"|befund|pflegegrad|pflegestufe|einkommen|einkunfte|gehalt(?!en)|lohn(?!\w)|lohngruppe|brutto|netto"
                  r"|entgelt(?!lich)|besoldung|vergutung|vermo?e?gen|schulden|kredit|sozialhilfe|burgergeld"
                  r"|arbeitslosengeld|wohngeld|[ns]rente(?!\w)|religion|konfession|kirchen|partei(?!\w)|gewerkschaft"
                  r"|straftat|vorstraf|steuer(?!\w)|steuerklasse"),
    ("quasi_identifier", r"abschluss|ausbildung|schulbildung|beruf|stellung|familienstand|staatsangeho?e?rig"
                         r"|nationalitat|migration|geburts|alters(?!rente)|datum(?!\w)|\w{3}jahr(?!\w)|wohnort"
                         r"|postleitzahl|gemeinde|landkreis|regierungsbezirk|bundesland|wirtschaftszweig"
                         r"|geschlecht|haushaltsgro?e?sse|herkunft|muttersprache"),
)  # fmt: skip
CODES = r"zip\w*|post ?code|postal|plz|postleitzahl|code postal|codigo postal|codes?$"
POSTAL = r"zip\w*|post ?codes?|postal( code)?|plz|postleitzahl|code postal|cp|codigo postal"
PLACES = r"municipality|gemeinde\w*|ags|commune|insee|municipio|fips|county|kreis\w*|lau|community|district"
INDUSTRY = r"nace\w*|isic\w*|naics\w*|sic|wz ?\d*|industry|industries|branche|sector|ateco|cnae|naf|activity"
OCCUPATION = r"isco\w*|soc|occupation( code)?|kldb"
DIAGNOSIS = r"icd ?\d*\w*|\w*diag\w*|dx|cim ?\d*|cie ?\d*|cause of death|todesursache"
REGION = r"nuts ?\d?|region\w*|bundesland|province|provincia|canton|kanton|state"
AGE = r"age|alter|edad|ages?( in)? years|lebensalter"
BIRTH = (
    r"^births?$|birth ?(years?|yr|dates?|dt|days?)|(year|date) of birth|dob|yob|born|geb ?(dat\w*|jahr|tag)"
    r"|geburts ?(datum|jahr|tag)|geboren|naissance|nacimiento|nacido"
)
FIRM_AMOUNTS = (
    r"turnover|revenues?|sales|\w*umsatz\w*|employees|beschaftigte|ventas|chiffre|assets?|investments?|exports?|profit"
    r"|\w*investitionen|\w*wertschopfung|lohnsumme|wage ?bill"
)
PERSON_COLUMNS = r"age|sex|gender|birth\w*|dob|marital|geschlecht|alter|geburts\w*|sexe|sexo|edad"
MEMBER_NUMBERS = (
    r"(person|pers|member|line|mitglieds?) ?(no|nr|num|number|id|nummer)|pid|pno|pnr|pernum|line ?no"
    r"|personennummer|no de personne"
)


def numbers_persons(name: str) -> bool:
    """Whether a column of this name numbers persons, firms or households."""
    patterns = (hints for role, hints in NAME_PATTERNS if role in ("household", "unit"))
    return any(matches(hints, name) for hints in (*patterns, PERSON_KEYS))


def matches(hints: str, *texts: str) -> bool:
    """Whether the words of one of the names or labels contain one of the hints."""
    return any(re.search(rf"(?<!\w)({hints})(?!\w)", words(text)) is not None for text in texts)


def contains(parts: str, text: str) -> bool:
    """Whether a word of the text contains one of these parts, such as a German compound."""
    return re.search(parts, words(text)) is not None


def words(name: str) -> str:
    """The name as lowercase words without accents: birthDate, birth_date and BIRTH-DATE are all 'birth date'."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = "".join(c for c in unicodedata.normalize("NFKD", spaced.casefold()) if not unicodedata.combining(c))
    return re.sub(r"[^a-z0-9]+", " ", plain).strip()
