# Random bodies of the generated kernels.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from arrays import ELEMENTS, READ_MEMBERS, Array, Recorder
from guards import Guards
from idioms import Idioms
from loops import Halving, Loop, PointerLoop
from ranges import Reject
from scope import SIZES
from statements import Accumulate, Atomic, Choose, Declare, If, Leave
from statements import Stage, Store, Switch
from terms import Both, Cast, Compare, Const, FloatCast, FloatConst, FloatOp, Load, Local, Op, Var
from terms import EitherLoad, OffsetLoad, Vector, Whole

ATOMICS = ("atomicAdd", "atomicMin", "atomicMax", "atomicAnd", "atomicOr", "atomicXor")


class Bodies(Idioms, Guards):
    guards = 0.0  # how many of the statements are guards (guards.py)

    def __init__(self, random, terms, arrays, racy):
        self.random, self.t, self.arrays, self.racy = random, terms, arrays, racy
        self.counter, self.budget = 0, random.choice([1, 1, 2, 2, 3, 4, 6])
        if random.random() < 0.03:
            self.budget = 16  # the analysis must know when to stop
        self.launches = 0

    def name(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def chance(self, p):
        return self.random.random() < p

    def nobody(self):
        """A recorder whose findings are dropped."""
        return Recorder(self.launches)

    def accumulate(self, load):
        return Accumulate(load if load.array.content is None else FloatCast(load))

    def of_role(self, *roles):
        return [array for array in self.arrays if array.role in roles]

    # --- values ----------------------------------------------------------------------------------
    def load(self, scope):
        """A float read from memory."""
        roles = ("in", "racy") if self.racy else ("in",)
        array = self.random.choice(self.of_role(*roles))
        if array.columns:
            column = Op("%", self.t.leaf(scope), Const(array.columns, "u32"))
            if self.chance(0.4):
                column = self.t.constant(0, array.columns - 1)
            return Load(array, self.t.subscript(scope), column=column)
        if array.element == "float" and self.chance(0.08) and array.passing != "symbol":
            return Vector(array, self.t.subscript(scope))
        if array.element in ("float", "int") and self.chance(0.12):
            style = self.random.choice(["index", "index", "peek", "take"])
            return OffsetLoad(array, self.t.subscript(scope), self.t.subscript(scope), style)
        others = [a for a in self.of_role(*roles) if a.element == array.element and not a.columns]
        if self.t.wild and len(others) > 1 and array.element == "float" and self.chance(0.1):
            one, two = self.random.sample(others, 2)
            return EitherLoad(self.t.condition(scope, 0), one, two, self.t.subscript(scope))
        member = self.random.choice(READ_MEMBERS.get(array.element, [""]))
        load = Load(array, self.t.subscript(scope), member)
        return load if array.content is None else FloatCast(load)

    def value(self, scope, depth=2):
        r = self.random.random()
        if depth > 0 and r < 0.4:
            one, two = self.value(scope, depth - 1), self.value(scope, depth - 1)
            return FloatOp(self.random.choice("+-*"), one, two)
        if r < 0.85:
            return self.load(scope)
        if r < 0.95:
            return FloatCast(self.t.leaf(scope))
        return FloatConst(self.random.choice([0.5, 1.25, 3.0]))

    # --- sequences -------------------------------------------------------------------------------
    def attempt(self, make, scope, *arguments):
        """A statement that stays in bounds, and its effect on the scope; None if none was found."""
        for _ in range(6):
            try:
                statement = make(scope, *arguments)
                if statement is not None:
                    scope.envs = statement.walk(scope.envs, Recorder(self.launches))
                    self.declare(statement, scope)
                return statement
            except Reject:
                continue
        return None

    def declare(self, statement, scope):
        if isinstance(statement, (Declare, Choose)):
            scope.variables.append((statement.name, statement.kind))

    def sequence(self, scope, least=1, most=4):
        statements = []
        for _ in range(self.random.randint(least, most)):
            if (self.budget <= 0 and statements) or not scope.live():
                break
            self.budget -= 1
            statement = self.attempt(self.statement, scope)
            if statement is not None:
                statements.append(statement)
        return statements

    def body(self, scope):
        """A whole guarded body: ends by storing what was computed."""
        statements = self.some_guards(scope) if self.guards else []
        if self.budget > 0 and scope.live():
            statements += self.sequence(scope, 1, 3)
        while self.budget > 0 and scope.live():
            more = self.sequence(scope, 1, 3)
            if not more:
                break
            statements += more
        # What is stored anyway would hide what is stored on a condition.
        hides = self.guards and statements and self.chance(0.6)
        last = self.attempt(self.final_store, scope) if scope.live() and not hides else None
        return statements + ([last] if last else [])

    def statement(self, scope):
        if self.guards and self.chance(self.guards):
            return self.guard(scope)
        r = self.random.random()
        if scope.depth > 0 and self.chance(0.15):
            return self.idiom(scope)
        if scope.depth > 0 and r < 0.34:
            return self.random.choice(
                [self.if_else, self.if_else, self.loop, self.loop, self.loop, self.pointer_loop]
                + [self.switch, self.halving]
            )(scope)
        if r < 0.5:
            return Accumulate(self.value(scope))
        if r < 0.66:
            return self.declaration(scope)
        if r < 0.92:
            return self.store(scope)
        if r < 0.96:
            return self.leave(scope)
        return self.unsigned_guard(scope)

    # --- simple statements -----------------------------------------------------------------------
    def declaration(self, scope):
        kind = self.random.choice(["i32", "i32", "i32", "u32", "u32", "u64", "i64", "i16"])
        if self.chance(0.25):
            return Choose(
                self.name("v"),
                kind,
                self.t.condition(scope),
                self.t.number_term(scope, 1),
                self.t.number_term(scope, 1),
                self.chance(0.5),
            )
        value = self.t.number_term(scope)
        if kind == "i16" and not self.t.wild:
            kind = "i32"
        return Declare(self.name("v"), kind, value)

    def unsigned_guard(self, scope):
        """const unsigned v = x - c; if (v < n) …: one comparison for both ends."""
        name = self.name("v")
        first = Declare(name, "u32", Op("-", self.t.leaf(scope), self.t.constant(1, 3)))
        envs = first.walk(scope.envs, Recorder(self.launches))
        condition = Compare("<", Var(name, "u32"), self.t.number("n", "w", "view.w"))
        inside = scope.inner([None if e is None else condition.refine(e, True) for e in envs])
        inside.variables.append((name, "u32"))
        always = Compare("<", Const(0), Var("blockDim.x", "u32"))
        return If(always, [first, If(condition, self.sequence(inside, 1, 2))])

    def leave(self, scope):
        words = (["return"] if scope.returns else []) + (["break"] if scope.loop else [])
        words += ["continue"] if scope.loop == "for" else []
        if not words:
            return None
        return Leave(self.t.condition(scope), self.random.choice(words))

    # --- stores ----------------------------------------------------------------------------------
    def own_subscript(self, array, scope):
        """Elements no other thread touches: a few next to each other, or one in each part."""
        if array.owner == "parts":
            size = Op("*", Op("*", Var("gridDim.x", "u32"), Var("blockDim.x", "u32")), Const(4))
            if any(scope.own.range(env)[1] >= size.range(env)[0] for env in scope.live()):
                raise Reject("parts would overlap")
            return Op("+", scope.own, Op("*", self.t.constant(0, 3), size))
        if array.owner == "columns":
            extent = array.extent(Op("+", self.t.number("n", "w"), self.t.constant(1, 2)))
            if any(scope.own.range(env)[1] >= extent.range(env)[0] for env in scope.live()):
                raise Reject("columns would overlap")
            return Op("+", Op("*", self.t.constant(0, 3), extent), scope.own)
        if array.owner == 1:
            return scope.own
        own = Op("*", scope.own, Const(array.owner))
        counters = [(n, k) for n, k in scope.variables if n.startswith("k")]
        if counters and self.chance(0.6):
            name, kind = self.random.choice(counters)
            if all(env[name][0] >= 0 and env[name][1] < array.owner for env in scope.live()):
                return Op("+", own, Var(name, kind))
        return Op("+", own, self.t.constant(0, array.owner - 1))

    def store(self, scope):
        written = self.of_role("own", "same", "place", "atomic", "racy")
        if scope.own is None:
            written = [array for array in written if array.role != "own"]
        if not written:
            return Accumulate(self.value(scope))
        array = self.random.choice(written)
        if array.role == "atomic":
            return self.atomic(array, scope)
        if array.role == "own":
            index = self.own_subscript(array, scope).clone()
            index.fixed = True
            style = self.random.choice(["=", "=", "+=", "call"])
            structs = [a for a in self.of_role("in") if a.element == array.element == "Cell"]
            if structs and self.chance(0.5):
                return Store(array, index, Whole(structs[0], self.t.subscript(scope)))
            return self.stored(
                array, index, FloatOp("+", Local("acc"), self.value(scope, 1)), style
            )
        index = self.t.subscript(scope)
        if array.role == "same":
            return self.stored(array, index, FloatConst(2.5), "=")
        if array.role == "place":
            return self.stored_by_place(array, index)
        return self.stored(
            array, index, self.value(scope, 1), self.random.choice(["=", "=", "+=", "call"])
        )

    def stored_by_place(self, array, index):
        return Store(array, index, FloatCall("value_at", index))

    def stored(self, array, index, value, style):
        members = ELEMENTS[array.element][1]
        member = "" if array.role == "same" else self.random.choice(members)[0]
        if style == "+=" and (array.element not in ("float", "double") or member):
            style = "="
        if style == "call" and member:
            style = "="
        if array.element == "float" and array.role in ("same", "racy") and self.chance(0.1):
            if array.passing != "symbol":
                style = "vector"
        return Store(array, index, value, style, member)

    def atomic(self, array, scope):
        index = (
            self.t.table(scope) if self.t.tables and self.chance(0.5) else self.t.subscript(scope)
        )
        return self.atomic_at(array, index, scope)

    def atomic_at(self, array, index, scope):
        value = self.t.leaf(scope) if self.chance(0.4) else self.t.constant(1, 5)
        return Atomic(array, index, value, self.racy and self.chance(0.3))

    def final_store(self, scope):
        own = [array for array in self.of_role("own") if scope.own is not None]
        if own:
            array = self.random.choice(own)
            index = self.own_subscript(array, scope).clone()
            index.fixed = True
            return self.stored(array, index, Local("acc"), "=")
        if self.racy:
            array = self.random.choice(self.of_role("racy"))
            return self.stored(array, self.t.subscript(scope), Local("acc"), "=")
        return None

    # --- compound statements ---------------------------------------------------------------------
    def if_else(self, scope):
        condition = self.t.condition(scope, 2)
        inside = [
            scope.inner([None if e is None else condition.refine(e, truth) for e in scope.envs])
            for truth in (True, False)
        ]
        body = self.sequence(inside[0], 1, 3)
        other = self.sequence(inside[1], 1, 2) if self.chance(0.4) else []
        return If(condition, body, other)

    def trip_bound(self, scope):
        r = self.random.randrange(8)
        if r < 3:
            return self.t.constant(1, 6)
        if r < 6:
            return self.t.number("m", "view.k", "u", "m")
        small = Op("%", self.t.leaf(scope), Const(self.random.choice([3, 5, 8])))
        if r == 6:
            return Cast("i32", small)
        counters = [(n, k) for n, k in scope.variables if n.startswith("k")]
        if counters:
            name, kind = self.random.choice(counters)
            return Op("+", Var(name, kind), Const(1))
        return Var("threadIdx.x", "u32") if self.chance(0.5) else self.t.number("m")

    def loop(self, scope):
        kind = self.random.choice(["i32", "i32", "i32", "u32", "i64", "u64"])
        style = self.random.choice(["for", "for", "for", "for", "down", "do", "while"])
        start, step = Const(0), Const(1)
        if self.chance(0.35):
            start = self.random.choice([self.t.constant(-2, 3), self.t.leaf(scope)])
        if self.chance(0.35):
            step = self.random.choice([self.t.constant(2, 4), self.t.number("u", "view.k", "s")])
        bound = self.trip_bound(scope)
        if self.chance(0.15):  # the threads of a block share the work
            start, step = Var("threadIdx.x", "u32"), Var("blockDim.x", "u32")
            bound = Op("*", self.t.number("m"), Const(8))
        if self.chance(0.15):  # a window
            start = self.t.leaf(scope)
            bound = Op("+", start, self.t.constant(1, 5))
        if style == "down":
            kind = self.random.choice(["i32", "i64"])
            bound = Cast(kind, bound)
        loop = Loop(self.name("k"), kind, start, bound, step, [], style, self.chance(0.2))
        envs = [None if env is None else loop.counter(env) for env in scope.envs]
        inside = scope.inner(envs, loop="for" if style in ("for", "down") else "while")
        inside.variables.append((loop.name, kind))
        if not inside.live():
            raise Reject("never runs")
        # Threads write their own elements once a round: the same ones again is no race.
        loop.body = self.sequence(inside, 1, 3)
        return loop

    def halving(self, scope):
        start = self.random.choice(
            [Op("/", Var("blockDim.x", "u32"), Const(2)), self.t.number("m", "w")]
        )
        loop = Halving(self.name("k"), start, [], self.random.choice(list(Halving.HEADS)))
        inside = scope.inner(
            [None if e is None else loop.inside_of(e) for e in scope.envs], loop="for"
        )
        inside.variables.append((loop.name, "i32"))
        if not inside.live():
            raise Reject("never runs")
        loop.body = self.sequence(inside, 1, 2)
        return loop

    def pointer_loop(self, scope):
        choices = [a for a in self.of_role("in") if a.element in ("float", "int") and not a.columns]
        if not choices:
            return None
        stride = self.random.choice(
            [Const(1), self.t.constant(2, 5), self.t.number("u", "s", "w", "view.w")]
        )
        offsets = self.random.sample([0, 1, 2, -1, 4], self.random.randint(1, 3))
        by_end = self.random.choice(["", "", "", "<", "!="])
        trips = Cast("i32", self.trip_bound(scope))
        start = self.t.subscript(scope)
        array = self.random.choice(choices)
        self.counter += 1
        return PointerLoop(array, self.counter, start, trips, stride, offsets, by_end)

    def switch(self, scope):
        selector = Cast("u32", self.t.leaf(scope))
        inside = [scope.inner(list(scope.envs), loop=None) for _ in range(3)]
        bodies = [self.sequence(one, 1, 2) for one in inside]
        return Switch(selector, self.random.choice([2, 3, 4]), *bodies, self.chance(0.3))

    # --- shared memory ---------------------------------------------------------------------------
    def stages(self, scope):
        """Statements all threads of a block run together: tiles staged through shared memory."""
        statements = []
        for _ in range(self.random.randint(1, 3)):
            make = self.stage_loop if self.chance(0.4) else self.stage
            statement = self.attempt(make, scope)
            if statement is not None:
                statements.append(statement)
        return statements

    def stage(self, scope):
        array = self.random.choice(
            [a for a in self.of_role("in") if ELEMENTS[a.element][0] <= 8 and not a.columns]
        )
        x, y, z = (Var(f"threadIdx.{axis}", "u32") for axis in "xyz")
        size = [Var(name, "u32") for name in SIZES if name.startswith("blockDim")]
        thread = Op("+", Op("*", Op("+", Op("*", z, size[1]), y), size[0]), x)
        threads = Op("*", Op("*", size[0], size[1]), size[2])
        moved = self.random.choice([thread, x, Op("+", x, Op("*", y, size[0]))])
        read = Op("%", Op("+", moved, self.t.constant(0, 40, "u32")), threads)
        condition = self.t.affine_condition(scope)
        if self.chance(0.4):
            condition = Both("&&", condition, self.t.affine_condition(scope))
        guarded = self.chance(0.5)
        index = self.t.subscript(
            scope.inner([None if e is None else condition.refine(e, True) for e in scope.envs])
        )
        self.counter += 1
        return Stage(array, self.counter, index, condition, thread, read, guarded)

    def stage_loop(self, scope):
        """for (k = 0; k < n; k += blockDim.x): a tile in each round."""
        name = self.name("k")
        if self.chance(0.5):
            step, bound = Var("blockDim.x", "u32"), Op("*", self.t.number("m"), Const(8))
        else:
            step, bound = Const(1), self.t.number("m", "view.k")
        loop = Loop(name, self.random.choice(["i32", "u32"]), Const(0), bound, step, [])
        inside = scope.inner([None if e is None else loop.counter(e) for e in scope.envs])
        inside.variables.append((name, loop.kind))
        if not inside.live():
            raise Reject("never runs")
        stage = self.attempt(self.stage, inside)
        if stage is None:
            raise Reject("no stage")
        loop.body = [stage]
        return loop


class FloatCall(FloatCast):
    """value_at(index)"""

    def __init__(self, name, index):
        super().__init__(index)
        self.called = name

    def text(self):
        return f"{self.called}({self.children[0].text()})"


def make_arrays(random, racy):
    """The arrays of a kernel: what they hold, who writes them, how they are passed."""
    arrays = []

    def add(name, element, role, **more):
        passing = random.choice(["pointer", "pointer", "pointer", "restrict", "view", "symbol"])
        if racy and role == "racy" and passing == "restrict":
            passing = "pointer"
        arrays.append(Array(name, element, role, passing, **more))
        return arrays[-1]

    for name in "ABC"[: random.randint(1, 3)]:
        element = random.choice(
            ["float"] * 5 + ["int", "double", "float4", "Cell", "unsigned char"]
        )
        columns = random.choice([0, 0, 0, 0, 7, 17]) if element == "float" else 0
        array = add(name, element, "in", columns=columns)
        if columns:
            array.passing = "pointer"
    numbers = random.choice(["int", "int", "unsigned", "short", "unsigned char"])
    lowest = random.choice([0, 0, -4]) if numbers in ("int", "short") else 0
    content = (lowest, random.choice([3, 12, 60]))
    add(
        "T",
        numbers,
        "in",
        content=content,
    )
    for name in "PQ"[: random.randint(1, 2)]:
        element = random.choice(["float"] * 4 + ["int", "double", "float4", "Cell", "short"])
        array = add(name, element, "racy" if racy else "own")
        array.owner = random.choice([1, 1, 1, 2, 3, 4, 4, "parts", "columns"])
    if not racy and random.random() < 0.35:
        add("S", random.choice(["float", "float", "double", "float4"]), "same")
    if not racy and random.random() < 0.35:
        add("R", random.choice(["float", "int", "double"]), "place")
    if random.random() < 0.3:
        kind = random.choice(["unsigned", "int"])
        add("H", kind, "atomic").operation = random.choice(ATOMICS)
    alias(random, arrays, racy)
    return arrays


def alias(random, arrays, racy):
    """Sometimes two arguments lie in one allocation; over each other only where nobody minds."""
    plain = [a for a in arrays if a.passing == "pointer" and not a.columns and a.content is None]
    if len(plain) < 2 or random.random() > 0.2:
        return
    one, two = random.sample(plain, 2)
    one, two = sorted((one, two), key=arrays.index)
    if one.element != two.element or "atomic" in (one.role, two.role):
        return
    harmless = racy or not (one.written() or two.written())
    two.partner, two.shift = one.name, random.choice([0, 1, 2, 3]) if harmless else None
