# Two commands do everything on a machine with python3 (>= 3.11) and make:
#   make play    a real peer-to-peer table on this machine: you and three bots
#   make test    the tests
# Both first build .venv from requirements.lock when it is missing or older.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.built
SOAK_STAMP := $(VENV)/.soak
ARGS ?=
# Three workers for two cores: most tests compute, but those of real processes and networks wait.
PYTEST := $(BIN)/python -m pytest -n 3 --dist worksteal

.PHONY: help setup play test check lint bench soak lock catalogues clean

help:
	@echo "make play    play at a table with three bots (ARGS='--bots 5' to change it)"
	@echo "make test    run the tests          make check   lint, types, walls, tests and some hundred storms"
	@echo "make bench   measure                make soak    the long runs, and what they met"
	@echo "make setup   build .venv only       make lock    renew requirements.lock"
	@echo "make catalogues   renew the texts to translate, and compile them (ARGS=fr begins a language)"

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "error: Python 3.11 or newer is needed"; \
	  echo "hint: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

setup: $(STAMP)

play: $(STAMP)
	@$(BIN)/p2puno play $(ARGS)

test: $(STAMP)
	$(PYTEST) -m "not soak and not more" $(ARGS)

$(SOAK_STAMP): requirements-soak.lock $(STAMP)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements-soak.lock
	@touch $@

soak: $(STAMP) $(SOAK_STAMP)
	$(PYTEST) -m soak $(ARGS)
	$(BIN)/python -m tests.coverage 2000
	$(BIN)/python -m tests.storm --tables 10000
	$(BIN)/python -m tests.storm --tables 2000 --villains
	$(BIN)/python -m tests.storm --tables 500 --finale
	$(BIN)/python -m tests.net.kill --times 200
	$(BIN)/python -m tests.fuzz --seconds 60

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint
	$(PYTEST) -m "not soak" $(ARGS)

bench: $(STAMP)
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.deck
	$(BIN)/python -m bench.journal
	$(BIN)/python -m bench.setup
	$(BIN)/python -m bench.cores
	$(BIN)/python -m bench.wire
	$(BIN)/python -m bench.face

catalogues: $(STAMP)
	$(BIN)/python -m tests.catalogues $(ARGS)

lock:
	uv pip compile --universal --generate-hashes --no-header --no-annotate --group dev pyproject.toml -o requirements.lock
	uv pip compile --universal --generate-hashes --no-header --no-annotate --group soak -o requirements-soak.lock

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
