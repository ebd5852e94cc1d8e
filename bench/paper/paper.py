#!/usr/bin/env python3
"""paper.py BUILD [--paper] [--rounds N]: Mekong's measurements (§9) on this machine, as Markdown.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Settings of one table take turns, `rounds` times; each run of a program does its work three times,
of which the first does not count. Every ratio is the median over rounds of ratios within a round,
so that a machine that slows down for a while spoils one round. --paper takes the sizes of Mekong's
Table 1, which need a large machine and hours.
"""

import argparse
import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "programs"))
# pylint: disable=wrong-import-position
import measure  # noqa: E402

RUNS = 3  # in a process

# name: (size, steps) here; of Mekong's Table 1
PROGRAMS = {
    "hotspot": ([(2048, 60)], [(8192, 1500), (16384, 1500), (36864, 1500)]),
    "nbody": ([(8192, 4)], [(65536, 96), (131072, 96), (327680, 96)]),
    "matmul": ([(768, 3)], [(8192, 1), (16384, 1), (30656, 1)]),
}
# For two devices of one core, against one of one core; Hotspot's is that of OpenMP, times 0.95.
LEAST_SPEEDUP = {"nbody": 1.95, "matmul": 1.9}
# What is written by hand: (size, steps), the second small enough for overheads to show.
HANDMADE = {
    "hotspot": ("hotspot", [(2048, 60), (512, 600)]),
    "jacobi": ("heat2d", [(2048, 60), (512, 600)]),
}


class Bench:
    """The programs of a build folder, and how often to run them."""

    def __init__(self, build, rounds, paper):
        self.folder = pathlib.Path(build) / "bench"
        self.rounds = rounds
        self.paper = paper

    def sizes(self, name):
        """(size, steps) to run a program with."""
        return PROGRAMS[name][1 if self.paper else 0]

    def program(self, name, size, steps, devices, **variables):
        """Runs one of bench/programs; milliseconds of its steps, and the digest of its results."""
        outcome = self.outcome(name, size, steps, devices, variables)
        return outcome.median_steps(), outcome.digest

    def ablated(self, name, size, steps, without):
        """The same of the whole run, with copies in and out, and with a part of planning left out;
        then the results do not count."""
        outcome = self.outcome(name, size, steps, "cpu:2x1", {"ablate": without})
        return outcome.median_all(), outcome.digest if without == "none" else None

    def outcome(self, name, size, steps, devices, variables):
        """Runs one of bench/programs."""
        command = [self.folder / "programs/programs", name, size, steps, RUNS]
        return measure.run(command, devices, timeout=36000, **variables)

    def handmade(self, name, size, steps, devices):
        """The same of bench/paper/handmade."""
        command = [self.folder / "paper/handmade", name, size, steps, RUNS, devices]
        outcome = measure.run(command, "cpu")
        return outcome.median_steps(), outcome.digest

    def openmp(self, size, steps, threads):
        """The same of bench/paper/openmp_hotspot."""
        command = [self.folder / "paper/openmp_hotspot", size, steps, RUNS]
        extra = {"OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "true"}
        outcome = measure.run(command, "cpu", extra=extra)
        return outcome.median_steps(), outcome.digest

    def rounds_of(self, *settings):
        """Each setting's milliseconds, by round; settings are functions that take turns. Their
        results must agree, where they count."""
        times = []
        for _ in range(self.rounds):
            outcomes = [setting() for setting in settings]
            times.append([outcome[0] for outcome in outcomes])
            digests = {outcome[1] for outcome in outcomes if outcome[1] is not None}
            if len(digests) > 1:
                sys.exit(f"results differ between settings: {digests}")
        return times


def ratios(times, above, below):
    """Of two settings, by round."""
    return [row[above] / row[below] for row in times]


def spread(values, form):
    """The median, and the extremes in brackets."""
    low, high = min(values), max(values)
    return f"{statistics.median(values):{form}} ({low:{form}} .. {high:{form}})"


def core_counts():
    """Device counts to scale over: this machine's cores, by doubling."""
    cores = len(os.sched_getaffinity(0))
    counts = [1]
    while counts[-1] * 2 <= cores:
        counts.append(counts[-1] * 2)
    return counts


def scaling(bench):
    """Devices of one core each, against one device of one core that is not planned for."""
    print("\n### Scaling: devices of one core each\n")
    print("Time of one device, not planned, over that of N: median (least .. most).\n")
    counts = core_counts()
    columns = [f"{n} devices |" for n in counts[1:]]
    print("| program | size x steps | one device, ms | planned |", *columns)
    print("| --- | --- | --- | --- |" + " --- |" * len(counts[1:]))
    gained = {}
    for name in PROGRAMS:
        for size, steps in bench.sizes(name):
            times = bench.rounds_of(
                lambda: bench.program(name, size, steps, "cpu:1x1"),
                lambda: bench.program(name, size, steps, "cpu:1x1", policy="always"),
                *(
                    lambda n=n: bench.program(name, size, steps, f"cpu:{n}x1")
                    for n in counts[1:]
                ),
            )
            columns = [spread(ratios(times, 0, i), ".3f") for i in range(1, len(counts) + 1)]
            alone = statistics.median(row[0] for row in times)
            print(f"| {name} | {size} x {steps} | {alone:.1f} |", " | ".join(columns), "|", flush=True)
            gained[name] = statistics.median(ratios(times, 0, 2)) if len(counts) > 1 else None
            slower = [1 / ratio - 1 for ratio in ratios(times, 0, 1)]
            gained[name, "slower"] = slower
    return gained


def openmp(bench):
    """What Hotspot gains from a second core, written with OpenMP."""
    size, steps = bench.sizes("hotspot")[0]
    times = bench.rounds_of(
        lambda: bench.openmp(size, steps, 1), lambda: bench.openmp(size, steps, 2)
    )
    gain = statistics.median(ratios(times, 0, 1))
    alone = statistics.median(row[0] for row in times)
    print(f"\nHotspot with OpenMP: {alone:.1f} ms on one thread; two threads gain {gain:.3f}.")
    return gain


def ablation(bench):
    """Mekong's breakdown: all (α), without copies (β), without resolving what to copy (γ)."""
    print("\n### Where time goes (Mekong §9.2)\n")
    print("On 2 devices, of a whole run: application γ/α, transfers (α-β)/α, patterns (β-γ)/α. The")
    print("runs for β and γ compute wrong results on purpose.\n")
    print("| program | size x steps | α, ms | application | transfers | patterns |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in PROGRAMS:
        for size, steps in bench.sizes(name):
            times = bench.rounds_of(
                lambda: bench.ablated(name, size, steps, "none"),
                lambda: bench.ablated(name, size, steps, "transfers"),
                lambda: bench.ablated(name, size, steps, "patterns"),
            )
            shares = [
                [c / a for a, _, c in times],
                [(a - b) / a for a, b, _ in times],
                [(b - c) / a for a, b, c in times],
            ]
            alpha = statistics.median(row[0] for row in times)
            columns = " | ".join(spread(share, ".1%") for share in shares)
            print(f"| {name} | {size} x {steps} | {alpha:.1f} | {columns} |", flush=True)


def by_hand(bench):
    """The planner against a version for several devices written by hand."""
    print("\n### Against versions written by hand\n")
    print("The same kernels on the same 2 devices: time by hand over time planned.\n")
    print("| program | size x steps | by hand, ms a step | planned, ms a step | by hand / planned |")
    print("| --- | --- | --- | --- | --- |")
    worst = None
    for name, (program, sizes) in HANDMADE.items():
        for size, steps in sizes:
            times = bench.rounds_of(
                lambda: bench.handmade(name, size, steps, 2),
                lambda: bench.program(program, size, steps, "cpu:2x1"),
            )
            hand, planned = (statistics.median(row[i] for row in times) / steps for i in (0, 1))
            share = ratios(times, 0, 1)
            columns = f"{hand:.3f} | {planned:.3f} | {spread(share, '.3f')}"
            print(f"| {name} | {size} x {steps} | {columns} |", flush=True)
            middle = statistics.median(share)
            worst = middle if worst is None else min(worst, middle)
    return worst


def goals(gained, openmp_gain, hand):
    """What was aimed at (issue "Many devices"), and what came out."""
    slower = [value for name in PROGRAMS for value in gained[name, "slower"]]
    lines = [
        ("planned on one device, slower by: median", statistics.median(slower), "<=", 0.01, ".2%"),
        ("planned on one device, slower by: worst", max(slower), "<=", 0.03, ".2%"),
        ("by hand / planned, worst median", hand, ">=", 0.95, ".3f"),
    ]
    if gained["nbody"] is not None:
        for name, least in LEAST_SPEEDUP.items():
            lines.append((f"{name}, 2 devices", gained[name], ">=", least, ".3f"))
        lines.append(("hotspot, 2 devices", gained["hotspot"], ">=", 0.95 * openmp_gain, ".3f"))
    print("\n### Goals\n\n| what | measured | goal | |\n| --- | --- | --- | --- |")
    for what, value, sign, goal, form in lines:
        reached = value <= goal if sign == "<=" else value >= goal
        print(f"| {what} | {value:{form}} | {sign} {goal:{form}} | {'yes' if reached else 'NO'} |")


def main():
    """Prints all tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("build")
    parser.add_argument("--paper", action="store_true", help="sizes of Mekong's Table 1")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    bench = Bench(options.build, options.rounds, options.paper)
    gained = scaling(bench)
    openmp_gain = openmp(bench)
    ablation(bench)
    goals(gained, openmp_gain, by_hand(bench))


if __name__ == "__main__":
    main()
