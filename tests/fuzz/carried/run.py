#!/usr/bin/env python3
"""Random programs whose launches follow one another: with the kernels made of several that gridcc puts into the program, memory
must end up as without.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    run.py --gridcc GRIDCC --folder FOLDER [--driver FOLDER] [--seed N] [--programs N] [--functions N]

A program has random pointwise kernels (several types, guards, loops, roundings that a fused multiply-add would change, functions
of the math library) and host functions that launch a few of them with random arguments, some of them equal by chance only, and
sizes that are no multiple of the block. The stream is held until all launches of a function are queued. Settings are compared
with GRIDSPAN_FUSE=off, function by function. Nothing can be made while the program runs: there is no place for a cache. --driver:
of the fake driver (tests/devices/fake_cuda), for settings with GPUs. Fails as well if next to nothing was made one kernel.
"""

import argparse
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import fused_runs
from fused_runs import ON_GPU, shown

HEAD = r"""
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define I (blockIdx.x * blockDim.x + threadIdx.x)
#define J (blockIdx.y * blockDim.y + threadIdx.y)
struct Pair { float a; int n; };
constexpr int most = 70000, arrays = 6;
"""

MAIN = r"""
static std::atomic<bool> held;
static void hold(void*) {
  while (held) std::this_thread::yield();
}

int main(int argc, char** argv) {
  float* memory[arrays];
  for (float*& one : memory) cudaMalloc(&one, most * sizeof(float));
  std::vector<float> values(most);
  int index = 0;
  for (auto* function : functions) {
    unsigned state = 12345u + index * 7919u;
    for (float* one : memory) {
      for (float& value : values) value = ((state = state * 1664525u + 1013904223u) >> 8 & 0xffff) / 16384.f - 1.5f;
      cudaMemcpy(one, values.data(), most * sizeof(float), cudaMemcpyHostToDevice);
    }
    held = argc == 1;  // with an argument no code is loaded while the stream waits, which real GPUs wait for, too
    if (held) cudaLaunchHostFunc(nullptr, hold, nullptr);
    function(memory[0], memory[1], memory[2], memory[3], memory[4], memory[index % 7 == 6 ? 4 : 5]);
    held = false;
    if (const cudaError_t error = cudaDeviceSynchronize()) return std::printf("%s\n", cudaGetErrorString(error)), 1;
    std::uint32_t sum = 0;
    for (float* one : memory) {
      cudaMemcpy(values.data(), one, most * sizeof(float), cudaMemcpyDeviceToHost);
      for (const float& value : values) {
        std::uint32_t bits;
        std::memcpy(&bits, &value, sizeof bits);
        sum = sum * 31 + (std::isnan(value) ? 1 : bits);
      }
    }
    std::printf("%d %08x\n", index++, sum);
  }
}
"""

SETTINGS = [
    {"GRIDSPAN_FUSE": "now:without-chains", "GRIDSPAN_THREADS": "2"},
    {"GRIDSPAN_FUSE": "check:without-chains", "GRIDSPAN_THREADS": "3"},
    {"GRIDSPAN_FUSE": "now:without-chains", "GRIDSPAN_THREADS": "1", "GRIDSPAN_CPU_ISA": "v3"},
    {"GRIDSPAN_FUSE": "now", "GRIDSPAN_DEVICES": "cpu:3x1"},
    {"GRIDSPAN_FUSE": "now", "GRIDSPAN_THREADS": "2", "GRIDSPAN_CPU_ISA": "baseline"},  # which has none
]
ISA_OF = "GRIDSPAN_CPU_ISA"
LEAST_FUSED = 1  # launches in kernels made of several for each function, in each setting that has such kernels


class Writer:
    """Kernels are (name, what its parameters are): o and p are pointers written to and read, q a double's, n and m sizes, a a
    factor, s a struct."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = [HEAD]
        self.kernels = []

    def expression(self, terms, depth=2):
        pick = self.random.choice
        if depth == 0:
            return pick(terms)
        one, other = self.expression(terms, depth - 1), self.expression(terms, depth - 1)
        return pick([f"({one} + {other})", f"({one} * {other})", f"({one} - 0.37f * {other})", f"{one} * {other} + {pick(terms)}",
                     f"sqrtf(fabsf({one}))", f"({one} / (1.5f + fabsf({other})))", f"expf(0.1f * {one})", f"fminf({one}, {other})",
                     f"sinf({other})", f"(float)(int)({one} * 3)"])

    def flat_kernel(self, name):
        pick = self.random.choice
        reads = self.random.randint(1, 2)
        parameters = ["o"] + ["p"] * reads
        terms = [f"p{i}[i]" for i in range(reads)] + ["2.5f"]
        signature = ["float* o"] + [f"const float* p{i}" for i in range(reads)]
        if pick([True, False]):
            parameters.append("a")
            signature.append("float a")
            terms.append("a")
        if pick([True, False, False]):
            terms.append("o[i]")
        by_struct = self.random.random() < 0.06
        parameters.append("s" if by_struct else "n")
        signature.append("Pair s" if by_struct else "int n")
        size = "s.n" if by_struct else "n"
        if by_struct:
            terms.append("s.a")
        value = self.expression(terms)
        guard = pick(["", "", "", f" && {pick(terms[:reads])} > 0.25f"])
        body = pick([*3 * [f"  if (i < {size}{guard}) o[i] = {value};"], *2 * [f"  if (i >= {size}) return;\n  o[i] = {value};"],
                     f"  for (; i < {size}; i += gridDim.x * blockDim.x) o[i] = {value};",
                     f"  if (i >= {size}) return;\n  float sum = 0;\n  for (int k = 0; k < 3; ++k) sum += {value};\n  o[i] = sum;"])
        self.lines.append(f"__global__ void {name}({', '.join(signature)}) {{\n  int i = I;\n{body}\n}}")
        self.kernels.append((name, parameters, 1))

    def flat_2d_kernel(self, name):
        value = self.expression(["p0[i]", "o[i]", "1.25f"])
        self.lines.append(f"__global__ void {name}(float* o, const float* p0, int nx, int ny) {{\n"
                          f"  int x = I, y = J, i = y * nx + x;\n  if (x < nx && y < ny) o[i] = {value};\n}}")
        self.kernels.append((name, ["o", "p", "nx", "ny"], 2))

    def function(self, index):
        pick, integer = self.random.choice, self.random.randint
        rank = pick([1, 1, 1, 2])
        of_rank = [one for one in self.kernels if one[2] == rank]
        pointers = ["a0", "a1", "a2", "a3", "a4", "a5"]
        size = pick([1, 255, 257, 5003, 32768, 39999, 65536, 69997])
        block = pick([32, 128, 256])
        lines = [f"static void f{index}(float* a0, float* a1, float* a2, float* a3, float* a4, float* a5) {{",
                 f"  int n = {size}, nx = 251, ny = 199;"]
        shape = f"(n + {block - 1}) / {block}, {block}" if rank == 1 else "grid, block"
        if rank == 2:
            lines.append("  const dim3 block(32, 4), grid((nx + 31) / 32, (ny + 3) / 4);")
        steps = integer(2, 5)
        turns = pick([1, 1, 3])
        if turns > 1:
            lines.append(f"  for (int t = 0; t < {turns}; ++t) {{")
        used = pick([pointers[:3], pointers[:4], pointers])
        for _ in range(steps):
            name, parameters, _ = pick(of_rank)
            arguments = []
            for one in parameters:
                arguments.append({"o": lambda: pick(used), "p": lambda: pick(used), "a": lambda: f"{integer(1, 9) / 8}f",
                                  "s": lambda: f"Pair{{{integer(1, 9) / 4}f, n}}", "n": lambda: pick(["n", "n", "n", "n - 1"]),
                                  "nx": lambda: "nx", "ny": lambda: pick(["ny", "ny", "ny - 1"])}[one]())
            lines.append(f"  {name}<<<{shape}>>>({', '.join(arguments)});")
        if turns > 1:
            lines.append("  }")
        self.lines += lines + ["}"]

    def program(self, functions):
        for i in range(8):
            self.flat_kernel(f"k{i}")
        for i in range(3):
            self.flat_2d_kernel(f"r{i}")
        for i in range(functions):
            self.function(i)
        names = ", ".join(f"f{i}" for i in range(functions))
        return "\n".join([*self.lines, f"static void (*const functions[])(float*, float*, float*, float*, float*, float*) = {{{names}}};",
                          MAIN])


def run(program, variables):
    return fused_runs.run([program], {"XDG_CACHE_HOME": "/proc/nowhere", **variables})


def check(options, seed, settings):
    """What is wrong, and for each setting launches that were made one kernel."""
    source, program = options.folder / f"p{seed}.cu", options.folder / f"p{seed}"
    source.write_text(Writer(seed).program(options.functions))
    subprocess.run([options.gridcc, "-w", "-O2", "-std=c++17", *([] if options.ptx else ["--no-ptx"]), source, "-o", program], check=True)
    wrong, fused = [], []
    references = {}
    for variables in settings:
        of_set = {name: value for name, value in variables.items() if name == ISA_OF}
        key = shown(of_set)
        if key not in references:
            references[key] = run(program, {"GRIDSPAN_FUSE": "off", "GRIDSPAN_THREADS": "1", **of_set})
        want, _, _, failed = references[key]
        sums, _, launches, error = run(program, variables)
        fused.append(launches)
        for trouble in (failed, error):
            if trouble:
                wrong.append(f"{program}: {shown(variables)}: {trouble}")
        different = [name for name in want if sums.get(name) != want[name]]
        if different or len(want) != options.functions:
            wrong.append(f"{source}: {shown(variables)}: not as with GRIDSPAN_FUSE=off: f{', f'.join(different)}")
    return wrong, fused


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gridcc", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--driver", type=pathlib.Path)
    parser.add_argument("--ptx", action="store_true", help="compile for GPUs, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=3)
    parser.add_argument("--functions", type=int, default=24)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    settings = list(SETTINGS)
    if options.driver:
        on_gpu = {"GRIDSPAN_FUSE": "now", **ON_GPU, "LD_LIBRARY_PATH": str(options.driver)}
        settings += [on_gpu, {**on_gpu, "GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "fixed"}]
    wrong, fused = [], [0] * len(settings)
    for seed in range(options.seed, options.seed + options.programs):
        more, launches = check(options, seed, settings)
        wrong += more
        fused = [before + now for before, now in zip(fused, launches)]
    for variables, launches in zip(settings, fused):
        has_kernels = variables.get(ISA_OF) != "baseline"
        if not wrong and has_kernels != (launches >= LEAST_FUSED * options.programs * options.functions):
            wrong.append(f"{shown(variables)}: {launches} launches were made one kernel")
    print(f"{options.programs * options.functions} functions; launches in kernels made of several with each setting: {fused}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
