#!/usr/bin/env bash
# Compiles the feature tests with NVIDIA's nvcc and runs them on the GPU of this machine: what a test
# expects is right only if hardware does it, too.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: scripts/nvcc_tests.sh [TEST...]       names without .cu; all by default
#
# Needs nvcc (in PATH or NVCC) and a GPU, and nothing of Gridspan. Prints a line for each test:
# passed, failed, or not compiled (newer toolkits have dropped what some tests are about).
set -euo pipefail

cd "$(dirname "$0")/../tests/run"
export NVCC=${NVCC:-nvcc} ARCH=${ARCH:-native}
folder=$(mktemp -d)
export folder
trap 'rm -rf "$folder"' EXIT

check_one() {
  local name=$1 log=$folder/$1.log status=0
  if ! "$NVCC" -std=c++17 -arch="$ARCH" --extended-lambda -rdc=true -w -I. "$name.cu" \
      -o "$folder/$name" -lcuda -lcudadevrt -lnvidia-ml >"$log" 2>&1; then
    echo "not compiled  $name: $(grep -m1 -E 'error|fatal' "$log" | cut -c1-160)"
    return
  fi
  timeout 120 "$folder/$name" >"$log" 2>&1 || status=$?
  if (( status == 0 )); then
    echo "passed        $name"
  else
    echo "FAILED        $name: status $status"
    head -n "${LINES_SHOWN:-6}" "$log" | cut -c1-200 | sed 's/^/                /'
  fi
}
export -f check_one

names=("$@")
if (( ${#names[@]} == 0 )); then
  for file in *.cu; do names+=("${file%.cu}"); done
fi
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'check_one {} >"$folder/{}.result"'
for name in "${names[@]}"; do cat "$folder/$name.result"; done
