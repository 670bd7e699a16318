# Two commands do everything: `make demo` and `make test`. Each step runs only when what it needs has changed.
PYTHON ?= python3
BIN := .venv/bin
DONE := .make
ROUNDS ?= 10
RUST := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)

.DEFAULT_GOAL := help
.PHONY: help demo test check-rust check-python test-python explore docs bench parity clean

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(DONE)/build ## install into .venv and run rankgauge on the data in the package
	@$(BIN)/rankgauge demo

test: check-rust check-python test-python ## everything that a change must pass

check-rust: ## format, clippy with warnings as errors, cargo tests
	@echo "== Rust: format, clippy, tests"
	cargo fmt --check
	cargo clippy --quiet --workspace --all-targets --locked -- -D warnings
	cargo test --quiet --locked -p rankgauge-core

check-python: $(DONE)/build $(DONE)/test ## format, lint, types, the direction of imports
	@echo "== Python: ruff, mypy, imports"
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest rankgauge._core
	$(BIN)/lint-imports

test-python: $(DONE)/build $(DONE)/test ## pytest: tests, doctests, the README and the guides
	@echo "== Python: pytest"
	$(BIN)/python -m pytest -q -n auto $(ARGS)

explore: $(DONE)/build $(DONE)/test ## property tests with new seeds, ROUNDS times (10 unless given), until one fails
	@for round in $$(seq $(ROUNDS)); do \
		echo "== round $$round of $(ROUNDS)"; \
		HYPOTHESIS_PROFILE=explore $(BIN)/python -m pytest -q -n auto -m hypothesis $(ARGS) || exit 1; \
	done

docs: $(DONE)/build ## write the pages that come from the declarations
	$(BIN)/python scripts/generate_docs.py

bench: $(DONE)/build $(DONE)/bench ## compare with the peers on generated data, and write benchmarks/runs/<date>
	$(BIN)/python -m benchmarks.run $(ARGS)

parity: $(DONE)/build $(DONE)/test ## prove every convention against the real tools, in environments below .parity
	PYTHONPATH=. $(BIN)/python -m tests.parity.run $(ARGS)

clean: ## remove everything that was built
	rm -rf .venv .parity $(DONE) target dist src/rankgauge/*.so

$(DONE)/venv:
	@echo "== making .venv"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1" "maturin>=1.9,<2"
	@mkdir -p $(DONE) && touch $@

$(DONE)/build: $(DONE)/venv pyproject.toml $(RUST)
	@echo "== building in release mode and installing (the first time takes a minute)"
	VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --release --locked --quiet
	@touch $@

$(DONE)/test $(DONE)/bench: $(DONE)/%: $(DONE)/venv pyproject.toml
	@echo "== installing what '$*' needs"
	$(BIN)/python -m pip install --quiet --group $*
	@touch $@
