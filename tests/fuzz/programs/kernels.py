# The interface of kernels to whole programs: arguments, and what a launch touches.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

ELEMENTS = {  # bytes
    "unsigned char": 1,
    "unsigned short": 2,
    "unsigned": 4,
    "int": 4,
    "unsigned long long": 8,
    "float": 4,
    "double": 8,
    "Triple": 12,
}
ALIGNMENT = {"Triple": 4}
NUMBERS = {"int": "i", "unsigned": "i", "long long": "l", "short": "h"}


class Use:
    """What a launch touches through an array: elements low .. high, at most.

    needs: what must stand there: ("i32", low, high), ("permutation",), ("zero",) or None.
    lattice: only every so manyth element, starting at `low`.
    """

    def __init__(self, low, high, size, writes, needs=None, lattice=1):
        self.low, self.high, self.size, self.writes = low, high, size, writes
        self.needs, self.lattice = needs, lattice

    def hull(self, base):
        """Bytes, if element 0 lies at byte `base`."""
        return base + self.low * self.size, base + (self.high + 1) * self.size

    def count(self):
        return self.high - self.low + 1


def may_meet(one, base, other, other_base):
    """Whether two uses (at these bytes) may have bytes in common."""
    low, high = one.hull(base)
    other_low, other_high = other.hull(other_base)
    if high <= other_low or other_high <= low:
        return False
    step = one.lattice * one.size
    if one.size == other.size and one.lattice == other.lattice and one.lattice > 1:
        return (low - other_low) % step < one.size or (other_low - low) % step < one.size
    return True


class Launch:
    def __init__(self, grid, block, numbers, uses, may_shrink=True):
        self.grid, self.block, self.numbers, self.uses = grid, block, numbers, uses
        self.may_shrink = may_shrink  # smaller grids touch less


class Array:
    """passing: pointer, restrict, view (in a struct passed by value), table (a pointer loaded from
    memory) or the name of a variable."""

    def __init__(self, name, element, passing="pointer"):
        self.name, self.element, self.passing = name, element, passing
        self.written = False

    @property
    def size(self):
        return ELEMENTS[self.element]

    @property
    def alignment(self):
        return ALIGNMENT.get(self.element, self.size)

    def is_symbol(self):
        return self.passing not in ("pointer", "restrict", "view", "table")

    def text(self):
        if self.passing == "view":
            return f"view.{self.name}"
        if self.passing == "table":
            return f"table_{self.name}[1]"
        return self.passing if self.is_symbol() else self.name

    def declaration(self):
        constant = "" if self.written else "const "
        if self.passing == "table":
            return f"{self.element}* const* table_{self.name}"
        restrict = "__restrict__ " if self.passing == "restrict" else ""
        return f"{constant}{self.element}* {restrict}{self.name}"


class Kernel:
    """A kernel with its text. `numbers`: {name: (type, whether it is a field of the view)}."""

    def __init__(self, name):
        self.name, self.arrays, self.numbers = name, [], {}
        self.body = []
        self.choose = None  # (random, most elements) -> Launch

    def fields(self):
        """Parameters in order: [(C declaration, [(array or number, kind)])]; the view comes last."""
        view, parameters = [], []
        for array in self.arrays:
            if array.passing == "view":
                view.append((f"{array.declaration()};", array, "p", array.name))
            elif not array.is_symbol():
                parameters.append((array.declaration(), [(array, "p", None)]))
        for number, (kind, inside) in self.numbers.items():
            if inside:
                view.append((f"{kind} {number};", number, NUMBERS[kind], number))
            else:
                parameters.append((f"{kind} {number}", [(number, NUMBERS[kind], None)]))
        if view:
            self.view = [text for text, _, _, _ in view]
            whole = [(what, kind, field) for _, what, kind, field in view]
            parameters.append((f"View_{self.name} view", whole))
        else:
            self.view = None
        return parameters

    def text(self):
        parameters = self.fields()
        lines = []
        if self.view:
            lines += [f"struct View_{self.name} {{", *("  " + f for f in self.view), "};"]
        lines.append(f"__global__ void {self.name}({', '.join(d for d, _ in parameters)}) {{")
        if self.view:
            for number, (kind, inside) in self.numbers.items():
                if inside:
                    lines.append(f"  const {kind} {number} = view.{number};")
        return "\n".join([*lines, *("  " + line for line in self.body), "}", ""])

    def entry(self):
        """The row of the driver's table."""
        rows = []
        for declaration, fields in self.fields():
            kind = declaration.rsplit(" ", 1)[0]
            size = f"sizeof(View_{self.name})" if fields[0][2] else f"sizeof({kind})"
            places = [
                f"{{offsetof(View_{self.name}, {field}), '{letter}'}}" if field else f"{{0, '{letter}'}}"
                for _, letter, field in fields
            ]
            rows.append(f"{{{size}, {{{', '.join(places)}}}}}")
        return f'{{"{self.name}", (const void*){self.name}, {{{", ".join(rows)}}}}}'

    def arguments(self, numbers, place):
        """The launch's argument words; place(array) gives an array's."""
        return [
            str(numbers[what]) if isinstance(what, str) else place(what)
            for _, fields in self.fields()
            for what, _, _ in fields
        ]
