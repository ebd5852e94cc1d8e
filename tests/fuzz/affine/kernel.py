# A generated kernel: arguments, arrays, body, launches, and its text.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import copy

from arrays import ELEMENTS, Recorder
from ranges import C_NAMES
from statements import walk_body
from terms import FloatCast, Load

AXES = "xyz"
SLACK = 64  # elements before and after what may be touched; keeps vectors aligned


class Launch:
    def __init__(self, grid, block, numbers):
        self.grid, self.block, self.numbers = list(grid), list(block), dict(numbers)

    def threads(self):
        total = 1
        for size in (*self.grid, *self.block):
            total *= size
        return total

    def environment(self, number):
        env = {"#launch": (number, number), "#runs": (0, self.threads()), "acc": (0, 0)}
        for i, axis in enumerate(AXES):
            env[f"gridDim.{axis}"] = (self.grid[i],) * 2
            env[f"blockDim.{axis}"] = (self.block[i],) * 2
            env[f"blockIdx.{axis}"] = (0, self.grid[i] - 1)
            env[f"threadIdx.{axis}"] = (0, self.block[i] - 1)
        for name, value in self.numbers.items():
            env[name] = (value, value)
        return env


def asks_memory(statement):
    """Is a number from memory used as a subscript or a condition in there?"""
    terms = [term for inner in statement.everything() for term in inner.own_terms()]
    return any(is_number_from_memory(term) for term in terms)


def is_number_from_memory(term):
    if isinstance(term, FloatCast):
        term = term.children[0]  # what is only added up does not matter
        return any(is_number_from_memory(child) for child in term.children)
    loaded = isinstance(term, Load) and term.array.content is not None
    return loaded or any(is_number_from_memory(child) for child in term.children)


class Kernel:
    """numbers: kinds of the integer arguments by name; a name with a dot is a field of `view`."""

    def __init__(self, name, launches, numbers, arrays, functions=()):
        self.name, self.launches, self.numbers = name, launches, numbers
        self.arrays, self.functions = arrays, list(functions)
        self.body, self.compare, self.bounds, self.wild = [], True, False, False

    def clone(self):
        """A copy that can be changed; functions stay shared."""
        memo = {id(function): function for function in self.functions}
        return copy.deepcopy(self, memo)

    def walk(self):
        """Ranges of the arrays by launch; raises Reject."""
        record = Recorder(len(self.launches))
        walk_body(self.body, [l.environment(i) for i, l in enumerate(self.launches)], record)
        return record

    def names(self):
        found = set()
        for statement in self.body:
            for inner in statement.everything():
                found.update(inner.arrays())
                for term in inner.own_terms():
                    found.update(term.names())
        return found

    def class_of(self):
        """What can be expected of the model: everything of a plain kernel."""
        if self.wild:
            return "wild"
        if not self.compare:
            return "racy"
        return "data" if any(map(asks_memory, self.body)) else "plain"

    def used(self):
        names = self.names()
        return (
            [array for array in self.arrays if array.name in names],
            [name for name in self.numbers if name in names],
        )

    def size(self):
        arrays, numbers = self.used()
        launches = sum(sum(l.grid) + sum(l.block) for l in self.launches)
        values = sum(abs(l.numbers[name]) for l in self.launches for name in numbers)
        body = sum(statement.size() for statement in self.body)
        return (body + len(arrays) + len(numbers) + len(self.launches), launches + values)

    # --- text ------------------------------------------------------------------------------------
    def view_name(self):
        return f"View_{self.name}"

    def parts(self):
        """Arrays and numbers that are arguments of their own, symbols, and fields of the view."""
        arrays, numbers = self.used()
        symbols = [a for a in arrays if a.passing == "symbol"]
        fields = [a for a in arrays if a.passing == "view"]
        plain = [a for a in arrays if a.passing not in ("view", "symbol")]
        inside = [n for n in numbers if "." in n]
        return plain, [n for n in numbers if "." not in n], symbols, fields, inside

    def lines(self, ranges):
        plain, numbers, symbols, fields, inside = self.parts()
        for array in symbols:
            extent = max(found.get(array.name, (0, 0))[1] for found in ranges) + 1
            yield f"__device__ {array.element} {array.name}[{extent}];"
        if fields or inside:
            yield f"struct {self.view_name()} {{"
            for array in fields:
                yield f"  {array.parameter()};"
            for name in inside:
                yield f"  {C_NAMES[self.numbers[name]]} {name.split('.')[1]};"
            yield "};"
        parameters = [array.parameter() for array in plain]
        parameters += [f"{self.view_name()} view"] if fields or inside else []
        parameters += [f"{C_NAMES[self.numbers[name]]} {name}" for name in numbers]
        limit = max(l.block[0] * l.block[1] * l.block[2] for l in self.launches)
        bounds = f"__launch_bounds__({limit}) " if self.bounds else ""
        yield f"__global__ void {bounds}{self.name}({', '.join(parameters)}) {{"
        yield "  float acc = 0.5f;"
        for statement in self.body:
            yield from statement.lines(1)
        yield "}"

    def launch_lines(self, number, ranges):
        plain, numbers, symbols, fields, inside = self.parts()
        launch, found = self.launches[number], ranges[number]
        yield "  {"
        bases = {}
        for array in [*plain, *fields, *symbols]:
            yield from ("    " + line for line in self.buffer_lines(array, found, bases))
        arguments = [self.pointer(array, bases) for array in plain]
        if fields or inside:
            values = [self.pointer(array, bases) for array in fields]
            values += [self.value(launch, name) for name in inside]
            yield f"    {self.view_name()} view{{{', '.join(values)}}};"
            arguments.append("view")
        arguments += [self.value(launch, name) for name in numbers]
        grid, block = (", ".join(map(str, size)) for size in (launch.grid, launch.block))
        yield f"    {self.name}<<<dim3({grid}), dim3({block})>>>({', '.join(arguments)});"
        yield f'    run.finish("{self.name}", {number});'
        for array in [*plain, *fields, *symbols]:
            if self.compare and array.written() and array.role != "racy":
                yield f'    {array.name}_b.dump(run, "{array.name}");'
        yield "  }"

    def value(self, launch, name):
        value = launch.numbers[name]
        return f"({C_NAMES[self.numbers[name]]})({value})"

    def pointer(self, array, bases):
        buffer, offset = bases[array.name]
        text = f"{buffer}.at<{array.element}>({offset})"
        if array.columns:
            constant = "" if array.written() else "const "
            text = f"reinterpret_cast<{constant}{array.element}(*)[{array.columns}]>({text})"
        return text

    def buffer_lines(self, array, found, bases):
        """Declares the memory of an array; `bases` learns buffer and offset in elements."""
        size = ELEMENTS[array.element][0]
        low, high = found.get(array.name, (0, 0))
        name = f"{array.name}_b"
        content = array.content or (0, 0)
        if array.passing == "symbol":
            yield f"Symbol {name}({array.name}, sizeof {array.name}, {filled(array, content)});"
            bases[array.name] = (name, 0)
            return
        base = (max(0, -low) + SLACK - 1) // SLACK * SLACK + SLACK
        if array.partner in bases and array.partner:
            bases[array.name] = (bases[array.partner][0], self.places[array.name])
            yield f"Buffer& {name} = {bases[array.partner][0]};"
            return
        end = base + max(high, 0) + SLACK  # a pointer lies in its allocation, whatever is touched
        for other in self.arrays:
            if other.partner == array.name:
                end = self.place_partner(array, other, found, base, end)
        bases[array.name] = (name, base)
        yield f"Buffer {name}({end}u * {size}u, {filled(array, content)});"

    def place_partner(self, array, other, found, base, end):
        """Puts `other` into the allocation of `array`: over it by `shift`, or behind it (None)."""
        low, high = found.get(other.name, (0, 0))
        if other.shift is None:
            place = (end + max(0, -low) + SLACK) // SLACK * SLACK
        else:
            place = max(base + other.shift * SLACK, (max(0, -low) // SLACK + 1) * SLACK)
        self.places = {**getattr(self, "places", {}), other.name: place}
        return max(end, place + max(high, 0) + SLACK)


def filled(array, content):
    """How the memory is filled: Fill, lowest and highest integer."""
    kind = {"float": "floats", "float4": "floats", "Cell": "cells", "double": "doubles"}
    kind = kind.get(
        array.element, {1: "bytes", 2: "shorts", 4: "ints"}.get(ELEMENTS[array.element][0])
    )
    low, high = content if array.content else (0, 100)
    return f"Fill::{kind}, {low}, {high}"
