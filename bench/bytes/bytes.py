#!/usr/bin/env python3
"""bytes.py PROGRAMS [--check]: bytes that move, against the least that must and Mekong's scheme.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Each program runs on 2, 3, 4 and 8 devices, once and twice in a process: what the second run adds is
what the program moves when the planner has seen what its launches read. The table shows what comes
into devices' memories (from the host or from other devices), as multiples of the minimum
(minimum.py). What goes back to the host is always the results, once.

--check prints nothing unless a program moves more than its ceiling, moves more than under Mekong's
scheme, or computes something else than on one device.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "programs"))
# pylint: disable=wrong-import-position
import measure  # noqa: E402
import minimum  # noqa: E402

DEVICES = [2, 3, 4, 8]
NO_MORE = 1.04  # than Mekong's scheme moves; "both", below, is all that is not made up for

# name: size, steps, ceilings of the first run and of later ones, why they are not 1
PROGRAMS = {
    "hotspot": (512, 20, 1.02, 1.001, "start"),
    "nbody": (8192, 5, 1.01, 1.001, "start"),
    "matmul": (256, 3, 1.13, 1.001, "start, rows"),
    "floyd": (256, 256, 1.01, 1.01, "start"),
    "heat2d": (512, 20, 1.01, 1.02, "start, both"),
    "fdtd2d": (512, 10, 1.02, 1.01, "start"),
    "heat3d": (64, 10, 1.01, 1.06, "start, both"),
    "lu": (256, 255, 2.21, 2.21, "shrinks"),
    "adi": (512, 3, 2.8, 3.1, "scratch"),
    "mvt": (1024, 3, 1.05, 1.001, "start"),
    "black_scholes": (1 << 18, 1, 1.01, 1.001, "start"),
}
NOTES = """
start    Before the first launch nobody knows who will read what: new data is cut into stretches of
         equal size, whole pages; parts are whole blocks. What lies between the two moves once more.
rows     ... and it is cut by rows, of which parts of two axes need a piece.
both     Arrays that take turns are uploaded to where their last launch used them, halos included,
         although the first step reads only one of them.
shrinks  Parts of the shrinking square are cut anew when they are unlike, so that borders wander; what
         was left behind in very small pieces is moved, too.
scratch  p and q are written by each thread before it reads them, but count as read."""


def incoming(outcome):
    """Bytes that came into devices' memories."""
    names = ("host_to_device_bytes", "device_to_device_bytes", "merged_bytes")
    return sum(outcome.traffic[name] for name in names)


def moved(programs, name, devices, policy):
    """Bytes in the first run, bytes in the second, the digest."""
    size, steps = PROGRAMS[name][:2]
    once, twice = (
        measure.run([programs, name, size, steps, runs], f"cpu:{devices}x1", policy=policy)
        for runs in (1, 2)
    )
    return incoming(once), incoming(twice) - incoming(once), once.digest


def rows(programs):
    """(name, devices, minimum, first, again, Mekong's first and again, one device's results?)"""
    for name, (size, steps, *_rest) in PROGRAMS.items():
        alone = measure.run([programs, name, size, steps, 1], "cpu:1x1").digest
        for devices in DEVICES:
            least = getattr(minimum, name)(size, steps, devices)
            first, again, digest = moved(programs, name, devices, "usual")
            their_first, their_again, their_digest = moved(programs, name, devices, "mekong")
            right = digest == alone == their_digest
            yield name, devices, least, first, again, their_first, their_again, right


def table(programs):
    """Prints the table; False if a result is wrong."""
    print("| program | devices | minimum, KiB | Gridspan | again | Mekong's scheme | again | why |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    fine = True
    for name, devices, least, *counts, right in rows(programs):
        ratios = " | ".join(f"{count / least:.3f}" for count in counts)
        note = PROGRAMS[name][4] if right else "WRONG RESULT"
        print(f"| {name} | {devices} | {least / 1024:.0f} | {ratios} | {note} |", flush=True)
        fine &= right
    print(NOTES)
    return fine


def check(programs):
    """Whether all counts are within their ceilings."""
    fine = True
    for name, devices, least, first, again, their_first, their_again, right in rows(programs):
        ceilings = [ceiling * least for ceiling in PROGRAMS[name][2:4]]
        both, theirs = first + again, (their_first + their_again) * NO_MORE
        complaints = [
            (not right, "results differ from those of one device"),
            (first > ceilings[0], f"moves {first} bytes, more than {ceilings[0]:.0f}"),
            (again > ceilings[1], f"then moves {again} bytes, more than {ceilings[1]:.0f}"),
            (both > theirs, f"moves {both:.0f} bytes in two runs, Mekong's scheme {theirs:.0f}"),
            (first < least, f"moves {first} bytes: less than the minimum, {least}, is wrong"),
        ]
        for holds, what in complaints:
            if holds:
                print(f"{name} on {devices} devices {what}")
                fine = False
    return fine


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3) or sys.argv[2:] not in ([], ["--check"]):
        sys.exit(__doc__)
    sys.exit(0 if (check if sys.argv[2:] else table)(sys.argv[1]) else 1)
