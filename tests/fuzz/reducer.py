# Cuts a failing kernel down: statements are dropped as long as it still fails.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from program import Program


def symptom(problem):
    """What kind of failure it is: cutting must not slip from one to another."""
    return None if problem is None else problem.split(" in ")[0].split("\n")[0]


def fails(fuzzer, program, seed, wanted=None):
    """The symptom of the (cut) program, if it compiles and fails (in the wanted way)."""
    source, binary = fuzzer.path(seed, ".reduced.cu"), fuzzer.path(seed, ".reduced")
    source.write_text(program.text())
    if fuzzer.compile(source, binary)[0] != 0:
        return None
    found = symptom(fuzzer.difference(binary))
    return found if wanted in (None, found) else None


def keep_one_kernel(fuzzer, seed):
    """The program with only its first failing kernel and its symptom, or nothing."""
    program = Program(seed, fuzzer.arguments.kernels)
    source, binary = fuzzer.path(seed, ".cu"), fuzzer.path(seed, "")
    source.write_text(program.text())
    if fuzzer.compile(source, binary)[0] == 0:
        bad = fuzzer.kernels_that_fail(seed, binary, len(program.kernels))
        candidates = [program.kernels[k] for k in bad]
    else:
        candidates = list(program.kernels)
    for kernel in candidates:
        program.kernels = [kernel]
        if wanted := fails(fuzzer, program, seed):
            return program, wanted
    return None, None


def drop(fuzzer, program, seed, wanted, nodes):
    """Tries to do without these statements; true if it still fails."""
    for node in nodes:
        node.dropped = True
    if fails(fuzzer, program, seed, wanted):
        return True
    for node in nodes:
        node.dropped = False
    return False


def reduce_seed(fuzzer, seed):
    program, wanted = keep_one_kernel(fuzzer, seed)
    if program is None:
        print(f"seed {seed}: nothing fails")
        return False
    kernel = program.kernels[0]
    for launch in list(kernel.launches):
        kernel.launches, all_launches = [launch], kernel.launches
        if fails(fuzzer, program, seed, wanted):
            break
        kernel.launches = all_launches
    changed = True
    while changed:
        changed = False
        nodes = [
            n for n in kernel.body.walk() if n is not kernel.body and not n.keep and not n.dropped
        ]
        nodes.sort(key=lambda n: -n.size())
        size = max(1, len(nodes) // 2)
        while size >= 1:
            for at in range(0, len(nodes), size):
                group = [n for n in nodes[at : at + size] if not n.dropped]
                if group and drop(fuzzer, program, seed, wanted, group):
                    changed = True
            size //= 2
        print(f"seed {seed}: {kernel.body.size()} statements left")
    fails(fuzzer, program, seed)
    print(f"reduced: {fuzzer.path(seed, '.reduced.cu')}")
    return True
