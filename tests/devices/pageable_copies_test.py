#!/usr/bin/env python3
# Copies of pageable memory go through pieces that several threads fill: calls of the fake driver are counted, and fail.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   pageable_copies_test.py BUILD
import os
import pathlib
import re
import sys

from gpu_tests import programs_of, run_once

build = pathlib.Path(sys.argv[1]).resolve()
program = programs_of(build)["devices.pageable_copies"]
problems = 0


def run(setting, **variables):
    status, output, log = run_once(build, "fake", program, setting, FAKE_CUDA_COUNTS="1", **variables)
    calls = {call: int(n) for n, call in re.findall(r"^fake_cuda: (\d+) calls of (\w+)$", output, re.M)}
    return status, output + log, calls


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


for setting, policy in [("cuda:0", "fixed"), ("cuda:0", "always"), ("cuda", "usual"), ("cuda:0x3", "fixed"), ("cpu+cuda:0", "fixed"),
                        ("cpu+cuda:0", "usual")]:
    status, output, calls = run(setting, GRIDSPAN_POLICY=policy)
    expect(f"{setting} {policy}", status == 0 and "passed" in output, f"exit {status}\n{output}")
    if setting == "cuda:0" and policy == "fixed" and len(os.sched_getaffinity(0)) > 1:
        # Two copies of 50 MB, four of 25, twelve of 17: by the driver one call each. Boxes take more.
        expect("pieces", calls.get("cuMemcpyAsync", 0) > 250, calls)
        expect("rows in pieces", calls.get("cuMemcpy2DAsync_v2", 0) > 50, calls)

# A call that fails is an error of the copy, or the driver makes it; nothing hangs.
for call in ["cuMemHostRegister", "cuMemHostAlloc", "cuEventCreate", "cuEventRecord", "cuEventSynchronize", "cuMemcpyAsync",
             "cuMemcpy2DAsync", "cuStreamSynchronize", "cuCtxSetCurrent", "cuPointerGetAttribute"]:
    for after in (0, 3, 40):
        status, output, _ = run("cuda:0", FAKE_CUDA_FAIL=f"{call}:{after}")
        told = re.search(r"cu[A-Z]\w+ failed|out of memory|cannot run on|not supported|passed", output) is not None
        expect(f"{call} fails after {after}", 0 <= status < 124 and told, f"exit {status}\n{output}")
sys.exit(problems != 0)
