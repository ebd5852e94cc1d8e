#!/usr/bin/env bash
# setup.sh [build|tests|all]: installs the Debian packages for building and running Gridspan (build), those for tests,
# benchmarks, format and tidy (tests), or both (all, the default). Does nothing when all are there.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail

build=(
  # the compiler we drive and build with
  clang-19 lld-19 llvm-19-dev libclang-19-dev libclang-rt-19-dev
  # run time: fibers; and what gridcc itself uses
  libboost-context-dev libexpected-dev libcli11-dev nlohmann-json3-dev
  libelf-dev libzstd-dev zlib1g-dev
  # kernel models: integer sets
  libisl-dev libgmp-dev
  # OpenMP in programs compiled with gridcc (-Xcompiler -fopenmp)
  libomp-19-dev
  # math for GPUs
  libclc-19
  # CUB and Thrust, which CUDA programs expect; gridcc finds them in /usr/include
  libcub-dev libthrust-dev
  # the build
  cmake ninja-build make g++ pkg-config ccache git ca-certificates python3
)
tests=(
  llvm-19-tools libgtest-dev libgmock-dev libgl-dev clang-format-19 clang-tidy-19
  # build systems and editors that must understand gridcc
  meson clangd-19
  # a browser for the pages of gridspan explain; without it that test is skipped
  chromium-headless-shell
)

case ${1:-all} in
  build) packages=("${build[@]}") ;;
  tests) packages=("${tests[@]}") ;;
  all) packages=("${build[@]}" "${tests[@]}") ;;
  *)
    echo "scripts/setup.sh: unknown argument '$1'; it is build, tests or all" >&2
    exit 1
    ;;
esac

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [[ $status == "install ok installed" ]] || missing+=("$package")
done
(( ${#missing[@]} == 0 )) && exit 0

if ! command -v apt-get >/dev/null || ! grep -qE '^ID(_LIKE)?=.*debian' /etc/os-release 2>/dev/null
then
  cat >&2 <<TXT
scripts/setup.sh: this is not a Debian system, so nothing was installed.
Gridspan is built and tested on Debian 12. Elsewhere, install what these packages hold
  ${missing[*]}
and run make with SETUP=no.
TXT
  exit 1
fi

as_root=()
if [[ $(id -u) != 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "scripts/setup.sh: run this as root first: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "setup: installing ${#missing[@]} Debian packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
quietly() {  # shows the output only of a command that failed
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    echo "scripts/setup.sh: this failed: $*" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
quietly "${as_root[@]}" apt-get update
quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y --no-install-recommends "${missing[@]}"
echo "setup: done"
