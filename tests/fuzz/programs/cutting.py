# Cuts a failing program down: fewer steps, then smaller grids.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import copy


def without(steps, dropped):
    """The steps without some of them; what gives objects their contents goes with the objects."""
    kept = [step for k, step in enumerate(steps) if k not in dropped]
    used = set()
    for step in kept:
        if not step.is_start and step.frees is None:
            used |= step.objects()
    return [step for step in kept if plain(step) or step.objects() & used]


def plain(step):
    """Whether the step stands for itself."""
    return not step.is_start and step.frees is None


def halves(count):
    """Ranges to try to drop: large ones first."""
    size = max(1, count // 2)
    while size >= 1:
        for start in range(0, count, size):
            yield set(range(start, min(start + size, count)))
        size //= 2


def smaller_grids(step):
    """Lines of the launch with fewer blocks."""
    if step.launch is None or not step.launch.may_shrink:
        return
    words = step.lines[-1].split()
    for axis in (2, 3, 4):
        for size in {1, 2, int(words[axis]) // 2}:
            if 0 < size < int(words[axis]):
                less = copy.copy(step)
                line = " ".join([*words[:axis], str(size), *words[axis + 1 :]])
                less.lines = [*step.lines[:-1], line]
                yield less


def cut(steps, fails, budget=400):
    """The shortest list of steps found that still fails; fails(steps) is asked so often at most."""
    left = [budget]

    def still_fails(candidate):
        left[0] -= 1
        return left[0] >= 0 and fails(candidate)

    changed = True
    while changed and left[0] > 0:
        changed = False
        for dropped in halves(len(steps)):
            # What starts an object goes with its last user only.
            dropped = {k for k in dropped if k < len(steps) and plain(steps[k])}
            candidate = without(steps, dropped)
            if dropped and len(candidate) < len(steps) and still_fails(candidate):
                steps, changed = candidate, True
                break
    for position in range(len(steps)):
        again = True
        while again and left[0] > 0:
            again = False
            for less in smaller_grids(steps[position]):
                candidate = [*steps[:position], less, *steps[position + 1 :]]
                if still_fails(candidate):
                    steps, again = candidate, True
                    break
    return steps
