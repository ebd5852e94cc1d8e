# Kernels for the vectoriser: no barriers, no private arrays; neighbours go different ways.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Threads share nothing but commutative counters, and each writes only its own words. Numbers are of
# the three kinds the vectoriser tells apart: the same for all threads of a block (uniform), growing
# from thread to thread (strided), anything else. Conditions let single lanes in, the first one out.
from tree import Node

NAMES = {"u32": ["u0", "u1", "u2"], "i32": ["i0", "i1"], "u64": ["w0"], "f32": ["f0"], "f64": ["d0"]}

DEVICE_CODE = """struct Two {
  u32 a;
  f32 b;
};
__device__ __noinline__ Two two_of(u32 x, u32 y) {
  if ((x & 3u) == 1u) return {y, 1.0f};
  return {x * 3u + y, static_cast<f32>(y & 255u)};
}"""


def lane_prologue(is_hidden):
    """`is_hidden`: the kernel analysis need not look at what is read and written."""
    return [
        *(["in = hidden.in, out = hidden.out;"] if is_hidden else []),
        "const u32 t = linear_thread(), nt = block_threads(), block = linear_block();",
        "const u32 id = block * nt + t, total = nt * gridDim.x * gridDim.y * gridDim.z;",
        "const u32 i = blockIdx.x * blockDim.x + threadIdx.x, x = threadIdx.x;",
        "u32 u0 = i, u1 = n, u2 = in[i]; i32 i0 = static_cast<i32>(i), i1 = -3;",
        "u64 w0 = id; f32 f0 = f; f64 d0 = args.d;",
        "u8* const bytes = reinterpret_cast<u8*>(out + total);",
    ]


# A return ends the kernel in any place, so the result is written in each.
FINISH = "out[id] = mix(u0) ^ mix(u1 + 1u) ^ mix(u2 + 2u) ^ mix(word(i0) + 3u) ^ mix(word(i1) + 4u) ^ \
mix(word(w0) + 5u) ^ mix(word(f0) + 6u) ^ mix(word(d0) + 7u)"


class LaneStatements:
    def __init__(self, random, size, functions):
        self.random, self.budget, self.functions = random, size, functions
        self.count, self.counters = 0, []
        self.leaves = random.random() < 0.5  # returns in the middle
        self.planes = random.random() < 0.7  # bytes of one thread: in four planes, or together
        self.turns = random.random() < 0.3  # work of single lanes, which keeps most code from vectors

    def pick(self, *choices):
        return self.random.choice(choices)

    def small(self, most=9):
        return f"{self.random.randrange(most)}u"

    # --- numbers ---------------------------------------------------------------------------------
    def uniform(self, depth=1):
        if depth > 0 and self.random.random() < 0.5:
            a, b = self.uniform(depth - 1), self.uniform(depth - 1)
            return self.pick(f"({a} + {b})", f"({a} * {b})", f"in[{a} & 1023u]", f"({a} ^ {b})")
        return self.pick(
            "n", "args.v[2]", "(args.v[5] & 3u)", "block", "blockDim.x", self.small(40), *self.counters
        )

    def strided(self):
        lane = self.pick("i", "i", "x", "t", "u0")
        return self.pick(
            lane,
            f"({lane} + {self.small()})",
            f"({lane} + {self.uniform()})",
            f"({lane} - {self.uniform()})",
            f"({self.uniform()} - {lane})",
            f"({lane} * {self.random.randrange(2, 40)}u + {self.uniform(0)})",
            f"({lane} << {self.random.randrange(1, 5)})",
            f"({lane} | 1u)",
            f"({lane} | {self.small(16)})",
            f"({lane} ^ {self.small(4)})",
            f"({lane} & ~{self.small(8)})",
            f"({lane} / 2u)",
        )

    def place(self):
        """A subscript of `in` (16384 words); i < 5120."""
        return self.pick(
            "i",
            f"i + {self.small()}",
            "i + 1u",
            f"i * {self.random.randrange(2, 4)}u + {self.small()}",
            "(i | 1u)",
            "(i ^ 1u)",
            "(i & ~3u)",
            "(i < 1u ? 0u : i - 1u)",
            "i + (n & 15u)",
            "5119u - i",
            f"({self.strided()}) & 8191u",
            f"({self.varying(0)}) & 1023u",
            f"min({self.varying(0)}, i + 3u) % 9000u",
        )

    def varying(self, depth=2):
        if depth <= 0:
            return self.pick("u0", "u1", "u2", self.strided(), self.uniform(0))
        a, b = self.varying(depth - 1), self.varying(depth - 1)
        return self.pick(
            f"in[{self.place()}]",
            f"in[{self.place()}]",
            f"({a} {self.pick('+', '-', '*', '&', '|', '^')} {b})",
            f"({a} {self.pick('<<', '>>')} {self.small(31)})",
            f"({self.condition(depth - 1)} ? {a} : {b})",
            f"{self.pick('min', 'max', 'quotient', 'remainder')}({a}, {b})",
            f"min(max({a}, {self.small()}), {self.uniform(0)})",
            f"static_cast<u32>(static_cast<{self.pick('u8', 'i16', 'signed char', 'i64', 'u64', 'f32')}>({a}))",
            f"static_cast<u32>({self.pick('i0', 'i1', 'w0', 'f0', 'd0', 'i0 * 2')})",
            f"static_cast<u32>(__{self.pick('popc', 'brev')}({a}))",
            self.strided(),
            self.strided(),
        )

    def wide(self):
        """u64: extensions of what may wrap."""
        s, u = self.strided(), self.uniform(0)
        return self.pick(
            f"u64({s})",
            f"u64(i64(i32({s})))",
            f"u64(i64(static_cast<signed char>({s})))",
            f"u64(static_cast<u8>({s}))",
            f"u64(i64(static_cast<i16>({s})))",
            f"(i >= {u} ? u64(i - {u}) : 7ull)",
            f"(i0 > i32({u} & 255u) ? u64(i0 - i32({u} & 255u)) * 5u : w0)",
            f"(w0 {self.pick('+', '*', '^', '-')} {self.varying(1)})",
            f"(w0 >> {self.small(60)})",
        )

    def real(self, kind):
        v = {"f32": "f0", "f64": "d0"}[kind]
        other = f"static_cast<{kind}>({self.pick(self.strided(), self.varying(1), 'i1', 'f0', 'd0')})"
        suffix = "f" if kind == "f32" else ""
        return self.pick(
            f"{v} + {other}",
            f"{v} * {self.random.randrange(1, 9)}.5{suffix}",
            f"{other} - {v}",
            f"{v} / {other}",
            f"({self.condition(1)} ? {v} : {other})",
            f"sqrt{suffix}(fabs{suffix}({v}))",
            f"fmin{suffix}({v}, {other})",
            f"floor{suffix}({v})",
            f"fma{suffix}({v}, {other}, {other})",
        )

    # --- conditions ------------------------------------------------------------------------------
    def condition(self, depth=1):
        read = f"in[{self.pick('i', 'i + 1u', 'i | 1u')}]"
        low = f"({self.pick('i', 'x', 't', 'i + 1u', read)} & {self.pick(1, 1, 2, 3, 5)}u)"
        choices = [
            f"{low} {self.pick('==', '!=')} 0u",
            f"{low} != 0u",
            f"{self.strided()} {self.pick('<', '>=', '>')} {self.uniform()}",
            f"i0 {self.pick('<', '>')} {self.random.randrange(-2, 300)}",
            f"in[i + {self.small()}] % {self.random.randrange(2, 9)}u {self.pick('==', '>')} 1u",
            f"i > {self.random.randrange(1, 40)}u",
            f"({self.uniform()} & {self.pick(1, 2, 3)}u) != 0u",
        ]
        if depth > 0:
            choices += [
                f"({self.condition(0)} {self.pick('&&', '||')} {self.condition(0)})",
                f"{self.varying(1)} < {self.varying(1)}",
                "f0 < 40.0f",
            ]
        return self.pick(*choices)

    # --- statements ------------------------------------------------------------------------------
    def sequence(self, depth, loop, least=1, most=4):
        nodes = []
        for _ in range(self.random.randint(least, most)):
            if self.budget <= 0 and nodes:
                break
            self.budget -= 1
            nodes.append(self.statement(depth, loop))
        return nodes

    def statement(self, depth, loop):
        r = self.random.random()
        if depth > 0 and r < 0.28:
            return self.branch(depth - 1, loop)
        if depth > 0 and r < 0.46:
            return self.loop(depth - 1)
        if depth > 0 and r < 0.52:
            return self.switch(depth - 1)
        if r < 0.60:
            return self.own_store()
        if r < 0.66:
            return self.guarded_division()
        if r < 0.74:
            return self.jump(loop)
        if self.turns and r < 0.78:
            return self.turn()
        return self.assignment()

    def assignment(self):
        kind = self.pick("u32", "u32", "u32", "i32", "u64", "f32", "f64")
        name = self.random.choice(NAMES[kind])
        if kind == "u32":
            value = self.varying(2)
        elif kind == "i32":
            value = self.pick(
                f"static_cast<i32>({self.varying(1)})",
                f"add({name}, {self.random.randrange(-9, 9)})",
                f"i32(i) - {self.random.randrange(40)}",
                f"({self.condition(0)} ? i32(x) - 1 : {name})",
                f"max(i0, {self.random.randrange(-9, 99)})",
            )
        elif kind == "u64":
            value = self.wide()
        else:
            value = self.real(kind)
        return Node(f"{name} = {value};")

    def own_store(self):
        byte = f"bytes[{self.small(4)} * total + id]" if self.planes else f"bytes[4u * id + {self.small(4)}]"
        return Node(
            self.pick(
                f"out[id] = {self.varying(1)};",
                f"u1 ^= out[id]; out[id] = {self.varying(1)};",
                f"{byte} = static_cast<u8>({self.varying(1)});",
                f"{byte} = static_cast<u8>({self.strided()});",
                f"u2 += {byte}; {byte} = {self.small()};",
                "cells[15] = n;",
            )
        )

    def guarded_division(self):
        """The divisor is 0 only where no thread comes, which may be nowhere."""
        u = self.uniform()
        return Node(
            self.pick(
                f"if ({u} > (in[{self.place()}] & 7u)) u1 = {self.uniform()} / ({u});",
                f"if ((in[i] & 7u) < ({u} & 3u)) u2 += {self.uniform()} % ({u} & 3u);",
                f"if (i32({u} & 3u) > i32(in[i] & 7u)) i1 = (i32(n) - 500) / i32({u} & 3u);",
                f"if ({self.condition()}) u1 = quotient({self.uniform()}, {self.uniform()});",
                f"if ({self.condition()}) u1 += in[{self.uniform()} & 1023u];",
            )
        )

    def jump(self, loop):
        choices = ["break;", "continue;"] * 2 if loop else []
        if self.leaves:
            choices.append(f"{{ {FINISH}; return; }}")
        if loop:
            choices.append("{ out[id] = u0; break; }")
        if not choices:
            return self.assignment()
        return Node(f"if ({self.condition()}) {self.random.choice(choices)}")

    def turn(self):
        return Node(
            self.pick(
                f"atomicAdd(&cells[0], {self.varying(1)});",
                f"atomicMax(&cells[3], {self.varying(1)});",
                f"{{ const Two two = two_of({self.varying(1)}, u1); u0 ^= two.a; f0 += two.b; }}",
                f"u2 ^= {self.random.choice(self.functions)}({self.varying(1)}, {self.uniform()}, in);",
                f"f0 += __builtin_powif(1.5f, i32({self.varying(1)} & 3u));",
            )
        )

    def branch(self, depth, loop):
        nodes = [Node(f"if ({self.condition()}) {{", self.sequence(depth, loop))]
        if self.random.random() < 0.55:
            nodes[0].tail = ""
            nodes = [Node("{", [nodes[0], Node("} else {", self.sequence(depth, loop))])]
        return nodes[0]

    def loop(self, depth):
        self.count += 1
        k = f"k{self.count}"
        trips = self.pick(
            self.small(6), "(n & 7u)", f"({self.varying(1)} & 7u)", f"({self.uniform()} & 3u)", "(i & 3u)"
        )
        self.counters.append(k)
        body = self.sequence(depth, True, 1, 4)
        if self.random.random() < 0.4:  # ways out in any order, none of them at the loop's ends
            body.append(Node(f"if ({k} >= {trips}) {self.pick('break;', '{ u1 += 7u; break; }')}"))
            body += self.sequence(depth, True, 1, 3)
            head = f"for (u32 {k} = 0;; ++{k}) {{ if ({k} > 9u) break;"
        elif self.random.random() < 0.3:
            head = f"for (u32 {k} = 0; {k} < 6u && ({self.condition()}); ++{k}) {{"
        else:
            head = f"for (u32 {k} = 0, e{k} = {trips}; {k} < e{k}; ++{k}) {{"
        self.counters.remove(k)
        return Node(head, body)

    def switch(self, depth):
        selector = self.pick("i & 3u", "(in[i] >> 2) % 5u", "u0 & 3u", f"{self.uniform()} & 3u")
        cases = []
        for case in range(self.random.randint(2, 4)):
            label = "default:" if case == 3 else f"case {case}:"
            end = [] if self.random.random() < 0.3 else [Node("break;", keep=True)]
            cases.append(Node(f"{label} {{", [*self.sequence(depth, False, 1, 2), *end]))
        return Node(f"switch ({selector}) {{", cases)
