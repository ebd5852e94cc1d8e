# Cuts a failing kernel down to a small one that still fails in the same way.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Many ways to make the kernel a little smaller go into one file, so that a round costs one
# compilation. Whatever is cut, the kernel stays in bounds: `walk` says so or rejects it.
import itertools

from loops import Halving, Loop, PointerLoop, PreviousLoop
from program import program_text
from ranges import Reject
from statements import Block, Choose, Declare, If, Leave, Store, Switch
from terms import Const, FloatConst, Load, Local, Var

BATCH = 8


def children_moves(term, put, keep_fixed):
    """Ways to make one term smaller; put(new) replaces it."""
    if keep_fixed and term.fixed:
        return
    small = not term.children and isinstance(term, (Const, FloatConst))
    if term.kind == "bool":
        for child in term.children:
            if child.kind == "bool":
                yield lambda child=child: put(child)
    elif term.kind == "f32":
        if not small:
            yield lambda: put(FloatConst(1.0))
        if not term.children and isinstance(term, Local):
            return
        for child in term.children:
            if child.kind == "f32" and not isinstance(term, Load):
                yield lambda child=child: put(child)
    else:
        if not small:
            for value in (0, 1):
                yield lambda value=value: put(
                    Const(value, term.kind if term.kind in ("u32", "i64") else "i32")
                )
        if isinstance(term, Const) and term.value not in (0, 1):
            yield lambda: put(Const(term.value // 2, term.kind))
        if not isinstance(term, Load):
            for child in term.children:
                if child.kind not in ("bool", "f32"):
                    yield lambda child=child: put(child)
    for at, child in enumerate(term.children):

        def put_child(new, term=term, at=at):
            term.children = [*term.children[:at], new, *term.children[at + 1 :]]

        yield from children_moves(child, put_child, keep_fixed)


def opened(statement):
    """What a compound statement may be replaced with."""
    if isinstance(statement, If):
        yield statement.body
        if statement.other:
            yield statement.other
            yield [If(statement.condition, statement.body)]
    elif isinstance(statement, Switch):
        yield statement.first
        yield statement.second
        yield statement.default
    elif isinstance(statement, Loop):
        yield [Declare(statement.name, statement.kind, statement.start), *statement.body]
        if statement.style != "for":
            yield [
                Loop(
                    statement.name,
                    statement.kind,
                    statement.start,
                    statement.bound,
                    statement.step,
                    statement.body,
                )
            ]
    elif isinstance(statement, Halving):
        yield [Declare(statement.name, "i32", statement.start), *statement.body]
    elif isinstance(statement, PreviousLoop):
        yield [
            Declare(statement.name, "i32", statement.start),
            Declare(statement.before, "i32", statement.init),
            *statement.body,
        ]
    elif isinstance(statement, Block):
        yield statement.body


def with_zero(term, name):
    """The term with 0 for a variable."""
    if isinstance(term, Var) and term.name == name:
        return Const(0, term.kind if term.kind in ("u32", "i64") else "i32")
    term.children = [with_zero(child, name) for child in term.children]
    return term


def forget(body, at, put):
    """Drops a declaration; its variable becomes 0."""
    name = body[at].name
    rest = [*body[:at], *body[at + 1 :]]
    for statement in rest:
        for inner in statement.everything():
            for slot in inner.terms:
                if getattr(inner, slot) is not None:
                    setattr(inner, slot, with_zero(getattr(inner, slot), name))
    put(rest)


def body_moves(body, put, keep_fixed):
    """Ways to make a list of statements smaller."""
    size = len(body)
    while size >= 1:
        for at in range(0, len(body), size):
            yield lambda at=at, size=size: put([*body[:at], *body[at + size :]])
        size //= 2
    for at, statement in enumerate(body):
        if isinstance(statement, (Choose, Declare)):
            yield lambda at=at: forget(body, at, put)
        for instead in opened(statement):
            yield lambda at=at, instead=instead: put([*body[:at], *instead, *body[at + 1 :]])
        for name in statement.terms:
            term = getattr(statement, name)
            if term is not None:

                def put_term(new, statement=statement, name=name):
                    setattr(statement, name, new)

                yield from children_moves(term, put_term, keep_fixed)
        if isinstance(statement, Store) and statement.style != "=":
            yield lambda statement=statement: setattr(statement, "style", "=")
        if isinstance(statement, PointerLoop):
            for offset in statement.offsets if len(statement.offsets) > 1 else ():
                yield lambda s=statement, o=offset: s.offsets.remove(o)
        for name in statement.bodies:

            def put_body(new, statement=statement, name=name):
                setattr(statement, name, new)

            yield from body_moves(getattr(statement, name), put_body, keep_fixed)


def smaller_numbers(value):
    return sorted({n for n in (0, 1, value // 2, value - 1) if abs(n) < abs(value)}, key=abs)


def launch_moves(kernel):
    for at in range(len(kernel.launches) if len(kernel.launches) > 1 else 0):
        yield lambda at=at: kernel.launches.pop(at)
        yield lambda at=at: setattr(kernel, "launches", [kernel.launches[at]])
    for launch in kernel.launches:
        for size in (launch.grid, launch.block):
            for axis in range(3):
                for value in smaller_numbers(size[axis]):
                    if value >= 1:
                        yield lambda size=size, axis=axis, value=value: size.__setitem__(
                            axis, value
                        )
        for name in kernel.used()[1]:
            for value in smaller_numbers(launch.numbers[name]):
                yield lambda l=launch, name=name, value=value: l.numbers.__setitem__(name, value)


def array_moves(kernel):
    for array in kernel.used()[0]:
        if array.passing != "pointer":
            yield lambda array=array: setattr(array, "passing", "pointer")
        if array.partner:
            yield lambda array=array: setattr(array, "partner", None)
    if kernel.bounds:
        yield lambda: setattr(kernel, "bounds", False)


def moves(kernel, keep_fixed):
    yield from body_moves(kernel.body, lambda new: setattr(kernel, "body", new), keep_fixed)
    yield from launch_moves(kernel)
    yield from array_moves(kernel)


def leaves_are_inside(body, inside=()):
    """`break` and `continue` need a loop around them."""
    for statement in body:
        if (
            isinstance(statement, Leave)
            and statement.word not in ("", "return")
            and statement.word not in inside
        ):
            return False
        words = inside
        if isinstance(statement, Loop):
            words = ("break", "continue") if statement.style in ("for", "down") else ("break",)
        elif isinstance(statement, (Halving, PreviousLoop)):
            words = ("break", "continue")
        for name in statement.bodies:
            if not leaves_are_inside(getattr(statement, name), words):
                return False
    return True


def measure(kernel):
    """Smaller is better; code counts before numbers."""
    special = sum(a.passing != "pointer" or bool(a.partner) for a in kernel.used()[0])
    text = sum(len(line) for line in kernel.lines(kernel.walk().ranges))
    return (kernel.size()[0] + special + kernel.bounds, text // 10 + kernel.size()[1])


def variants(kernel, keep_fixed):
    """All valid kernels one move smaller, the smallest first."""
    found, now = [], measure(kernel)
    count = sum(1 for _ in moves(kernel, keep_fixed))
    for number in range(count):
        variant = kernel.clone()
        next(itertools.islice(moves(variant, keep_fixed), number, None))()
        try:
            if leaves_are_inside(variant.body) and variant.launches and measure(variant) < now:
                found.append((measure(variant), number, variant))
        except Reject:
            continue
    return [variant for _, _, variant in sorted(found, key=lambda item: item[:2])]


def shrink(kernel, keep_fixed, first_failing, progress=lambda kernel: None):
    """first_failing(list of kernels) gives the number of the first that still fails, or None."""
    seen = set()
    while True:
        chosen = None
        candidates = variants(kernel, keep_fixed)
        for at in range(0, len(candidates), BATCH):
            batch = []
            for variant in candidates[at : at + BATCH]:
                text = kernel_text(variant)
                if text not in seen:
                    seen.add(text)
                    batch.append(variant)
            number = first_failing(batch) if batch else None
            if number is not None:
                chosen = batch[number]
                break
        if chosen is None:
            return kernel
        kernel = chosen
        progress(kernel)


def kernel_text(kernel):
    return program_text(0, kernel.functions, [kernel])
