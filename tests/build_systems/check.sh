#!/usr/bin/env bash
# check.sh tree BUILD TREE: installs, moves the tree to TREE.
# check.sh PROJECT TREE WORK: builds the project with that gridcc and runs what it makes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
project=$1 tree=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
# The machine may have nvcc and a toolkit of its own: neither may be found.
unset CUDA_PATH CUDAToolkit_ROOT CUDACXX CUDAHOSTCXX LD_LIBRARY_PATH LIBRARY_PATH

# Each program prints what it has checked: "NAME: N of N right".
run() {
  local program
  for program in "$@"; do
    "$work/$program" | tee -a "$work/said"
    if ldd "$work/$program" | grep -F 'not found'; then exit 1; fi
  done
  if grep -vE ': ([0-9]+) of \1 right$' "$work/said"; then
    echo "FAILED: wrong results"
    exit 1
  fi
}

cmake_project() {  # SOURCE FLAGS...
  local source=$1
  shift
  cmake -S "$source" -B "$work" "$@"
  cmake --build "$work" --parallel 2 --verbose
}

if [[ $project == tree ]]; then
  rm -rf "$work"
  cmake --install "$tree" --prefix "$work.first" >/dev/null
  mv "$work.first" "$work"
  exit 0
fi

rm -rf "$work"
mkdir -p "$work"
case $project in
  cmake | cmake_ninja)
    generator="Unix Makefiles"
    [[ $project == cmake ]] || generator=Ninja
    cmake_project "$here/cmake" -G "$generator" -DCMAKE_CUDA_COMPILER="$tree/bin/gridcc" \
      -DCMAKE_BUILD_TYPE=Release
    grep -F "CUDAToolkit_VERSION: 12.5" "$work/toolkit.txt"
    grep -F "$tree/lib/gridspan/toolkit" "$work/toolkit.txt"
    run from_cuda from_cxx with_shared calls_runtime
    run run_time_modules
    run separable separable_library resolved_library separable_shared
    ;;
  find_package)
    cmake_project "$here/find_package" -DCMAKE_PREFIX_PATH="$tree"
    run application host_only
    ;;
  make)
    for overrides in "NVCC=$tree/bin/gridcc" "CUDA_PATH=$tree/lib/gridspan/toolkit"; do
      make -C "$here/make" OUT="$work" clean
      make -C "$here/make" OUT="$work" "$overrides" CUDA_PATH="$tree/lib/gridspan/toolkit"
      run by_nvcc by_cxx separable_by_nvcc separable_by_cxx
    done
    ;;
esac
