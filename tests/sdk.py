# Where NVIDIA's SDK is on this machine, for tests that compare with it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: sdk.py PROGRAM

Prints the path of an SDK's program (nvcc, ptxas, cuobjdump); exits with 77 where there is none. Tests look when they
run, never when they are configured, and have the label `sdk`: CI builds and runs everything where SDKs are hidden, and
these tests once more where they are not (.ci/run).
"""
import os
import shutil
import sys

SKIPPED = 77


def find(program):
    """The path of the program, or None."""
    folders = [os.environ.get("PATH", "")]
    folders += [os.path.join(os.environ[name], "bin") for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    folders.append("/usr/local/cuda/bin")
    return shutil.which(program, path=os.pathsep.join(folders))


if __name__ == "__main__":
    path = find(sys.argv[1])
    print(path or f"no {sys.argv[1]} on this machine")
    sys.exit(0 if path else SKIPPED)
