#!/usr/bin/env python3
"""Which launches of fused_kernels.cu are made one kernel, why others are not, and what the cache does for that.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    kernel_counts.py FUSED_KERNELS DEVICES          on CPUs (GRIDSPAN_DEVICES)
    kernel_counts.py FUSED_KERNELS DEVICES BUILD    on GPUs of the fake driver (tests/devices/fake_cuda) of a built tree

The program holds its stream until all launches of a case are queued, so the counts are always the same.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PLACES = r" \(\S*:\d+, \S*:\d+\)$"
SHARED = ("'add' reads bytes of 'x' .* that block .* of 'scale' writes", "arrays by other names may overlap" + PLACES)
# Case: kernels that were made of several, launches in them, reasons that must be given (regular expressions).
WANT = {
    "pointwise": (8, 24, ()),
    "dead": (8, 64, ()),
    "not_dead": (2, 8, ()),
    "aliases": (4, 8, ()),
    "overlaps": (2, 4, SHARED),
    "not_covered": (1, 4, ()),
    "neighbours": (0, 0, (r"'smooth' reads bytes of 'y' \(\S*:\d+\) that block \(7, 0, 0\) of 'scale' writes \(\S*:\d+\)",
                          r"threads of turned may need what other threads of scale do \(\S*:\d+, \S*:\d+\)")),
    "shapes": (3, 6, ("'scale' and 'scale' have different grids or blocks" + PLACES, "several threads of a block of scale")),
    "arguments": (1, 2, ("arrays by other names may overlap" + PLACES,)),
    "types": (3, 7, ()),
    "roundings": (1, 3, ()),
    "again": (500, 1000, ()),
    "beside": (1, 2, ("'scale' and 'scale' have different grids or blocks" + PLACES,)),
    "equal_by_chance": (6, 12, ()),
    "constants": (1, 2, ()),
    "movers": (5, 10, ()),
}
# A second module would have variables of its own.
WANT_ON_GPUS = WANT | {
    "arguments": (0, 0, ("arrays by other names may overlap" + PLACES, r"kernel 'with_variables\(.*' uses variables of its module \(\S*:\d+\)")),
}
# With several devices: launches that are divided among them. One kernel of the program's counts as one.
DIVIDED = {"pointwise": 4, "dead": 4, "aliases": 4, "types": 3, "again": 500, "equal_by_chance": 6, "movers": 5}
ON_GPU = {}  # variables
DEVICES = {}  # the variable
WORTH_LOADING = "3000017"  # elements of `again` with which kernels save enough for a GPU to load their code


def on_fake_gpu(build):
    return {"LD_LIBRARY_PATH": f"{build}/tests/devices/fake_cuda/lib", "FAKE_CUDA_GPUS": "2", "GRIDSPAN_MEASURE": "off",
            "GRIDSPAN_POLICY": "fixed"}


def run(program, case, cache, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    variables = {"XDG_CACHE_HOME": str(cache), "GRIDSPAN_LOG": "info", **ON_GPU, **DEVICES, **variables}
    return subprocess.run([program, *case.split()], env={**environment, **variables},
                          text=True, capture_output=True, timeout=100, check=False)


def counts(log):
    found = dict(re.findall(r"fuse: (\w+) (\d+)$", log, re.MULTILINE))
    return int(found.get("fused_kernels", -1)), int(found.get("fused_launches", -1))


def run_by_default(program, case, cache, is_wanted=False, **variables):
    """Without `now` a GPU's launches are held for microseconds: those of a program that a busy machine stopped meanwhile are no window,
    and times taken then may leave none for the kernel that `is_wanted`."""
    for _ in range(5):
        result = run(program, case, cache, **variables)
        is_stopped = is_wanted or "windows ended by the end of the queue" in result.stderr
        if result.returncode != 0 or counts(result.stderr)[0] > 0 or not is_stopped:
            break
    return result


def divided(log):
    """None: there is one device."""
    found = re.findall(r"traffic: launches_(?:exact|may_write) (\d+)$", log, re.MULTILINE)
    return sum(map(int, found)) if found else None


def check_cases(program, cache, fuse):
    """Counts do not depend on who made the kernels: gridcc with the program, or now."""
    wrong = []
    for case, (*want, reasons) in (WANT_ON_GPUS if ON_GPU else WANT).items():
        result = run(program, case, cache, GRIDSPAN_FUSE=fuse)
        if result.returncode != 0 or counts(result.stderr) != tuple(want):
            wrong.append(f"{fuse}: {case}: exit {result.returncode}, {counts(result.stderr)}, expected {want}\n{result.stderr}")
        if divided(result.stderr) not in (None, DIVIDED.get(case, divided(result.stderr))):
            wrong.append(f"{fuse}: {case}: {divided(result.stderr)} launches were divided, expected {DIVIDED[case]}")
        wrong += [f"{fuse}: {case}: no reason {reason} in\n{result.stderr}" for reason in reasons if not re.search(reason, result.stderr, re.MULTILINE)]
    return wrong


def check_cache(program, cache):
    """What is there is used; what is damaged is made again; without a place for it, launches run one after the other."""
    wrong = []
    files = sorted(cache.rglob("all.so"))
    times = [path.stat().st_ino for path in files]
    run(program, "pointwise", cache, GRIDSPAN_FUSE="now")
    if [path.stat().st_ino for path in files] != times or not files:
        wrong.append("a kernel that is in the cache is made again")
    again = f"again {WORTH_LOADING}" if ON_GPU else "again"
    default = run_by_default(program, again, cache, is_wanted=True, GRIDSPAN_FUSE="cached:without-carried")
    if default.returncode != 0 or "loaded as one kernel" not in default.stderr or counts(default.stderr)[0] == 0:
        wrong.append(f"a kernel in the cache is not tried by default: exit {default.returncode}\n{default.stderr}")
    for path in files:
        path.write_bytes(path.read_bytes()[:-100])
    damaged = run(program, "pointwise", cache, GRIDSPAN_FUSE="now:without-chains,without-carried")
    if damaged.returncode != 0 or counts(damaged.stderr) != (8, 24):
        wrong.append(f"damaged files: exit {damaged.returncode}\n{damaged.stderr}")
    for mode in ("now:without-kernels", "off"):
        other = run(program, "pointwise", cache, GRIDSPAN_FUSE=mode)
        if other.returncode != 0 or "fused_kernels" in other.stderr and counts(other.stderr) != (0, 0):
            wrong.append(f"{mode}: exit {other.returncode}\n{other.stderr}")
    empty = run_by_default(program, again, cache / "empty")
    if empty.returncode != 0 or (cache / "empty").exists():
        wrong.append(f"by default kernels are made: exit {empty.returncode}\n{empty.stderr}")
    if counts(empty.stderr)[0] == 0:
        wrong.append(f"a kernel that the program carries is not tried by default\n{empty.stderr}")
    if ON_GPU and counts((little := run(program, "again", cache / "empty")).stderr) != (0, 0):
        wrong.append(f"code is loaded for what saves little\n{little.stderr}")
    nowhere = run(program, "pointwise", "/proc/nowhere", GRIDSPAN_FUSE="now:without-chains,without-carried")
    if nowhere.returncode != 0 or counts(nowhere.stderr) != (0, 0) or nowhere.stderr.count("cannot be made, or others may write there") != 1:
        wrong.append(f"no place for a cache: exit {nowhere.returncode}\n{nowhere.stderr}")
    return wrong


def main():
    program = sys.argv[1]
    DEVICES["GRIDSPAN_DEVICES"] = sys.argv[2]
    if len(sys.argv) > 3:
        ON_GPU.update(on_fake_gpu(sys.argv[3]))
    with tempfile.TemporaryDirectory() as folder:
        cache = pathlib.Path(folder)
        wrong = check_cases(program, cache, "now:without-chains,without-carried") + check_cases(program, cache, "now:without-chains")
        wrong += check_cache(program, cache)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
