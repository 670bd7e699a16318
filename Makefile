# Two commands do everything: `make demo` and, with the packages that CONTRIBUTING.md names, `make test`.
# Each step runs only when what it needs has changed.
PYTHON ?= python3
BIN := .venv/bin
DONE := .make
ROUNDS ?= 10
# Without the folders of this machine in the module; see there.
PATHS := scripts/machine_paths.py
REMAPPED = CARGO_ENCODED_RUSTFLAGS="$$($(PYTHON) $(PATHS) flags)"
RUST := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name Cargo.toml)
PYTEST := $(BIN)/python -m pytest -q -n auto
# The tests of `make check`: what is computed, without commands, libraries, tools or pages.
CORE_TESTS := tests/conventions tests/data tests/engines tests/errors tests/golden tests/measures tests/results \
	tests/statistics tests/test_evaluate.py tests/test_explain.py tests/test_public_face.py tests/test_scalars.py

.DEFAULT_GOAL := help
.PHONY: help demo picture check test test-full check-rust check-python check-stubs test-core test-python test-python-full \
	explore coverage docs site examples calibration bench wheel parity clean

help: ## print the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(DONE)/build ## install into .venv and run rankgauge on the data in the package
	@$(BIN)/rankgauge demo

check: ## an answer in a minute or so: format, lint, types, imports, clippy, the core's tests, two at a time
	@$(MAKE) --no-print-directory --output-sync=target --jobs=2 check-rust check-python test-core

test: check-rust check-python check-stubs test-python ## everything that a change must pass, in less than ten minutes

test-full: check-rust check-python check-stubs test-python-full ## the same with the large grids; before a release

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
	$(BIN)/lint-imports

check-stubs: $(DONE)/build $(DONE)/test ## whether _core.pyi says what the compiled module has
	$(BIN)/python -m mypy.stubtest rankgauge._core

test-core: $(DONE)/build $(DONE)/test ## pytest: what is computed, without commands, libraries, tools or pages
	@echo "== Python: pytest, the core"
	$(PYTEST) $(CORE_TESTS) --ignore=tests/engines/spark

test-python: $(DONE)/build $(DONE)/test ## pytest: tests, doctests, the README and the guides, without those marked full
	@echo "== Python: pytest"
	$(PYTEST) $(ARGS)

test-python-full: $(DONE)/build $(DONE)/test ## pytest with the large grids, which are marked full
	@echo "== Python: pytest, everything"
	HYPOTHESIS_PROFILE=full NUMBA_DISABLE_JIT=0 $(PYTEST) -m "" $(ARGS)

explore: $(DONE)/build $(DONE)/test ## property tests with new seeds, ROUNDS times (default: 10), until one fails
	@for round in $$(seq $(ROUNDS)); do \
		echo "== round $$round of $(ROUNDS)"; \
		HYPOTHESIS_PROFILE=explore $(PYTEST) -m hypothesis $(ARGS) || exit 1; \
	done

coverage: $(DONE)/build $(DONE)/test ## which lines the tests reach, in Python and Rust; fails below the floors in pyproject.toml
	@echo "== Python: coverage"
	$(PYTEST) tests src --cov --cov-report=term:skip-covered
	@echo "== Rust: coverage"
	$(BIN)/python scripts/rust_coverage.py $(CORE_TESTS) tests/inputs tests/properties tests/scale \
		tests/test_request.py

docs: $(DONE)/build $(DONE)/test ## write the pages that come from the declarations and the imports
	$(BIN)/python scripts/generate_docs.py
	$(BIN)/python scripts/draw_architecture.py
	$(BIN)/python -m benchmarks.page

site: $(DONE)/build $(DONE)/test ## build the docs site into site/, with search and the API reference; it needs no network
	PYTHONPATH=.:scripts $(BIN)/python -m docs_site

picture: $(DONE)/build $(DONE)/test ## photograph a report for the README, in the browser of the tests
	PYTHONPATH=. $(BIN)/python scripts/photograph_report.py

examples: $(DONE)/build $(DONE)/test ## write into pages and docstrings what their examples print now (FILES="…": only these)
	PYTHONPATH=. $(BIN)/python scripts/update_examples.py $(FILES)

calibration: $(DONE)/build $(DONE)/test ## simulate the coverage of intervals and the error of tests, and write docs/calibration.md
	$(BIN)/python -m benchmarks.calibration $(ARGS)

bench: $(DONE)/release $(DONE)/bench $(DONE)/bench-spark ## compare with the peers on generated data, and write benchmarks/runs/<date>
	$(BIN)/python -m benchmarks.run $(ARGS)

wheel: $(DONE)/venv ## build dist/*.whl, and fail if it has a path of this machine
	rm -rf dist
	$(REMAPPED) $(BIN)/maturin build --release --locked --quiet --out dist
	$(PYTHON) $(PATHS) check dist/*.whl

parity: $(DONE)/build $(DONE)/test ## prove every convention against the real tools, in environments below .parity
	PYTHONPATH=. $(BIN)/python -m tests.parity.run $(ARGS)

clean: ## remove everything that was built
	rm -rf .venv .parity .replay $(DONE) target dist site src/rankgauge/*.so

$(DONE)/venv:
	@echo "== making .venv"
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1" "maturin>=1.9,<2"
	@mkdir -p $(DONE) && touch $@

# `build` and `release` install into the same place: what was built last is there.
$(DONE)/build: $(DONE)/venv pyproject.toml $(RUST)
	@echo "== compiling and installing: about two minutes the first time, seconds after a change"
	$(REMAPPED) VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --profile quick --locked --quiet
	@rm -f $(DONE)/release && touch $@

$(DONE)/release: $(DONE)/venv pyproject.toml $(RUST)
	@echo "== compiling as for a wheel and installing: about four minutes the first time"
	$(REMAPPED) VIRTUAL_ENV=$(CURDIR)/.venv $(BIN)/maturin develop --release --locked --quiet
	@rm -f $(DONE)/build && touch $@

$(DONE)/test $(DONE)/bench: $(DONE)/%: $(DONE)/venv pyproject.toml
	@echo "== installing what '$*' needs"
	$(BIN)/python -m pip install --quiet --group $*
	@touch $@

$(DONE)/bench-spark: pyproject.toml
	@echo "== making .replay, where RePlay is measured"
	$(PYTHON) -m venv .replay
	.replay/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	.replay/bin/python -m pip install --quiet --group $(@F)
	@mkdir -p $(DONE) && touch $@
