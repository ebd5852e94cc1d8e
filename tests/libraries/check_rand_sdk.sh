#!/usr/bin/env bash
# check_rand_sdk.sh SOURCES BUILD WORK: random numbers are those of an SDK's library: integers and uniform numbers the same bits,
# normal numbers up to the rounding of their functions. Needs an SDK's headers and library, and no GPU.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
sources=$1 build=$2 work=$3
here=$sources/tests/libraries
nvcc=$(python3 "$sources/tests/sdk.py" nvcc) || { echo "SKIPPED: $nvcc"; exit 77; }
sdk=$("$nvcc" -v nothing.cu 2>&1 | sed -nE 's/^#\$ TOP=//p' | head -n 1 || true)
[[ -f $sdk/include/curand_kernel.h ]] || { echo "SKIPPED: no curand_kernel.h in $sdk"; exit 77; }
library=$(find "$sdk/" -name libcurand.so | head -n 1)
[[ $library ]] || { echo "SKIPPED: no libcurand.so in $sdk"; exit 77; }
rm -rf "$work"
mkdir -p "$work"
g++ -std=c++17 -O1 -w -DWITH_SDK -x c++ "$here/rand_numbers.cu" -I"$sdk/include" -x none "$library" -Wl,-rpath,"$(dirname "$library")" -o "$work/theirs"
"$build/bin/gridcc" -std=c++17 -O1 "$here/rand_numbers.cu" -lcurand -o "$work/ours"
"$work/theirs" >"$work/theirs.txt"
GRIDSPAN_DEVICES=cpu:2 "$work/ours" >"$work/ours.txt"
python3 - "$work/theirs.txt" "$work/ours.txt" <<'END'
import sys

theirs, ours = (open(name).read().splitlines() for name in sys.argv[1:])
wrong = [] if len(theirs) == len(ours) else [(len(theirs), len(ours))]
loose = 0
for a, b in zip(theirs, ours):
    if a == b:
        continue
    name, kind, right = a.rsplit(" ", 2)
    tolerance = {"f": 2e-5, "d": 1e-11}.get(kind)
    loose += 1
    if not b.startswith(f"{name} {kind} ") or tolerance is None or \
            abs(float(right) - float(b.rsplit(" ", 1)[1])) > tolerance * max(1, abs(float(right))):
        wrong.append((a, b))
print(f"{len(theirs)} numbers, {loose} not bit by bit, {len(wrong)} wrong", *wrong[:10], sep="\n")
sys.exit(bool(wrong) or len(theirs) < 10000)
END
