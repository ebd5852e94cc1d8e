#!/usr/bin/env python3
"""Compile time of gridcc against clang++ on the same files with the same headers.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    compile_time.py [--gridcc PATH] [--runs N] [--without STAGES] [--again] [--after FILE.cu] [FILE.cu ...]

clang's side is what its own CUDA compilation does before it emits PTX: the device pass to optimised LLVM
IR (threadIdx is an object in our headers, which clang has no PTX for), then the host pass to an object, both
with -O2 and without our plug-ins. gridcc's side is `gridcc -O2 -c`, PTX included. The two are measured in turn,
file by file, and the medians compared. Goal: a ratio of at most 1.6. With --without, the other side is gridcc
without these stages (`gridcc --stages`), to see what they cost. With --again, gridcc has compiled the same device
code before (docs/build-systems.md); with --after, it has compiled another file, and nothing else; else it compiles everything each time.
"""

import argparse
import math
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def planned_passes(gridcc, source):
    """The words gridcc gives clang for the device and the host pass, so that headers are the same."""
    text = subprocess.run([gridcc, "-###", "-O2", "-std=c++17", "-c", source], check=True, capture_output=True,
                          text=True).stderr
    lines = [shlex.split(line) for line in text.splitlines()]
    device = next(line for line in lines if "--cuda-device-only" in line)
    host = next(line for line in lines if "--cuda-host-only" in line)
    return device, host


def is_plugin(word):
    return word.startswith(("-fplugin=", "-fplugin-arg", "-fpass-plugin="))


def clang_commands(gridcc, source, folder):
    device, host = planned_passes(gridcc, source)
    words, skip = [], False
    for i, word in enumerate(device):
        following = device[i + 1] if i + 1 < len(device) else ""
        if skip:
            skip = False
        elif word == "-o" or (word == "-Xclang" and following == "-disable-llvm-passes"):
            skip = True
        elif not is_plugin(word):
            words.append(word)
    to_ir = words + ["-o", f"{folder}/device.bc"]
    plain = host[:host.index("-fcuda-include-gpubinary") - 1]  # no container to embed
    plain = [word for word in plain if not is_plugin(word)]
    to_object = plain + ["-c", "-o", f"{folder}/host.o", source]
    return [to_ir, to_object]


def seconds(commands, variables=None):
    environment = {**os.environ, "GRIDSPAN_DEVICE_CACHE": "off", **(variables or {})}
    begin = time.perf_counter()
    for command in commands:
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - begin


def compilation(gridcc, source, folder):
    return [[gridcc, "-O2", "-std=c++17", "-c", source, "-o", f"{folder}/ours.o"]]


def seconds_after(gridcc, source, other, folder):
    """The cache has the other file's code, as it has it the first time each time."""
    kept, used = pathlib.Path(folder) / "kept", pathlib.Path(folder) / "used"
    if not kept.exists():
        seconds(compilation(gridcc, other, folder), {"GRIDSPAN_DEVICE_CACHE": "on", "XDG_CACHE_HOME": str(kept)})
    shutil.rmtree(used, ignore_errors=True)
    shutil.copytree(kept, used)
    return seconds(compilation(gridcc, source, folder), {"GRIDSPAN_DEVICE_CACHE": "on", "XDG_CACHE_HOME": str(used)})


def measure(arguments, source, folder):
    gridcc, without = arguments.gridcc, arguments.without
    ours = compilation(gridcc, source, folder)
    theirs = [[*ours[0], f"--without={without}"]] if without else clang_commands(gridcc, source, folder)

    def time_ours():
        if arguments.after:
            return seconds_after(gridcc, source, arguments.after, folder)
        return seconds(ours, {"GRIDSPAN_DEVICE_CACHE": "on"} if arguments.again else None)
    time_ours(), seconds(theirs)  # the files are in memory from here on
    pairs = [(time_ours(), seconds(theirs)) for _ in range(arguments.runs)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gridcc", default=str(ROOT / "build" / "bin" / "gridcc"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--without", metavar="STAGES")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--after", metavar="FILE")
    parser.add_argument("files", nargs="*", help="default: our examples")
    arguments = parser.parse_args()
    if sum(map(bool, (arguments.again, arguments.without, arguments.after))) > 1:
        parser.error("--again, --after and --without do not go together")
    files = arguments.files or sorted(str(f) for f in (ROOT / "examples").glob("*.cu"))
    print(f"{'file':24}{'without ms' if arguments.without else 'clang++ ms':>12}{'gridcc ms':>12}{'ratio':>8}")
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for source in files:
            ours, theirs = measure(arguments, source, folder)
            ratios.append(ours / theirs)
            name = pathlib.Path(source).name
            print(f"{name:24}{theirs * 1e3:12.0f}{ours * 1e3:12.0f}{ratios[-1]:8.2f}", flush=True)
    mean = math.exp(statistics.fmean(math.log(r) for r in ratios))
    print(f"{'geometric mean':24}{'':24}{mean:8.2f}" + ("" if arguments.without else "   goal: at most " + ("1.3" if arguments.again or arguments.after else "1.6")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
