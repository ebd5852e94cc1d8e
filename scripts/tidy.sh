#!/usr/bin/env bash
# tidy.sh BUILD JOBS [REVISION]: clang-tidy over our C++ files, or those of them that changed since REVISION; any finding is
# a failure. Headers are checked with the files that include them. Takes 5 to 20 CPU seconds for each file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 jobs=$2 since=${3:-}

files=$PWD/src/
if [[ -n $since ]]; then
  git rev-parse --quiet --verify "$since^{commit}" >/dev/null || { echo "tidy.sh: no commit '$since'" >&2; exit 2; }
  files=$(git diff --name-only --diff-filter=d "$since" -- 'src/*.cpp' | sed "s|^|$PWD/|; s|[.]|[.]|g" | paste -sd '|')
  if [[ -z $files ]]; then
    echo "tidy.sh: no C++ file of src changed since $since"
    exit 0
  fi
fi
mkdir -p "$build/tidy"
scripts/compile_commands.py "$build" >"$build/tidy/compile_commands.json"
run-clang-tidy-19 -quiet -warnings-as-errors='*' -p "$build/tidy" -j"$jobs" "$files"
