# Random kernels that may run in any order of blocks: what one block writes, no other reads.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re

import forms
from kernels import Array, Kernel, Launch, Use
from spaces import spaces

MOST_TABLES = 4  # pointers loaded from memory
INTEGERS = ["unsigned", "unsigned long long"]  # atomics work on these
PLAIN = ["unsigned", "float", "unsigned", "unsigned char", "unsigned short", "double", "Triple"]
ATOMICS = ["atomicAdd", "atomicMax", "atomicMin", "atomicOr", "atomicAnd", "atomicXor"]


class Family:
    """Makes one kernel: a space, a few statements, each with arrays of its own."""

    def __init__(self, name, random, symbols):
        self.kernel, self.random, self.symbols = Kernel(name), random, list(symbols)
        self.space = spaces(random)
        self.reaches = []  # (array, form, writes, needs of the launch)
        self.style = random.choice(["pointer", "restrict", "view", "mixed", "mixed"])

    # --- arguments -------------------------------------------------------------------------------
    def passing(self, element):
        if self.random.random() < 0.12:
            fitting = [s for s in self.symbols if s.element == element]
            if fitting:
                symbol = self.random.choice(fitting)
                self.symbols.remove(symbol)
                return symbol.name
        tables = sum(array.passing == "table" for array in self.kernel.arrays)
        if self.random.random() < 0.03 and tables < MOST_TABLES:
            return "table"
        if self.style == "mixed":
            return self.random.choice(["pointer", "restrict", "view"])
        return self.style

    def array(self, element, written):
        found = Array(f"a{len(self.kernel.arrays)}", element, self.passing(element))
        found.written = written
        self.kernel.arrays.append(found)
        return found

    def touch(self, array, form, writes, needs=None):
        array.written |= writes
        self.reaches.append((array, form, writes, needs))
        return f"{array.text()}[{form.text}]"

    # --- values ----------------------------------------------------------------------------------
    def value(self, element, depth=2):
        """An expression of one or several elements read."""
        if depth == 0 or self.random.random() < 0.45:
            known = [a for a in self.kernel.arrays if a.element == element and not a.written]
            array = self.random.choice(known) if known and self.random.random() < 0.5 else None
            array = array or self.array(element, False)
            return self.touch(array, forms.read(self.random, self.space), False)
        return f"mix({self.value(element, depth - 1)}, {self.value(element, depth - 1)})"

    def row_sum(self, element):
        """A loop over a row: every element of it is read."""
        array = self.array(element, False)
        length = self.random.choice([3, 8, 20])
        line = forms.linear(self.space)
        rows = self.space.coordinates[-1]
        extent = self.space.extents[-1]
        form = forms.Form(f"{rows} * {length} + q", lambda e: (0, e[extent] * length - 1))
        if self.space.dimensions == 1 and self.random.random() < 0.5:
            form = forms.Form(
                f"clamp_to({line.text} + q - {length // 2}, n)", lambda e: (0, e["n"] - 1)
            )
        read = self.touch(array, form, False)
        return [
            f"for (int q = 0; q < {length}; ++q) v = mix(v, {read});",
        ]

    # --- statements ------------------------------------------------------------------------------
    def statement(self):
        """Lines that compute v and store it somewhere."""
        element = self.random.choice(PLAIN)
        lines = [f"{element} v = {self.value(element)};"]
        if self.random.random() < 0.2:
            lines += self.row_sum(element)
        target = self.random.choice(
            [self.store] * 5
            + [self.guarded] * 3
            + [self.update] * 3
            + [self.coloured] * 2
            + [self.permuted, self.placed, self.counted, self.summed, self.flagged]
        )
        return ["{", *("  " + line for line in lines + target(element)), "}"]

    def store(self, element):
        out = self.touch(self.array(element, True), forms.own(self.random, self.space), True)
        return [f"{out} = v;"]

    def guarded(self, element):
        place = forms.own(self.random, self.space)
        out = self.touch(self.array(element, True), place, True)
        return [f"if (bits(v) & {self.random.choice([1, 3, 4])}) {out} = v;"]

    def update(self, element):
        out = self.touch(self.array(element, True), forms.own(self.random, self.space), True)
        if self.random.random() < 0.3:
            return [f"if (!(bits({out}) & 1)) {out} = mix({out}, v);"]
        return [f"{out} = mix({out}, v);"]

    def coloured(self, element):
        """In place, from neighbours of the other colour."""
        array, place = self.array(element, True), forms.own(self.random, self.space)
        out = self.touch(array, place, True)
        neighbours = [
            self.touch(array, forms.moved(place, self.space, axis, by), False)
            for axis in range(self.space.dimensions)
            for by in (-1, 1)
        ]
        colour = " + ".join(self.space.coordinates)
        lines = [f"v = mix(v, {one});" for one in neighbours]
        return [
            f"if ((({colour}) & 1) == {self.random.randint(0, 1)}) {{",
            *("  " + line for line in lines),
            f"  {out} = v;",
            "}",
        ]

    def permuted(self, element):
        order = self.touch(
            self.array("int", False), forms.linear(self.space), False, ("permutation",)
        )
        reach = forms.Form(order, lambda e: (0, forms.volume(e) - 1))
        return [f"{self.touch(self.array(element, True), reach, True)} = v;"]

    def placed(self, element):
        """Several may write an element: all write the same."""
        index = self.touch(
            self.array("int", False), forms.linear(self.space), False, ("i32", "m")
        )
        reach = forms.Form("j", lambda e: (0, e["m"] - 1))
        out = self.touch(self.array(element, True), reach, True)
        return [f"const int j = {index};", f"{out} = from_number<{element}>(j);"]

    def counted(self, element):
        kind = self.random.choice(INTEGERS)
        reach = forms.Form("bits(v) % (unsigned)m", lambda e: (0, e["m"] - 1))
        out = self.touch(self.array(kind, True), reach, True)
        operand = self.random.choice(["1", "bits(v)", "3"])
        return [f"{self.random.choice(ATOMICS)}(&{out}, ({kind})({operand}));"]

    def summed(self, element):
        """Sums that are exact in any order: small whole numbers, from nothing."""
        kind = self.random.choice(["float", "double"])
        reach = forms.Form("bits(v) % (unsigned)m", lambda e: (0, e["m"] - 1))
        out = self.touch(self.array(kind, True), reach, True, ("zero",))
        return [f"atomicAdd(&{out}, ({kind})(bits(v) & 7));"]

    def flagged(self, element):
        out = self.touch(
            self.array("unsigned", True), forms.Form("0", lambda e: (0, 0)), True
        )
        return [f"if (bits(v) % 29 == 3) {out} = 1;"]

    # --- the whole -------------------------------------------------------------------------------
    def make(self):
        body = []
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            body += self.statement()
        text = "\n".join(body)
        kind = self.random.choice(["int", "long long"])
        inside = self.style == "view" or self.random.random() < 0.3
        for number in (*self.space.extents, "k", "m", "ld"):
            if number in self.space.extents or re.search(rf"\b{number}\b", text):
                passed = self.random.choice(["int", kind]) if number != "m" else "int"
                self.kernel.numbers[number] = (passed, inside)
        self.kernel.body = self.space.opened(kind)
        self.kernel.body += ["  " + line for line in body] + self.space.close
        self.kernel.choose = self.choose
        return self.kernel

    def choose(self, random, most):
        grid, block, e = self.space.choose(random, most)
        e["k"], e["m"] = random.choice([0, 1, 3, 40]), random.choice([1, 2, 7, 64, 1000])
        e["ld"] = e.get("w", 1) + random.choice([0, 1, 8])
        return Launch(grid, block, e, self.uses(e))

    def uses(self, e):
        """By array: the union of what its forms reach."""
        found = {}
        for array, form, writes, needs in self.reaches:
            low, high = form.reach(e)
            if needs and needs[0] == "i32":
                needs = ("i32", 0, e[needs[1]] - 1)
            before = found.get(array)
            if before:
                low, high = min(low, before.low), max(high, before.high)
                writes, needs = writes or before.writes, needs or before.needs
            same = before is None
            lattice = form.lattice if same else 1
            found[array] = Use(low, high, array.size, writes, needs, lattice)
        return found


def family(name, random, symbols):
    return Family(name, random, symbols).make()
