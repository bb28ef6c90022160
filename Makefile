# make setup  the run environment alone        make app    the explorer on http://127.0.0.1:8501
# make test   all checks and all tests         make check  style, types, spelling, layers
# make results CORPORA=../shared/corpora       train what is missing, and the table of docs/results

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8501
BIN := .venv/bin
WORKERS ?= 2
CORPORA ?= ../shared/corpora

.PHONY: setup app test check browser results clean

setup: .venv/.run

.venv/.run: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "Python 3.11 is needed; name it with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

.venv/.test: .venv/.run requirements-dev.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

app: setup
	$(BIN)/colde app --port $(PORT)

# A browser for the tests of the page: what is there, else Debian's chromium.
browser:
	@command -v chromium >/dev/null || \
	  { s=""; [ "$$(id -u)" = 0 ] || s=sudo; $$s apt-get update -qq && $$s apt-get install -y -qq chromium; }

check: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/typos
	$(BIN)/lint-imports

test: check browser
	$(BIN)/pytest -n $(WORKERS) --dist loadfile

# Trained runs lie in runs/; one that was stopped goes on.
results: setup
	$(BIN)/python benchmarks/results.py $(CORPORA) --work runs --output docs/results

clean:
	rm -rf .venv build dist *.egg-info
