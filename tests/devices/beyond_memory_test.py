#!/usr/bin/env python3
# Programs with more data than the GPU: what GRIDSPAN_OVERSUBSCRIBE says, with the fake driver.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   beyond_memory_test.py BUILD
import pathlib
import re
import sys

from gpu_tests import programs_of, run_once

build = pathlib.Path(sys.argv[1]).resolve()
programs = programs_of(build)
problems = 0
SMALL = {"FAKE_CUDA_MEMORY": "16"}
LINE = re.compile(r"memory: (\d+) of (\d+) MB that the program allocates lie in the host's memory")


def run(setting, *words, name="devices.beyond_memory", **variables):
    return run_once(build, "fake", programs[name], setting, "info", words, **{**SMALL, **variables})


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


# Of 40 MB, some 14 each of three arrays, one GPU of 16 MB has a part.
for setting, more in [
    ("cuda:0", {}),
    ("cuda:0", {"GRIDSPAN_POLICY": "always"}),
    ("cuda", {"GRIDSPAN_POLICY": "usual"}),
    ("cuda", {"GRIDSPAN_POLICY": "fixed"}),
    ("cuda", {"GRIDSPAN_POLICY": "random:3", "FAKE_CUDA_PEERS": "direct"}),
    ("cuda:0x2+cpu", {"GRIDSPAN_POLICY": "always"}),
    ("cuda:0", {"GRIDSPAN_OVERSUBSCRIBE": "spill:5M"}),
    ("cuda:0", {"GRIDSPAN_OVERSUBSCRIBE": "spill:1M", "FAKE_CUDA_MEMORY": "4096"}),  # not even variables have room
]:
    status, output, log = run(setting, "40", **more)
    spilled = [int(mb) for mb, _ in LINE.findall(output + log)]
    expect(f"{setting} {more}", status == 0 and "passed" in output and sum(spilled) >= 20, f"exit {status}\n{output}{log}")

status, output, log = run("cuda:0", "12")
expect("what fits stays on the GPU", status == 0 and not LINE.search(output + log), output + log)
status, output, log = run("cuda:0", "40")
expect("one warning, and for other allocations none", len(re.findall(r"warning: memory:", output + log)) == 1, output + log)

fails = ("40", "expect", "cudaErrorMemoryAllocation")
for what, more in [
    ("strict", {"GRIDSPAN_OVERSUBSCRIBE": "strict"}),
    ("strict with less than there is", {"GRIDSPAN_OVERSUBSCRIBE": "strict:20M", "FAKE_CUDA_MEMORY": "4096"}),
    ("a driver of before", {"FAKE_CUDA_HOST_RANGES": "0"}),
]:
    status, output, log = run("cuda:0", *fails, **more)
    expect(what, status == 0, f"exit {status}\n{output}{log}")
status, output, log = run("cuda:0", str(1 << 40), *fails[1:])
expect("more than the host has", status == 0, f"exit {status}\n{output}{log}")
status, output, log = run("cuda:0", "40", GRIDSPAN_OVERSUBSCRIBE="spill:")
expect("the grammar", status != 0 and "GRIDSPAN_OVERSUBSCRIBE='spill:': expected spill | strict" in output + log, output + log)

# Of what is there already nothing is lost when a call fails; the error is the allocation's.
refused = re.compile(r"out of memory|cannot run on|no room|cu[A-Z]\w+ failed|is below 7.0")
for call in ["cuMemCreate", "cuMemMap", "cuMemSetAccess", "cuMemAddressReserve", "cuMemGetInfo", "cuMemUnmap",
             "cuDeviceGetAttribute", "cuMemGetAllocationGranularity"]:
    made = 0
    for after in range(24):
        status, output, log = run("cuda:0", "40", FAKE_CUDA_FAIL=f"{call}:{after}:2:1")
        was_made = "fails" in output + log
        made += was_made
        expect(f"{call} fails after {after}", status == 0 or (0 < status < 124 and refused.search(output + log)),
               f"exit {status}\n{output}{log}")
        if not was_made:
            break
    expect(f"{call} is called", made > 0, made)
sys.exit(problems != 0)
