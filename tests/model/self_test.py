#!/usr/bin/env python3
# The checks of golden.py must find what is wrong: a right model passes, broken ones do not.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import copy
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the source tree stays clean
import expectations
import golden
import isl_text

EXPECTED = """
= demo
# comment
tiled: x{blockDim_x <= 8} y?; exact|may_write; race x; with k=0..2; names fence; fails
  out[n, m + 1] write read~ (may)
  hist add
"""

KERNEL = {
    "name": "_Z5tiledPfii",
    "readable": "void tiled<int>(float*, int, int)",
    "arguments": [{"name": "out", "type": "float*"}, {"name": "hist", "type": "int*"}],
    "rung": "exact",
    "suggested_axis": "x",
    "parameters": [
        {"name": "blockDim_x", "kind": "block_dim", "axis": "x"},
        {"name": "n", "kind": "argument", "argument": 2, "bytes": 4},
        {"name": "m", "kind": "argument", "argument": 3, "bytes": 4},
        {"name": "nm", "kind": "product", "factors": ["n", "m"]},
        {"name": "half", "kind": "expression", "expression": "[nm] -> { [(floor((nm)/2))] }"},
    ],
    "arrays": [
        {
            "name": "out",
            "space": "global",
            "argument": 0,
            "element_bytes": 4,
            "element_type": "float",
            "extents": ["[n] -> { [(n)] }", "[m] -> { [(1 + m)] }"],
            "accesses": [{"kind": "write", "bytes": 4, "exact": True}],
            "sets": [
                {
                    "kind": "must_write",
                    "exact_block": True,
                    "exact_part": True,
                    "accesses": [0],
                    "assumptions": [0],
                    "pieces": [{"image": "[n] -> { out[i0, i1, i2] : 0 <= i2 < n }"}],
                },
                {"kind": "read", "exact_block": False, "exact_part": False, "accesses": [0]},
            ],
        },
        {
            "name": "hist",
            "space": "global",
            "argument": 1,
            "element_bytes": 4,
            "sets": [
                {"kind": "reduction", "op": "add", "exact_block": True, "exact_part": True}
            ],
        },
        {"name": "tile", "space": "shared", "element_bytes": 4},
    ],
    "assumptions": [
        {"kind": "holds", "text": "0 <= x < n", "condition": "[n] -> {  : n > 0 }"},
        {"kind": "in_range", "text": "no wrap"},
    ],
    "remarks": [{"obstacle": "fence", "text": "__threadfence"}],
    "axes": {
        "x": {
            "legal": "[blockDim_x, half] -> {  : blockDim_x <= 8 or half < 0 }",
            "read_write_overlap": True,
        },
        "y": {"legal": "{  :  }"},
        "z": {"legal": "[gridDim_z] -> {  : gridDim_z <= 1 }"},
    },
}

# Where the model is spoilt, with what, and a word of the complaint.
SPOILT = [
    (["rung"], "reduction", "rung"),
    (["axes", "x", "legal"], "{  : false }", "expected legal"),
    (["axes", "x", "legal"], "[blockDim_x] -> {  : blockDim_x <= 7 }", "expected legal"),
    (["axes", "x", "read_write_overlap"], False, "race"),
    (["axes", "z", "legal"], "{  :  }", "expected illegal"),
    (["arrays", 0, "extents"], ["[n] -> { [(n)] }"], "extents"),
    (["arrays", 0, "extents", 1], "[m] -> { [(2 + m)] }", "extents"),
    (["arrays", 0, "sets", 0, "exact_part"], False, "expected write"),
    (["arrays", 0, "sets", 0, "unbounded"], True, "expected write"),
    (["arrays", 0, "sets", 0, "kind"], "may_write", "expected write"),
    (["arrays", 0, "sets", 1, "unbounded"], True, "expected read~"),
    (["arrays", 0, "sets", 1, "kind"], "atomic", "got atomic"),
    (["arrays", 1, "sets", 0, "op"], "max", "expected add"),
    (["arrays", 1, "sets", 0, "exact_block"], False, "expected add"),
    (["arrays", 1, "name"], "other", None),  # the argument's name counts
    (["arrays", 2, "space"], "global", "not expected"),
    (["assumptions", 0, "condition"], "[n] -> {  : n <= 0 }", "ordinary launches"),
    (["remarks"], [], "not named"),
    (["arrays"], [], "not in the model"),
]


def complaints(kernel):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "expected.txt")
        path.write_text(EXPECTED)
        expected = expectations.read_expected(path)["demo"]
    return golden.complaints_about([kernel], expected)["tiled"]


class Checks(unittest.TestCase):
    def test_right_model(self):
        self.assertEqual(complaints(KERNEL), [])

    def test_spoilt_models(self):
        for path, value, word in SPOILT:
            kernel = copy.deepcopy(KERNEL)
            place = kernel
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            found = complaints(kernel)
            with self.subTest(path=path, value=value):
                if word is None:
                    self.assertEqual(found, [])
                else:
                    self.assertTrue(any(word in line for line in found), found)

    def test_unknown_kernels(self):
        found = golden.complaints_about([KERNEL], {})
        self.assertEqual(found, {"tiled": ["not in expected.txt"]})

    def test_failed_assumptions(self):
        output = """gridspan verify: 4 launches, 9 sets, 0 differences, 3 assumptions failed
gridspan verify:   void tiled<4>(int*, unsigned int): 2 launches, 5 blocks, 9 sets, 0 differences
gridspan verify:     failed in 2 launches: 0 <= x < n
gridspan verify:     failed in 1 launch: n >= 0
gridspan verify:   other(int*): 1 launch, 5 blocks, 9 sets, 0 differences"""
        report = golden.oracle_report(output)
        self.assertEqual(
            report, {"tiled": (2, {"0 <= x < n": 2, "n >= 0": 1}), "other": (1, {})}
        )
        for line, count in (
            ("tiled: x; exact; fails?\nother: x; exact", 1),  # one failed in every launch
            ("tiled: x; exact\nother: x; exact", 2),
            ("other: x; exact; fails", 1),
            ("other: x; exact\nnever: x; exact", 1),
        ):
            expected = {e.name: e for e in map(expectations.Expected, line.splitlines())}
            found = list(golden.complaints_of_run(report, expected))
            self.assertEqual(len(found), count, found)

    def test_golden_text(self):
        text = golden.golden_text([KERNEL])
        for line in (
            "  exact, suggested axis x",
            "  split x: { : blockDim_x <= 8 or half < 0 }, reads what others write",
            "  split y: always",
            "  global float out[n][1 + m]",
            "    write, exact for block and part",
            "      assumes 0 <= x < n",
            "      { out[i0, i1, i2] : 0 <= i2 < n }",
        ):
            squeezed = [" ".join(l.split()) for l in text.splitlines()]
            self.assertIn(" ".join(line.split()), squeezed)
        self.assertNotIn("tile", text.replace("tiled", ""))


class IslText(unittest.TestCase):
    def test_conditions(self):
        for text, values, holds in [
            ("{  :  }", {}, True),
            ("{  : false }", {}, False),
            ("[n] -> {  : n <= 5 or (n >= 31 and 3*floor((n)/3) < n) }", {"n": 32}, True),
            ("[n] -> {  : n <= 5 or (n >= 31 and 3*floor((n)/3) < n) }", {"n": 33}, False),
            ("[n] -> {  : (-1 + n) mod 3 = 0 and 0 <= n < 9 }", {"n": 4}, True),
            ("[n] -> {  : (-1 + n) mod 3 = 0 and 0 <= n < 9 }", {"n": 10}, False),
            ("[n, b] -> {  : exists (e0: 3e0 >= n and 5e0 <= 2n - b) }", {"n": 3, "b": 1}, True),
            ("[n, b] -> {  : exists (e0: 3e0 >= n and 5e0 <= 2n - b) }", {"n": 3, "b": 2}, False),
            ("[n] -> {  : exists (e0 = floor((n)/2): 2e0 = n) }", {"n": 6}, True),
            ("[p.a, q'] -> {  : p.a > 2q' }", {"p.a": 3, "q'": 1}, True),
        ]:
            with self.subTest(text=text, values=values):
                self.assertEqual(isl_text.Condition(text).holds(values), holds)

    def test_values(self):
        piecewise = isl_text.Value("[n] -> { [(floor((n)/3))] : n > 0; [(7)] : n < 0 }")
        self.assertEqual([piecewise.at({"n": n}) for n in (7, -1, 0)], [2, 7, None])
        self.assertEqual(isl_text.Value("[n] -> { [(-n + 2*floor((1 + n)/3))] }").at({"n": 8}), -2)

    def test_unreadable(self):
        with self.assertRaises(isl_text.Unreadable):
            isl_text.Value("{ A[i] }")


if __name__ == "__main__":
    sys.exit(unittest.main())
