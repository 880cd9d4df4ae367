"""One Spark session for all tests of a process: local, with two cores and the modules of the tests on its workers."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from conftest import lacking
from shoal.engines.lots.spark_session import ENCRYPTION, without_pandas_warning

# Spark leaves sockets to the garbage collector, which finds them during any of its tests.
LEFT_OPEN = [
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
MARKS = [pytest.mark.spark, pytest.mark.loopback, *LEFT_OPEN]
SPARK = pytest.param("spark", marks=MARKS)
TESTS = Path(__file__).parent
# Of a process that lives for minutes, most time would go into compiling Java well and into threads that free memory.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def spark_installed() -> None:
    if find_spec("pyspark") is None or shutil.which("java") is None:
        lacking("spark", "pyspark or Java is not here")


@cache
def spark_session() -> Any:
    spark_installed()
    with without_pandas_warning():
        from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([str(TESTS.parent), str(TESTS), os.environ.get("PYTHONPATH", "")])
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}
    settings |= {ENCRYPTION: "true", "spark.driver.extraJavaOptions": JAVA_OPTIONS}
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
