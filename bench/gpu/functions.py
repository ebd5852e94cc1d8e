#!/usr/bin/env python3
# Times mathematical functions on a GPU: gridcc's, and nvcc's where that is found.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   functions.py BUILD [--rounds N] [--devices cuda] [FUNCTION...]
#
# Needs a built bench/gpu/functions, libgridspan.so and Python. Both programs run in turns; the median over all rounds
# counts. A time is that of one evaluation on the whole GPU: many threads, each with arguments of its own.
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import gpu

SOURCE = pathlib.Path(__file__).resolve().parent / "functions.cu"


def build_with_nvcc(nvcc, folder):
    program = folder / "nvcc_functions"
    done = subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", str(SOURCE), "-o", str(program)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("\n".join(["nvcc:", *(done.stdout + done.stderr).splitlines()[:20]]))
    return program


def times(program, functions, environment):
    """Picoseconds by function."""
    done = subprocess.run([program, *functions], env=environment, capture_output=True, text=True, timeout=500)
    if done.returncode != 0:
        sys.exit(f"functions.py: {(done.stderr or done.stdout).strip()}")
    return {name: float(time) * 1000 for name, time in (line.rsplit(" ", 1) for line in done.stdout.splitlines())}


def main():
    parser = argparse.ArgumentParser(description="Times mathematical functions on a GPU.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="sinf, exp, ... (all)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each form, in turns (3)")
    parser.add_argument("--devices", default="cuda", help="GRIDSPAN_DEVICES (cuda)")
    options = parser.parse_intermixed_args()
    build = options.build.resolve()
    ours = build / "bench/gpu/functions"
    if not ours.exists():
        sys.exit(f"functions.py: {ours} is not built (ninja bench/gpu/functions)")
    environment = dict(os.environ, GRIDSPAN_DEVICES=options.devices,
                       LD_LIBRARY_PATH=f"{build / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    with tempfile.TemporaryDirectory() as folder:
        nvcc = gpu.find_nvcc()
        forms = {"gridcc": ours}
        if nvcc:
            forms["nvcc"] = build_with_nvcc(nvcc, pathlib.Path(folder))
        rounds = {name: [] for name in forms}
        for _ in range(options.rounds):
            for name, program in forms.items():
                rounds[name].append(times(program, options.functions, environment))
    print("picoseconds of an evaluation, medians" + ("" if nvcc else "; nvcc is not here"))
    print(f"{'function':20} {'gridcc':>9} {'nvcc':>9} {'nvcc/gridcc':>12}")
    ratios = []
    for function in rounds["gridcc"][0]:
        median = {name: statistics.median(each[function] for each in all) for name, all in rounds.items()}
        line = f"{function:20} {median['gridcc']:9.1f}"
        if nvcc:
            ratios.append(median["nvcc"] / median["gridcc"])
            line += f" {median['nvcc']:9.1f} {ratios[-1]:12.2f}"
        print(line)
    if ratios:
        print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, "
              f"median {statistics.median(ratios):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
