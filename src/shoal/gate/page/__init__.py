"""The proof of a page that may leave the house: it shows nothing that fewer than k records of the original have.

    passages.py         a page as passages of text: every text, attribute, comment and label, whatever it is written in
    html_passages.py, markdown_passages.py, json_passages.py   the readers of the three forms
    decoded_texts.py    texts that an encoding hides
    written_dates.py    dates in the forms in which people write them
    written_numbers.py  numbers in the forms in which people write them
    fixed_texts.py      texts and words that every page has, whatever its data
    readings.py         numbers, shares, intervals and phrases of a passage, and what explains them
    original_table.py   what a page must be silent about
    original_counts.py  how many records of the original have each of them
    shown_combinations.py   the same for values that a page shows together
    page_proof.py       the verdict

It shares no code with `report/`, which writes pages.
"""
