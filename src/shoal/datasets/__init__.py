"""Data sets: public reference sets, and generators of synthetic tables of any size.

    reference.py          ReferenceSet: read from a local folder, verified by digests; never downloaded
    casc.py               census, tarragona, eia: the CASC project
    uci.py                adult with its taxonomies, census_income: the UCI repository
    catalog.py            the reference sets available on this machine

    random_draws.py       random generators per chunk of fixed size
    batches.py            a stream of record batches, chunk by chunk
    points.py             uniform and clustered numbers
    lookalike.py          a larger table that resembles a given one
    census_codes.py       columns, values and taxonomies of the synthetic census
    census_households.py  composition of the households of the synthetic census
    persons.py            attributes of its persons
    census_population.py  the synthetic census itself
    household_survey.py   households with all their members, as surveys collect them
    named_persons.py      the roster: persons with names and addresses
    hospital.py           stays of patients in a hospital, with diagnoses by icd_codes.py
    firms.py              a business survey: firms with industry, region and amounts
    corruption.py         a copy of a table with typing errors, by typos.py

Every generator is available as ``name(...) -> pa.Table`` and ``name_batches(...) -> iterator of pa.RecordBatch``; the
numeric ones also as ``name_array(...) -> (n, d) float64``. The same seed gives the same table in all forms.
The public names are those of ``__init__.pyi``; each is imported on first use, so that importing this package is cheap.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
