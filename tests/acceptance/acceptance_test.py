#!/usr/bin/env python3
# Does gridcc take what nvcc takes, and refuse what nvcc refuses?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   acceptance_test.py GRIDCC FOLDER [--nvcc NVCC] [--seed N] [--first N] [--count N] [--show]
#
# Makes small declarations and definitions at random (pieces.py) and asks both. Many are compiled at once, each in its
# namespace: those that an error names are taken out, until the rest compiles. A piece about which the two disagree is
# asked about again by itself. What is known and wanted to differ is in differences.py, with the reason.
# A run ends with how to repeat a piece; --first goes on where another run ended.
import argparse
import os
import time
import collections
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import differences  # noqa: E402
import pieces  # noqa: E402

BATCH = 250
FLAGS = ["-std=c++17", "-arch=sm_75", "--extended-lambda"]
ERROR = re.compile(r"^(\S+?)[:(](\d+)[:)][\d:]*\s*(?:fatal |catastrophic )?(error\b.*)", re.M)
LIMIT = 120  # seconds


class Piece:
    def __init__(self, seed, number):
        self.number = number
        self.kind, self.text = pieces.piece(seed, number)

    def source(self):
        return f"namespace piece_{self.number} {{\n{self.text}}}\n"


class Compiler:
    """A command that compiles a file, without an object to keep."""

    def __init__(self, name, command, folder):
        self.name, self.command, self.folder = name, command, folder

    def run(self, members, label):
        """(took it, {number: what is wrong with the piece}, output)"""
        path = self.folder / f"{label}.{self.name}.cu"
        path.write_text("".join(piece.source() for piece in members))
        begin = time.time()
        result = subprocess.run(
            ["timeout", str(LIMIT), *self.command, str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.folder,
        )
        errors = errors_of(members, result.stdout, path.name)
        if os.environ.get("ACCEPTANCE_TIMES"):
            print(f"{label} {self.name}: {len(members)} pieces, {len(errors)} errors, {time.time() - begin:.1f} s", list(errors.values())[:1], flush=True)
        return result.returncode == 0, errors, result.stdout

    def refused(self, members, label):
        """{number: why} of those that do not compile."""
        refused = {}
        rest = list(members)
        while rest:
            taken, named, output = self.run(rest, label)
            if taken:
                break
            if not named and len(rest) > 1:  # an error without a place: it is somewhere in here
                half = len(rest) // 2
                return refused | self.refused(rest[:half], label) | self.refused(rest[half:], label)
            refused |= named or {rest[0].number: first_error(output)}
            rest = [piece for piece in rest if piece.number not in refused]
        return refused


def errors_of(members, output, name):
    """Each error belongs to the piece that it speaks of, else to the one at its line: places can be wrong."""
    at, first = {}, 1
    for piece in members:
        end = first + piece.source().count("\n")
        at.update((line, piece.number) for line in range(first, end))
        first = end
    numbers = set(at.values())
    errors = {}
    for file, line, error in ERROR.findall(output):
        spoken_of = {int(number) for number in re.findall(r"\bpiece_(\d+)\b", error)} & numbers
        if len(spoken_of) == 1:
            errors.setdefault(spoken_of.pop(), error)
        elif pathlib.Path(file).name == name and int(line) in at:
            errors.setdefault(at[int(line)], error)
    return errors


def first_error(output):
    errors = [line for line in output.splitlines() if "error" in line]
    return re.sub(r"^\S+?\.cu[:(]\d+[:)\d]*:?\s*", "", errors[0]) if errors else output.strip()[:200]


def compare(members, nvcc, gridcc, label):
    """[(piece, what nvcc says or None, what gridcc says or None)] of those they do not agree on."""
    by_nvcc, by_gridcc = nvcc.refused(members, label), gridcc.refused(members, label)
    found = []
    for piece in members:
        verdicts = [by_nvcc.get(piece.number), by_gridcc.get(piece.number)]
        if (verdicts[0] is None) == (verdicts[1] is None):
            continue
        if differences.reason(piece, *verdicts) is None:  # by itself it may be another thing
            for i, compiler in enumerate((nvcc, gridcc)):
                taken, _, output = compiler.run([piece], f"{label}.{piece.number}")
                verdicts[i] = None if taken else first_error(output)
        if (verdicts[0] is None) != (verdicts[1] is None):
            found.append((piece, *verdicts))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gridcc", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("folder", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="known differences, too")
    options = parser.parse_args()
    if not pathlib.Path(options.nvcc).exists():
        print("SKIPPED: no nvcc on this machine: nobody to compare with (--nvcc names one)")
        return 77

    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    gridcc = Compiler("gridcc", [options.gridcc, *FLAGS, "-w", "-fsyntax-only", "-ferror-limit=0"], options.folder)
    nvcc = Compiler("nvcc", [options.nvcc, *FLAGS, "-w", "-Xcudafe", "--error_limit=99999", "-c", "-o", "/dev/null"], options.folder)
    members = [Piece(options.seed, options.first + i) for i in range(options.count)]
    batches = [members[i : i + BATCH] for i in range(0, len(members), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = sum(pool.map(lambda pair: compare(pair[1], nvcc, gridcc, f"batch{pair[0]}"), enumerate(batches)), [])

    kinds = collections.Counter()
    unknown = 0
    for piece, by_nvcc, by_gridcc in found:
        reason = differences.reason(piece, by_nvcc, by_gridcc)
        kinds[reason] += 1
        unknown += reason is None
        if reason is None or options.show:
            who = f"nvcc takes, gridcc refuses: {by_gridcc}" if by_nvcc is None else f"gridcc takes, nvcc refuses: {by_nvcc}"
            print(f"--- {piece.number} ({piece.kind}{', known' if reason else ''}): {who}\n{piece.text}")
    for reason, count in kinds.items():
        if reason:
            print(f"known: {count} times: {reason}")
    print(f"{options.count} pieces of seed {options.seed} from {options.first}: {unknown} disagreements")
    print(f"repeat one: {sys.argv[0]} {options.gridcc} FOLDER --seed {options.seed} --count 1 --first NUMBER")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
