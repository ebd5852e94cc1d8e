# Copies of random programs, between whatever memory there is: lines, planes, boxes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from streams import Access

FOR_KERNELS = ("device", "async", "managed", "pinned", "registered", "symbol")
OF_HOST = ("managed", "pinned", "registered", "pageable")


class Copies:
    """Part of Commands, which knows the program's memory and streams."""

    def box(self, size, depth=False):
        """(offset, pitch, width, height, depth) of a box within so many bytes, or None."""
        r = self.random
        if size < 64:
            return None
        width = r.randint(1, max(1, min(size // 4, 3000)))
        pitch = width + r.choice([0, 1, 4, 60])
        slices = r.randint(1, 4) if depth else 1
        most = size // (pitch * slices)
        if most < 1:
            return None
        height = r.randint(1, min(most, 200))
        span = pitch * height * slices
        return r.randint(0, size - span), pitch, width, height, slices

    def copy_accesses(self, to, to_range, source, from_range, how):
        """Accesses, and whether the host waits."""
        at_call = source.kind == "pageable" and how == "async"
        accesses = [
            Access(source.name, *from_range, False, at_call),
            Access(to.name, *to_range, True),
        ]
        host = [o.kind for o in (to, source) if o.kind in OF_HOST]
        waits = to.kind == "pageable" or (how == "sync" and bool(host))
        return accesses, waits

    def sides(self):
        to, source = self.some((*FOR_KERNELS, "pageable")), self.some((*FOR_KERNELS, "pageable"))
        if to.kind == "pageable" and source.kind == "pageable":
            return None, None
        return to, source

    def copy(self):
        to, source = self.sides()
        if to is None:
            return
        size = min(to.size, source.size)
        _, length = self.some_range(size)
        if to is source:
            length = max(1, length // 2)
        start = self.random.randint(0, source.size - length)
        target = self.random.randint(0, to.size - length)
        if to is source and abs(start - target) < length:
            return
        stream, how = self.how()
        accesses, waits = self.copy_accesses(
            to, (target, target + length), source, (start, start + length), how
        )
        text = f"copy {to.name}+{target} {source.name}+{start} {length} {stream} {how}"
        self.add([text], stream, accesses, waits)

    def copy_2d(self, depth=False):
        to, source = self.sides()
        if to is None or to is source:
            return
        box = self.box(min(to.size, source.size), depth)
        if box is None:
            return
        _, pitch, width, height, slices = box
        other = width + self.random.choice([0, 3, 8])
        if other * height * slices > to.size or pitch * height * slices > source.size:
            return
        start = self.random.randint(0, source.size - pitch * height * slices)
        target = self.random.randint(0, to.size - other * height * slices)
        stream, how = self.how()
        accesses, waits = self.copy_accesses(
            to,
            (target, target + other * height * slices),
            source,
            (start, start + pitch * height * slices),
            how,
        )
        size = f"{width} {height}" + (f" {slices}" if depth else "")
        verb = "copy3d" if depth else "copy2d"
        text = f"{verb} {to.name}+{target} {other} {source.name}+{start} {pitch} {size}"
        self.add([f"{text} {stream} {how}"], stream, accesses, waits)

    def copy_3d(self):
        self.copy_2d(True)
