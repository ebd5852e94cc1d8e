#!/usr/bin/env bash
# toolkit_include.sh SOURCE WORK: which folders the toolkit's include folder leads to (cmake/toolkit_include.cmake).
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work"/{headers,source}/cuda "$work"/source/crt "$work"/headers/crt "$work"/toolkit
touch "$work"/{headers,source}/{cuda_runtime.h,cuda/atomic,crt/host_runtime.h} "$work"/source/CMakeLists.txt
cat >"$work/make.cmake" <<EOF
include($source/cmake/toolkit_include.cmake)
make_toolkit_include($work/toolkit $work/headers $work/source)
EOF
failed=0
is() {  # NAME LINK: what include/NAME is a link to; "none": there is no such file
  local link
  link=$(readlink "$work/toolkit/include/$1" || echo none)
  if [[ $link != "$2" ]]; then
    echo "FAILED: include/$1 leads to $link, not to $2"
    failed=1
  fi
}

# An earlier version's folder was a link to the headers: they are not touched.
ln -s ../headers "$work/toolkit/include"
cmake -P "$work/make.cmake"
[[ -f $work/headers/cuda_runtime.h && ! -L $work/headers/cuda_runtime.h && ! -e $work/headers/thrust ]]
is cuda_runtime.h ../../headers/cuda_runtime.h
is crt ../../headers/crt
is CMakeLists.txt none
is thrust /usr/include/thrust
is cub /usr/include/cub
[[ -d /usr/include/cuda/std ]] || is cuda ../../headers/cuda
[[ -d /usr/include/nv ]] || is nv none

# A CCCL among our headers comes before; its cuda/ replaces ours.
mkdir -p "$work"/headers/cccl/{thrust,cub,cuda/std,nv}
touch "$work"/headers/cccl/{thrust/version.h,nv/target}
touch "$work"/source/cublas.h "$work"/headers/cublas.h
rm -r "$work"/{headers,source}/crt
cmake -P "$work/make.cmake"
for name in thrust cub cuda nv; do is $name ../../headers/cccl/$name; done
is cublas.h ../../headers/cublas.h
is crt none
is cccl none
[[ -f $work/toolkit/include/thrust/version.h && -f $work/headers/cuda/atomic ]]

# It is gone again.
rm -r "$work"/headers/cccl
cmake -P "$work/make.cmake"
is thrust /usr/include/thrust
[[ -d /usr/include/cuda/std ]] || is cuda ../../headers/cuda
[[ -d /usr/include/nv ]] || is nv none
exit $failed
