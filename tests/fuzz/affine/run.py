#!/usr/bin/env python3
# Random affine kernels: models must hold at every launch, all ways to run must agree.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tests/fuzz/affine/run.py --kernels 500                         seeds 1, 2, …, one file each
#   tests/fuzz/affine/run.py --kernels 500 --most-size 60          small kernels: many a minute
#   tests/fuzz/affine/run.py --kernels 20000 --resume state.json   goes on where it was stopped
#   tests/fuzz/affine/run.py --kernels 500 --most-size 90 --guards kernels full of conditions
#   tests/fuzz/affine/run.py --seed 77                             one file again
#
# The run fails if a model is wrong, if not all kernels were checked, or if less is understood than
# asked for (--least-exact, --least-cut). A failing kernel is cut down to a small one, written to
# --folder with what is wrong in its first lines. GRIDSPAN_VERIFY=1 compares the model with what the
# kernel does (docs/verification.md).
import argparse
import collections
import concurrent.futures
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import model_statistics  # noqa: E402
from checks import Checker  # noqa: E402
from program import Program, program_text  # noqa: E402
from shrink import shrink  # noqa: E402


class Result:
    def __init__(self, seed):
        self.seed, self.failures, self.counts = seed, [], collections.Counter()


class Fuzzer:
    def __init__(self, arguments):
        self.arguments, self.left_to_shrink = arguments, arguments.shrink
        self.shrunk = collections.Counter()
        self.checker = Checker(
            arguments.gridcc,
            arguments.folder,
            arguments.flags,
            results=not arguments.no_results,
            verify=not arguments.no_verify,
            patience=arguments.patience,
        )

    def one_seed(self, seed):
        result, name = Result(seed), f"seed{seed}"
        program = Program(
            seed, self.arguments.file_kernels, self.arguments.most_size, self.arguments.guards
        )
        binary, problem = self.checker.compile(program.text(), name)
        if binary is None:
            result.failures.append((problem, self.find_uncompilable(program, problem)))
            return result
        if problem := self.checker.problem(binary, counts=result.counts):
            bad = self.checker.problems(binary, [kernel.name for kernel in program.kernels])
            result.failures = [(found, program.kernels[k]) for k, found in bad.items()]
            result.failures = result.failures or [(problem, None)]
        classes = {kernel.name: kernel.class_of() for kernel in program.kernels}
        result.counts.update(model_statistics.statistics(binary, classes))
        result.counts["launches"] = sum(len(kernel.launches) for kernel in program.kernels)
        if not result.failures and not self.arguments.keep:
            binary.unlink()
            (self.checker.folder / f"{name}.cu").unlink()
        return result

    def find_uncompilable(self, program, problem):
        for kernel in program.kernels:
            text = program_text(program.seed, program.functions, [kernel])
            binary, found = self.checker.compile(text, f"seed{program.seed}.one")
            if found and found.symptom == problem.symptom:
                return kernel
        return None

    # --- failures --------------------------------------------------------------------------------
    def tell(self, result):
        """Prints the failures of a seed; cuts the first of each kind down."""
        for problem, kernel in result.failures:
            name = kernel.name if kernel else "whole file"
            print(f"FAIL seed {result.seed}, {name}: {problem.symptom}", flush=True)
            print("  " + "\n  ".join(problem.text.splitlines()[:4]))
            if kernel and self.left_to_shrink > 0 and not self.shrunk[problem.symptom]:
                self.left_to_shrink -= 1
                self.shrunk[problem.symptom] += 1
                self.write_shrunk(result.seed, problem, kernel)

    def write_shrunk(self, seed, problem, kernel):
        work = f"seed{seed}.{kernel.name}.shrinking"
        start, name = time.monotonic(), kernel.name
        small = shrink(
            kernel,
            "other results" in problem.symptom,
            lambda kernels: self.first_failing(kernels, seed, problem.symptom, work),
            lambda smaller: self.progress(start, smaller),
        )
        small.name = name
        path = self.checker.folder / f"failed-seed{seed}-{name}.cu"
        self.write_note(path, seed, problem, small)
        for leftover in (self.checker.folder / work, self.checker.folder / f"{work}.cu"):
            leftover.unlink(missing_ok=True)
        print(f"  cut down in {time.monotonic() - start:.0f} s: {path}", flush=True)

    def progress(self, start, kernel):
        if self.arguments.verbose:
            print(f"    {time.monotonic() - start:.0f} s: size {kernel.size()}", flush=True)

    def first_failing(self, kernels, seed, symptom, work):
        """Number of the first kernel with the symptom, or None."""
        for number, kernel in enumerate(kernels):
            kernel.name = f"kernel{number}"
            rename_symbols(kernel)
        text = program_text(seed, kernels[0].functions, kernels)
        binary, problem = self.checker.compile(text, work)
        if problem is None:
            found = self.checker.problems(binary, [kernel.name for kernel in kernels])
            return next((n for n, one in found.items() if one.symptom == symptom), None)
        if len(kernels) == 1:
            return 0 if problem.symptom == symptom else None
        for number, kernel in enumerate(kernels):
            if self.first_failing([kernel], seed, symptom, work) is not None:
                return number
        return None

    def write_note(self, path, seed, problem, kernel):
        text = program_text(seed, kernel.functions, [kernel])
        binary, found = self.checker.compile(text, f"seed{seed}.small")
        now = found or self.checker.problem(binary) or problem
        note = "\n".join("// " + line for line in now.text.splitlines()[:12])
        path.write_text(f"{note}\n// gridcc -O1 -std=c++17 -Itests/fuzz/affine {path.name}\n{text}")
        for suffix in ("", ".cu"):
            (self.checker.folder / f"seed{seed}.small{suffix}").unlink(missing_ok=True)


def rename_symbols(kernel):
    """Device variables of two variants must not have one name."""
    for array in kernel.arrays:
        if array.passing == "symbol":
            array.name = f"{kernel.name}_{array.name.split('_')[-1]}"


class State:
    """What a long run remembers between sittings."""

    def __init__(self, path, first):
        self.path, self.next, self.failed = path, first, []
        self.counts, self.kernels = collections.Counter(), 0
        if path and pathlib.Path(path).exists():
            stored = json.loads(pathlib.Path(path).read_text())
            self.next, self.failed = stored["next_seed"], stored["failed"]
            self.counts, self.kernels = collections.Counter(stored["counts"]), stored["kernels"]

    def add(self, result, kernels):
        self.next, self.kernels = result.seed + 1, self.kernels + kernels
        self.counts.update(result.counts)
        self.failed += [
            f"{result.seed}:{kernel.name if kernel else 'file'}" for _, kernel in result.failures
        ]
        if self.path:
            stored = {"next_seed": self.next, "kernels": self.kernels, "failed": self.failed}
            text = json.dumps({**stored, "counts": dict(self.counts)}, indent=1)
            pathlib.Path(self.path).write_text(text + "\n")


def parse():
    parser = argparse.ArgumentParser(description="random affine kernels against the kernel model")
    parser.add_argument("--gridcc", default="build/bin/gridcc")
    parser.add_argument("--seed", type=int, default=1, help="first seed")
    parser.add_argument("--kernels", type=int, help="how many in all (default: one file)")
    parser.add_argument("--file-kernels", type=int, default=25, help="kernels in a file")
    parser.add_argument("--resume", help="file that remembers how far a long run came")
    parser.add_argument("--jobs", type=int, default=1, help="seeds side by side")
    parser.add_argument("--seconds", type=float, help="stop after about so long")
    parser.add_argument("--patience", type=float, default=1, help="factor of all time limits")
    parser.add_argument("--flags", default="-O1", help="flags of gridcc")
    parser.add_argument("--folder", default="/tmp/gridspan-affine", help="where files are written")
    parser.add_argument("--keep", action="store_true", help="keep programs of clean seeds")
    parser.add_argument("--shrink", type=int, default=3, help="failures to cut down at most")
    parser.add_argument("--no-results", action="store_true", help="do not run the interpreter")
    parser.add_argument("--no-verify", action="store_true", help="do not run GRIDSPAN_VERIFY=1")
    parser.add_argument("--guards", action="store_true", help="mostly conditions (guards.py)")
    parser.add_argument("--most-size", type=int, help="larger kernels are left out")
    for option, what in (
        ("--least-exact", "accesses of plain kernels that must be exact"),
        ("--least-cut", "plain kernels whose grid can be cut"),
    ):
        parser.add_argument(option, type=float, default=0, metavar="PERCENT", help=what)
    parser.add_argument("--verbose", action="store_true", help="show how cutting down goes")
    return parser.parse_args()


def main():
    arguments = parse()
    fuzzer, start = Fuzzer(arguments), time.monotonic()
    state = State(arguments.resume, arguments.seed)
    files = -(-(arguments.kernels or arguments.file_kernels) // arguments.file_kernels)
    seeds = range(state.next, arguments.seed + files)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        waiting = collections.deque()
        for seed in seeds:
            waiting.append(pool.submit(fuzzer.one_seed, seed))
            if len(waiting) >= 2 * arguments.jobs:
                finish(fuzzer, state, waiting.popleft().result())
            if arguments.seconds and time.monotonic() - start > arguments.seconds:
                break
        while waiting:
            finish(fuzzer, state, waiting.popleft().result())
    return summary(arguments, state, time.monotonic() - start)


def finish(fuzzer, state, result):
    fuzzer.tell(result)
    state.add(result, fuzzer.arguments.file_kernels)


def summary(arguments, state, seconds):
    print(model_statistics.text(state.counts))
    failed = " ".join(state.failed) or "none"
    print(f"{state.kernels} kernels in {seconds:.0f} s; failures: {failed}")
    wrong = list(shortcomings(arguments, state))
    for line in wrong:
        print("FAIL " + line)
    return bool(state.failed or wrong)


def shortcomings(arguments, state):
    """What the run has not done, or the analysis not understood."""
    counts = state.counts
    wanted = arguments.kernels or arguments.file_kernels
    if state.kernels < wanted and not arguments.seconds:
        yield f"only {state.kernels} of {wanted} kernels were made"
    if state.failed:
        return
    if model_statistics.models(counts) != state.kernels:
        yield f"{state.kernels} kernels have {model_statistics.models(counts)} models"
    checked = counts["verified launch"] - counts["verified launch not modelled"]
    if checked != counts["launches"] and not arguments.no_verify:
        yield f"{checked} of {counts['launches']} launches were verified"
    for what, least in (("exact", arguments.least_exact), ("can be cut", arguments.least_cut)):
        found = model_statistics.share(counts, "plain", what)
        if found < least:
            yield f"plain kernels: {found:.1f} % {what}, expected at least {least} %"


if __name__ == "__main__":
    sys.exit(main())
