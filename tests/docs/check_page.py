#!/usr/bin/env python3
"""Runs the commands of a Markdown page in order and compares what they print with what it shows.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    check_page.py PAGE.md BIN SOURCES WORK

All ```sh blocks run in one shell in folder WORK, with BIN first in PATH and a link to the repository's
examples/. A block marked ```sh by-hand is shown only. A ```text block is what the ```sh block before it prints: the
lines must appear in this order, numbers may differ, and a line of three dots stands for anything.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(\w*)[ ]*([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "--- end of block ---"


def blocks(page):
    """(commands, expected lines or None) in order."""
    found = []
    runnable = False  # does the nearest sh block above run?
    for language, note, body in FENCE.findall(page):
        if language == "sh":
            runnable = note != "by-hand"
            if runnable:
                found.append([body, None])
        elif language == "text" and runnable:
            found[-1][1] = body.splitlines()
            runnable = False
    return found


def pattern(line):
    """The line with every number open and blanks of any width, as columns are."""
    escaped = re.escape(" ".join(line.split()))
    number = r"0x[\da-f]+|\d+(\\\.\d+)?(e\\[-+]\d+|e\d+)?"
    return re.compile(re.sub(number, lambda _: r"(0x[\da-f]+|[-+.\de]+)", escaped) + r"$")


def missing_line(expected, printed):
    """The first expected line that does not follow, or None."""
    at = 0
    for line in expected:
        if line.strip() in ("", "..."):
            continue
        wanted = pattern(line)
        while at < len(printed) and not wanted.match(" ".join(printed[at].split())):
            at += 1
        if at == len(printed):
            return line
        at += 1
    return None


def main():
    page, binaries, sources, work = map(pathlib.Path, sys.argv[1:])
    parts = blocks(page.read_text(encoding="utf-8"))
    if not parts:
        sys.exit(f"{page} has no commands to run")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "examples").symlink_to(sources / "examples")
    script = "".join(f"{commands}\necho '{MARK}'\n" for commands, _ in parts)
    environment = dict(os.environ, PATH=f"{binaries}:{os.environ['PATH']}")
    result = subprocess.run(["timeout", "-k", "2", "280", "bash", "-c", script], cwd=work, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    outputs = result.stdout.split(MARK + "\n")
    failed = len(outputs) != len(parts) + 1
    for (commands, expected), output in zip(parts, outputs):
        missing = expected and missing_line(expected, output.splitlines())
        if missing or (not expected and re.search(r"error:|not found", output)):
            failed = True
            print(f"FAILED: {page.name}\n{commands}\nprints\n{output}\nbut not\n{missing}\n")
    if failed:
        sys.exit(f"{len(outputs) - 1} of {len(parts)} blocks ran")
    print(f"{len(parts)} blocks do what {page.name} says")


if __name__ == "__main__":
    main()
