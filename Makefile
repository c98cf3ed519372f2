# Two commands matter: `make demo` to see it, `make test` to trust it. `make` alone lists them all.

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check
ROUNDS ?= 3
MINUTES ?= 20
WORKERS ?= auto
PORT ?= 8900

# Hundreds of the tests' processes start faster where the first one may leave compiled modules behind.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(PY) -m pytest

.DEFAULT_GOAL := help
.PHONY: help install demo try-slack try-teams test check bench chaos docs lock clean

help: ## list what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

install: $(VENV)/run.stamp ## install the bot into .venv, exact versions, nothing else

demo: $(VENV)/run.stamp ## import a shipped ticket history, ask a question, open the chat; no key, no server
	@$(VENV)/bin/helpdesk demo

try-slack: $(VENV)/test.stamp ## try the bot in a Slack of its own, in a browser; no account, no key; PORT=8900
	@$(PY) -m tests.fakes.tryout --port $(PORT)

try-teams: $(VENV)/test.stamp tests/playground/node_modules ## the same in Microsoft's Agents Playground; needs npm
	@$(PY) -m tests.fakes.tryout.teams --port $(PORT)

test: $(VENV)/test.stamp ## run all tests, a process for each core; ARGS="-k words" runs some
	@$(PYTEST) --numprocesses=$(WORKERS) --maxprocesses=4 --dist=loadfile --no-loadscope-reorder $(ARGS)

check: $(VENV)/test.stamp ## format, lint, strict types, import rules; changes nothing
	@$(VENV)/bin/ruff format --check
	@$(VENV)/bin/ruff check
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports

bench: $(VENV)/test.stamp ## measure speed and size on this machine
	@$(PY) -m bench

chaos: $(VENV)/test.stamp ## load with faults for MINUTES=20, odd payloads, processes killed at every step
	@$(PY) -m bench.chaos --minutes $(MINUTES)
	@$(PY) -m bench.chaos.fuzz
	@for round in $$(seq $(ROUNDS)); do echo "round $$round"; $(PYTEST) -q tests/scenario -k kill || exit 1; done

docs: $(VENV)/test.stamp ## write docs/configuration.md from the schema, docs/licences.md from what is installed
	@$(PY) -m config.describe > docs/configuration.md
	@$(PY) requirements/licences.py > docs/licences.md

lock: ## move requirements/*.txt to the newest versions that pyproject.toml allows
	@sh requirements/lock.sh

clean: ## delete .venv and everything that can be made again
	@rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

tests/playground/node_modules: tests/playground/package-lock.json
	@command -v npm >/dev/null || { echo "The Agents Playground needs npm: apt-get install npm, or see nodejs.org."; exit 1; }
	@npm ci --silent --no-audit --no-fund --ignore-scripts --prefix tests/playground
	@touch $@

$(PY):
	@sh requirements/venv.sh $(VENV)

$(VENV)/run.stamp: $(PY) pyproject.toml requirements/run.txt requirements/build.txt
	@echo "Installing the bot into $(VENV); the first time takes a few minutes."
	@$(PIP) --no-deps -r requirements/run.txt -r requirements/build.txt
	@$(PIP) --no-deps --no-build-isolation --editable .
	@$(PY) -m pip check --disable-pip-version-check
	@touch $@

$(VENV)/test.stamp: $(VENV)/run.stamp requirements/production.txt requirements/test.txt
	@echo "Installing what the tests need into $(VENV); the first time takes a few minutes."
	@$(PIP) -r requirements/test.txt
	@touch $@
