#!/usr/bin/env python3
"""What `gridspan explain` says of stages is what the compiler's table of stages says that it says.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    stages.py GRIDCC GRIDSPAN SOURCE FOLDER

Compiles SOURCE as it is, and without each stage that can be left out. Each sentence of such a stage
stands in the first report, and none in the report without it. What else is gone then must be of a
stage that builds on it.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

# --without: whose sentences, too, there is no reason for any more.
BUILDS_ON = {
    "blocks": ["launch-shapes", "linear-threads", "row-lengths", "warps"],
    "joins": ["staging"],
    "launch-shapes": ["linear-threads"],
    "warps": ["linear-threads"],
}

ROW = re.compile(r"^ +(?P<name>[\w-]+) .*\((?P<notes>for .*)\)$")


def table(gridcc):
    """[(name, --without, beginnings of sentences)], of stages that have some."""
    text = subprocess.run([gridcc, "--stages"], check=True, capture_output=True, text=True).stdout
    rows = []
    for match in filter(None, map(ROW.match, text.splitlines())):
        without = re.search(r"--without=([\w-]+)", match["notes"])
        explained = match["notes"].partition("explain: ")[2]
        beginnings = re.findall(r"'(.*?)\.\.\.'(?:, |$)", explained)
        rows.append((match["name"], without and without[1], beginnings))
    return rows


def report(gridcc, gridspan, source, folder, without):
    """The lines that explain says of each kernel's code."""
    made = folder / f"{without or 'all'}.o"
    options = [f"--without={without}"] if without else []
    # A CPU of its own: what a stage finds does not depend on the machine of the test.
    subprocess.run([gridcc, "-O3", "-w", "--no-ptx", "-march=x86-64-v3", "-c", source, "-o", made, *options], check=True)
    text = subprocess.run([gridspan, "explain", made], check=True, capture_output=True, text=True).stdout
    return [line.strip() for line in text.splitlines() if line.startswith("    ")]


def said(lines, beginnings):
    return {one for one in beginnings if any(line.startswith(one) for line in lines)}


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    gridcc, gridspan, source, folder = sys.argv[1:4] + [pathlib.Path(sys.argv[4])]
    folder.mkdir(parents=True, exist_ok=True)
    rows = table(gridcc)
    names = sorted({without for _, without, beginnings in rows if without and beginnings})
    own = {name: {one for _, without, beginnings in rows if without == name for one in beginnings} for name in names}
    everything = set().union(*own.values())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        reports = dict(zip([None, *names], pool.map(
            lambda name: report(gridcc, gridspan, source, folder, name), [None, *names])))
    wrong = [f"never says '{one}'" for one in sorted(everything - said(reports[None], everything))]
    for name in names:
        others = set().union(*(own[other] for other in names if other != name))
        for one in sorted(said(reports[name], own[name] - others)):
            wrong.append(f"--without={name}: still says '{one}'")
        gone = said(reports[None], everything) - said(reports[name], everything) - own[name]
        gone -= set().union(*(own[other] for other in BUILDS_ON.get(name, [])))
        for one in sorted(gone):
            wrong.append(f"--without={name}: does not say '{one}', which is not of this stage")
    for one in wrong:
        print(f"{source}: {one}")
    sys.exit(1 if wrong or len(names) < 8 else 0)


if __name__ == "__main__":
    main()
