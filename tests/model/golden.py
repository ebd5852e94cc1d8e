#!/usr/bin/env python3
# Holds models to golden files and to expected.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   golden.py check GRIDSPAN PROGRAM...    exit 1 and a diff when a model has changed or is wrong
#   golden.py write GRIDSPAN PROGRAM...    writes the golden files of kernels that are as expected
#   golden.py expect GRIDSPAN PROGRAM...   expected.txt only
#   golden.py verify PROGRAM               runs it under the oracle: no difference, and
#                                          assumptions fail where they must and only there
#
# PROGRAM is what `gridspan explain --json` takes, or its output in a file *.json. Its stem names
# the golden file and the section of expected.txt. `write` leaves out kernels that expected.txt
# contradicts; `check` then fails until they are right.
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree stays clean
import expectations
import isl_text

FOLDER = pathlib.Path(__file__).resolve().parent


def explained(gridspan, program):
    """The models `gridspan explain --json` prints, kernel by kernel in source order."""
    if program.suffix == ".json":
        text = program.read_text()
    else:
        command = [gridspan, "explain", str(program), "--json"]
        result = subprocess.run(command, capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit {result.returncode}\n{result.stderr}")
        text = result.stdout
    return list(kernels_in(json.loads(text)))


def kernels_in(value):
    """Models of all kernels, wherever they are in the document."""
    if isinstance(value, list):
        for item in value:
            yield from kernels_in(item)
    elif isinstance(value, dict):
        if "axes" in value and "arrays" in value:
            yield value
        elif "axes" in value and "rung" in value:  # a kernel that touches no memory
            yield {**value, "arrays": []}
        else:
            for item in value.values():
                yield from kernels_in(item)


def short_name(kernel):
    """`hotspot` of `void hotspot<4>(float const*, int)`."""
    return re.split(r"[(<]", kernel["readable"])[0].split()[-1]


def body(isl):
    """isl's text without the list of parameters."""
    return isl[isl.index("{") :] if "{" in isl else isl


def extent_text(isl):
    """`[n]` of `[n] -> { [(n)] }`."""
    simple = re.fullmatch(r"\{ \[\((.*)\)\] \}", body(isl))
    return f"[{simple.group(1)}]" if simple else f"[{body(isl)}]"


def axis_line(name, axis):
    legal = axis.get("legal", "{ : false }")
    condition = "".join(body(legal).split())
    words = {"{:}": "always", "{:false}": "never"}.get(condition, body(legal))
    extra = f", in steps of {axis['granularity']} blocks" if "granularity" in axis else ""
    extra += ", reads what others write" if axis.get("read_write_overlap") else ""
    return f"  split {name}: {words}{extra}"


def set_lines(kernel, set_):
    yield "    " + expectations.describe(set_)
    for index in set_.get("assumptions", []):
        yield "      assumes " + kernel["assumptions"][index]["text"]
    for piece in set_.get("pieces", []):
        for loop in piece.get("loops", []):
            products = ", ".join(
                f"{p['name']} = {p['factor']} * {p['base']}" for p in loop.get("products", [])
            )
            yield f"      for {loop['counter']} <= {body(loop.get('last', ''))}: {products}"
        yield "      " + body(piece.get("image", ""))


def kernel_lines(kernel):
    """The stable, reviewable part of a model."""
    yield f"kernel {kernel['readable']}"
    suggested = kernel.get("suggested_axis")
    yield f"  {kernel['rung']}" + (f", suggested axis {suggested}" if suggested else "")
    for name in expectations.AXES:
        yield axis_line(name, kernel["axes"][name])
    for array in kernel["arrays"]:
        if array["space"] == "shared":
            continue
        shape = "".join(extent_text(e) for e in array.get("extents", []))
        yield f"  {array['space']} {array.get('element_type', '?')} {array['name']}{shape}"
        for set_ in array.get("sets", []):
            yield from set_lines(kernel, set_)
    for obstacle in sorted({r["obstacle"] for r in kernel.get("remarks", [])}):
        yield f"  names {obstacle}"


def golden_text(kernels):
    return "\n".join("\n".join(kernel_lines(k)) + "\n" for k in kernels)


def complaints_about(kernels, expected):
    """{kernel name: complaints}, also of kernels that expected.txt has not or has in vain."""
    found = {}
    for kernel in kernels:
        name = short_name(kernel)
        if name not in expected:
            found[name] = ["not in expected.txt"]
            continue
        try:
            found[name] = expectations.check_kernel(kernel, expected[name])
        except (isl_text.Unreadable, SyntaxError, NameError, KeyError) as error:
            found[name] = [f"cannot check: {error!r}"]
    for name in expected.keys() - found.keys():
        found[name] = ["not in the program"]
    return found


def diff(path, got):
    want = path.read_text() if path.exists() else ""
    lines = difflib.unified_diff(
        want.splitlines(), got.splitlines(), str(path), "now", n=2, lineterm=""
    )
    return "\n".join(lines)


def oracle_report(output):
    """{kernel: (launches, {assumption: launches in which it failed})}, at GRIDSPAN_LOG=info."""
    found, failed = {}, {}
    for line in output.splitlines():
        if match := re.match(r"gridspan verify:     failed in (\d+) .*?: (.*)", line):
            failed[match.group(2)] = int(match.group(1))
        elif match := re.match(r"gridspan verify:   (.*): (\d+) launch", line):
            failed = {}
            found[short_name({"readable": match.group(1)})] = (int(match.group(2)), failed)
    return found


def complaints_of_run(report, expected):
    """Assumptions that failed although the launch was an ordinary one, or did not fail."""
    for name, wish in expected.items():
        launches, failed = report.get(name, (0, {}))
        if launches == 0:
            yield f"{name}: not launched"
        if wish.fails == "fails" and not failed:
            yield f"{name}: no assumption failed"
        for text, count in failed.items():
            if wish.fails is None or (count == launches and wish.fails != "fails*"):
                yield f"{name}: failed in {count} of {launches} launches: {text}"


def verify(program, expected):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GRIDSPAN_")}
    environment |= {"GRIDSPAN_VERIFY": "1", "GRIDSPAN_LOG": "info", "GRIDSPAN_THREADS": "3"}
    command = ["timeout", "-k", "2", "60", str(program.resolve())]
    result = subprocess.run(command, env=environment, capture_output=True, text=True)
    output = result.stdout + result.stderr
    complaints = list(complaints_of_run(oracle_report(output), expected))
    if result.returncode != 0 or not re.search(r"gridspan verify: .* 0 differences", output):
        complaints.append(f"exit {result.returncode}\n{output}")
    print("\n".join(complaints))
    return bool(complaints)


def main():
    action, gridspan, *programs = sys.argv[1:]
    expected = expectations.read_expected(FOLDER / "expected.txt")
    if action == "verify":
        program = pathlib.Path(gridspan)
        return verify(program, expected.get(program.stem, {}))
    failed = False
    for program in map(pathlib.Path, programs):
        kernels = explained(gridspan, program)
        complaints = complaints_about(kernels, expected.get(program.stem, {}))
        for name, lines in complaints.items():
            for line in lines:
                print(f"{program.stem}.{name}: {line}")
        failed |= any(complaints.values())
        golden = FOLDER / "golden" / f"{program.stem}.txt"
        if action == "write":
            golden.parent.mkdir(exist_ok=True)
            golden.write_text(golden_text(k for k in kernels if not complaints[short_name(k)]))
        elif action == "check" and (changes := diff(golden, golden_text(kernels))):
            failed = True
            print(changes)
    return failed


if __name__ == "__main__":
    sys.exit(main())
