# Reads expected.txt and says where a model differs from it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import random
import re

import isl_text

AXES = ("x", "y", "z")
SAMPLES = 40  # launches tried for each axis
KINDS = {"write": "must_write", "may": "may_write", "same": "write_same"}
REDUCTIONS = ("add", "float_add", "min", "unsigned_min", "float_min", "max", "unsigned_max",
              "float_max", "and", "or", "xor", "increment", "decrement")


class Expected:
    """What expected.txt says of one kernel."""

    def __init__(self, line):
        name, rest = line.split(":", 1)
        self.name = name.strip()
        axes, rungs, *clauses = (part.strip() for part in rest.split(";"))
        self.rungs = rungs.split("|")
        self.axes, self.races, self.samples, self.obstacles = {}, set(), {}, []
        self.fails = None  # or a word of the clause
        self.costs = {}
        self.unchecked_axes = axes == "*"
        for axis, condition, free in re.findall(r"([xyz])(?:\{(.*?)\})?(\?)?", axes):
            self.axes[axis] = None if free else condition or "True"
        for clause in clauses:
            word, *items = clause.split()
            if word == "race":
                self.races = set(items)
            elif word == "with":
                for item in items:
                    name, low, high = re.fullmatch(r"([\w.]+)=(-?\d+)\.\.(-?\d+)", item).groups()
                    self.samples[name] = (int(low), int(high))
            elif word == "names":
                self.obstacles = items
            elif word == "cost":
                self.costs[items[0]] = " ".join(items[1:])
            elif word in ("fails", "fails?", "fails*"):
                self.fails = word
            else:
                raise SystemExit(f"expected.txt: '{clause}'")
        self.arrays, self.others = {}, False

    def add_array(self, line):
        if line.strip() == "...":
            self.others = True
            return
        name, extents, sets = re.fullmatch(r"\s+(\w+)(?:\[(.*?)\])?\s+(.*)", line).groups()
        extents = None if extents is None else [e.strip() for e in extents.split(",")]
        required = re.sub(r"\(.*?\)", "", sets).split()
        optional = re.findall(r"\((.*?)\)", sets)
        self.arrays[name] = (extents, required, optional)


def read_expected(path):
    """{program: {kernel: Expected}}"""
    programs, kernel = {}, None
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("= "):
            kernels = programs[line[2:].strip()] = {}
        elif line[0] == " ":
            kernel.add_array(line)
        else:
            kernel = Expected(line)
            kernels[kernel.name] = kernel
    return programs


def matches(set_, wish):
    """Whether an access set of the model is what one alternative such as `write%` asks for."""
    word, suffix = re.fullmatch(r"([a-z_]+)([%~?*]?)", wish).groups()
    if word in REDUCTIONS:
        if set_["kind"] != "reduction" or set_.get("op") != word:
            return False
    elif set_["kind"] != KINDS.get(word, word):
        return False
    unbounded = set_.get("unbounded", False)
    if suffix == "*":
        return True
    if suffix == "?":
        return unbounded
    if unbounded:
        return False
    if suffix == "~" or word in ("may", "same") and not suffix:
        return True
    return set_["exact_block"] and (suffix == "%" or set_["exact_part"])


def describe(set_):
    name = {v: k for k, v in KINDS.items()}.get(set_["kind"], set_["kind"])
    if set_["kind"] == "reduction":
        name = set_.get("op", "?")
    if set_.get("unbounded"):
        return f"{name}, unbounded"
    exact = [w for w, key in (("block", "exact_block"), ("part", "exact_part")) if set_[key]]
    return f"{name}, " + (f"exact for {' and '.join(exact)}" if exact else "not exact")


def reasons(array, set_):
    """Why the accesses of a set are not exact, each once."""
    found = []
    for index in set_.get("accesses", []):
        access = array["accesses"][index]
        text = access.get("reason", "")
        where = access.get("reason_where") or access.get("where", "")
        line = f"{text} ({where.rsplit('/', 1)[-1]})" if text else ""
        if line and line not in found:
            found.append(line)
    return "; ".join(found) or "no reason given"


class Launch:
    """Random values of a kernel's parameters."""

    def __init__(self, kernel, expected, generator):
        self.values = {}
        for axis in AXES:
            self.values["gridDim_" + axis] = generator.randint(2, 4)
            low, high = expected.samples.get("blockDim_" + axis, (4, 9))
            self.values["blockDim_" + axis] = generator.randint(low, high)
        for parameter in kernel.get("parameters", []):
            name, kind = parameter["name"], parameter["kind"]
            if kind == "argument":
                low, high = expected.samples.get(name, (40, 90))
                self.values[name] = generator.randint(low, high)
            elif kind == "product":
                self.values[name] = 1
                for factor in parameter["factors"]:
                    self.values[name] *= self.values[factor]
            elif kind == "quotient":
                dividend, divisor = (self.values[factor] for factor in parameter["factors"])
                self.values[name] = dividend // divisor if dividend >= 0 and divisor > 0 else 0
            elif kind == "expression":
                self.values[name] = isl_text.Value(parameter["expression"]).at(self.values)


def check_axis(kernel, expected, axis):
    """Complaints about one axis."""
    split = kernel["axes"][axis]
    legal = isl_text.Condition(split.get("legal", "{ : false }"))
    wanted = expected.axes.get(axis, "False")
    if wanted is None:
        return []
    complaints = []
    generator = random.Random(kernel["name"] + axis)
    for _ in range(SAMPLES):
        values = Launch(kernel, expected, generator).values
        should, is_legal = eval(wanted, {}, values), legal.holds(values)
        if should and not is_legal:
            complaints.append(
                f"axis {axis}: expected legal, but: {split.get('reason') or legal.text}"
            )
        if is_legal and wanted == "False":
            complaints.append(f"axis {axis}: expected illegal, but legal at {values}")
        if complaints:
            break
    race = split.get("read_write_overlap", False)
    unsure = axis + "?" in expected.races
    if axis in expected.axes and not unsure and race != (axis in expected.races):
        words = ("expected a race, but none", "race: " + split.get("race", ""))
        complaints.append(f"axis {axis}: {words[race]}")
    return complaints


def check_assumptions(kernel, expected):
    """What relations rely on must hold in ordinary launches, or they are exact in vain."""
    generator = random.Random(kernel["name"])
    launches = [Launch(kernel, expected, generator).values for _ in range(SAMPLES)]
    for assumption in kernel.get("assumptions", []):
        if "condition" not in assumption:
            continue
        condition = isl_text.Condition(assumption["condition"])
        broken = [values for values in launches if not condition.holds(values)]
        if broken:
            yield f"fails in {len(broken)} of {SAMPLES} ordinary launches: {assumption['text']}"


def check_costs(kernel, expected):
    """What explain tells a person two halves of the grid share."""
    for axis, wanted in expected.costs.items():
        got = kernel["axes"][axis].get("cost", "")
        if got != wanted:
            yield f"axis {axis}: expected a cost of {wanted}, got {got}"


def check_extents(kernel, expected, array, extents):
    got = array.get("extents", [])
    complaint = [f"array {array['name']}: expected extents {extents}, got {got}"]
    if len(got) != len(extents):
        return complaint
    generator = random.Random(array["name"])
    values = Launch(kernel, expected, generator).values
    for wanted, text in zip(extents, got):
        try:
            if eval(wanted, {}, values) != isl_text.Value(text).at(values):
                return complaint
        except NameError:
            return complaint
    return []


def check_array(kernel, expected, array, wish):
    extents, required, optional = wish
    complaints = []
    if extents is not None:
        complaints += check_extents(kernel, expected, array, extents)
    left = list(array.get("sets", []))
    for wanted in required:
        alternatives = wanted.split("|")
        found = next((s for s in left if any(matches(s, a) for a in alternatives)), None)
        if found:
            left.remove(found)
        else:
            complaints.append(f"array {array['name']}: expected {wanted}")
    left = [s for s in left if not any(matches(s, o) for o in optional)]
    for extra in left:
        complaints.append(
            f"array {array['name']}: got {describe(extra)}: {reasons(array, extra)}"
        )
    return complaints


def name_in_source(kernel, array):
    """An array's name as expected.txt spells it: the argument's, also for fields of a struct."""
    index, arguments = array.get("argument", -1), kernel.get("arguments", [])
    if 0 <= index < len(arguments) and arguments[index]["name"]:
        return arguments[index]["name"]
    return array["name"]


def check_kernel(kernel, expected):
    """Complaints, as lines of text; empty when the model is as expected."""
    complaints = []
    if expected.rungs != ["*"] and kernel["rung"] not in expected.rungs:
        reason = kernel.get("rung_reason", "")
        complaints.append(f"rung: expected {'|'.join(expected.rungs)}, got {kernel['rung']}: {reason}")
    if not expected.unchecked_axes:
        for axis in AXES:
            complaints += check_axis(kernel, expected, axis)
    complaints += check_assumptions(kernel, expected)
    complaints += check_costs(kernel, expected)
    missing = dict(expected.arrays)
    for array in kernel.get("arrays", []):
        if array["space"] == "shared":
            continue
        wish = missing.pop(name_in_source(kernel, array), None)
        if wish:
            complaints += check_array(kernel, expected, array, wish)
        elif not expected.others:
            complaints.append(f"array {array['name']}: not expected")
    complaints += [f"array {name}: not in the model" for name in missing]
    named = {remark["obstacle"] for remark in kernel.get("remarks", [])}
    complaints += [f"obstacle {o}: not named" for o in expected.obstacles if o not in named]
    return complaints
