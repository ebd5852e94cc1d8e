# What a small kernel writes, read off nvcc's PTX: nobody needs a GPU for it.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels of the acceptance test store one int through their first parameter. Optimised, most of them are a few
# instructions on constants. What is more than that (branches, loads) is not told: None.
import re
import struct

ENTRY = re.compile(r"\.entry\s+(\w+)\s*\((.*?)\)[^{]*\{(.*?)\n\}", re.S)
INTEGER = re.compile(r"[us](8|16|32|64)$|b(8|16|32|64)$|pred$")


def wrapped(value, kind):
    """An integer as the type has it."""
    bits = int(re.search(r"\d+", kind).group()) if kind != "pred" else 1
    value &= (1 << bits) - 1
    return value - (1 << bits) if kind[0] == "s" and value >> (bits - 1) else value


class Unknown(Exception):
    pass


class Machine:
    def __init__(self, parameters):
        self.parameters, self.registers, self.written = parameters, {}, None

    def value(self, word):
        if word in self.registers:
            return self.registers[word]
        if re.fullmatch(r"0[fF][0-9A-Fa-f]{8}", word):
            return struct.unpack(">f", bytes.fromhex(word[2:]))[0]
        if re.fullmatch(r"0[dD][0-9A-Fa-f]{16}", word):
            return struct.unpack(">d", bytes.fromhex(word[2:]))[0]
        if re.fullmatch(r"-?\d+", word):
            return int(word)
        raise Unknown(word)

    def step(self, name, operands):
        parts = name.split(".")
        operation, kind = parts[0], parts[-1]
        if operation == "ret":
            return False
        if operation == "ld" and parts[1] == "param":
            parameter = re.search(r"_param_(\d+)\]", operands[1])
            if not parameter or int(parameter.group(1)) >= len(self.parameters):
                raise Unknown(operands[1])
            self.registers[operands[0]] = self.parameters[int(parameter.group(1))]
        elif operation == "st":
            if parts[1] not in ("global", "b32", "u32", "s32") or self.value(operands[0].strip("[]")) != "out":
                raise Unknown(name)
            self.written = wrapped(self.value(operands[1]), "s32")
        elif operation in ("mov", "cvta"):
            self.registers[operands[0]] = self.value(operands[1])
        else:
            self.registers[operands[0]] = self.result(operation, parts, kind, [self.value(word) for word in operands[1:]])
        return True

    def result(self, operation, parts, kind, values):
        if any(isinstance(value, str) for value in values) or not INTEGER.match(kind):
            raise Unknown(operation)
        if operation == "cvt":
            if not INTEGER.match(parts[-2]):
                raise Unknown("cvt")
            return wrapped(wrapped(values[0], kind), parts[-2])
        if operation == "setp":
            a, b = (wrapped(value, kind) for value in values)
            return int({"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "eq": a == b, "ne": a != b}[parts[1]])
        if operation == "selp":
            return values[0] if values[2] else values[1]
        by_name = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "and": lambda a, b: a & b,
                   "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "shl": lambda a, b: a << b, "neg": lambda a: -a,
                   "mad": lambda a, b, c: a * b + c, "min": min, "max": max, "abs": abs}
        if operation not in by_name or parts[1:2] == ["wide"] or parts[1:2] == ["hi"]:
            raise Unknown(operation)
        return wrapped(by_name[operation](*(wrapped(value, kind) for value in values)), kind)


def value_of(body, parameters):
    machine = Machine(parameters)
    try:
        for line in body.split("\n"):
            line = line.split("//")[0].strip().rstrip(";")
            if not line or line.startswith("."):
                continue
            name, _, rest = line.partition(" ")
            if not re.match(r"[a-z]", name) or name.startswith("bra"):
                raise Unknown(line)
            if not machine.step(name, [word.strip() for word in rest.split("\t")[-1].split(",")]):
                break
    except (Unknown, KeyError, IndexError, AttributeError, TypeError):
        return None
    return machine.written


def values(ptx, parameters):
    """{kernel: the int it writes, or None where that is not plain to see}"""
    return {name: value_of(body, parameters) for name, _, body in ENTRY.findall(ptx)}
