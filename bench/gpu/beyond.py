#!/usr/bin/env python3
"""beyond.py BUILD [--rounds N] [NAME...]: programs with more data than the GPU is given room for, as Markdown.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The programs of bench/programs by gridcc on one GPU with all in its memory (`cuda:0`); on CPU and GPU (`cpu+cuda:0`) with
room for a quarter of the data (`GRIDSPAN_COPY_MEMORY`), so that launches run in rounds; and on the GPU with a quarter of
the data in its memory and the rest in the host's (`GRIDSPAN_OVERSUBSCRIBE=spill`). A time is that of the program's steps,
the median of all runs but the first of each process; bytes are those of the copies with the GPU, for a step, on CPU and
GPU. Results are compared by their digest; other ones make the exit status 1. Needs a built bench/programs/programs,
libgridspan.so and Python.
"""

import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "programs"))
# pylint: disable=wrong-import-position
import measure  # noqa: E402
from scaling import options_of, program_of  # noqa: E402

# Size, steps and a quarter of the data in MiB.
PROGRAMS = {
    "matmul": (16384, 1, 768),
    "hotspot": (16384, 20, 768),
    "mvt": (32768, 4, 1024),
    "black_scholes": (100_000_000, 4, 477),
}
RUNS = 3  # in a process


def moved(run):
    """Bytes that launches brought to the GPU or sent home."""
    return sum(run.traffic[f"cause_{cause}_bytes"] for cause in ("read", "eviction", "gather"))


def time_in_turns(command, forms, rounds):
    """What each form's processes did."""
    runs = {name: [] for name in forms}
    for _ in range(rounds):
        for name, (devices, extra) in forms.items():
            runs[name].append(measure.run(command, devices, extra=extra))
    return runs


def main():
    options = options_of("beyond.py", __doc__.splitlines()[0], PROGRAMS, 2)
    library = {"LD_LIBRARY_PATH": f"{options.build.resolve() / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    print("| program | in memory, ms | CPU and GPU | beyond one GPU | GB a step | GB/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    wrong = False
    for name in options.names or PROGRAMS:
        size, steps, room = PROGRAMS[name]
        forms = {
            "memory": ("cuda:0", library),
            "both": ("cpu+cuda:0", {**library, "GRIDSPAN_COPY_MEMORY": f"{room}M"}),
            "beyond": ("cuda:0", {**library, "GRIDSPAN_OVERSUBSCRIBE": f"spill:{room}M"}),
        }
        runs = time_in_turns([program_of(options), name, size, steps, RUNS], forms, options.rounds)
        median = {
            form: statistics.median(time for run in done for time in run.steps[1:]) for form, done in runs.items()
        }
        gigabytes = statistics.median(moved(run) for run in runs["both"]) / 1e9 / RUNS / steps
        differ = len({run.digest for done in runs.values() for run in done}) != 1
        wrong |= differ
        print(f"| {name} {size}, {steps} steps | {median['memory']:.1f} | {median['both']:.1f} | {median['beyond']:.1f}" +
              (" (OTHER RESULTS)" if differ else "") +
              f" | {gigabytes:.1f} | {gigabytes * steps / median['both'] * 1000:.0f} |", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
