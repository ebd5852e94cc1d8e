# Expressions of the generated kernels: their text, their type, their range in one launch.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An environment maps names to ranges; it stands for one launch, since generator and launches are
# made together. `touch` reports every memory access an expression makes to a Recorder.
import copy

from ranges import C_NAMES, LIMITS, MIRRORED, NEGATED, Reject
from ranges import bits, compared, contains, converted, narrowed, operation, promoted


class Term:
    """`children` are terms; `fixed` ones are left alone by the shrinker where order matters."""

    kind = "i32"
    children = ()
    fixed = False

    def range(self, env):
        raise NotImplementedError

    def touch(self, env, record):
        for child in self.children:
            child.touch(env, record)

    def names(self):
        for child in self.children:
            yield from child.names()

    def size(self):
        return 1 + sum(child.size() for child in self.children)

    def clone(self):
        return copy.deepcopy(self)


class Const(Term):
    def __init__(self, value, kind="i32"):
        self.value, self.kind = value, kind

    def text(self):
        suffix = {"u32": "u", "i64": "ll", "u64": "ull"}.get(self.kind, "")
        return f"({self.value}{suffix})" if self.value < 0 else f"{self.value}{suffix}"

    def range(self, env):
        return (self.value, self.value)


class Var(Term):
    def __init__(self, name, kind="i32"):
        self.name, self.kind = name, kind

    def text(self):
        return self.name

    def range(self, env):
        if self.name not in env:
            raise Reject("no such variable here")
        return env[self.name]

    def names(self):
        yield self.name


class Op(Term):
    def __init__(self, op, a, b):
        self.op, self.children = op, [a, b]
        self.kind = promoted(a.kind) if op in ("<<", ">>") else promoted(a.kind, b.kind)

    def text(self):
        a, b = (child.text() for child in self.children)
        if self.op in ("min", "max"):
            name = C_NAMES[self.kind]
            return f"{self.op}(({name})({a}), ({name})({b}))"
        return f"({a} {self.op} {b})"

    def range(self, env):
        a, b = (child.range(env) for child in self.children)
        kind = promoted(self.children[0].kind, self.children[1].kind)
        kind = self.kind if self.op in ("<<", ">>") else kind
        self.kind = kind
        if self.op not in ("<<", ">>"):
            b = converted(b, kind)
        return operation(self.op, converted(a, kind), b, kind)


class Cast(Term):
    def __init__(self, kind, a):
        self.kind, self.children = kind, [a]

    def text(self):
        return f"({C_NAMES[self.kind]})({self.children[0].text()})"

    def range(self, env):
        return converted(self.children[0].range(env), self.kind)


class Select(Term):
    """condition ? a : b"""

    def __init__(self, condition, a, b):
        self.children = [condition, a, b]
        self.kind = promoted(a.kind, b.kind)

    def text(self):
        condition, a, b = (child.text() for child in self.children)
        name = C_NAMES[self.kind]
        return f"({condition} ? ({name})({a}) : ({name})({b}))"

    def branches(self, env):
        condition, a, b = self.children
        yield condition.refine(env, True), a
        yield condition.refine(env, False), b

    def range(self, env):
        found = [converted(t.range(e), self.kind) for e, t in self.branches(env) if e is not None]
        if not found:
            raise Reject("neither branch")
        return (min(low for low, _ in found), max(high for _, high in found))

    def touch(self, env, record):
        self.children[0].touch(env, record)
        for inside, term in self.branches(env):
            if inside is not None:
                term.touch(inside, record)


class Call(Term):
    """An index function of the file; its range comes from its body."""

    def __init__(self, function, arguments):
        self.function, self.children, self.kind = function, arguments, function.kind

    def text(self):
        inside = ", ".join(child.text() for child in self.children)
        return f"{self.function.name}({inside})"

    def range(self, env):
        inside = {
            name: converted(child.range(env), kind)
            for (name, kind), child in zip(self.function.parameters, self.children)
        }
        return converted(self.function.body.range(inside), self.kind)


class Function:
    """__device__ kind name(parameters) { return body; }"""

    def __init__(self, name, kind, parameters, body, inline):
        self.name, self.kind, self.parameters = name, kind, parameters
        self.body, self.inline = body, inline

    def text(self):
        inside = ", ".join(f"{C_NAMES[kind]} {name}" for name, kind in self.parameters)
        return (
            f"__device__ {self.inline} {C_NAMES[self.kind]} {self.name}({inside}) {{\n"
            f"  return {self.body.text()};\n}}"
        )


class Load(Term):
    """An element used as a number; `member` picks a part of it, `column` an element of a row."""

    def __init__(self, array, index, member="", column=None):
        self.array, self.member = array, member
        self.children = [index] + ([column] if column else [])
        self.kind = "f32" if array.content is None else array.element_kind

    def address(self):
        column = f"[{self.children[1].text()}]" if len(self.children) > 1 else ""
        return f"{self.array.text()}[{self.children[0].text()}]{column}{self.member}"

    def text(self):
        if self.array.content is not None:
            return self.address()
        if self.array.element == "float4" and not self.member:
            return f"sum4({self.address()})"
        return f"(float)({self.address()})"

    def range(self, env):
        if self.array.content is None:
            raise Reject("not an integer")
        return self.array.content

    def elements(self, env):
        low, high = self.children[0].range(env)
        if self.array.columns:
            column = self.children[1].range(env)
            if column[0] < 0 or column[1] >= self.array.columns:
                raise Reject("not in the row")
            return (low * self.array.columns + column[0], high * self.array.columns + column[1])
        return (low, high)

    def touch(self, env, record):
        super().touch(env, record)
        record.access(self.array, self.elements(env), env)

    def names(self):
        yield self.array.name
        yield from super().names()


class Vector(Term):
    """The sum of four neighbours in a float array, read as one float4."""

    kind = "f32"

    def __init__(self, array, index):
        self.array, self.children = array, [index]

    def text(self):
        index = self.children[0].text()
        return f"sum4(reinterpret_cast<const float4*>({self.array.text()})[{index}])"

    def touch(self, env, record):
        super().touch(env, record)
        low, high = self.children[0].range(env)
        record.access(self.array, (4 * low, 4 * high + 3), env)

    def names(self):
        yield self.array.name
        yield from super().names()


class OffsetLoad(Term):
    """An element behind a moved pointer; style "index" or a device function."""

    kind = "f32"

    def __init__(self, array, base, index, style="index"):
        self.array, self.style, self.children = array, style, [base, index]

    def text(self):
        base, index = (child.text() for child in self.children)
        pointer = f"{self.array.text()} + ({base})"
        if self.style == "index":
            return f"(float)(({pointer})[{index}])"
        return f"{self.style}({pointer}, {index})"

    def touch(self, env, record):
        super().touch(env, record)
        one, two = (child.range(env) for child in self.children)
        record.access(self.array, (one[0] + two[0], one[1] + two[1]), env)

    def names(self):
        yield self.array.name
        yield from super().names()


class EitherLoad(Term):
    """An element of one of two arrays."""

    kind = "f32"

    def __init__(self, condition, one, two, index):
        self.arrays, self.children = (one, two), [condition, index]

    def text(self):
        condition, index = (child.text() for child in self.children)
        one, two = (array.text() for array in self.arrays)
        return f"(float)(({condition} ? {one} : {two})[{index}])"

    def touch(self, env, record):
        super().touch(env, record)
        for array in self.arrays:
            record.access(array, self.children[1].range(env), env)

    def names(self):
        yield from (array.name for array in self.arrays)
        yield from super().names()


class Whole(Term):
    """A struct read as a whole."""

    kind = "struct"

    def __init__(self, array, index):
        self.array, self.children = array, [index]

    def text(self):
        return f"{self.array.text()}[{self.children[0].text()}]"

    def touch(self, env, record):
        super().touch(env, record)
        record.access(self.array, self.children[0].range(env), env)

    def names(self):
        yield self.array.name
        yield from super().names()


class FloatConst(Term):
    kind = "f32"

    def __init__(self, value):
        self.value = value

    def text(self):
        return f"{self.value}f"


class FloatCast(Term):
    """(float) of an integer."""

    kind = "f32"

    def __init__(self, a):
        self.children = [a]

    def text(self):
        return f"(float)({self.children[0].text()})"

    def touch(self, env, record):
        super().touch(env, record)
        self.children[0].range(env)  # rejects overflow


class FloatOp(Term):
    kind = "f32"

    def __init__(self, op, a, b):
        self.op, self.children = op, [a, b]

    def text(self):
        a, b = (child.text() for child in self.children)
        return f"({a} {self.op} {b})"


class Local(Term):
    """A float variable: no range, no access."""

    kind = "f32"

    def __init__(self, name):
        self.name = name

    def text(self):
        return self.name

    def touch(self, env, record):
        if self.name not in env:
            raise Reject("no such variable here")

    def names(self):
        yield self.name


# --- conditions ----------------------------------------------------------------------------------
class Compare(Term):
    kind = "bool"

    def __init__(self, op, a, b):
        self.op, self.children = op, [a, b]

    def text(self):
        a, b = (child.text() for child in self.children)
        return f"({a} {self.op} {b})"

    def operands(self, env):
        kind = promoted(*(child.kind for child in self.children))
        return [(child, child.range(env), kind) for child in self.children]

    def refine(self, env, truth):
        """The environment where it is `truth`; None if it never is."""
        op = self.op if truth else NEGATED[self.op]
        (a, one, kind), (b, two, _) = self.operands(env)
        same = converted(one, kind) == one and converted(two, kind) == two
        if not same:
            # (unsigned)(i - 1) < n: the converted value is what is compared.
            return env
        if compared(op, one, two) is False:
            return None
        result = dict(env)
        for side, mine, how, other in ((a, one, op, two), (b, two, MIRRORED[op], one)):
            if isinstance(side, Var):
                left = narrowed(mine, how, other)
                if left is None:
                    return None
                result[side.name] = left
        return result

    def touch(self, env, record):
        super().touch(env, record)
        for child in self.children:
            child.range(env)


class Both(Term):
    """a && b, or a || b."""

    kind = "bool"

    def __init__(self, op, a, b):
        self.op, self.children = op, [a, b]

    def text(self):
        a, b = (child.text() for child in self.children)
        return f"({a} {self.op} {b})"

    def refine(self, env, truth):
        a, b = self.children
        if truth != (self.op == "&&"):
            # One of them decides; where only one can, it does.
            one, two = a.refine(env, truth), b.refine(env, truth)
            return one if two is None else two if one is None else env
        inside = a.refine(env, truth)
        return None if inside is None else b.refine(inside, truth)

    def touch(self, env, record):
        a, b = self.children
        a.touch(env, record)
        inside = a.refine(env, self.op == "&&")
        if inside is not None:
            b.touch(inside, record)


class Not(Term):
    kind = "bool"

    def __init__(self, a):
        self.children = [a]

    def text(self):
        return f"!{self.children[0].text()}"

    def refine(self, env, truth):
        return self.children[0].refine(env, not truth)


def is_condition(term):
    return term.kind == "bool"


def joined(one, two):
    """The environment after either of two ways."""
    if one is None or two is None:
        return two if one is None else one
    return {
        name: (min(one[name][0], two[name][0]), max(one[name][1], two[name][1]))
        for name in one
        if name in two
    }


__all__ = [
    name
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, Term)
] + ["Function", "Reject", "joined", "is_condition", "LIMITS", "C_NAMES", "bits", "contains"]
