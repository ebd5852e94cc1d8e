#!/usr/bin/env python3
"""scaling.py BUILD [--rounds N] [--devices DEVICES] [NAME...]: large programs on all GPUs of this machine, as Markdown.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

The programs of bench/programs by gridcc on one GPU (`cuda:0`) and on all (`cuda`, or those of --devices: `cpu+cuda:0`),
beside the same source by `nvcc -O3` on
one, if nvcc is found. All take turns, `rounds` times; a time is that of the program's steps, without its copies in and
out, the median of all runs but the first of each process. Results are compared by their digest; other ones make the exit
status 1. Needs a built bench/programs/programs, libgridspan.so and Python.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "programs"
sys.path.insert(0, str(SOURCES))
# pylint: disable=wrong-import-position
import measure  # noqa: E402
from gpu import find_nvcc  # noqa: E402

# One GPU holds each. Several pay for most; adi turns its data over in every step, steps of lu and of small sizes are short.
PROGRAMS = {
    "hotspot": (16384, 300),
    "hotspot-32768": (32768, 100),
    "hotspot-2048": (2048, 3000),
    "heat2d": (16384, 300),
    "heat2d-4096": (4096, 1000),
    "fdtd2d": (12288, 200),
    "heat3d": (768, 100),
    "matmul": (16384, 2),
    "black_scholes": (100_000_000, 30),
    "floyd": (8192, 400),
    "mvt": (32768, 30),
    "nbody": (131072, 6),
    "adi": (8192, 20),
    "lu": (8192, 1500),
}
RUNS = 3  # in a process


def build_with_nvcc(nvcc, folder):
    """The same programs by nvcc."""
    program = folder / "programs"
    command = [nvcc, "-O3", "-std=c++17", "-arch=native", SOURCES / "programs.cu", "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"nvcc: {done.stdout}{done.stderr}")
    return program


def time_in_turns(forms, name, size, steps, rounds):
    """Medians in milliseconds, and digests, of each form."""
    times, digests = {form: [] for form in forms}, {}
    for _ in range(rounds):
        for form, (program, devices, extra) in forms.items():
            outcome = measure.run([program, name, size, steps, RUNS], devices, extra=extra)
            times[form] += outcome.steps[1:]
            digests[form] = outcome.digest
    return {form: statistics.median(all) for form, all in times.items()}, digests


def row(name, times, digests):
    """A row of the table. nvcc contracts and rounds as it likes: only ours must agree with each other."""
    theirs, one, every = times.get("nvcc"), times["one"], times["all"]
    cells = [
        f"{theirs:.1f}" if theirs else "-",
        f"{one:.1f}",
        f"{every:.1f}" + ("" if digests["one"] == digests["all"] else " (OTHER RESULTS)"),
        f"{theirs / one:.2f}" if theirs else "-",
        f"{theirs / every:.2f}" if theirs else "-",
        f"{one / every:.2f}",
    ]
    return f"| {name} | " + " | ".join(cells) + " |"


def options_of(script, purpose, programs, rounds, has_devices=False):
    """The command line of a script that times some of these programs."""
    parser = argparse.ArgumentParser(prog=script, description=purpose)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(programs))
    parser.add_argument(
        "--rounds", type=int, default=rounds, help=f"processes of each form for each program, in turns ({rounds})"
    )
    if has_devices:
        parser.add_argument("--devices", default="cuda", help="GRIDSPAN_DEVICES of all (cuda)")
    options = parser.parse_intermixed_args()
    if unknown := set(options.names) - set(programs):
        sys.exit(f"{script}: no program {', '.join(sorted(unknown))}; there are {', '.join(programs)}")
    if not program_of(options).exists():
        sys.exit(f"{script}: {program_of(options)} is not built (make bench-programs)")
    return options


def program_of(options):
    return options.build.resolve() / "bench/programs/programs"


def forms_of(options, folder):
    """The program, its devices and further variables of each form; nvcc's is built in the folder."""
    ours = program_of(options)
    library = {"LD_LIBRARY_PATH": f"{options.build.resolve() / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    forms = {"one": (ours, "cuda:0", library), "all": (ours, getattr(options, "devices", "cuda"), library)}
    if nvcc := find_nvcc():
        forms["nvcc"] = (build_with_nvcc(nvcc, pathlib.Path(folder)), "cuda:0", {})
    return forms


def main():
    options = options_of("scaling.py", __doc__.splitlines()[0], PROGRAMS, 3, has_devices=True)
    with tempfile.TemporaryDirectory() as folder:
        forms = forms_of(options, folder)
        several = "all GPUs" if options.devices == "cuda" else options.devices
        print(f"| program | nvcc, one GPU, ms | ours, one GPU | {several} | nvcc / one | nvcc / all | one / all |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        wrong = False
        for row_name in options.names or PROGRAMS:
            size, steps = PROGRAMS[row_name]
            name = row_name.partition("-")[0]
            times, digests = time_in_turns(forms, name, size, steps, options.rounds)
            wrong |= digests["one"] != digests["all"]
            print(row(f"{name} {size}, {steps} steps", times, digests), flush=True)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
