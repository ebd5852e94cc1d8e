# The commands a person types; CMake and Ninja do the work. `make help` lists them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

BUILD ?= build
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# SETUP=no: do not look for missing Debian packages.
SETUP ?= yes
# Enough to find a sanitizer's error; more takes a third longer to compile.
sanitizer_flags := -O1 -gline-tables-only

SHELL := /bin/bash
CMAKE_OPTIONS ?=
SANITIZERS := address,undefined
sanitized := $(BUILD)-sanitized
threads := $(BUILD)-threads
demo := $(BUILD)/demo
export NINJA_STATUS := [%f/%t, %es] 

.NOTPARALLEL:
.PHONY: all build everything setup setup-tests configure configure-tests demo test sanitized threads check test-gpu bench-programs bench-cpu bench-fusion bench-gpu bench-scaling bench-starts bench-beyond bench-functions bench-copies bench-launches bench-libraries bench-checks bench-devices install clean \
  help format tidy

all: build

build: configure ## Build gridcc, gridspan and the library (the default)
	@ninja -C $(BUILD) -j$(JOBS) gridspan_product

everything: configure-tests ## Build that, the tests and the benchmarks
	@ninja -C $(BUILD) -j$(JOBS)

configure: setup
	@test -f $(BUILD)/build.ninja || \
	  cmake -S . -B $(BUILD) -G Ninja --log-level=NOTICE \
	    -DGRIDSPAN_BUILD_TESTS=OFF -DGRIDSPAN_BUILD_BENCH=OFF $(CMAKE_OPTIONS)

# Adds tests and benchmarks to a folder that `make` configured without them.
configure-tests: setup setup-tests
	@test -f $(BUILD)/build.ninja && ! grep -q 'GRIDSPAN_BUILD_TESTS:BOOL=OFF' $(BUILD)/CMakeCache.txt || \
	  cmake -S . -B $(BUILD) -G Ninja --log-level=NOTICE \
	    -DGRIDSPAN_BUILD_TESTS=ON -DGRIDSPAN_BUILD_BENCH=ON $(CMAKE_OPTIONS)

setup: ## Install the Debian packages that building and running need
	@if [ "$(SETUP)" = yes ]; then scripts/setup.sh build; fi

setup-tests: ## Install those that tests, benchmarks, format and tidy need
	@if [ "$(SETUP)" = yes ]; then scripts/setup.sh tests; fi

demo: build ## Compile examples/hotspot.cu, simulate a 1024 x 1024 chip, draw it
	@mkdir -p $(demo)
	@echo "demo: compiling examples/hotspot.cu with gridcc"
	$(BUILD)/bin/gridcc -O2 examples/hotspot.cu -o $(demo)/hotspot
	@echo "demo: running it; every cell is checked against a plain CPU program"
	$(demo)/hotspot 1024 1024 --png $(demo)/hotspot.png
	@echo
	@echo "The picture is $(abspath $(demo)/hotspot.png): a chip with four cores (left) and twelve"
	@echo "shaders (right), seen from above. Dark is cool, pale yellow is hot: the integer unit of"
	@echo "the busiest core."

test: everything sanitized threads check ## Build and run every test

check:
	@scripts/run_tests.sh $(JOBS) $(sanitized) $(threads) $(BUILD)

sanitized: setup setup-tests ## Build the run time and its unit tests with ASan and UBSan
	@test -f $(sanitized)/build.ninja || \
	  cmake -S . -B $(sanitized) -G Ninja --log-level=NOTICE $(CMAKE_OPTIONS) \
	    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$(sanitizer_flags)" -DGRIDSPAN_SANITIZE=$(SANITIZERS) \
	    -DGRIDSPAN_BUILD_COMPILER=OFF -DGRIDSPAN_BUILD_BENCH=OFF
	@ninja -C $(sanitized) -j$(JOBS) gridspan_unit_tests

threads: everything ## Build the run time and its tests with ThreadSanitizer
	@test -f $(threads)/build.ninja || \
	  cmake -S . -B $(threads) -G Ninja --log-level=NOTICE $(CMAKE_OPTIONS) \
	    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO="$(sanitizer_flags)" -DGRIDSPAN_SANITIZE=thread \
	    -DGRIDSPAN_BUILD_COMPILER=OFF -DGRIDSPAN_BUILD_BENCH=OFF \
	    -DGRIDSPAN_GRIDCC=$(abspath $(BUILD))/bin/gridcc
	@ninja -C $(threads) -j$(JOBS) gridspan_thread_tests

bench-programs: configure-tests ## Build the programs that bench-gpu, bench-scaling, bench-starts, bench-beyond, bench-functions, bench-copies and bench-launches run
	@ninja -C $(BUILD) -j$(JOBS) bench/cpu/cuda_form bench_programs bench_cpu_functions bench_gpu_copies bench_gpu_functions bench_gpu_launches

bench-cpu: configure-tests ## Time kernels on this machine's CPU, beside OpenMP and PoCL
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} ninja -C $(BUILD) -j$(JOBS) bench-cpu

bench-fusion: configure-tests ## Time sequences of launches on this machine's CPU, as chains, as one kernel and one after the other
	@ninja -C $(BUILD) -j$(JOBS) bench_fusion
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} python3 bench/fusion/fusion.py $(BUILD)/bench/fusion/sequences $(TESTS)

test-gpu: ## Run the tests on this machine's GPUs; a built tree is enough (BUILD), with its tests' programs
	@python3 tests/devices/gpu_tests.py real $(BUILD) $(TESTS)

bench-gpu: ## Time bench/cpu's kernels on this machine's GPU, beside nvcc's (DEVICES=2: on two, beside one; after bench-programs; a built tree is enough)
	@python3 bench/gpu/gpu.py $(BUILD) $(if $(DEVICES),--devices $(DEVICES)) $(TESTS)

bench-scaling: ## Time large programs on all of this machine's GPUs, beside one and nvcc's (after bench-programs)
	@python3 bench/gpu/scaling.py $(BUILD) $(TESTS)

bench-starts: ## Time programs that do little, from start to end, on all of this machine's GPUs, beside one and nvcc's (after bench-programs)
	@python3 bench/gpu/starts.py $(BUILD) $(TESTS)

bench-beyond: ## Time programs with more data than this machine's GPU is given room for (after bench-programs)
	@python3 bench/gpu/beyond.py $(BUILD) $(TESTS)

bench-functions: ## Time mathematical functions on this machine's CPU, beside libmvec, and on its GPU, beside nvcc's (after bench-programs)
	@python3 bench/cpu/functions/functions.py $(BUILD) $(TESTS)
	@if test -e /dev/nvidiactl; then python3 bench/gpu/beside_nvcc.py $(BUILD) functions $(TESTS); fi

bench-copies: ## Time copies of pageable memory on this machine's GPU, beside nvcc's (after bench-programs; TESTS=beyond: more data than it has)
	@python3 bench/gpu/beside_nvcc.py $(BUILD) copies $(TESTS)

bench-launches: ## Time launches and graphs on this machine's GPU, beside nvcc's (after bench-programs)
	@python3 bench/gpu/beside_nvcc.py $(BUILD) launches $(TESTS)

bench-libraries: everything ## Time CUDA's libraries and Thrust on one thread of this machine's CPU (GRIDSPAN_THREADS), beside libraries for CPUs that are there
	@ninja -C $(BUILD) bench_libraries
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} GRIDSPAN_THREADS=$${GRIDSPAN_THREADS:-1} $(BUILD)/bench/libraries/fft 0.5 $(TESTS)
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} GRIDSPAN_THREADS=$${GRIDSPAN_THREADS:-1} $(BUILD)/bench/libraries/gemm
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} GRIDSPAN_THREADS=$${GRIDSPAN_THREADS:-1} $(BUILD)/bench/libraries/vectors
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} GRIDSPAN_THREADS=$${GRIDSPAN_THREADS:-1} $(BUILD)/bench/libraries/solver
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} GRIDSPAN_THREADS=$${GRIDSPAN_THREADS:-1} $(BUILD)/bench/libraries/thrust

bench-checks: everything ## Time the checks of interpret mode (about 5 minutes)
	@ninja -C $(BUILD) bench_checks_kernels
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} python3 bench/checks/checks.py $(BUILD) $(TESTS)

bench-devices: everything ## Measure many devices: bytes, planning, scaling (about 5 minutes)
	@GRIDSPAN_DEVICES=$${GRIDSPAN_DEVICES:-cpu} ninja -C $(BUILD) bench-devices

install: build ## Install under PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix "$(abspath $(PREFIX))" >/dev/null
	@echo "Installed. Try: $(abspath $(PREFIX))/bin/gridcc --help"

format: setup-tests ## Format our C++ and CUDA files
	@tests/check_format.sh --write

tidy: configure-tests ## Run clang-tidy over our C++ files, or those that changed since a commit (SINCE)
	@scripts/tidy.sh $(BUILD) $(JOBS) $(SINCE)

clean: ## Remove all build folders
	@rm -rf $(BUILD) $(sanitized) $(threads)

help: ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(firstword $(MAKEFILE_LIST)) | \
	  sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22
	@echo "Variables: TESTS (names, for test-gpu) SINCE (a commit, for tidy) BUILD=$(BUILD) PREFIX=$(PREFIX) JOBS=$(JOBS) SETUP=$(SETUP) CMAKE_OPTIONS="
