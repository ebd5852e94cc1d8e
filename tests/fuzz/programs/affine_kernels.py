# The affine kernels of ../affine as kernels of whole programs, at the launches they were made for.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys

from kernels import Array, Kernel, Launch, Use

AFFINE = pathlib.Path(__file__).resolve().parent.parent / "affine"
sys.path.append(str(AFFINE))
from arrays import ELEMENTS  # noqa: E402
from program import Program, used_functions  # noqa: E402
from ranges import C_NAMES  # noqa: E402

KINDS = {"i32": "i", "u32": "i", "i64": "l", "u64": "l", "i16": "h"}
CONTENT = {"int": "i32", "unsigned": "i32", "short": "i16", "unsigned char": "i8"}


def without_nan(text):
    """Text of affine kernels that adds up floats of any bits: which of two NaNs a sum is, compilers choose."""
    return text.replace("(float)", "(Summand)")


class AffineKernel(Kernel):
    """Text and parameters are the generated kernel's own."""

    def __init__(self, name, source):
        super().__init__(name)
        self.source, self.ranges = source, source.walk().ranges
        self.plain, self.plain_numbers, self.symbols, view, inside = source.parts()
        self.of = {array.name: adapted(array) for array in source.used()[0]}
        self.arrays = list(self.of.values())
        self.view_fields = [*view, *inside]
        self.choose = self.choose_launch

    def symbol_sizes(self):
        for array in self.symbols:
            yield array.name, self.of[array.name].size, self.source_extent(array)

    def source_extent(self, array):
        return max(found.get(array.name, (0, 0))[1] for found in self.ranges) + 1

    def text(self):
        return without_nan("\n".join([*self.source.lines(self.ranges), ""]))

    def fields(self):
        kinds = self.source.numbers
        parameters = [(a.parameter(), [(self.of[a.name], "p", None)]) for a in self.plain]
        if self.view_fields:
            inner = []
            for what in self.view_fields:
                if isinstance(what, str):
                    inner.append((what, KINDS[kinds[what]], what.split(".")[1]))
                else:
                    inner.append((self.of[what.name], "p", what.name))
            parameters.append((f"View_{self.source.name} view", inner))
        parameters += [
            (f"{C_NAMES[kinds[n]]} {n}", [(n, KINDS[kinds[n]], None)]) for n in self.plain_numbers
        ]
        return [(d if "(*" not in d else "void* p", f) for d, f in parameters]

    def choose_launch(self, random, most):
        number = random.randrange(len(self.source.launches))
        launch, found = self.source.launches[number], self.ranges[number]
        uses = {}
        for array in self.source.used()[0]:
            low, high = found.get(array.name, (0, 0))
            needs = None
            if array.content:
                needs = (CONTENT[array.element], *array.content)
            size = self.of[array.name].size
            uses[self.of[array.name]] = Use(low, high, size, array.written(), needs)
        return Launch(tuple(launch.grid), tuple(launch.block), launch.numbers, uses, False)


class AdaptedArray(Array):
    """An array of the affine kernels: other elements, negative subscripts."""

    @property
    def size(self):
        return ELEMENTS[self.element][0]

    @property
    def alignment(self):
        return 64  # some are read as vectors


def adapted(array):
    passing = array.name if array.passing == "symbol" else array.passing
    made = AdaptedArray(array.name, array.element, passing)
    made.written = array.written()
    return made


def affine_kernels(seed, count, most_size=60):
    """Kernels whose results do not depend on the order of blocks, and the functions they call."""
    program = Program(seed, 2 * count, most_size)
    fitting = [kernel for kernel in program.kernels if kernel.compare][:count]
    functions = used_functions(fitting, program.functions)
    return [AffineKernel(kernel.name, kernel) for kernel in fitting], functions

