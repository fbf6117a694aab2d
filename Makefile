# Entry points; `make help` lists them. CMake builds, see CMakePresets.json.

.DEFAULT_GOAL := help
SHELL := /bin/sh
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
FUZZERS := npy npz images csv state options experiment infer grpc
SANITIZERS := asan tsan
DATA ?= ../shared/data
# In the order of the paper.
EXPERIMENTS := yearbook evis fmow-time gas batch-sizes single-sample cifar-10-1 imagenet-v2 \
  cluster-fidelity ablation pacs-leave-one-out pacs-sequential stad-bn imagenet-c oracle projection runtime sensitivity \
  yearbook-readings yearbook-sweeps

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## */\1\t/' | expand -t 20

demo: ## build the command and run it on drifting streams: a table here and stad-demo.html
	@scripts/install-packages core
	@cmake --preset release -DSTAD_TESTS=OFF >/dev/null
	@cmake --build --preset release -j $(JOBS) --target stad_command
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

server: ## install what the service needs, and build it: build/bin/stad serve
	@scripts/install-packages server
	@cmake --preset release -DSTAD_SERVER=ON >/dev/null
	@$(MAKE) --no-print-directory build

grpc: ## install what the service with gRPC needs, and build it: build/bin/stad serve --grpc-listen 127.0.0.1:8081
	@scripts/install-packages grpc
	@cmake --preset release -DSTAD_SERVER=ON -DSTAD_GRPC=ON >/dev/null
	@$(MAKE) --no-print-directory build

cluster: ## install what workers on NATS need, and build them: build/bin/stad worker
	@scripts/install-packages cluster
	@cmake --preset release -DSTAD_CLUSTER=ON >/dev/null
	@$(MAKE) --no-print-directory build

cluster-demo: ## three NATS servers, three workers, a thousand streams, two killed processes; about half a minute
	@scripts/install-packages cluster-demo
	@cmake --preset release -DSTAD_CLUSTER=ON -DSTAD_PYTHON=ON >/dev/null
	@$(MAKE) --no-print-directory build
	PYTHONPATH=build/python scripts/cluster-demo

docs: ## the documentation as a site, with the API: build/docs/html/index.html
	@scripts/install-packages docs
	@$(MAKE) --no-print-directory python
	@PYTHONPATH=build/python /usr/bin/python3 docs/site/build.py build/docs/html

paper: torch ## every experiment of the paper whose data is there (DATA): results and report in build/paper
	build/bin/stad bench $(EXPERIMENTS:%=experiments/%.toml) --data $(DATA) --skip-missing --out build/paper

safety: torch ## gains and losses over the source of every method, of every constant of stad-safe, and of labels: build/safety
	@scripts/install-packages python
	@cmake --preset release -DSTAD_BENCHMARKS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@scripts/safety-data $(DATA) build/safety/data
	build/bin/stad bench experiments/safety.toml --data build/safety/data --skip-missing --out build/safety
	build/bin/stad_guard_ablation $(DATA) | tee build/safety/ablation.txt
	build/bin/stad_label_ablation $(DATA) table | tee build/safety/labels.txt

paper-corruptions: torch ## CIFAR-10-C, in short and at full size, an hour or more: build/corruptions
	build/bin/stad bench experiments/cifar-10-c-quick.toml experiments/cifar-10-c.toml --data $(DATA) --out build/corruptions

test: test-release test-asan ## everything a user should trust: all release tests, unit tests under AddressSanitizer

test-all: test test-browser test-package test-image test-tsan ## test, the browser tests, Debian packages, OCI image, ThreadSanitizer

test-release: build-tests
	ctest --test-dir build --output-on-failure -j $(JOBS) -LE browser

test-browser: build-tests ## the report and the console in chromium
	ctest --test-dir build --output-on-failure -L browser

build-tests:
	@scripts/install-packages test
	@cmake --preset release -DSTAD_TESTS=ON -DSTAD_TORCH=ON -DSTAD_PYTHON=ON -DSTAD_SERVER=ON -DSTAD_CLUSTER=ON -DSTAD_GRPC=ON -DSTAD_BENCHMARKS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)

# The unit tests, and the array and thread tests of the Python package, under a sanitizer: test-asan (with
# UndefinedBehaviorSanitizer), test-tsan. libtorch's threads are not instrumented for ThreadSanitizer, so that build
# leaves the torch component out.
$(SANITIZERS:%=test-%): test-%:
	@scripts/install-packages test
	@cmake --preset $* -DSTAD_PYTHON=ON -DSTAD_SERVER=ON -DSTAD_GRPC=ON -DSTAD_TORCH=$(if $(filter tsan,$*),OFF,ON) >/dev/null
	@cmake --build --preset $* -j $(JOBS) --target stad_unit_label
	ctest --test-dir build/$* --output-on-failure -j $(JOBS) -L unit

package: ## Debian packages of everything, looked over by lintian: build/package/*.deb
	@scripts/install-packages package
	@cmake --preset package $(PACKAGE_OPTIONS) >/dev/null
	@cmake --build --preset package -j $(JOBS)
	@rm -f build/package/*.deb
	@cd build/package && cpack >/dev/null
	lintian --allow-root --fail-on error build/package/*.deb

# One CPU level beside the generic library suffices to test that the loader chooses; libtorch is tested by test-release.
test-package: PACKAGE_OPTIONS ?= -DSTAD_CPU_LEVELS=x86-64-v3 -DSTAD_TORCH=OFF
test-package: package ## install, use and remove the packages in a clean Debian root
	tests/install/packages build/package

image: package ## an OCI image of the service from the packages: build/image/stad-oci and stad-oci.tar (IMAGE_PACKAGES adds others)
	@scripts/install-packages image
	scripts/build-image build/package build/image $(IMAGE_PACKAGES)

test-image: PACKAGE_OPTIONS ?= -DSTAD_CPU_LEVELS=x86-64-v3 -DSTAD_TORCH=OFF
test-image: image ## check the image and run it as the manifests for Kubernetes have it
	tests/install/image build/image build/package

soak: ## a million batches of one for every method, ten thousand for those on networks, a million requests; takes a while
	@scripts/install-packages soak
	@cmake --preset release -DSTAD_TESTS=ON -DSTAD_TORCH=ON -DSTAD_SERVER=ON -DSTAD_GRPC=ON >/dev/null
	@cmake --build --preset release -j $(JOBS) --target stad_soak stad_network_soak stad_server
	tests/soak/service.py build/bin/stad-server
	tests/soak/grpc_cost.py build/bin/stad-server
	build/bin/stad_soak
	build/bin/stad_network_soak

load: ## requests a second of the service beside nginx, under the same load in one run; two minutes
	@scripts/install-packages soak
	@cmake --preset release -DSTAD_SERVER=ON >/dev/null
	@cmake --build --preset release -j $(JOBS) --target stad_server
	tests/soak/load_beside_nginx.py build/bin/stad-server

bench: ## times beside a PyTorch peer and the machine's own limits, a quarter of an hour: build/bench/DATE.md
	@scripts/install-packages bench
	@cmake --preset release -DSTAD_TESTS=OFF -DSTAD_PYTHON=ON -DSTAD_BENCHMARKS=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	scripts/bench-report

fuzz: ## every input parser under libFuzzer, a minute each (FUZZ_SECONDS)
	@scripts/install-packages develop
	@cmake --preset fuzz -DSTAD_GRPC=ON >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@for parser in $(FUZZERS); do \
	  mkdir -p build/fuzz/found/$$parser; \
	  build/fuzz/bin/$${parser}_fuzzer -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
	    -artifact_prefix=build/fuzz/$$parser- build/fuzz/found/$$parser fuzz/corpus/$$parser || exit 1; \
	done

fuzz-service: ## broken requests for a service built with AddressSanitizer, ten minutes of REST, ten of gRPC (FUZZ_SECONDS)
	@scripts/install-packages test
	@cmake --preset asan -DSTAD_SERVER=ON -DSTAD_GRPC=ON >/dev/null
	@cmake --build --preset asan -j $(JOBS) --target stad_server
	tests/soak/fuzz_service.py build/asan/bin/stad-server $(if $(filter 60,$(FUZZ_SECONDS)),600,$(FUZZ_SECONDS))
	tests/soak/fuzz_grpc.py build/asan/bin/stad-server $(if $(filter 60,$(FUZZ_SECONDS)),600,$(FUZZ_SECONDS))

tidy: ## clang-tidy over every source of the product
	@scripts/install-packages develop
	@cmake --preset tidy >/dev/null
	@cmake --build --preset tidy -j $(JOBS)

coverage: ## line coverage of the tests by gcov, a summary for each module
	@scripts/install-packages test
	@cmake --preset coverage >/dev/null
	@cmake --build --preset coverage -j $(JOBS)
	@ctest --test-dir build/coverage -j $(JOBS) -L 'unit|oracle|golden' >/dev/null
	@scripts/coverage-summary build/coverage

format: ## clang-format over every source
	@scripts/install-packages develop
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

docs-images: python server ## the pictures of README and docs from the programs themselves: docs/images
	@scripts/install-packages test
	scripts/docs-images build docs/images

install: build ## install below /usr/local, or PREFIX
	cmake --install build --prefix $(or $(PREFIX),/usr/local)

clean: ## remove everything that was built
	rm -rf build

.NOTPARALLEL:  # targets share the package database and build folders; each is parallel inside

.PHONY: help demo build build-tests docs-images torch python server grpc cluster cluster-demo docs paper paper-corruptions safety test test-all test-release test-browser $(SANITIZERS:%=test-%) soak load bench fuzz fuzz-service tidy coverage format install package test-package image test-image clean
