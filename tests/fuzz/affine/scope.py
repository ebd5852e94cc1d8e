# Random index terms and conditions over the variables in scope.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from terms import Both, Call, Cast, Compare, Const, Load, Not, Op, Reject, Select, Var

BUILTINS = [f"{name}.{axis}" for name in ("blockIdx", "threadIdx") for axis in "xyz"]
SIZES = [f"{name}.{axis}" for name in ("gridDim", "blockDim") for axis in "xyz"]
WIDEST = 1 << 16


class Scope:
    """Where a statement stands: environments by launch, variables, what is allowed."""

    def __init__(self, envs, variables, own=None, loop=None, returns=True, depth=2):
        self.envs, self.variables, self.own = envs, list(variables), own
        self.loop, self.returns, self.depth = loop, returns, depth

    def inner(self, envs, **changes):
        scope = Scope(envs, self.variables, self.own, self.loop, self.returns, self.depth - 1)
        for name, value in changes.items():
            setattr(scope, name, value)
        return scope

    def live(self):
        return [env for env in self.envs if env is not None]


class Terms:
    """Makes terms. `wild` kernels use everything; others what a good analysis knows exactly."""

    def __init__(self, random, wild, numbers, tables=(), functions=()):
        self.random, self.wild, self.numbers = random, wild, numbers
        self.tables, self.functions = list(tables), list(functions)

    def chance(self, p):
        return self.random.random() < p

    def pick(self, *choices):
        return self.random.choice(choices)

    # --- numbers ---------------------------------------------------------------------------------
    def constant(self, low, high, kind="i32"):
        return Const(self.random.randint(low, high), kind)

    def number(self, *names):
        """An argument."""
        names = names or ("n", "w", "m", "s", "u", "q", "r", "sh", "view.w", "view.k")
        name = self.random.choice(names)
        return Var(name, self.numbers[name])

    def leaf(self, scope):
        r = self.random.random()
        if scope.variables and r < 0.72:
            # The latest ones more often: loop counters, freshly computed subscripts.
            at = max(self.random.randrange(len(scope.variables)) for _ in range(2))
            name, kind = scope.variables[at]
            return Var(name, kind)
        if r < 0.86:
            return Var(self.random.choice(BUILTINS), "u32")
        if r < 0.95:
            return self.constant(-3, 9)
        return Var(self.random.choice(SIZES), "u32")

    def number_term(self, scope, depth=2):
        """An integer expression over what is in scope."""
        if depth <= 0 or self.chance(0.25):
            return self.leaf(scope)
        a = self.number_term(scope, depth - 1)
        r = self.random.randrange(20 if self.wild else 16)
        if r < 3:
            return Op(self.pick("+", "-"), a, self.constant(1, 5))
        if r < 5:
            return Op("*", a, self.constant(2, 5))
        if r < 7:
            return Op("+", a, self.number_term(scope, depth - 1))
        if r == 7:
            return Op("-", self.number("n", "w", "view.w"), a)
        if r == 8:
            return Op("+", Op("*", a, self.width()), self.leaf(scope))
        if r == 9:
            return Op(self.pick("/", "%"), a, Const(self.pick(2, 3, 4, 5, 7, 8, 16)))
        if r == 10:
            return self.pick(
                Op(">>", a, self.constant(1, 3)),
                Op("<<", a, self.constant(1, 2)),
                Op("&", a, Const(self.pick(1, 3, 7, 15, 31, 6, 28, -2, -8))),
            )
        if r == 11:
            return self.clamped(a)
        if r == 12:
            return Cast(self.pick("i32", "u32", "i64", "u64", "i64"), a)
        if r == 13:
            return Op("-", a, self.leaf(scope))
        if r == 14:
            return Op("+", a, self.number("sh", "r", "s", "view.k"))
        if r == 15 and self.functions:
            function = self.random.choice(self.functions)
            return Call(function, [self.number_term(scope, 1) for _ in function.parameters])
        return self.wild_term(scope, a, r)

    def wild_term(self, scope, a, r):
        if r == 16:
            return Op("*", a, self.number("s", "u", "m", "view.k"))
        if r == 17:
            return Cast(self.pick("u8", "i8", "i16", "u16"), a)
        if r == 18:
            return Select(self.affine_condition(scope), a, self.leaf(scope))
        return self.pick(
            Op("|", a, Const(self.pick(1, 4, 8, 6, 15))),
            Op("^", a, Const(self.pick(1, 2, 4, 3, 5, 7, 12))),
            Op("/", a, self.number("u", "view.k")),
            Op("%", a, self.number("u", "view.k")),
            Op("&", Op("*", a, Const(2654435761, "u32")), Const(255, "u32")),
            Op("*", a, self.leaf(scope)),
            Op("*", a, self.part_size()),
            Op("+", a, self.part_size()),
        )

    def part_size(self):
        """What a launch's numbers come to when divided."""
        size = self.number("n", "w", "view.w")
        threads = Op("*", Var("gridDim.x", "u32"), Var("blockDim.x", "u32"))
        by = self.pick(self.number("u", "view.k"), Var("gridDim.x", "u32"), threads)
        if self.chance(0.5):
            size = Op("+", size, Op("-", by, Const(1, "u32")))
        return Op(self.pick("/", "/", "/", "%"), Cast("u32", size), by)

    def width(self):
        return self.pick(
            self.number("w", "n", "view.w"),
            self.number("w", "h", "view.h"),
            Op("*", Var("gridDim.x", "u32"), Var("blockDim.x", "u32")),
            Op("+", self.number("w", "n", "view.w"), self.constant(1, 2)),
            Const(self.pick(16, 32, 33, 100)),
        )

    def clamped(self, a):
        kind = a.kind if a.kind in ("u32", "i64") else "i32"
        top = Op("-", self.number("n", "w", "view.w"), Const(1))
        a, top, zero = Cast(kind, a), Cast(kind, top), Const(0, kind)
        return self.pick(
            Op("min", a, top),
            Op("max", Op("min", a, top), zero),
            Op("min", Op("max", a, zero), top),
        )

    def table(self, scope):
        """A number from memory: data-dependent, but in a known range."""
        array = self.random.choice(self.tables)
        return Load(array, self.number_term(scope, 1))

    # --- conditions ------------------------------------------------------------------------------
    def affine_condition(self, scope):
        a = self.leaf(scope)
        r = self.random.randrange(9)
        compare = self.pick("<", "<=", ">", ">=", "==", "!=")
        if r < 4:
            return Compare(
                compare, a, self.pick(self.number("n", "w", "m", "view.w"), self.leaf(scope))
            )
        if r < 6:
            return Compare(compare, a, self.constant(0, 12))
        if r == 6:
            return Compare(self.pick("==", "!="), Op("&", a, Const(self.pick(1, 3))), Const(0))
        if r == 7:
            return Compare(
                self.pick("==", "!=", "<"), Op("%", a, Const(self.pick(2, 3, 5))), Const(1)
            )
        return Compare(compare, self.number_term(scope, 1), self.number_term(scope, 1))

    def condition(self, scope, depth=1):
        r = self.random.random()
        if depth > 0 and r < 0.25:
            one, two = self.condition(scope, depth - 1), self.condition(scope, depth - 1)
            return Both(self.pick("&&", "||"), one, two)
        if r < 0.32:
            return Not(self.condition(scope, depth - 1))
        if self.tables and r < (0.55 if self.wild else 0.36):
            return Compare(self.pick("<", ">", "!="), self.table(scope), self.constant(0, 12))
        return self.affine_condition(scope)

    # --- subscripts ------------------------------------------------------------------------------
    def subscript(self, scope):
        """An index whose range is moderate in every launch that gets here."""
        for _ in range(20):
            term = self.subscript_try(scope)
            try:
                ranges = [term.range(env) for env in scope.live()]
            except Reject:
                continue
            if all(high - low < WIDEST and abs(low) < 2 * WIDEST for low, high in ranges):
                return term
        return Var("threadIdx.x", "u32")

    def subscript_try(self, scope):
        r = self.random.random()
        if scope.own is not None and r < 0.3:
            return scope.own
        if scope.own is not None and r < 0.45:  # a neighbour
            step = self.pick(Const(1), Const(1), Const(2), self.width())
            return Op(self.pick("+", "-"), scope.own, step)
        if self.tables and r < (0.53 if self.wild else 0.47):
            return self.table(scope)
        return self.number_term(scope, self.pick(1, 2, 2, 3))
