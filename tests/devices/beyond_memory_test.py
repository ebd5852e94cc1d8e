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

# What blocks touch again and again comes in rounds, if there is room for a block's; what they touch once does not.
IN_ROUNDS = re.compile(r"launches_in_rounds_beyond (\d+)")
READ = re.compile(r"cause_read_bytes (\d+)")


def count(pattern, log):
    return sum(map(int, pattern.findall(log)))


LARGE = {"FAKE_CUDA_MEMORY": "4096", "GRIDSPAN_OVERSUBSCRIBE": "spill:16M"}
for what, words, more, comes_in_rounds, reads in [
    ("much reuse", ("223", "110"), {"FAKE_CUDA_MEMORY": "128"}, True, True),
    ("an experiment", ("223", "16"), LARGE, True, True),
    ("little room", ("223", "16"), {**LARGE, "GRIDSPAN_COPY_MEMORY": "9M"}, True, True),
    ("no room for a block", ("223", "16"), {**LARGE, "GRIDSPAN_COPY_MEMORY": "1M"}, True, False),
    ("no room at all", ("223", "16"), {}, False, False),
    ("little work", ("31", "16"), LARGE, False, False),
    ("all in memory", ("223", "16"), {"FAKE_CUDA_MEMORY": "4096"}, False, False),
    ("the same plans each time", ("223", "16"), {**LARGE, "GRIDSPAN_POLICY": "fixed"}, False, False),
]:
    status, output, log = run("cuda:0", *words, name="devices.beyond_rounds", **{"GRIDSPAN_POLICY": "usual", **more})
    seen = (count(IN_ROUNDS, output + log) > 0, count(READ, output + log) > 0)
    expect(what, status == 0 and "passed" in output and seen == (comes_in_rounds, reads), f"exit {status}, {seen}\n{output}{log}")

# Without a companion the launches go over the bus.
refused_companions = 0
for after in range(1, 9):
    status, output, log = run("cuda:0", "223", "16", name="devices.beyond_rounds", GRIDSPAN_POLICY="usual",
                              FAKE_CUDA_FAIL=f"cuStreamCreate:{after}:2:1")
    is_refused = "launches do not run in rounds: " in output + log
    refused_companions += is_refused
    expect(f"cuStreamCreate fails after {after}", status == 0 or (0 < status < 124 and "cuStreamCreate" in output + log),
           f"exit {status}\n{output}{log}")
    expect("no rounds", not is_refused or (status == 0 and count(IN_ROUNDS, output + log) == 0), output + log)
expect("a companion cannot be made", refused_companions > 0, refused_companions)

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
