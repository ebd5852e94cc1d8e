# How threads are mapped to data: coordinates, guards, and each thread's own subscript.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A skeleton turns a way of filling bodies into a kernel's statements. It knows a subscript that no
# two threads share (`own`), which is what makes results comparable.
from loops import Loop
from ranges import Reject
from statements import Declare, If, Leave
from terms import Both, Cast, Compare, Const, Not, Op, Var


def builtin(name, axis):
    return Var(f"{name}.{axis}", "u32")


def coordinate(random, axis, kind, block=None):
    """blockIdx * blockDim + threadIdx, in one of its spellings."""
    index, thread = builtin("blockIdx", axis), builtin("threadIdx", axis)
    size = block or builtin("blockDim", axis)
    if kind in ("u64", "i64"):
        index = Cast(kind, index)
    product = Op("*", index, size) if random.random() < 0.6 else Op("*", size, index)
    return Op("+", product, thread) if random.random() < 0.7 else Op("+", thread, product)


def linear(random):
    """Number of the thread in the grid, row by row."""
    thread = Op(
        "+", Op("*", builtin("threadIdx", "y"), builtin("blockDim", "x")), builtin("threadIdx", "x")
    )
    plane = Op("*", builtin("blockDim", "x"), builtin("blockDim", "y"))
    thread = Op("+", Op("*", plane, builtin("threadIdx", "z")), thread)
    block = Op(
        "+", builtin("blockIdx", "y"), Op("*", builtin("gridDim", "y"), builtin("blockIdx", "z"))
    )
    block = Op("+", Op("*", block, builtin("gridDim", "x")), builtin("blockIdx", "x"))
    size = Op("*", plane, builtin("blockDim", "z"))
    return Op("+", Op("*", block, size), thread)


class Skeleton:
    """Chosen before the launches are known; `build` comes after."""

    names = ("flat", "flat", "constant", "plane", "plane", "volume", "linear", "stride", "rows")
    names += ("divided", "several", "levels")

    def __init__(self, random):
        self.random = random
        self.name = random.choice(self.names)
        self.dimensions = {"plane": 2, "volume": 3}.get(self.name, 1)
        if self.name in ("linear", "levels"):
            self.dimensions = random.choice([2, 3]) if self.name == "linear" else 2
        self.same_block = self.name == "constant" or random.random() < 0.1
        self.stray = random.random() < 0.06  # more axes than the kernel looks at
        if self.stray:
            self.dimensions = min(3, self.dimensions + 1)
        self.kind = random.choice(["i32", "i32", "i32", "u32", "u32", "u64", "i64"])

    def bound(self, *names):
        name = self.random.choice(names)
        from shapes import NUMBERS

        return Var(name, NUMBERS[name])

    def build(self, fill, scope, launches):
        """The statements; `fill(scope)` makes those of a guarded body."""
        build = getattr(self, "build_" + self.name)
        return build(fill, scope, launches)

    def declare(self, scope, name, value, kind=None):
        statement = Declare(name, kind or self.kind, value)
        scope.envs = statement.walk(scope.envs, _Nothing())
        scope.variables.append((name, kind or self.kind))
        return statement

    def guarded(self, fill, scope, conditions, own):
        """The body under all the conditions, in one of the usual spellings."""
        random = self.random
        own = None if self.stray else own
        if random.random() < 0.08:  # unguarded: whoever is there takes part
            scope.own = None
            return fill(scope)
        style = random.randrange(4)
        together = conditions[0]
        for condition in conditions[1:]:
            together = Both("&&", together, condition)
        if style == 0 or (style == 2 and len(conditions) == 1):
            opposite = [Compare(">=", *condition.children) for condition in conditions]
            left = opposite[0]
            for condition in opposite[1:]:
                left = Both("||", left, condition)
            leave = Leave(left if random.random() < 0.7 else Not(together), "return")
            if not scope.returns:
                style = 1
            else:
                inside = scope.inner(leave.walk(scope.envs, _Nothing()), own=own)
                inside.depth += 1
                return [leave, *fill(inside)]
        if style == 2:
            return self.nested(fill, scope, conditions, own)
        return self.nested(fill, scope, [together], own)

    def nested(self, fill, scope, conditions, own):
        envs = [None if env is None else conditions[0].refine(env, True) for env in scope.envs]
        inside = scope.inner(envs)
        inside.depth += 1
        if len(conditions) > 1:
            return [If(conditions[0], self.nested(fill, inside, conditions[1:], own))]
        inside.own = own
        return [If(conditions[0], fill(inside))]

    def build_flat(self, fill, scope, launches):
        first = self.declare(scope, "i", coordinate(self.random, "x", self.kind))
        i = Var("i", self.kind)
        guard = Compare("<", i, self.bound("n", "n", "q", "view.n"))
        return [first, *self.guarded(fill, scope, [guard], i)]

    def build_constant(self, fill, scope, launches):
        size = Const(launches[0].block[0])
        if any(launch.block[0] != launches[0].block[0] for launch in launches):
            raise Reject("needs equal blocks")
        first = self.declare(scope, "i", coordinate(self.random, "x", self.kind, size))
        i = Var("i", self.kind)
        guard = Compare("<", i, self.bound("n", "view.n"))
        return [first, *self.guarded(fill, scope, [guard], i)]

    def build_linear(self, fill, scope, launches):
        self.stray = False
        first = self.declare(scope, "i", linear(self.random))
        i = Var("i", self.kind)
        guard = Compare("<", i, self.bound("n", "view.n"))
        return [first, *self.guarded(fill, scope, [guard], i)]

    def axes(self, scope, count):
        names = ["x", "y", "z"][:count]
        kinds = [self.random.choice([self.kind, "i32"]) for _ in names]
        order = ["x", "y", "z"][:count]
        if self.random.random() < 0.12:
            order.reverse()  # x of the data is y of the grid
        statements = [
            self.declare(scope, name, coordinate(self.random, axis, kind), kind)
            for name, axis, kind in zip(names, order, kinds)
        ]
        bounds = [("w", "view.w"), ("h", "view.h"), ("d", "view.d")]
        if order[0] != "x":
            bounds = bounds[:count][::-1]
        bounds = [self.bound(*pair) for pair in bounds[:count]]
        variables = [Var(name, kind) for name, kind in zip(names, kinds)]
        return statements, variables, bounds

    def build_plane(self, fill, scope, launches):
        statements, (x, y), (w, h) = self.axes(scope, 2)
        guards = [Compare("<", x, w), Compare("<", y, h)]
        own = Op("+", Op("*", y, w), x)
        if self.random.random() < 0.25:
            own = Op("+", Op("*", x, h), y)
        return [*statements, *self.with_own(fill, scope, guards, own)]

    def build_volume(self, fill, scope, launches):
        statements, (x, y, z), (w, h, d) = self.axes(scope, 3)
        guards = [Compare("<", x, w), Compare("<", y, h), Compare("<", z, d)]
        own = Op("+", Op("*", Op("+", Op("*", z, h), y), w), x)
        if self.random.random() < 0.25:
            own = Op("+", Op("+", Op("*", Op("*", z, h), w), Op("*", y, w)), x)
        return [*statements, *self.with_own(fill, scope, guards, own)]

    def with_own(self, fill, scope, guards, own):
        """Half of the time the own subscript is a variable."""
        if self.random.random() < 0.5:
            return self.guarded(fill, scope, guards, own)
        kind = self.random.choice(["i32", "i32", "u32", "u64"])

        def declared(inside):
            if inside.own is None:
                return fill(inside)
            first = self.declare(inside, "at", inside.own, kind)
            inside.own = Var("at", kind)
            return [first, *fill(inside)]

        return self.guarded(declared, scope, guards, own)

    def build_stride(self, fill, scope, launches):
        """Grid-stride loop."""
        first = self.declare(scope, "first", coordinate(self.random, "x", self.kind))
        step = Op("*", builtin("gridDim", "x"), builtin("blockDim", "x"))
        if self.random.random() < 0.3:
            step = Op("*", builtin("blockDim", "x"), builtin("gridDim", "x"))
        bound = self.bound("n", "q", "view.n")
        if self.kind == "i32" and bound.kind == "u64":
            bound = self.bound("n", "view.n")
        loop = Loop("i", self.kind, Var("first", self.kind), bound, step, [])
        inside = scope.inner([None if e is None else loop.counter(e) for e in scope.envs])
        inside.depth += 1
        inside.variables.append(("i", self.kind))
        inside.own, inside.loop = None if self.stray else Var("i", self.kind), "for"
        loop.body = fill(inside)
        return [first, loop]

    def build_levels(self, fill, scope, launches):
        """A number for the block, one for the thread in it, and one for both."""
        self.stray = False
        block, thread = (
            Op("+", Op("*", builtin(index, "y"), builtin(size, "x")), builtin(index, "x"))
            for index, size in (("blockIdx", "gridDim"), ("threadIdx", "blockDim"))
        )
        statements = [
            self.declare(scope, "block", block),
            self.declare(scope, "thread", thread),
        ]
        size = Op("*", builtin("blockDim", "x"), builtin("blockDim", "y"))
        both = Op("+", Op("*", Var("block", self.kind), size), Var("thread", self.kind))
        statements.append(self.declare(scope, "i", both))
        i = Var("i", self.kind)
        guard = Compare("<", i, self.bound("n", "view.n"))
        return [*statements, *self.guarded(fill, scope, [guard], i)]

    def build_divided(self, fill, scope, launches):
        """Row and column of a running number: i / w and i % w, or three levels of that."""
        self.kind = self.random.choice(["i32", "i32", "u32", "i64"])
        first = self.declare(scope, "i", coordinate(self.random, "x", self.kind))
        i, w, h = Var("i", self.kind), self.bound("w", "view.w"), self.bound("m", "view.k", "u")
        if any(env[w.name][0] < 1 or env[h.name][0] < 1 for env in scope.envs):
            raise Reject("division by zero")
        parts = [("col", Op("%", i, w)), ("row", Op("/", i, w))]
        three = self.random.random() < 0.35
        if three:
            last = Op("/", i, Op("*", w, h))
            if self.random.random() < 0.5:
                last = Op("/", Op("/", i, w), h)
            parts = [("col", Op("%", i, w)), ("row", Op("%", Op("/", i, w), h)), ("slice", last)]

        def declared(inside):
            statements = [self.declare(inside, name, value) for name, value in parts]
            row, col = Var("row", self.kind), Var("col", self.kind)
            whole = Op("+", Op("*", Var("slice", self.kind), h), row) if three else row
            if inside.own is not None and self.random.random() < 0.6:
                inside.own = Op("+", Op("*", whole, w), col)
            return [*statements, *fill(inside)]

        bound = self.bound("n", "view.n")
        if not three and self.random.random() < 0.5:
            bound = Op("*", w, h)
        return [first, *self.guarded(declared, scope, [Compare("<", i, bound)], i)]

    def build_several(self, fill, scope, launches):
        """A few elements for each thread: next to each other, or a block's width apart."""
        count = Const(self.random.choice([2, 4, 4, 8]))
        kind = self.kind = self.random.choice(["i32", "i32", "u32"])
        apart = self.random.random() < 0.6
        if apart:
            tile = Op("*", builtin("blockDim", "x"), count)
            value = Op("+", Op("*", builtin("blockIdx", "x"), tile), builtin("threadIdx", "x"))
            step = Op("*", Var("j", kind), builtin("blockDim", "x"))
        else:
            value, step = Op("*", coordinate(self.random, "x", kind), count), Var("j", kind)
        first = self.declare(scope, "first", value)
        loop = Loop("j", kind, Const(0), count, Const(1), [])
        inside = scope.inner([loop.counter(env) for env in scope.envs])
        inside.variables.append(("j", kind))
        inside.loop, inside.depth = "for", inside.depth + 1
        at = self.declare(inside, "i", Op("+", Var("first", kind), step))
        own = None if self.stray else Var("i", kind)
        guard = Compare("<", Var("i", kind), self.bound("n", "view.n"))
        loop.body = [at, *self.nested(fill, inside, [guard], own)]
        return [first, loop]

    def build_rows(self, fill, scope, launches):
        """A block for each row; its threads stride over the columns."""
        first = self.declare(scope, "row", builtin("blockIdx", "x"), "i32")
        bound = self.bound("w", "view.w")
        kind = self.random.choice(["i32", "u32"])
        loop = Loop("j", kind, builtin("threadIdx", "x"), bound, builtin("blockDim", "x"), [])
        inside = scope.inner([None if e is None else loop.counter(e) for e in scope.envs])
        inside.depth += 1
        inside.variables.append(("j", kind))
        own = Op("+", Op("*", Var("row", "i32"), bound), Var("j", kind))
        inside.own, inside.loop = None if self.stray else own, "for"
        loop.body = fill(inside)
        return [first, loop]


class _Nothing:
    """A recorder that does not look."""

    def access(self, array, elements, env):
        pass
