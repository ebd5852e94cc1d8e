# Kernels of blocks that work together, which the random families do not make.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from kernels import Array, Kernel, Launch, Use
from spaces import ceil_div, size_near

BLOCKS = [32, 64, 128, 256]


def one_line(name, element, arrays, body, uses, finer=1):
    """A kernel over n elements; uses(n, block, grid) says what it touches."""
    kernel = Kernel(name)
    kernel.arrays = arrays
    kernel.numbers = {"n": ("int", False)}
    kernel.body = [line.replace("{T}", element) for line in body]

    def choose(random, most):
        n, block = size_near(random, most), random.choice(BLOCKS)
        grid = ceil_div(n, block * finer)
        return Launch(
            (grid, 1, 1), (block, 1, 1), {"n": n}, dict(zip(arrays, uses(n, block, grid)))
        )

    kernel.choose = choose
    return kernel


def arrays_of(*elements_and_writes):
    made = []
    for element, writes in elements_and_writes:
        made.append(Array(f"a{len(made)}", element))
        made[-1].written = writes
    return made


def reversed_blocks(name, random):
    """Each block turns its elements round, through shared memory."""
    element = random.choice(["unsigned", "float", "unsigned short"])
    size = Array("", element).size
    return one_line(
        name,
        element,
        arrays_of((element, False), (element, True)),
        [
            "__shared__ {T} tile[256];",
            "const int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "tile[threadIdx.x] = i < n ? a0[i] : ({T})5;",
            "__syncthreads();",
            "if (i < n) a1[i] = mix(tile[blockDim.x - 1 - threadIdx.x], tile[threadIdx.x]);",
        ],
        lambda n, block, grid: [Use(0, n - 1, size, False), Use(0, n - 1, size, True)],
    )


def block_sums(name, random):
    """A sum for each block, and one for all."""
    return one_line(
        name,
        "unsigned",
        arrays_of(("unsigned", False), ("unsigned", True), ("unsigned", True)),
        [
            "__shared__ unsigned sums[256];",
            "const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;",
            "sums[t] = i < n ? a0[i] : 0;",
            "for (int half = blockDim.x / 2; half > 0; half /= 2) {",
            "  __syncthreads();",
            "  if (t < half) sums[t] += sums[t + half];",
            "}",
            "if (t == 0) a1[blockIdx.x] = sums[0];",
            "if (t == 0) atomicAdd(a2, sums[0]);",
        ],
        lambda n, block, grid: [
            Use(0, n - 1, 4, False),
            Use(0, grid - 1, 4, True),
            Use(0, 0, 4, True),
        ],
    )


def warp_exchange(name, random):
    """Neighbours in a warp exchange values."""
    distance = random.choice([1, 2, 8, 16])
    return one_line(
        name,
        "unsigned",
        arrays_of(("unsigned", False), ("unsigned", True)),
        [
            "const int i = blockIdx.x * blockDim.x + threadIdx.x;",
            "const unsigned own = i < n ? a0[i] : 77u;",
            f"const unsigned other = __shfl_xor_sync(0xffffffffu, own, {distance});",
            "if (i < n) a1[i] = mix(own, other);",
        ],
        lambda n, block, grid: [Use(0, n - 1, 4, False), Use(0, n - 1, 4, True)],
    )


def shared_histogram(name, random):
    bins = random.choice([16, 100, 256])
    return one_line(
        name,
        "unsigned char",
        arrays_of(("unsigned char", False), ("unsigned", True)),
        [
            f"__shared__ unsigned counts[{bins}];",
            f"for (int b = threadIdx.x; b < {bins}; b += blockDim.x) counts[b] = 0;",
            "__syncthreads();",
            "const int step = gridDim.x * blockDim.x;",
            "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)",
            f"  atomicAdd(&counts[a0[i] % {bins}], 1u);",
            "__syncthreads();",
            f"for (int b = threadIdx.x; b < {bins}; b += blockDim.x) atomicAdd(&a1[b], counts[b]);",
        ],
        lambda n, block, grid: [Use(0, n - 1, 1, False), Use(0, bins - 1, 4, True)],
        finer=4,
    )


def transpose(name, random):
    """Through a tile, square: side * side elements."""
    element = random.choice(["unsigned", "double"])
    kernel = Kernel(name)
    kernel.arrays = arrays_of((element, False), (element, True))
    kernel.numbers = {"n": ("int", False)}
    kernel.body = [
        f"__shared__ {element} tile[16][17];",
        "const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;",
        "if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = a0[y * n + x];",
        "__syncthreads();",
        "const int column = blockIdx.y * 16 + threadIdx.x, row = blockIdx.x * 16 + threadIdx.y;",
        "if (column < n && row < n) a1[row * n + column] = tile[threadIdx.x][threadIdx.y];",
    ]
    size = kernel.arrays[0].size

    def choose(random_, most):
        n = max(1, int(size_near(random_, most) ** 0.5))
        uses = [Use(0, n * n - 1, size, writes) for writes in (False, True)]
        tiles = ceil_div(n, 16)
        return Launch((tiles, tiles, 1), (16, 16, 1), {"n": n}, dict(zip(kernel.arrays, uses)))

    kernel.choose = choose
    return kernel


FIXED = [reversed_blocks, block_sums, warp_exchange, shared_histogram, transpose]
