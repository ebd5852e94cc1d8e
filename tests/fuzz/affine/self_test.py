#!/usr/bin/env python3
# Tests of the generator itself: ranges are right, seeds repeat, cutting down keeps what matters.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import itertools
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import checks  # noqa: E402
import model_statistics  # noqa: E402
import ranges  # noqa: E402
from program import Program, program_text  # noqa: E402
from shrink import kernel_text, shrink  # noqa: E402
from statements import Store  # noqa: E402


def machine(op, a, b, kind):
    """What hardware computes, one value at a time; None where C says nothing."""
    low, high = ranges.LIMITS[kind]
    if op in "/%" and b == 0:
        return None
    if op in ("<<", ">>") and not 0 <= b < 31:
        return None
    exact = {
        "+": lambda: a + b,
        "-": lambda: a - b,
        "*": lambda: a * b,
        "/": lambda: int(a / b),
        "%": lambda: a - int(a / b) * b,
        "<<": lambda: a << b,
        ">>": lambda: a >> b,
        "&": lambda: a & b,
        "|": lambda: a | b,
        "^": lambda: a ^ b,
        "min": lambda: min(a, b),
        "max": lambda: max(a, b),
    }[op]()
    if kind[0] == "u":
        return exact % (high + 1)
    return exact if low <= exact <= high else None


INTERVALS = [(0, 0), (-3, 2), (0, 5), (4, 9), (-7, -2), (1, 3), (14, 17)]
OPS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "min", "max")


class Ranges(unittest.TestCase):
    def test_operations_hold_all_values(self):
        for kind, op, a, b in itertools.product(("i32", "u32", "i64"), OPS, INTERVALS, INTERVALS):
            one, two = ranges.converted(a, kind), ranges.converted(b, kind)
            try:
                low, high = ranges.operation(op, one, two, kind)
            except ranges.Reject:
                continue
            size = ranges.LIMITS[kind][1] + 1 if kind[0] == "u" else 0
            wrap = (lambda v: v % size) if size else (lambda v: v)
            for x, y in itertools.product(range(a[0], a[1] + 1), range(b[0], b[1] + 1)):
                value = machine(op, wrap(x), wrap(y), kind)
                if value is not None:
                    self.assertTrue(low <= value <= high, f"{kind}: {x} {op} {y} = {value}")

    def test_conversions_hold_all_values(self):
        for kind in ranges.LIMITS:
            bottom, top = ranges.LIMITS[kind]
            size = top - bottom + 1
            for low, high in [*INTERVALS, (120, 130), (250, 260), (-130, -126), (65530, 65540)]:
                found = ranges.converted((low, high), kind)
                for value in range(low, high + 1):
                    wrapped = (value - bottom) % size + bottom
                    self.assertTrue(found[0] <= wrapped <= found[1], f"{kind} of {value}")

    def test_comparisons_narrow_only_what_cannot_be(self):
        for op, a, b in itertools.product(ranges.NEGATED, INTERVALS, INTERVALS):
            found = ranges.narrowed(a, op, b)
            answers = set()
            for x, y in itertools.product(range(a[0], a[1] + 1), range(b[0], b[1] + 1)):
                answers.add(eval(f"{x} {op} {y}"))
                if eval(f"{x} {op} {y}"):
                    self.assertIsNotNone(found)
                    self.assertTrue(found[0] <= x <= found[1], f"{x} {op} {y}")
            known = ranges.compared(op, a, b)
            self.assertTrue(known is None or answers == {known})


class Generator(unittest.TestCase):
    def test_a_seed_repeats(self):
        self.assertEqual(Program(7, 10).text(), Program(7, 10).text())
        self.assertNotEqual(Program(7, 10).text(), Program(8, 10).text())

    def test_kernels_are_varied(self):
        text = "".join(Program(seed, 25).text() for seed in range(1, 9))
        for part in (
            "do {",
            "while (",
            "switch (",
            "continue;",
            "break;",
            "return;",
            "__shared__",
            "float4*>",
            "Cell*",
            "atomic",
            ">>= 1",
            "__restrict__",
            "view.",
            "put(",
            "place0(",
            "(take(",
            "gridDim.x * blockDim.x",
            "T[T[",
            "? ",
            "&&",
            "||",
            "size_t",
            "(short)",
            "long long",
            "__device__ float",
            "threadIdx.z",
            "(*A)[17]",
            ">= 1; ",  # halved by division
            "*= 2) {",
            "<<= 1) {",
            " != ep",
            "acc += (float)*p",
            "  pk",
            "const unsigned* T",
            "col = (i % ",
            "row = ((i / ",
            "j * blockDim.x",
            "block * (blockDim.x * blockDim.y)",
            "(n + 1)) + i",
        ):
            self.assertIn(part, text)

    def test_guards_are_varied(self):
        text = "".join(Program(seed, 25, 90, guards=True).text() for seed in range(1, 17))
        for part in (
            "; break; }",
            "; return; }",
            "; continue; }",
            "while (true) {",
            "& (bool)",
            "| (bool)",
            "^ (bool)",
            "&= (int)(bool)",
            "bool f",
            "unsigned f",
            "(0 - f",
            "* f",
            "threadIdx.x / 32u",
            "threadIdx.x & 31u",
            " = min((int)(hi",
            "; ++k3) if (",
        ):
            self.assertIn(part, text)

    def test_guards_decide(self):
        """Few of them are hidden by a store that happens anyway."""
        kernels = [k for seed in range(1, 9) for k in Program(seed, 25, 90, guards=True).kernels]
        last_is_store = sum(isinstance(kernel.body[-1], Store) for kernel in kernels)
        self.assertLess(last_is_store, len(kernels) / 2)

    def test_small_kernels(self):
        for kernel in Program(3, 40, most_size=60).kernels:
            self.assertLessEqual(kernel.size()[0], 60)

    def test_classes(self):
        kernels = [kernel for seed in range(1, 9) for kernel in Program(seed, 25).kernels]
        by_class = {name: [k for k in kernels if k.class_of() == name] for name in CLASSES}
        for name, found in by_class.items():
            self.assertGreater(len(found), 8, name)
        for kernel in by_class["plain"]:
            self.assertNotIn("T[T[", kernel_text(kernel))


CLASSES = ("plain", "data", "racy", "wild")


def container(models):
    """A container as src/abi/container.h has it, with one entry before the model."""
    payload = json.dumps({"kernels": models}).encode()
    start = model_statistics.HEADER.size + 2 * model_statistics.ENTRY.size
    entries = model_statistics.ENTRY.pack(1, 1, start, 8)
    entries += model_statistics.ENTRY.pack(model_statistics.MODEL, 1, start + 8, len(payload))
    size = start + 8 + len(payload)
    header = model_statistics.HEADER.pack(model_statistics.MAGIC, 2, 2, size, bytes(16))
    return header + entries + b"bitcode." + payload


def model(name, kinds, legal):
    accesses = [{"exact": kind == "exact", "unbounded": kind == "unbounded"} for kind in kinds]
    arrays = [{"space": "global", "accesses": accesses}, {"space": "shared", "accesses": accesses}]
    never = {"legal": "[n] -> {  : false }"}
    axes = {"x": {"legal": legal} if legal else {}, "y": never, "z": {}}
    return {"readable": f"{name}(float*, int)", "arrays": arrays, "axes": axes}


class Statistics(unittest.TestCase):
    def test_counts(self):
        models = [
            model("kernel0", ["exact", "exact", "may"], "[n] -> {  :  }"),
            model("kernel1", ["exact"], "[n] -> {  : false }"),
            model("kernel2", ["unbounded"], "[n] -> {  : n > 3 }"),
        ]
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"program" + container(models[:1]) + bytes(9) + container(models[1:]))
            file.flush()
            classes = {"kernel0": "plain", "kernel1": "plain", "kernel2": "data"}
            counts = model_statistics.statistics(file.name, classes)
        self.assertEqual(model_statistics.models(counts), 3)
        self.assertEqual(model_statistics.share(counts, "plain", "exact"), 75)
        self.assertEqual(model_statistics.share(counts, "plain", "can be cut"), 50)
        self.assertEqual(model_statistics.share(counts, "data", "can be cut"), 100)
        self.assertEqual(counts["plain all exact"], 1)
        self.assertIn("data: 1 models", model_statistics.text(counts))

    def test_what_was_verified(self):
        line = (
            "gridspan verify: 75 launches, 219 sets, 1 difference, 1 assumption failed, "
            "3 launches checked by a sample of blocks, 2 launches not modelled"
        )
        self.assertEqual(
            checks.verified(f"x\n{line}\n"),
            {"launch": 75, "set": 219, "assumption failed": 1, "launch not modelled": 2},
        )


class Shrinker(unittest.TestCase):
    """A pretended failure: the kernel's text has certain parts."""

    def shrunk(self, *parts):
        kernel = next(
            kernel
            for seed in range(1, 40)
            for kernel in Program(seed, 25).kernels
            if 60 < kernel.size()[0] < 110 and self.has(kernel, parts)
        )

        def first_failing(kernels):
            return next((n for n, k in enumerate(kernels) if self.has(k, parts)), None)

        return shrink(kernel, False, first_failing)

    @staticmethod
    def has(kernel, parts):
        text = kernel_text(kernel)
        return all(part in text for part in parts)

    def check(self, lines, *parts):
        small = self.shrunk(*parts)
        text = "\n".join(small.lines(small.walk().ranges))
        self.assertTrue(self.has(small, parts), text)
        self.assertLessEqual(len(text.splitlines()), lines, text)
        self.assertEqual(len(small.launches), 1)
        self.assertLessEqual(small.launches[0].threads(), 2, text)
        self.assertIn("affine_main", program_text(1, small.functions, [small]))

    def test_an_atomic_is_left_alone(self):
        self.check(4, "atomicAdd(")

    def test_a_loop_with_a_break(self):
        self.check(7, ") break;")

    def test_an_expression_deep_inside(self):
        self.check(11, "__syncthreads", "% (")


if __name__ == "__main__":
    unittest.main()
