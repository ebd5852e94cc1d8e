#!/usr/bin/env python3
# Devices behind wrappers wait for each other and make graphs as those without: calls of the fake driver are counted.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   waits_test.py BUILD
import pathlib
import re
import sys

from gpu_tests import digest_of, programs_of, run_once

# Settings that put a wrapper around each device and never come into effect.
WRAPPERS = {"GRIDSPAN_COPY_MEMORY": "2G", "GRIDSPAN_FAULT": "1:part:1000000"}
build = pathlib.Path(sys.argv[1]).resolve()
programs = programs_of(build)
problems = 0


def calls(name, setting, **more):
    """Digest or None, and how often each function of the driver was called."""
    status, output, log = run_once(build, "fake", programs[name], setting, FAKE_CUDA_COUNTS="1", **more)
    if status != 0:
        sys.exit(f"{name}: exit {status}\n{output}{log}")
    return digest_of(output), {call: int(n) for n, call in re.findall(r"^fake_cuda: (\d+) calls of (\w+)$", output, re.M)}


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


def waits_on_gpu(seen):
    """How often is a matter of time: events that are done already are not waited for. But where devices do not know each
    other, the host waits as often as streams do."""
    streams, host = seen.get("cuStreamWaitEvent", 0), seen.get("cuEventSynchronize", 0)
    return streams >= 20 and 4 * host <= streams


# A device that waits for another one has its stream wait, not the host.
digest, plain = calls("devices.traffic_stencil", "cuda")
expect("streams wait", waits_on_gpu(plain), plain)
for variable, value in WRAPPERS.items():
    its_digest, seen = calls("devices.traffic_stencil", "cuda", **{variable: value})
    expect(f"{variable}: results", its_digest == digest, its_digest)
    expect(f"{variable}: streams wait", waits_on_gpu(seen), seen)

# Graphs that are launched again are the driver's; but where each launch may fail.
launched = calls("graph_repeated", "cuda:0")[1].get("cuGraphLaunch", 0)
expect("graphs are launched", launched > 0, launched)
# One of several GPUs that runs a program alone does it as the only one would, and the others load no code for that.
launched_on_home = calls("graph_repeated", "cuda", GRIDSPAN_POLICY="usual")[1].get("cuGraphLaunch", 0)
expect("one of two GPUs: graphs are launched", launched_on_home > 0, launched_on_home)
expect("divided: no graphs", "cuGraphLaunch" not in calls("graph_repeated", "cuda")[1], "cuGraphLaunch")
for _ in range(5):  # where the machine is slow, all may take over, or get ready to
    status, output, log = run_once(build, "fake", programs["devices.globals"], "cuda", "info", GRIDSPAN_POLICY="usual",
                                   FAKE_CUDA_COUNTS="1")
    stayed = "changes_of_place 0" in log
    loads = re.search(r"^fake_cuda: (\d+) calls of cuModuleLoadDataEx$", output, re.M)
    if stayed and loads and loads.group(1) == "1":
        break
expect("one of two GPUs: modules", status == 0 and stayed and loads and loads.group(1) == "1", output + log)
seen = calls("graph_repeated", "cuda:0", GRIDSPAN_COPY_MEMORY="2G")[1].get("cuGraphLaunch", 0)
expect("GRIDSPAN_COPY_MEMORY: graphs launched", seen == launched, (seen, launched))
seen = calls("graph_repeated", "cuda:0", GRIDSPAN_FAULT="0:part:1000000")[1].get("cuGraphLaunch", 0)
expect("GRIDSPAN_FAULT: no graphs", seen == 0, seen)
sys.exit(problems > 0)
