"""MDAV of Shoal on the CASC Census, k = 3, z-scores."""

import numpy as np
import pyarrow.csv as pacsv
from side import report, table_file

import shoal

X = shoal.standardize(np.column_stack(pacsv.read_csv(table_file()).columns))
report(lambda: shoal.mdav(X, 3), lambda found: {"information loss, %": found.information_loss(X)})
