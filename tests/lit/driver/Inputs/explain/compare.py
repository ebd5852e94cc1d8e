"""compare.py OUT.json: what `gridspan explain --json` prints of models.o is what models.py wrote.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Text of isl may be written in another way; everything else must be equal, and so must the fields that hold
isl text in their places.
"""
import json
import sys

sys.dont_write_bytecode = True
import models

ISL = {"relation", "image", "context", "legal", "condition", "extents", "last"}


def check(expected, found, path):
    field = path.rsplit(".", 1)[-1].split("[")[0]
    if field in ISL:
        assert type(expected) is type(found), path
    elif isinstance(expected, dict):
        assert expected.keys() == found.keys(), (path, sorted(expected), sorted(found))
        for key in expected:
            check(expected[key], found[key], f"{path}.{key}")
    elif isinstance(expected, list):
        assert len(expected) == len(found), path
        for i, (one, other) in enumerate(zip(expected, found)):
            check(one, other, f"{path}[{i}]")
    else:
        assert expected == found, (path, expected, found)


module = json.load(open(sys.argv[1], encoding="utf-8"))
assert (module["format"], module["version"], module["source"]) == ("gridspan-model", 3, "models.o")
expected = [models.blur(), models.histogram(), models.row_sums(), models.scatter(), models.fill(),
            models.positive()]
assert len(module["kernels"]) == len(expected)
for one, other in zip(expected, module["kernels"]):
    assert other.pop("cpu")["executor"] == "regions"
    check(one, other, one["name"])
print(len(expected), "kernels are as written")
