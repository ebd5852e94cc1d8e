# Statements of the generated kernels: text, effect on the environments, parts to cut.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `walk(envs, record)` takes one environment a launch (None: not reached), reports every access and
# returns the environments after the statement.
import copy

from arrays import ELEMENTS
from ranges import C_NAMES, Reject, contains, converted


def each(envs, act):
    """act(env) for every launch that comes here."""
    return [None if env is None else act(env) for env in envs]


def refined(envs, condition, truth):
    return each(envs, lambda env: condition.refine(env, truth))


def with_name(env, name, value):
    return {**env, name: value}


def repeated(env, times):
    return with_name(env, "#runs", (0, env["#runs"][1] * max(times, 0)))


def walk_body(body, envs, record):
    for statement in body:
        envs = statement.walk(envs, record)
    return envs


def touch_all(terms, envs, record):
    for env in envs:
        if env is not None:
            for term in terms:
                term.touch(env, record)


class Statement:
    terms = ()  # attributes that hold terms
    bodies = ()  # attributes that hold lists of statements

    def own_terms(self):
        return [getattr(self, name) for name in self.terms if getattr(self, name) is not None]

    def all_terms(self):
        yield from self.own_terms()
        for statement in self.inside():
            yield from statement.all_terms()

    def inside(self):
        for name in self.bodies:
            yield from getattr(self, name)

    def everything(self):
        yield self
        for statement in self.inside():
            yield from statement.everything()

    def arrays(self):
        return ()

    def size(self):
        return (
            2
            + sum(term.size() for term in self.own_terms())
            + sum(statement.size() for statement in self.inside())
        )

    def clone(self):
        return copy.deepcopy(self)

    def block(self, head, body, indent, tail="}"):
        pad = "  " * indent
        yield pad + head
        for statement in body:
            yield from statement.lines(indent + 1)
        yield pad + tail


class Declare(Statement):
    terms = ("value",)

    def __init__(self, name, kind, value):
        self.name, self.kind, self.value = name, kind, value

    def lines(self, indent):
        yield f"{'  ' * indent}const {C_NAMES[self.kind]} {self.name} = {self.value.text()};"

    def walk(self, envs, record):
        touch_all([self.value], envs, record)
        return each(
            envs,
            lambda env: with_name(env, self.name, converted(self.value.range(env), self.kind)),
        )


class Choose(Statement):
    """A variable whose value depends on the way taken."""

    terms = ("condition", "one", "two")

    def __init__(self, name, kind, condition, one, two, overwrite):
        self.name, self.kind, self.condition = name, kind, condition
        self.one, self.two, self.overwrite = one, two, overwrite

    def lines(self, indent):
        pad, name = "  " * indent, self.name
        condition, one, two = (term.text() for term in self.own_terms())
        if self.overwrite:
            yield f"{pad}{C_NAMES[self.kind]} {name} = {two};"
            yield f"{pad}if ({condition}) {name} = {one};"
        else:
            yield f"{pad}{C_NAMES[self.kind]} {name};"
            yield f"{pad}if ({condition}) {name} = {one}; else {name} = {two};"

    def walk(self, envs, record):
        touch_all([self.condition], envs, record)
        ways = []
        for truth, term in ((True, self.one), (False, self.two)):
            inside = envs if self.overwrite and not truth else refined(envs, self.condition, truth)
            touch_all([term], inside, record)
            ways.append(each(inside, lambda env: converted(term.range(env), self.kind)))
        result = []
        for env, one, two in zip(envs, *ways):
            found = [value for value in (one, two) if value is not None]
            result.append(
                None
                if env is None
                else with_name(env, self.name, (min(v[0] for v in found), max(v[1] for v in found)))
            )
        return result


class Accumulate(Statement):
    terms = ("value",)

    def __init__(self, value):
        self.value = value

    def lines(self, indent):
        yield f"{'  ' * indent}acc += {self.value.text()};"

    def walk(self, envs, record):
        touch_all([self.value], envs, record)
        return envs


class Store(Statement):
    """array[index]member = value; style "=", "+=", "call" (of a function), "vector" (float4)."""

    terms = ("index", "value")

    def __init__(self, array, index, value, style="=", member=""):
        self.array, self.index, self.value = array, index, value
        self.style, self.member = style, member

    def arrays(self):
        return (self.array.name,)

    def lines(self, indent):
        pad, name, index = "  " * indent, self.array.text(), self.index.text()
        wrap = dict(ELEMENTS[self.array.element][1])[self.member]
        value = wrap.format(self.value.text())
        if self.value.kind == "struct":
            yield f"{pad}{name}[{index}] = {self.value.text()};"
        elif self.style == "vector":
            value = f"spread4({self.value.text()})"
            yield f"{pad}reinterpret_cast<float4*>({name})[{index}] = {value};"
        elif self.style == "call":
            yield f"{pad}put(&{name}[{index}], {value});"
        else:
            yield f"{pad}{name}[{index}]{self.member} {self.style} {value};"

    def walk(self, envs, record):
        touch_all([self.index, self.value], envs, record)
        for env in envs:
            if env is not None:
                low, high = self.index.range(env)
                if self.style == "vector":
                    low, high = 4 * low, 4 * high + 3
                record.access(self.array, (low, high), env)
        return envs


class Atomic(Statement):
    terms = ("index", "value")

    def __init__(self, array, index, value, used=False):
        self.array, self.index, self.value, self.used = array, index, value, used

    def arrays(self):
        return (self.array.name,)

    def lines(self, indent):
        call = (
            f"{self.array.operation}(&{self.array.text()}[{self.index.text()}], "
            f"({self.array.element})({self.value.text()}))"
        )
        yield "  " * indent + (f"acc += (float)({call});" if self.used else f"{call};")

    def walk(self, envs, record):
        touch_all([self.index, self.value], envs, record)
        for env in envs:
            if env is not None:
                self.value.range(env)
                record.access(self.array, self.index.range(env), env)
        return envs


class If(Statement):
    terms, bodies = ("condition",), ("body", "other")

    def __init__(self, condition, body, other=()):
        self.condition, self.body, self.other = condition, list(body), list(other)

    def lines(self, indent):
        tail = "} else {" if self.other else "}"
        yield from self.block(f"if ({self.condition.text()}) {{", self.body, indent, tail)
        if self.other:
            for statement in self.other:
                yield from statement.lines(indent + 1)
            yield "  " * indent + "}"

    def walk(self, envs, record):
        touch_all([self.condition], envs, record)
        walk_body(self.body, refined(envs, self.condition, True), record)
        walk_body(self.other, refined(envs, self.condition, False), record)
        return envs


class Block(Statement):
    """{ … }: statements that belong together."""

    bodies = ("body",)

    def __init__(self, body):
        self.body = list(body)

    def lines(self, indent):
        yield from self.block("{", self.body, indent)

    def walk(self, envs, record):
        after = walk_body(self.body, envs, record)
        # Names declared inside are gone; who has left is gone.
        return [None if left is None else env for env, left in zip(envs, after)]


class Leave(Statement):
    """if (condition) return, break or continue."""

    terms = ("condition",)

    def __init__(self, condition, word):
        self.condition, self.word = condition, word

    def lines(self, indent):
        yield f"{'  ' * indent}if ({self.condition.text()}) {self.word};"

    def walk(self, envs, record):
        touch_all([self.condition], envs, record)
        return refined(envs, self.condition, False)


class Switch(Statement):
    """switch (selector % count); cases may fall through."""

    terms, bodies = ("selector",), ("first", "second", "default")

    def __init__(self, selector, count, first, second, default, falls):
        self.selector, self.count, self.falls = selector, count, falls
        self.first, self.second, self.default = list(first), list(second), list(default)

    def lines(self, indent):
        pad = "  " * indent
        yield f"{pad}switch ({self.selector.text()} % {self.count}) {{"
        for label, body, last in (
            ("case 0", self.first, not self.falls),
            ("case 1", self.second, True),
            ("default", self.default, True),
        ):
            yield from self.block(f"{label}: {{", body, indent, "} break;" if last else "}")
        yield f"{pad}}}"

    def walk(self, envs, record):
        touch_all([self.selector], envs, record)
        for env in envs:
            if env is not None:
                self.selector.range(env)
        for body in (self.first, self.second, self.default):
            walk_body(body, envs, record)
        return envs


class Stage(Statement):
    """Fills a shared array, waits, and reads it elsewhere; all threads of the block come here."""

    terms = ("index", "condition", "slot", "read")

    def __init__(self, array, number, index, condition, slot, read, guarded):
        self.array, self.number, self.index, self.condition = array, number, index, condition
        self.slot, self.read, self.guarded = slot, read, guarded
        self.extent = 1

    def arrays(self):
        return (self.array.name,)

    def lines(self, indent):
        pad, tile = "  " * indent, f"tile{self.number}"
        value = f"(float)({self.array.text()}[{self.index.text()}])"
        yield f"{pad}__shared__ float {tile}[{self.extent}];"
        slot = f"{tile}[{self.slot.text()}]"
        if self.guarded:
            yield f"{pad}{slot} = 0.0f;"
            yield f"{pad}if ({self.condition.text()}) {slot} = {value};"
        else:
            yield f"{pad}{slot} = {self.condition.text()} ? {value} : 0.0f;"
        yield f"{pad}__syncthreads();"
        yield f"{pad}acc += {tile}[{self.read.text()}];"
        yield f"{pad}__syncthreads();"

    def walk(self, envs, record):
        touch_all([self.condition], envs, record)
        inside = refined(envs, self.condition, True)
        touch_all([self.index], inside, record)
        for env in inside:
            if env is not None:
                record.access(self.array, self.index.range(env), env)
        self.extent = 1
        for env in envs:
            if env is None:
                continue
            filled, read = self.slot.range(env), self.read.range(env)
            if not contains((0, 2047), filled) or not contains(filled, read):
                raise Reject("outside of the tile")
            self.extent = max(self.extent, filled[1] + 1)
        return envs


__all__ = [
    name
    for name, value in list(globals().items())
    if isinstance(value, type) and issubclass(value, Statement)
] + ["walk_body"]
