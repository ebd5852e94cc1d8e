#!/usr/bin/env python3
# Does gridcc take what nvcc takes, and refuse what nvcc refuses?
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   acceptance_test.py GRIDCC FOLDER [--nvcc NVCC] [--seed N] [--first N] [--count N] [--values N] [--show]
#
# Makes small declarations and definitions at random (pieces.py) and asks both. Many are compiled at once, each in its
# namespace: those that an error names are taken out, until the rest compiles. A piece about which the two disagree is
# asked about again by itself. What is known and wanted to differ is in differences.py, with the reason.
# Of the first N pieces that both take, the functions are called, and their values compared (values.py).
# A disagreement is shown with both answers and the command that asks for it again; --first goes on where another run
# ended.
import argparse
import collections
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays clean
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(pathlib.Path(__file__).resolve().parent.parent)]
import differences  # noqa: E402
import pieces  # noqa: E402
import program_cache  # noqa: E402
import values  # noqa: E402

BATCH = 125
FLAGS = ["-std=c++17", "-arch=sm_75", "--extended-lambda"]
ERROR = re.compile(r"^(\S+?)[:(](\d+)[:)][\d:]*\s*(?:fatal |catastrophic )?(error\b.*)", re.M)
HOST_CALL = re.compile(r"^(\S+?)[:(](\d+)[:)][\d:]*\s*(warning.*calling a __host__ function.*)", re.M)
LIMIT = 500  # seconds
CRASH = "frontend command failed with exit code"


class Piece:
    def __init__(self, seed, number):
        self.number = number
        self.kind, self.text, self.uses = pieces.piece(seed, number)

    def source(self):
        return f"namespace piece_{self.number} {{\n{self.text}}}\n"


def source_of(members):
    return "".join(piece.source() for piece in members)


class Compiler:
    """A command that compiles a file, without an object to keep."""

    def __init__(self, name, command, folder):
        self.name, self.command, self.folder = name, command, folder
        self.is_nvcc = name == "nvcc"  # whose answers stay the same
        self.warned = set()  # pieces in which device code reaches calls of the host's

    def run(self, members, label):
        """(took it, {number: what is wrong with the piece}, output)"""
        path = self.folder / f"{label}.{self.name}.cu"
        path.write_text(source_of(members))
        if self.is_nvcc:
            texts = ["acceptance", *values.identity(self.command), path, path.read_text()]
            status, output = program_cache.remembered(texts, lambda: self.ask(path))
        else:
            status, output = self.ask(path)
        self.warned |= of_pieces(members, output, path.name, HOST_CALL).keys()
        return status == 0, of_pieces(members, output, path.name, ERROR), output

    def ask(self, path):
        result = subprocess.run(
            ["timeout", str(LIMIT), *self.command, str(path)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=self.folder,
        )
        if result.returncode in (124, 126, 127):
            raise RuntimeError(f"{self.name} did not run to its end on {path}:\n{result.stdout[:1000]}")
        if CRASH in result.stdout:
            raise RuntimeError(f"{self.name} crashed on {path}:\n{result.stdout[-2000:]}")
        return result.returncode, result.stdout

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

    def verdict(self, piece, label):
        """What is wrong with a piece; None if it compiles."""
        taken, _, output = self.run([piece], label)
        return None if taken else first_error(output)


def of_pieces(members, output, name, pattern):
    """{number: message}. Each belongs to the piece that it speaks of, else to the one at its line: places can be wrong."""
    at, first = {}, 1
    for piece in members:
        end = first + piece.source().count("\n")
        at.update((line, piece.number) for line in range(first, end))
        first = end
    numbers = set(at.values())
    found = {}
    for file, line, message in pattern.findall(output):
        spoken_of = {int(number) for number in re.findall(r"\bpiece_(\d+)\b", message)} & numbers
        if len(spoken_of) == 1:
            found.setdefault(spoken_of.pop(), message)
        elif pathlib.Path(file).name == name and int(line) in at:
            found.setdefault(at[int(line)], message)
    return found


def first_error(output):
    errors = [line for line in output.splitlines() if "error" in line]
    return re.sub(r"^\S+?\.cu[:(]\d+[:)\d]*:?\s*", "", errors[0]) if errors else output.strip()[:200]


def differing(members, by_nvcc, by_gridcc):
    return [piece for piece in members if (piece.number in by_nvcc) != (piece.number in by_gridcc)]


def compare(members, nvcc, gridcc, label):
    """[(piece, what nvcc says or None, what gridcc says or None)] of those they do not agree on, and those both take."""
    by_nvcc, by_gridcc = nvcc.refused(members, label), gridcc.refused(members, label)
    found, unsure = [], []
    for piece in differing(members, by_nvcc, by_gridcc):
        verdicts = by_nvcc.get(piece.number), by_gridcc.get(piece.number)
        (unsure if differences.reason(piece, *verdicts) is None else found).append((piece, *verdicts))
    # Other pieces' errors can hide what a compiler says, so ask again without them, then one by one.
    unsure = [piece for piece, *_ in unsure]
    if unsure:
        unsure = differing(unsure, nvcc.refused(unsure, f"{label}.again"), gridcc.refused(unsure, f"{label}.again"))
    for piece in unsure:
        verdicts = [compiler.verdict(piece, f"{label}.{piece.number}") for compiler in (nvcc, gridcc)]
        if (verdicts[0] is None) != (verdicts[1] is None):
            found.append((piece, *verdicts))
    taken = [piece for piece in members if piece.number not in by_nvcc and piece.number not in by_gridcc]
    return found, taken


def compare_values(members, nvcc, gridcc, label):
    """[(piece, the question, nvcc's value, gridcc's)] and how many were compared."""
    members = [piece for piece in members if piece.number not in nvcc.warned | gridcc.warned]
    return values.compare(members, source_of, nvcc.command[:1], gridcc.command[:1], FLAGS, nvcc.folder, label)


def repeat(options, piece):
    return (f"{sys.argv[0]} {options.gridcc} FOLDER --nvcc {options.nvcc} --seed {options.seed} "
            f"--first {piece.number} --count 1 --values 1")


def show(options, piece, why, kind=""):
    print(f"--- {piece.number} ({piece.kind}{kind}): {why}\n{piece.text}repeat: {repeat(options, piece)}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gridcc", type=lambda name: str(pathlib.Path(name).resolve()))
    parser.add_argument("folder", type=lambda name: pathlib.Path(name).resolve())
    parser.add_argument("--nvcc", default=shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc")
    parser.add_argument("--seed", type=int, default=28)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--values", type=int, default=500, help="compare what programs compute, of the first N pieces")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="known differences, too")
    options = parser.parse_args()
    if not pathlib.Path(options.nvcc).exists():
        print("SKIPPED: no nvcc on this machine: nobody to compare with (--nvcc names one)")
        return 77

    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    gridcc = Compiler("gridcc", [options.gridcc, *FLAGS, "-fsyntax-only", "-ferror-limit=0"], options.folder)
    nvcc = Compiler("nvcc", [options.nvcc, *FLAGS, "-Xcudafe", "--error_limit=99999", "-c", "-o", "/dev/null"], options.folder)
    members = [Piece(options.seed, options.first + i) for i in range(options.count)]
    batches = [members[i : i + BATCH] for i in range(0, len(members), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def ask(number):
            found, taken = compare(batches[number], nvcc, gridcc, f"batch{number}")
            wanted = [piece for piece in taken if piece.number < options.first + options.values]
            return found, *(compare_values(wanted, nvcc, gridcc, f"values{number}") if wanted else ([], 0))
        answers = list(pool.map(ask, range(len(batches))))

    kinds = collections.Counter()
    unknown = compared = 0
    for found, others, count in answers:
        compared += count
        unknown += len(others)
        for piece, by_nvcc, by_gridcc in found:
            reason = differences.reason(piece, by_nvcc, by_gridcc)
            kinds[reason] += 1
            unknown += reason is None
            if reason is None or options.show:
                show(options, piece, f"nvcc: {by_nvcc or 'takes it'}; gridcc: {by_gridcc or 'takes it'}", ", known" if reason else "")
        for piece, question, by_nvcc, by_gridcc in others:
            show(options, piece, f"{question} is {by_nvcc} for nvcc, {by_gridcc} for gridcc")
    for reason, count in kinds.items():
        if reason:
            print(f"known: {count} times: {reason}")
    print(f"{options.count} pieces of seed {options.seed} from {options.first}, {compared} values: {unknown} disagreements")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
