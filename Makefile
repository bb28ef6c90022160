# make setup      the run environment alone     make app    the explorer on http://127.0.0.1:8501
# make test       all checks and all tests      make check  style, types, spelling, layers
# make test-fast  what needs no browser, no corpora and no training     make check-js, make test-js  the same for the page's JavaScript
# make setup TORCH=cuda   PyTorch for NVIDIA GPUs instead of processors alone     make lock    the hashes anew, after a change of pins (needs uv)
# make licences, sbom, audit    licences of all packages, a bill of materials, known weaknesses (needs pip-audit)
# make fresh            sample verdicts, screenshots and figures anew, as far as weights or texts have changed
# make scores           the expected values of tests/scores anew; the commit message says why they changed
# make docs             the documentation as a site in build/site, which opens from the disk
# make schemas          docs/schema anew, from the types of the results
# make bench            one table: products, encoding, cold start, waiting, clicks (docs/log/speed.md); six minutes
# make results CORPORA=../shared/corpora        train what is missing, and the tables of docs/results
# make results ROWS=duet,arc_ii                 these rows of docs/results/systems.md anew

PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8501
BIN := .venv/bin
WORKERS ?= 2
CORPORA ?= ../shared/corpora
DOCUMENTS ?= assets/samples/banks_money.pdf assets/samples/lens_history.pdf assets/samples/lens_physics.pdf
PDFS ?= ../shared/documents/papers
JS := tests/js
PRETTY := 'colde/report/**/*.{js,ts,css}' 'app/**/*.{js,css}' '!**/bundle/**' '$(JS)/**/*.{js,mjs}' '!**/node_modules/**'
# The build of PyTorch: the one that is there, else the one for processors alone.
TORCH ?= $(or $(patsubst .venv/.torch-%,%,$(firstword $(wildcard .venv/.torch-*))),cpu)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --no-deps
# Nothing is installed whose SHA-256 is not in the lock file. The only index is pip's own; supply/torch-cpu.lock names its own one.
LOCKED := $(INSTALL) --require-hashes
LOCK := uv pip compile - --quiet --no-deps --universal --python-version 3.11.2 --generate-hashes --no-header --no-annotate
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadgroup

# Compiled modules are kept between the many programs that the tests start, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup lock app test test-fast test-js check check-js view browser node bench fresh scores schemas docs results licences sbom audit clean

setup: .venv/.run

.venv/.python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Python 3.11 to 3.13 is needed; name it with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@touch $@

.venv/.torch-$(TORCH): supply/torch-$(TORCH).lock | .venv/.python
	$(LOCKED) --force-reinstall --retries 1 -r supply/torch-$(TORCH).lock
	@rm -f .venv/.torch-*
	@touch $@

.venv/.run: requirements.lock supply/build.lock pyproject.toml .venv/.torch-$(TORCH) | .venv/.python
	$(LOCKED) -r requirements.lock -r supply/build.lock
	$(INSTALL) --no-build-isolation -e .
	@touch $@

.venv/.test: .venv/.run supply/dev.lock
	$(LOCKED) -r supply/dev.lock
	@touch $@

# A server for the tests of indexes on object storage; its packages do not go together with ours.
.venv/.s3: supply/s3.lock | .venv/.run
	$(LOCKED) --upgrade --target .venv/s3 -r supply/s3.lock
	@touch $@

# The lock files from the pins, but for those of PyTorch: each of its versions has hashes of its own for each index.
lock:
	grep -v '^torch==' requirements.txt | $(LOCK) --output-file requirements.lock
	grep -v '^-r ' requirements-dev.txt | $(LOCK) --output-file supply/dev.lock
	grep -E '^(editables|hatchling|pathspec|pluggy|trove-classifiers)==' requirements-dev.txt | $(LOCK) --output-file supply/build.lock
	$(LOCK) --output-file supply/s3.lock < requirements-s3.txt

app: setup
	$(BIN)/colde app --port $(PORT)

# What the tests of the page need: what is there, else Debian's packages.
define debian
{ s=""; [ "$$(id -u)" = 0 ] || s=sudo; $$s apt-get update -qq && $$s apt-get install -y -qq $(1); }
endef

browser:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
	  $(call debian,chromium chromium-headless-shell)

# Node 18 or newer, for development only: nothing of it is needed at run time.
node:
	@node -e 'process.exit(Number(process.versions.node.split(".")[0] < 18))' 2>/dev/null || $(call debian,--no-install-recommends nodejs)

$(JS)/node_modules/.done: $(JS)/package-lock.json | node
	@command -v npm >/dev/null || $(call debian,--no-install-recommends npm)
	npm ci --prefix $(JS) --silent
	@touch $@

# The page's script and style sheet from their sources; the result is committed.
view: $(JS)/node_modules/.done
	node $(JS)/build.mjs

check-js: $(JS)/node_modules/.done
	$(JS)/node_modules/.bin/prettier --config $(JS)/.prettierrc.json --log-level warn --check $(PRETTY)
	node $(JS)/build.mjs --check
	$(JS)/node_modules/.bin/eslint --config $(JS)/eslint.config.js colde/report/linked_view app $(JS)
	$(JS)/node_modules/.bin/tsc --project $(JS)/tsconfig.json

test-js: node
	node --test $(JS)/*/*.test.js

check: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/typos
	$(BIN)/lint-imports
	$(BIN)/pytest -q tests/test_layout.py -m "not slow"

test: check check-js test-js browser .venv/.s3
	$(PYTEST)

# No browser, no corpora, nothing that takes seconds.
test-fast: .venv/.test
	$(PYTEST) -m "not slow and not browser and not corpora"

# Trained runs lie in runs/; one that was stopped goes on. A row is trained anew if its folder in runs/ is removed.
RECIPES = $(shell $(BIN)/python -c 'from colde.models.registry import specs; print(",".join(n for n, s in specs().items() if s.module.startswith("studies.")))')
results: setup
ifdef ROWS
	$(BIN)/python -m studies.papers.systems_table $(CORPORA) --work runs/systems --models $(ROWS) --again
else
	$(BIN)/python -m studies.papers.baselines_table $(CORPORA) --work runs --output docs/results
	$(BIN)/python -m studies.papers.systems_table $(CORPORA) --work runs/systems --models $(RECIPES)
	$(BIN)/python -m studies.papers.paper_studies $(CORPORA) --work runs/systems
endif

# Nothing is trained. What could not be rebuilt here is named at the end, with exit status 1.
fresh: .venv/.test browser
	$(BIN)/python -m studies.release.refresh $(CORPORA) --runs runs

scores: setup
	$(BIN)/python tests/scores/measure.py --write

# Strict: a link that leads nowhere is an error.
docs: .venv/.test
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

schemas: setup
	$(BIN)/python -m studies.release.json_schemas

licences: setup
	$(BIN)/python supply/licences.py

sbom: setup
	$(BIN)/python supply/sbom.py > sbom.json

audit: setup
	$(BIN)/python supply/audit.py

bench: setup
	$(BIN)/python -m studies.speed.bench $(DOCUMENTS) $(if $(wildcard $(PDFS)/*.pdf),--pages $(PDFS))

clean:
	rm -rf .venv build dist *.egg-info $(JS)/node_modules
