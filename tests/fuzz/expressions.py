# Random expressions of the generated kernels: typed, defined for all values, free of side effects.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
TYPES = ("u32", "i32", "u64", "i64", "f32", "f64", "i16", "u8", "bool")

# Variables every function and kernel has, by type.
VARIABLES = {
    "u32": ["u0", "u1", "u2"],
    "i32": ["i0", "i1"],
    "u64": ["w0"],
    "i64": ["q0"],
    "f32": ["f0", "f1"],
    "f64": ["d0"],
    "i16": ["s0"],
    "u8": ["b0"],
    "bool": ["p0"],
}


def declarations(first):
    """Declares the variables, initialised from the expression `first` (u32)."""
    lines, n = [], 0
    for kind, names in VARIABLES.items():
        for name in names:
            n += 1
            value = f"mix({first} + {n}u)"
            if kind in ("f32", "f64"):
                value = f"({value} >> 12) * 0.125f"
            if kind == "bool":
                value = f"({value} & 1u) != 0"
            lines.append(f"{kind} {name} = static_cast<{kind}>({value});")
    lines += [
        f"u32 L[8]; for (u32 k = 0; k < 8; ++k) L[k] = {first} * k + 1u;",
        f"f32 M[5]; for (u32 k = 0; k < 5; ++k) M[k] = static_cast<f32>(({first} >> 9) + k);",
        f"Pair P = {{{first}, 1.5f, {{1, 2, 3, 4}}}}, Q = P;",
    ]
    return lines


def all_variables():
    return [name for names in VARIABLES.values() for name in names]


class Expressions:
    """Makes expressions over the variables in scope; `scope` lists extra u32 names."""

    def __init__(self, random, functions=()):
        self.random, self.functions, self.scope = random, list(functions), []

    def pick(self, *choices):
        return self.random.choice(choices)

    def any(self, depth=2):
        """u32 made from an expression of a random type."""
        return f"word({self.of(self.random.choice(TYPES), depth)})"

    def of(self, kind, depth=3):
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf(kind)
        return getattr(self, "make_" + kind)(depth - 1)

    def leaf(self, kind):
        r = self.random
        if kind == "u32" and r.random() < 0.45:
            choices = [
                "t",
                "n",
                "nt",
                "block",
                "threadIdx.x",
                "blockDim.y",
                f"{r.randrange(1 << 16)}u",
                f"in[{r.randrange(1024)}]",
                "args.v[t % 12]",
                f"L[{r.randrange(8)}]",
                "P.a",
                "u32(P.c[1])",
                *self.scope,
            ]
            return r.choice(choices)
        if kind == "f32" and r.random() < 0.4:
            return r.choice(["f", "P.b", "M[2]", f"(f + {r.randrange(-64, 64)}.5f)", "M[t % 5]"])
        if kind == "f64" and r.random() < 0.3:
            return r.choice(["args.d", f"(args.d + {r.randrange(100)}.25)"])
        if kind == "i32" and r.random() < 0.3:
            return r.choice(["args.i", str(r.randrange(-100, 100)), "i32(t) - 40"])
        return r.choice(VARIABLES[kind])

    # Each returns an expression of its type from operands of the given depth.
    def make_u32(self, d):
        e = lambda k="u32": self.of(k, d)
        r = self.random.randrange(17)
        if r < 5:
            return f"({e()} {self.pick('+', '-', '*', '&', '|', '^')} {e()})"
        if r == 5:
            return f"{self.pick('quotient', 'remainder')}({e()}, {e()})"
        if r == 6:
            return f"({e()} {self.pick('<<', '>>')} ({e()} & 31u))"
        if r == 7:  # by the width or more: PTX clamps; the amount is no constant
            return f"({e()} {self.pick('<<', '>>')} ((u0 ^ in[{e()} & 1023u]) & 63u))"
        if r == 8:
            return f"in[{e()} & 1023u]"
        if r == 9:
            return f"L[{e()} & 7u]"
        if r == 10:
            return f"({e('bool')} ? {e()} : {e()})"
        if r == 11:
            return (
                f"static_cast<u32>({e(self.pick('i32', 'u64', 'i64', 'i16', 'u8', 'f32', 'f64'))})"
            )
        if r == 12:
            return self.pick(
                f"static_cast<u32>(__popc({e()}))",
                f"__brev({e()})",
                f"__umulhi({e()}, {e()})",
                f"static_cast<u32>(__clz({e('i32')}))",
                f"__byte_perm({e()}, {e()}, {e()} & 0x7777u)",
                f"__funnelshift_l({e()}, {e()}, {e()})",
                f"min({e()}, {e()})",
                f"max({e()}, {e()})",
            )
        if r == 13:
            return self.pick(
                f"u32(P.c[{e()} & 3u])", "P.a", f"args.v[{e()} % 12u]", "u32(args.tail[t % 5])"
            )
        if r == 14 and self.functions:
            return f"{self.random.choice(self.functions)}({e()}, {e()}, in)"
        if r == 15:
            return f"word({e(self.pick('f32', 'f64', 'u64', 'i16'))})"
        return f"(~{e()})"

    def make_i32(self, d):
        e = lambda k="i32": self.of(k, d)
        r = self.random.randrange(8)
        if r < 3:
            return f"{self.pick('add', 'sub', 'mul')}({e()}, {e()})"
        if r == 3:
            return f"{self.pick('quotient', 'remainder')}({e()}, {e()})"
        if r == 4:
            return f"({e()} >> ({e('u32')} & 31u))"
        if r == 5:
            return self.pick(
                f"static_cast<i32>({e(self.pick('u32', 'i64', 'f32', 'f64'))})", f"i32({e('i16')})"
            )
        if r == 6:
            return self.pick(
                f"min({e()}, {e()})",
                f"max({e()}, {e()})",
                f"__mulhi({e()}, {e()})",
                f"__ffs({e()})",
            )
        return f"({e('bool')} ? {e()} : {e()})"

    def make_u64(self, d):
        e = lambda k="u64": self.of(k, d)
        r = self.random.randrange(5)
        if r < 2:
            return f"({e()} {self.pick('+', '-', '*', '&', '^')} {e()})"
        if r == 2:
            return f"({e()} {self.pick('<<', '>>')} ({e('u32')} & 63u))"
        if r == 3:
            return f"(u64({e('u32')}) << 32 | {e('u32')})"
        return self.pick(f"{self.pick('quotient', 'remainder')}({e()}, {e()})", f"u64({e('u32')})")

    def make_i64(self, d):
        e = lambda k="i64": self.of(k, d)
        return self.pick(
            f"{self.pick('add', 'sub', 'mul')}({e()}, {e()})",
            f"i64({e('i32')})",
            f"static_cast<i64>({e('u64')})",
            f"({e()} >> ({e('u32')} & 63u))",
            f"static_cast<i64>({e('f32')})",
        )

    def make_f32(self, d):
        e = lambda k="f32": self.of(k, d)
        return self.pick(
            f"({e()} + {e()})",
            f"({e()} - {e()})",
            f"({e()} * {e()})",
            f"({e()} / {e()})",
            f"static_cast<f32>({e(self.pick('i32', 'u32', 'u8'))})",
            f"static_cast<f32>({e('f64')})",
            f"({e('bool')} ? {e()} : {e()})",
            f"M[{e('u32')} % 5u]",
            f"(-{e()})",
        )

    def make_f64(self, d):
        e = lambda k="f64": self.of(k, d)
        return self.pick(
            f"({e()} + {e()})",
            f"({e()} - {e()})",
            f"({e()} * {e()})",
            f"f64({e('f32')})",
            f"static_cast<f64>({e(self.pick('i32', 'i64'))})",
        )

    def make_i16(self, d):
        return f"static_cast<i16>({self.of(self.pick('i32', 'u32'), d)})"

    def make_u8(self, d):
        return f"static_cast<u8>({self.of(self.pick('i32', 'u32'), d)})"

    def make_bool(self, d):
        e = lambda k: self.of(k, d)
        kind = self.random.choice(("u32", "i32", "u64", "i64", "f32", "f64", "i16", "u8"))
        compare = self.pick("<", "<=", "==", "!=", ">", ">=")
        return self.pick(
            f"({e(kind)} {compare} {e(kind)})",
            f"(({e('u32')} & {self.random.randrange(1, 8)}u) == 0)",
            f"({e('bool')} && {e('bool')})",
            f"({e('bool')} || {e('bool')})",
            f"(!{e('bool')})",
        )
