"""How tests of launches that become one kernel run programs.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import os
import re
import subprocess


def on_gpu(build):
    """The fake driver's GPU (tests/devices/fake_cuda)."""
    return {"LD_LIBRARY_PATH": f"{build}/tests/devices/fake_cuda/lib:{build}/lib", "FAKE_CUDA_GPUS": "2", "GRIDSPAN_MEASURE": "off",
            "GRIDSPAN_DEVICES": "cuda:0"}


def environment(cache, variables):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("GRIDSPAN_", "FAKE_CUDA_"))}
    return {**clean, "XDG_CACHE_HOME": str(cache), "GRIDSPAN_LOG": "info", **variables}


def run(command, cache, variables, limit=60, **options):
    """Its exit status (124 when it took so long that it hangs), and all that it said."""
    command = [command] if isinstance(command, str) else list(command)
    done = subprocess.run(["timeout", "-k", "2", str(limit), *command], env=environment(cache, variables), text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False, **options)
    return done.returncode, done.stdout


def counts(log):
    """Kernels that were made of several, and launches in them."""
    found = dict(re.findall(r"fuse: (fused_\w+) (\d+)$", log, re.MULTILINE))
    return int(found.get("fused_kernels", 0)), int(found.get("fused_launches", 0))


def count_of(log, name):
    """A count that is only told where it is not 0."""
    found = re.search(rf"fuse: {name} (\d+)$", log, re.MULTILINE)
    return int(found.group(1)) if found else 0


def ends_of(log):
    """What ended windows of launches, and how many."""
    return {what: int(times) for what, times in re.findall(r"fuse: windows ended by (.*): (\d+)$", log, re.MULTILINE)}


def shown(variables):
    return " ".join(f"{name}={value}" for name, value in variables.items() if name != "LD_LIBRARY_PATH")
