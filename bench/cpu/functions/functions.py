#!/usr/bin/env python3
# Times mathematical functions on a CPU: kernels of gridcc's, and loops of g++'s, which calls glibc's libmvec for vectors.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   functions.py BUILD [--rounds N] [--compiler g++] [--json FILE] [NAME...]
#
# Needs a built bench/cpu/functions/functions (ninja bench_cpu_functions), Python, objdump, and a g++ with glibc 2.35 or later.
# One thread; arguments and results fit the second-level cache. Both programs run in turns; of all passes the best counts,
# because other programs only add time. libmvec allows errors of 4 units in the last place, more than CUDA does.
import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent
GCC_FLAGS = ["-std=c++17", "-O3", "-ffast-math", "-march=native", "-mprefer-vector-width=512"]


def compile_rival(compiler, folder):
    program = folder / "libmvec"
    done = subprocess.run([compiler, *GCC_FLAGS, SOURCES / "libmvec.cpp", "-o", program], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{compiler}: " + "\n".join(done.stderr.splitlines()[:20]))
    return program


def run(program, names, environment):
    """Nanoseconds of each name."""
    done = subprocess.run([program, *names], env=environment, capture_output=True, text=True, timeout=500)
    if done.returncode != 0:
        sys.exit(f"{program}: {(done.stderr or done.stdout).strip()}")
    return {name: float(number) for name, number in (line.split() for line in done.stdout.splitlines())}


def disassembled(program):
    """Each function's name and its lines."""
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], capture_output=True, text=True).stdout
    for part in text.split("\n\n"):
        head, _, lines = part.partition("\n")
        if found := re.search(r"<(.*)>:$", head):
            yield found[1], lines


def ways_of_gridcc(program):
    """For each function: is it one of vectors, or do lanes call the C library one by one?"""
    ways = {}
    for name, lines in disassembled(program):
        found = re.search(r"evaluateI\d+Function_(\w+?)[fd]E.*\.(v3|v4)$", name)
        if not found or ".checked" in name:
            continue
        called = set(re.findall(r"(?:call|jmp) .*<(\w+)@", lines))
        # gridspan_math_exp_f32x8 and, for what is left of a row, gridspan_math_exp_f32.
        is_single = not all(re.match(r"gridspan_(?!math_)|gridspan_math_\w+_f(32|64)", one) for one in called)
        ways[found[1]] = "lane by lane" if is_single else "vectors"
    return ways


def ways_of_rival(program):
    """libmvec's functions, other code in vectors, and the C library's for one number."""
    ways = {}
    for name, lines in disassembled(program):
        found = re.search(r"8evaluateI\d+Function_(\w+?)[fd]E", name)
        if not found:
            continue
        called = set(re.findall(r"(?:call|jmp) .*<(\w+)@", lines))
        is_libmvec = any(one.startswith("_ZGV") for one in called)
        ways[found[1]] = "libmvec" if is_libmvec else "C library" if called else "no call"
    return ways


def main():
    parser = argparse.ArgumentParser(description="Times mathematical functions on a CPU, beside glibc's libmvec.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to time: pow, powf ... (all)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each program, in turns (3)")
    parser.add_argument("--compiler", default="g++", help="compiles the loops (g++)")
    parser.add_argument("--json", type=pathlib.Path, help="writes the numbers there as well")
    options = parser.parse_intermixed_args()
    build = options.build.resolve()
    ours = build / "bench/cpu/functions/functions"
    if not ours.exists():
        sys.exit(f"functions.py: {ours} is not built (ninja -C {options.build} bench_cpu_functions)")
    environment = dict(os.environ, GRIDSPAN_DEVICES="cpu", GRIDSPAN_THREADS="1", GRIDSPAN_SPECIALISE="off",
                       LD_LIBRARY_PATH=f"{build / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    with tempfile.TemporaryDirectory() as folder:
        programs = {"gridcc": ours, "g++": compile_rival(options.compiler, pathlib.Path(folder))}
        best = {form: {} for form in programs}
        for _ in range(options.rounds):
            for form, program in programs.items():
                for name, time in run(program, options.names, environment).items():
                    best[form][name] = min(time, best[form].get(name, math.inf))
        way, rival_way = ways_of_gridcc(ours), ways_of_rival(programs["g++"])
    print(f"nanoseconds an element, one thread, best of {options.rounds} processes; g++ {' '.join(GCC_FLAGS[1:])}")
    print(f"{'':16} {'gridcc':>8} {'g++':>8} {'g++/gridcc':>11}  {'gridcc':13} g++")
    ratios, rows = [], {}
    for name, time in best["gridcc"].items():
        rival = best["g++"].get(name)
        numbers = f"{rival:8.3f} {rival / time:11.2f}" if rival else f"{'-':>8} {'-':>11}"
        print(f"{name:16} {time:8.3f} {numbers}  {way.get(name, '?'):13} {rival_way.get(name, '?') if rival else '-'}")
        if rival:
            ratios.append(rival / time)
        rows[name] = {"gridcc": time, "g++": rival, "way": way.get(name), "g++ way": rival_way.get(name) if rival else None}
    if ratios:
        print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, median {statistics.median(ratios):.2f}, "
              f"{sum(ratio < 0.9 for ratio in ratios)} of {len(ratios)} below 0.9")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
