#!/usr/bin/env python3
"""Sequences of launches one after the other, as chains, as kernels made of several, with both, and by hand (GRIDSPAN_FUSE).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    fusion.py PROGRAM [--joined] [--threads N] [--rounds N] [--ways WAY,...] [--json FILE] [CASE ...]

Medians over all rounds of a turn's milliseconds, and how many times as fast as `off` each way is; ways take turns. Where a way makes
kernels, a round more comes first that does not count. `default` has no cache: it uses what the program carries. `of copy`: of the bytes
a second that a copy of an array moves, those that the fastest way moves, counted once for each array that the turn needs. An event ends each turn of a case, unless --joined: then turns may
become one, too, as in programs that step in time. `hand` is one kernel written by hand, compiled by gridcc, with `off`. All must
end with equal memory: if not, or if a run fails, the exit status is 1.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

WAYS = {"off": "off", "default": "cached", "chains": "on:without-kernels", "kernels": "on:without-chains", "both": "on", "hand": "off"}


def run(program, case, way, options, cache):
    """Milliseconds of a turn in each round, and what memory was at the end."""
    variables = {"GRIDSPAN_FUSE": WAYS[way], "XDG_CACHE_HOME": "/proc/nowhere" if way == "default" else cache}
    if options.threads:
        variables["GRIDSPAN_THREADS"] = str(options.threads)
    words = [case, *(["hand"] if way == "hand" else []), *([] if options.joined else ["apart"])]
    done = subprocess.run([program, *words], env={**os.environ, **variables}, capture_output=True, text=True, timeout=600,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"fusion.py: {case} with GRIDSPAN_FUSE={WAYS[way]}: exit {done.returncode}: {done.stderr.strip()}")
    *times, memory = done.stdout.split()
    return [float(time) for time in times], memory


def measure(program, case, ways, options, cache):
    times = {way: [] for way in ways}
    memory = set()
    makes_kernels = any(WAYS[way].startswith("on") for way in ways)
    for counts in (*([False] if makes_kernels else []), *([True] * options.rounds)):
        for way in ways:
            took, end = run(program, case, way, options, cache)
            times[way] += took if counts else []
            memory.add(end)
    if len(memory) != 1:
        sys.exit(f"fusion.py: {case}: memory differs between ways")
    return {way: statistics.median(times[way]) for way in ways}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--joined", action="store_true")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", type=lambda text: text.split(","), default=list(WAYS))
    parser.add_argument("--json")
    options = parser.parse_intermixed_args()
    if unknown := [way for way in options.ways if way not in WAYS]:
        sys.exit(f"fusion.py: no way '{unknown[0]}': {', '.join(WAYS)}")
    options.ways = [way for way in WAYS if way == "off" or way in options.ways]
    listed = subprocess.run([options.program], capture_output=True, text=True, check=True).stdout.splitlines()
    known = {line.split()[0]: "hand" in line.split() for line in listed}
    moves = {line.split()[0]: int(line.rsplit("moves=")[1]) for line in listed if "moves=" in line}
    if unknown := [case for case in options.cases if case not in known]:
        sys.exit(f"fusion.py: no case '{unknown[0]}': {', '.join(known)}")
    results = {}
    print(f"{'case':16}{'off, ms':>10}" + "".join(f"{way:>10}" for way in options.ways if way != "off") + f"{'of copy':>10}")
    copy_ms = None
    with tempfile.TemporaryDirectory() as cache:
        for case in options.cases or known:
            ways = [way for way in options.ways if way != "hand" or known[case]]
            times = measure(options.program, case, ways, options, cache)
            gains = {way: times["off"] / times[way] for way in ways if way != "off"}
            if case == "copy":
                copy_ms = times["off"]
            results[case] = {"off_ms": times["off"], **gains}
            text = f"{case:16}{times['off']:10.3f}" + "".join(f"{gains[way]:10.2f}" if way in gains else f"{'':10}" for way in options.ways if way != "off")
            if copy_ms and case in moves:
                fastest = min(time for way, time in times.items() if way != "hand")
                results[case]["of_copy"] = moves[case] / fastest / (moves["copy"] / copy_ms)
                text += f"{results[case]['of_copy']:10.2f}"
            print(text, flush=True)
    everywhere = [way for way in options.ways if way not in ("off", "hand")]
    means = [statistics.geometric_mean(result[way] for result in results.values()) for way in everywhere]
    print(f"{'geometric mean':26}" + "".join(f"{mean:10.2f}" for mean in means))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(results, file, indent=1)


if __name__ == "__main__":
    main()
