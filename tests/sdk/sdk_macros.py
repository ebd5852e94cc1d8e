#!/usr/bin/env python3
"""Do programs see the macros that nvcc predefines? Asks an installed nvcc and gridcc, in both passes.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    sdk_macros.py GRIDCC SDK       SDK: a folder with bin/nvcc

For each macro a variable is made whose name says whether there is one, and whose value is the macro's: a device
variable in the device pass (read from PTX, or from what clang is told to make), an ordinary one in the host pass
(read from the object). That is done for many options.
Left out are macros that say what only a GPU or a later CUDA has (__CUDA_ARCH_FEAT_SM90_ALL and its kin,
__CUDACC_DEVICE_ATOMIC_BUILTINS__): programs take another way without them. __USE_FAST_MATH__ is CUDA 12's.
Exits with 77 (skipped), and says so, where there is no nvcc. Nothing of the SDK is stored.
"""

import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

SKIPPED = 77
MACROS = """
__CUDACC__ __NVCC__ __CUDACC_RDC__ __CUDACC_EWP__ __CUDACC_DEBUG__ __CUDACC_EXTENDED_LAMBDA__
__CUDACC_RELAXED_CONSTEXPR__ __CUDACC_INTEGRATED__ __CUDACC_RTC__ CUDA_API_PER_THREAD_DEFAULT_STREAM
CUDA_FORCE_API_VERSION __CUDA_ARCH__ __CUDA_ARCH_FEAT_SM80_ALL __CUDACC_VER_MAJOR__ __CUDACC_VER_MINOR__
__CUDACC_VER_BUILD__ __NVCC_DIAG_PRAGMA_SUPPORT__ __CUDART_API_VERSION CUDART_VERSION __CUDA_FTZ __CUDA_PREC_DIV __CUDA_PREC_SQRT __CUDA_FMAD
__CUDANVVM__ __CUDABE__ __CUDACC_MINIMUM_ARCH__ __NVRTC__ __FAST_MATH__ NDEBUG
__GNUC__ __GNUG__ _GNU_SOURCE __cplusplus __STDC_HOSTED__ __EXCEPTIONS __GXX_RTTI __cpp_rtti __cpp_exceptions
__STRICT_ANSI__ __x86_64__ __LP64__ __linux__ linux unix __unix__ __SIZEOF_INT128__ __CHAR_UNSIGNED__ _OPENMP
__SSE2__ __SSE4_2__ __AVX__ __AVX2__ __FMA__ __EDG__ __EDG_VERSION__ __PGI __INTEL_COMPILER __ICC __HIP__ __HIPCC__
__HIP_PLATFORM_AMD__ __SYCL_DEVICE_ONLY__ __OPENCL_VERSION__
__host__ __device__ __global__ __shared__ __constant__ __managed__ __forceinline__ __noinline__ __launch_bounds__
__align__ __restrict__ __grid_constant__ __builtin_align__ __cudart_builtin__ __inline_hint__ __nv_pure__
__DRIVER_TYPES_H__ __VECTOR_TYPES_H__ __CUDA_RUNTIME_H__ __HOST_DEFINES_H__
NULL INT_MAX M_PI FLT_MAX min max CUDART_INF_F CUDART_CB __THROW _GLIBCXX_RELEASE MINE
""".split()
VALUES = {"__CUDA_ARCH__", "__cplusplus", "CUDA_API_PER_THREAD_DEFAULT_STREAM", "_GLIBCXX_RELEASE", "__CUDACC_RDC__",
          "__CUDACC_EXTENDED_LAMBDA__", "__CUDACC_RELAXED_CONSTEXPR__", "__CUDACC_DEBUG__", "MINE"}
OPTIONS = [
    "", "-std=c++14", "-std=c++20", "-arch=sm_80", "-arch=compute_86 -code=sm_86", "-arch=sm_90", "-rdc=true", "-dc",
    "-dlto", "-ewp", "--extended-lambda", "-expt-extended-lambda", "--expt-relaxed-constexpr", "-G", "-g",
    "-G -rdc=true -O3", "-O3", "-default-stream per-thread", "--default-stream=legacy", "--use_fast_math", "-ftz=true",
    "-prec-div=false -prec-sqrt=false -fmad=false", "-lineinfo", "-Xcompiler -fopenmp", "-Xcompiler=-fopenmp,-fPIC",
    "-Xcompiler -fPIC", "-Xcompiler -march=haswell", "-Xcompiler -mavx2,-mfma", "-Xcompiler -O2", "-DNDEBUG",
    "-DMINE=3", "-Xcompiler -DMINE=4", "-DMINE", "-UMINE", "-m64", "-Xptxas -O3",
]
NO_PTX = ["-dlto", "-dc"]  # nvcc writes none with these


def probes(side):
    lines = ["#define WORDS_OF(x) #x", "#define TEXT_OF(x) WORDS_OF(x)"]
    lines += ["#ifdef __CUDA_ARCH__", "#define SIDE 1", "#else", "#define SIDE 0", "#endif",
              f"#if SIDE == {int(side == 'device')}",
              "#define SAY(x) extern \"C\" { " + ("__device__ " if side == "device" else "") + "int x = 1; }",
              "#define JOIN2(a, b) a##b", "#define JOIN(a, b) JOIN2(a, b)"]
    for macro in MACROS:
        value = f"SAY(JOIN(probe_{macro}__value_, {macro}))" if macro in VALUES else f"SAY(probe_{macro}__defined)"
        lines += [f"#ifdef {macro}", value, "#else", f"SAY(probe_{macro}__missing)", "#endif"]
    return "\n".join(lines + ["#endif", ""])


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}\n{done.stdout[:2000]}")
    return done.stdout


def names_in(text):
    return set(re.findall(r"\bprobe_(\w+)", text))


def of_host(compiler, options, folder):
    made = folder / "host.o"
    run([*compiler, *options, "-c", folder.parent / "host.cu", "-o", made])
    return names_in(run(["nm", made]))


def of_nvcc_device(nvcc, options, folder):
    made = folder / "device.ptx"
    options = ["-rdc=true" if option in NO_PTX else option for option in options]
    run([nvcc, *options, "-ptx", folder.parent / "device.cu", "-o", made])
    return names_in(made.read_text())


def of_gridcc_device(gridcc, options, folder):
    made = folder / "device.ll"
    options = ["-rdc=true" if option in NO_PTX else option for option in options]
    run([gridcc, *options, "--cuda-device-only", "-emit-llvm", "-S", folder.parent / "device.cu", "-o", made])
    return names_in(made.read_text(errors="replace"))


def ask(nvcc, gridcc, options, folder):
    """What the two differ in, as lines."""
    folder.mkdir()
    words = shlex.split(options)
    differences = []
    for side, theirs, ours in [
        ("host", of_host([nvcc], words, folder), of_host([gridcc], words, folder)),
        ("device", of_nvcc_device(nvcc, words, folder), of_gridcc_device(gridcc, words, folder)),
    ]:
        if len(theirs) < len(MACROS):
            sys.exit(f"nvcc {options}: {len(theirs)} answers for {len(MACROS)} macros")
        differences += [f"{options or 'no option'}, {side} pass: nvcc says {answer}" for answer in sorted(theirs - ours)]
        differences += [f"{options or 'no option'}, {side} pass: gridcc says {answer}" for answer in sorted(ours - theirs)]
    return differences


def main():
    gridcc, sdk = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    nvcc = sdk / "bin" / "nvcc"
    if not nvcc.exists():
        print(f"SKIPPED: no nvcc in {sdk}; its macros were not compared")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for side in ("host", "device"):
            (folder / f"{side}.cu").write_text(probes(side))
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            answers = pool.map(lambda one: ask(nvcc, gridcc, one[1], folder / str(one[0])), enumerate(OPTIONS))
            differences = [line for answer in answers for line in answer]
    print("\n".join(differences))
    print(f"{len(MACROS)} macros, {len(OPTIONS)} options, {len(differences)} differences")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
