#!/usr/bin/env python3
"""Which launches of chains.cu and across_waits.cu are chained, which are not, and why.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    chain_counts.py CHAINS ACROSS_WAITS
    chain_counts.py CHAINS --gpu BUILD      on the fake driver's GPU (tests/devices/fake_cuda)

The first program holds its stream until all launches of a case are queued, so the counts are always the same.
"""

import os
import re
import subprocess
import sys

ALL_OF = "each needs all of the one before it"
VOLATILE = "kernel 'raise_flag(unsigned int volatile*, unsigned int const*, int)' accesses memory that is volatile or waited for"
WAITED = ("kernel 'meet(unsigned int*, unsigned int*, int, unsigned int)' "
          "accesses memory that is volatile or waited for")
# Case: windows, launches that run in chains, groups without a chain by reason (a part of it).
# Of double_buffer, 1x1 and 31x3 have one unit in each launch.
WANT = {
    "double_buffer": (7, 46, {ALL_OF: 2}),
    "periodic": (6, 32, {ALL_OF: 2}),
    "in_place": (1, 12, {}),
    "pointwise": (5, 48, {ALL_OF: 1}),
    "rows_and_columns": (1, 6, {}),
    "data_dependent": (1, 9, {}),
    "variables": (1, 8, {}),
    "interrupted": (3, 12, {}),  # with the copy
    "moves": (3, 22, {}),
    "host_looks_on": (1, 0, {VOLATILE: 1}),
    "waiting": (0, 0, {WAITED: 1}),
    "again": (10, 60, {}),
    "steps": (10, 120, {}),
    "steps_of_written": (6, 48, {}),
}
# On a GPU copies are no members.
WANT_ON_GPU = {**WANT, "interrupted": (2, 4, {}), "moves": (2, 4, {})}
# Those of which each window is a group, with the same memory each time.
GROUPS = {"again": 1, "steps": 1, "steps_of_written": 5}


base = {}  # variables of all runs


def run(program, case, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")} | base
    return subprocess.run([program, case], env={**environment, **variables}, text=True, capture_output=True, timeout=100,
                          check=False)


def counts(log):
    found = dict(re.findall(r"fuse: (\w+) (\d+)$", log, re.MULTILINE))
    refusals = {re.sub(r" \(\S+:\d+\)$", "", reason): int(n)
                for n, reason in re.findall(r"fuse: not chained: (\d+): (.*)$", log, re.MULTILINE)}
    return int(found["windows"]), int(found["chained_launches"]), refusals


def check_counts(program, wanted):
    wrong = []
    for case, want in wanted.items():
        result = run(program, case, GRIDSPAN_FUSE="now:without-kernels", GRIDSPAN_LOG="info")
        got = counts(result.stderr)
        if result.returncode != 0 or got != want:
            wrong.append(f"{case}: exit {result.returncode}, {got}, expected {want}")
    for case, groups in GROUPS.items():
        if f"fuse: groups {groups}\n" not in (log := run(program, case, GRIDSPAN_FUSE="now:without-kernels", GRIDSPAN_LOG="info").stderr):
            wrong.append(f"{case}: not {groups} groups\n{log}")
    return wrong


def check_modes(program):
    """Off and by default (launches of few threads) nothing is chained; managed memory never is."""
    wrong = []
    if "fuse:" in run(program, "in_place", GRIDSPAN_FUSE="off", GRIDSPAN_LOG="info").stderr:
        wrong.append("GRIDSPAN_FUSE=off counts chains")
    if counts(run(program, "in_place", GRIDSPAN_LOG="info").stderr)[1] != 0:
        wrong.append("launches of few threads are chained by default")
    log = run(program, "memory_changes", GRIDSPAN_FUSE="now:without-kernels", GRIDSPAN_LOG="info").stderr
    place = r"kernel 'add\(.*\)' gets memory that the host may look at meanwhile \(.*chains.cu:\d+\)"
    if not re.search(place, log):
        wrong.append(f"no refusal of managed memory in:\n{log}")
    for value in ("maybe", "on:", "on:maybe", "on:across-waits,", ":across-waits", "on:without"):
        bad = run(program, "in_place", GRIDSPAN_FUSE=value)
        if bad.returncode == 0 or not re.fullmatch(r".*GRIDSPAN_FUSE.*off \| cached \| on \| now \| check.*\n", bad.stderr):
            wrong.append(f"a wrong value {value}: exit {bad.returncode}: {bad.stderr}")
    return wrong


def check_trial(program):
    """Chains of launches with 2 MB are tried on a GPU with a smaller last cache, and no launch is held for one on a GPU with a larger.

    Plans are made beside the program, and times come later: on a busy machine all launches may have begun by then. So a few runs
    are given for a first chain, and the verdict is not waited for (unit tests of Trial).
    """
    wrong = []
    for megabytes, is_tried, runs in ((1, True, 5), (4, False, 1)):
        for _ in range(runs):
            result = run(program, "large", GRIDSPAN_FUSE="on:without-kernels", GRIDSPAN_LOG="info", FAKE_CUDA_CACHE=str(megabytes))
            windows, chained, reasons = counts(result.stderr)
            is_right = (result.returncode, windows > 0, chained > 0, reasons) == (0, is_tried, is_tried, {})
            if is_right:
                break
        if not is_right:
            wrong.append(f"a cache of {megabytes} MB: exit {result.returncode}\n{result.stderr}")
    return wrong


def check_beside_a_cpu(program):
    """Where a GPU does all of each launch alone, chains run on it although there is another device. Before that they can't."""
    wrong = []
    for mode in ("now", "check"):
        for case in WANT_ON_GPU:
            result = run(program, case, GRIDSPAN_DEVICES="cpu+cuda:0", GRIDSPAN_POLICY="fixed", GRIDSPAN_MEASURE="off",
                         GRIDSPAN_FUSE=f"{mode}:without-kernels", GRIDSPAN_LOG="info")
            chained, least = counts(result.stderr)[1], {"again": 54, "steps": 108}.get(case, 0)
            if result.returncode != 0 or not least <= chained <= WANT_ON_GPU[case][1]:
                wrong.append(f"cpu+cuda:0, {mode}, {case}: exit {result.returncode}, {chained} launches in chains\n{result.stdout}")
    return wrong


def check_waits(program):
    """A wait after each launch: 11 launches behind a long one are a window only where waits nobody sees are left out."""
    wrong = []
    for value, least, most in (("now:across-waits,without-kernels", 8, 12), ("now:reassociate,without-kernels,across-waits", 8, 12),
                               ("now:without-kernels", 0, 2)):
        result = run(program, "waits", GRIDSPAN_FUSE=value, GRIDSPAN_LOG="info")
        chained = counts(result.stderr)[1]
        if result.returncode != 0 or not least <= chained <= most:
            wrong.append(f"{value}: exit {result.returncode}, {chained} launches in chains, expected {least} to {most}")
    # A fault is returned by a call, or told at the end. By then it may have happened, or be still to come; so it may at a wait.
    for value, case, may_be_told in (("now:across-waits", "fault", True), ("now:across-waits", "early_fault", True),
                                     ("now:across-waits", "returned_fault", False), ("now", "fault", False)):
        was_told = False
        for _ in range(30):
            result = run(program, case, GRIDSPAN_FUSE=value)
            told = result.stderr.count("a kernel failed (cudaErrorIllegalAddress) and no call returned that")
            if told != ("returned" not in result.stdout):
                wrong.append(f"{value}: {case}: told {told} times: {result.stdout}{result.stderr}")
            was_told |= told > 0
            if was_told or not may_be_told:
                break
        if was_told != may_be_told:
            wrong.append(f"{value}: {case}: {'told' if was_told else 'never told'}")
    if (result := run(program, "queries", GRIDSPAN_FUSE="now:across-waits")).returncode != 0:
        wrong.append(f"a stream that was waited for is not ready: {result.stdout}{result.stderr}")
    return wrong


def main():
    chains, across_waits, *build = sys.argv[1:]
    if build:
        base.update({"LD_LIBRARY_PATH": f"{build[0]}/tests/devices/fake_cuda/lib:{build[0]}/lib", "GRIDSPAN_DEVICES": "cuda:0"})
        wrong = check_counts(chains, WANT_ON_GPU) + check_modes(chains) + check_trial(chains) + check_beside_a_cpu(chains)
    else:
        wrong = check_counts(chains, WANT) + check_modes(chains) + check_waits(across_waits)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
