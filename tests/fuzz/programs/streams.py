# Puts a program's steps in order where they touch the same memory: streams, events, waiting.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Every stream and the host is an *actor* with a vector clock. A step may start when all earlier
# steps that conflict with it are in its past; where they are not, a command is put before it that
# makes them so. Stream 0 is the legacy default stream: it waits for all blocking streams, and they
# for it.
import random as random_module

HOST = "host"


class Access:
    """Bytes low .. high - 1 of an object, by a stream or (actor HOST) by the host at the call."""

    def __init__(self, obj, low, high, writes, host=False):
        self.obj, self.low, self.high, self.writes, self.host = obj, low, high, writes, host

    def conflicts(self, other):
        if self.obj != other.obj or not (self.writes or other.writes):
            return False
        return self.low < other.high and other.low < self.high


class Step:
    """Command lines that belong together, on a stream or (None) by the host alone.

    waits: the host goes on when the stream has come so far. everything: when all have
    (cudaDeviceSynchronize, cudaFree). is_start: makes an object or gives it its first contents.
    """

    def __init__(self, lines, stream=None, accesses=(), waits=False, is_start=False):
        self.lines, self.stream, self.accesses = lines, stream, list(accesses)
        self.waits, self.is_start = waits, is_start
        self.everything, self.waits_for = False, None  # the latter a stream
        self.launch, self.frees = None, None

    def objects(self):
        return {access.obj for access in self.accesses} | ({self.frees} if self.frees else set())


def join(clock, other):
    for actor, count in other.items():
        clock[actor] = max(clock.get(actor, 0), count)


class Order:
    def __init__(self, blocking, seed):
        """blocking: of each stream, the legacy stream first, whether it waits for that."""
        self.blocking, self.random = blocking, random_module.Random(seed)
        self.clocks = {actor: {} for actor in [HOST, *range(len(blocking))]}
        self.past = []  # (access, actor, count)
        self.events = 0

    def lines(self, steps):
        made = []
        for step in steps:
            made += self.waiting(step)
            made += step.lines
            self.note(step)
        return made

    def start_of(self, stream):
        clock = dict(self.clocks[stream])
        join(clock, self.clocks[HOST])
        if stream == 0:
            for other, blocking in enumerate(self.blocking):
                if blocking:
                    join(clock, self.clocks[other])
        elif self.blocking[stream]:
            join(clock, self.clocks[0])
        return clock

    def waiting(self, step):
        made = []
        for access in step.accesses:
            for before, actor, count in self.past:
                if not access.conflicts(before):
                    continue
                seen = self.clocks[HOST] if access.host else self.start_of(step.stream)
                if seen.get(actor, 0) < count:
                    made += self.wait_for(actor, None if access.host else step.stream)
        return made

    def wait_for(self, actor, stream):
        """Lines after which the host (or a stream) is behind all that the actor was given."""
        ways = ["sync", "event-sync", "device-sync"] + (["wait"] * 5 if stream is not None else [])
        way = self.random.choice(ways)
        if way == "sync":
            join(self.clocks[HOST], self.clocks[actor])
            return [f"sync {actor}"]
        if way == "device-sync":
            self.wait_for_all()
            return ["device-sync"]
        self.events += 1
        event = self.random.randint(max(0, self.events - 3), self.events)  # some are used again
        if way == "wait":
            join(self.clocks[stream], self.recorded(actor))
            return [f"record {event} {actor}", f"wait {event} {stream}"]
        join(self.clocks[HOST], self.recorded(actor))
        return [f"record {event} {actor}", f"event-sync {event}"]

    def recorded(self, actor):
        """An event's past: recording is a command of the stream."""
        self.clocks[actor] = self.start_of(actor)
        return self.clocks[actor]

    def wait_for_all(self):
        for stream in range(len(self.blocking)):
            join(self.clocks[HOST], self.clocks[stream])

    def note(self, step):
        if step.everything:
            self.wait_for_all()
        self.tick(HOST, self.clocks[HOST])
        if step.stream is not None:
            self.tick(step.stream, self.start_of(step.stream))
        for access in step.accesses:
            actor = HOST if access.host else step.stream
            self.past.append((access, actor, self.clocks[actor][actor]))
        waited_for = step.stream if step.waits else step.waits_for
        if waited_for is not None:
            join(self.clocks[HOST], self.clocks[waited_for])

    def tick(self, actor, clock):
        clock[actor] = clock.get(actor, 0) + 1
        self.clocks[actor] = clock
