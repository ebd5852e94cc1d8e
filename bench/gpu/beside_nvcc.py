#!/usr/bin/env python3
# Times a program of this folder on a GPU: gridcc's form, and nvcc's where that is found.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   beside_nvcc.py BUILD PROGRAM [--rounds N] [--devices cuda] [NAME...]
#
# PROGRAM is copies, functions or launches. Needs its built form (ninja bench_gpu_PROGRAM), libgridspan.so and Python. It prints
# `# what its numbers are`, and a line `NAME NUMBER` for each thing it times, or for those it is given. Both forms run in
# turns; the median over all rounds counts.
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import gpu

SOURCES = pathlib.Path(__file__).resolve().parent


def build_with_nvcc(nvcc, name, folder):
    program = folder / f"nvcc_{name}"
    done = subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", SOURCES / f"{name}.cu", "-o", program],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("\n".join(["nvcc:", *(done.stdout + done.stderr).splitlines()[:20]]))
    return program


def run(program, names, environment):
    """What its numbers are, and the number of each name."""
    done = subprocess.run([program, *names], env=environment, capture_output=True, text=True, timeout=500)
    if done.returncode != 0:
        sys.exit(f"{program}: {(done.stderr or done.stdout).strip()}")
    heading, *lines = done.stdout.splitlines()
    numbers = {name: float(number) for name, number in (line.split() for line in lines)}
    for name in names:
        if name not in numbers:
            sys.exit(f"beside_nvcc.py: {program.name} times nothing called '{name}'")
    return heading.removeprefix("# "), numbers


def main():
    parser = argparse.ArgumentParser(description="Times a program of this folder on a GPU, beside nvcc's form.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("program", choices=["copies", "functions", "launches"])
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to time, as the program names it (all)")
    parser.add_argument("--rounds", type=int, default=3, help="processes of each form, in turns (3)")
    parser.add_argument("--devices", default="cuda", help="GRIDSPAN_DEVICES (cuda)")
    options = parser.parse_intermixed_args()
    build = options.build.resolve()
    ours = build / "bench/gpu" / options.program
    if not ours.exists():
        sys.exit(f"beside_nvcc.py: {ours} is not built (ninja -C {options.build} bench_gpu_{options.program})")
    environment = dict(os.environ, GRIDSPAN_DEVICES=options.devices,
                       LD_LIBRARY_PATH=f"{build / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    with tempfile.TemporaryDirectory() as folder:
        nvcc = gpu.find_nvcc()
        forms = {"gridcc": ours}
        if nvcc:
            forms["nvcc"] = build_with_nvcc(nvcc, options.program, pathlib.Path(folder))
        rounds = {form: [] for form in forms}
        for _ in range(options.rounds):
            for form, program in forms.items():
                heading, numbers = run(program, options.names, environment)
                rounds[form].append(numbers)
    print(f"{heading}, medians" + ("" if nvcc else "; nvcc is not here"))
    print(f"{'':24} {'gridcc':>9} {'nvcc':>9} {'nvcc/gridcc':>12}")
    ratios = []
    for name in rounds["gridcc"][0]:
        median = {form: statistics.median(numbers[name] for numbers in all) for form, all in rounds.items()}
        line = f"{name:24} {median['gridcc']:9.4g}"
        if nvcc:
            ratios.append(median["nvcc"] / median["gridcc"])
            line += f" {median['nvcc']:9.4g} {ratios[-1]:12.2f}"
        print(line)
    if ratios:
        print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, "
              f"median {statistics.median(ratios):.2f}, least {min(ratios):.2f}")


if __name__ == "__main__":
    main()
