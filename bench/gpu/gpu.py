#!/usr/bin/env python3
# Times the kernels of bench/cpu on a GPU: compiled by gridcc, and by nvcc where that is found.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   gpu.py BUILD [--runs N] [--rounds N] [--devices cuda|N] [--setting VARIABLE=VALUE] [CASE...]
#
# Needs a built bench/cpu/cuda_form, libgridspan.so and Python; nvcc compiles the same sources if it is there. Both
# programs run in turns, case by case: times differ by some percent from process to process, so that --rounds is for small
# differences. Times are from launch to the end of cudaDeviceSynchronize: a case that launches
# many kernels shows what launches cost. Results are compared bit by bit. With --setting there is a column for the same
# with that in the environment: GRIDSPAN_POLICY=always plans launches for one device as if there were several. --devices 2
# stands for two GPUs, with one as the setting: is any case slower for the second one?
import argparse
import filecmp
import json
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "cpu"


def find_nvcc():
    return shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")


def build_with_nvcc(nvcc, folder):
    program = folder / "nvcc_form"
    sources = sorted(SOURCES.glob("cuda/*.cu")) + [SOURCES / "form.cpp", SOURCES / "inputs.cpp"]
    command = [nvcc, "-O3", "-std=c++17", "-arch=native", *map(str, sources), "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"nvcc: {done.stdout}{done.stderr}")
    return program


def run(program, case, runs, result, environment):
    """Seconds of each run, or what the program said instead."""
    done = subprocess.run([str(program), case, str(runs), str(result)], env=environment, capture_output=True,
                          text=True, timeout=300)
    if done.returncode != 0:
        return (done.stderr or done.stdout).strip().split("\n")[-1]
    return json.loads(done.stdout)["seconds"]


def time_in_turns(forms, case, options, folder):
    """Medians over all rounds, and what forms that failed said."""
    seconds, said = {name: [] for name in forms}, {}
    for _ in range(options.rounds):
        for name, (program, environment) in forms.items():
            done = run(program, case, options.runs, folder / name, environment)
            if isinstance(done, str):
                said[name] = done
            else:
                seconds[name] += done
    return {name: statistics.median(all) for name, all in seconds.items() if name not in said}, said


def main():
    parser = argparse.ArgumentParser(description="Times the kernels of bench/cpu on a GPU.")
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--runs", type=int, default=15, help="of a case in one process (15)")
    parser.add_argument("--rounds", type=int, default=1, help="processes of each form for each case, in turns (1)")
    parser.add_argument("--devices", default="cuda",
                        help="GRIDSPAN_DEVICES (cuda); a number: so many GPUs, beside one")
    parser.add_argument("--setting", metavar="VARIABLE=VALUE", help="time ours with this set, too")
    options = parser.parse_intermixed_args()
    if options.devices.isdigit():
        options.devices = "+".join(f"cuda:{index}" for index in range(int(options.devices)))
        options.setting = options.setting or "GRIDSPAN_DEVICES=cuda:0"
    build = options.build.resolve()
    ours = build / "bench/cpu/cuda_form"
    if not ours.exists():
        sys.exit(f"gpu.py: {ours} is not built (make bench-programs)")
    environment = dict(os.environ, GRIDSPAN_DEVICES=options.devices,
                       LD_LIBRARY_PATH=f"{build / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cases = options.cases or subprocess.run([ours], env=environment, capture_output=True, text=True,
                                                check=True).stdout.split()
        # Without a GPU every case would say so.
        if isinstance(said := run(ours, cases[0], 1, folder / "ours", environment), str):
            sys.exit(f"gpu.py: {cases[0]}: {said}")
        nvcc = find_nvcc()
        theirs = build_with_nvcc(nvcc, folder) if nvcc else None
        print("medians in microseconds" + ("" if nvcc else "; nvcc is not here"))
        setting = options.setting
        print(f"{'case':20} {'gridcc':>10} " + (f"{'set':>10} {'set/gridcc':>11} " if setting else "") +
              f"{'nvcc':>10} {'nvcc/gridcc':>12}  results")
        changed = dict(environment, **dict([setting.split("=", 1)])) if setting else None
        ratios, slower, failed = [], {}, False
        for case in cases:
            forms = {"ours": (ours, environment)}
            if changed:
                forms["set"] = (ours, changed)
            if theirs:
                forms["theirs"] = (theirs, environment)
            seconds, said = time_in_turns(forms, case, options, folder)
            for name, what in said.items():
                print(f"{case:20} {name}: {what}", flush=True)
            failed |= bool(said.keys() - {"theirs"})
            if "ours" not in seconds:
                continue
            line = f"{case:20} {seconds['ours'] * 1e6:10.1f}"
            if "set" in seconds:
                slower[case] = seconds["set"] / seconds["ours"]
                line += f" {seconds['set'] * 1e6:10.1f} {slower[case]:11.3f}"
                # Atomic sums of floating-point numbers have no order.
                if not filecmp.cmp(folder / "ours", folder / "set", shallow=False):
                    line += " (other bits)"
            if "theirs" in seconds:
                ratios.append(seconds["theirs"] / seconds["ours"])
                same = filecmp.cmp(folder / "ours", folder / "theirs", shallow=False)
                line += (f" {seconds['theirs'] * 1e6:10.1f} {ratios[-1]:12.2f}"
                         f"  {'same bits' if same else 'other bits'}")
            print(line, flush=True)
        if slower:
            least = min(slower, key=slower.get)
            print(f"{setting}: median {statistics.median(slower.values()):.3f}, "
                  f"geometric mean {math.exp(statistics.fmean(map(math.log, slower.values()))):.3f}, "
                  f"smallest {slower[least]:.3f} ({least})")
        if ratios:
            print(f"geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.2f}, "
                  f"median {statistics.median(ratios):.2f}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
