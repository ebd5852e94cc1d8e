#!/usr/bin/env bash
# run_tests.sh JOBS BUILD...: runs the tests of each build folder; the end says what failed and why.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -uo pipefail
export CUDA_VISIBLE_DEVICES=  # tests of GPUs bring a driver; tests/devices/gpu_tests.py uses this machine's

jobs=$1
shift
log=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$failures"' EXIT

# What a failing test said, again: records of CI runs often keep no more than the end.
repeat_failures() {  # BUILD, ctest's own output on standard input
  local build=$1 name how
  sed -nE '/^The following tests FAILED:/,$ s/^[[:space:]]+[0-9]+ - (.*) (\([^()]*\)).*$/\1\t\2/p' |
    while IFS=$'\t' read -r name how; do
      echo "== $build: $name $how"
      awk -v name="$name" '
        /^<end of output>$/ { body = 0 }
        !body && /^[0-9]+\/[0-9]+ Test: / { wanted = substr($0, index($0, ": ") + 2) == name; body = 1 }
        wanted
        !body && /^Test .*\.$/ { wanted = 0 }' "$build/Testing/Temporary/LastTest.log" | tail -n 150
    done
}

ran=0 failed=0 broken=0
for build in "$@"; do
  echo "== tests of $build"
  ctest --test-dir "$build" -j"$jobs" --output-on-failure --no-tests=error --timeout 300 \
    --progress 2>&1 | tee "$log"
  if (( PIPESTATUS[0] != 0 )); then
    broken=1
    repeat_failures "$build" <"$log" >>"$failures"
  fi
  # "98% tests passed, 1 tests failed out of 50"
  read -r bad all < <(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log" | tail -n 1) || true
  failed=$(( failed + ${bad:-0} )) ran=$(( ran + ${all:-0} ))
done
if (( broken )); then
  echo "== the failures again"
  cat "$failures"
  echo "make test: FAILED, $failed of $ran tests in ${SECONDS} s"
  exit 1
fi
echo "make test: all $ran tests passed in ${SECONDS} s"
