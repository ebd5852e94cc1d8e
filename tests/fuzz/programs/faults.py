#!/usr/bin/env python3
# Random programs on devices that fail: an error reaches the program, nothing hangs, nothing wrong
# is given out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tests/fuzz/programs/faults.py --runs 200
#
# Each run is one program on four devices, of which one fails after a random number of successes
# (GRIDSPAN_FAULT). What the program reads before it sees the error must be what one device gives.
import argparse
import collections
import pathlib
import random as random_module
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from library import Library  # noqa: E402
from running import REFERENCE, Compiler, Runner, text_of  # noqa: E402
from whole_program import WholeProgram  # noqa: E402

DEVICES = 4
LIMIT = 60  # seconds: a hang
ERRORS = {
    "reserve": ["cudaErrorMemoryAllocation"],
    "copy": ["cudaErrorLaunchFailure"],
    "part": ["cudaErrorLaunchFailure"],
    "thread": ["cudaErrorLaunchFailure"],
}
ENDED_BY_ERROR = 3  # the driver's status


def failure(random):
    """A setting with an injected failure, and its kind."""
    kind = random.choice(list(ERRORS))
    most = {"reserve": 6, "copy": 150, "part": 40, "thread": 40}[kind]
    device = random.randrange(1 if kind == "reserve" else 0, DEVICES)
    after = int(most ** random.random()) - 1
    fault = f"{device}:{kind}:{after}"
    return {"GRIDSPAN_DEVICES": f"cpu:{DEVICES}x1", "GRIDSPAN_FAULT": fault}, kind


def wrong(got, number, expected, kind):
    """What is wrong with a run, or None."""
    if got.status in (124, 137):
        return "hangs"
    reads = got.reads.get(number, [])
    if got.of(number) is not None:
        return None if got.of(number) == expected else "wrong data, and no error"
    if reads != expected[: len(reads)]:
        return "wrong data before the error"
    if got.status != ENDED_BY_ERROR:
        return f"ends with status {got.status}: {got.errors[-500:]}"
    if not any(error in got.errors for error in ERRORS[kind]):
        return f"another error: {got.errors[-500:]}"
    return None


def main():
    parser = argparse.ArgumentParser(description="random programs on devices that fail")
    parser.add_argument("--gridcc", default="build/bin/gridcc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--flags", default="-O1", help="flags of gridcc")
    parser.add_argument("--folder", default="/tmp/gridspan-faults", help="where files are written")
    arguments = parser.parse_args()
    random = random_module.Random(f"faults {arguments.seed}")
    library = Library(arguments.seed, affine=0)
    compiler = Compiler(arguments.gridcc, arguments.folder, arguments.flags)
    runner = Runner(compiler.compile(library.text(), f"faults{arguments.seed}"), LIMIT)
    programs = [WholeProgram(library, number).lines() for number in range(arguments.runs)]
    reference = runner.run(programs, REFERENCE)
    failed, seen, runs = 0, collections.Counter(), collections.Counter()
    for number, lines in enumerate(programs):
        setting, kind = failure(random)
        got = runner.run([lines], setting)
        runs[kind] += 1
        seen[kind] += got.status == ENDED_BY_ERROR
        if text := wrong(got, number, reference.of(number), kind):
            failed += 1
            print(f"FAIL library {arguments.seed}, program {number}: {text_of(setting)}: {text}")
    for kind, count in runs.items():
        print(f"{kind}: {seen[kind]} of {count} programs saw the error")
        if 3 * seen[kind] < count:
            failed += 1
            print(f"FAIL: too few failures of kind {kind}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
