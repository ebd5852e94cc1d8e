#!/usr/bin/env python3
"""What gridcc says of how launches follow one another, against what random host functions really do.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    run.py --gridcc GRIDCC --gridspan GRIDSPAN --seed 1 --files 2 --functions 40 --folder FOLDER

Each function launches, copies and fills, swaps pointers, changes locals, globals and members, loops, branches, waits, calls
functions of its source and of another one. It prints each step with its arguments. Each two steps that followed one another
must be a pair of `gridspan explain --json`; what is said to be equal must have been; what came between must be said.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys

HEAD = r"""
#include <cstdio>
#include <utility>
struct State { float *a, *b; int n; };
float *g0, *g1;
int gn;
__global__ void k(float* a, float* b, int n) {}
__global__ void other(float* a, int n, float* b) {}
extern "C" void outside(int* number, State* state);
#define SAY(kind, from, x, y, i, g, b) printf("%s %d %d %p %p %d %d %d\n", kind, __LINE__, from, (void*)(x), (void*)(y), (int)(i), (int)(g), (int)(b))
#define RUN(from, g, b, x, y, i) (SAY("launch", from, x, y, i, g, b), k<<<(g), (b)>>>((x), (y), (i)))
#define OTHER(from, g, b, x, y, i) (SAY("other", from, x, y, i, g, b), other<<<(g), (b)>>>((x), (i), (y)))
#define COPY(from, x, y, i) (SAY("copy", from, x, y, i, 0, 0), cudaMemcpyAsync((x), (y), (i), cudaMemcpyDeviceToDevice, 0))
#define FILL(from, x, i) (SAY("fill", from, x, nullptr, i, 0, 0), cudaMemset((x), 0, (i)))
#define WAIT() (printf("wait\n"), (void)cudaDeviceSynchronize())
#define CALL(n, s) (printf("call\n"), outside(n, s))
#define TELL(p) (printf("host_copy\n"), (void)cudaMemcpy(&told, p, 4, cudaMemcpyDeviceToHost))
"""

OTHER_SOURCE = r"""
struct State { float *a, *b; int n; };
extern float *g0, *g1;
extern int gn;
static int count;
extern "C" void outside(int* number, State* state) {
  ++count;
  *number += count % 3 == 0;
  if (count % 4 == 1) { float* old = state->a; state->a = state->b; state->b = old; }
  if (count % 5 == 2) { float* old = g0; g0 = g1; g1 = old; }
  gn += count % 7 == 3;
}
"""

MAIN = r"""
int main() {
  float* memory[6];
  for (float*& one : memory) cudaMalloc(&one, 4096);
  int index = 0;
  for (auto* function : functions) {
    printf("function %d\n", index++);
    g0 = memory[4], g1 = memory[5], gn = 3;
    State state{memory[2], memory[3], 5};
    function(memory[0], memory[1], &state, 2 + index % 3, index);
    cudaDeviceSynchronize();
  }
  return cudaGetLastError() != cudaSuccess;
}
"""


class Writer:
    """One source. Line numbers are the steps' names."""

    def __init__(self, seed, functions):
        self.random = random.Random(seed)
        self.lines = HEAD.splitlines()
        self.helpers = []
        for i in range(4):
            self.helper(i)
        for i in range(functions):
            self.function(i)
        self.lines.append("static void (*volatile functions[])(float*, float*, State*, int, int) = {"
                          + ", ".join(f"f{i}" for i in range(functions)) + "};")
        self.lines += MAIN.splitlines()

    def say(self, text):
        self.lines.append(text)

    def helper(self, i):
        kind = self.random.choice(["float*& p, float*& q, State* s, int n", "float* p, float* q, State* s, int n",
                                   "float* p, float* q, State*& s, int& n"])
        self.say(f"static void h{i}({kind}, int from) {{")
        self.say("  float told = 0; int m = n + 1;")
        self.body(2, "from", self.random.randint(1, 4), False)
        self.say("}")
        self.helpers.append(f"h{i}")

    def function(self, i):
        self.say(f"void f{i}(float* p, float* q, State* s, int n, int v) {{")
        self.say("  float told = 0; int m = v % 4; float *x, *y; cudaMalloc(&x, 4096); cudaMalloc(&y, 4096);")
        self.say("  float *const old_x = x, *const old_y = y;")
        self.say("  State local{x, y, n};")
        self.body(2, "0", self.random.randint(3, 9), True)
        self.say("  cudaFree(old_x); cudaFree(old_y);")
        self.say("}")

    def pointer(self, outer):
        names = ["p", "q", "g0", "g1", "s->a", "s->b"] + (["x", "y", "local.a", "local.b"] if outer else [])
        return self.random.choice(names)

    def number(self):
        return self.random.choice(["n", "m", "n", "gn", "s->n", "7", "n + m", "2 * n"])

    def body(self, depth, origin, count, outer):
        for _ in range(count):
            self.statement(depth, origin, outer)

    def statement(self, depth, origin, outer):
        blanks = " " * depth
        r = self.random
        kind = r.choices(["launch", "copy", "fill", "swap", "assign", "number", "for", "if", "while", "wait", "call",
                          "tell", "helper", "harmless", "again"],
                         [10, 2, 2, 3, 2, 2, 3 if depth < 6 else 0, 3 if depth < 7 else 0, 1 if depth < 6 else 0, 1, 1,
                          .5, 4 if outer else 0, 1, 5])[0]
        p, q = self.pointer(outer), self.pointer(outer)
        if kind == "launch":
            name = r.choice(["RUN", "RUN", "OTHER"])
            self.say(f"{blanks}{name}({origin}, {r.choice(['n', '4', 'n + 3', 'm + 1'])}, {r.choice(['32', '64', 'n'])}, {p}, {q}, {self.number()});")
        elif kind == "again":
            for _ in range(2):
                self.say(f"{blanks}RUN({origin}, n, 32, {p}, {q}, {self.number()});")
                p, q = q, p
        elif kind == "copy":
            self.say(f"{blanks}COPY({origin}, {p}, {q}, {self.number()});")
        elif kind == "fill":
            self.say(f"{blanks}FILL({origin}, {p}, {self.number()});")
        elif kind == "swap":
            self.say(f"{blanks}std::swap({p}, {q});")
        elif kind == "assign":
            self.say(f"{blanks}{p} = {q};")
        elif kind == "number":
            self.say(f"{blanks}{r.choice(['m', 'gn', 's->n'])} = {r.choice(['n', 'm', '3', 'gn % 5 + 1'])} + {r.choice(['0', '1'])};")
        elif kind == "for":
            i = f"i{depth}"
            self.say(f"{blanks}for (int {i} = 0; {i} < {r.choice(['3', 'n', 'm % 3', '0', '1'])}; ++{i}) {{")
            self.body(depth + 2, origin, r.randint(1, 4), outer)
            if r.random() < .3:
                self.say(f"{blanks}  if ({i} == {r.choice(['1', 'm'])}) {r.choice(['break', 'continue'])};")
                self.statement(depth + 2, origin, outer)
            self.say(f"{blanks}}}")
        elif kind == "while":
            self.say(f"{blanks}for (int t{depth} = n; t{depth} > 0 && m < 6;) {{")
            self.say(f"{blanks}  t{depth} /= 2; m += t{depth} % 2;")
            self.body(depth + 2, origin, r.randint(1, 3), outer)
            self.say(f"{blanks}}}")
        elif kind == "if":
            self.say(f"{blanks}if ({r.choice(['n', 'm', 'gn', 's->n'])} % {r.randint(2, 3)} == {r.randint(0, 1)}) {{")
            self.body(depth + 2, origin, r.randint(1, 2), outer)
            if r.random() < .5:
                self.say(f"{blanks}}} else {{")
                self.body(depth + 2, origin, r.randint(1, 2), outer)
            self.say(f"{blanks}}}")
        elif kind == "wait":
            self.say(f"{blanks}WAIT();")
        elif kind == "call":
            self.say(f"{blanks}CALL(&m, {r.choice(['s', '&local']) if outer else 's'});")
        elif kind == "tell":
            self.say(f"{blanks}TELL({p});")
        elif kind == "helper":
            state = r.choice(["s", "self"])
            self.say(f"{blanks}{{ State* self = &local; int number = n; {r.choice(self.helpers)}({r.choice(['p', 'x'])}, {r.choice(['q', 'y'])}, {state}, number, __LINE__); }}")
        else:
            self.say(f"{blanks}if (cudaGetLastError() != cudaSuccess) return;")


Step = collections.namedtuple("Step", "kind line origin values")


def run_of(output):
    """By function: [Step or a word]."""
    functions = collections.defaultdict(list)
    current = None
    for line in output.splitlines():
        words = line.split()
        if words[0] == "function":
            current = int(words[1])
        elif len(words) == 1:
            functions[current].append(words[0])
        else:
            x, y = (0 if one == "(nil)" else int(one, 16) for one in words[3:5])
            i, g, b = map(int, words[5:8])
            kind = words[0]
            values = {"launch": [x, y, i], "other": [x, i, y], "copy": [x, y, i], "fill": [x, 0, i]}[kind]
            functions[current].append(Step("launch" if kind == "other" else kind, int(words[1]), int(words[2]),
                                           {"arguments": values, "grid": g, "block": b}))
    return functions


def line_of(place):
    return int(place.rsplit(":", 2)[1])


class Checker:
    def __init__(self, sequence):
        self.steps = sequence["steps"]
        self.names = {}
        for i, step in enumerate(self.steps):
            origin = line_of(step["from"][0]) if "from" in step else 0
            self.names[step["kind"], line_of(step["where"]), origin] = i
        self.pairs = collections.defaultdict(list)
        for pair in sequence["neighbours"]:
            self.pairs[pair["first"], pair["second"]].append(pair)
        self.followers = collections.Counter(pair["first"] for pair in sequence["neighbours"])
        self.wrong, self.checked, self.claims = [], 0, 0

    def index(self, step):
        return self.names.get((step.kind, step.line, step.origin))

    def constants(self, step, index):
        said = self.steps[index]
        wanted = list(zip(said["arguments"], step.values["arguments"]))
        if step.kind == "launch":
            wanted += [(said["grid"][0], step.values["grid"]), (said["block"][0], step.values["block"])]
        for value, real in wanted:
            if isinstance(value, int) and value != real:
                self.wrong.append(f"{step}: said to be {value}, was {real}")

    @staticmethod
    def violates(pair, first, second, between):
        for i, j in pair["equal_arguments"]:
            if first.values["arguments"][i] != second.values["arguments"][j]:
                return f"arguments {i} and {j} differ"
        for size in ("grid", "block"):
            if pair["same_" + size] and first.values[size] != second.values[size]:
                return f"{size}s differ"
        said = {one["kind"] for one in pair["between"]}
        for word in between:
            if word not in said:
                return f"a {word} is not said"
        return None if between or pair["open"] else "nothing was between"

    def check(self, events):
        last, between = None, []
        seen = set()
        for event in events:
            if isinstance(event, str):
                between.append(event)
                continue
            index = self.index(event)
            if index is None:
                self.wrong.append(f"{event}: not listed")
                return
            seen.add(index)
            self.constants(event, index)
            if last:
                self.pair(last, index, event, between)
            last, between = (index, event), []
        for i, step in enumerate(self.steps):
            if step["loop"] is None and step["always"] and i not in seen:
                self.wrong.append(f"step {i}: always, but was not there")

    def pair(self, last, index, event, between):
        known = self.pairs.get((last[0], index), [])
        if not known and self.followers[last[0]] >= 8:
            return
        self.checked += 1
        self.claims += max((len(one["equal_arguments"]) for one in known), default=0)
        reasons = [self.violates(one, last[1], event, between) for one in known]
        if not known or all(reasons):
            self.wrong.append(f"{last[1]} then {event}: {reasons or 'no such pair'}")
        for (first, second), pairs in self.pairs.items():
            if first == last[0] and second != index and any(one["always"] and one["turn"] is None for one in pairs):
                self.wrong.append(f"{last[1]} then {event}: step {second} is said to follow always")


def run(arguments, seed):
    folder = pathlib.Path(arguments.folder) / f"{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.cu").write_text("\n".join(Writer(seed, arguments.functions).lines) + "\n")
    (folder / "outside.cpp").write_text(OTHER_SOURCE)
    level = ["-O0", "-O2"][seed % 2]
    subprocess.run([arguments.gridcc, "-w", level, "--no-ptx", "a.cu", "outside.cpp", "-o", "a"], check=True, cwd=folder)
    output = subprocess.run(["./a"], check=True, cwd=folder, capture_output=True, text=True).stdout
    text = subprocess.run([arguments.gridspan, "explain", "a", "--json"], check=True, cwd=folder, capture_output=True,
                          text=True).stdout
    sequences = {}
    for one in json.loads(text)["sequences"]:
        sequences[one["function"]] = one
    checked = claims = wrong = 0
    for index, events in run_of(output).items():
        name = f"f{index}"
        found = [one for function, one in sequences.items() if function.startswith(f"_Z{len(name)}{name}P")]
        if not found:
            if any(not isinstance(one, str) and one.kind == "launch" for one in events):
                print(f"{folder}/a.cu: {name}: no sequence")
                wrong += 1
            continue
        checker = Checker(found[0])
        checker.check(events)
        checked, claims = checked + checker.checked, claims + checker.claims
        for one in checker.wrong[:3]:
            print(f"{folder}/a.cu: {name}: {one}")
        wrong += len(checker.wrong)
    return checked, claims, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gridcc", required=True)
    parser.add_argument("--gridspan", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("--functions", type=int, default=60)
    parser.add_argument("--folder", required=True)
    arguments = parser.parse_args()
    totals = [sum(part) for part in zip(*(run(arguments, arguments.seed + i) for i in range(arguments.files)))]
    print(f"{totals[0]} pairs of steps, {totals[1]} equal arguments said, {totals[2]} wrong")
    # A run that says nothing proves nothing.
    sys.exit(1 if totals[2] or totals[1] < totals[0] / 2 else 0)


if __name__ == "__main__":
    main()
