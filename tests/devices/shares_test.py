#!/usr/bin/env python3
# A CPU and a GPU of the fake driver share a kernel by the times of its parts; a replay of the recording repeats that.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   shares_test.py BUILD
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from gpu_tests import programs_of

build = pathlib.Path(sys.argv[1]).resolve()
program = programs_of(build)["devices.repeated"]
problems = 0


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


with tempfile.TemporaryDirectory() as folder:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    environment["LD_LIBRARY_PATH"] = f"{build}/lib:{build}/tests/devices/fake_cuda/lib"
    environment.update(XDG_CACHE_HOME=folder, GRIDSPAN_LOG="warn")

    def run(*command, **more):
        done = subprocess.run(["timeout", "-k", "2", "100", *map(str, command)], cwd=folder, env={**environment, **more},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        expect(command, done.returncode == 0, f"exit {done.returncode}\n{done.stdout}")
        return done.stdout

    gridspan = build / "bin/gridspan"
    here = run(program, GRIDSPAN_DEVICES="cpu")
    # Devices' speeds are measured: as a GPU says of itself, it would be too fast for a CPU beside it.
    both = run(program, GRIDSPAN_DEVICES="cpu+cuda", GRIDSPAN_RECORD="shares.record")
    expect("the same results", both == here, both)
    notes = json.loads(run(gridspan, "replay", "--json", "shares.record"))
    shares = [note for note in notes if note["kind"] == "shares"]
    expect("shares", len(shares) >= 3 and any(note["asks_all"] for note in shares), shares)
    expect("both take part at last", all(one > 0 for one in shares[-1]["slowness"]), shares)
    expect("speeds", any(note["kind"] == "measured" for note in notes), "none")
    again = run(gridspan, "replay", "shares.record")
    expect("the same plans", "all launches are planned as they were" in again, again)
sys.exit(problems > 0)
