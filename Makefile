# Short names for common tasks; the work is done by CMake, ctest and the scripts in tools/.

RUN ?= crafty
ARGS ?=
PREFIX ?= /usr/local
PRESETS := release debug asan tsan validate

.DEFAULT_GOAL := help
.PHONY: help run test test-all bench soak format format-check setup clean install $(PRESETS)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@printf '  make %-14s %s\n' '<preset>' 'build a preset: $(PRESETS)'

run: release ## build and run Crafty, or a sample (RUN=01_entities); pass options with ARGS=--help
	@if [ $(RUN) = crafty ]; then exec tools/run-crafty $(ARGS); else exec tools/run-sample $(RUN) $(ARGS); fi

test: setup ## build the release preset and run all its tests
	@tools/test release

test-all: setup ## build and test with guards, sanitizers and other compilers
	@tools/test validate asan tsan determinism

bench: release ## build and run all benchmarks
	@for bench in build/release/bin/bench_*; do "$$bench" || exit 1; done

soak: setup ## run the tests that take hours
	@tools/soak

format: ## format all C sources in place
	@tools/format

format-check: ## list C sources that are not formatted
	@tools/format --check

setup: ## install missing Debian packages
	@tools/setup

install: release ## install the library to PREFIX (default /usr/local)
	cmake --install build/release --prefix $(PREFIX)

clean: ## remove all build output
	rm -rf build

$(PRESETS): setup
	@cmake --preset $@ >/dev/null
	@cmake --build --preset $@
