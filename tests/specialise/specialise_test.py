#!/usr/bin/env python3
"""Kernels specialised at run time: same bits, and what is made, found and replaced.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    specialise_test.py GRIDCC SOURCE FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys


def check(condition, *about):
    if not condition:
        sys.exit("\n".join(["failed:", *map(str, about)]))


class Program:
    def __init__(self, path, cache):
        self.path, self.cache = path, cache

    def start(self, mode, **variables):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
        return subprocess.Popen(
            [self.path], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**clean, "GRIDSPAN_SPECIALISE": mode, "GRIDSPAN_LOG": "info",
                 "XDG_CACHE_HOME": str(self.cache), **variables})

    def finish(self, process):
        """What it printed; launches, made, loaded; its log."""
        out, log = process.communicate(timeout=120)
        check(process.returncode == 0, out, log)
        found = re.search(r"specialise: (\d+) launches ran.*; (\d+) made, (\d+) loaded", log)
        return out, [int(n) for n in found.groups()] if found else [0, 0, 0], log

    def run(self, mode, **variables):
        return self.finish(self.start(mode, **variables))


def main():
    gridcc, source, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    cache = folder / "cache"
    subprocess.run([gridcc, "-O2", "-std=c++17", source, "-o", folder / "forms"], check=True)
    program = Program(folder / "forms", cache)

    want, counts, _ = program.run("off")
    check(counts == [0, 0, 0] and not cache.exists(), counts)

    out, counts, log = program.run("now")
    check(out == want, want, out)
    # blur, sums, mathematics; blur again for what both its launches have in common.
    check(counts == [10, 5, 4], counts, log)
    check(re.search("pointers.*not specialised: .*function's address", log), log)
    entries = sorted(cache.rglob("*.so"))
    check(len(entries) == 5, entries)

    out, counts, log = program.run("now")
    check(out == want and counts == [10, 0, 4], counts, log)
    out, counts, log = program.run("cached")  # forms and kernels take turns
    check(out == want and 0 < counts[0] < 10 and counts[1:] == [0, 4], counts, log)
    out, counts, _ = program.run("now", GRIDSPAN_DEVICES="cpu:3", GRIDSPAN_THREADS="3")
    check(out == want and counts[0] >= 10, counts)
    out, counts, _ = program.run("now", GRIDSPAN_VERIFY="1")
    check(out == want and counts == [0, 0, 0], counts)
    out, counts, _ = program.run("now", GRIDSPAN_CPU="interpret")
    check(out == want and counts == [0, 0, 0], counts)

    # Broken entries do not count, and are replaced.
    for i, entry in enumerate(entries):
        whole = entry.read_bytes()
        entry.write_bytes(whole[: len(whole) // 2] if i % 2 else whole[:200] + b"x" + whole[201:])
    out, counts, log = program.run("cached")
    check(out == want and counts[0] == 0 and "damaged" in log, counts, log)
    out, counts, log = program.run("now")
    check(out == want and counts == [10, 5, 4], counts, log)
    out, counts, _ = program.run("now")
    check(out == want and counts == [10, 0, 4], counts)

    # Several processes at once.
    shutil.rmtree(cache)
    processes = [program.start("now") for _ in range(3)]
    for process in processes:
        out, counts, log = program.finish(process)
        check(out == want and counts[0] == 10, counts, log)
    check(not list(cache.rglob(".new-*")), list(cache.rglob("*")))
    check(len(list(cache.rglob("*.so"))) == 5)


main()
