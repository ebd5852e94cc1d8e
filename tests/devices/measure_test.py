#!/usr/bin/env python3
# What is measured of devices, with the fake driver: once, where there is a GPU, and told.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   measure_test.py BUILD
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from gpu_tests import digest_of, programs_of, run_once

build = pathlib.Path(sys.argv[1]).resolve()
program = programs_of(build)["devices.traffic_stencil"]
problems = 0


def expect(what, condition, output):
    global problems
    if not condition:
        problems += 1
        print(f"{what}:\n{output}")


def run(cache, setting, mode, **more):
    return run_once(build, "fake", program, setting, level="info", XDG_CACHE_HOME=cache, GRIDSPAN_MEASURE=mode, **more)


def files(cache):
    """What is remembered: (inode, text) of each file."""
    return [(path.stat().st_ino, path.read_text()) for path in pathlib.Path(cache, "gridspan").rglob("*") if path.is_file()]


def devices(cache, setting, mode):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    environment.update(LD_LIBRARY_PATH=str(build / "tests/devices/fake_cuda/lib"), XDG_CACHE_HOME=cache,
                       FAKE_CUDA_GPUS="2", GRIDSPAN_THREADS="2", GRIDSPAN_MEASURE=mode)
    command = [build / "bin/gridspan", "devices", "--devices", setting]
    text = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    page = subprocess.run([*command, "--json"], env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    return text, json.loads(page).get("measured")


reference = digest_of(run_once(build, "fake", program, "cpu")[1])
with tempfile.TemporaryDirectory() as cache:
    # CPUs alone, and one device, cost nothing.
    for setting, mode in [("cpu:3", "once"), ("cuda:0", "again"), ("cuda:0x2+cpu", "off")]:
        status, output, log = run(cache, setting, mode)
        expect(f"{setting}, {mode}", status == 0 and "GB/s" not in log and not files(cache), log)

    status, output, log = run(cache, "cuda:0x2+cpu", "once")
    expect("measured", status == 0 and digest_of(output) == reference and log.count(" us, ") == 6, output + log)
    first = files(cache)
    expect("remembered", len(first) == 1, first)
    # Both shares are one place; from there to itself, to the CPU, and back.
    expect("places", [first[0][1].count(f"\n{word} ") for word in ("place", "memory", "link")] == [2, 2, 3], first)
    for setting in ("cuda:0x2+cpu", "cpu+cuda:0"):
        status, output, log = run(cache, setting, "once")
        expect("known again", digest_of(output) == reference and "GB/s" in log and files(cache) == first, output + log)
    status, output, log = run(cache, "cuda:0x2+cpu", "again")
    second = files(cache)
    expect("anew", status == 0 and len(second) == 1 and second[0][0] != first[0][0], second)

    text, found = devices(cache, "cuda:0x2+cpu", "once")
    expect("table", "Measured, in GB/s" in text and len(found["links"]) == 6, text)
    expect("shares", found["memory_bytes_per_second"][0] == found["memory_bytes_per_second"][1], found)
    text, found = devices(cache, "cuda:0x2+cpu", "off")
    expect("no table", "Measured" not in text and found is None, text)

    # Another machine has a file of its own; a damaged one is measured anew.
    run(cache, "cuda:1x2+cpu", "once")
    expect("another GPU", len(files(cache)) == 2, files(cache))
    for path in pathlib.Path(cache, "gridspan/measured").iterdir():
        path.write_text("gridspan measurements 1\n")
    run(cache, "cuda:0x2+cpu", "once")
    expect("damaged", sorted(text.count("link") for _, text in files(cache)) == [0, 3], files(cache))

    # Beside a large GPU a CPU has nothing to do, wherever the data was first.
    for setting in ("cuda:0+cpu", "cpu+cuda:0"):
        run(cache, setting, "once")
        for path in pathlib.Path(cache, "gridspan/measured").iterdir():
            kinds = ["4e12" if "GPU" in place else "1e11" for place in re.findall("^place .*$", path.read_text(), re.M)]
            slower = re.sub("^(link . .) .*$", r"\1 1e-5 5e10", path.read_text(), flags=re.M)
            path.write_text(re.sub("^memory (.) .*$", lambda m: f"memory {m[1]} {kinds[int(m[1])]}", slower, flags=re.M))
        status, output, log = run(cache, setting, "once", GRIDSPAN_LOG="debug")
        expect(f"{setting}: alone", digest_of(output) == reference and "exact: others are much slower" in output
               and "runs in 2 parts" not in output, output)

    # Nowhere to remember.
    pathlib.Path(cache, "gridspan/measured").chmod(0o700)
    status, output, log = run("/dev/null", "cuda:0x2", "once")
    expect("no home", status == 0 and "measured, but not remembered" in log, log)

    status, output, log = run(cache, "cuda:0x2+cpu", "again", FAKE_CUDA_FAIL="cuMemcpyAsync:3")
    expect("a copy fails", "the devices cannot be measured: error: cuMemcpyAsync failed" in log, log)
sys.exit(problems > 0)
