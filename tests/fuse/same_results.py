#!/usr/bin/env python3
"""Programs do and print the same whether their launches become chains or one kernel, or run one after the other (docs/fusion.md).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    same_results.py BUILD run|devices...                      programs of QUICK
    same_results.py --all BUILD run|devices|examples... [--only NAME...]     the long mode: all that are built

Exit status and output are compared with GRIDSPAN_FUSE=off. Fails as well if next to nothing was chained, or made one kernel. The
long mode takes 20 minutes, compiles the examples, and has more devices, interpret mode and, where anything was fused, all
instruction sets.
"""

import argparse
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from settings import counts, on_gpu, shown

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "examples"))
from check_example import CASES, without_times  # noqa: E402

LIMIT = 300  # seconds
# Programs of which launches are fused or chained, and that take little time; run_test.py has others, in its mode `chained`.
QUICK = {
    "run": """
        driver_graphs graph_capture graph_nodes index_parts launch_forms launch_invariants memory_copies
        memory_pools reciprocal_roots relocatable_code shared_dynamic shared_library static_names
        texture_references virtual_devices virtual_devices_threads warp_returns warp_votes
    """.split(),
    "devices": """
        alternating_splits atomics bounds byte_copies changing_scalar concurrent_streams copies_beside
        crossing_alternates device_copies evictions globals grids large_copies may_writes pitched_copies
        pointer_values reductions reuse scatter shapes shrinking small_sizes streams structs threads
        traffic_carried traffic_crossing traffic_elements traffic_follow traffic_matmul traffic_reductions
        traffic_slabs traffic_stencil traffic_warps triangles unsplittable
    """.split(),
}
# Launches in chains, and kernels made of several, in all settings together: about half of what there are.
LEAST = {"run": (400, 15), "devices": (2500, 2000), "examples": (1000, 100)}
NOT_RUN = {"most_blocks"}  # 2^31 - 1 of them take minutes
LEFT = re.compile(r"^free \d+\n", re.MULTILINE)  # what memory the machine has left


def settings(build, is_long):
    cpu = {"GRIDSPAN_THREADS": "3"}
    gpus = {**on_gpu(build), "GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "fixed", "GRIDSPAN_THREADS": "2"}
    found = [("now", cpu), ("check", cpu), ("now", {"GRIDSPAN_DEVICES": "cpu:3x1"}), ("now", gpus)]
    if is_long:
        found += [("now", {"GRIDSPAN_DEVICES": f"cpu:{count}x1"}) for count in (2, 7)]
        found += [("now", {**on_gpu(build), "GRIDSPAN_THREADS": "2"}), ("check", {**cpu, "GRIDSPAN_CPU": "interpret"})]
    return found


SETS = [(mode, {"GRIDSPAN_THREADS": "3", "GRIDSPAN_CPU_ISA": one}) for one in ("baseline", "v3", "v4") for mode in ("now", "check")]


def programs(build, suite, is_long, work):
    """Name and command of each."""
    if suite == "examples":
        for name, (arguments, _) in CASES.items():
            program = work / name
            source = pathlib.Path(__file__).resolve().parents[2] / f"examples/{name}.cu"
            subprocess.run([build / "bin/gridcc", "-O2", source, "-o", program], check=True)
            for one in arguments:
                yield f"{name} {one}", [program, *one.split()]
        return
    tests = build / "tests" / suite
    found = {path.name: path for path in (tests / "programs").glob("*") if path.suffix != ".log"}
    found |= {path.parent.name: path for path in tests.glob("*/program")}
    for name in sorted(found.keys() - NOT_RUN) if is_long else QUICK[suite]:
        yield name, [found.get(name, tests / "programs" / name)]


class Runs:
    def __init__(self, cache):
        self.cache = cache
        self.wrong = []
        self.said = ""
        self.number = self.chained = self.fused = 0

    def run(self, command, mode, variables):
        """Its exit status and output; what was fused is counted."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GRIDSPAN_", "FAKE_CUDA_"))}
        with tempfile.NamedTemporaryFile("r", errors="replace") as log:
            environment |= {"XDG_CACHE_HOME": self.cache, "GRIDSPAN_LOG": f"info:{log.name}", "GRIDSPAN_FUSE": mode, **variables}
            done = subprocess.run(["timeout", "-k", "2", str(LIMIT), *command], env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
            text = log.read()
        self.number += 1
        self.chained += sum(map(int, re.findall(r"fuse: chained_launches (\d+)$", text, re.MULTILINE)))
        self.fused += counts(text)[0]
        self.said = done.stderr  # has addresses, and lines of several threads
        return done.returncode, LEFT.sub("", without_times(done.stdout))

    def compare(self, name, command, wanted, mode, variables):
        got = self.run(command, mode, variables)
        said = self.said
        if got != wanted:  # some cannot run there, round otherwise, or print what devices they have
            wanted = self.run(command, "off", variables)
        if got != wanted:
            self.wrong.append(f"{name}: {shown(variables)} GRIDSPAN_FUSE={mode}: exit {got[0]}, {wanted[0]} with off\n"
                              f"{got[1][-1000:]}{said[-1000:]}--- with off\n{wanted[1][-1000:]}")

    def all_of(self, name, command, build, is_long):
        before = self.chained + self.fused
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        wanted = self.run(command, "off", {"GRIDSPAN_THREADS": "3"})
        for mode, variables in settings(build, is_long):
            self.compare(name, command, wanted, mode, variables)
        found = self.chained + self.fused - before
        for mode, variables in SETS if is_long and found else []:
            self.compare(name, command, wanted, mode, variables)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"{name}: {found} fused or chained, {end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime:.1f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("suites", nargs="+", choices=LEAST)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    wrong = []
    for suite in options.suites:
        with tempfile.TemporaryDirectory() as folder:
            runs = Runs(folder + "/cache")
            for name, command in programs(options.build, suite, options.all, pathlib.Path(folder)):
                if not options.only or name.split()[0] in options.only:
                    runs.all_of(name, command, options.build, options.all)
        print(f"{suite}: {runs.number} runs, {runs.chained} launches in chains, {runs.fused} kernels made of several")
        if not options.only and (runs.chained < LEAST[suite][0] or runs.fused < LEAST[suite][1]):
            runs.wrong.append(f"{suite}: less than {LEAST[suite]}")
        wrong += runs.wrong
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
