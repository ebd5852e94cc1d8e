# Conditions an analysis easily gets wrong: found out by a loop, kept in a variable, joined by & and
# |, used as factors and masks; lanes of warps; neighbours that a loop carries along.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `run.py --guards` makes kernels of which these are a large part. Each ends in a store that happens
# or not: a must-write that is wrong shows in GRIDSPAN_VERIFY.
from loops import Loop
from ranges import C_NAMES, LIMITS, Reject, contains, converted
from statements import Accumulate, Block, If, Leave, Statement, Store
from statements import each, repeated, touch_all, with_name
from terms import Compare, Const, FloatOp, Load, Local, Not, Op, Term, Var


# --- terms ---------------------------------------------------------------------------------------
class Truth(Compare):
    """A number taken as a condition."""

    def __init__(self, a):
        super().__init__("!=", a, Const(0))

    def text(self):
        return self.children[0].text()


class Joined(Term):
    """a & b, a | b, a ^ b: both sides are computed."""

    kind = "bool"

    def __init__(self, op, a, b):
        self.op, self.children = op, [a, b]

    def text(self):
        a, b = (f"(bool)({child.text()})" for child in self.children)
        return f"({a} {self.op} {b})"

    def refine(self, env, truth):
        if self.op == "^" or truth != (self.op == "&"):
            return env
        one = self.children[0].refine(env, truth)
        return None if one is None else self.children[1].refine(one, truth)


class AsNumber(Term):
    """A condition taken as 0 or 1."""

    kind = "i32"

    def __init__(self, condition):
        self.children = [condition]

    def text(self):
        return f"(int)(bool)({self.children[0].text()})"

    def range(self, env):
        return (0, 1)


# --- statements ----------------------------------------------------------------------------------
class Variable(Statement):
    """A number that is changed later; it never leaves `hull`."""

    terms = ("value",)

    def __init__(self, name, kind, value, hull):
        self.name, self.kind, self.value, self.hull = name, kind, value, hull

    def lines(self, indent):
        kind = "bool" if self.kind == "bit" else C_NAMES[self.kind]
        yield f"{'  ' * indent}{kind} {self.name} = {self.value.text()};"

    def walk(self, envs, record):
        touch_all([self.value], envs, record)
        for env in envs:
            if env is not None and not contains(self.hull, self.value.range(env)):
                raise Reject("not in its range")
        return each(envs, lambda env: with_name(env, self.name, self.hull))


class Change(Leave):
    """if (condition) { name = value; word; }. Without a condition: always."""

    terms = ("condition", "value")

    def __init__(self, name, condition, value, word="", how="="):
        super().__init__(condition, word)
        self.name, self.value, self.how = name, value, how

    def lines(self, indent):
        pad, act = "  " * indent, f"{self.name} {self.how} {self.value.text()};"
        if self.condition is None:
            yield pad + act
        elif self.word:
            yield f"{pad}if ({self.condition.text()}) {{ {act} {self.word}; }}"
        else:
            yield f"{pad}if ({self.condition.text()}) {act}"

    def walk(self, envs, record):
        for env in envs:
            if env is not None and self.name not in env:
                raise Reject("no such variable here")
        inside = envs
        if self.condition is not None:
            touch_all([self.condition], envs, record)
            inside = each(envs, lambda env: self.condition.refine(env, True))
        touch_all([self.value], inside, record)
        for env in inside:
            if env is not None and not contains(env[self.name], self.value.range(env)):
                raise Reject("not in its range")
        return super().walk(envs, record) if self.word else envs


class Forever(Loop):
    """while (true) { if (!(k < bound)) break; …; k += step; }"""

    def lines(self, indent):
        pad, k = "  " * indent, self.name
        start, bound, step = (term.text() for term in self.own_terms())
        yield f"{pad}{{ {C_NAMES[self.kind]} {k} = {start};"
        yield f"{pad}while (true) {{"
        yield f"{pad}  if (!({k} {'<=' if self.inclusive else '<'} {bound})) break;"
        for statement in self.body:
            yield from statement.lines(indent + 1)
        yield f"{pad}  {k} += {step};"
        yield f"{pad}}} }}"


class Stop(Statement):
    """int k = start; for (; k < bound; ++k) if (condition) break; leaves k where it stopped."""

    terms = ("start", "bound", "condition")

    def __init__(self, name, start, bound, condition):
        self.name, self.start, self.bound, self.condition = name, start, bound, condition

    def lines(self, indent):
        pad, k = "  " * indent, self.name
        start, bound, condition = (term.text() for term in self.own_terms())
        yield f"{pad}int {k} = {start};"
        yield f"{pad}for (; {k} < {bound}; ++{k}) if ({condition}) break;"

    def inside_of(self, env):
        start, bound = (term.range(env) for term in (self.start, self.bound))
        if not contains(LIMITS["i32"], start) or not contains((-4096, 4096), bound):
            raise Reject("counter's type")
        if start[0] < 0 or bound[0] < 0:
            raise Reject("mixed signs")
        if bound[1] <= start[0]:
            return None
        inside = repeated(env, bound[1] - start[0])
        return with_name(inside, self.name, (start[0], bound[1] - 1))

    def walk(self, envs, record):
        touch_all([self.start, self.bound], envs, record)
        touch_all([self.condition], each(envs, self.inside_of), record)

        def after(env):
            start, bound = self.start.range(env), self.bound.range(env)
            return with_name(env, self.name, (start[0], max(start[1], bound[1])))

        return each(envs, after)


class Carried(Statement):
    """Reads, or writes, of three neighbours that are handed on: below, here, above; clamped."""

    terms = ("start", "step", "trips", "own")

    def __init__(self, array, number, start, step, trips, own=None, clamp="?"):
        self.array, self.number, self.start, self.step = array, number, start, step
        self.trips, self.own, self.clamp = trips, own, clamp

    def arrays(self):
        return (self.array.name,)

    def lines(self, indent):
        pad, k = "  " * indent, f"kc{self.number}"
        low, here, high = (f"{name}{self.number}" for name in ("lo", "mid", "hi"))
        start, step, trips = (t.text() for t in (self.start, self.step, self.trips))
        yield f"{pad}{{ int {low} = {start}, {here} = {start};"
        yield f"{pad}int {high} = {trips} > 1 ? {start} + {step} : {start};"
        yield f"{pad}for (int {k} = 0; {k} < {trips}; ++{k}) {{"
        name = self.array.text()
        if self.own is None:
            reads = " + ".join(f"(float)({name}[{i}])" for i in (low, here, high))
            yield f"{pad}  acc += {reads};"
        else:
            yield f"{pad}  {name}[{self.own.text()} + {here}] = acc;"
        following = {
            "?": f"{k} + 2 < {trips} ? {high} + {step} : {high}",
            "min": f"min((int)({high} + {step}), (int)({start} + ({trips} - 1) * {step}))",
        }[self.clamp]
        yield f"{pad}  {low} = {here}; {here} = {high}; {high} = {following};"
        yield f"{pad}}} }}"

    def walk(self, envs, record):
        touch_all(self.own_terms(), envs, record)
        for env in envs:
            if env is None:
                continue
            start, step, trips = (t.range(env) for t in (self.start, self.step, self.trips))
            for value in (start, step, trips):
                if not contains((-(1 << 20), 1 << 20), value):
                    raise Reject("counter's type")
            if step[0] < 0 or trips[1] > 64 or trips[0] < 0:
                raise Reject("the wrong way")
            if trips[1] < 1:
                continue
            reach = (start[0], start[1] + step[1] * (trips[1] - 1))
            if self.own is not None:
                if not contains((0, self.array.owner - 1), reach):
                    raise Reject("not its own")
                own = self.own.range(env)
                reach = (own[0] + reach[0], own[1] + reach[1])
            record.access(self.array, reach, repeated(env, trips[1]))
        return envs


# --- making them ---------------------------------------------------------------------------------
class Guards:
    """Part of Bodies, whose members it uses."""

    def some_guards(self, scope):
        found = []
        for _ in range(self.random.choice([1, 1, 2])):
            if scope.live():
                found.append(self.attempt(self.guard, scope))
        return [statement for statement in found if statement is not None]

    def guard(self, scope):
        return self.random.choice(
            [self.search] * 5 + [self.stop, self.stop, self.kept, self.kept]
            + [self.escape, self.escape, self.escape, self.lanes, self.carried, self.carried_own]
        )(scope)

    def short_bound(self, scope):
        return self.random.choice(
            [
                self.t.constant(0, 6),
                self.t.number("m", "view.k", "u"),
                Var("threadIdx.x", "u32"),
                Op("%", Var("threadIdx.x", "u32"), Const(self.random.choice([3, 5]), "u32")),
                Op("+", Var("threadIdx.y", "u32"), self.t.constant(0, 2)),
                Op("min", self.t.number("n", "w"), Const(9)),
            ]
        )

    def near_counter(self, name, kind, scope):
        """A condition on a loop's counter."""
        k = Var(name, kind)
        a = self.random.choice(
            [k, k, k, Op("+", k, self.t.constant(1, 3)), Op("*", k, Const(2)), Op("&", k, Const(1))]
        )
        others = [v for v in scope.variables if v[0] != name]
        b = self.random.choice(
            [
                Var(*self.random.choice(others)) if others else Var("threadIdx.x", "u32"),
                Var("threadIdx.x", "u32"),
                Var("threadIdx.y", "u32"),
                Var("blockIdx.x", "u32"),
                self.t.constant(0, 7),
                self.t.number("m", "w", "view.k", "sh"),
                Op("%", Var("threadIdx.x", "u32"), Const(4, "u32")),
            ]
        )
        condition = Compare(self.random.choice(["==", "==", "==", "<", ">", ">=", "!="]), a, b)
        if self.chance(0.3):
            other = self.t.affine_condition(scope)
            condition = Joined(self.random.choice(["&", "|", "^"]), condition, other)
        elif self.chance(0.1) and self.t.tables:
            condition = self.t.condition(scope)
        return Not(condition) if self.chance(0.15) else condition

    def guard_loop(self, scope):
        """A short loop without a body; the scope inside."""
        kind = self.random.choice(["i32", "i32", "u32", "u64"])
        style = self.random.choice(["for", "for", "do", "while", "forever", "down"])
        start, step = Const(0), Const(1)
        if self.chance(0.25):
            start = self.random.choice([self.t.constant(0, 3), Var("threadIdx.y", "u32")])
        if self.chance(0.2):
            step = self.t.constant(2, 3)
        bound = self.short_bound(scope)
        if style == "down":
            kind, start = "i32", Const(0)
        make = Forever if style == "forever" else Loop
        style = "while" if style == "forever" else style
        loop = make(self.name("k"), kind, start, bound, step, [], style, self.chance(0.2))
        envs = [None if env is None else loop.counter(env) for env in scope.envs]
        inside = scope.inner(envs, loop="for" if style in ("for", "down") else "while")
        inside.variables.append((loop.name, kind))
        if not inside.live():
            raise Reject("never runs")
        return loop, inside

    def words(self, inside):
        words = ["break", "break", "break", "", ""] + (["return"] if inside.returns else [])
        return words + (["continue"] if inside.loop == "for" else [])

    def search(self, scope):
        """A loop that finds something out; then a store that depends on it."""
        name = self.name("f")
        kind = self.random.choice(["bit", "bit", "i32", "i32", "u32"])
        values = [0, 1] if kind == "bit" or self.chance(0.6) else [0, 1, 2, 5]
        first = Variable(name, kind, Const(self.random.choice(values)), (min(values), max(values)))
        outside = scope.inner(first.walk(scope.envs, self.nobody()), depth=scope.depth)
        outside.variables.append((name, "u32" if kind == "u32" else "i32"))
        loop = self.search_loop(outside, name, values, nested=self.chance(0.25))
        after = scope.inner(loop.walk(outside.envs, self.nobody()), depth=scope.depth)
        after.variables = list(outside.variables)
        return Block([first, loop, *self.guarded(after, Var(*after.variables[-1]), values)])

    def search_loop(self, scope, name, values, nested=False):
        loop, inside = self.guard_loop(scope)
        inside.variables.append(scope.variables[-1])
        if nested:
            loop.body.append(self.search_loop(inside, name, values))
        for _ in range(self.random.choice([1, 1, 1, 2])):
            loop.body.append(self.change(inside, name, loop, values))
        if nested and self.chance(0.6):
            flag = Var(*inside.variables[-1])
            loop.body.append(Leave(self.asked(flag, values), "break"))
        loop.walk(scope.envs, self.nobody())
        return loop

    def change(self, scope, name, loop, values):
        condition = self.near_counter(loop.name, loop.kind, scope)
        if values == [0, 1] and self.chance(0.3):
            how = self.random.choice(["=", "&=", "|=", "^="])
            return Change(name, None, AsNumber(condition), "", how)
        value = Const(self.random.choice(values))
        if values == [0, 1] and self.chance(0.1):
            value = AsNumber(self.t.affine_condition(scope))
        return Change(name, condition, value, self.random.choice(self.words(scope)))

    def asked(self, flag, values):
        r = self.random.random()
        if values == [0, 1] and r < 0.6:
            return Truth(flag) if self.chance(0.5) else Not(Truth(flag))
        return Compare(
            self.random.choice(["==", "!=", "==", "!=", "<", ">"]),
            flag,
            Const(self.random.choice(values)),
        )

    def guarded(self, scope, flag, values):
        """Statements: a store if the flag says so."""
        condition = self.asked(flag, values)
        if self.chance(0.3):
            other = self.t.affine_condition(scope)
            condition = Joined(self.random.choice("&|^"), condition, other)
        return self.stored_where(scope, condition)

    def stored_where(self, scope, condition):
        if scope.own is None:
            return [If(condition, [Accumulate(self.value(scope, 0))])]
        inside = scope.inner([None if e is None else condition.refine(e, True) for e in scope.envs])
        if not inside.live():
            raise Reject("never")
        store = self.final_store(inside)
        if store is None:
            raise Reject("nothing of its own")
        r = self.random.random()
        if r < 0.25 and scope.returns:
            return [Leave(Not(condition), "return"), store]
        if r < 0.35:
            return [If(condition, [], [store])] if self.live_else(scope, condition) else []
        if r < 0.45:
            return [If(condition, [store], [store.clone()])]
        return [If(condition, [store])]

    def live_else(self, scope, condition):
        return any(e is not None and condition.refine(e, False) is not None for e in scope.envs)

    def stop(self, scope):
        """for (; k < bound; ++k) if (…) break; then k is asked where it stopped."""
        name = self.name("k")
        start = self.t.constant(0, 2) if self.chance(0.3) else Const(0)
        loop = Stop(name, start, self.short_bound(scope), None)
        inside = scope.inner([None if e is None else loop.inside_of(e) for e in scope.envs])
        inside.variables.append((name, "i32"))
        loop.condition = self.near_counter(name, "i32", inside)
        after = scope.inner(loop.walk(scope.envs, self.nobody()), depth=scope.depth)
        after.variables.append((name, "i32"))
        asked = self.random.choice([loop.bound, loop.bound, Const(2), Var("threadIdx.x", "u32")])
        condition = Compare(self.random.choice(["<", "==", "!=", ">="]), Var(name), asked)
        return Block([loop, *self.stored_where(after, condition)])

    def kept(self, scope):
        """Conditions in a variable, joined by & and |."""
        name = self.name("f")
        condition = self.t.condition(scope)
        for _ in range(self.random.randint(1, 2)):
            other = self.t.affine_condition(scope)
            condition = Joined(self.random.choice("&&|^"), condition, other)
        kind = self.random.choice(["bit", "i32"])
        first = Variable(name, kind, AsNumber(condition), (0, 1))
        after = scope.inner(first.walk(scope.envs, self.nobody()), depth=scope.depth)
        after.variables.append((name, "i32"))
        statements = [first]
        if self.chance(0.4):
            how = self.random.choice(["=", "&=", "|=", "^="])
            when = self.t.affine_condition(after) if self.chance(0.5) else None
            more = AsNumber(self.t.affine_condition(after))
            statements.append(Change(name, when, more, "", how))
        flag = Var(name)
        if self.chance(0.3):
            factor = self.random.choice(
                [Op("*", self.t.leaf(after), flag)]
                + [Op("&", self.t.leaf(after), Op("-", Const(0), flag))]
            )
            condition = Compare(self.random.choice(["<", "==", ">"]), factor, self.t.constant(0, 5))
            return Block(statements + self.stored_where(after, condition))
        return Block(statements + self.guarded(after, flag, [0, 1]))

    def escape(self, scope):
        """Loops that are left early, one in another; then a store."""
        loop, inside = self.guard_loop(scope)
        if self.chance(0.35) and scope.depth > 0:
            inner, deep = self.guard_loop(inside)
            word = self.random.choice(self.words(deep)) or "return"
            if word == "return" and not deep.returns:
                word = "break"
            inner.body = [Leave(self.near_counter(inner.name, inner.kind, deep), word)]
            loop.body.append(inner)
        for _ in range(self.random.choice([1, 1, 2])):
            word = self.random.choice([w for w in self.words(inside) if w])
            loop.body.append(Leave(self.near_counter(loop.name, loop.kind, inside), word))
        if scope.own is not None and self.chance(0.3):
            store = self.final_store(scope)
            loop.body += [store] if store else []
        loop.walk(scope.envs, self.nobody())
        condition = self.t.affine_condition(scope)
        always = Compare(">=", Var("blockDim.x", "u32"), Const(1))
        return Block(
            [loop, *self.stored_where(scope, condition if self.chance(0.3) else always)]
        )

    def lanes(self, scope):
        """Lanes and warps decide, or say what is read."""
        size = Const(self.random.choice([32, 32, 32, 8, 16]), "u32")
        x = Var("threadIdx.x", "u32")
        if self.chance(0.3):
            x = Op("+", x, Op("*", Var("threadIdx.y", "u32"), Var("blockDim.x", "u32")))
        lane = Op("%", x, size) if self.chance(0.5) else Op("&", x, Const(size.value - 1, "u32"))
        warp = Op("/", x, size)
        if self.chance(0.5):
            of = self.random.choice([lane, warp])
            what = self.random.choice(
                [self.t.constant(0, 3, "u32"), self.t.number("u", "view.k")]
                + [Var("blockIdx.x", "u32")]
            )
            condition = Compare(self.random.choice(["==", "<", ">=", "!="]), of, what)
            return Block(self.stored_where(scope, condition))
        arrays = [a for a in self.of_role("in") if a.element in ("float", "int") and not a.columns]
        if not arrays:
            return None
        row = Op("+", Op("*", Var("blockIdx.x", "u32"), Const(4, "u32")), warp)
        width = self.t.number("w", "n", "view.w", "view.k")
        index = Op("+", Op("*", row, width), lane)
        return self.accumulate(Load(self.random.choice(arrays), index))

    def carried(self, scope):
        """The columns of a grid, neighbours along z handed on."""
        arrays = [a for a in self.of_role("in") if a.element in ("float", "int") and not a.columns]
        if not arrays:
            return None
        step = self.random.choice(
            [self.t.number("w", "n", "view.w"), self.t.constant(1, 3)]
        )
        self.counter += 1
        trips = self.random.choice([self.t.number("m"), self.t.constant(1, 5)])
        clamp = self.random.choice(["?", "min"])
        start = self.t.leaf(scope)
        return Carried(self.random.choice(arrays), self.counter, start, step, trips, None, clamp)

    def carried_own(self, scope):
        """All elements a thread owns, the subscript handed on."""
        arrays = [
            a
            for a in self.of_role("own")
            if isinstance(a.owner, int) and a.owner > 1 and a.element == "float"
        ]
        if scope.own is None or not arrays:
            return None
        array = self.random.choice(arrays)
        self.counter += 1
        trips = self.random.choice([Const(array.owner), self.t.number("m", "view.k")])
        own = Op("*", scope.own, Const(array.owner))
        own.fixed = True
        clamp = self.random.choice(["?", "min"])
        return Carried(array, self.counter, Const(0), Const(1), trips, own, clamp)
