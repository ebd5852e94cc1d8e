#!/usr/bin/env python3
"""Kernels through gridcc against the same work written with OpenMP, run in turn.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    cpu.py BUILD [--threads N] [--rounds N] [--json FILE] [--isa baseline,v3,v4] [CASE ...]

Every setting of a case runs once a round; medians over all runs are compared. The limits of the
machine (fused multiply-adds, memory) are measured in the same rounds. A case whose forms disagree
about the result is an error.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

RUNS = 5  # in each process
N, CHIP, BODIES = 1024, 1024, 8192
# What a case computes (10^9 floating-point operations) and moves (10^9 bytes), where that tells
# something.
WORK = {
    "matmul": ("flop", 2 * N**3),
    "tiled": ("flop", 2 * N**3),
    "nbody": ("flop", 20 * BODIES**2),
    "saxpy": ("byte", 12 * (1 << 22)),
    "hotspot": ("byte", 20 * 12 * CHIP**2),
    "reduction": ("byte", 4 * (1 << 22)),
    "softmax": ("byte", 8 * 2048 * 1024),
}
FMA_OPERATIONS = 2 * 256 * (1 << 18)  # of limit_fma, in each thread
TRIAD_BYTES = 12 * (1 << 25)


def run(program, case, **variables):
    command = [str(program), case, str(RUNS)]
    made = subprocess.run(command, capture_output=True, text=True, check=True,
                          env={**os.environ, **variables})
    return json.loads(made.stdout)


def measure(settings, case, rounds):
    """Median seconds and the result's sum, for each setting that has the case."""
    seconds, sums = {name: [] for name in settings}, {}
    for _ in range(rounds):
        for name, (program, variables) in settings.items():
            result = run(program, case, **variables)
            seconds[name] += result["seconds"]
            sums[name] = result["sum"]
    return {name: statistics.median(times) for name, times in seconds.items()}, sums


def limits(openmp, rounds, threads):
    settings = {"openmp": openmp}
    fma = measure(settings, "limit_fma", rounds)[0]["openmp"]
    triad = measure(settings, "limit_triad", rounds)[0]["openmp"]
    return {"flop": threads * FMA_OPERATIONS / fma, "byte": TRIAD_BYTES / triad}


def check_sums(case, sums):
    for name, value in sums.items():
        if abs(value - sums["openmp"]) > 1e-4 * abs(sums["openmp"]):
            sys.exit(f"{case}: {name} has {value:g}, openmp {sums['openmp']:g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--isa", default="baseline,v3,v4")
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    cuda, openmp = (arguments.build / "bench" / "cpu" / name for name in ("cuda_form", "openmp_form"))
    names = subprocess.run([cuda], capture_output=True, text=True, check=True).stdout.split()
    threads = str(arguments.threads)
    settings = {"openmp": (openmp, {"OMP_NUM_THREADS": threads})}
    for isa in arguments.isa.split(","):
        settings[isa] = (cuda, {"GRIDSPAN_THREADS": threads, "GRIDSPAN_CPU_ISA": isa})
    most = limits(settings["openmp"], arguments.rounds, arguments.threads)
    print(f"{most['flop'] / 1e9:.1f} GFLOP/s, {most['byte'] / 1e9:.1f} GB/s, {threads} threads\n")
    variants = [name for name in settings if name != "openmp"]
    print("| case | OpenMP ms | " + " | ".join(f"{v} | of OpenMP" for v in variants) + " | of limit |")
    print("| --- " * (2 * len(variants) + 3) + "|")
    table = {}
    for case in arguments.cases or names:
        seconds, sums = measure(settings, case, arguments.rounds)
        check_sums(case, sums)
        table[case] = seconds
        line = f"| {case} | {seconds['openmp'] * 1e3:.2f} |"
        for v in variants:
            line += f" {seconds[v] * 1e3:.2f} | {seconds['openmp'] / seconds[v]:.2f} |"
        kind, work = WORK.get(case, (None, 0))
        share = work / seconds[variants[-1]] / most[kind] if kind else math.nan
        print(line + (f" {share:.2f} |" if kind else " |"), flush=True)
    for v in variants:
        ratios = [seconds["openmp"] / seconds[v] for seconds in table.values()]
        print(f"\n{v}: geometric mean {statistics.geometric_mean(ratios):.3f} of OpenMP's speed")
    if arguments.json:
        arguments.json.write_text(json.dumps({"limits": most, "seconds": table}, indent=1))


if __name__ == "__main__":
    main()
