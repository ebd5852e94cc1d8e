# Random launch shapes and argument values.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from kernel import Launch

BLOCKS = {
    1: [(1,), (3,), (7,), (8,), (31,), (32,), (33,), (64,), (100,), (128,), (256,)],
    2: [(1, 1), (4, 3), (8, 8), (7, 5), (16, 4), (16, 16), (32, 2), (1, 9), (33, 3)],
    3: [(1, 1, 1), (4, 2, 3), (3, 5, 2), (8, 4, 2), (1, 2, 7), (4, 4, 4)],
}
GRIDS = {
    1: [(1,), (2,), (3,), (5,), (8,), (13,), (16,)],
    2: [(1, 1), (2, 2), (3, 2), (1, 5), (4, 3), (5, 1), (3, 4)],
    3: [(1, 1, 1), (2, 2, 2), (3, 1, 2), (1, 2, 3), (2, 3, 1)],
}
LARGE = [((40,), (256,)), ((9,), (1024,)), ((65,), (64,))]

# Argument name -> type. A name with a dot is a field of a struct argument.
NUMBERS = {
    "n": "i32",
    "w": "i32",
    "h": "i32",
    "d": "i32",
    "m": "i32",
    "s": "i32",
    "u": "u32",
    "q": "u64",
    "r": "i64",
    "sh": "i16",
    "view.n": "i32",
    "view.w": "i32",
    "view.h": "i32",
    "view.d": "i32",
    "view.k": "u32",
}


def padded(size):
    return tuple(size) + (1,) * (3 - len(size))


def one_launch(random, dimensions, block):
    if dimensions == 1 and block is None and random.random() < 0.06:
        grid, shape = random.choice(LARGE)
    else:
        grid, shape = random.choice(GRIDS[dimensions]), block or random.choice(BLOCKS[dimensions])
    grid, shape = padded(grid), padded(shape)
    return Launch(grid, shape, values(random, grid, shape))


def near(random, extent):
    """A size for so many threads: mostly a bit less, so that there is excess."""
    return max(
        1,
        random.choice(
            [extent, extent - 1, extent - 3, extent - 3, extent // 2 + 1, extent // 5, extent + 9]
        ),
    )


def values(random, grid, block):
    x, y, z = (g * b for g, b in zip(grid, block))
    w, h, d = near(random, x), near(random, y), near(random, z)
    total = near(random, x) if y * z == 1 else near(random, x * y * z)
    return {
        "n": total,
        "w": w,
        "h": h,
        "d": d,
        "m": random.choice([0, 1, 2, 3, 4, 5, 7, 8, 12]),
        "s": random.choice([1, 1, 2, 2, 3, 4, 5, 0, -1, -2]),
        "u": random.choice([1, 2, 3, 5, 8, 16]),
        "q": total,
        "r": random.choice([-5, -1, 0, 1, 2, 6, 17]),
        "sh": random.choice([-2, 0, 1, 3, 9]),
        "view.n": total,
        "view.w": w,
        "view.h": h,
        "view.d": d,
        "view.k": random.choice([1, 2, 3, 4]),
    }


def launches(random, dimensions, count, same_block):
    block = random.choice(BLOCKS[dimensions]) if same_block else None
    return [one_launch(random, dimensions, block) for _ in range(count)]
