# make demo      everything from nothing: environment, kernels, then `shoal demo`
# make test      the same, then the tests that everybody runs: every law, twin, attack and promise, on its smallest case
# make gate      all other tests: the same laws on other engines, kinds, forms and sizes
# make spark     tests of the engine on Spark, which is installed first; Java 17 must be there
# make check     before a commit is handed in: format, lint, types, import contracts, tests and what they cover
# make bench     CPU, memory and quality of all workloads, kept in a history: build/bench/index.html; ARGS='--quick --compare'
# make speed     CPU of the main methods in units of DuckDB's and numpy's sort of the same data, beside what is published
# make peers     the same work by other tools, which are installed first, each in an environment of its own: build/peers/index.html
# make golden    the kept releases anew, and what Shoal says of others; says which cells, figures and sentences differ
# make messages  the messages of errors that tests provoke, kept anew: runs make test and make gate
# make full      what takes long: larger cases, soak, a table that spills, lowest versions, long reproductions
# make schema    writes anew what is taken from the code: JSON Schemas, keys, methods, commands, engines, stable names, texts of the external edition
# make wheel     a wheel for this platform and a source distribution, in dist/
# make bundle    dist/bundle: all wheels, checksums and the line that installs them without a network
# make docs      the documentation as a site, build/site/index.html; make docs-serve shows it while it is edited
# make pictures  the pictures of the documents anew: of methods, of a report, of Studio by the tests that open its pages
# make notebooks runs the notebooks of examples/ and writes their output anew
# make reproductions   the papers' tables and figures at small sizes, beside ours: build/reproduced/index.html
# make soak      explores with fresh seeds: fuzzers for SOAK_MINUTES, then every property with more examples
# make mutants   plants faults one by one and keeps which tests notice each: tools/faults/noticed.txt; ARGS=--missing
# make names     counts names and words that the literature does not know; AGAINST=REV beside another commit
# make structure counts the house: size, circles, what commands run, files of every kind of change; ARGS=--check, ARGS=--renew
# make CONSTRAINTS= ...   with the newest libraries instead of those of constraints.txt

PYTHON ?= python3
CONSTRAINTS ?= constraints.txt
SOAK_MINUTES ?= 60
VENV := .venv
BIN := $(VENV)/bin
SITE = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
KERNELS := CMakeLists.txt pyproject.toml $(wildcard src/kernels/*/*)
LIMITED = $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
# Each core takes files one after the other, so that a release that several tests read is made once.
PYTEST = $(BIN)/python -m pytest -q -n $(CORES) --dist worksteal
# Many tests start a process, which would compile all modules anew.
export PYTHONDONTWRITEBYTECODE :=
INSTALL = $(BIN)/python tools/install.py $(LIMITED)

.PHONY: demo test gate check full soak spill floors golden mutants reproductions lint types layers odr sanitize format clean
.PHONY: bench bundle covered docs docs-serve long messages names notebooks peers pictures sanitize_gate schema spark
.PHONY: spark_long speed structure wheel
.DELETE_ON_ERROR:

demo: $(VENV)/.built
	$(BIN)/shoal demo

test: $(VENV)/.tools
	$(PYTEST) -m 'not gate and not long and not spark'

gate: $(VENV)/.tools
	$(PYTEST) -m 'gate and not long and not spark'

# All tests of Spark in one process: it has two cores of its own. The folders that have any.
ON_SPARK := tests/engines tests/golden
spark: $(VENV)/.spark
	SHOAL_REQUIRE=spark $(BIN)/python -m pytest -q -m 'spark and not long' $(ON_SPARK)

spark_long: $(VENV)/.spark
	SHOAL_REQUIRE=spark $(BIN)/python -m pytest -q -m 'spark and long' $(ON_SPARK)

# The larger cases.
long: $(VENV)/.tools
	$(PYTEST) -m 'long and not spark'

# The same as make test, and the share of the lines of src/shoal that they run: a figure to look at, no limit.
covered: $(VENV)/.tools
	$(PYTEST) -m 'not long and not spark' --cov --cov-report=
	@echo "lines of src/shoal that the tests run, kernels and other processes left out: $$($(BIN)/coverage report --format=total) %"

# What is long or explores: once before something is called finished.
full: long spark_long sanitize_gate soak spill floors reproductions

soak: $(VENV)/.tools
	PYTHONPATH=tests $(BIN)/python -m soak --minutes $(SOAK_MINUTES)
	SHOAL_HYPOTHESIS=soak $(PYTEST) -m hypothesis

# The small sizes of all reproductions. A row that does not hold is said and is no fault of the build.
reproductions: $(VENV)/.tools
	$(BIN)/shoal reproduce all --output build/reproduced || echo "not every row holds"

speed: $(VENV)/.tools
	mkdir -p build
	$(BIN)/python benchmarks/speed.py | tee build/speed.md

bench: $(VENV)/.tools
	PYTHONPATH=benchmarks $(BIN)/python -m bench $(ARGS)

# Nothing of it is needed to build or test Shoal.
peers: $(VENV)/.tools
	PYTHONPATH=benchmarks $(BIN)/python -m peers $(ARGS)

golden: $(VENV)/.tools
	$(BIN)/python tests/golden/renew.py

messages: $(VENV)/.tools
	$(PYTEST) -m 'not long and not spark' --renew-messages=all

mutants: $(VENV)/.tools
	$(BIN)/python tools/plant_faults.py $(ARGS)

schema: $(VENV)/.tools
	$(BIN)/python tools/policy_schema.py
	$(BIN)/python tools/policy_keys.py
	$(BIN)/python tools/method_pages.py
	$(BIN)/python tools/command_pages.py
	$(BIN)/python tools/engine_table.py
	$(BIN)/python tools/page_schema.py
	$(BIN)/python tools/page_texts.py
	$(BIN)/python tools/stable_interface.py

# The wheel is built from the source distribution, and on Linux repaired, so that it says which systems it runs on.
wheel: $(VENV)/.tools
	rm -rf build/wheel dist/shoal-*
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m build --no-isolation --outdir build/wheel
	mkdir -p dist
	cp build/wheel/*.tar.gz dist/
	if [ "$$(uname)" = Linux ]; then PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir dist build/wheel/*.whl; \
		else cp build/wheel/*.whl dist/; fi

bundle: wheel
	rm -rf dist/bundle
	$(BIN)/python tools/bundle.py dist/shoal-*.whl $(LIMITED)

docs: $(VENV)/.tools
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet --site-dir build/site
	$(BIN)/python tools/code_blocks.py

docs-serve: $(VENV)/.tools
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --livereload

# Drawings of what methods make of records, charts of reports, and pages of Studio.
pictures: $(VENV)/.tools
	$(BIN)/python tools/method_pictures.py
	$(BIN)/python tools/report_pictures.py
	SHOAL_REQUIRE=browser SHOAL_PICTURES=docs/pictures $(BIN)/python -m pytest -q tests/studio/test_studio_browser.py

notebooks: $(VENV)/.tools
	$(BIN)/python tools/notebooks.py

names: $(VENV)/.tools
	$(BIN)/python tools/names.py $(if $(AGAINST),--against $(AGAINST))

structure: $(VENV)/.tools
	$(BIN)/python tools/structure.py $(ARGS)

# The lowest versions that pyproject.toml names, in an environment of their own. What libraries word and iterate is kept
# as those of constraints.txt do it: neither findings nor messages are compared.
FLOORED := tests/golden tests/sources tests/pipeline tests/gate tests/cli tests/engines tests/policy tests/release tests/report
FLOORS := build/floors
floors: $(VENV)/.tools
	$(PYTHON) -m venv --clear --without-pip $(FLOORS)
	$(BIN)/python tools/floors.py > $(FLOORS)/lowest.txt
	$(FLOORS)/bin/python tools/install.py --constraint $(FLOORS)/lowest.txt '.[linkage,report,stat]' pytest pytest-xdist hypothesis polars
	$(FLOORS)/bin/python -m pytest -q -n $(CORES) -m 'not long' -p no:cacheprovider -p no:messages --ignore=tests/golden/test_findings.py $(FLOORED)

# Tables of millions of records in less memory than they need, against the same in memory.
spill: $(VENV)/.tools
	SHOAL_SPILL_RECORDS=5e6 SHOAL_SPILL_SHAPED=3e6 $(BIN)/python -m pytest -q tests/engines/test_engines_spill.py

check: lint types layers covered

# clang-tidy reads how each file is compiled (build/tidy) and compiles nothing. The bindings are left out: .clang-tidy says why.
CPP := $(wildcard src/kernels/*/*.hpp src/kernels/*/*.cpp)
TIDIED := $(filter-out src/kernels/bind/%,$(filter %.cpp,$(CPP)))
lint: $(VENV)/.tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/tidy -G Ninja -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	printf '%s\n' $(TIDIED) | xargs -P $(CORES) -n 4 $(BIN)/clang-tidy -p build/tidy --quiet

types: $(VENV)/.tools
	cp $(SITE)/shoal/kernels/_compiled.pyi src/shoal/kernels/
	$(BIN)/mypy

layers: $(VENV)/.tools
	$(BIN)/lint-imports

format: $(VENV)/.tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/clang-format -i $(CPP)

# One definition of every type over all kernels, seen by the linker.
odr: $(VENV)/.tools
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/odr -G Ninja -DSHOAL_ONE_DEFINITION=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" ninja -C build/odr

# The kernels with AddressSanitizer and UBSan in an environment of their own, which borrows all else from $(VENV), and
# the tests that exercise them.
SANITIZED := build/sanitized
SANITIZED_TESTS := not gate and not long
sanitize: $(VENV)/.tools
	$(BIN)/python -m venv --without-pip $(SANITIZED)
	echo $(SITE) > $$($(SANITIZED)/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/borrowed.pth
	PATH="$(CURDIR)/$(BIN):$$PATH" $(SANITIZED)/bin/python -m pip install -q --no-build-isolation --no-deps --force-reinstall \
		-Cbuild-dir=$(SANITIZED)/cmake -Ccmake.define.SHOAL_SANITIZE=ON .
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 SHOAL_SANITIZED=1 \
	$(SANITIZED)/bin/python -m pytest -q -n $(CORES) -p no:cacheprovider -m '$(SANITIZED_TESTS)' \
		tests/kernels tests/blocking tests/methods tests/test_plan.py

# The same with all other tests of theirs.
sanitize_gate:
	$(MAKE) sanitize SANITIZED_TESTS='gate or long'

clean:
	rm -rf $(VENV) build dist shoal-demo reproduced

$(VENV)/.made:
	@tools/check_machine.sh $(PYTHON)
	$(PYTHON) -m venv --without-pip $(VENV)
	$(INSTALL) --upgrade pip "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.26" "ninja>=1.11"
	touch $@

$(VENV)/.built: $(VENV)/.made $(KERNELS)
	$(INSTALL) --no-build-isolation --editable '.[report]'
	touch $@

$(VENV)/.tools: $(VENV)/.built
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	touch $@

# A source distribution of 450 MB, built once and then taken from the cache of uv or pip.
$(VENV)/.spark: $(VENV)/.tools
	$(INSTALL) 'pyspark[connect]'
	touch $@
