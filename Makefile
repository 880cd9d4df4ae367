# make demo      everything from nothing: environment, kernels, then `shoal demo`
# make test      the same, then the test suite
# make check     a developer's loop: format, lint, types, import contracts, tests
# make golden    the kept releases anew; says which cells differ
# make full      what takes long: soak, a table that spills, lowest versions, long reproductions
# make soak      explores with fresh seeds: fuzzers for SOAK_MINUTES, then every property with more examples
# make mutants   plants faults one by one and says which of them no test notices
# make CONSTRAINTS= ...   with the newest libraries instead of those of constraints.txt

PYTHON ?= python3
CONSTRAINTS ?= constraints.txt
SOAK_MINUTES ?= 60
VENV := .venv
BIN := $(VENV)/bin
SITE = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
KERNELS := CMakeLists.txt pyproject.toml $(wildcard src/kernels/*)
LIMITED = $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS))
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

.PHONY: demo test check full soak spill floors golden mutants reproductions lint types layers odr sanitize format clean
.DELETE_ON_ERROR:

demo: $(VENV)/.built
	$(BIN)/shoal demo

test: $(VENV)/.tools
	$(BIN)/python -m pytest -q -n $(CORES)

# What is long or explores: once before something is called finished.
full: soak spill floors reproductions

soak: $(VENV)/.tools
	PYTHONPATH=tests $(BIN)/python -m soak --minutes $(SOAK_MINUTES)
	SHOAL_HYPOTHESIS=soak $(BIN)/python -m pytest -q -n $(CORES) -m hypothesis

# The small sizes of all reproductions. A row that does not hold is said and is no fault of the build.
reproductions: $(VENV)/.tools
	for paper in mdav vmdav blocking micro-som fuzzy-blocking gensearch; do \
		$(BIN)/shoal reproduce $$paper --output build/reproduced/$$paper || echo "$$paper: not every row holds"; done

golden: $(VENV)/.tools
	$(BIN)/python tests/golden/renew.py

mutants: $(VENV)/.tools
	$(BIN)/python tools/plant_faults.py

# The lowest versions that pyproject.toml names, in an environment of their own.
QUICK := tests/golden tests/sources tests/run tests/cli tests/engines tests/policy tests/release tests/report
FLOORS := build/floors
floors: $(VENV)/.tools
	$(PYTHON) -m venv --clear $(FLOORS)
	$(BIN)/python tools/floors.py > $(FLOORS)/lowest.txt
	$(FLOORS)/bin/pip install -q --constraint $(FLOORS)/lowest.txt '.[stat]' pytest pytest-xdist hypothesis polars
	$(FLOORS)/bin/python -m pytest -q -n $(CORES) -p no:cacheprovider $(QUICK)

# Tables of millions of records in less memory than they need, against the same in memory.
spill: $(VENV)/.tools
	SHOAL_SPILL_RECORDS=5e6 SHOAL_SPILL_SHAPED=3e6 $(BIN)/python -m pytest -q tests/engines/test_engines_spill.py

check: lint types layers test

lint: $(VENV)/.tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(VENV)/.tools
	cp $(SITE)/shoal/kernels/_compiled.pyi src/shoal/kernels/
	$(BIN)/mypy

layers: $(VENV)/.tools
	$(BIN)/lint-imports

format: $(VENV)/.tools
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# One definition of every type over all kernels, seen by the linker.
odr: $(VENV)/.tools
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -S . -B build/odr -G Ninja -DSHOAL_ONE_DEFINITION=ON -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python >/dev/null
	PATH="$(CURDIR)/$(BIN):$$PATH" ninja -C build/odr

# The kernels with AddressSanitizer and UBSan in an environment of their own, which borrows all else from $(VENV), and
# the tests that exercise them.
SANITIZED := build/sanitized
sanitize: $(VENV)/.tools
	$(BIN)/python -m venv $(SANITIZED)
	echo $(SITE) > $$($(SANITIZED)/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')/borrowed.pth
	PATH="$(CURDIR)/$(BIN):$$PATH" $(SANITIZED)/bin/python -m pip install -q --no-build-isolation --no-deps --force-reinstall \
		-Cbuild-dir=$(SANITIZED)/cmake -Ccmake.define.SHOAL_SANITIZE=ON .
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 SHOAL_SANITIZED=1 \
	$(SANITIZED)/bin/python -m pytest -q -n $(CORES) -p no:cacheprovider tests/kernels tests/blocking tests/methods tests/test_plan.py

clean:
	rm -rf $(VENV) build dist shoal-demo reproduced

$(VENV)/.made:
	@tools/check_machine.sh $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip
	touch $@

$(VENV)/.built: $(VENV)/.made $(KERNELS)
	$(BIN)/pip install -q $(LIMITED) "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.26" "ninja>=1.11"
	$(BIN)/pip install -q $(LIMITED) --no-build-isolation --editable '.[stat]'
	touch $@

$(VENV)/.tools: $(VENV)/.built
	$(BIN)/pip install -q $(LIMITED) --no-build-isolation --editable '.[dev]'
	touch $@
