# Thin names for what the scripts and cargo do. `make help` lists them.
# One target directory and one selection of packages and features for everything: RocksDB and Qdrant Edge are built once.

export CARGO_TARGET_DIR ?= $(HOME)/.cache/coevo-target

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help demo stop clean-demo test fmt lint bench record fixtures dist

# `--all-targets` also for builds: without the tests' dependencies cargo would unify features differently.
WHOLE := --release --locked --workspace --all-targets

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 18

demo: ## load real data, ask a question, leave the server running (MODEL=local: with a small local model)
	@MODEL='$(MODEL)' scripts/demo.sh

stop: ## stop the demo's server and model
	@scripts/demo.sh stop

clean-demo: ## stop the demo and delete its data directory
	@scripts/demo.sh clean

test: ## everything CI runs
	@scripts/test.sh

fmt: ## format
	cargo fmt --all

lint: ## format check, clippy, tidy
	cargo fmt --all --check
	cargo clippy $(WHOLE) -- -D warnings
	cargo build $(WHOLE)
	$(CARGO_TARGET_DIR)/release/xtask tidy

bench: ## measure loading and asking on this machine, as Markdown for docs/benchmarks.md
	cargo build $(WHOLE)
	@python3 scripts/bench.py $(CARGO_TARGET_DIR)/release/coevo

record: ## record the model's replies again for the replay tests (starts the local model)
	cargo build $(WHOLE)
	@scripts/record.sh

fixtures: ## copy tests/fixtures again from reference data: make fixtures FROM=DIR
	@scripts/copy-fixtures.sh "$(FROM)"

dist: ## the program for shipping: link-time optimised and stripped
	cargo build --profile dist --locked --package coevo --bin coevo
	@ls -l $(CARGO_TARGET_DIR)/dist/coevo
