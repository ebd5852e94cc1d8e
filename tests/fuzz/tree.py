# The statement tree of a generated kernel: printed, and cut down by the reducer.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception


class Node:
    """A statement (`body` is None) or a compound one: head { body } tail."""

    def __init__(self, head, body=None, tail="}", keep=False):
        self.head, self.body, self.tail = head, body, tail
        self.keep = keep  # barriers: what follows relies on them
        self.dropped = False

    def lines(self, indent):
        if self.dropped:
            return
        pad = "  " * indent
        if self.body is None:
            yield pad + self.head
            return
        yield pad + self.head
        for node in self.body:
            yield from node.lines(indent + 1)
        if self.tail:
            yield pad + self.tail

    def walk(self):
        yield self
        for node in self.body or ():
            yield from node.walk()

    def size(self):
        return 0 if self.dropped else 1 + sum(n.size() for n in self.body or ())


class Phase:
    """What happened to each shared array since the last barrier, so that no access can race.

    Threads write only their own slot ("own") or read anybody's ("any") in one phase, never both;
    arrays of counters see atomics ("own") or reads ("any").
    """

    def __init__(self, uses=()):
        self.uses = {name: set(flags) for name, flags in uses}

    def may(self, array, use):
        other = "any" if use == "own" else "own"
        return other not in self.uses.get(array, ())

    def note(self, array, use):
        self.uses.setdefault(array, set()).add(use)

    def copy(self):
        return Phase(self.uses.items())

    def clear(self):
        self.uses = {}

    def join(self, *others):
        """Control flow meets: what any path did counts."""
        for other in others:
            for name, flags in other.uses.items():
                self.uses.setdefault(name, set()).update(flags)
