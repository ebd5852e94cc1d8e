#!/usr/bin/env python3
# Runs one test of wrong use: a file whose comments say what is done and what must come back.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   run_misuse.py GRIDCC FILE FOLDER
#
#   // STEP: COMMAND => CODE       shell command and exit code; several codes: => 0|1
#   // EXPECT: REGEX               must be found in the output of the step above
#   // REFUSE: REGEX               must not
#
# In commands and patterns %gridcc, %gridspan, %s (this file) and %t (a path for outputs) stand for
# what they say. A step that takes longer than 30 seconds has hung, which is always a failure. Codes
# above 128 (killed by a signal) only match when named.
import os
import pathlib
import re
import subprocess
import sys

TIMEOUT = "30"


class Step:
    def __init__(self, command, codes):
        self.command, self.codes, self.patterns = command, codes, []


def steps_of(source, substitute):
    steps = []
    for line in source.read_text().splitlines():
        match = re.match(r"\s*(?://|#) (STEP|EXPECT|REFUSE): (.*)", line)
        if not match:
            continue
        kind, rest = match.groups()
        if kind == "STEP":
            command, _, codes = rest.rpartition(" => ")
            steps.append(Step(substitute(command), {int(c) for c in codes.split("|")}))
        else:
            steps[-1].patterns.append((kind, substitute(rest, escape=True)))
    return steps


def perform(step, environment):
    """What was wrong with the step, or None."""
    result = subprocess.run(
        ["timeout", "-k", "2", TIMEOUT, "bash", "-c", step.command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment,
    )
    problems = []
    if result.returncode in (124, 137):
        problems.append("it hung")
    elif result.returncode not in step.codes:
        problems.append(f"exit code {result.returncode}, expected {sorted(step.codes)}")
    for kind, pattern in step.patterns:
        found = re.search(pattern, result.stdout, re.M) is not None
        if found != (kind == "EXPECT"):
            problems.append(f"{kind}: {pattern}")
    if not problems:
        return None
    return "\n".join([f"step: {step.command}", *problems, "output:", result.stdout])


def main():
    gridcc, source, folder = sys.argv[1:]
    source = pathlib.Path(source)
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    names = {
        "%gridcc": gridcc,
        "%gridspan": str(pathlib.Path(gridcc).with_name("gridspan")),
        "%s": str(source),
        "%t": str(pathlib.Path(folder) / source.stem),
    }

    def substitute(text, escape=False):
        return re.sub(
            r"%(?:gridcc|gridspan|s|t)\b",
            lambda m: re.escape(names[m.group(0)]) if escape else names[m.group(0)],
            text,
        )

    steps = steps_of(source, substitute)
    if not steps:
        sys.exit(f"{source}: no STEP line")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    for step in steps:
        if problem := perform(step, environment):
            sys.exit(f"{source}: {problem}")


if __name__ == "__main__":
    main()
