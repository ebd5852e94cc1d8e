#!/usr/bin/env python3
# Times kernels in interpret mode with checks and without, in turns.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   checks.py BUILD [--rounds N] [KERNEL...]
#
# Needs the built bench/checks/kernels (ninja bench_checks_kernels). Prints processor time without checks, and how many
# times as long each kind of checks takes: ratios of medians over all rounds. The exit status is 1 if the checks that are
# done when nothing is said take more than three times as long.
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

KERNELS = ["saxpy", "matmul", "matmul_tiles", "reduction", "stencil", "filter", "histogram", "chase", "sparse",
           "bodies", "local_sort"]
MODES = {"none": "none", "default": None, "init": "memory,init", "race": "memory,race",
         "all": "memory,init,race,sync"}
MOST = 3.0  # of the default


def run(program, build, kernel, checks):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GRIDSPAN_")}
    environment.update(GRIDSPAN_CPU="interpret", GRIDSPAN_THREADS="1",
                       LD_LIBRARY_PATH=f"{build / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    if checks:
        environment["GRIDSPAN_CHECK"] = checks
    done = subprocess.run([program, kernel], env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"{kernel}, {checks or 'default'}: {(done.stderr or done.stdout).strip()}")
    return float(done.stdout.split()[1])


def main():
    parser = argparse.ArgumentParser(description="Times kernels in interpret mode with checks and without, in turns.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help=" ".join(KERNELS) + " (all)")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each kind, in turns (5)")
    options = parser.parse_args()
    build = options.build.resolve()
    program = build / "bench/checks/kernels"
    if not program.exists():
        sys.exit(f"checks.py: {program} is not built (ninja -C {options.build} bench_checks_kernels)")
    print(f"| kernel | none, ms | {' | '.join(list(MODES)[1:])} |")
    print(f"| --- |{' ---: |' * len(MODES)}")
    slow = []
    for kernel in options.kernels or KERNELS:
        times = {mode: [] for mode in MODES}
        for _ in range(options.rounds):
            for mode, checks in MODES.items():
                times[mode].append(run(program, build, kernel, checks))
        median = {mode: statistics.median(all) for mode, all in times.items()}
        ratios = {mode: median[mode] / median["none"] for mode in list(MODES)[1:]}
        print(f"| {kernel} | {median['none']:.1f} | {' | '.join(f'{ratio:.1f}' for ratio in ratios.values())} |",
              flush=True)
        if ratios["default"] > MOST:
            slow.append(kernel)
    if slow:
        sys.exit(f"checks.py: more than {MOST:g} times as long by default: {' '.join(slow)}")


if __name__ == "__main__":
    main()
