#!/usr/bin/env python3
# Copies between the two GPUs of the fake driver: as peers, as none, and as peers that are none.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   peers_test.py BUILD
import pathlib
import sys

from gpu_tests import digest_of, programs_of, run_once

PROGRAMS = ["devices.traffic_stencil", "devices.large_copies", "devices.pitched_copies", "devices.reductions",
            "devices.globals", "devices.scatter"]
REACHES = "GPU 1 reaches memory of GPU 0\n"
TOLD = {
    "none": "GPU 1 does not reach memory of GPU 0: they are no peers",
    "direct": REACHES,
    "garbled": "GPU 1 reaches memory of GPU 0, the driver says, but does not: other bytes arrive than were sent; "
               "copies go through the host",
    "failing": "GPU 1 reaches memory of GPU 0, the driver says, but does not: a copy failed: FAKE_ERROR_719 (719): "
               "from the fake driver; copies go through the host",
}
build = pathlib.Path(sys.argv[1]).resolve()
programs = programs_of(build)
problems = 0


def expect(what, condition, output):
    global problems
    if not condition:
        problems += 1
        print(f"{what}:\n{output}")


def run(name, kind, **more):
    return run_once(build, "fake", programs[name], "cuda", level="info", FAKE_CUDA_PEERS=kind, **more)


for name in PROGRAMS:
    reference = digest_of(run_once(build, "fake", programs[name], "cpu")[1])
    for kind, line in TOLD.items():
        status, output, log = run(name, kind)
        expect(f"{name}, {kind}", status == 0 and digest_of(output) == reference, f"exit {status}\n{output}{log}")
        expect(f"{name}, {kind}: told once", log.count(line) == 1, log)
        expect(f"{name}, {kind}: nothing else", kind == "direct" or REACHES not in log, log)

# Without page-locked memory nothing goes through the host.
for kind, passes in [("direct", True), ("none", False), ("garbled", False)]:
    status, output, log = run("devices.traffic_stencil", kind, FAKE_CUDA_FAIL="cuMemHostAlloc:0")
    is_told = "device_to_device_bytes 50568" in log if passes else "cuMemHostAlloc failed" in log
    expect(f"{kind}, no staging", (status == 0) == passes and is_told, f"exit {status}\n{output}{log}")
sys.exit(problems > 0)
