# Every job of the project, one target each. `make help` lists them.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
N ?= 1e6

.DEFAULT_GOAL := help
.PHONY: help setup run test test-python test-bounds test-slow browser notebooks figures mutants bench lint types imports docs check clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $(STAMP)

setup: $(STAMP) ## make .venv with `simulate` in it

run: setup ## one million biathlon games with a report (N=… for another count)
	$(BIN)/simulate run --game biathlon --n $(N) --out runs/biathlon

test: setup ## all tests but those of docs, notebooks, browser (make check, make browser) and slow ones
	$(BIN)/simulate cache warm
	$(BIN)/python -m pytest -m "not slow and not browser" -n 2 --dist loadscope --no-loadscope-reorder \
		--ignore tests/docs --ignore tests/notebooks

test-python: setup ## the plain-Python lane: the same choices and rows without the compiler
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/lanes tests/games tests/strategies -m "not slow" -k "not twin" -n 2

test-bounds: setup ## kernels with bounds checks, in a cache of their own
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$$(mktemp -d) $(BIN)/python -m pytest tests/games tests/contract -m "not slow"

test-slow: setup ## coverage of intervals by simulation and other long checks
	$(BIN)/python -m pytest -m "slow and not browser" -n 2

browser: setup ## the report in Chromium: wide and narrow, light and dark
	$(BIN)/python -m pytest tests/browser -m browser

notebooks: setup ## execute every notebook
	$(BIN)/python -m pytest tests/notebooks

figures: setup ## every figure of the specification, with the reference's number of games
	$(BIN)/python tests/figures/run.py

mutants: setup ## flip, shift and drop lines of the rules; the tests must notice
	$(BIN)/python tests/mutants/run.py

bench: setup ## speed and memory as ratios in one run, with a checksum of what was played
	$(BIN)/python tests/benchmarks/run.py

lint: setup ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup ## type hints
	$(BIN)/mypy

imports: setup ## who may import whom
	$(BIN)/lint-imports

docs: setup ## the docs agree with the code
	$(BIN)/python -m pytest tests/docs

check: test lint types imports docs test-python notebooks ## everything that CI runs, but the browser

clean: ## remove what can be made again (runs stay)
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist *.egg-info
