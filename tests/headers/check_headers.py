# Compiles our CUDA headers in the ways programs include them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: check_headers.py CLANG HEADERS MODE [SOURCE]

alone      each public header as the only include, host and device side
standards  every header and SOURCE together, in each C++ standard, host and device side
plain      the headers that C and C++ sources outside CUDA mode may include, with clang and gcc (C++20: all)
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays clean
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import program_cache  # noqa: E402

COMMON = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-fsyntax-only",
          "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable", "-Wno-unused-but-set-variable"]
SIDES = {
    "device": ["--cuda-device-only", "--cuda-gpu-arch=sm_90", "-fdeclspec", "-Xclang",
               "-target-feature", "-Xclang", "+ptx83"],
    "host": ["--cuda-host-only", "-Xclang", "-target-sdk-version=12.5"],
    # An old architecture hides what it lacks.
    "device sm_52": ["--cuda-device-only", "--cuda-gpu-arch=sm_52", "-fdeclspec", "-Xclang",
                     "-target-feature", "-Xclang", "+ptx83"],
}
PLAIN = ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h", "driver_types.h", "vector_types.h",
         "vector_functions.h", "builtin_types.h", "cuComplex.h", "cuda_profiler_api.h",
         "math_constants.h", "library_types.h", "host_defines.h", "texture_types.h", "cuda_fp16.h", "cuda_bf16.h",
         "cublas_v2.h", "cublasXt.h", "cublasLt.h", "nccl.h", "curand.h", "curand_kernel.h", "cufft.h", "cufftXt.h", "cusparse.h", "cusparse_v2.h", "cusolverDn.h",
         "cusolverSp.h", "cusolverSp_LOWLEVEL_PREVIEW.h", "cusolverRf.h", "cusolverMg.h", "cublas.h", "cudnn.h", "cudnn_version.h"]
# What NVIDIA's headers bring of the system's, which sources use without another include: header, first standard of C++ (None:
# C and C++98, too), a use.
BROUGHT = [
    ("cuda.h", None, "free(malloc(sizeof(uint8_t)));"),
    ("cuda_runtime.h", None, "size_t n = INT_MAX; (void)n;"),
    ("vector_functions.h", None, "size_t n = INT_MAX; (void)n;"),
    ("cuda_fp16.h", "c++11", 'return strcmp("a", "b") + std::strcmp("c", "d");'),
    ("cublas_v2.h", None, "size_t n = sizeof(int64_t) + UINT_MAX; (void)n;"),
    ("cublas_v2.h", "c++11", "char text[4]; memset(text, 0, sizeof text); return text[0];"),
    ("curand_kernel.h", None, 'free(malloc(strlen("a"))); return (int)floor(1.5);'),
    ("curand_kernel.h", "c++11", "return std::floor(1.5) > std::numeric_limits<int>::max();"),
    ("cusolverDn.h", None, 'printf("%" PRId64, (int64_t)1);'),
    ("nccl.h", None, "assert(INT_MAX > 0);"),
    ("cooperative_groups.h", None, "size_t n = INT_MAX; (void)n;"),
]
# Two interfaces of one library, of which a source may have one.
NOT_TOGETHER = {"cublas.h"}


def public_headers(root):
    for folder in ("", "crt", "cooperative_groups", "cuda", "cuda/std"):
        for name in sorted(os.listdir(os.path.join(root, folder))):
            # Those of libcu++ have no suffix.
            if name.endswith((".h", ".hpp")) or (folder.startswith("cuda") and name != "std"):
                yield os.path.join(folder, name)


def compile_text(text, command):
    """Returns the compiler's messages, empty when it is satisfied."""
    with tempfile.NamedTemporaryFile("w", suffix=".cu", delete=False) as file:
        file.write(text)
    try:
        return subprocess.run(command + [file.name], capture_output=True, text=True).stderr
    finally:
        os.unlink(file.name)


def includes(names):
    return "".join(f"#include <{name}>\n" for name in names)


def together(names):
    return includes(name for name in names if name not in NOT_TOGETHER)


def jobs(clang, root, mode, source):
    headers = list(public_headers(root))
    if mode == "alone":
        for header in headers:
            for side in ("device", "host"):
                yield f"{header}, {side}", includes([header]), (
                    [clang, *COMMON, *SIDES[side], "-std=c++17", "-isystem", root])
    elif mode == "standards":
        with open(source) as file:
            program = file.read()
        for standard in ("c++11", "c++14", "c++17", "c++20"):
            for side, options in SIDES.items():
                text = together(headers)
                if side != "device sm_52":
                    text += program
                yield f"-std={standard}, {side}", text, (
                    [clang, *COMMON, *options, f"-std={standard}", "-isystem", root, "-include",
                     "cuda_runtime.h"])
    else:
        warn = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-isystem", root]
        compilers = [([clang, "-x", "c"], ("c99", "c17")), ([clang, "-x", "c++"], ("c++98", "c++11", "c++20"))]
        if shutil.which("gcc"):
            compilers += [(["gcc", "-x", "c"], ("gnu99",)), (["g++", "-x", "c++"], ("c++98", "c++11", "c++20"))]
        use = "int main(void) { DIM3; float4 f = make_float4(1, 2, 3, 4);\n" \
              "return cudaSetDevice(0) == cudaSuccess && d.x == f.y; }\n"
        for command, standards in compilers:
            for standard in standards:
                full = [*command, f"-std={standard}", *warn]
                for header in PLAIN:
                    yield f"{' '.join(full[:4])}: {header}", includes([header]), full
                shape = "dim3 d(2)" if standard == "c++98" else "dim3 d = {2, 1, 1}"
                yield (f"{' '.join(full[:4])}: all", together(PLAIN) + use.replace("DIM3", shape),
                       full)
                if command is not compilers[-1][0] and command is not compilers[-2][0]:
                    continue  # what headers bring is the same with any compiler
                for header, first, use_of_it in BROUGHT:
                    if first and (standard == "c++98" or not standard.startswith("c++")):
                        continue
                    yield (f"{' '.join(full[:4])}: {header} brings {use_of_it}",
                           includes([header]) + f"int main(void) {{ {use_of_it} return 0; }}\n", full)
                if standard == "c++20":
                    # Those of cuda/std lead to what others of these include.
                    for header in sorted(set(headers) - set(PLAIN)):
                        if header.startswith("cuda/std/"):
                            continue
                        yield f"{' '.join(full[:4])}: {header}", includes([header]), full


def failures_of(work):
    """[name, message] of jobs that the compiler is not satisfied with."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        results = list(executor.map(lambda job: compile_text(job[1], job[2]), work))
    return [(job[0], message) for job, message in zip(work, results) if message]


def texts_of(root, work):
    """All that the answers depend on beside the system."""
    for folder, _, names in sorted(os.walk(root)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield from (path, file.read())
    for name, text, command in work:
        yield from (name, text, *command)


def main():
    clang, root, mode, *rest = sys.argv[1:]
    work = list(jobs(clang, root, mode, rest[0] if rest else None))
    failures = program_cache.remembered(texts_of(root, work), lambda: failures_of(work))
    for name, message in failures:
        print(f"FAILED {name}\n{message}")
    print(f"{len(work)} compilations, {len(failures)} failed")
    return 1 if failures or not work else 0


if __name__ == "__main__":
    sys.exit(main())
