#!/usr/bin/env python3
# Sources for which several architectures are named: each GPU gets the code that the source has for it, clang runs no more
# often than that takes, and a kernel that accesses other elements there has none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   editions_test.py BUILD
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(tempfile.mkdtemp(prefix="gridspan-editions-"))
problems = 0

# The values are searched for in PTX, so they are ones that nothing else writes.
CHOICE = r"""
__global__ void choice(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = VALUE;
}
"""
SOURCE = CHOICE + r"""
#include <cstdio>
#include <cuda_runtime.h>
EXTRA
int main() {
  const int n = 1009;
  int *a, host[n];
  if (cudaMalloc(&a, 2 * sizeof host) != cudaSuccess) return 1;
  cudaMemset(a, 0x55, 2 * sizeof host);
  for (int step = 0; step < 9; ++step) choice<<<(n + 31) / 32, 32>>>(a, n);
  MORE
  if (cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += host[i] < 6000 || host[i] > 7000;
  std::printf("%d wrong\n", wrong);
  return wrong ? 3 : 0;
}
"""
BY_LEVEL = """
#if __CUDA_ARCH__ >= 900
#define VALUE 6900
#elif __CUDA_ARCH__ >= 800
#define VALUE 6800
#else
#define VALUE 6700
#endif
"""
IN_DEVICE_CODE = """
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 0
#endif
"""
MOVES = """
__global__ void moves(int* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if __CUDA_ARCH__ >= 800
  if (i < n) a[i] = 6001;
#else
  if (i < n) a[i + n] = 6001;
#endif
}
"""


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


def run(*command, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GRIDSPAN_", "CUDA_"))}
    environment.update(variables, XDG_CACHE_HOME=str(folder / "cache"))
    done = subprocess.run([str(word) for word in command], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=200)
    return done.returncode, done.stdout


def named(*levels):
    return [word for level in levels for word in ("-gencode", f"arch=compute_{level},code=sm_{level}")]


def compile(name, text, *options):
    """The program, and for which architectures clang ran beside the highest."""
    source = folder / f"{name}.cu"
    source.write_text(text)
    status, output = run(build / "bin/gridcc", "--ptxas=none", "-v", *options, source, "-o", folder / name)
    expect(f"{name} compiles", status == 0, output[-600:])
    passes = re.findall(r"--cuda-device-only.*-D__CUDA_ARCH__=(\d+)", output)
    return folder / name, [int(one) // 10 for one in passes[1:]]


def program(value, extra="", more=""):
    return SOURCE.replace("EXTRA", extra).replace("MORE", more).replace("VALUE", value, 1)


def value_for(compiled, architecture):
    found = set(re.findall(r"\b6[789]\d\d\b", run(build / "bin/gridspan", "ptx", "--arch", architecture, compiled, "choice")[1]))
    return found.pop() if len(found) == 1 else f"{found}"


def runs(compiled, capability, **variables):
    library = os.pathsep.join(str(build / part) for part in ("lib", "tests/devices/fake_cuda/lib"))
    status, output = run(compiled, LD_LIBRARY_PATH=library, FAKE_CUDA_CAPABILITY=str(capability), FAKE_CUDA_COUNTS="1",
                         GRIDSPAN_MEASURE="off", **variables)
    expect(f"{compiled.name} on sm_{capability} is right", status == 0 and "0 wrong" in output, f"exit {status}\n{output}")
    return output


# Each has what it would have with nvcc, also GPUs between and after those that are named.
compiled, passes = compile("levels", BY_LEVEL + program("VALUE"), *named(75, 80, 86, 90, 100))
expect("one pass for each edition", passes == [75, 80], passes)  # 80's is seen in 75's
for architecture, value in {70: "6700", 75: "6700", 80: "6800", 86: "6800", 89: "6800", 90: "6900", 100: "6900"}.items():
    got = value_for(compiled, architecture)
    expect(f"sm_{architecture}", got == value, got)
for capability in (75, 86, 90):
    for fuse in ("off", "now"):
        output = runs(compiled, capability, GRIDSPAN_DEVICES="cuda:0", GRIDSPAN_FUSE=fuse)
        expect("runs on the GPU", "calls of cuLaunchKernel" in output, output)
# The later half has the target that LLVM knows, and is for later GPUs only.
compiled, passes = compile("late", "#if __CUDA_ARCH__ >= 1000\n#define VALUE 6900\n#else\n#define VALUE 6800\n#endif\n"
                           + program("VALUE"), *named(80, 100))
expect("of a later GPU", passes == [80], passes)
expect("sm_90 has the earlier code", value_for(compiled, 90) == "6800" and value_for(compiled, 100) == "6900", "")
# One that is named alone is for all GPUs that can run it, as ever.
compiled, passes = compile("alone", BY_LEVEL + program("VALUE"), "-arch=sm_100")
expect("alone", passes == [] and value_for(compiled, 90) == "6900", value_for(compiled, 90))

# What makes no difference costs nothing, and the lowest architecture has code.
for what, value in {"nothing": "6700", "defined": "\n#ifdef __CUDA_ARCH__\n6700\n#else\n6999\n#endif\n",
                    "true": "\n#if !__CUDA_ARCH__ && __CUDA_ARCH__ || !(__CUDA_ARCH__)\n6701\n#else\n6700\n#endif\n",
                    "earlier": "\n#if __CUDA_ARCH__ >= 700 && 350 < (__CUDA_ARCH__)\n6700\n#else\n6701\n#endif\n",
                    "in code": f"{IN_DEVICE_CODE}(__CUDA_ARCH__ < 600 ? 6701 : 6700)",
                    "later": "\n#if __CUDA_ARCH__ > 1000 || __CUDA_ARCH__ == 1030\n6999\n#else\n6700\n#endif\n"}.items():
    compiled, passes = compile(what.replace(" ", "_"), program(value), *named(75, 80, 90))
    expect(what, passes == [] and value_for(compiled, 75) == "6700" and value_for(compiled, 90) == "6700",
           f"{passes} {value_for(compiled, 75)}")
# What does is found where it hides.
for what, value in {"alias": "\n#define ARCH (__CUDA_ARCH__)\n#if ARCH <= 750\n6700\n#else\n6800\n#endif\n",
                    "body": "\n#define IS_NEW (__CUDA_ARCH__ >= 800)\n#if IS_NEW\n6800\n#else\n6700\n#endif\n",
                    "computed": f"{IN_DEVICE_CODE}(6000 + __CUDA_ARCH__ / 100 * 100)",
                    "constant": "\n#define FIRST 800\n#if __CUDA_ARCH__ >= FIRST\n6800\n#else\n6700\n#endif\n",
                    "sum": "\n#if __CUDA_ARCH__ >= 700 + 100\n6800\n#else\n6700\n#endif\n",
                    **{name: f"\n#define MAJOR(x) ((x) / 100)\n#if {condition}\n6800\n#else\n6700\n#endif\n"
                       for name, condition in {
                           "call": "MAJOR(__CUDA_ARCH__) >= 8", "left": "8 <= __CUDA_ARCH__ / 100",
                           "before": "800 - __CUDA_ARCH__ <= 0", "plus": "50 + __CUDA_ARCH__ >= 850",
                           "negated": "!(__CUDA_ARCH__ < 800)", "not_number": "(!__CUDA_ARCH__ < 800) && __CUDA_ARCH__ / 100 > 7",
                           "comment": "__CUDA_ARCH__ /* Ampere */ >= 800", "lines": "__CUDA_ARCH__ /* of\n two */ >= 800",
                           "continued": "__CUDA_ARCH__ >= 790 \\\n + 10", "octal": "__CUDA_ARCH__ >= 01440",
                           "separated": "__CUDA_ARCH__ >= 8'00", "shifted": "__CUDA_ARCH__ >> 5 >= 25"}.items()},
                    "changed": "\n#define MY __CUDA_ARCH__\n#pragma push_macro(\"MY\")\n#undef MY\n#define MY 5\n"
                               "#pragma pop_macro(\"MY\")\n#if MY / 100 >= 8\n6800\n#else\n6700\n#endif\n",
                    "constexpr": f"{IN_DEVICE_CODE}(0 ? 1 : __CUDA_ARCH__ / 10 >= 80 ? 6800 : 6700)"}.items():
    compiled, passes = compile(what, program(value), *named(75, 80))
    expect(what, passes == [75] and value_for(compiled, 75) == "6700" and value_for(compiled, 80) == "6800",
           f"{passes} {value_for(compiled, 75)} {value_for(compiled, 80)}")
# Editions for GPUs that no PTX is made for are not made; one that reaches into those that it is made for is.
expect("before the oldest", compile("old", BY_LEVEL + program("VALUE"), *named(50, 60))[1] == [], "")
compiled, passes = compile("old_too", BY_LEVEL + program("VALUE"), *named(60, 80))
expect("from the oldest on", passes == [60] and value_for(compiled, 70) == "6700", passes)

# A kernel whose accesses differ has no code there, which is said.
compiled, passes = compile("moves", BY_LEVEL + program("VALUE", MOVES, "moves<<<32, 32>>>(a, 7);"), *named(75, 90))
output = run(build / "bin/gridspan", "explain", compiled)[1]
expect("explain", output.count("not for all GPUs, those before sm_90: what it reads and writes differs") == 1, output)
output = runs(compiled, 75)
expect("auto says so", "moves" in output and "gridspan explain says why" in output and "cuLaunchKernel" not in output, output)
expect("and uses a later GPU", "calls of cuLaunchKernel" in runs(compiled, 90), "")

# What clang has to learn of the source it learns of an earlier edition, too.
launches = "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800\n  child<<<1, 1>>>(a);\n#else\n  a[0] = 7;\n#endif\n"
late = "#if __CUDA_ARCH__ < 800\nint twice(int);\n__device__ int f(int x) { return twice(x); }\n__device__ int twice(int x) " \
       "{ return 2 * x; }\n#else\n__device__ int f(int x) { return x; }\n#endif\n"
for what, text in {"launches": "__global__ void child(int* a) { *a = 7; }\n__global__ void parent(int* a) {\n" + launches + "}\n",
                   "late": late + "__global__ void uses(int* a) { *a = f(*a); }\n"}.items():
    _, passes = compile(what, text + "int main() {}\n", *named(75, 80))
    expect(what, 75 in passes, passes)

# What clang says of an earlier edition is said once; its errors are errors.
warns = "\n#if __CUDA_ARCH__ < 800\n#warning early\n#endif\n6700\n"
(folder / "w.cu").write_text(program(warns))
status, output = run(build / "bin/gridcc", "-c", *named(75, 90), folder / "w.cu", "-o", folder / "w.o")
expect("a warning", status == 0 and output.count("warning: early") == 1, output)
(folder / "w.cu").write_text(program(warns.replace("#warning", "#error")))
status, output = run(build / "bin/gridcc", "-c", *named(75, 90), folder / "w.cu", "-o", folder / "none.o")
expect("an error", status == 1 and output.count("error: early") == 1 and not (folder / "none.o").exists(), output)
subprocess.run(["rm", "-rf", folder])
sys.exit(problems != 0)
