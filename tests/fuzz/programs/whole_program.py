# A random program: memory, streams, and 10 to 60 steps over the kernels of a library.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random as random_module

from commands import FOR_KERNELS, Commands, Object
from families import MOST_TABLES
from kernels import may_meet
from streams import Access, Order

TABLE_BYTES = 16 * MOST_TABLES


class WholeProgram(Commands):
    """Everything in it follows from the library and the number."""

    def __init__(self, library, number):
        super().__init__(random_module.Random(f"program {library.seed} {number}"))
        self.number, self.launches, r = number, [], self.random
        self.objects = {s.name: Object(s.name, "symbol", s.bytes) for s in library.symbols}
        self.blocking = [True] + [r.random() < 0.4 for _ in range(r.choice([0, 1, 2, 3]))]
        self.kernels = r.sample(library.kernels, min(r.randint(2, 7), len(library.kernels)))
        self.largest = r.choice([2_000, 20_000, 60_000, 200_000])
        for _ in range(r.randint(2, 5)):
            self.allocate()
        if any(array.passing == "table" for k in self.kernels for array in k.arrays):
            self.add_object(Object("tables", "device", TABLE_BYTES))
        for _ in range(r.randint(8, 55)):
            self.step()
        self.last_reads()

    def lines(self, steps=None):
        head = [f"program {self.number}"]
        head += [f"stream {0 if blocking else 1}" for blocking in self.blocking[1:]]
        order = Order(self.blocking, f"{self.number}")
        return [*head, *order.lines(self.steps if steps is None else steps), "end"]

    # --- steps -----------------------------------------------------------------------------------
    def step(self):
        kinds = [
            (self.launch, 45),
            (self.launch_again, 15),
            (self.fill, 6),
            (self.memset, 5),
            (self.memset_2d, 2),
            (self.copy, 9),
            (self.copy_2d, 5),
            (self.copy_3d, 2),
            (self.read, 8),
            (self.peek, 3),
            (self.poke, 3),
            (self.host_function, 2),
            (self.allocate, 3),
            (self.release, 3),
            (self.wait, 2),
            (self.symbol_copy, 1),
        ]
        makers, weights = zip(*kinds)
        self.random.choices(makers, weights)[0]()

    # --- launches --------------------------------------------------------------------------------
    def launch(self):
        kernel = self.random.choice(self.kernels)
        most = self.largest // self.random.choice([4, 4, 8, 16, 64])
        for _ in range(6):
            launch = kernel.choose(self.random, max(1, most))
            placed = self.place(launch)
            if placed is not None:
                return self.add_launch(kernel, launch, placed)
            most = max(1, most // 3)
        return None

    def launch_again(self):
        """A launch as before, if its memory is still there."""
        alive = [
            (kernel, launch, placed)
            for kernel, launch, placed in self.launches[-8:]
            if all(self.objects.get(o.name) is o for o, _ in placed.values())
        ]
        if alive:
            self.add_launch(*self.random.choice(alive))
        else:
            self.launch()

    def place(self, launch):
        """Memory for each array: {array: (object, byte of element 0)}, or None."""
        placed = {}
        for array, use in sorted(launch.uses.items(), key=lambda item: not item[1].writes):
            found = self.place_one(array, use, launch, placed)
            if found is None:
                return None
            placed[array] = found
        return placed

    def place_one(self, array, use, launch, placed):
        for _ in range(10):
            if array.is_symbol():
                target, base = self.objects[array.text()], 0
            else:
                target = self.some(FOR_KERNELS)
                beside = self.random.choice([*placed.values()]) if placed else None
                if beside and self.random.random() < 0.3:
                    target = beside[0]
                room = target.size - use.count() * use.size
                if room < 0:
                    continue
                low = self.random.choice([0, self.random.randint(0, room)])
                base = low - use.low * use.size
                base = max(0, base - base % array.alignment)
            low, high = use.hull(base)
            if low < 0 or high > target.size:
                continue
            if all(self.may_share(use, base, launch.uses[o], placed[o], target) for o in placed):
                return target, base
            if array.is_symbol():
                return None
        return None

    def may_share(self, use, base, other, place, target):
        """Whether two arrays of a launch may lie so."""
        if place[0] is not target:
            return True
        changes = use.writes or other.writes or use.needs or other.needs
        return not (changes and may_meet(use, base, other, place[1]))

    def add_launch(self, kernel, launch, placed):
        stream = self.stream()
        lines, accesses = [], []
        for array, (target, base) in placed.items():
            use = launch.uses[array]
            low, high = use.hull(base)
            if use.needs:
                lines.append(self.needed(use, target, low, stream))
            writes = use.writes or bool(use.needs)
            accesses.append(Access(target.name, low, high, writes))
        tables = [a for a in placed if a.passing == "table"]
        for k, array in enumerate(tables):
            target, base = placed[array]
            lines.append(f"table tables+{16 * k + 8} {target.name}+{base}")
            accesses.append(Access("tables", 0, TABLE_BYTES, True))
            accesses.append(Access("tables", 0, TABLE_BYTES, True, True))
        if tables:
            stream = 0  # where the table is written

        def place(array):
            if array in tables:
                return f"tables+{16 * tables.index(array)}"
            return f"{placed[array][0].name}+{placed[array][1]}"

        arguments = " ".join(kernel.arguments(launch.numbers, place))
        grid = " ".join(map(str, (*launch.grid, *launch.block)))
        lines = [line.replace("@", str(stream)) for line in lines]
        lines.append(f"launch {kernel.name} {grid} {stream} {arguments}")
        self.add(lines, stream, accesses).launch = launch
        self.launches.append((kernel, launch, placed))

    def needed(self, use, target, low, stream):
        what = use.needs[0]
        place = f"{target.name}+{low}"
        if what == "zero":
            return f"memset {place} {use.count() * use.size} 0 @ async"
        numbers = f"{self.seed()} 0 0" if what == "permutation" else ""
        numbers = numbers or f"{self.seed()} {use.needs[1]} {use.needs[2]}"
        return f"fill {place} {what} {use.count()} {numbers} @ async"
