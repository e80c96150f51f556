# Croupier: what can be made. `make help` lists it.
PYTHON ?= python3
VENV := .venv
WORKERS ?= 3
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PROTOS := $(wildcard proto/croupier/v1/*.proto)
SEEDS ?= 10000
RUNS ?= 50
TIME ?= 120
HANDS ?= 1000000
EXPLORE := --hypothesis-profile explore --timeout 3600
BILL ?= build/sbom.json
SBOM := $(BIN)/python -W ignore::UserWarning -m cyclonedx_py requirements --pyproject pyproject.toml --output-reproducible
NATIVE := $(shell find native -name '*.c' -o -name '*.h' -o -name '*.py')

.DEFAULT_GOAL := help
.PHONY: help setup run test simulate crash cluster fuzz lint lock sbom format census history soak bench proto docs proto-baseline native clean

help: ## Show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(VENV)/built ## Make .venv with everything in it, built

$(VENV)/installed: pyproject.toml deploy/dev.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes --requirement deploy/dev.lock
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/built: $(VENV)/installed $(PROTOS) $(NATIVE) proto/generate.py
	$(BIN)/python proto/generate.py
	$(BIN)/python native/build_native.py
	touch $@

run: setup ## Serve on 127.0.0.1:50051 (gRPC) and :9464 (HTTP, with /console), on a SQLite file in data/
	$(BIN)/croupier serve --console

test: setup ## Run every test of the default suite
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

simulate: setup ## Play SEEDS (10000) scenarios with faults, a tenth as many with three servers, and find each planted bug
	$(BIN)/python -m tests.simulation 1 --seeds $(SEEDS) --processes $$(nproc)
	$(BIN)/python -m tests.simulation 1 --seeds $(SEEDS) --processes $$(nproc) --bug all
	$(BIN)/python -m tests.simulation 1 --seeds $$(($(SEEDS) / 10)) --processes $$(nproc) --nodes 3
	$(BIN)/python -m tests.simulation 1 --seeds $$(($(SEEDS) / 10)) --processes $$(nproc) --nodes 3 --bug all

fuzz: setup ## Draw RUNS (50) times as many inputs as make test does, other ones; libFuzzer for TIME (120) seconds
	FUZZ_TIMES=$(RUNS) $(BIN)/python -m pytest tests/fuzz $(EXPLORE) --verbose --durations=0 --durations-min=1
	$(BIN)/python native/run_tests.py fuzz $(TIME)
	$(BIN)/python -m pytest tests/property $(EXPLORE) --verbose

crash: setup ## Kill a server at every step of every kind of command, on both stores (ten minutes)
	CROUPIER_LONG=1 $(BIN)/python -m pytest -s tests/integration/crash

cluster: setup ## Break three servers with PostgreSQL and NATS in every way, many times; figures (fifteen minutes)
	CROUPIER_LONG=1 $(BIN)/python -m pytest -s tests/integration/cluster/breaking/test_breaking.py::test_the_room_survives_for_long \
		tests/integration/cluster/test_bus_split.py

lint: setup ## Check style, types and the contract
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy service tests
	MYPYPATH=native:service $(BIN)/mypy native/*.py
	$(BIN)/mypy deploy/*.py
	MYPYPATH=proto $(BIN)/mypy proto/*.py
	$(BIN)/buf lint proto
	$(BIN)/buf breaking proto --against proto/baseline.binpb
	$(BIN)/python deploy/audit.py

lock: $(VENV)/installed ## Write deploy/*.lock from pyproject.toml; UPGRADE=--upgrade takes the newest versions
	$(BIN)/python deploy/lock.py $(UPGRADE)

sbom: $(VENV)/installed ## Write build/sbom.json: what the service is made of, as CycloneDX
	mkdir -p build
	$(SBOM) --output-file $(BILL) deploy/requirements.lock

format: setup ## Put the code into the one format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

census: setup ## Prove the evaluator: every hand, every implementation, millions of deals (minutes)
	$(BIN)/python native/run_tests.py long
	$(BIN)/python -m tests.census

history: setup ## Play a million operations, and hold them against the service's history (20 minutes)
	$(BIN)/python -m tests.bench.history

soak: setup ## Play HANDS (1000000) at one server, and judge whether it grows or slows; build/soak.json (hours)
	$(BIN)/python -m tests.soak --hands $(HANDS)

bench: setup ## Measure, print, and write build/bench.json
	$(BIN)/python -m tests.bench.run

proto: $(VENV)/installed ## Generate service/croupier/v1/ from proto/
	$(BIN)/python proto/generate.py

docs: setup ## Write proto/REFERENCE.md, deploy/METRICS.md, deploy/SETTINGS.md and the rules for Kubernetes from what they describe
	$(BIN)/python proto/reference.py
	$(BIN)/python deploy/reference.py
	$(BIN)/python deploy/rules.py

proto-baseline: $(VENV)/installed ## Take the contract as it is as what must not break; say why under Decisions
	$(BIN)/buf build proto --exclude-source-info -o proto/baseline.binpb

native: $(VENV)/installed ## Build the evaluator
	$(BIN)/python native/build_native.py

clean: ## Remove everything made but .venv and data/
	rm -rf build dist service/croupier/v1 $(VENV)/built
