#!/usr/bin/env python3
# Errors of the driver become CUDA's own: of a kernel for good, of a launch that is refused once.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   driver_errors_test.py BUILD
import pathlib
import re
import sys

from gpu_tests import programs_of, run_once

# The driver's numbers are CUDA's; 719 is what all others become.
KERNEL_ERRORS = {214: 214, 700: 700, 702: 702, 710: 710, 714: 714, 715: 715, 716: 716, 717: 717, 718: 718, 719: 719,
                 999: 719}
REFUSALS = [1, 2, 701, 720]
build = pathlib.Path(sys.argv[1]).resolve()
program = programs_of(build)["devices.launch_errors"]
problems = 0


def expect(what, condition, output):
    global problems
    if not condition:
        problems += 1
        print(f"{what}:\n{output}")


def run(setting, failure):
    """Exit status, [(launch, error at once, error at the end)], everything said."""
    status, output, log = run_once(build, "fake", program, setting, FAKE_CUDA_FAIL=failure)
    launches = [tuple(map(int, found)) for found in re.findall(r"^launch (\d): (\d+) (\d+)$", output, re.MULTILINE)]
    return status, launches, output + log


for error, told in KERNEL_ERRORS.items():
    for setting in ["cuda:0", "cuda:0x2"]:
        status, launches, text = run(setting, f"cuLaunchKernel:0:{error}:1")
        stays = [(0, 0, told)] + [(i, told, told) for i in range(1, 4)]
        expect(f"{error} on {setting}", "no results" in text, text)
        # It may be known when the launch returns, or only when it is waited for.
        expect(f"{error} on {setting} stays", launches in (stays, [(0, told, told)] + stays[1:]), text)
for error in REFUSALS:
    for setting in ["cuda:0", "cuda:0x2"]:
        status, launches, text = run(setting, f"cuLaunchKernel:1:{error}:1")
        expect(f"{error} on {setting}", f"cuLaunchKernel failed: FAKE_ERROR_{error} ({error})" in text, text)
        passes = len(launches) == 1 and sorted(launches[0][1:]) == [0, error]
        expect(f"{error} on {setting} passes", passes and "no results" not in text, text)
        # Where parts of a launch ran, what it was to write is not defined.
        expect(f"{error} on {setting}: others ran", setting != "cuda:0" or status == 0, text)
sys.exit(problems > 0)
