#!/usr/bin/env bash
# check_jumps.sh SOURCES WORK PYTHON...: the tables of cuRAND's jumps are those that make_jumps.py makes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
sources=$1 work=$2
mkdir -p "$work"
"${@:3}" "$sources/src/libraries/rand/make_jumps.py" "$work" "$work"
for table in rand_xorwow_jumps.h rand_mrg32k3a_jumps.h; do cmp "$work/$table" "$sources/cuda_headers/gridspan/$table"; done
cmp "$work/mt19937_jump.h" "$sources/src/libraries/rand/api/mt19937_jump.h"
