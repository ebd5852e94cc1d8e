#!/usr/bin/env bash
# check_format.sh [--write]: are our C++ and CUDA files as clang-format 19 writes them?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/.."

# tests/lit, tests/misuse and tests/check hold sources that are wrong or oddly laid out on purpose.
mapfile -d '' files < <(find src bench examples cuda_headers tests -type f \
  \( -name '*.h' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) \
  -not -path 'tests/lit/*' -not -path 'tests/misuse/*' -not -path 'tests/check/*' -print0)
if [[ ${1:-} == --write ]]; then
  clang-format-19 -i "${files[@]}"
else
  clang-format-19 --dry-run --Werror --ferror-limit=1 "${files[@]}" ||
    { echo "some of ${#files[@]} files are not formatted: make format" >&2; exit 1; }
fi
