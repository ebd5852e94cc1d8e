# Steps of random programs other than launches: memory, copies, the host.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from copies import FOR_KERNELS, OF_HOST, Copies
from streams import Access, Step

CONTENT_BYTES = {"bytes": 1, "i8": 1, "i16": 2, "i32": 4, "float": 4, "double": 8}


class Object:
    def __init__(self, name, kind, size):
        self.name, self.kind, self.size = name, kind, size


class Commands(Copies):
    """Appends steps to `steps`; what they work on is in `objects`, by name."""

    def __init__(self, random):
        self.random = random
        self.objects, self.blocking = {}, [True]  # by stream: does it wait for the legacy stream?
        self.steps, self.fresh = [], 0
        self.largest = 0  # bytes of an object

    def add(self, *arguments, **more):
        self.steps.append(Step(*arguments, **more))
        return self.steps[-1]

    def stream(self):
        return self.random.randrange(len(self.blocking))

    def how(self, async_chance=0.6):
        """(stream, "async" or "sync"): synchronous calls use the legacy stream."""
        if self.random.random() < async_chance:
            return self.stream(), "async"
        return 0, "sync"

    def seed(self):
        return self.random.randrange(1 << 30)

    def some(self, kinds):
        """An object of one of the kinds, or None."""
        fitting = [o for o in self.objects.values() if o.kind in kinds and o.name != "tables"]
        plain = [o for o in fitting if o.kind != "symbol"]
        return self.random.choice(plain if plain and self.random.random() < 0.9 else fitting or [None])

    def some_range(self, size, most=None):
        """Bytes of an object: all of it, or odd bytes in the middle."""
        most = min(most or size, size)
        if self.random.random() < 0.25 and most == size:
            return 0, size
        length = self.random.randint(1, most)
        if self.random.random() < 0.5:
            length = max(4, length // 4 * 4) if most >= 4 else length
        start = self.random.randint(0, size - length)
        return (start // 4 * 4 if self.random.random() < 0.5 else start), length

    # --- memory ----------------------------------------------------------------------------------
    def add_object(self, made, stream=0):
        self.objects[made.name] = made
        line = f"alloc {made.name} {made.kind} {made.size}"
        on = f" {stream}" if made.kind == "async" else ""
        at_call = made.kind != "async"
        whole = [Access(made.name, 0, made.size, True, at_call)]
        self.add([line + on], None if at_call else stream, whole, is_start=True)

    def allocate(self):
        r = self.random
        if len(self.objects) > 40:
            return
        kinds = ["device"] * 14 + ["async"] * 2 + ["managed", "pinned", "pinned", "registered"]
        kind = r.choice([*kinds, "pageable"])
        self.fresh += 1
        size = max(64, int(self.largest * r.choice([1, 1, 0.5, 0.1])) + r.randint(-40, 40))
        made, stream = Object(f"o{self.fresh}", kind, size), self.stream()
        self.add_object(made, stream)
        if kind == "pageable":
            return self.host_write(made, 0, size, "bytes", size, True)
        if r.random() < 0.4:
            stream, how = self.how()
            text = f"memset {made.name}+0 {size} {r.randrange(256)} {stream} {how}"
            self.add([text], stream, [Access(made.name, 0, size, True)], is_start=True)
            return None
        pieces = sorted({0, size, *(r.randrange(size) for _ in range(r.choice([0, 0, 1, 3])))})
        for low, high in zip(pieces, pieces[1:]):
            self.fill_bytes(made, low, high - low, True)
        return None

    def fill_bytes(self, target, offset, size, is_start=False):
        stream, how = self.how()
        what = self.random.choice(["bytes", "float", "i32"])
        count = size // CONTENT_BYTES[what]
        if count * CONTENT_BYTES[what] != size:
            what, count = "bytes", size
        content = f"{what} {count} {self.seed()} 0 {self.random.choice([1, 9, 1000])}"
        self.add(
            [f"fill {target.name}+{offset} {content} {stream} {how}"],
            stream,
            [Access(target.name, offset, offset + size, True)],
            waits=how == "sync",
            is_start=is_start,
        )

    def release(self):
        target = self.some(("device", "async", "managed", "pinned", "registered"))
        left = sum(o.kind in ("device", "async") for o in self.objects.values())
        if target is None or target.kind == "symbol" or left < 3:
            return
        del self.objects[target.name]
        whole = Access(target.name, 0, target.size, True)
        if target.kind in ("device", "async") and self.random.random() < 0.4:
            stream = self.stream()
            self.add([f"free-async {target.name} {stream}"], stream, [whole])
        elif target.kind == "device":  # waits for whatever uses it
            self.add([f"free {target.name}"]).everything = True
        else:
            whole.host = True
            self.add([f"free {target.name}"], None, [whole])
        self.steps[-1].frees = target.name

    def fill(self):
        target = self.some(FOR_KERNELS)
        self.fill_bytes(target, *self.some_range(target.size))

    def memset(self):
        target = self.some(FOR_KERNELS)
        offset, size = self.some_range(target.size)
        stream, how = self.how()
        self.add(
            [f"memset {target.name}+{offset} {size} {self.random.randrange(256)} {stream} {how}"],
            stream,
            [Access(target.name, offset, offset + size, True)],
        )

    def memset_2d(self):
        target = self.some(FOR_KERNELS)
        box = self.box(target.size)
        if box is None:
            return
        offset, pitch, width, height, _ = box
        stream, how = self.how()
        value = self.random.randrange(256)
        self.add(
            [f"memset2d {target.name}+{offset} {pitch} {width} {height} {value} {stream} {how}"],
            stream,
            [Access(target.name, offset, offset + pitch * height, True)],
        )

    def symbol_copy(self):
        target = self.some(("symbol",))
        if target is None:
            return
        offset, size = self.some_range(target.size, 300)
        self.add(
            [f"symbol-copy {target.name} {offset} bytes {size} {self.seed()} 0 1"],
            0,
            [Access(target.name, offset, offset + size, True)],
            waits=True,
        )

    # --- the host --------------------------------------------------------------------------------
    def host_write(self, target, offset, size, what, count, is_start=False):
        text = f"poke {target.name}+{offset} {what} {count} {self.seed()} 0 100"
        access = [Access(target.name, offset, offset + size, True, True)]
        self.add([text], None, access, is_start=is_start)

    def poke(self):
        target = self.some(OF_HOST)
        if target is not None:
            offset, size = self.some_range(target.size)
            self.host_write(target, offset, size, "bytes", size)

    def peek(self):
        target = self.some(OF_HOST)
        if target is not None:
            self.look_at(target, *self.some_range(target.size))

    def look_at(self, target, offset, size):
        access = [Access(target.name, offset, offset + size, False, True)]
        self.add([f"peek {target.name}+{offset} {size}"], None, access)

    def host_function(self):
        target = self.some(("pinned", "registered", "pageable"))
        if target is not None:
            offset, size = self.some_range(target.size)
            stream = self.stream()
            access = [Access(target.name, offset, offset + size, False)]
            self.add([f"host {target.name}+{offset} {size} {stream}"], stream, access)

    def read(self):
        target = self.some(FOR_KERNELS)
        self.read_from(target, *self.some_range(target.size))

    def read_from(self, target, offset, size):
        stream, how = self.how()
        access = [Access(target.name, offset, offset + size, False)]
        self.add([f"read {target.name}+{offset} {size} {stream} {how}"], stream, access, True)

    def wait(self):
        verb = self.random.choice(["sync", "query", "device-sync"])
        if verb == "device-sync":
            self.add([verb]).everything = True
        else:
            stream = self.stream()
            self.add([f"{verb} {stream}"]).waits_for = stream if verb == "sync" else None

    def last_reads(self):
        self.add(["device-sync"]).everything = True
        for target in list(self.objects.values()):
            if target.kind == "pageable":
                self.look_at(target, 0, target.size)
            elif target.name != "tables":
                self.read_from(target, 0, target.size)
