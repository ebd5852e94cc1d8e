# Random statements; control flow is uniform for the block, for a group of lanes, or for nobody.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Three levels. At `block` all threads that have not returned run the statement together:
# barriers are allowed. At `lanes` all lanes of the mask in variable `mask` do: warp operations with
# that mask are allowed. At `thread` nothing is known. Conditions are made of what is uniform at their
# level.
from expressions import Expressions, VARIABLES
from tree import Node, Phase

REDUCTIONS = ("add", "min", "max", "and", "or", "xor")
OWN_ARRAYS = {"S0": "u32", "S1": "u32", "T0": "f32", "D0": "u64", "B0": "u8"}


class Level:
    def __init__(self, kind, mask=None, loop=None, uniform=(), exits=None):
        self.kind, self.mask = kind, mask
        self.loop = loop  # kind and mask of the innermost loop break and continue may leave
        self.uniform = list(uniform)  # names of loop counters that are uniform here
        self.exits = exits  # phases at the breaks out of a block-level loop

    def inner(self, kind=None, mask=None, loop="same", uniform=(), exits=None):
        kind = kind or self.kind
        mask = None if kind == "thread" else mask or self.mask
        return Level(
            kind,
            mask,
            self.loop if loop == "same" else loop,
            [*self.uniform, *uniform],
            exits if loop != "same" else self.exits,
        )

    def leaves_loop(self):
        return self.loop is not None and self.loop == (self.kind, self.mask)


class Statements:
    def __init__(self, random, options, functions=(), block_functions=(), warp_functions=()):
        self.random, self.options = random, options
        self.e = Expressions(random, functions)
        self.block_functions, self.warp_functions = block_functions, warp_functions
        self.phase, self.counter, self.budget = Phase(), 0, options.get("size", 30)
        self.shared_reads = True

    def name(self, prefix):
        self.counter += 1
        return f"{prefix}{self.counter}"

    def chance(self, p):
        return self.random.random() < p

    # --- sequences -------------------------------------------------------------------------------
    def sequence(self, level, depth, least=1, most=4):
        nodes = []
        for _ in range(self.random.randint(least, most)):
            if self.budget <= 0 and nodes:
                break
            self.budget -= 1
            node = self.statement(level, depth)
            nodes += node if isinstance(node, list) else [node]
        return nodes

    def statement(self, level, depth):
        r = self.random.random()
        if level.kind == "block" and r < 0.45:
            return self.block_statement(level, depth)
        if level.mask and r < 0.8 and self.options["warp"]:
            return self.lanes_statement(level, depth)
        return self.thread_statement(level, depth)

    # --- what is uniform -------------------------------------------------------------------------
    def block_uniform(self, level, depth=2):
        """u32 that is the same in all threads of the block."""
        r = self.random.randrange(9)
        if depth > 0 and r < 3:
            op = self.random.choice("+-*&|^")
            one, two = (self.block_uniform(level, depth - 1) for _ in range(2))
            return f"({one} {op} {two})"
        if depth > 0 and r == 3:
            return f"in[{self.block_uniform(level, depth - 1)} & 1023u]"
        if depth > 0 and r == 4 and self.shared_reads and self.phase.may("S0", "any"):
            self.phase.note("S0", "any")
            return f"S0[{self.block_uniform(level, 0)} % nt]"
        if r == 5 and self.shared_reads and self.phase.may("C", "any"):
            self.phase.note("C", "any")
            return f"C[{self.random.randrange(4)}]"
        block_counters = [c for kind, c in level.uniform if kind == "block"]
        return self.random.choice(
            [
                "n",
                "block",
                "gridDim.x",
                "nt",
                "c0",
                "c1",
                "args.v[3]",
                f"{self.random.randrange(64)}u",
                *block_counters,
            ]
        )

    def lanes_uniform(self, level, depth=1):
        """u32 that is the same in all lanes of the mask; contains warp operations."""
        m, e = level.mask, self.e
        r = self.random.randrange(9)
        if depth > 0 and r < 2:
            one, two = self.lanes_uniform(level, 0), self.lanes_uniform(level, 0)
            return f"({one} {self.random.choice('+^&')} {two})"
        if r == 2:
            return f"from_lane({m}, {e.of('u32')}, {self.block_uniform(level, 1)})"
        if r == 3:
            return f"(__any_sync({m}, {e.of('bool')}) ? 5u : 2u)"
        if r == 4:
            return f"__ballot_sync({m}, {e.of('bool')})"
        if r == 5:
            return f"__reduce_{self.random.choice(REDUCTIONS)}_sync({m}, {e.of('u32')})"
        if r == 6:
            return f"(__all_sync({m}, {e.of('bool')}) ? 1u : 4u)"
        counters = [c for _, c in level.uniform]
        return self.random.choice(
            [f"static_cast<u32>(__popc({m}))", "(t / 32u)", "c0", "n", *counters]
        )

    def bits(self, value):
        return f"({value} & {self.random.randrange(1, 8)}u) {self.random.choice(['==', '!='])} 0"

    def condition(self, level):
        if level.kind == "block":
            return self.bits(self.block_uniform(level))
        if level.kind == "lanes":
            return self.bits(self.lanes_uniform(level))
        return self.e.of("bool", 2)

    def trips(self, level):
        """A trip count from 0 to 3."""
        if self.chance(0.5):
            return f"{self.random.randrange(1, 4)}u"
        uniform = {"block": self.block_uniform, "lanes": self.lanes_uniform}.get(level.kind)
        return f"({uniform(level) if uniform else self.e.of('u32', 2)} & 3u)"

    # --- statements at any level -----------------------------------------------------------------
    def thread_statement(self, level, depth):
        r = self.random.randrange(24)
        if r < 5 or (depth <= 0 and r < 12):
            return self.assignment()
        if depth > 0 and r < 12:
            thread = level.inner(kind="thread")
            return self.compound(thread, depth)
        if r < 16:
            return self.shared_access()
        if r < 18:
            return self.global_atomic()
        if r == 18:
            return self.shared_atomic()
        if r in (19, 20) and level.kind == "thread":
            return self.jump(level)
        if r == 21 and len(self.e.functions) > 1:
            one, two = self.random.sample(self.e.functions, 2)
            return Node(
                f"{{ u32 (*fp)(u32, u32, const u32*) = {self.e.of('bool', 1)} ? {one} : {two}; "
                f"u1 = fp({self.e.of('u32', 1)}, u2, in); }}"
            )
        if r == 22 and self.options["volatile"]:
            return Node(
                f"u2 ^= static_cast<const volatile u32*>(in)[{self.e.of('u32', 1)} & 1023u];"
            )
        return Node(f"h = mix(h ^ {self.e.any()});")

    def assignment(self):
        r = self.random.randrange(12)
        if r == 0:
            return Node(f"L[{self.e.of('u32', 1)} & 7u] = {self.e.of('u32')};")
        if r == 1:
            return Node(f"M[{self.e.of('u32', 1)} % 5u] = {self.e.of('f32')};")
        if r == 2:
            return Node(
                self.random.choice(
                    [
                        "Q = P;",
                        "{ Pair x = P; P = Q; Q = x; }",
                        f"P.c[{self.e.of('u32', 1)} & 3u] += 7;",
                        f"P.b = {self.e.of('f32', 2)};",
                        f"Q.a = {self.e.of('u32', 2)};",
                        f"args.v[{self.e.of('u32', 1)} % 8u + 4u] ^= {self.e.of('u32', 1)};",
                    ]
                )
            )
        kind = self.random.choice(list(VARIABLES) + ["u32", "u32", "i32"])
        target = self.random.choice(VARIABLES[kind])
        return Node(f"{target} = {self.e.of(kind)};")

    def shared_access(self):
        array = self.random.choice(list(OWN_ARRAYS))
        kind = OWN_ARRAYS[array]
        target = self.random.choice(VARIABLES[kind])
        if self.chance(0.5) and self.phase.may(array, "own"):
            self.phase.note(array, "own")
            if self.chance(0.3):
                return Node(f"{array}[t] = static_cast<{kind}>({array}[t] + {self.e.of(kind, 1)});")
            return Node(f"{array}[t] = {self.e.of(kind)};")
        if self.phase.may(array, "any"):
            self.phase.note(array, "any")
            index = self.random.choice(
                [
                    "(t + 1) % nt",
                    "nt - 1 - t",
                    f"{self.e.of('u32', 2)} % nt",
                    "t / 2",
                    "(t * 7u) % nt",
                ]
            )
            return Node(f"{target} = {array}[{index}];")
        return Node(
            f"{target} = {array}[t];" if self.phase.may(array, "own") else "h = mix(h + 1u);"
        )

    def global_atomic(self):
        value = self.e.of("u32", 2)
        return Node(
            self.random.choice(
                [
                    f"atomicAdd(&cells[{self.e.of('u32', 1)} & 1u], {value});",
                    f"atomicMin(&cells[2], {value});",
                    f"atomicMax(&cells[3], {value});",
                    f"atomicAnd(&cells[4], {value} | 0xffffu);",
                    f"atomicOr(&cells[5], {value} & 0xffu);",
                    f"atomicXor(&cells[6], {value});",
                    "atomicXor(&cells[8], mix(atomicAdd(&cells[7], 1u)));",
                    f"atomicAdd(reinterpret_cast<i32*>(&cells[9]), {self.e.of('i32', 2)});",
                    f"atomicMin(reinterpret_cast<i32*>(&cells[10]), {self.e.of('i32', 2)});",
                    f"atomicMax(reinterpret_cast<i32*>(&cells[11]), {self.e.of('i32', 2)});",
                    "atomicInc(&cells[12], 1000u);",
                    f"atomicAdd(reinterpret_cast<f32*>(&cells[13]), f32({value} & 3u));",
                    f"atomicAdd(reinterpret_cast<u64*>(&cells[14]), {self.e.of('u64', 2)});",
                ]
            )
        )

    def shared_atomic(self):
        if not self.phase.may("C", "own"):
            return Node(f"h = mix(h + C[{self.random.randrange(4)}]);")
        self.phase.note("C", "own")
        value = self.e.of("u32", 2)
        return Node(
            self.random.choice(
                [
                    f"atomicAdd(&C[0], {value});",
                    f"atomicMax(&C[1], {value});",
                    f"atomicXor(&C[2], {value});",
                    f"atomicOr(&C[3], 1u << ({value} & 31u));",
                ]
            )
        )

    def jump(self, level):
        """break, continue or return of single threads."""
        choices = []
        if level.leaves_loop():
            choices += ["break;", "continue;"]
        if not self.options["warp"]:
            choices += ["{ FINISH; return; }"]
        if not choices:
            return self.assignment()
        return Node(f"if ({self.e.of('bool', 2)}) {self.random.choice(choices)}")

    # --- compound statements, at any level -------------------------------------------------------
    def compound(self, level, depth):
        return self.random.choice(
            [self.if_else, self.if_else, self.for_loop, self.while_loop, self.switch]
        )(level, depth - 1)

    def fork(self, level):
        """The phase for another branch, if only one of them is taken in a block; else nothing: what
        the threads of one branch do meets what those of the other do."""
        return self.phase.copy() if level.kind == "block" else None

    def if_else(self, level, depth):
        condition = self.condition(level)
        before = self.fork(level)
        first = self.sequence(level, depth)
        after, self.phase = self.phase, before or self.phase
        nodes = [Node(f"if ({condition}) {{", first, tail="}")]
        if self.chance(0.6):
            nodes[0].tail = ""
            nodes = [Node("{", [nodes[0], Node("} else {", self.sequence(level, depth), tail="}")])]
        self.phase.join(after)
        return nodes[0]

    def loop_body(self, level, depth, counter, first=()):
        """Body of a loop; a block-level one begins with a barrier, so that rounds do not meet."""
        exits = []
        inner = level.inner(
            loop=(level.kind, level.mask),
            exits=exits,
            uniform=[(level.kind, counter)] if level.kind != "thread" else [],
        )
        before = self.phase.copy()
        nodes = list(first)
        if level.kind == "block":
            nodes.append(self.barrier())
        self.e.scope.append(counter)
        nodes += self.sequence(inner, depth)
        self.e.scope.remove(counter)
        self.phase.join(before, *exits)
        return nodes

    def for_loop(self, level, depth):
        k = self.name("k")
        return Node(
            f"for (u32 {k} = 0, e{k} = {self.trips(level)}; {k} < e{k}; ++{k}) {{",
            self.loop_body(level, depth, k),
        )

    def while_loop(self, level, depth):
        k = self.name("k")
        self.shared_reads = level.kind != "block"  # the condition is asked again after the body
        condition = self.condition(level)
        self.shared_reads = True
        if self.chance(0.5):
            body = self.loop_body(level, depth, k)
            return Node(
                f"{{ u32 {k} = 0; do {{",
                body,
                tail=f"}} while (++{k} < 3u && {self.condition_after(level, k)}); }}",
            )
        return Node(
            f"for (u32 {k} = 0; {k} < 4u && ({condition}); ++{k}) {{",
            self.loop_body(level, depth, k),
        )

    def condition_after(self, level, counter):
        """Asked at the end of a do-while, which `continue` also reaches: reads no shared memory."""
        if level.kind == "thread":
            return self.e.of("bool", 1)
        if level.kind == "lanes":
            return f"__any_sync({level.mask}, {self.e.of('bool', 1)})"
        return f"((c0 + {counter}) & 3u) != 1u"

    def switch(self, level, depth):
        selector = {"block": self.block_uniform, "lanes": self.lanes_uniform}.get(level.kind)
        selector = selector(level) if selector else self.e.of("u32", 2)
        inner = level.inner(loop=None)
        before, ends, cases, fall = self.fork(level), [], [], None
        for case in range(self.random.randint(2, 4)):
            self.phase = before.copy() if before else self.phase
            if fall:
                self.phase.join(fall)
            body = self.sequence(inner, depth, 1, 2)
            falls = self.chance(0.3)
            fall = self.phase if falls else None
            ends.append(self.phase)
            label = "default:" if case == 3 else f"case {case}:"
            cases.append(
                Node(f"{label} {{", [*body, *([] if falls else [Node("break;", keep=True)])])
            )
        self.phase = before or self.phase
        self.phase.join(*ends)
        return Node(f"switch ({selector} & 3u) {{", cases)

    # --- lanes -----------------------------------------------------------------------------------
    def lanes_statement(self, level, depth):
        r, m, e = self.random.randrange(14), level.mask, self.e
        # A mask other than `alive` names a group: its lanes stay together inside a block too.
        lanes = level if level.kind == "lanes" else level.inner(kind="lanes")
        if r < 4:
            return Node(self.warp_operation(m))
        if r == 4:
            return Node(f"u1 = {self.lanes_uniform(level)};")
        if r == 5:
            return Node(f"__syncwarp({m});")
        if r == 6 and self.warp_functions:
            return Node(f"u2 = {self.random.choice(self.warp_functions)}({m}, {e.of('u32')});")
        if r == 7 and m == "alive":
            return Node(
                f"{{ const bool leave = {e.of('bool', 2)} && (h & 3u) == 0; "
                "alive = __ballot_sync(alive, !leave); if (leave) { FINISH; return; } }"
            )
        if r == 8 and level.leaves_loop() and level.kind == "lanes":
            return Node(
                f"if ({self.condition(level)}) {self.random.choice(['break;', 'continue;'])}"
            )
        if depth > 0 and r in (9, 10):
            return self.compound(lanes, depth)
        if depth > 0 and r == 11:
            return self.split(lanes, depth - 1)
        if depth > 0 and r == 12:
            return self.shrinking_loop(lanes, depth - 1)
        return Node(self.warp_operation(m))

    def warp_operation(self, m):
        e = self.e
        kind = self.random.choice(["u32", "i32", "u64", "i64", "f32", "f64"])
        target = self.random.choice(VARIABLES[kind])
        delta = self.random.randrange(1, 32)
        width = self.random.choice([2, 4, 8, 16, 32, 32, 32])
        return self.random.choice(
            [
                f"{target} = from_lane({m}, {e.of(kind)}, {e.of('u32', 1)});",
                f"{target} = shift_up({m}, {e.of(kind)}, {delta}u, {width});",
                f"{target} = shift_down({m}, {e.of(kind)}, {delta}u, {width});",
                f"{target} = butterfly({m}, {e.of(kind)}, {delta}u, {width});",
                f"u0 = __ballot_sync({m}, {e.of('bool')});",
                f"p0 = __any_sync({m}, {e.of('bool')}) != 0;",
                f"u1 ^= __match_any_sync({m}, {e.of('u32')} & 3u);",
                f"u1 ^= __match_any_sync({m}, {e.of('u64')} & 0x100000001ull);",
                f"u2 += match_all_flag({m}, {e.of('u32')} & 1u);",
                f"i0 = __reduce_{self.random.choice(REDUCTIONS[:3])}_sync({m}, {e.of('i32')});",
                f"u0 = __reduce_{self.random.choice(REDUCTIONS)}_sync({m}, {e.of('u32')});",
            ]
        )

    def split(self, level, depth):
        """The group divides by a condition; each half goes its own way with its own mask."""
        yes, no, who = self.name("m"), self.name("m"), self.name("who")
        head = (
            f"{{ const bool {who} = {self.e.of('bool', 2)}; "
            f"const u32 {yes} = __ballot_sync({level.mask}, {who}), {no} = {level.mask} & ~{yes};"
        )
        one = self.sequence(level.inner(mask=yes, loop=None), depth)
        two = self.sequence(level.inner(mask=no, loop=None), depth)
        return Node(head, [Node(f"if ({who}) {{", one, tail=""), Node("} else {", two, tail="}")])

    def shrinking_loop(self, level, depth):
        """Each lane makes its own number of rounds; the mask follows."""
        k, m = self.name("k"), self.name("m")
        head = (
            f"{{ u32 {m} = {level.mask}; const u32 e{k} = {self.e.of('u32', 2)} & 3u; "
            f"for (u32 {k} = 0;; ++{k}) {{ "
            f"{m} = __ballot_sync({m}, {k} < e{k}); if ({k} >= e{k}) break;"
        )
        body = self.sequence(level.inner(mask=m, loop=None, uniform=[("lanes", k)]), depth)
        return Node(head, body, tail="} }")

    # --- blocks ----------------------------------------------------------------------------------
    def barrier(self):
        self.phase.clear()
        return Node("__syncthreads();", keep=True)

    def block_statement(self, level, depth):
        r = self.random.randrange(14)
        if r < 4:
            return self.barrier()
        if r == 4:
            return Node(f"{self.random.choice(['c0', 'c1'])} = {self.block_uniform(level)};")
        if r == 5:
            condition = self.e.of("bool", 2)
            self.phase.clear()
            return Node(
                self.random.choice(
                    [
                        f"c0 = static_cast<u32>(__syncthreads_count({condition}));",
                        f"c1 = __syncthreads_or({condition}) != 0 ? 3u : 6u;",
                        f"c0 = __syncthreads_and({condition}) != 0 ? 1u : 8u;",
                    ]
                ),
                keep=True,
            )
        if r == 6 and self.block_functions:
            function = self.random.choice(self.block_functions)
            argument, uniform = self.e.of("u32", 2), self.block_uniform(level, 1)
            self.phase.clear()
            return Node(f"u0 = {function}(X0, t, nt, {argument}, {uniform});", keep=True)
        if r in (7, 8) and level.leaves_loop():
            condition = self.condition(level)
            level.exits.append(self.phase.copy())
            return Node(f"if ({condition}) {self.random.choice(['break;', 'continue;'])}")
        if r == 9 and self.options["return"]:
            return Node(f"if (({self.block_uniform(level)} & 31u) == 7u) {{ FINISH; return; }}")
        if depth > 0 and r == 10:
            return self.two_entries(level, depth - 1)
        if depth > 0:
            return self.compound(level, depth)
        return self.assignment()

    def two_entries(self, level, depth):
        """A loop that is entered at two places, by goto."""
        g, inner = self.name("g"), level.inner(loop=None)
        condition, before = self.condition(level), self.phase.copy()
        first = [self.barrier(), *self.sequence(inner, depth, 1, 2)]
        self.phase.join(before)  # the second entry comes from before
        second = [self.barrier(), *self.sequence(inner, depth, 1, 2)]
        again = f"if (++{g} < 3u && ((c1 + {g}) & 3u) != 2u) goto head{g};"
        return Node(
            f"{{ u32 {g} = 0; if ({condition}) goto middle{g};",
            [Node(f"head{g}: {{", first), Node(f"middle{g}: {{", second), Node(again, keep=True)],
        )
