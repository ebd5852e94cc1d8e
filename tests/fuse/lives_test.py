#!/usr/bin/env python3
"""What lives.cu leaves behind, how many of its launches become one kernel, and why others do not.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    lives_test.py BUILD cpu LIVES CHILDREN     on the CPU with one and three threads
    lives_test.py BUILD gpu LIVES              on the fake driver's GPU

Programs of children.cu and others have no code for GPUs yet.
"""

import pathlib
import re
import sys
import tempfile

from settings import count_of, counts, ends_of, on_gpu, run, shown

KERNEL = r"kernel '{}\(.*\)' {} \(\S*lives.cu:\d+\)"

PLACE = r"\(\S*lives.cu:\d+\)$"
PLACES = r"\(\S*lives.cu:\d+, \S*lives.cu:\d+\)$"
WAIT = "not one kernel: \\d+: threads of '{}' wait for each other " + PLACE
SHARED = "not one kernel: \\d+: '{}' uses shared memory " + PLACE
SEEN = KERNEL.format("scale", "gets memory that the host may look at meanwhile")
TIED = r"block .* of '{}' reads bytes of '\w+' \(\S*:\d+\) that block .* of '{}' writes \(\S*:\d+\)"
# Case: kernels that were made of several, launches in them, a reason that must be given (a regular expression).
WANT = {
    "freed": (6, 24, None),
    "freed_in_order": (6, 12, None),
    "but_one": (4, 12, None),
    "but_the_first": (1, 2, r"block .* of 'scale' writes bytes of 'y' \(\S*:\d+\) that block .* of 'add' reads \(\S*:\d+\)"),
    "symbol": (4, 8, None),
    "graph": (2, 8, None),
    "other_stream": (2, 4, None),
    "kept": (3, 14, "not one kernel: \\d+: a copy inside the device is part of no kernel$"),
    "aliases": (12, 24, None),
    "overlaps_later": (3, 6, TIED.format("add", "scale")),
    "other_n": (5, 10, "'scale' and 'add' would move about as many bytes as one kernel " + PLACES),
    "other_grid": (0, 0, "'scale' and 'add' have different grids or blocks " + PLACES),
    "wraps": (2, 4, None),
    "narrow": (0, 0, TIED.format("add_narrow", "scale") + ", as far as the models tell$"),
    "guarded": (2, 6, None),
    "gather": (0, 0, TIED.format("gather", "scale")),
    "scatter": (0, 0, TIED.format("add", "scatter")),
    "meets": (0, 0, WAIT.format("meets")),
    "meets_in_branches": (0, 0, WAIT.format("meets_in_branches")),
    "meets_all": (0, 0, KERNEL.format("meets_all", "has grid barriers")),
    "prints": (0, 0, KERNEL.format("prints", "prints")),
    "traps": (0, 0, KERNEL.format("traps", "may trap or fail an assertion")),
    "looks_again": (0, 0, KERNEL.format("looks_again", "accesses memory that is volatile or waited for")),
    "fences": (0, 0, KERNEL.format("fences", "has memory fences")),
    "takes_numbers": (0, 0, KERNEL.format("takes_numbers", "uses the result of an atomic operation")),
    "reads_clock": (0, 0, KERNEL.format("reads_clock", "reads a clock")),
    "keeps_shared": (0, 0, SHARED.format("keeps_shared")),
    "keeps_dynamic": (0, 0, SHARED.format("keeps_dynamic")),
    "has_dynamic": (0, 0, SHARED.format("add")),
    "managed": (0, 0, SEEN),
    "page_locked": (0, 0, SEEN),
    "registered": (0, 0, SEEN),
    "exported": (0, 0, SEEN),
    "exported_later": (2, 6, SEEN),
    "two_streams": (0, 0, None),
    "timing": (0, 0, None),
    "sizes": (47, 141, None),
    "empty": (2, 4, None),
}
# Variables of a module keep its kernels apart there, and graphs are windows of their own. Memory of GPUs is not exported.
WANT_ON_GPU = WANT | {
    "symbol": (2, 4, r"kernel 'to_field\(.*\)' uses variables of its module \(\S*:\d+\)"),
    "graph": (2, 6, None),
    "kept": (3, 14, None),
}
for absent in ("exported", "exported_later"):
    del WANT_ON_GPU[absent]


# Case: what ended its windows, and how often at least. A GPU begins the first launch of a kernel in each shape at once.
ENDS = {
    "timing": ("an event", 6, 4),
    "two_streams": ("work on another stream", 12, 4),
    "prints": ("a launch that stays apart", 2, 1),
    "symbol": ("a copy", 4, 2),
    "graph": ("a graph", 0, 1),
    "but_one": ("a wait", 4, 4),
    "kept": ("being full", 1, 1),
}


def check(program, want, cache, variables):
    wrong = []
    for case, (kernels, launches, reason) in want.items():
        status, text = run([program, case], cache, {**variables, "GRIDSPAN_FUSE": "now:without-chains"})
        if status != 0 or counts(text) != (kernels, launches):
            wrong.append(f"{case}: exit {status}, {counts(text)}, expected {(kernels, launches)}: {shown(variables)}\n{text}")
        elif reason and not re.search(reason, text, re.MULTILINE):
            wrong.append(f"{case}: no reason {reason}: {shown(variables)}\n{text}")
        what, on_cpu, on_gpu_least = ENDS.get(case, ("", 0, 0))
        least = on_gpu_least if "GRIDSPAN_DEVICES" in variables else on_cpu
        if what and ends_of(text).get(what, 0) < least:
            wrong.append(f"{case}: windows ended by {ends_of(text)}, expected {least} times {what}: {shown(variables)}\n{text}")
    # Compared with launches in order, as chains, with what is in the cache; all in one process.
    for mode in ("check", "now", "now:without-kernels", "on", "cached", "off"):
        status, text = run([program, *want], cache, {**variables, "GRIDSPAN_FUSE": mode})
        unchecked = count_of(text, "unchecked_launches")
        # On a GPU, groups of streams that wait for a later step of the program (other_stream, two_streams).
        if status != 0 or unchecked > (4 if "GRIDSPAN_DEVICES" in variables else 0):
            wrong.append(f"all: exit {status}, {unchecked} not compared: {shown(variables)} GRIDSPAN_FUSE={mode}\n{text}")
    return wrong


def check_modes(program, cache, variables):
    """Who looks at launches one by one has them so, and nothing is said of kernels or chains, though both would be made."""
    wrong = []
    files = pathlib.Path(cache)

    def look(fuses, mode, **more):
        status, text = run([program, "but_one"], cache, {**variables, "GRIDSPAN_FUSE": mode, **more})
        if status != 0 or ("fuse: " in text) != fuses or (fuses and counts(text)[0] == 0):
            wrong.append(f"modes: exit {status}, {counts(text)}: {shown(variables)} GRIDSPAN_FUSE={mode} {shown(more)}\n{text}")

    look(True, "now")
    for one in ({"GRIDSPAN_VERIFY": "1"}, {"GRIDSPAN_RECORD": str(files / "record")}, {"GRIDSPAN_KERNEL_TIMES": str(files / "times")}):
        for mode in ("now", "check", "on", "cached"):
            look(False, mode, **one)
    for mode in ("on", "cached"):
        look(False, mode, GRIDSPAN_CPU="interpret")
    return wrong


def check_children(program, cache, variables):
    status, text = run([program], cache, {**variables, "GRIDSPAN_FUSE": "now"})
    reason = KERNEL.format("starts_more", "reaches memory that its model does not describe").replace("lives", "children")
    if status != 0 or counts(text) != (0, 0) or not re.search(reason, text):
        return [f"children: exit {status}, {counts(text)}, no reason {reason}: {shown(variables)}\n{text}"]
    return []


def main():
    build, device, program, *children = sys.argv[1:]
    wrong = []
    with tempfile.TemporaryDirectory() as cache:
        if device == "gpu":
            wrong = check(program, WANT_ON_GPU, cache, on_gpu(build))
        else:
            for threads in ("3", "1"):
                variables = {"GRIDSPAN_THREADS": threads}
                wrong += check(program, WANT, cache, variables) + check_children(*children, cache, variables)
                wrong += check_modes(program, cache, variables)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
