#!/usr/bin/env python3
"""make_entry_points.py HEADERS TABLE: the driver API's functions as rows of a table in C++.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import re
import sys


def main():
    headers, table = map(pathlib.Path, sys.argv[1:])
    sources = [headers / "cudaProfiler.h", *sorted((headers / "gridspan").glob("driver_*.h"))]
    text = "\n".join(path.read_text() for path in sources)
    names = re.findall(r"^CUresult (cu[A-Z]\w*)\(", text, re.M)
    per_thread = dict(re.findall(r"#define (cu[A-Z]\w*) (cu\w+_pt(?:ds|sz))$", text, re.M))
    rows = []
    declared = []
    for name in sorted(set(names)):
        other = per_thread.get(name)
        declared += [f'extern "C" void {one}();' for one in (name, other) if one]
        rows.append(f'    {{"{name}", &::{name}, {f"&::{other}" if other else "nullptr"}}},')
    table.write_text("\n".join(rows) + "\n")
    table.with_suffix(".h").write_text("\n".join(declared) + "\n")


if __name__ == "__main__":
    main()
