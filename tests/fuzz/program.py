# One generated source file: device functions, kernels, launches.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random as random_module

from expressions import all_variables, declarations
from lanes import DEVICE_CODE, FINISH, LaneStatements, lane_prologue
from statements import Statements
from tree import Node

SHAPES = [
    (1,),
    (31,),
    (32,),
    (33,),
    (64,),
    (96,),
    (127,),
    (257,),
    (1023,),
    (1024,),
    (7, 5),
    (33, 3),
    (3, 5, 7),
    (1, 1, 40),
    (16, 2, 3),
    (2, 2, 2),
    (100,),
    (48,),
    (250,),
    (16, 8),
    (32, 4),
    (16, 16),
    (48, 12),
    (16, 4, 4),
    (8, 9, 2),
]
GRIDS = [(1,), (2,), (3,), (5,), (2, 2), (1, 1, 3)]

BLOCK_FUNCTION = """__device__ {inline} u32 {name}(u32* cells, u32 t, u32 nt, u32 v, u32 uniform) {{
  __syncthreads();
  cells[t] = v;
  __syncthreads();
  u32 r = cells[(t + uniform) % nt];
  for (u32 k = 0; k < (uniform & {trips}u); ++k) {{
    __syncthreads();
    cells[t] = r + k;
    __syncthreads();
    if (((uniform >> k) & 4u) != 0) {leave};
    r ^= cells[(t * {factor}u + k) % nt];
  }}
  __syncthreads();
  return r;
}}"""
RECURSIVE_BLOCK_FUNCTION = """__device__ __noinline__ u32 {name}(
    u32* cells, u32 t, u32 nt, u32 v, u32 uniform) {{
  if ((uniform & 3u) == 0) {{
    __syncthreads();
    return v;
  }}
  const u32 below = {name}(cells, t, nt, v * 3u + 1u, (uniform & 3u) - 1u);
  cells[t] = below;
  __syncthreads();
  const u32 r = cells[(t + 1u) % nt] + below;
  __syncthreads();
  return r;
}}"""
WARP_FUNCTION = """__device__ {inline} u32 {name}(u32 mask, u32 v) {{
  for (u32 d = 16; d > {least}u; d /= 2) v += butterfly(mask, v, d, 32);
  if ((__ballot_sync(mask, (v & 3u) == 1u) & 5u) != 0) v ^= shift_up(mask, v, {delta}u, 32);
  return v + from_lane(mask, v, {delta}u);
}}"""
RECURSIVE_FUNCTION = """__device__ __noinline__ u32 {name}(u32 x, u32 y, const u32* in) {{
  u32 mine[4] = {{x, y, x ^ y, {constant}u}};
  if ((x & 7u) < 2u) return mine[y & 3u];
  mine[x & 3u] = {name}(x / 2u, y + 1u, in);
  return mine[y & 3u] + in[mine[x & 3u] & 1023u];
}}"""


class KernelTree:
    def __init__(self, name, body, launches):
        self.name, self.body, self.launches = name, body, launches

    def lines(self):
        yield (
            f"__global__ void {self.name}(const u32* in, u32* out, u32* cells, u32 n, f32 f, "
            "Arguments args) {"
        )
        yield from self.body.lines(0)
        yield "}"


class Program:
    """Everything in it follows from the seed."""

    def __init__(self, seed, kernels=40, size=None):
        self.seed = seed
        self.random = random_module.Random(seed)
        self.functions, self.block_functions, self.warp_functions, self.texts = [], [], [], []
        self.make_functions()
        # Half of the kernels are for the vectoriser.
        self.kernels = [
            (self.lane_kernel if k % 2 else self.kernel)(f"kernel{k}", size) for k in range(kernels)
        ]

    def inline(self):
        return self.random.choice(["", "__forceinline__", "__noinline__"])

    def make_functions(self):
        r = self.random
        self.texts.append(RECURSIVE_FUNCTION.format(name="recursive", constant=r.randrange(1000)))
        self.functions.append("recursive")
        for k in range(3):
            self.thread_function(f"function{k}")
        for k in range(2):
            self.texts.append(
                BLOCK_FUNCTION.format(
                    inline=self.inline(),
                    name=f"block{k}",
                    trips=r.choice([1, 3]),
                    factor=r.randrange(1, 9),
                    leave=r.choice(["break", "continue", "r += 9u"]),
                )
            )
            self.block_functions.append(f"block{k}")
            self.texts.append(
                WARP_FUNCTION.format(
                    inline=self.inline(),
                    name=f"warp{k}",
                    least=r.choice([0, 2]),
                    delta=r.randrange(1, 20),
                )
            )
            self.warp_functions.append(f"warp{k}")
        self.texts.append(RECURSIVE_BLOCK_FUNCTION.format(name="block_recursive"))
        self.texts.append(DEVICE_CODE)

    def thread_function(self, name):
        options = {"warp": False, "return": False, "volatile": False, "size": 8}
        maker = Statements(self.random, options, self.functions)
        # No atomics and no shared memory in here: only what expressions reach.
        body = [maker.assignment() for _ in range(2)]
        maker.shared_access = maker.global_atomic = maker.shared_atomic = maker.assignment
        maker.jump = lambda level: Node(
            f"if ({maker.e.of('bool', 2)}) return h + {maker.e.of('u32', 1)};"
        )
        from statements import Level

        body += maker.sequence(Level("thread"), 2, 2, 4)
        lines = [
            f"__device__ {self.inline()} u32 {name}(u32 x, u32 y, const u32* in) {{",
            "  const u32 t = x & 1023u, n = y, nt = 1024u, block = x >> 10; f32 f = 0.25f;",
            "  u32 h = x; Arguments args = {}; args.v[3] = y; args.d = 1.5; args.i = -7;",
            *("  " + line for line in declarations("(x ^ y)")),
        ]
        for node in body:
            lines += node.lines(1)
        lines += [f"  return mix(h ^ {finish_hash()});", "}"]
        self.texts.append("\n".join(lines))
        self.functions.append(name)

    def kernel(self, name, size):
        r = self.random
        options = {
            "warp": r.random() < 0.7,
            "return": r.random() < 0.4,
            "volatile": r.random() < 0.06,
            "size": size or r.choice([12, 20, 35, 60]),
        }
        blocks = self.block_functions + (["block_recursive"] if r.random() < 0.1 else [])
        maker = Statements(r, options, self.functions, blocks, self.warp_functions)
        from statements import Level

        level = Level("block", mask="alive" if options["warp"] else None)
        statements = []
        while maker.budget > 0:
            statements += maker.sequence(level, 3, 2, 6)
        setup = [Node(line, keep=True) for line in prologue()]
        body = Node("", [*setup, *statements, Node("FINISH;", keep=True)], tail="")
        return KernelTree(name, body, self.launches())

    def lane_kernel(self, name, size):
        r = self.random
        maker = LaneStatements(r, size or r.choice([5, 10, 20, 30]), self.functions)
        statements = []
        while maker.budget > 0:
            statements += maker.sequence(3, False, 2, 5)
        setup = [Node(line, keep=True) for line in lane_prologue(is_hidden=r.random() < 0.9)]
        body = Node("", [*setup, *statements, Node(f"{FINISH};", keep=True)], tail="")
        return KernelTree(name, body, self.launches())

    def launches(self):
        return [(self.random.choice(GRIDS), self.random.choice(SHAPES)) for _ in range(3)]

    def text(self):
        lines = [
            "// Generated by tests/fuzz with seed " + str(self.seed),
            '#include "fuzz.h"',
            f"#define FINISH (out[2 * id] = h, out[2 * id + 1] = {finish_hash()})",
            "",
        ]
        for text in self.texts:
            lines += [text, ""]
        for kernel in self.kernels:
            lines += [*kernel.lines(), ""]
        lines += ["int main(int argc, char** argv) {", "  return fuzz_main(argc, argv, {"]
        for kernel in self.kernels:
            launches = ", ".join(
                f"{{dim3{tuple(g)}, dim3{tuple(b)}}}".replace(",)", ")") for g, b in kernel.launches
            )
            lines.append(f'    {{"{kernel.name}", {kernel.name}, {{{launches}}}}},')
        lines += [f"  }}, {self.seed & 0xffffffff}u);", "}", ""]
        return "\n".join(lines)


def finish_hash():
    return (
        "("
        + " ^ ".join(f"mix(word({v}) + {i}u)" for i, v in enumerate(all_variables()))
        + " ^ word(P) ^ (word(Q) * 3u) ^ L[0] ^ (L[5] * 5u) ^ word(M[3]))"
    )


def prologue():
    return [
        "const u32 t = linear_thread(), nt = block_threads(), block = linear_block();",
        "const u32 id = block * nt + t;",
        "__shared__ u32 S0[1024], S1[1024], X0[1024], C[4];",
        "__shared__ f32 T0[1024]; __shared__ u8 B0[1024]; extern __shared__ u64 D0[];",
        "u32 h = id, c0 = n, c1 = block, alive = present_lanes(t, nt);",
        *declarations("id"),
        "S0[t] = mix(id); S1[t] = t; T0[t] = t * 0.5f; B0[t] = u8(t); X0[t] = 0;",
        "D0[t] = id * 0x100000001ull;",
        "if (t == 0) { C[0] = 0; C[1] = 0; C[2] = 0; C[3] = 0; }",
        "__syncthreads();",
    ]
