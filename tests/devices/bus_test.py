#!/usr/bin/env python3
# Kernels whose data does not fit a GPU of the fake driver: the log names those that are as slow as their copies, once each.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bus_test.py BUILD
import collections
import pathlib
import re
import sys

from gpu_tests import digest_of, programs_of, run_once

LINE = re.compile(r"info: '([^']+)' is bound by the bus: ([\d.]+) ([KMG]B) a step: ([\d.e+-]+) ms of copies, "
                  r"about ([\d.e+-]+) ms of work$", re.MULTILINE)
UNITS = {"KB": 1e3, "MB": 1e6, "GB": 1e9}
BUS = 25e9  # bytes per second, where nothing was measured
build = pathlib.Path(sys.argv[1]).resolve()
program = programs_of(build)["devices.evictions"]
problems = 0


def expect(what, condition, seen):
    global problems
    if not condition:
        problems += 1
        print(f"{what}: {seen}")


def run(setting, **more):
    """Digest, lines about the bus, log."""
    status, output, log = run_once(build, "fake", program, setting, level="info", **more)
    expect(f"{setting} {more}", status == 0, f"exit {status}\n{output}{log}")
    return digest_of(output), LINE.findall(log), log


here, lines, _ = run("cpu")
expect("one device", lines == [], lines)
fits, lines, log = run("cpu+cuda:0")
expect("all fits", lines == [], log)
little, lines, log = run("cpu+cuda:0", GRIDSPAN_COPY_MEMORY="6M")
expect("the same results", here == fits == little, (here, fits, little))
names = collections.Counter(name for name, *_ in lines)
expect("kernels that are launched three times", "smooth(float const*, float*, int, int)" in names, log)
expect("once each", set(names.values()) == {1}, names)
expect("none that is launched once", not any(name.startswith(("look_up", "count_places")) for name in names), names)
moved = int(re.search(r"traffic: device_to_device_bytes (\d+)", log).group(1))
for name, number, unit, copies, work in lines:
    size = float(number) * UNITS[unit]
    expect(f"{name}: bytes of a step", 0 < size < moved / 2, (size, moved))
    expect(f"{name}: time of the bus", abs(float(copies) * 1e-3 * BUS / size - 1) < 0.05, (copies, size))
    expect(f"{name}: more than the work", float(copies) > float(work), (copies, work))
sys.exit(problems > 0)
