#!/usr/bin/env python3
"""starts.py BUILD [--rounds N] [NAME...]: programs that do little, from their start to their end, as Markdown.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The programs of bench/programs at small sizes by gridcc on one GPU (`cuda:0`) and on all of this machine's (`cuda`), beside
the same source by `nvcc -O3` on one, if nvcc is found: what a process takes in all, the driver's start and the code's
loading with it. All take turns; the median of the rounds counts, but the first, in which kernels are compiled that the
machine keeps. Results are compared by their digest; other ones make the exit status 1. Needs a built
bench/programs/programs, libgridspan.so and Python.
"""

import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "programs"))
# pylint: disable=wrong-import-position
import measure  # noqa: E402
from scaling import forms_of, options_of  # noqa: E402

# Few small launches; many small ones; some that several GPUs do faster, if they are there.
PROGRAMS = {
    "hotspot": (256, 10),
    "lu": (512, 400),
    "matmul": (2048, 10),
}


def main():
    options = options_of("starts.py", __doc__.splitlines()[0], PROGRAMS, 7)
    with tempfile.TemporaryDirectory() as folder:
        forms = forms_of(options, folder)
        print("| program | nvcc, one GPU, s | ours, one GPU | all GPUs | one / all |")
        print("| --- | --- | --- | --- | --- |")
        wrong = False
        for name in options.names or PROGRAMS:
            size, steps = PROGRAMS[name]
            seconds, digests = {form: [] for form in forms}, {}
            for _ in range(options.rounds + 1):
                for form, (program, devices, extra) in forms.items():
                    begin = time.monotonic()
                    digests[form] = measure.run([program, name, size, steps, 1], devices, extra=extra).digest
                    seconds[form].append(time.monotonic() - begin)
            median = {form: statistics.median(all[1:]) for form, all in seconds.items()}
            differ = digests["one"] != digests["all"]
            wrong |= differ
            print(f"| {name} {size}, {steps} steps | " + (f"{median['nvcc']:.3f}" if "nvcc" in median else "-") +
                  f" | {median['one']:.3f} | {median['all']:.3f}" + (" (OTHER RESULTS)" if differ else "") +
                  f" | {median['one'] / median['all']:.2f} |", flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
