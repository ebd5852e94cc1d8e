# Loops: counted ones, halved and doubled counters, pointers that walk.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from ranges import C_NAMES, LIMITS, Reject, contains
from statements import Statement, each, repeated, touch_all, walk_body, with_name


class Loop(Statement):
    """A counted loop. style: "for", "down" (from bound - 1 to start), "do", "while"."""

    terms, bodies = ("start", "bound", "step"), ("body",)

    def __init__(self, name, kind, start, bound, step, body, style="for", inclusive=False):
        self.name, self.kind, self.start, self.bound, self.step = name, kind, start, bound, step
        self.body, self.style, self.inclusive = list(body), style, inclusive

    def lines(self, indent):
        k, kind, pad = self.name, C_NAMES[self.kind], "  " * indent
        start, bound, step = (term.text() for term in self.own_terms())
        if self.style == "down":
            head = f"for ({kind} {k} = {bound} - 1; {k} >= {start}; {k} -= {step}) {{"
            yield from self.block(head, self.body, indent)
            return
        test = f"{k} {'<=' if self.inclusive else '<'} {bound}"
        if self.style == "for":
            head = f"for ({kind} {k} = {start}; {test}; {k} += {step}) {{"
            yield from self.block(head, self.body, indent)
            return
        # Bodies of these have no `continue`: it would skip the step.
        yield f"{pad}{{ {kind} {k} = {start};"
        head, tail = (
            ("do {", f"}} while ({test}); }}")
            if self.style == "do"
            else (
                f"while ({test}) {{",
                "} }",
            )
        )
        yield pad + head
        for statement in self.body:
            yield from statement.lines(indent + 1)
        yield f"{pad}  {k} += {step};"
        yield pad + tail

    def counter(self, env):
        """Range of the counter inside; None if the body is not reached. Environment of the body."""
        ranges = [term.range(env) for term in (self.start, self.bound, self.step)]
        kinds = [term.kind for term in (self.start, self.bound, self.step)]
        for value in ranges:  # mixed signs would wrap: keep the loops plain
            if not contains(LIMITS[self.kind], value):
                raise Reject("counter's type")
        if any(kind[0] == "u" for kind in kinds) and self.kind[0] != "u":
            if any(value[0] < 0 for value in ranges):
                raise Reject("mixed signs")
        if self.style == "down" and self.start.kind[0] == "u":
            raise Reject("mixed signs")  # the counter falls below the start
        start, bound, step = ranges
        if step[0] < 1:
            raise Reject("no step")
        last = bound[1] if self.inclusive else bound[1] - 1
        first = start[0]
        if self.style == "do":
            last = max(last, start[1])
        reach = (first - step[1], last + step[1])
        if self.style != "down":
            reach = (first, reach[1])
        if not contains(LIMITS[self.kind], reach) or not contains(LIMITS["i32"], reach):
            raise Reject("the counter overflows")
        if self.style == "down" and self.kind[0] == "u":
            raise Reject("never below zero")
        if last < first:
            return None
        inside = repeated(env, (last - first) // step[0] + 1)
        return with_name(inside, self.name, (first, last))

    def walk(self, envs, record):
        touch_all(self.own_terms(), envs, record)
        inside = each(envs, self.counter)
        touch_all([self.bound], inside, record)
        walk_body(self.body, inside, record)
        return envs


class Halving(Statement):
    """A counter that is halved or doubled; style: the statement that does it."""

    HEADS = {
        ">>= 1": "for (int {s} = {start}; {s} > 0; {s} >>= 1) {{",
        "/= 2": "for (int {s} = {start}; {s} >= 1; {s} /= 2) {{",
        "*= 2": "for (int {s} = 1; {s} < {start}; {s} *= 2) {{",
        "<<= 1": "for (int {s} = 1; {s} <= {start}; {s} <<= 1) {{",
    }
    terms, bodies = ("start",), ("body",)

    def __init__(self, name, start, body, style=">>= 1"):
        self.name, self.start, self.body, self.style = name, start, list(body), style

    def lines(self, indent):
        head = self.HEADS[self.style].format(s=self.name, start=self.start.text())
        yield from self.block(head, self.body, indent)

    def inside_of(self, env):
        low, high = self.start.range(env)
        if high >= LIMITS["i32"][1] // 4:
            raise Reject("counter's type")
        if low < 0 and self.start.kind[0] == "u":
            raise Reject("mixed signs")
        if high < 1:
            return None
        return with_name(repeated(env, high.bit_length()), self.name, (1, high))

    def walk(self, envs, record):
        touch_all([self.start], envs, record)
        walk_body(self.body, each(envs, self.inside_of), record)
        return envs


class PointerLoop(Statement):
    """A pointer into an array that advances; the body reads p[c] for constants c."""

    terms = ("start", "trips", "stride")

    def __init__(self, array, number, start, trips, stride, offsets, by_end):
        """by_end: "", "<" or "!=": how the pointer is compared with the end."""
        self.array, self.number, self.start = array, number, start
        self.trips, self.stride, self.offsets, self.by_end = trips, stride, list(offsets), by_end

    def arrays(self):
        return (self.array.name,)

    def lines(self, indent):
        pad, p, k = "  " * indent, f"p{self.number}", f"kp{self.number}"
        start, trips, stride = (term.text() for term in self.own_terms())
        kind = f"const {self.array.element}*"
        begin = f"{self.array.text()} + ({start})"
        reads = " + ".join(f"(float){p}[{c}]" for c in self.offsets)
        if self.by_end:
            end = f"{begin} + (long long)({trips}) * {stride}"
            head = f"{kind} {p} = {begin}, *e{p} = {end}; {p} {self.by_end} e{p}; {p} += {stride}"
            yield f"{pad}for ({head}) {{"
            yield f"{pad}  acc += {reads};"
        else:
            yield f"{pad}{{ {kind} {p} = {begin};"
            yield f"{pad}for (int {k} = 0; {k} < {trips}; ++{k}) {{"
            yield f"{pad}  acc += {reads};"
            yield f"{pad}  {p} += {stride};"
        yield f"{pad}}}" + ("" if self.by_end else " }")

    def walk(self, envs, record):
        touch_all(self.own_terms(), envs, record)
        for env in envs:
            if env is None:
                continue
            start, trips, stride = (term.range(env) for term in self.own_terms())
            if not contains(LIMITS["i32"], trips) or self.trips.kind[0] == "u":
                raise Reject("counter's type")
            if self.by_end and stride[0] < 1:
                raise Reject("never at the end")
            if self.by_end == "!=" and trips[0] < 0:
                raise Reject("never at the end")
            if trips[1] < 1:
                continue
            corners = [
                start[e] + stride[f] * k for e in (0, 1) for f in (0, 1) for k in (0, trips[1] - 1)
            ]
            for c in self.offsets:
                reach = (min(corners) + c, max(corners) + c)
                record.access(self.array, reach, repeated(env, trips[1]))
        return envs


def trips_of(term, env):
    """The highest number of rounds."""
    low, high = term.range(env)
    if not contains(LIMITS["i32"], (low, high)) or high > 4096:
        raise Reject("too many rounds")
    return max(high, 0)


class Walk(Statement):
    """p = A + start; for (outer) { for (inner) { read *p; p += step; } p += skip; }"""

    terms = ("start", "outer", "inner", "step", "skip")

    def __init__(self, array, number, start, outer, inner, step, skip):
        self.array, self.number, self.start = array, number, start
        self.outer, self.inner, self.step, self.skip = outer, inner, step, skip

    def arrays(self):
        return (self.array.name,)

    def lines(self, indent):
        pad, p, k = "  " * indent, f"p{self.number}", f"kp{self.number}"
        start, outer, inner, step, skip = (term.text() for term in self.own_terms())
        yield f"{pad}{{ const {self.array.element}* {p} = {self.array.text()} + ({start});"
        yield f"{pad}for (int {k} = 0; {k} < {outer}; ++{k}) {{"
        yield f"{pad}  for (int j{k} = 0; j{k} < {inner}; ++j{k}) {{"
        yield f"{pad}    acc += (float)*{p};"
        yield f"{pad}    {p} += {step};"
        yield f"{pad}  }}"
        yield f"{pad}  {p} += {skip};"
        yield f"{pad}}} }}"

    def walk(self, envs, record):
        touch_all(self.own_terms(), envs, record)
        for env in envs:
            if env is None:
                continue
            outer, inner = trips_of(self.outer, env), trips_of(self.inner, env)
            start, step, skip = (t.range(env) for t in (self.start, self.step, self.skip))
            if outer == 0 or inner == 0:
                continue
            steps = [s * n for s in step for n in (0, outer * inner - 1)]
            skips = [s * n for s in skip for n in (0, outer - 1)]
            reach = (start[0] + min(steps) + min(skips), start[1] + max(steps) + max(skips))
            record.access(self.array, reach, repeated(env, outer * inner))
        return envs


class PreviousLoop(Statement):
    """before = init; for (k = start; k < bound; ++k) { body; before = next; }"""

    terms, bodies = ("init", "start", "bound", "next"), ("body",)

    def __init__(self, name, before, init, start, bound, following, body):
        self.name, self.before, self.init, self.start = name, before, init, start
        self.bound, self.next, self.body = bound, following, list(body)

    def lines(self, indent):
        pad, k = "  " * indent, self.name
        init, start, bound, following = (term.text() for term in self.own_terms())
        yield f"{pad}{{ int {self.before} = {init};"
        yield f"{pad}for (int {k} = {start}; {k} < {bound}; ++{k}) {{"
        for statement in self.body:
            yield from statement.lines(indent + 1)
        yield f"{pad}  {self.before} = {following};"
        yield f"{pad}}} }}"

    def inside_of(self, env):
        start, bound, init = (t.range(env) for t in (self.start, self.bound, self.init))
        for value in (start, bound, init):
            if not contains(LIMITS["i32"], value):
                raise Reject("counter's type")
        if bound[1] - start[0] > 4096:
            raise Reject("too many rounds")
        if bound[1] <= start[0]:
            return None
        inside = repeated(env, bound[1] - start[0])
        inside = with_name(inside, self.name, (start[0], bound[1] - 1))
        after = self.next.range(inside)
        before = (min(init[0], after[0]), max(init[1], after[1]))
        if not contains(LIMITS["i32"], before):
            raise Reject("counter's type")
        return with_name(inside, self.before, before)

    def walk(self, envs, record):
        touch_all([self.init, self.start, self.bound], envs, record)
        walk_body(self.body, each(envs, self.inside_of), record)
        return envs
