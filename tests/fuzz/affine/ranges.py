# Interval arithmetic with C's integer types: what keeps every generated access in bounds.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A range is (lowest, highest), inclusive. Results contain every value the machine can compute: what
# leaves an unsigned type wraps; signed arithmetic that could overflow is undefined, hence a Reject.

LIMITS = {
    "i8": (-(1 << 7), (1 << 7) - 1),
    "u8": (0, (1 << 8) - 1),
    "i16": (-(1 << 15), (1 << 15) - 1),
    "u16": (0, (1 << 16) - 1),
    "i32": (-(1 << 31), (1 << 31) - 1),
    "u32": (0, (1 << 32) - 1),
    "i64": (-(1 << 63), (1 << 63) - 1),
    "u64": (0, (1 << 64) - 1),
}
C_NAMES = {
    "i8": "signed char",
    "u8": "unsigned char",
    "i16": "short",
    "u16": "unsigned short",
    "i32": "int",
    "u32": "unsigned",
    "i64": "long long",
    "u64": "size_t",
}
ORDER = ("i32", "u32", "i64", "u64")


class Reject(Exception):
    """The kernel would be undefined or leave its arrays; something else has to be generated."""


def promoted(*types):
    """The usual arithmetic conversions."""
    return max((t if t in ORDER else "i32" for t in types), key=ORDER.index)


def contains(outer, inner):
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def converted(value, kind):
    """After a conversion to `kind`, which keeps the low bits."""
    low, high = LIMITS[kind]
    if contains((low, high), value):
        return value
    size = high - low + 1
    shift = (value[0] - low) // size * size
    moved = (value[0] - shift, value[1] - shift)
    return moved if contains((low, high), moved) else (low, high)


def computed(value, kind):
    """The result of an arithmetic operation done in `kind`."""
    if kind in ("i32", "i64") and not contains(LIMITS[kind], value):
        raise Reject("signed overflow")
    return converted(value, kind)


def bits(value):
    """All numbers of as many bits."""
    return (0, (1 << max(value[1], 0).bit_length()) - 1)


def quotient(a, b):
    return abs(a) // b if a >= 0 else -(abs(a) // b)


def operation(op, a, b, kind):
    """Range of `a op b` in type `kind`; both were converted to it."""
    if op == "+":
        return computed((a[0] + b[0], a[1] + b[1]), kind)
    if op == "-":
        return computed((a[0] - b[1], a[1] - b[0]), kind)
    if op == "*":
        corners = [x * y for x in a for y in b]
        return computed((min(corners), max(corners)), kind)
    if op == "min":
        return (min(a[0], b[0]), min(a[1], b[1]))
    if op == "max":
        return (max(a[0], b[0]), max(a[1], b[1]))
    if op in "/%":
        if b[0] < 1:
            raise Reject("division by zero or less")
        if op == "/":
            corners = [quotient(x, y) for x in a for y in b]
            return (min(corners), max(corners))
        top = b[1] - 1
        low = 0 if a[0] >= 0 else max(-top, a[0])
        if b[0] == b[1] and a[0] >= 0 and a[0] // b[0] == a[1] // b[0]:
            return (a[0] % b[0], a[1] % b[0])
        return (low, min(top, max(a[1], 0)))
    if op in ("<<", ">>"):
        width = LIMITS[kind][1].bit_length() if kind[0] == "u" else LIMITS[kind][1].bit_length() + 1
        if b[0] < 0 or b[1] >= width:
            raise Reject("shift by the width")
        if op == ">>":
            corners = [x >> y for x in a for y in b]
            return (min(corners), max(corners))
        if a[0] < 0 and kind[0] == "i":
            raise Reject("shift of a negative number")
        return computed((a[0] << b[0], a[1] << b[1]), kind)
    if op == "&":
        if b[0] >= 0:
            return (0, b[1] if a[0] < 0 else min(b[1], a[1]))
        return LIMITS[kind] if a[0] < 0 else (0, a[1])
    if a[0] < 0 or b[0] < 0:
        return LIMITS[kind]
    return bits((0, max(a[1], b[1])))  # | and ^


def compared(op, a, b):
    """True, False, or None where it depends."""
    if op == "<":
        return True if a[1] < b[0] else False if a[0] >= b[1] else None
    if op == "==":
        if a[0] == a[1] == b[0] == b[1]:
            return True
        return False if a[1] < b[0] or b[1] < a[0] else None
    if op in (">", "<=", ">=", "!="):
        opposite = {">": "<", "<=": "<", ">=": "<", "!=": "=="}[op]
        left, right = (b, a) if op in (">", "<=") else (a, b)
        answer = compared(opposite, left, right)
        return answer if op == ">" or answer is None else not answer
    raise ValueError(op)


NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def narrowed(value, op, other):
    """What is left of `value` where `value op other` holds; None if nothing."""
    low, high = value
    if op == "<":
        high = min(high, other[1] - 1)
    elif op == "<=":
        high = min(high, other[1])
    elif op == ">":
        low = max(low, other[0] + 1)
    elif op == ">=":
        low = max(low, other[0])
    elif op == "==":
        low, high = max(low, other[0]), min(high, other[1])
    elif other[0] == other[1]:  # !=
        low += low == other[0]
        high -= high == other[0]
    return (low, high) if low <= high else None
