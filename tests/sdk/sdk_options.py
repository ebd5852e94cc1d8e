#!/usr/bin/env python3
"""Asks an installed nvcc for its options, and gridcc for each of them, in every form nvcc takes.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    sdk_options.py GRIDCC SDK       SDK: a folder with bin/nvcc

Every option that `nvcc --help` lists is tried as long and as short name, with `=value`, with the value as a word of
its own and behind the name. What nvcc takes in a dry run, gridcc takes, or refuses in one line that names the option.
Exits with 77 (skipped), and says so, where there is no nvcc. Nothing of the SDK is stored.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
AT_LEAST = 110  # options; fewer: the help was not understood
# Values of options whose help names a kind of value, not the values.
VALUES = {
    "--include-path": "folder,other",
    "--system-include": "folder,other",
    "--library-path": "folder,other",
    "--define-macro": "ONE,TWO=2",
    "--undefine-macro": "ONE,TWO",
    "--pre-include": "stdio.h,stdlib.h",
    "--library": "m,dl",
    "--x": "cu",
    "--std": "c++17",
    "--machine": "64",
    "--gpu-architecture": "sm_80",
    "--gpu-code": "sm_80",
    "--generate-code": "arch=compute_80,code=sm_80",
    "--compiler-options": "-Wall,-fPIC",
    "--linker-options": "-rpath,folder",
    "--ptxas-options": "-v,-O2",
    "--nvlink-options": "-v",
    "--archive-options": "-v",
    "--Werror": "cross-execution-space-call,all-warnings",
    "--optimize": "2",
    "--Ofast-compile": "min",
    "--optimization-info": "inline",
    "--dopt": "on",
    "--time": "times.csv",
    "--sanitize": "memcheck",
    "--compress-mode": "size",
    "--compiler-bindir": "g++",
    "--options-file": "words.txt",
    "--dependency-output": "word.d",
    "--target-directory": "x86_64-linux",
}
# Without these words nvcc takes the option for a mistake.
COMPANIONS = {
    "--gpu-code": ["-arch=compute_80"],
    "--dependency-output": ["-MD"],
    "--dependency-target-name": ["-MD"],
    "--generate-dependency-targets": ["-MD"],
    "--ltoir": ["-dlto"],
    "--compile-as-tools-patch": ["-cubin"],
    "--keep-dir": ["--keep"],
}
# Options that answer and end.
ANSWERS = {"--help", "--version", "--list-gpu-code", "--list-gpu-arch"}
# Not asked: they have nvcc start a program or read one.
NOT_ASKED = {"--qpp-config", "--run"}


def options_of(text):
    """(long name, short name, values in the help) of each option that `nvcc --help` lists."""
    for match in re.finditer(r"^(--[\w-]+)(?: ([^(\n]*?))?\s{2,}\(?(-{1,2}[\w-]+)\)?\s*$", text, re.M):
        long, kind, short = match.group(1), (match.group(2) or "").strip(), match.group(3)
        yield long, short, kind


def value_of(long, kind):
    if long in VALUES:
        return VALUES[long]
    if match := re.match(r"[{\[]([^}\]]+)[}\]]", kind):
        return re.split(r"[|,]", match.group(1))[0]
    if re.search(r"number|amount|limit|seed", kind):
        return "3"
    return "word"


def forms(long, short, kind):
    if not kind and long not in VALUES:
        return [[long], [short]]
    value = value_of(long, kind)
    return [[f"{long}={value}"], [long, value], [f"{short}={value}"], [short, value], [short + value]]


def answer(command, folder):
    """(taken, what it says)"""
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return run.returncode == 0, run.stdout + run.stderr


def check(gridcc, nvcc, folder, long, words):
    command = [*COMPANIONS.get(long, []), *words]
    whole = command if long in ANSWERS else ["-c", *command, "k.cu"]
    if any(word in ("-E", "-M", "-MM", "-cubin", "--preprocess", "-lib", "--lib") for word in command):
        whole = [*command, "k.cu"]
    taken, _ = answer([nvcc, *([] if long in ANSWERS else ["-dryrun"]), *whole], folder)
    if not taken:
        return None
    ours, said = answer([gridcc, *([] if long in ANSWERS else ["-###"]), *whole], folder)
    named = words[0].split("=")[0]
    lines = [line for line in said.splitlines() if line]
    if ours or (len(lines) == 1 and f"'{named}'" in said and "unknown option" not in said):
        return "taken" if ours else "refused: " + lines[0].split("option ", 1)[-1]
    return f"FAILED: nvcc takes '{' '.join(words)}', gridcc says: {said.strip()[:300]}"


def main():
    gridcc, sdk = os.path.abspath(sys.argv[1]), sys.argv[2]
    nvcc = os.path.join(sdk, "bin", "nvcc")
    if not os.path.exists(nvcc):
        print(f"SKIPPED, NOTHING WAS COMPARED: there is no {nvcc}")
        return SKIPPED
    text = subprocess.run([nvcc, "--help"], capture_output=True, text=True, check=True).stdout
    options = list(options_of(text))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "k.cu").write_text("__global__ void k() {}\nint main() {}\n")
        (folder / "words.txt").write_text("-DTHREE\n")
        jobs = [
            (long, words)
            for long, short, kind in options
            if long not in NOT_ASKED
            for words in forms(long, short, kind)
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
            results = list(executor.map(lambda job: check(gridcc, nvcc, folder, *job), jobs))
    told = {}
    for (long, _), result in zip(jobs, results):
        told.setdefault(long, []).append(result)
    failures = [result for result in results if result and result.startswith("FAILED")]
    for long, answers in told.items():
        refusals = {result for result in answers if result and result.startswith("refused")}
        if refusals:
            print(f"{long}: {sorted(refusals)[0]}")
        if not any(answers):
            failures.append(f"FAILED: nvcc takes no form of {long} that was tried: mend this test")
    print("\n".join(failures))
    taken = sum(result is not None for result in results)
    print(f"{len(options)} options, {len(jobs)} forms, nvcc takes {taken}; {len(failures)} failures")
    if len(options) < AT_LEAST:
        print(f"only {len(options)} options were found in nvcc --help")
    return 1 if failures or len(options) < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
