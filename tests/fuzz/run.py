#!/usr/bin/env python3
# Differential fuzzer: random kernels run as regions and in the interpreter must give equal bytes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   tests/fuzz/run.py --gridcc build/bin/gridcc --seed 1 --files 100      seeds 1 to 100
#   tests/fuzz/run.py --gridcc build/bin/gridcc --seed 77 --reduce        cut a failure down
#
# Each seed is one file of many kernels, so a run resumes at any seed. A failure prints seed, kernel
# and the command that shows it again; the files stay in --folder.
import argparse
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import program_cache  # noqa: E402
from program import Program  # noqa: E402

MODES = {
    "interpret": {"GRIDSPAN_CPU": "interpret"},
    "regions": {"GRIDSPAN_THREADS": "1"},
    "regions, 3 threads": {"GRIDSPAN_THREADS": "3"},
}


class Fuzzer:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = pathlib.Path(arguments.folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def path(self, seed, suffix):
        return self.folder / f"seed{seed}{suffix}"

    def compile(self, source, program):
        """(exit status, what gridcc said)"""
        here = pathlib.Path(__file__).parent
        command = [
            self.arguments.gridcc,
            *self.arguments.flags.split(),
            "-std=c++17",
            "-arch=sm_90",
            "-w",
            f"-I{here}",
            str(source),
            "-o",
            str(program),
        ]

        def compile_it():
            result = self.call(command, 300)
            return result.returncode, result.stdout

        return program_cache.kept(self.arguments.gridcc, command, source, program, compile_it)

    def call(self, command, limit, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
        environment.update(variables)
        return subprocess.run(
            ["timeout", "-k", "2", str(limit), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            env=environment,
        )

    def run_mode(self, program, mode, kernel=None):
        """(problem or None, results by kernel and launch)"""
        dump = pathlib.Path(f"{program}.{mode.split(',')[0]}.dump")
        command = [str(program), str(dump)] + ([] if kernel is None else [str(kernel)])
        result = self.call(command, 120, **MODES[mode])
        data = dump.read_bytes() if dump.exists() else b""
        dump.unlink(missing_ok=True)
        if result.returncode != 0 or result.stdout.strip():
            return f"{mode}: exit {result.returncode}\n{result.stdout[:2000]}", data
        return None, data

    def difference(self, program, kernel=None):
        """What is wrong with a program, or None. Names the first kernel that differs."""
        reference = None
        for mode in MODES:
            problem, data = self.run_mode(program, mode, kernel)
            if problem:
                return problem
            if reference is None:
                reference = data
            elif data != reference:
                return f"{mode} differs from the interpreter {where(reference, data)}"
        return None

    def kernels_that_fail(self, seed, program, count):
        return [k for k in range(count) if self.difference(program, k) is not None]

    def one_seed(self, seed):
        """True if the seed is clean."""
        generated = Program(seed, self.arguments.kernels)
        source, program = self.path(seed, ".cu"), self.path(seed, "")
        source.write_text(generated.text())
        status, said = self.compile(source, program)
        if status != 0:
            print(f"FAIL seed {seed}: does not compile ({source})\n{said[:3000]}", flush=True)
            return False
        problem = self.difference(program)
        if problem is None:
            if not self.arguments.keep:
                source.unlink()
                program.unlink()
            return True
        bad = self.kernels_that_fail(seed, program, len(generated.kernels))
        print(
            f"FAIL seed {seed}, kernels {bad}: {problem}\n  source: {source}\n  again: "
            f"{sys.executable} {__file__} --gridcc {self.arguments.gridcc} "
            f"--flags='{self.arguments.flags}' "
            f"--kernels {self.arguments.kernels} --seed {seed} --files 1 --keep",
            flush=True,
        )
        return False


def where(one, two):
    """Kernel and launch of the first difference between two dumps."""
    at = next((i for i, (a, b) in enumerate(zip(one, two)) if a != b), min(len(one), len(two)))
    head = one.rfind(b"kernel ", 0, at + 1)
    line = one[head : head + 40].split(b"\n")[0].decode(errors="replace")
    return f"in {line}, word {(at - head - len(line) - 1) // 4}"


def parse():
    parser = argparse.ArgumentParser(description="compares region code with the interpreter")
    parser.add_argument("--gridcc", default="build/bin/gridcc")
    parser.add_argument("--seed", type=int, default=1, help="first seed")
    parser.add_argument("--files", type=int, default=1, help="how many seeds, one file each")
    parser.add_argument("--kernels", type=int, default=40, help="kernels in a file")
    parser.add_argument("--flags", default="-O2", help="flags of gridcc")
    parser.add_argument("--folder", default="/tmp/gridspan-fuzz", help="where files are written")
    parser.add_argument(
        "--keep", action="store_true", help="keep sources and programs of clean seeds"
    )
    parser.add_argument(
        "--reduce", action="store_true", help="cut the failing kernels of --seed down"
    )
    return parser.parse_args()


def main():
    arguments = parse()
    fuzzer = Fuzzer(arguments)
    if arguments.reduce:
        from reducer import reduce_seed

        return reduce_seed(fuzzer, arguments.seed)
    start, failed = time.monotonic(), []
    for seed in range(arguments.seed, arguments.seed + arguments.files):
        if not fuzzer.one_seed(seed):
            failed.append(seed)
    kernels = arguments.files * arguments.kernels
    print(
        f"{kernels} kernels in {time.monotonic() - start:.0f} s; failing seeds: {failed or 'none'}"
    )
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
