#!/usr/bin/env python3
"""What `gridspan explain` says of launches that follow one another: bytes as formulas, or why they stay apart.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    sequences.py GRIDCC GRIDSPAN SEQUENCES.CU FOLDER
"""

import json
import pathlib
import re
import subprocess
import sys

# Formulas count in elements here: all have four bytes. N is n, or n*n for matrices.
# Function: each group that could be one kernel, as (steps, apart, together, without arrays that only pass values).
ONE_KERNEL = {
    "axpydot_library": [("1-3", "7N", "4N", "3N")],
    "axpydot_natural": [("1-2", "5N", "4N", "3N")],
    "vadd_library": [("1-3", "8N", "4N", None)],
    "vadd_natural": [("1-2", "6N", "5N", "4N")],
    "waxpby_seven": [("1-3", "7N", "3N", None)],
    "waxpby_five": [("1-2", "5N", "3N", None)],
    "madd_library": [("1-2", "5N", "3N", None)],
    "bicgk_by_tiles": [("1-2", "2N", "1N", None)],
    # With the product that comes behind, 8N -> 3N and 4N -> 3N.
    "gemver_library": [("1-4", "7N", "2N", "1N")],
    "gemver_natural": [("1-2", "3N", "2N", "1N")],
    # The last element that is read comes from memory, so y is no array that only passes values.
    "short_producer": [("1-2", "4N", "3N", None)],
}
# Legal, and nothing to be gained.
USELESS = {"gesummv": "2N", "bicgk_by_rows": "2N", "guarded_producer": "4N", "other_size": None}
# Chains only: bytes, and why they are no one kernel.
CHAINS = {
    "stencil_then_reader": ("5N", "4N", r"block \S+ of smooth reads in\[\d+\], which block \S+ of smooth_in_place writes"),
    "srad_like": ("5N", "3N", r"block \S+ of smooth_in_place writes x\[\d+\], which block \S+ of difference reads"),
    "double_buffered": ("4N", "3N", r"block \S+ of smooth writes out\[\d+\], which block \S+ of smooth reads"),
    "steps": ("4N", "3N", r"block \S+ of smooth writes out\[\d+\], which block \S+ of smooth reads"),
    "other_grid": ("4N", "3N", "their grids or blocks are not known to be equal"),
}
# Neither: why, and text of the lines that the reason names.
APART = {
    "sgemvt": (r"block \S+ of rows reads x\[\d+\], which block \S+ of columns writes; no chain either: "
               "a block of rows needs most blocks of columns", ["y[I] = a * sum", "sum += m[I * n + j] * x[j]"]),
    "atax": (r"block \S+ of columns reads x\[\d+\], which block \S+ of rows writes; no chain either: "
             "a block of columns needs most blocks of rows", ["y[I] = a * sum", "sum += m[i * n + I] * x[i]"]),
    "gemver_natural": (r"block \S+ of rows_of_tile reads x\[\d+\], which block \S+ of columns_of_tile updates; no chain either: "
                       "the order of columns_of_tile's atomic updates would show",
                       ["atomicAdd(&y[I]", "atomicAdd(&y[ROW]"]),
    "rows_then_columns": (r"block \S+ of sums_of_columns \w+ m\S+, which block \S+ of sums_of_rows \w+; no chain either: "
                          "a block of sums_of_columns needs most blocks of sums_of_rows", ["m[I * n + j] +=", "m[i * n + I] +="]),
    "loaded_subscripts": (r"any element of x may be read \(depends on a value loaded from 'index'\)",
                          ["y[I] *= a", "y[I] = x[index[I]]"]),
    "prints": ("loud: prints", ["printf"]),
    "is_volatile": ("looks: volatile access", ["y[I] += 1"]),
    "has_a_fence": ("fenced: memory fence across thread blocks", ["__threadfence"]),
    "atomics_with_results": ("numbered: uses the result of an atomic operation", ["atomicAdd(next"]),
}
# No verdict, but what stands between: words of the text.
BETWEEN = {
    "cooperative": "kept apart: blocks of a cooperative launch may wait for each other",
    "two_streams": "kept apart: their streams may differ",
    "timed": "kept apart: cudaEventRecord may take a time",
    "waiting": "kept apart: cudaDeviceSynchronize waits",
    "read_back": "kept apart: cudaMemcpy copies to or from the host",
}
ALONE = ["sscal", "sgemv", "madd_natural"]


def in_elements(formula):
    """28*n -> 7N, 4*n*n -> 1N."""
    match = re.fullmatch(r"(\d+)\*(n|n\*n)", formula)
    return f"{int(match[1]) // 4}N" if match and int(match[1]) % 4 == 0 else formula


def parts(text):
    """(apart, together, least or None) of "28*n -> 16*n bytes (12*n if y is not read afterwards)"."""
    match = re.fullmatch(r"(?:at most )?(\S.*?) -> (\S.*?) bytes(?: \((\S+) if .* (?:is|are) not read afterwards\))?"
                         r"(?:; values may stay in registers)?(?:; if the grid has one block along z)?", text)
    return tuple(part and in_elements(part) for part in match.groups()) if match else (text,)


def steps(verdict):
    return f"{verdict['steps'][0] + 1}-{verdict['steps'][-1] + 1}"


def lines_of(verdict, source):
    return [source[int(where.rsplit(":", 2)[1]) - 1] for where in verdict["where"]]


class Check:
    def __init__(self, sequences, text, source):
        self.sequences = sequences
        self.text = text
        self.source = source
        self.wrong = []

    def verdicts(self, function, kind):
        return [one for one in self.sequences[function]["fusion"] if one["kind"] == kind]

    def expect(self, function, got, want):
        if got != want:
            self.wrong.append(f"{function}: {got}, expected {want}")

    def reason(self, function, verdict, pattern):
        if not re.fullmatch(pattern, verdict["reason"]):
            self.wrong.append(f"{function}: {verdict['reason']!r} is not {pattern!r}")

    def run(self):
        for function, want in ONE_KERNEL.items():
            self.expect(function, [(steps(one), *parts(one["bytes"])) for one in self.verdicts(function, "one_kernel")], want)
        for function, size in USELESS.items():
            found = self.verdicts(function, "useless")
            self.expect(function, len(found), 1)
            if size:
                self.expect(function, [parts(one["bytes"])[:2] for one in found], [(size, size)])
        for function, (apart, together, pattern) in CHAINS.items():
            found = self.verdicts(function, "chain")
            self.expect(function, [parts(one["bytes"])[:2] for one in found], [(apart, together)])
            for one in found:
                self.reason(function, one, pattern)
        for function, (pattern, lines) in APART.items():
            found = self.verdicts(function, "apart")
            self.expect(function, len(found), 1)
            for one in found:
                self.reason(function, one, pattern)
                at = lines_of(one, self.source)
                if len(at) != len(lines) or not all(word in line for word, line in zip(lines, at)):
                    self.wrong.append(f"{function}: the reason names {at}, expected {lines}")
        for function, words in BETWEEN.items():
            self.expect(function, self.sequences[function]["fusion"], [])
            section = self.text.split(f"launches in {function}(")[1].split("launches in ")[0]
            if words not in section:
                self.wrong.append(f"{function}: no {words!r} in {section}")
        for function in ALONE:
            self.expect(function, self.sequences[function]["fusion"], [])
        known = {*ONE_KERNEL, *USELESS, *CHAINS, *APART, *BETWEEN, *ALONE}
        self.expect("functions", sorted(self.sequences), sorted(known))
        return self.wrong


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def main():
    gridcc, gridspan, source, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / "sequences.o"
    output(gridcc, "-O2", "--no-ptx", "-c", source, "-o", made)
    found = json.loads(output(gridspan, "explain", "--json", made))["sequences"]
    sequences = {}
    for one in found:
        length = re.match(r"_Z(\d+)", one["function"])
        begin = length.end()
        sequences[one["function"][begin:begin + int(length[1])]] = one
    wrong = Check(sequences, output(gridspan, "explain", made), pathlib.Path(source).read_text().splitlines()).run()
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
