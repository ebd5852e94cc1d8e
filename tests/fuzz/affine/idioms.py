# Idioms of real kernels that random statements rarely make by chance.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An analysis has to understand each as a whole: guards on loaded numbers, stores that cover each
# other, pointers that walk, counters of the round before.
from loops import PreviousLoop, Walk
from ranges import Reject
from statements import Block, Declare, If, Store
from terms import Both, Cast, Compare, Const, FloatConst, FloatOp, Load, Local, Op, Var


class Idioms:
    """Part of Bodies, whose members it uses."""

    def idiom(self, scope):
        return self.random.choice(
            [self.guarded_data, self.guarded_data, self.covered_store, self.both_ways]
            + [self.all_elements, self.all_elements, self.walk, self.previous, self.column]
        )(scope)

    # --- numbers from memory ---------------------------------------------------------------------
    def guarded_data(self, scope):
        """k = T[i]; if (k < n) …: the guard is all that is known about k."""
        if not self.t.tables:
            return None
        table = self.random.choice(self.t.tables)
        name = self.name("g")
        kind = self.random.choice([table.element_kind, "i32", "i32", "u32", "i64"])
        first = Declare(name, kind, Load(table, self.t.subscript(scope)))
        envs = first.walk(scope.envs, self.nobody())
        k = Var(name, kind)
        low, high = table.content
        top = self.random.choice(
            [self.t.number("n", "w", "m", "view.w"), self.t.constant(max(low, 1), max(high, 2))]
        )
        condition = Compare(self.random.choice(["<", "<", "<=", "!="]), k, top)
        if self.chance(0.3):
            condition = Both("&&", Compare(">=", k, Const(0)), condition)
        elif self.chance(0.2):
            condition = Compare("<", Cast("u32", k), top)
        inside = scope.inner([None if e is None else condition.refine(e, True) for e in envs])
        inside.variables.append((name, kind))
        body = [self.attempt(self.use_of_data, inside, k), *self.sequence(inside, 0, 1)]
        return Block([first, If(condition, [statement for statement in body if statement])])

    def use_of_data(self, scope, k):
        """Something at the place that memory told."""
        places = self.of_role("place", "same", "atomic", "racy")
        arrays = [a for a in self.of_role("in") if a.element in ("float", "int") and not a.columns]
        index = Op("+", k, self.t.constant(-1, 2)) if self.chance(0.3) else k
        if places and self.chance(0.5):
            return self.store_at(self.random.choice(places), index, scope)
        if not arrays:
            return None
        return self.accumulate(Load(self.random.choice(arrays), index))

    # --- stores that cover each other ------------------------------------------------------------
    def own_array(self, scope):
        arrays = [a for a in self.of_role("own") if a.element in ("float", "int", "double")]
        if scope.own is None or not arrays:
            raise Reject("nothing of its own")
        return self.random.choice(arrays)

    def own_store(self, array, index, scope):
        index = index.clone()
        index.fixed = True
        return Store(array, index, FloatOp("+", Local("acc"), self.value(scope, 0)))

    def covered_store(self, scope):
        """A store on a condition, and one that happens anyway."""
        array = self.own_array(scope)
        index = self.own_subscript(array, scope)
        condition = self.t.condition(scope)
        inside = scope.inner([None if e is None else condition.refine(e, True) for e in scope.envs])
        if not inside.live():
            raise Reject("never")
        some = If(condition, [self.own_store(array, index, inside)])
        every = self.own_store(array, index, scope)
        return Block([some, every] if self.chance(0.5) else [every, some])

    def both_ways(self, scope):
        """if (…) P[i] = a; else P[i] = b;"""
        array = self.own_array(scope)
        index = self.own_subscript(array, scope)
        condition = self.t.condition(scope)
        ways = []
        for truth in (True, False):
            envs = [None if e is None else condition.refine(e, truth) for e in scope.envs]
            inside = scope.inner(envs)
            if not inside.live():
                raise Reject("never")
            ways.append([self.own_store(array, index, inside)])
        return If(condition, *ways)

    def all_elements(self, scope):
        """Every element a thread owns, one store each."""
        array = self.own_array(scope)
        if not isinstance(array.owner, int) or array.owner < 2:
            raise Reject("owns one element only")
        own = Op("*", scope.own, Const(array.owner))
        return Block(
            [
                self.own_store(array, Op("+", own, Const(k)), scope)
                for k in self.random.sample(range(array.owner), array.owner)
            ]
        )

    def column(self, scope):
        """Reads of a structure of arrays whose parts are n + 1 long."""
        arrays = [a for a in self.of_role("in") if a.element in ("float", "int") and not a.columns]
        if scope.own is None or not arrays:
            return None
        extent = Op("+", self.t.number("n", "w", "view.w"), self.t.constant(1, 2))
        part = self.t.constant(0, 3) if self.chance(0.6) else self.t.leaf(scope)
        return self.accumulate(
            Load(self.random.choice(arrays), Op("+", Op("*", part, extent), scope.own))
        )

    # --- loops -----------------------------------------------------------------------------------
    def walk(self, scope):
        """A pointer that goes on from one loop to the next."""
        arrays = [a for a in self.of_role("in") if a.element in ("float", "int") and not a.columns]
        if not arrays:
            return None
        self.counter += 1
        outer, inner = (
            self.random.choice([self.t.constant(1, 4), self.t.number("m", "view.k")])
            for _ in range(2)
        )
        step, skip = (
            self.random.choice([self.t.constant(0, 3), self.t.number("w", "s", "view.w")])
            for _ in range(2)
        )
        return Walk(
            self.random.choice(arrays),
            self.counter,
            self.t.subscript(scope),
            Cast("i32", outer),
            Cast("i32", inner),
            Op("+", Cast("i32", step), Const(1)) if self.chance(0.5) else Const(1),
            Cast("i32", skip),
        )

    def previous(self, scope):
        """What the counter was in the round before."""
        name = self.name("k")
        before = Cast("i32", self.t.leaf(scope)) if self.chance(0.5) else self.t.constant(-1, 1)
        loop = PreviousLoop(
            name,
            f"p{name}",
            before,
            self.t.constant(-1, 2),
            Cast("i32", self.trip_bound(scope)),
            Op("+", Var(name), self.t.constant(-1, 1)) if self.chance(0.4) else Var(name),
            [],
        )
        inside = scope.inner(
            [None if e is None else loop.inside_of(e) for e in scope.envs], loop="while"
        )
        inside.variables += [(name, "i32"), (f"p{name}", "i32"), (f"p{name}", "i32")]
        if not inside.live():
            raise Reject("never runs")
        loop.body = self.sequence(inside, 1, 2)
        return loop

    def store_at(self, array, index, scope):
        """A store that any number of threads may do at one place."""
        if array.role == "atomic":
            return self.atomic_at(array, index, scope)
        if array.role == "same":
            return self.stored(array, index, FloatConst(2.5), "=")
        if array.role == "place":
            return self.stored_by_place(array, index)
        return self.stored(array, index, self.value(scope, 1), "=")
