#!/usr/bin/env bash
# check.sh tree BUILD TREE: installs, moves the tree to TREE.
# check.sh PROJECT TREE WORK: builds the project with that gridcc and runs what it makes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -euo pipefail
project=$1 tree=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
# The machine may have nvcc and a toolkit of its own: neither may be found.
unset CUDA_PATH CUDA_HOME CUDA_ROOT CUDAToolkit_ROOT CUDACXX CUDAHOSTCXX LD_LIBRARY_PATH LIBRARY_PATH

# Each program prints what it has checked: "NAME: N of N right".
run() {
  local program
  for program in "$@"; do
    "$work/$program" | tee -a "$work/said"
    if ldd "$work/$program" | grep -F 'not found'; then exit 1; fi
  done
  if grep -vE ': ([0-9]+) of \1 right$' "$work/said"; then
    echo "FAILED: wrong results"
    exit 1
  fi
}

cmake_project() {  # SOURCE FLAGS...
  local source=$1
  shift
  cmake -S "$source" -B "$work" "$@"
  cmake --build "$work" --parallel 2 --verbose
}

if [[ $project == tree ]]; then
  rm -rf "$work"
  cmake --install "$tree" --prefix "$work.first" >/dev/null
  mv "$work.first" "$work"
  exit 0
fi

rm -rf "$work"
mkdir -p "$work"
case $project in
  cmake | cmake_ninja)
    generator="Unix Makefiles"
    [[ $project == cmake ]] || generator=Ninja
    cmake_project "$here/cmake" -G "$generator" -DCMAKE_CUDA_COMPILER="$tree/bin/gridcc" \
      -DCMAKE_BUILD_TYPE=Release
    grep -F "CUDAToolkit_VERSION: 12.5" "$work/toolkit.txt"
    grep -F "$tree/lib/gridspan/toolkit" "$work/toolkit.txt"
    run from_cuda from_cxx with_shared calls_runtime
    run run_time_modules
    run separable separable_library resolved_library separable_shared
    ;;
  find_package)
    mkdir -p "$work.sdk/lib64"
    for name in nvjpeg.so nppc_static.a npps.so cublas.so cufft_static.a curand.so; do echo "int x;" >"$work.sdk/lib64/lib$name"; done
    cmake_project "$here/find_package" -DCMAKE_PREFIX_PATH="$tree" -DCMAKE_SYSTEM_LIBRARY_PATH="$work.sdk/lib64"
    run application host_only
    ;;
  find_cuda)
    PATH="$tree/bin:$PATH" cmake_project "$here/find_cuda" -DCMAKE_BUILD_TYPE=Release
    cat "$work/toolkit.txt"
    grep -Fx "root: $tree/lib/gridspan/toolkit" "$work/toolkit.txt"
    grep -Fx "headers: $tree/lib/gridspan/toolkit/include" "$work/toolkit.txt"
    grep -F "libraries: $tree/lib/gridspan/toolkit/lib64/" "$work/toolkit.txt"
    for name in cublas cufft curand cusparse cusolver; do grep -F "$name: $tree/lib/gridspan/toolkit/lib64/lib$name.so" "$work/toolkit.txt"; done
    run by_find_cuda linked_by_cxx calls_libraries
    ;;
  libraries_cuda | libraries_ccbin | libraries_cxx)
    # An SDK that CMake finds by itself. Its libraries are of any content: the linker is not to see them.
    sdk=$work.sdk/lib64
    mkdir -p "$sdk"
    for name in nvjpeg cublas cudart nvToolsExt nvrtc cuda nvidia-ml; do echo "int x;" >"$sdk/lib$name.so"; done
    echo "int x;" >"$sdk/libculibos.a"
    language=CUDA
    host_compiler=
    [[ $project != libraries_cxx ]] || language=CXX
    [[ $project != libraries_ccbin ]] || host_compiler=$(command -v g++)
    # C++ knows of no CUDA compiler: the toolkit is found by PATH.
    PATH="$tree/bin:$PATH" cmake_project "$here/libraries" -DLANGUAGE=$language -DCMAKE_BUILD_TYPE=Release \
      "-DCMAKE_${language}_COMPILER=$tree/bin/gridcc" -DCMAKE_SYSTEM_LIBRARY_PATH="$sdk" ${host_compiler:+-DCMAKE_CUDA_HOST_COMPILER=$host_compiler}
    cat "$work/targets.txt"
    toolkit=$tree/lib/gridspan/toolkit/lib64
    for name in cudart:cudart cuda_driver:cuda nvrtc:nvrtc nvml:nvidia-ml nvToolsExt:nvToolsExt; do
      grep -Fx "${name%:*}: $toolkit/lib${name#*:}.so" "$work/targets.txt"
    done
    for name in cublas cublasLt curand cufft cusparse cusolver; do
      grep -Fx "$name: $toolkit/lib$name.so" "$work/targets.txt"
      grep -Fx "${name}_static: $toolkit/lib${name}_static.a" "$work/targets.txt"
    done
    grep -Fx "culibos: $toolkit/libculibos.a" "$work/targets.txt"
    for name in cupti nvJitLink; do
      if grep -F "$name: $tree" "$work/targets.txt"; then exit 1; fi
    done
    run compressed calls_libraries calls_static_libraries
    for name in blas rand fft sparse solver; do ldd "$work/calls_libraries" | grep -F "$tree/lib/libgridspan_$name.so"; done
    # CMake finds what Gridspan lacks in the SDK; a link with it is refused, and says why.
    if cmake --build "$work" --target with_nvjpeg >"$work/refused.txt" 2>&1; then exit 1; fi
    grep -E "^gridcc: error: .*/libnvjpeg.so is of an installed CUDA SDK" "$work/refused.txt"
    ;;
  make)
    for overrides in "NVCC=$tree/bin/gridcc" "CUDA_PATH=$tree/lib/gridspan/toolkit"; do
      make -C "$here/make" OUT="$work" clean
      make -C "$here/make" OUT="$work" "$overrides" CUDA_PATH="$tree/lib/gridspan/toolkit"
      run by_nvcc by_cxx separable_by_nvcc separable_by_cxx
    done
    ;;
  meson)
    mkdir "$work/source"
    cp "$here/meson/meson.build" "$here"/{saxpy.cu,saxpy.h,main.cu,main.cpp,runtime_calls.cpp} "$work/source"
    printf "[binaries]\ncuda = '%s'\n" "$tree/bin/gridcc" >"$work/gridspan.ini"
    CUDA_PATH="$tree/lib/gridspan/toolkit" \
      meson setup "$work/build" "$work/source" --native-file="$work/gridspan.ini"
    meson compile -C "$work/build" -j 2
    run build/all_cuda build/cuda_and_cxx build/with_shared build/calls_runtime
    ;;
  clangd)
    # The makefile generator keeps include directories in option files.
    for generator in Ninja "Unix Makefiles"; do
      cmake -S "$here/cmake" -B "$work/build" -G "$generator" -DCMAKE_CUDA_COMPILER="$tree/bin/gridcc" \
        -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
      "$tree/bin/gridcc" --compile-commands="$work/build/compile_commands.json" -o "$work/compile_commands.json"
      for source in saxpy.cu pieces_kernel.cu main.cpp; do
        clangd-19 --compile-commands-dir="$work" --check="$here/$source" 2>&1 | tee "$work/clangd.txt"
        grep -F 'All checks completed, 0 errors' "$work/clangd.txt"
      done
      # The arguments of a launch are checked.
      sed 's/<<<.*>>>(/&"text", /' "$here/saxpy.cu" >"$work/wrong.cu"
      cmp -s "$here/saxpy.cu" "$work/wrong.cu" && exit 1
      sed "s|$here/saxpy.cu|$work/wrong.cu|g" "$work/compile_commands.json" >"$work/changed.json"
      mkdir -p "$work/wrong" && mv "$work/changed.json" "$work/wrong/compile_commands.json"
      if clangd-19 --compile-commands-dir="$work/wrong" --check="$work/wrong.cu" >"$work/clangd.txt" 2>&1; then exit 1; fi
      grep -F 'Line 20: too many arguments to function call' "$work/clangd.txt"
      rm -rf "$work/build"
    done
    ;;
esac
