# For people: short names for what CMake, ctest and the scripts in tools/ do.

RUN ?= crafty
ARGS ?=
PREFIX ?= /usr/local
PRESETS := release debug asan tsan validate

.DEFAULT_GOAL := help
.PHONY: help run test test-all bench soak format format-check setup clean install $(PRESETS)

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '  make %-14s %s\n' '<preset>' 'build one of: $(PRESETS)'

run: release ## build and run Crafty; a sample with RUN=01_entities, options with ARGS=--help
	@if [ $(RUN) = crafty ]; then exec tools/run-crafty $(ARGS); else exec tools/run-sample $(RUN) $(ARGS); fi

test: setup ## build the release and run all of its tests
	@tools/test release

test-all: setup ## build and test in all other ways: guarded, sanitized, with other compilers
	@tools/test validate asan tsan determinism

bench: release ## build and run all benchmarks
	@for bench in build/release/bin/bench_*; do "$$bench" || exit 1; done

soak: setup ## run the tests that take hours
	@tools/soak

format: ## format all C sources in place
	@tools/format

format-check: ## say which C sources are not formatted
	@tools/format --check

setup: ## install the Debian packages that are missing
	@tools/setup

install: release ## install the library; choose where with PREFIX=/usr/local
	cmake --install build/release --prefix $(PREFIX)

clean: ## remove everything that was built
	rm -rf build

$(PRESETS): setup
	@cmake --preset $@ >/dev/null
	@cmake --build --preset $@
