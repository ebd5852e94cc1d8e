"""The least that must move for each of the eleven programs, by formula.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

What counts is what comes in: bytes that reach a device's memory from the host or another device.
Each array the program uploads comes in once. Beyond that, a device lacks what its part of a launch
reads and others wrote, or were given; it needs each version of a byte once. Grids are cut into parts
of equal size, in whole blocks: that of matmul along two axes, those of stencils along one, because
columns of single floats are not worth their runs and a few steps no change (docs/devices.md).
"""

WORD = 4  # bytes of every element but those of bodies
SYSTEMS = 64  # that a block of adi works on


def parts(size, first, unit, devices):
    """[begin, end) of each device's elements, of those from `first` on, in blocks of `unit`."""
    blocks = -(-(size - first) // unit)
    edges = [(2 * blocks * d + devices) // (2 * devices) for d in range(devices + 1)]
    return [(first + a * unit, min(first + b * unit, size)) for a, b in zip(edges, edges[1:])]


def hotspot(n, steps, devices):
    """Power and temperatures; then each step, over each border, a row in each direction."""
    return WORD * (2 * n * n + steps * (devices - 1) * 2 * n)


def nbody(n, steps, devices):
    """Positions and velocities; everybody needs all positions, at first and after each step."""
    body = 4 * WORD
    return body * (2 * n + (devices - 1) * n * steps)


def matmul(n, _steps, devices):
    """Of r x c parts of C each needs its rows of A, an r-th, and its columns of B, a c-th."""
    shapes = [(r, devices // r) for r in range(1, devices + 1) if devices % r == 0]
    return WORD * n * n * min(r + c for r, c in shapes)


def floyd(n, steps, devices):
    """The matrix; in step k everybody needs row k."""
    return WORD * (n * n + steps * (devices - 1) * n)


def heat2d(n, steps, devices):
    """Both matrices; each step, over each border, the inner part of a row in each direction."""
    return WORD * (2 * n * n + steps * (devices - 1) * 2 * (n - 2))


def fdtd2d(n, steps, devices):
    """Three fields; each step a row of hz goes down over each border and one of ey goes up."""
    return WORD * (3 * n * n + 2 * n + steps * (devices - 1) * 2 * n)


def heat3d(n, steps, devices):
    """Both cubes; each step, over each border, the inner part of a plane in each direction."""
    return WORD * (2 * n**3 + steps * (devices - 1) * 2 * (n - 2) ** 2)


def lu(n, steps, devices):
    """The matrix; in step k everybody who still has rows needs what is left of row k. Rows stay
    where they are, dealt out so that everybody has work until the end."""
    return WORD * (n * n + sum(min(devices - 1, n - k - 1) * (n - k) for k in range(steps)))


def adi(n, steps, devices):
    """The field, and columns that two devices read. Then it is cut by rows and by columns in turn:
    all that lies not both in a device's rows and in its columns moves, v after each sweep over
    columns, u after each sweep over rows but the last. A part reads a line more on both sides."""
    widths = [end - begin for begin, end in parts(n - 1, 1, SYSTEMS, devices)]
    sweep = sum((width + 2) * (n - 2 - width) for width in widths)
    return WORD * (n * n + 2 * (devices - 1) * (n - 2) + (2 * steps - 1) * sweep)


def mvt(n, _steps, devices):
    """Rows of the matrix; everybody needs the vector."""
    return WORD * (n * n + devices * n)


def black_scholes(n, _steps, _devices):
    """Three numbers an option."""
    return WORD * 3 * n
