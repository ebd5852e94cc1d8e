# Arrays and number arguments of a generated kernel, and what a walk over the kernel finds out.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ranges import Reject

LARGEST = 1 << 18  # elements
BUSIEST = 400_000  # accesses of one launch, as an upper bound

# Bytes, and how a value (a float expression) is stored in one element: member, then text.
ELEMENTS = {
    "float": (4, [("", "{}")]),
    "double": (8, [("", "(double)({})")]),
    "int": (4, [("", "__float_as_int({})")]),
    "unsigned": (4, [("", "__float_as_uint({})")]),
    "short": (2, [("", "(short)__float_as_int({})")]),
    "unsigned char": (1, [("", "(unsigned char)__float_as_int({})")]),
    "float4": (16, [("", "spread4({})"), (".y", "{}"), (".w", "{}")]),
    "Cell": (
        24,
        [(".a", "{}"), (".b", "__float_as_int({})"), (".c[1]", "{}"), ("", "cell_of({})")],
    ),
}
READ_MEMBERS = {"float4": ["", ".x", ".z"], "Cell": [".a", ".b", ".c[0]", ".c[2]", ".d"]}
KINDS = {"int": "i32", "unsigned": "u32", "short": "i16", "unsigned char": "u8"}


class Array:
    """One array argument.

    role: "in" is only read; "own" is written by each thread in its own elements; "same" gets one
    value wherever it is written; "place" gets values that follow from the place; "atomic" sees one
    atomic operation; "racy" anything: its contents are not compared.
    passing: "pointer", "restrict", "view" (a pointer in a struct passed by value), "symbol".
    content: range of the integers in it, if they may be used as subscripts or conditions.
    """

    def __init__(self, name, element, role, passing="pointer", content=None, columns=0):
        self.name, self.element, self.role, self.passing = name, element, role, passing
        self.content, self.columns = content, columns
        self.operation = None  # of an "atomic" array
        self.partner, self.shift = None, 0  # lies in the partner's allocation, so far from its base
        self.owner = 1  # elements each thread owns next to each other; or "parts", "columns"
        self.extent_ = None

    @property
    def element_kind(self):
        return KINDS[self.element]

    def extent(self, term):
        """How long each of the "columns" is: what the first who asks says."""
        self.extent_ = self.extent_ or term
        return self.extent_

    def written(self):
        return self.role != "in"

    def text(self):
        return f"view.{self.name}" if self.passing == "view" else self.name

    def parameter(self):
        constant = "" if self.written() else "const "
        if self.columns:
            return f"{constant}{self.element} (*{self.name})[{self.columns}]"
        restrict = " __restrict__" if self.passing == "restrict" else ""
        return f"{constant}{self.element}*{restrict} {self.name}"


class Recorder:
    """What a walk over a kernel finds, by launch."""

    def __init__(self, launches):
        self.ranges = [{} for _ in range(launches)]
        self.work = [0] * launches

    def access(self, array, elements, env):
        launch = env["#launch"][0]
        seen = self.ranges[launch].get(array.name)
        if seen:
            elements = (min(seen[0], elements[0]), max(seen[1], elements[1]))
        if elements[1] - elements[0] >= LARGEST or abs(elements[0]) > LARGEST:
            raise Reject("too large an array")
        self.ranges[launch][array.name] = elements
        self.work[launch] += env["#runs"][1]
        if self.work[launch] > BUSIEST:
            raise Reject("too much work")
