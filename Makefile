# The commands of this house; `make help` lists them. CMake does the building, see CMakePresets.json.

.DEFAULT_GOAL := help
SHELL := /bin/sh
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
FUZZ_DOORS := npy npz images csv state options experiment
SANITIZERS := asan ubsan tsan
DATA ?= ../shared/data
# In the order of the paper.
EXPERIMENTS := yearbook evis fmow-time gas batch-sizes single-sample cifar-10-1 imagenet-v2 \
  cluster-fidelity ablation pacs-leave-one-out pacs-sequential stad-bn imagenet-c oracle projection runtime sensitivity \
  yearbook-readings yearbook-sweeps

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */\1\t/' | expand -t 20

demo: build ## build the command and show it at work: a table here and stad-demo.html
	build/bin/stad demo

build: ## leave the command at build/bin/stad
	@scripts/install-packages core
	@cmake --preset release -DSTAD_TESTS=OFF >/dev/null
	@cmake --build --preset release -j $(JOBS)

torch: ## install what the torch component needs, and build with it
	@scripts/install-packages torch
	@cmake --preset release -DSTAD_TORCH=ON >/dev/null
	@$(MAKE) --no-print-directory build

python: ## install what the Python package needs, and build it: PYTHONPATH=build/python
	@scripts/install-packages python
	@cmake --preset release -DSTAD_PYTHON=ON >/dev/null
	@$(MAKE) --no-print-directory build

paper: torch ## every experiment of the paper whose data is there (DATA): results and report in build/paper
	build/bin/stad bench $(EXPERIMENTS:%=experiments/%.toml) --data $(DATA) --skip-missing --out build/paper

never-worse: torch ## gains over the source on real, corrupted and simulated streams (DATA): build/never-worse
	build/bin/stad bench experiments/never-worse.toml --data $(DATA) --skip-missing --out build/never-worse

paper-corruptions: torch ## CIFAR-10-C, in short and at full size, an hour or more: build/corruptions
	build/bin/stad bench experiments/cifar-10-c-quick.toml experiments/cifar-10-c.toml --data $(DATA) --out build/corruptions

test: test-release $(SANITIZERS:%=test-%) ## everything a user should trust, sanitizers included

test-release:
	@scripts/install-packages test
	@cmake --preset release -DSTAD_TESTS=ON -DSTAD_TORCH=ON -DSTAD_PYTHON=ON -DSTAD_BENCHMARKS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	ctest --test-dir build --output-on-failure -j $(JOBS)

# The unit tests once more under a sanitizer: make test-asan, test-ubsan, test-tsan. libtorch's own threads know nothing
# of ThreadSanitizer, so the torch component is left out there.
$(SANITIZERS:%=test-%): test-%:
	@scripts/install-packages test
	@cmake --preset $* -DSTAD_TORCH=$(if $(filter tsan,$*),OFF,ON) >/dev/null
	@cmake --build --preset $* -j $(JOBS) --target stad_unit_label
	ctest --test-dir build/$* --output-on-failure -j $(JOBS) -L unit

soak: ## a million batches of one for every method, ten thousand for those on networks; takes a while
	@scripts/install-packages test
	@cmake --preset release -DSTAD_TESTS=ON -DSTAD_TORCH=ON >/dev/null
	@cmake --build --preset release -j $(JOBS) --target stad_soak stad_network_soak
	build/bin/stad_soak
	build/bin/stad_network_soak

bench: ## times beside a PyTorch peer and the machine's own limits, a quarter of an hour: build/bench/DATE.md
	@scripts/install-packages bench
	@cmake --preset release -DSTAD_TESTS=OFF -DSTAD_BENCHMARKS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	scripts/bench-report

fuzz: ## every byte door under libFuzzer, a minute each (FUZZ_SECONDS)
	@scripts/install-packages develop
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@for door in $(FUZZ_DOORS); do \
	  mkdir -p build/fuzz/found/$$door; \
	  build/fuzz/bin/$${door}_fuzzer -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/$$door- build/fuzz/found/$$door fuzz/corpus/$$door || exit 1; \
	done

tidy: ## clang-tidy over every source of the product
	@scripts/install-packages develop
	@cmake --preset tidy >/dev/null
	@cmake --build --preset tidy -j $(JOBS)

coverage: ## line coverage of the tests by gcov, a summary for each room
	@scripts/install-packages test
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage -j $(JOBS)
	@ctest --test-dir build/coverage -j $(JOBS) -L 'unit|oracle|golden' >/dev/null
	@scripts/coverage-summary build/coverage

format: ## clang-format over every source
	@scripts/install-packages develop
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

install: build ## install below /usr/local, or PREFIX
	cmake --install build --prefix $(or $(PREFIX),/usr/local)

clean: ## remove everything that was built
	rm -rf build

.NOTPARALLEL:  # targets share packages and build folders; the work inside each is parallel

.PHONY: help demo build torch python paper never-worse paper-corruptions test test-release $(SANITIZERS:%=test-%) soak bench fuzz tidy coverage format install clean
