#!/usr/bin/env bash
# setup.sh [build|tests|all]: installs the Debian packages for building and running Gridspan (build), those for tests,
# benchmarks, format and tidy (tests), or both (all, the default). Does nothing when all are there.
# setup.sh --cccl [FOLDER]: fetches the CUB, Thrust and libcu++ that CUDA 13 has into FOLDER; gridcc finds them by itself in
# the default one, among Gridspan's headers. Debian's, of 2022, do without.
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

# NVIDIA's package for Python, whose headers are all we take; the checksum is pip's to compare.
fetch_cccl() {
  local folder=${1:-$(dirname "$0")/../cuda_headers/cccl}
  if [[ -e $folder/thrust/version.h ]]; then
    echo "setup: CCCL is in $folder already"
    return
  fi
  if ! python3 -m pip --version >/dev/null 2>&1; then
    echo "scripts/setup.sh: --cccl needs pip; install python3-pip" >&2
    exit 1
  fi
  temporary=$(mktemp -d)
  trap 'rm -rf "$temporary"' EXIT
  echo 'cuda-cccl==1.2.1 --hash=sha256:c1b8293c1b9dedbc0b3877c1fbb8265db293c7945371791a3dc69ca99db4a541' >"$temporary/wanted"
  python3 -m pip download --quiet --require-hashes --no-deps --only-binary=:all: --implementation cp \
    --python-version 3.11 --platform manylinux_2_26_x86_64 --dest "$temporary" --requirement "$temporary/wanted"
  python3 -m zipfile -e "$temporary"/cuda_cccl-*.whl "$temporary"
  mkdir -p "$folder"
  cp -r "$temporary"/cuda/cccl/headers/include/{cub,cuda,nv,thrust} "$folder"
  echo "setup: CCCL 3.6 is in $folder"
}

case ${1:-all} in
  --cccl)
    fetch_cccl "${2:-}"
    exit 0
    ;;
  build) packages=("${build[@]}") ;;
  tests) packages=("${tests[@]}") ;;
  all) packages=("${build[@]}" "${tests[@]}") ;;
  *)
    echo "scripts/setup.sh: unknown argument '$1'; it is build, tests, all or --cccl" >&2
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
