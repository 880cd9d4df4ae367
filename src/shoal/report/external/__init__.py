"""The external edition of a report: what may leave the house.

Nothing is in it that is not declared here: a new section, finding or attack of the internal edition is not in this one
until a file of this folder names it. All shares are rounded to steps that stand for at least k records
(`share_steps.py`), so that no figure, difference or rest is about fewer. `gate/page` proves the finished page; its list
of fixed texts (`tools/page_texts.py`) is made from the texts of this folder.
"""
