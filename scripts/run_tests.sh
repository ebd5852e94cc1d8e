#!/usr/bin/env bash
# run_tests.sh JOBS BUILD...: runs the tests of each build folder; the end says what failed and why.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# TESTS_UNTIL, in seconds since 1970, ends them early, as a CI server with a limit needs: the end says how many were not run
# or were cut short, which is no failure, and a line of it for each build folder goes into the file TESTS_NOT_RUN.
set -uo pipefail
export CUDA_VISIBLE_DEVICES=  # tests of GPUs bring a driver; tests/devices/gpu_tests.py uses this machine's

jobs=$1
shift
log=$(mktemp)
failures=$(mktemp)
cut=$(mktemp)
failing=$(mktemp)
trap 'rm -f "$log" "$failures" "$cut" "$failing"' EXIT

# Names of tests that time ended, of ctest's own output on standard input: those after the last one that ended by itself.
cut_short() {
  awk '!/ Test +#[0-9]+: / { next }
    /\*\*\*Timeout/ { sub(/.* Test +#[0-9]+: /, ""); sub(/ \.*\*\*\*Timeout.*/, ""); names = names $0 "\n"; next }
    { names = "" }
    END { printf "%s", names }'
}

# "NAME<tab>(how it failed)" for each line of ctest's list.
failed_tests() { sed -nE '/^The following tests FAILED:/,$ s/^[[:space:]]+[0-9]+ - (.*) (\([^()]*\)).*$/\1\t\2/p'; }

# What failing tests said, again, as ctest printed it (its own log does not survive a stop): records of CI runs often keep
# no more than the end.
repeat_failures() {  # BUILD, lines of failed_tests on standard input
  local build=$1 name how
  while IFS=$'\t' read -r name how; do
    echo "== $build: $name $how"
    awk -v name="$name" '
      /^ *Start +[0-9]+: / || / Test +#[0-9]+: / { wanted = 0 }
      / Test +#[0-9]+: .*\*\*\*/ { ended = $0; sub(/.* Test +#[0-9]+: /, "", ended); sub(/ \.*\*\*\*.*/, "", ended); wanted = ended == name }
      wanted' "$log" | tail -n 150
  done
}

not_run=()
ran=0 failed=0 broken=0
for build in "$@"; do
  echo "== tests of $build"
  until=()
  if [[ -n ${TESTS_UNTIL:-} ]]; then  # ctest takes a time that has passed for tomorrow's
    now=$(date +%s)
    until=(--stop-time "$(date -d "@$(( TESTS_UNTIL > now + 1 ? TESTS_UNTIL : now + 1 ))" +%T)")
  fi
  ctest --test-dir "$build" -j"$jobs" --output-on-failure --no-tests=error --timeout 300 \
    --progress ${until[@]+"${until[@]}"} 2>&1 | tee "$log"
  status=${PIPESTATUS[0]}
  # "98% tests passed, 1 tests failed out of 50"
  read -r all < <(sed -nE 's/^[0-9]+% tests passed, [0-9]+ tests failed out of ([0-9]+).*/\1/p' "$log" | tail -n 1) || true
  : >"$cut"
  stopped=no
  if grep -q '^The stop time has been passed' "$log"; then
    stopped=yes
    cut_short <"$log" >"$cut"
    all=$(( ${all:-0} - $(wc -l <"$cut") ))
    listed=$(ctest --test-dir "$build" -N | sed -nE 's/^Total Tests: ([0-9]+)$/\1/p')
    not_run+=("$(( listed - all )) of $listed tests of $(basename "$build"), the last ones")
  fi
  failed_tests <"$log" | awk -F'\t' -v cut="$cut" 'BEGIN { while ((getline name < cut) > 0) short[name] } !($1 in short)' >"$failing"
  if [[ -s $failing ]] || { (( status != 0 )) && [[ $stopped == no ]]; }; then
    broken=1
    repeat_failures "$build" <"$failing" >>"$failures"
  fi
  failed=$(( failed + $(wc -l <"$failing") )) ran=$(( ran + ${all:-0} ))
done
for what in ${not_run[@]+"${not_run[@]}"}; do
  echo "make test: NOT RUN, since no time was left: $what"
  [[ -z ${TESTS_NOT_RUN:-} ]] || echo "$what" >>"$TESTS_NOT_RUN"
done
if (( broken )); then
  echo "== the failures again"
  cat "$failures"
  echo "make test: FAILED, $failed of $ran tests in ${SECONDS} s"
  exit 1
fi
echo "make test: all $ran tests passed in ${SECONDS} s"
