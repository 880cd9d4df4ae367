# make demo    everything from nothing: environment, kernels, then `shoal demo`
# make test    the same, then the test suite
# make check   a developer's loop: format, lint, types, import contracts, tests

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SITE = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
KERNELS := CMakeLists.txt pyproject.toml $(wildcard src/kernels/*)
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)

.PHONY: demo test check lint types layers sanitize format clean
.DELETE_ON_ERROR:

demo: $(VENV)/.built
	$(BIN)/shoal demo

test: $(VENV)/.tools
	$(BIN)/python -m pytest -q -n $(CORES)

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
	$(SANITIZED)/bin/python -m pytest -q -p no:cacheprovider tests/kernels tests/methods tests/blocking tests/test_plan.py

clean:
	rm -rf $(VENV) build dist shoal-demo reproduced

$(VENV)/.made:
	@tools/check_machine.sh $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --upgrade pip
	touch $@

$(VENV)/.built: $(VENV)/.made $(KERNELS)
	$(BIN)/pip install -q "scikit-build-core>=0.11" "nanobind>=2.4" "cmake>=3.26" "ninja>=1.11"
	$(BIN)/pip install -q --no-build-isolation --editable '.[stat]'
	touch $@

$(VENV)/.tools: $(VENV)/.built
	$(BIN)/pip install -q --no-build-isolation --editable '.[dev]'
	touch $@
