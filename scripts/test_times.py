#!/usr/bin/env python3
# What tests cost, by group.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_times.py BUILD                        seconds elapsed when each test ran last, beside others
       test_times.py BUILD --run REGEX [EVERY]      runs tests now, one after the other: CPU seconds; of EVERY so many one"""
import collections
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

MODES = r"regions|interpret|verify|devices|sets|specialised"
GROUPS = [
    (r"(\w+)\.build$", r"\1.build"),
    (rf"run\..*\.({MODES})$", r"run.*.\1"),
    (r"record\.same\.run\..*", "record.same.run.*"),
    (r"(cuda\.(?:run|devices|failures)|lit\.driver|fuzz\.affine|fuzz\.programs)\..*", r"\1.*"),
    (r"model\..*\.(\w+)$", r"model.*.\1"),
    (r"(sdk|misuse|check|fuzz|devices|examples|headers|build_systems|names|docs|record|cuda|lit|run)\..*", r"\1.*"),
]


def group_of(name):
    for pattern, group in GROUPS:
        if match := re.fullmatch(pattern, name):
            return match.expand(group)
    return "unit tests and others"


def last_run(build):
    """(name, elapsed seconds) as ctest remembers them."""
    for line in (build / "Testing/Temporary/CTestCostData.txt").read_text().splitlines():
        if line == "---":
            break
        name, _, seconds = line.rsplit(" ", 2)
        yield name, float(seconds)


def run_now(build, wanted, every):
    """(name, CPU seconds) of tests without what sets them up."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", "-FS", ".*", "-R", wanted],
                            capture_output=True, text=True, check=True)
    for test in json.loads(listed.stdout)["tests"][::every]:
        given = {one["name"]: one["value"] for one in test["properties"]}
        environment = {**os.environ, **dict(one.split("=", 1) for one in given.get("ENVIRONMENT", []))}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(test["command"], cwd=given["WORKING_DIRECTORY"], env=environment, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{seconds:8.2f}  {test['name']}{'' if done.returncode == 0 else ': exit status %d' % done.returncode}", flush=True)
        yield test["name"], seconds


def main():
    build, *options = sys.argv[1:] or sys.exit(__doc__)
    if options and options[0] != "--run":
        sys.exit(__doc__)
    every = int(options[2]) if len(options) > 2 else 1
    times = list(run_now(build, options[1], every) if options else last_run(pathlib.Path(build)))
    groups = collections.defaultdict(list)
    for name, seconds in times:
        groups[group_of(name)].append(seconds)
    print(f"{'CPU' if options else 'elapsed'} s   tests   longest   group")
    for group, seconds in sorted(groups.items(), key=lambda one: -sum(one[1])):
        print(f"{sum(seconds) * every:8.0f} {len(seconds):7} {max(seconds):9.1f}   {group}")
    print(f"{sum(seconds for _, seconds in times) * every:8.0f} {len(times):7}             all")


if __name__ == "__main__":
    main()
