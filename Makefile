# Each target sets up what it needs first (.ci/prepare) and does nothing twice.
# ARGS="..." is passed on: make run ARGS="score table.csv", make test-gui ARGS="-k paste".

.DEFAULT_GOAL := help
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

BIN := .venv/bin
# The tests that need neither Qt nor a screen.
CORE_TESTS := tests/core $(wildcard tests/cli)
# Those that need a window, and those of the door, which behaves otherwise where there is one.
WINDOW_TESTS := tests/gui $(wildcard tests/cli/test_main.py)
OFFSCREEN := QT_QPA_PLATFORM=offscreen PYTEST_QT_API=pyside6

heading = @printf '\n== %s ==\n' "$(1)"

.PHONY: help run test lint format types contracts test-core test-gui test-all screenshots \
	benchmark benchmark-peers bundle lock clean prepare-dev

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

run: ## Start the program; ARGS="score table.csv" runs a subcommand
	@bash .ci/prepare run
	@$(BIN)/python main.py $(ARGS)

test: lint types contracts test-core test-gui ## Check everything, as CI does

prepare-dev:
	@bash .ci/prepare dev

lint: prepare-dev ## Check style and layout
	$(call heading,Style)
	@$(BIN)/ruff check .
	$(call heading,Layout)
	@$(BIN)/ruff format --check .

format: prepare-dev ## Put style and layout right, where a tool can
	@$(BIN)/ruff check --fix --exit-zero .
	@$(BIN)/ruff format .

types: prepare-dev ## Check the types
	$(call heading,Types)
	@$(BIN)/mypy

contracts: prepare-dev ## Check who may import whom
	$(call heading,Imports)
	@$(BIN)/lint-imports --no-logo

test-core: ## Test the core in an environment without Qt
	@bash .ci/prepare core
	$(call heading,Core without Qt)
	@.venv-core/bin/python -m pytest $(CORE_TESTS) $(ARGS)

test-gui: prepare-dev ## Test the window, offscreen
	$(call heading,Window)
	@$(OFFSCREEN) $(BIN)/python -m pytest $(WINDOW_TESTS) $(ARGS)

test-all: prepare-dev ## Run all tests with Qt, offscreen
	$(call heading,All tests with Qt)
	@$(OFFSCREEN) $(BIN)/python -m pytest $(ARGS)

screenshots: prepare-dev ## Draw the pictures of docs/images
	@$(OFFSCREEN) $(BIN)/python -m tests.screenshots docs/images

benchmark: prepare-dev ## Measure the speed of the core
	@$(OFFSCREEN) $(BIN)/python -m pytest tests/benchmarks --benchmark-only --timeout=0 $(ARGS)

benchmark-peers: ## Measure beside peers that are installed for it; print docs/performance.md's tables
	@bash .ci/prepare peers
	@.venv-peers/bin/python -m tests.benchmarks.report $(ARGS)

bundle: ## Build the standalone program and its archive in dist/
	@bash .ci/prepare bundle
	$(call heading,Standalone program)
	@.venv-bundle/bin/python -m build_spec.build

# One version of each package for every platform and Python; the other locks follow dev.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command 'make lock' pyproject.toml
lock: ## Write the lock files anew (needs uv); ARGS=--upgrade for newer versions
	@command -v uv >/dev/null || { \
		echo 'make lock needs uv, and it is not installed. Run: python3 -m pip install uv' >&2; exit 1; }
	$(LOCK) --group dev $(ARGS) --output-file requirements-dev.lock
	$(LOCK) --group gui $(ARGS) --constraint requirements-dev.lock --output-file requirements.lock
	$(LOCK) --group test $(ARGS) --constraint requirements-dev.lock --output-file requirements-core.lock
	$(LOCK) --group peers $(ARGS) --constraint requirements-dev.lock --output-file requirements-peers.lock
	$(LOCK) --group bundle $(ARGS) --constraint requirements-dev.lock --output-file requirements-bundle.lock

clean: ## Remove the environments, caches and everything built
	rm -rf .venv .venv-core .venv-peers .venv-bundle build dist .benchmarks .hypothesis \
		.import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name .git -prune -o -type d -name __pycache__ -prune -exec rm -rf {} +
