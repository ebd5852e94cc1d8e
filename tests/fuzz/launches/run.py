#!/usr/bin/env python3
"""Random sequences of launches with chains and kernels made of several, and without (GRIDSPAN_FUSE): what they leave behind
has to be the same.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    run.py --gridcc GRIDCC --folder FOLDER [--driver FOLDER] [--seed N] [--sequences N] [--size WORDS] [--large N]

Settings are compared with GRIDSPAN_FUSE=off on one thread, seed by seed; the first that differs is named, with the command that
shows it. --large: so many of the sequences once more in the default mode, with buffers that make chains pay. For long runs:
--sequences 20000 --large 2000. --driver: of the fake driver (tests/devices/fake_cuda), for settings with GPUs. Fails as well if
next to nothing was chained, or made one kernel.
"""

import argparse
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import fused_runs
from fused_runs import ON_GPU, shown

SOURCE = pathlib.Path(__file__).with_name("launches.cu")
SETTINGS = [
    {"GRIDSPAN_FUSE": "check", "GRIDSPAN_THREADS": "3"},
    {"GRIDSPAN_FUSE": "now", "GRIDSPAN_THREADS": "2"},
    {"GRIDSPAN_FUSE": "now:without-kernels", "GRIDSPAN_THREADS": "2"},
    {"GRIDSPAN_FUSE": "check:across-waits", "GRIDSPAN_THREADS": "1"},
    {"GRIDSPAN_FUSE": "check", "GRIDSPAN_DEVICES": "cpu:3x1"},
]
SETTINGS_ON_GPU = [
    {**ON_GPU, "GRIDSPAN_FUSE": "now"},
    # Who compares waits for what was begun before, for a second at most.
    {**ON_GPU, "GRIDSPAN_FUSE": "check", "LAUNCHES_HELD": "no"},
    {**ON_GPU, "GRIDSPAN_FUSE": "now", "GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "fixed"},
    {**ON_GPU, "GRIDSPAN_FUSE": "now:without-kernels", "GRIDSPAN_DEVICES": "cpu+cuda:0", "GRIDSPAN_POLICY": "fixed"},  # a GPU does all
    {**ON_GPU, "GRIDSPAN_FUSE": "now", "GRIDSPAN_DEVICES": "cuda:0+cpu:1", "GRIDSPAN_POLICY": "random:2"},
    {**ON_GPU, "GRIDSPAN_FUSE": "now", "GRIDSPAN_DEVICES": "cuda", "GRIDSPAN_POLICY": "random:1"},
]
LARGE = 600_000  # words
REFERENCE = {"GRIDSPAN_FUSE": "off", "GRIDSPAN_THREADS": "1"}
LEAST_CHAINED = 2  # launches in chains for each sequence, with `now:without-kernels`
LEAST_FUSED = 1  # launches in kernels made of several, with `now`


def run(program, seed, count, size, variables):
    return fused_runs.run([program, seed, count, size], {"XDG_CACHE_HOME": str(program.parent / "cache"), **variables})


def differences(program, options, count, size, settings):
    wrong, together = [], {}
    reference, _, _, error = run(program, options.seed, count, size, REFERENCE)
    if error or len(reference) != count:
        return [f"{shown(REFERENCE)}: {error or len(reference)}"], together
    for variables in settings:
        sums, *together[shown(variables)], error = run(program, options.seed, count, size, variables)
        if error:
            wrong.append(f"{shown(variables)}: {error}")
        for seed, want in reference.items():
            if sums.get(seed) != want:
                wrong.append(f"seed {seed}: {sums.get(seed)} instead of {want}: {shown(variables)} {program} {seed} 1 {size}")
                break
    return wrong, together


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gridcc", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--driver", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sequences", type=int, default=500)
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--large", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    program = options.folder / "launches"
    subprocess.run([options.gridcc, "-O2", "-std=c++17", "--no-ptx", SOURCE, "-o", program], check=True)
    on_gpu = [{**one, "LD_LIBRARY_PATH": str(options.driver)} for one in SETTINGS_ON_GPU] if options.driver else []
    wrong, together = differences(program, options, options.sequences, options.size, SETTINGS + on_gpu)
    if options.large:
        more, together_large = differences(program, options, options.large, LARGE, [{"GRIDSPAN_THREADS": "2"}])
        wrong += more
        together |= together_large
    fused, chained = together.get(shown(SETTINGS[1]), [0, 0])[1], together.get(shown(SETTINGS[2]), [0])[0]
    has_kernels = [one for one in [SETTINGS[-1], *on_gpu] if "without-kernels" not in one["GRIDSPAN_FUSE"]]
    fused = min([fused, *(together.get(shown(one), [0, 0])[1] for one in has_kernels)])
    if not wrong and (chained < LEAST_CHAINED * options.sequences or fused < LEAST_FUSED * options.sequences):
        wrong.append(f"only {chained} launches were chained, only {fused} made one kernel")
    beside_a_cpu = [one for one in on_gpu if "cpu+cuda:0" in one["GRIDSPAN_DEVICES"]]
    if not wrong and any(together[shown(one)][0] == 0 for one in beside_a_cpu):
        wrong.append("none were chained on a GPU beside a CPU")
    print(f"{options.sequences} sequences; launches in chains, and in kernels made of several: {together}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
