#!/usr/bin/env bash
# run_tests.sh JOBS BUILD...: runs the tests of each build folder and ends with one line about all.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -uo pipefail

jobs=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ran=0 failed=0 broken=0
for build in "$@"; do
  echo "== tests of $build"
  ctest --test-dir "$build" -j"$jobs" --output-on-failure --no-tests=error --timeout 300 \
    --progress 2>&1 | tee "$log"
  (( PIPESTATUS[0] == 0 )) || broken=1
  # "98% tests passed, 1 tests failed out of 50"
  read -r bad all < <(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log" | tail -n 1) || true
  failed=$(( failed + ${bad:-0} )) ran=$(( ran + ${all:-0} ))
done
if (( broken )); then
  echo "make test: FAILED, $failed of $ran tests in ${SECONDS} s"
  exit 1
fi
echo "make test: all $ran tests passed in ${SECONDS} s"
