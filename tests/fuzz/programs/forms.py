# Where in an array a thread at some coordinates reads or writes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


class Form:
    """text: the subscript; reach(e): lowest and highest, `e` being the launch's numbers."""

    def __init__(self, text, reach, lattice=1):
        self.text, self.reach, self.lattice = text, reach, lattice


def volume(e):
    return e["n"] if "n" in e else e["w"] * e["h"] * e.get("d", 1)


def linear(space):
    """The place in the domain."""
    text = {1: "i", 2: "y * w + x", 3: "(z * h + y) * w + x"}[space.dimensions]
    return Form(text, lambda e: (0, volume(e) - 1))


def own(random, space):
    """An element for each element of the domain, never one twice."""
    if space.dimensions == 1:
        s = random.choice([2, 3, 4])
        o = random.randrange(s)
        return random.choice(
            [
                linear(space),
                linear(space),
                linear(space),
                Form(f"i * {s} + {o}", lambda e: (o, (e["n"] - 1) * s + o), s),
                Form("n - 1 - i", lambda e: (0, e["n"] - 1)),
                Form("i + k", lambda e: (e["k"], e["n"] - 1 + e["k"])),
                Form("i / 16 * 24 + i % 16", lambda e: (0, (e["n"] - 1) // 16 * 24 + 15)),
            ]
        )
    if space.dimensions == 2:
        return random.choice(
            [
                linear(space),
                linear(space),
                Form("y * ld + x", lambda e: (0, (e["h"] - 1) * e["ld"] + e["w"] - 1)),
                Form("x * h + y", lambda e: (0, e["w"] * e["h"] - 1)),
                Form("(h - 1 - y) * w + x", lambda e: (0, e["w"] * e["h"] - 1)),
                Form("y * w + (w - 1 - x)", lambda e: (0, e["w"] * e["h"] - 1)),
                Form("(y + k) * w + x", lambda e: (e["k"] * e["w"], (e["h"] + e["k"]) * e["w"] - 1)),
            ]
        )
    return random.choice(
        [
            linear(space),
            linear(space),
            Form("(x * h + y) * d + z", lambda e: (0, volume(e) - 1)),
            Form("(z * (h + k) + y) * w + x", lambda e: (0, e["d"] * (e["h"] + e["k"]) * e["w"] - 1)),
        ]
    )


def moved(form, space, axis, by):
    """The form at a neighbour's coordinate, kept inside the domain."""
    name, extent = space.coordinates[axis], space.extents[axis]
    sign = "+" if by > 0 else "-"
    text = substitute(form.text, name, f"clamp_to({name} {sign} {abs(by)}, {extent})")
    return Form(text, form.reach, form.lattice)


def substitute(text, name, value):
    words, word = [], ""
    for c in text + " ":
        if c.isalnum() or c == "_":
            word += c
            continue
        words += [value if word == name else word, c]
        word = ""
    return "".join(words).strip()


def read(random, space):
    """Any element that is there."""
    base = own(random, space)
    r = random.random()
    if r < 0.4:
        return base
    if r < 0.75:
        axis = random.randrange(space.dimensions)
        return moved(base, space, axis, random.choice([-1, 1, -1, 1, 2, -3, 17]))
    line = linear(space).text
    c = random.choice([2, 5, 64])
    return random.choice(
        [
            Form(f"({line}) % m", lambda e: (0, e["m"] - 1)),
            Form(f"({line}) / {c}", lambda e: (0, (volume(e) - 1) // c)),
            Form("0", lambda e: (0, 0)),
            Form(f"{c} + k", lambda e: (c + e["k"],) * 2),
            Form(space.coordinates[0], lambda e: (0, e[space.extents[0]] - 1)),
            Form("blockIdx.x % m", lambda e: (0, e["m"] - 1)),
        ]
    )
