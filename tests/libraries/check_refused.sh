#!/usr/bin/env bash
# check_refused.sh BUILD WORK: what libraries answer wrong arguments with, and say of them, on one device and on several.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
build=$1 work=$2
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$work"
mkdir -p "$work"
"$build/bin/gridcc" -x cu "$here/refused.c" -o "$work/refused" -lcudnn -lnccl -lcusolver -lcusparse -lcufft -lcurand -lcublas
for devices in cpu cpu:3; do
  GRIDSPAN_DEVICES=$devices GRIDSPAN_LOG=warn "$work/refused" >"$work/wanted" 2>"$work/said" || { cat "$work/said"; exit 1; }
  diff "$work/wanted" "$work/said"
done
[[ $(wc -l <"$work/wanted") -gt 70 ]]
# Nothing is said unless it is asked for, but by NCCL.
GRIDSPAN_DEVICES=cpu GRIDSPAN_LOG=error "$work/refused" >"$work/wanted" 2>"$work/said"
diff <(grep 'gridspan: error:' "$work/wanted") "$work/said"
