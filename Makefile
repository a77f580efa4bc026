# Everything a developer types. Needs Python 3.11 or later, git and make; the rest goes into .venv from hashed locks.
.DEFAULT_GOAL := help
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CODE := src tests docs $(wildcard benchmarks)
PYTEST_ARGS ?=

.PHONY: help venv demo test quick check format lint types docs docs-check lock clean

help: ## show what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | column -t -s '|'

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Brain needs Python 3.11 or later; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt pyproject.toml | $(VENV)/pyvenv.cfg
	$(PIP) install --require-hashes -r requirements.txt
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/dev.stamp: requirements-dev.txt $(VENV)/run.stamp
	$(PIP) install --require-hashes -r requirements-dev.txt
	@touch $@

venv: $(VENV)/dev.stamp ## set up .venv (done by the others when needed)

demo: $(VENV)/run.stamp ## four months of an invented researcher's sessions, compiled in three nights
	@rm -rf demo-memory
	@$(BIN)/brain demo demo-memory

test: $(VENV)/dev.stamp ## all tests
	$(BIN)/pytest $(PYTEST_ARGS)

quick: $(VENV)/dev.stamp ## tests without the slow ones
	$(BIN)/pytest -m 'not slow' $(PYTEST_ARGS)

check: lint types docs-check test ## everything CI runs: format, lint, types, docs drift, tests

format: $(VENV)/dev.stamp ## put the code in shape
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

lint: $(VENV)/dev.stamp
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)

types: $(VENV)/dev.stamp
	$(BIN)/mypy $(CODE)
	for file in tests/*/conftest.py; do $(BIN)/mypy $$file || exit 1; done

docs: $(VENV)/dev.stamp ## regenerate docs/cli.md and the module map in ARCHITECTURE.md
	$(BIN)/python docs/build.py

docs-check: $(VENV)/dev.stamp
	$(BIN)/python docs/build.py --check

# The build tools are locked with the run-time packages, so that an install with hashes needs nothing else.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
lock: $(VENV)/dev.stamp ## write requirements*.txt anew from pyproject.toml
	printf 'hatchling>=1.25\neditables>=0.5\n' | $(LOCK) pyproject.toml - -o requirements.txt
	$(LOCK) pyproject.toml --extra dev -c requirements.txt -o requirements-dev.txt

clean: ## remove what was made
	rm -rf $(VENV) demo-memory build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
