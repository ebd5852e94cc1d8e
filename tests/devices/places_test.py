#!/usr/bin/env python3
# One of several GPUs runs a program alone, or all do, by time; a replay of the recording repeats that.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   places_test.py BUILD
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from gpu_tests import digest_of, programs_of

build = pathlib.Path(sys.argv[1]).resolve()
programs = programs_of(build)
gridspan = build / "bin/gridspan"
problems = 0


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


with tempfile.TemporaryDirectory() as folder:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("GRIDSPAN_", "FAKE_"))}
    environment["LD_LIBRARY_PATH"] = f"{build}/lib:{build}/tests/devices/fake_cuda/lib"
    environment.update(XDG_CACHE_HOME=folder, GRIDSPAN_LOG="warn", GRIDSPAN_MEASURE="off", FAKE_CUDA_GPUS="2")

    def run(*command, **more):
        done = subprocess.run(["timeout", "-k", "2", "100", *map(str, command)], cwd=folder, env={**environment, **more},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        expect(command, done.returncode == 0, f"exit {done.returncode}\n{done.stdout}")
        return done.stdout

    def record(name, policy, devices="cuda"):
        """The program's output, and the places that its recording tells of."""
        output = run(programs[name], GRIDSPAN_DEVICES=devices, GRIDSPAN_POLICY=policy, GRIDSPAN_RECORD="here.record")
        return output, places_of("here.record")

    def places_of(file):
        notes = json.loads(run(gridspan, "replay", "--json", file))
        return [(note["command"], note["on_all"]) for note in notes if note["kind"] == "place"]

    # At random, places change more often than times would have it.
    for name in ("devices.repeated", "devices.alternating_splits", "devices.reductions", "devices.globals", "devices.reuse"):
        digest = digest_of(run(programs[name], GRIDSPAN_DEVICES="cuda:0"))
        for seed in (1, 2):
            what = f"{name} {seed}"
            output, places = record(name, f"random:{seed}")
            expect(f"{what}: results", digest_of(output) == digest, output)
            expect(f"{what}: places", len(places) >= 2 and [on_all for _, on_all in places] == [i % 2 == 1 for i in range(len(places))],
                   places)
            again = run(gridspan, "replay", "-o", "again.record", "here.record")
            expect(f"{what}: plans", "all launches are planned as they were" in again, again)
            alone = [line.split()[-2:] for line in again.splitlines() if "launches on one alone" in line]
            expect(f"{what}: alone", len(alone) == 1 and alone[0][0] == alone[0][1] != "0", again)
            expect(f"{what}: places again", places_of("again.record") == places, (places_of("again.record"), places))

    # Others plan all of it, as does a recording whose launches were always divided.
    here = run(gridspan, "replay", "--devices", "cpu:2x1", "here.record")
    expect("on CPUs", "launches on one alone" in here and "replayed" in here, here)
    fixed, places = record("devices.repeated", "fixed")
    again = run(gridspan, "replay", "here.record")
    expect("fixed", places == [] and "all launches are planned as they were" in again and "alone" not in again, (places, again))
    # One GPU plans nothing.
    _, places = record("devices.repeated", "usual", "cuda:0")
    one = run(gridspan, "replay", "--devices", "cuda", "here.record")
    expect("one GPU", places == [] and "recorded on 1 device, planned on 2" in one, (places, one))
sys.exit(problems > 0)
