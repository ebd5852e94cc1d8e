# How threads of a kernel take up the elements of its domain: each exactly once.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A space names coordinates (i; or x, y; or x, y, z) that lie in extents (n; w, h; w, h, d), and
# knows launches that cover the domain, more or less: a grid may be too small or too large.

BLOCKS = {
    1: [(1,), (3,), (32,), (33,), (64,), (100,), (128,), (256,), (512,)],
    2: [(1, 1), (4, 3), (8, 8), (7, 5), (16, 4), (16, 16), (32, 2), (1, 9), (33, 3)],
    3: [(4, 2, 3), (3, 5, 2), (8, 4, 2), (1, 2, 7), (4, 4, 4)],
}
MOST_BLOCKS = 3000

GLOBAL = {a: f"({{t}})(blockIdx.{a} * blockDim.{a} + threadIdx.{a})" for a in "xyz"}


def ceil_div(a, b):
    return -(-a // b)


def size_near(random, most):
    """Mostly large, sometimes tiny."""
    if random.random() < 0.08:
        return random.randint(1, min(most, 9))
    return max(1, int(most ** random.uniform(0.6, 1.0)) - random.randint(0, 5))


class Space:
    """open: lines before the body, with {t} for the type of coordinates; close: lines after."""

    def __init__(self, dimensions, open_lines, close, cover, block_dimensions=None, sizes=None):
        self.dimensions, self.open_lines, self.close = dimensions, open_lines, close
        self.cover, self.sizes = cover, sizes
        self.block_dimensions = block_dimensions or dimensions

    @property
    def extents(self):
        return {1: ("n",), 2: ("w", "h"), 3: ("w", "h", "d")}[self.dimensions]

    @property
    def coordinates(self):
        return {1: ("i",), 2: ("x", "y"), 3: ("x", "y", "z")}[self.dimensions]

    def opened(self, kind):
        return [line.replace("{t}", kind) for line in self.open_lines]

    def choose(self, random, most):
        """(grid, block, extents) for a domain of at most so many elements."""
        if self.dimensions == 1:
            numbers = {"n": size_near(random, most)}
        elif self.dimensions == 2:
            w = size_near(random, min(most, random.choice([20, 100, 600, 3000])))
            numbers = {"w": w, "h": size_near(random, max(1, most // w))}
        else:
            w, h = (size_near(random, min(40, max(1, int(most**0.4)))) for _ in range(2))
            numbers = {"w": w, "h": h, "d": size_near(random, max(1, min(40, most // (w * h))))}
        block = random.choice(BLOCKS[self.block_dimensions])
        grid = [max(1, g) for g in self.cover(numbers, block)]
        if random.random() < 0.15:
            axis = random.randrange(len(grid))
            grid[axis] = max(1, random.choice([grid[axis] // 2, grid[axis] + 2, 1]))
        while grid[0] * (grid[1] if len(grid) > 1 else 1) > MOST_BLOCKS:
            grid = [max(1, g // 2) for g in grid]
        pad = (1, 1, 1)
        return (*grid, *pad)[:3], (*block, *pad)[:3], numbers


def spaces(random):
    """A random space."""
    c = random.choice([2, 3, 4])
    return random.choice(
        [
            # One thread, one element.
            Space(
                1,
                ["const {t} i = " + GLOBAL["x"] + ";", "if (i < n) {"],
                ["}"],
                lambda e, b: [ceil_div(e["n"], b[0])],
            ),
            Space(
                1,
                ["const {t} i = " + GLOBAL["x"] + ";", "if (i >= n) return;", "{"],
                ["}"],
                lambda e, b: [ceil_div(e["n"], b[0])],
            ),
            # From the far end.
            Space(
                1,
                ["const {t} i = n - 1 - " + GLOBAL["x"] + ";", "if (i >= 0) {"],
                ["}"],
                lambda e, b: [ceil_div(e["n"], b[0])],
            ),
            # Grid-stride.
            Space(
                1,
                [
                    "for ({t} i = "
                    + GLOBAL["x"]
                    + "; i < n; i += ({t})(gridDim.x * blockDim.x)) {"
                ],
                ["}"],
                lambda e, b: [ceil_div(e["n"], b[0] * c)],
            ),
            # Several elements next to each other, or blockDim apart.
            Space(
                1,
                [
                    f"for (int part = 0; part < {c}; ++part) {{",
                    "const {t} i = " + GLOBAL["x"] + f" * {c} + part;",
                    "if (i >= n) continue;",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["n"], b[0] * c)],
            ),
            Space(
                1,
                [
                    f"for (int part = 0; part < {c}; ++part) {{",
                    f"const {{t}} i = ({{t}})((blockIdx.x * {c} + part) * blockDim.x + threadIdx.x);",
                    "if (i < n) {",
                ],
                ["}", "}"],
                lambda e, b: [ceil_div(e["n"], b[0] * c)],
            ),
            # A line cut into rows of blocks.
            Space(
                1,
                [
                    "const {t} i = ({t})((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x"
                    " + threadIdx.x);",
                    "if (i < n) {",
                ],
                ["}"],
                lambda e, b: [4, ceil_div(e["n"], 4 * b[0])],
            ),
            # Planes.
            Space(
                2,
                [
                    "const {t} x = " + GLOBAL["x"] + ", y = " + GLOBAL["y"] + ";",
                    "if (x < w && y < h) {",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["w"], b[0]), ceil_div(e["h"], b[1])],
            ),
            Space(
                2,
                [
                    "const {t} y = " + GLOBAL["x"] + ", x = " + GLOBAL["y"] + ";",
                    "if (x >= w || y >= h) return;",
                    "{",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["h"], b[0]), ceil_div(e["w"], b[1])],
            ),
            Space(
                2,
                [
                    "const {t} i = " + GLOBAL["x"] + ";",
                    "const {t} y = i / w, x = i % w;",
                    "if (i < w * h) {",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["w"] * e["h"], b[0])],
                1,
            ),
            # A block for each row.
            Space(
                2,
                [
                    "const {t} y = blockIdx.x;",
                    "if (y >= h) return;",
                    "for ({t} x = threadIdx.x; x < w; x += blockDim.x) {",
                ],
                ["}"],
                lambda e, b: [e["h"]],
                1,
            ),
            # A thread for each column.
            Space(
                2,
                [
                    "const {t} x = " + GLOBAL["x"] + ";",
                    "if (x < w) for ({t} y = 0; y < h; ++y) {",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["w"], b[0])],
                1,
            ),
            Space(
                3,
                [
                    "const {t} x = " + GLOBAL["x"] + ", y = " + GLOBAL["y"] + ";",
                    "if (x < w && y < h) for ({t} z = 0; z < d; ++z) {",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["w"], b[0]), ceil_div(e["h"], b[1])],
                2,
            ),
            Space(
                3,
                [
                    "const {t} x = " + GLOBAL["x"] + ", y = " + GLOBAL["y"] + ", z = "
                    + GLOBAL["z"] + ";",
                    "if (x < w && y < h && z < d) {",
                ],
                ["}"],
                lambda e, b: [ceil_div(e["w"], b[0]), ceil_div(e["h"], b[1]), ceil_div(e["d"], b[2])],
            ),
        ]
    )
