# `make evaluate` and `make test` need Python 3.11+, git, make and a package index; they set up what they use.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help evaluate suites audit benchmark benchmark-llm benchmark-gate test lint types imports check clean

help:
	@echo "make evaluate   set up, run the main job end to end and print its tables"
	@echo "make suites     generate the released suites and check their hashes"
	@echo "make audit      prove their labels anew and look for shortcuts"
	@echo "make benchmark  measure how fast worlds, tasks and episodes are made"
	@echo "make benchmark-llm  run small language models on this machine under every method (hours; resumable)"
	@echo "make benchmark-gate  measure the gate on fresh tasks, with bounds (an hour; BENCHMARK='--tasks 2000' for less)"
	@echo "make test       set up and run every test"
	@echo "make check      lint, types and import contract"
	@echo "make clean      remove the virtual environment and caches"

evaluate: suites/ebf-600.jsonl $(VENV)/.installed
	@$(BIN)/ebf evaluate $< --backend oracle,first,random --by backend,method --by backend,label $(EVALUATE)

suites: suites/ebf-600.jsonl suites/ebf-60.jsonl

suites/%.jsonl: generators/ebf_generators/released.py | $(VENV)/.installed
	@$(BIN)/ebf generate $@ --release $* --force

audit: suites
	@$(BIN)/ebf audit suites/ebf-600.jsonl suites/ebf-60.jsonl

benchmark: $(VENV)/.installed
	@for each in environment worlds tasks difficulty tool_menus retrieval; do $(BIN)/python benchmarks/$$each.py || exit 1; done

# LOCAL_LLM: a folder with serve.py, its venv and models/*.gguf. SETUP_LLM makes one, where that script is at hand.
LOCAL_LLM ?= .local-llm
SETUP_LLM ?= ../shared/tools/setup_local_llm.sh

benchmark-llm: $(VENV)/.installed
	@test -e $(LOCAL_LLM)/serve.py || SKIP_SMOKE=1 bash $(SETUP_LLM) $(LOCAL_LLM) 0.5b 1.5b
	@$(BIN)/python benchmarks/llm.py --local-llm $(LOCAL_LLM) $(BENCHMARK)

benchmark-gate: $(VENV)/.installed
	@$(BIN)/python benchmarks/gate.py $(BENCHMARK)

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest -n 2 -m 'not local_llm' $(PYTEST)
	@$(BIN)/python -m pytest -q -m local_llm tests/agents $(PYTEST)

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
	@$(PIP) install --editable '.[semantic]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	@echo "installing the project and its development tools into $(VENV) (once)"
	@$(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -prune -exec rm -rf {} +
