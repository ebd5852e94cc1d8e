#!/usr/bin/env python3
# Tests of the generator of whole programs: no races, no access out of bounds, cutting.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from cutting import cut  # noqa: E402
from kernels import Use, may_meet  # noqa: E402
from library import Library  # noqa: E402
from streams import HOST, Access, Order, Step  # noqa: E402
from whole_program import WholeProgram  # noqa: E402

LIBRARY = Library(1, families=20, affine=0)


def access(obj, low, high, writes=True, host=False):
    return Access(obj, low, high, writes, host)


class Meeting(unittest.TestCase):
    def test_bytes_in_common_meet(self):
        self.assertTrue(may_meet(Use(0, 9, 4, True), 0, Use(0, 9, 4, False), 36))
        self.assertFalse(may_meet(Use(0, 9, 4, True), 0, Use(0, 9, 4, False), 40))
        self.assertTrue(may_meet(Use(5, 9, 4, True), 0, Use(0, 0, 8, False), 16))

    def test_every_second_element_may_lie_between_the_others(self):
        def even():
            return Use(0, 18, 4, True, lattice=2)

        self.assertFalse(may_meet(even(), 0, even(), 4))
        self.assertTrue(may_meet(even(), 0, even(), 8))
        self.assertTrue(may_meet(even(), 0, even(), 2))
        self.assertTrue(may_meet(even(), 0, Use(0, 18, 4, True, lattice=3), 4))


class Ordering(unittest.TestCase):
    def lines(self, steps, blocking=(True, False, False)):
        return Order(list(blocking), 1).lines(steps)

    def test_the_same_stream_needs_nothing(self):
        steps = [Step(["one"], 1, [access("a", 0, 8)]), Step(["two"], 1, [access("a", 0, 8)])]
        self.assertEqual(self.lines(steps), ["one", "two"])

    def test_readers_need_nothing(self):
        steps = [Step([str(s)], s, [access("a", 0, 8, False)]) for s in (1, 2)]
        self.assertEqual(self.lines(steps), ["1", "2"])

    def test_other_bytes_need_nothing(self):
        steps = [Step([str(s)], s, [access("a", 8 * s, 8 * s + 8)]) for s in (1, 2)]
        self.assertEqual(self.lines(steps), ["1", "2"])

    def test_another_stream_waits(self):
        steps = [Step([str(s)], s, [access("a", 0, 8)]) for s in (1, 2)]
        between = self.lines(steps)[1:-1]
        self.assertIn(len(between), (1, 2))
        self.assertRegex(" ".join(between), "^(sync 1|device-sync|record . 1 (wait . 2|event-sync .))$")

    def test_the_host_waits(self):
        steps = [Step(["one"], 1, [access("a", 0, 8)]), Step(["two"], None, [access("a", 0, 8, True, True)])]
        between = " ".join(self.lines(steps)[1:-1])
        self.assertRegex(between, "^(sync 1|device-sync|record . 1 event-sync .)$")

    def test_the_host_need_not_wait_twice(self):
        steps = [
            Step(["one"], 1, [access("a", 0, 8)], waits=True),
            Step(["two"], None, [access("a", 0, 8, True, True)]),
            Step(["three"], 2, [access("a", 0, 8)]),
        ]
        self.assertEqual(self.lines(steps), ["one", "two", "three"])

    def test_the_legacy_stream_waits_for_blocking_streams_only(self):
        steps = [Step([str(s)], s, [access("a", 0, 8)]) for s in (1, 0)]
        self.assertEqual(self.lines(steps, (True, True)), ["1", "0"])
        self.assertGreater(len(self.lines(steps, (True, False))), 2)

    def test_work_of_the_host_alone_orders_no_streams(self):
        steps = [
            Step(["one"], 1, [access("a", 0, 8)]),
            Step(["host"], None, [access("b", 0, 8, True, True)]),
            Step(["two"], 0, [access("a", 0, 8)]),
        ]
        self.assertGreater(len(self.lines(steps)), 3)

    def test_waiting_for_everything_is_enough(self):
        everything = Step(["all"])
        everything.everything = True
        steps = [Step(["one"], 1, [access("a", 0, 8)]), everything, Step(["two"], 2, [access("a", 0, 8)])]
        self.assertEqual(self.lines(steps), ["one", "all", "two"])
        self.assertEqual(HOST, "host")


class Programs(unittest.TestCase):
    def test_they_follow_from_the_number(self):
        one, two, other = (WholeProgram(LIBRARY, n).lines() for n in (3, 3, 4))
        self.assertEqual(one, two)
        self.assertNotEqual(one, other)

    def test_libraries_follow_from_the_seed(self):
        self.assertEqual(LIBRARY.text(), Library(1, families=20, affine=0).text())

    def test_accesses_stay_inside_and_launches_do_not_race(self):
        launches = 0
        for number in range(25):
            program = WholeProgram(LIBRARY, number)
            sizes = {s.name: s.bytes for s in LIBRARY.symbols} | {"tables": 64}
            for step in program.steps:
                words = step.lines[-1].split()
                if words[0] == "alloc":
                    sizes[words[1]] = int(words[3])
                for one in step.accesses:
                    self.assertGreaterEqual(one.low, 0)
                    self.assertLessEqual(one.high, sizes[one.obj], step.lines)
            for _, launch, placed in program.launches:
                launches += 1
                self.check_launch(launch, list(placed.items()))
        self.assertGreater(launches, 200)

    def check_launch(self, launch, placed):
        for k, (array, (target, base)) in enumerate(placed):
            for other, (other_target, other_base) in placed[:k]:
                if target is not other_target:
                    continue
                one, two = launch.uses[array], launch.uses[other]
                if one.writes or two.writes:
                    mine, theirs = touched(one, base), touched(two, other_base)
                    self.assertFalse(mine & theirs)


def touched(use, base):
    """All bytes, one by one."""
    return {
        base + element * use.size + byte
        for element in range(use.low, use.high + 1, use.lattice)
        for byte in range(use.size)
    }


class Cutting(unittest.TestCase):
    def steps(self):
        made = []
        for name in "ab":
            made.append(Step([f"alloc {name}"], None, [access(name, 0, 8, True, True)], is_start=True))
            made.append(Step([f"start {name}"], 0, [access(name, 0, 8)], is_start=True))
        made += [Step([f"use {n % 3} {name}"], 0, [access(name, 0, 8)]) for n in range(9) for name in "ab"]
        free = Step(["free a"])
        free.frees = "a"
        return [*made, Step(["read a"], 0, [access("a", 0, 8, False)]), free]

    def test_only_what_is_needed_stays(self):
        def fails(steps):
            lines = [step.lines[0] for step in steps]
            return "use 1 a" in lines and "read a" in lines

        lines = [step.lines[0] for step in cut(self.steps(), fails)]
        self.assertEqual(lines, ["alloc a", "start a", "use 1 a", "read a", "free a"])

    def test_grids_get_smaller(self):
        step = Step(["launch k 64 5 1 32 1 1 0 a+0"], 0, [access("a", 0, 8)])
        step.launch = type("Launch", (), {"may_shrink": True})
        small = cut([step], lambda steps: bool(steps) and int(steps[0].lines[0].split()[2]) > 7)
        self.assertEqual(small[0].lines, ["launch k 8 1 1 32 1 1 0 a+0"])

    def test_other_launches_keep_their_grids(self):
        step = Step(["launch k 64 1 1 32 1 1 0 a+0"], 0, [access("a", 0, 8)])
        step.launch = type("Launch", (), {"may_shrink": False})
        self.assertEqual(cut([step], lambda steps: bool(steps)), [step])


if __name__ == "__main__":
    unittest.main()
