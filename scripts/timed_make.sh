#!/usr/bin/env bash
# timed_make.sh FILE TARGET...: makes the targets one after the other, up to the first that fails, and appends a line to FILE
# for each: elapsed seconds, CPU seconds, target.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -uo pipefail
cd "$(dirname "$0")/.."

record=$1
shift
exec 3>&1 4>&2
for target in "$@"; do
  TIMEFORMAT='%0R %0U %0S'
  spent=$({ time make --no-print-directory "$target" >&3 2>&4; } 2>&1)
  status=$?
  read -r elapsed user system <<<"$spent"
  echo "$elapsed $((user + system)) make $target" >>"$record"
  (( status == 0 )) || exit "$status"
done
