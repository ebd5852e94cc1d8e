#!/usr/bin/env python3
"""beyond.py BUILD [--rounds N] [NAME...]: programs with more data than the GPU is given room for, as Markdown.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The programs of bench/programs by gridcc on one GPU with all in its memory (`cuda:0`), and on CPU and GPU (`cpu+cuda:0`)
with room for a quarter of the data (`GRIDSPAN_COPY_MEMORY`), so that launches run in rounds. A time is that of the
program's steps, the median of all runs but the first of each process; bytes are those of the copies with the GPU, for a
step. Results are compared by their digest; other ones make the exit status 1. Needs a built bench/programs/programs,
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


def main():
    options = options_of("beyond.py", __doc__.splitlines()[0], PROGRAMS, 2)
    library = {"LD_LIBRARY_PATH": f"{options.build.resolve() / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    print("| program | in memory, ms | a quarter | ratio | GB a step | GB/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    wrong = False
    for name in options.names or PROGRAMS:
        size, steps, room = PROGRAMS[name]
        command = [program_of(options), name, size, steps, RUNS]
        within, beyond = [], []
        for _ in range(options.rounds):
            within.append(measure.run(command, "cuda:0", extra=library))
            beyond.append(measure.run(command, "cpu+cuda:0", extra={**library, "GRIDSPAN_COPY_MEMORY": f"{room}M"}))
        inside, outside = (statistics.median([time for run in runs for time in run.steps[1:]]) for runs in (within, beyond))
        gigabytes = statistics.median(moved(run) for run in beyond) / 1e9 / RUNS / steps
        differ = {run.digest for run in beyond} != {run.digest for run in within}
        wrong |= differ
        print(f"| {name} {size}, {steps} steps | {inside:.1f} | {outside:.1f}" + (" (OTHER RESULTS)" if differ else "") +
              f" | {inside / outside:.2f} | {gigabytes:.1f} | {gigabytes * steps / outside * 1000:.0f} |", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
