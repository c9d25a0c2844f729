# `make evaluate` and `make test` need Python 3.11+, git, make and a package index; they set up what they use.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help evaluate test lint types imports check clean

help:
	@echo "make evaluate   set up, run the main job end to end and print its tables"
	@echo "make test       set up and run every test"
	@echo "make check      lint, types and import contract"
	@echo "make clean      remove the virtual environment and caches"

evaluate: $(VENV)/.installed
	@$(BIN)/ebf evaluate starter --backend oracle,first,random --by backend,method --by backend,label $(EVALUATE)

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest -n 2 $(PYTEST)

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(VENV)/.installed-dev
	@$(BIN)/mypy

imports: $(VENV)/.installed-dev
	@$(BIN)/lint-imports

check: lint types imports

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else f"Python 3.11 or newer is needed, {sys.version.split()[0]} was found; name another with PYTHON=...")'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "installing the project into $(VENV) (once)"
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing the project and its development tools into $(VENV) (once)"
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
