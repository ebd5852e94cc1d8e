"""models.py: writes models.o, an object whose container holds models made by hand for kernels.cu.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Names and relations are as the analysis gives them (src/model/kernel.h); the places are looked up in
the source, so that it can be edited.
"""
import json
import pathlib
import struct
import subprocess

HERE = pathlib.Path(__file__).parent
SOURCE = "kernels.cu"
LINES = (HERE / SOURCE).read_text().splitlines()


def at(text, occurrence=0):
    """file:line:column of the text in the source."""
    found = [(i, line.find(text)) for i, line in enumerate(LINES) if text in line]
    line, column = found[occurrence]
    return f"{SOURCE}:{line + 1}:{column + 1}"


def launch(*axes):
    return [{"name": f"{kind}Dim_{axis}", "kind": f"{kind}_dim", "axis": axis}
            for axis in axes for kind in ("grid", "block")]


def integer(name, argument):
    return {"name": name, "kind": "argument", "argument": argument, "bytes": 4}


def index(axis):
    """The dimensions blockIdx, threadIdx and their product with blockDim."""
    return [{"name": f"blockIdx_{axis}", "kind": "block", "axis": axis},
            {"name": f"threadIdx_{axis}", "kind": "thread", "axis": axis},
            {"name": f"blockIdx_{axis}_blockDim_{axis}", "kind": "product",
             "factor": f"blockDim_{axis}", "base": f"blockIdx_{axis}"}]


def first(axis):
    return f"blockIdx_{axis}_blockDim_{axis}_first"


def last(axis):
    return f"blockIdx_{axis}_blockDim_{axis}_last"


def access(kind, where, relation=None, **more):
    more = {"exact": relation is not None and "reason" not in more, **more}
    entry = {"kind": kind, "bytes": 4, "where": where, **more}
    return {**entry, "relation": relation} if relation else {**entry, "unbounded": True}


def accesses_set(kind, accesses, image=None, exact=True, **more):
    entry = {"kind": kind, "exact_block": exact, "exact_part": exact, "accesses": accesses, **more}
    return {**entry, "pieces": [{"image": image}]} if image else {**entry, "unbounded": True}


def array(name, argument, accesses, sets, extents=None, element="float", size=4):
    shape = {"extents": extents} if extents else {}
    return {"name": name, "space": "global", "argument": argument, "element_bytes": size,
            "element_type": element, **shape, "accesses": accesses, "sets": sets}


def kernel(name, mangled, arguments, **more):
    return {"name": mangled, "where": at(f"{name}("),
            "readable": f"{name}({', '.join(kind for kind, _ in arguments)})",
            "arguments": [{"type": kind, "name": argument} for kind, argument in arguments], **more}


ALWAYS, NEVER = "{ : }", "{ : false }"
AXIS_X = f"[blockDim_x, n, {first('x')}, {last('x')}]"


def blur():
    parameters = (f"[rows, cols, blockDim_x, blockDim_y, {first('x')}, {last('x')}, {first('y')}, "
                  f"{last('y')}]")
    relation = ("[rows, cols, blockDim_x, blockDim_y] -> { [blockIdx_x_blockDim_x, "
                "blockIdx_y_blockDim_y, threadIdx_x, threadIdx_y] -> A[%s, %s] : "
                "0 <= threadIdx_x < blockDim_x and 0 <= threadIdx_y < blockDim_y and "
                "blockIdx_x_blockDim_x + threadIdx_x < cols and "
                "blockIdx_y_blockDim_y + threadIdx_y < rows }")
    x, y = "blockIdx_x_blockDim_x + threadIdx_x", "blockIdx_y_blockDim_y + threadIdx_y"
    own = (f"{first('y')} <= i0 < {last('y')} + blockDim_y and i0 < rows and "
           f"{first('x')} <= i1 < {last('x')} + blockDim_x and i1 < cols")
    wide = (f"{first('y')} - 1 <= i0 <= {last('y')} + blockDim_y and 0 <= i0 < rows and "
            f"{first('x')} - 1 <= i1 <= {last('x')} + blockDim_x and 0 <= i1 < cols and "
            f"{first('x')} < cols and {first('y')} < rows")
    extents = ["[cols] -> { [(cols)] }"]
    reads = [access("read", at("in[y * cols + x]"), relation % (y, x)),
             access("read", at("in[max(y - 1, 0)"), relation % (f"max({y} - 1, 0)", x))]
    return kernel(
        "blur", "_Z4blurPKfPfii",
        [("const float *", "in"), ("float *", "out"), ("int", "rows"), ("int", "cols")],
        rung="exact", suggested_axis="y",
        parameters=launch("x", "y") + [integer("rows", 2), integer("cols", 3)],
        dimensions=index("x") + index("y"),
        context="[blockDim_x, blockDim_y] -> { : 1 <= blockDim_x <= 1024 and 1 <= blockDim_y <= 1024 }",
        arrays=[array("in", 0, reads,
                      [accesses_set("read", [0, 1], f"{parameters} -> {{ A[i0, i1] : {wide} }}",
                                    assumptions=[0])], extents),
                array("out", 1, [access("write", at("out[y * cols"), relation % (y, x))],
                      [accesses_set("must_write", [0], f"{parameters} -> {{ A[i0, i1] : {own} }}")],
                      extents)],
        assumptions=[{"kind": "holds", "text": "rows * cols fits into int", "where": at("y * cols"),
                      "condition": "[rows, cols] -> { : rows <= 32768 and cols <= 65536 }"}],
        axes={"x": {"legal": ALWAYS, "cost": "8*rows bytes (in)"}, "y": {"legal": ALWAYS, "cost": "8*cols bytes (in)"},
              "z": {"legal": "[gridDim_z] -> { : gridDim_z = 1 }",
                    "reason": "every block along z writes the same elements of out"}})


def histogram():
    own = f"{first('x')} <= i0 < {last('x')} + blockDim_x and i0 < n"
    relation = ("[n, blockDim_x] -> { [blockIdx_x_blockDim_x, threadIdx_x] -> "
                "A[blockIdx_x_blockDim_x + threadIdx_x] : 0 <= threadIdx_x < blockDim_x and "
                "blockIdx_x_blockDim_x + threadIdx_x < n }")
    return kernel(
        "histogram", "_Z9histogramPKhPii",
        [("const unsigned char *", "data"), ("int *", "bins"), ("int", "n")],
        rung="reduction", suggested_axis="x", parameters=launch("x") + [integer("n", 2)],
        dimensions=index("x"), context="[blockDim_x] -> { : 1 <= blockDim_x <= 1024 }",
        arrays=[array("data", 0, [access("read", at("data[i]"), relation)],
                      [accesses_set("read", [0], f"{AXIS_X} -> {{ A[i0] : {own} }}")],
                      element="unsigned char", size=1),
                array("bins", 1, [access("reduction", at("atomicAdd"), op="add",
                                         reason="the subscript is loaded from data",
                                         reason_where=at("data[i]"))],
                      [accesses_set("reduction", [0], exact=False, op="add")], element="int")],
        axes={"x": {"legal": ALWAYS, "cost": "nothing"}, "y": {"legal": NEVER}, "z": {"legal": NEVER}})


def row_sums():
    own = "blockIdx_y_first <= i0 <= blockIdx_y_last"
    head = "[n, blockIdx_x_first, blockIdx_y_first, blockIdx_y_last]"
    return kernel(
        "row_sums", "_Z8row_sumsPKfPfi",
        [("const float *", "a"), ("float *", "sums"), ("int", "n")],
        rung="exact", suggested_axis="y",
        parameters=launch("x", "y") + [integer("n", 2)],
        dimensions=index("x")[:1] + index("y")[:1] + [{"name": "k0", "kind": "loop",
                                                       "where": at("for (int k")}],
        context="[gridDim_x, gridDim_y] -> { : gridDim_x > 0 and gridDim_y > 0 }",
        arrays=[array("a", 0, [access("read", at("a[row * n"), "[n] -> { [blockIdx_x, "
                                      "blockIdx_y] -> A[blockIdx_y, i1] : blockIdx_x <= i1 < n }",
                                      exact=False)],
                      [accesses_set("read", [0], f"{head} -> {{ A[i0, i1] : {own} and "
                                    "blockIdx_x_first <= i1 < n }", exact=False)],
                      ["[n] -> { [(n)] }"]),
                array("sums", 1, [access("write", at("sums[row]"),
                                         "{ [blockIdx_y] -> A[blockIdx_y] }")],
                      [accesses_set("must_write", [0], f"{head} -> {{ A[i0] : {own} }}")])],
        axes={"x": {"legal": "[gridDim_x] -> { : gridDim_x = 1 }",
                    "reason": "every block along x writes the same elements of sums",
                    "reason_where": at("sums[row]")},
              "y": {"legal": "[gridDim_x] -> { : gridDim_x = 1 }", "cost": "nothing"},
              "z": {"legal": NEVER, "reason": "every block along z writes the same elements of sums",
                    "reason_where": at("sums[row]")}})


def scatter():
    own = f"{first('x')} <= i0 < {last('x')} + blockDim_x and i0 < n"
    relation = ("[n, blockDim_x] -> { [blockIdx_x_blockDim_x, threadIdx_x] -> "
                "A[blockIdx_x_blockDim_x + threadIdx_x] : 0 <= threadIdx_x < blockDim_x and "
                "blockIdx_x_blockDim_x + threadIdx_x < n }")
    reason = {"reason": "the subscript is loaded from to", "reason_where": at("to[i]")}
    read_in = accesses_set("read", [0], f"{AXIS_X} -> {{ A[i0] : {own} }}")
    never = {"legal": NEVER, "reason": "two blocks may write the same element of out",
             "reason_where": at("out[to[i]]")}
    return kernel(
        "scatter", "_Z7scatterPKiPKfPfi",
        [("const int *", "to"), ("const float *", "in"), ("float *", "out"), ("int", "n")],
        rung="one_device", rung_reason="out is read and written at unknown subscripts",
        parameters=launch("x") + [integer("n", 3)], dimensions=index("x"),
        arrays=[array("to", 0, [access("read", at("to[i]"), relation)], [read_in], element="int"),
                array("in", 1, [access("read", at("in[i]"), relation)], [read_in]),
                array("out", 2, [access("read", at("out[to[i]]"), **reason),
                                 access("write", at("out[to[i]]"), **reason)],
                      [accesses_set("read", [0], exact=False),
                       accesses_set("may_write", [1], exact=False)])],
        axes={"x": {**never, "read_write_overlap": True,
                    "race": "a block may read the element of out that another writes",
                    "race_where": at("out[to[i]]")}, "y": never, "z": never})


def fill():
    step = {"name": "S_k0", "kind": "product", "factor": "gridDim_x_blockDim_x", "base": "k0"}
    image = (f"[n, blockDim_x, {first('x')}, {last('x')}, S_k0] -> {{ A[i0] : "
             f"{first('x')} + S_k0 <= i0 < {last('x')} + S_k0 + blockDim_x and i0 < n }}")
    relation = ("[n, blockDim_x] -> { [blockIdx_x_blockDim_x, threadIdx_x, k0, S_k0] -> "
                "A[blockIdx_x_blockDim_x + threadIdx_x + S_k0] : 0 <= threadIdx_x < blockDim_x and "
                "0 <= k0 and blockIdx_x_blockDim_x + threadIdx_x + S_k0 < n }")
    writes = accesses_set("must_write", [0], image)
    writes["pieces"][0]["loops"] = [{"counter": "k0", "last": "[n] -> { [(n - 1)] }",
                                     "products": [step]}]
    return kernel(
        "fill", "_Z4fillPfi", [("float *", "a"), ("int", "n")],
        rung="exact", suggested_axis="x",
        parameters=launch("x") + [integer("n", 1), {"name": "gridDim_x_blockDim_x", "kind": "product",
                                                    "factors": ["gridDim_x", "blockDim_x"]}],
        dimensions=index("x") + [{"name": "k0", "kind": "loop", "where": at("for (int i")}, step],
        context="[blockDim_x] -> { : 1 <= blockDim_x <= 1024 }",
        arrays=[array("a", 0, [access("write", at("a[i] = 1"), relation)], [writes])],
        axes={"x": {"legal": ALWAYS, "cost": "nothing"}, "y": {"legal": NEVER}, "z": {"legal": NEVER}})


def positive():
    return kernel(
        "positive", "_Z8positivePKfPf", [("const float *", "in"), ("float *", "out")],
        rung="may_write", suggested_axis="x", max_threads=64,
        parameters=launch("x"), dimensions=index("x")[:2],
        context="[blockDim_x] -> { : 1 <= blockDim_x <= 64 }",
        arrays=[array("in", 0, [access("read", at("in[2 * i]"), "[blockDim_x] -> { [blockIdx_x, "
                                       "threadIdx_x] -> A[128blockIdx_x + 2threadIdx_x] : "
                                       "0 <= threadIdx_x < blockDim_x }")],
                      [accesses_set("read", [0], "[blockDim_x, blockIdx_x_first, blockIdx_x_last] -> { "
                                    "A[i0] : exists b, t : i0 = 128b + 2t and blockIdx_x_first <= b <= "
                                    "blockIdx_x_last and 0 <= t < blockDim_x }")]),
                array("out", 1, [access("write", at("out[i] = 1"), "[blockDim_x] -> { [blockIdx_x, "
                                        "threadIdx_x] -> A[64blockIdx_x + threadIdx_x] : "
                                        "0 <= threadIdx_x < blockDim_x }",
                                        reason="the condition is loaded from in",
                                        reason_where=at("in[2 * i] > 0"))],
                      [accesses_set("may_write", [0], "[blockDim_x, blockIdx_x_first, blockIdx_x_last] "
                                    "-> { A[i0] : exists b, t : i0 = 64b + t and blockIdx_x_first <= b "
                                    "<= blockIdx_x_last and 0 <= t < blockDim_x }", exact=False)])],
        remarks=[{"obstacle": "printf", "text": "printf in the kernel", "where": "gone.cu:3:1"}],
        axes={"x": {"legal": ALWAYS, "granularity": 2}, "y": {"legal": NEVER}, "z": {"legal": NEVER}})


def container(entries):
    header, entry = "<8sIIQQQ", "<IIQQ"
    begin = struct.calcsize(header) + len(entries) * struct.calcsize(entry)
    table, body = b"", b""
    for kind, payload in entries:
        table += struct.pack(entry, kind, 1, begin + len(body), len(payload))
        body += payload + b"\0" * (-len(payload) % 8)
    body += b"\0" * (-(begin + len(body)) % 16)
    return struct.pack(header, b"GRIDSPC\0", VERSION, len(entries), begin + len(body), 3, 4) + table + body


def container_version():
    """abi::version, from its header."""
    text = (HERE.parents[4] / "src/abi/launch.h").read_text()
    return int(text.split(" version = ")[1].split(";")[0])


VERSION = container_version()


def write(name, entries):
    text = '.section .gridspan,"a"\n.p2align 4\n.byte ' + ",".join(map(str, container(entries))) + "\n"
    subprocess.run(["clang++-19", "-x", "assembler", "-c", "-", "-o", name], input=text.encode(),
                   check=True)


def facts(kernels):
    return json.dumps({"source": SOURCE, "kernels": [
        {"name": entry["name"], "file": SOURCE, "line": int(entry["where"].split(":")[1]),
         "executor": "regions", "regions": 1, "block_barriers": 0, "warp_operations": 0,
         "parameters": len(entry["arguments"])} for entry in kernels]}).encode()


def model(kernels):
    return json.dumps({"format": "gridspan-model", "version": 3, "source": SOURCE,
                       "kernels": kernels}).encode()


if __name__ == "__main__":
    ALL = [blur(), histogram(), row_sums(), scatter(), fill(), positive()]
    write("models.o", [(2, facts(ALL)), (3, model(ALL))])
    write("splittable.o", [(2, facts(ALL[:1])), (3, model(ALL[:1]))])
    broken = blur()
    broken["arrays"][1]["accesses"][0]["relation"] = "{ [x] -> A[x] "
    write("broken.o", [(2, facts(ALL)), (3, model([broken]))])
