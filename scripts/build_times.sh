#!/usr/bin/env bash
# build_times.sh [TARGET...]: builds from nothing, without a compiler cache, in folders of its own, and prints elapsed and CPU
# seconds of each make target (build, everything, sanitized, threads), by default of `make`. Needs TMPDIR's disk: 3 GB.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/.."

(( $# )) || set -- build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CCACHE_DISABLE=1 BUILD=$folder/build
times=$folder/times
status=0
scripts/timed_make.sh "$times" "$@" >"$folder/log" 2>&1 || { status=$?; tail -n 50 "$folder/log"; }
echo " elapsed      CPU  target"
while read -r elapsed cpu what; do printf '%8s %8s  %s\n' "$elapsed" "$cpu" "$what"; done <"$times"
exit "$status"
