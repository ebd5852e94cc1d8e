#!/usr/bin/env python3
"""Sequences of launches with and without chains (GRIDSPAN_FUSE=on, off), in turns.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    fusion.py PROGRAM [--threads N] [--rounds N] [--json FILE] [CASE ...]

Medians over all rounds of a turn's milliseconds; `gain` is off / on. Both must end with equal memory: if not, or if a run fails,
the exit status is 1.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys

MODES = ("off", "on")


def run(program, case, mode, threads):
    """Milliseconds of a turn in each round, and what memory was at the end."""
    variables = {"GRIDSPAN_FUSE": mode, **({"GRIDSPAN_THREADS": str(threads)} if threads else {})}
    done = subprocess.run([program, case], env={**os.environ, **variables}, capture_output=True, text=True, timeout=600,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"fusion.py: {case} with GRIDSPAN_FUSE={mode}: exit {done.returncode}: {done.stderr.strip()}")
    *times, memory = done.stdout.split()
    return [float(time) for time in times], memory


def measure(program, case, options):
    times = {mode: [] for mode in MODES}
    memory = set()
    for _ in range(options.rounds):
        for mode in MODES:
            took, end = run(program, case, mode, options.threads)
            times[mode] += took
            memory.add(end)
    if len(memory) != 1:
        sys.exit(f"fusion.py: {case}: memory differs between modes")
    return {mode: statistics.median(times[mode]) for mode in MODES}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    options = parser.parse_args()
    known = subprocess.run([options.program], capture_output=True, text=True, check=True).stdout.split()
    results, gain = {}, []
    print(f"{'case':16}{'off, ms':>10}{'on, ms':>10}{'gain':>8}")
    for case in options.cases or known:
        if case not in known:
            sys.exit(f"fusion.py: no case '{case}': {', '.join(known)}")
        off, on = measure(options.program, case, options).values()
        results[case] = {"off_ms": off, "on_ms": on, "gain": off / on}
        gain.append(off / on)
        print(f"{case:16}{off:10.3f}{on:10.3f}{off / on:8.2f}", flush=True)
    print(f"{'geometric mean':36}{statistics.geometric_mean(gain):8.2f}")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
