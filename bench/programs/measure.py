"""Runs bench/programs on chosen devices: times of its phases, bytes moved, digest of the results.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import dataclasses
import os
import re
import statistics
import subprocess
import sys

PHASES = re.compile(r"run upload (\S+) steps (\S+) download (\S+) ms")
TRAFFIC = re.compile(r"traffic: (\w+) (\d+)")


@dataclasses.dataclass
class Outcome:
    """Milliseconds of each run's phases; counts of the whole process; the results."""

    upload: list
    steps: list
    download: list
    traffic: dict
    digest: str

    def median_steps(self):
        """Of the runs after the first, which touches its memory for the first time."""
        return statistics.median(self.steps[1:] or self.steps)

    def median_all(self):
        """The same of all phases together."""
        whole = [sum(phases) for phases in zip(self.upload, self.steps, self.download)]
        return statistics.median(whole[1:] or whole)


def environment(devices, **variables):
    """This process's, without what it says to Gridspan; `policy="mekong"` is GRIDSPAN_POLICY."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    given = {"GRIDSPAN_" + name.upper(): value for name, value in variables.items()}
    return {**clean, "GRIDSPAN_DEVICES": devices, "GRIDSPAN_LOG": "info", **given}


def run(command, devices, timeout=300, extra=None, **variables):
    """Runs a program that prints as results.h does, in an environment with `extra` variables. Ends
    this process if it fails."""
    command = [str(word) for word in command]
    done = subprocess.run(
        command,
        env={**environment(devices, **variables), **(extra or {})},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} on {devices}: exit status {done.returncode}\n{done.stderr}")
    phases = [[float(time) for time in found] for found in PHASES.findall(done.stdout)]
    upload, steps, download = (list(column) for column in zip(*phases))
    traffic = {name: int(value) for name, value in TRAFFIC.findall(done.stderr)}
    digest = re.search(r"digest (\w+)", done.stdout).group(1)
    return Outcome(upload, steps, download, traffic, digest)
