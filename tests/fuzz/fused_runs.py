"""Runs of random programs with and without chains and kernels made of several (GRIDSPAN_FUSE).

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess

ON_GPU = {"GRIDSPAN_DEVICES": "cuda:0", "GRIDSPAN_MEASURE": "off", "FAKE_CUDA_GPUS": "2"}


def run(command, variables):
    """The sums it prints, by number; launches in chains and in kernels made of several; what went wrong."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    done = subprocess.run([str(word) for word in command], env={**environment, "GRIDSPAN_LOG": "info", **variables}, capture_output=True,
                          text=True, check=False)
    sums = dict(re.findall(r"^(\d+) ([0-9a-f]{8})$", done.stdout, re.MULTILINE))
    together = [int(found[1]) if found else 0
                for found in (re.search(rf"fuse: {name}_launches (\d+)", done.stderr) for name in ("chained", "fused"))]
    said = "\n".join(line for line in done.stderr.splitlines() if not line.startswith("gridspan: info: "))
    error = "" if done.returncode == 0 else f"exit {done.returncode}: {done.stdout[-200:]} {said[-600:]}"
    return sums, *together, error


def shown(variables):
    return " ".join(f"{name}={value}" for name, value in variables.items())
