#!/usr/bin/env python3
# Random whole programs: what they read must not depend on the devices they run on.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tests/fuzz/programs/run.py --programs 500                          libraries 1, 2, …
#   tests/fuzz/programs/run.py --programs 20000 --resume state.json    goes on where it was stopped
#   tests/fuzz/programs/run.py --seed 7 --only 1234                    one program again
#
# README.md says what programs do and how a failing one is read.
import argparse
import json
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from cutting import cut  # noqa: E402
from library import Library  # noqa: E402
from running import (  # noqa: E402
    REFERENCE,
    SETTINGS,
    VERIFYING,
    Compiler,
    Runner,
    random_settings,
    text_of,
)
from whole_program import WholeProgram  # noqa: E402

AT_ONCE = 250  # programs of a process


class State:
    """What a long run remembers between sittings."""

    def __init__(self, path, first):
        self.path = pathlib.Path(path) if path else None
        self.seed, self.programs, self.failed = first, 0, []
        if self.path and self.path.exists():
            stored = json.loads(self.path.read_text())
            self.seed, self.programs, self.failed = (
                stored[name] for name in ("seed", "programs", "failed")
            )

    def add(self, programs, failed):
        self.seed, self.programs = self.seed + 1, self.programs + programs
        self.failed += failed
        if self.path:
            stored = {"seed": self.seed, "programs": self.programs, "failed": self.failed}
            self.path.write_text(json.dumps(stored, indent=1) + "\n")


class Fuzzer:
    def __init__(self, arguments):
        self.arguments = arguments
        self.compiler = Compiler(arguments.gridcc, arguments.folder, arguments.flags)

    def one_library(self, seed, numbers):
        """Failures of the programs with these numbers: ["seed:number"]."""
        library = Library(seed, affine=self.arguments.affine)
        try:
            runner = Runner(self.program_of(library))
        except RuntimeError as error:
            print(f"FAIL library {seed}: {error}", flush=True)
            return [f"{seed}:library"]
        wrong = {}
        for first in range(0, len(numbers), AT_ONCE):
            wrong |= self.some_programs(library, runner, numbers[first : first + AT_ONCE])
        if not wrong and not self.arguments.keep and not self.arguments.binary:
            runner.binary.unlink()
            runner.binary.with_suffix(".cu").unlink()
        return [f"{seed}:{number}" for number in wrong]

    def some_programs(self, library, runner, numbers):
        """{number: what is wrong}."""
        seed = library.seed
        programs = {number: WholeProgram(library, number) for number in numbers}
        expected = self.reference(runner, programs)
        wrong = {n: "one device: does not end" for n in numbers if expected.of(n) is None}
        if wrong:
            print(f"FAIL library {seed}, one device: {expected.errors}", flush=True)
        for setting in self.settings(seed):
            for number, text in self.compare(runner, programs, expected, setting).items():
                if number not in wrong:
                    print(f"FAIL library {seed}, program {number}: {text}", flush=True)
                    wrong[number] = text
                    self.shrink(runner, seed, programs, number, setting)
        return wrong

    def program_of(self, library):
        if self.arguments.binary:
            return pathlib.Path(self.arguments.binary)
        return self.compiler.compile(library.text(), f"library{library.seed}")

    def settings(self, seed):
        """Those that this library's programs run with: all in turn."""
        count = min(self.arguments.settings, len(SETTINGS))
        chosen = [SETTINGS[(seed * count + k) % len(SETTINGS)] for k in range(count)]
        chosen += [VERIFYING] if self.arguments.verify else []
        driver = self.arguments.driver
        return chosen + (random_settings(seed, driver) if driver else [])

    def reference(self, runner, programs):
        expected = runner.run([program.lines() for program in programs.values()], REFERENCE)
        if expected.status != 0:
            print(f"one device: status {expected.status}: {expected.errors}", flush=True)
            expected.finished.clear()
        return expected

    def compare(self, runner, programs, expected, setting):
        """{number: what differs}; programs after one that ends the process run on their own."""
        left, wrong = list(programs), {}
        while left:
            got = runner.run([programs[n].lines() for n in left], setting)
            ended = None
            for number in left:
                text = runner.difference(number, expected.of(number), setting, got)
                if text is not None:
                    wrong[number] = text
                if got.of(number) is None:
                    ended = number
                    break
            if ended is None and got.status != 0:
                wrong[left[-1]] = f"{text_of(setting)}: status {got.status}: {got.errors}"
            left = left[left.index(ended) + 1 :] if ended is not None else []
        return wrong

    # --- failures --------------------------------------------------------------------------------
    def shrink(self, runner, seed, programs, number, setting):
        if self.arguments.shrink <= 0:
            return
        program = programs[number]

        def fails(steps):
            lines = [program.lines(steps)] * self.arguments.repeat  # some failures are rare
            wanted = runner.run(lines, REFERENCE).of(number)
            if wanted is None:
                return False  # cut too much: it is no program any more
            return runner.run(lines, setting).of(number) != wanted

        if not fails(program.steps):
            print("  on its own it does not fail", flush=True)
            return
        self.arguments.shrink -= 1
        steps = cut(program.steps, fails)
        path = self.compiler.folder / f"failed-{seed}-{number}.program"
        note = f"# library {seed}, program {number}, fails with {text_of(setting)}"
        path.write_text("\n".join([note, *program.lines(steps)]) + "\n")
        print(f"  cut down: {path}\n    " + "\n    ".join(program.lines(steps)), flush=True)


def parse():
    parser = argparse.ArgumentParser(description="random whole programs on one device and on many")
    parser.add_argument("--gridcc", default="build/bin/gridcc")
    parser.add_argument("--seed", type=int, default=1, help="first library")
    parser.add_argument("--programs", type=int, default=125, help="how many in all")
    parser.add_argument("--library-programs", type=int, default=125, help="programs of a library")
    parser.add_argument("--only", type=int, help="one program of the first library")
    parser.add_argument("--settings", type=int, default=3, help="settings besides one device")
    parser.add_argument("--verify", action="store_true", help="compare with the models, too (slow)")
    parser.add_argument("--driver", help="folder of the fake driver: random decisions, too")
    parser.add_argument("--affine", type=int, default=12, help="affine kernels of a library")
    parser.add_argument("--resume", help="file that remembers how far a long run came")
    parser.add_argument("--seconds", type=float, help="stop after about so long")
    parser.add_argument("--flags", default="-O1", help="flags of gridcc")
    parser.add_argument("--folder", default="/tmp/gridspan-programs", help="where files are written")
    parser.add_argument("--binary", help="the first library, compiled by somebody else")
    parser.add_argument("--write", help="write the first library to this file, and no more")
    parser.add_argument("--keep", action="store_true", help="keep libraries that are clean")
    parser.add_argument("--shrink", type=int, default=3, help="failures to cut down at most")
    parser.add_argument("--repeat", type=int, default=10, help="runs of each cut program")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.write:
        library = Library(arguments.seed, affine=arguments.affine)
        pathlib.Path(arguments.write).write_text(library.text())
        return 0
    fuzzer, state = Fuzzer(arguments), State(arguments.resume, arguments.seed)
    start = time.monotonic()
    if arguments.only is not None:
        arguments.keep = True
        return bool(fuzzer.one_library(arguments.seed, [arguments.only]))
    while state.programs < arguments.programs:
        count = min(arguments.library_programs, arguments.programs - state.programs)
        state.add(count, fuzzer.one_library(state.seed, range(count)))
        if arguments.seconds and time.monotonic() - start > arguments.seconds:
            break
    failed = " ".join(state.failed) or "none"
    print(f"{state.programs} programs in {time.monotonic() - start:.0f} s; failures: {failed}")
    return bool(state.failed)


if __name__ == "__main__":
    sys.exit(main())
