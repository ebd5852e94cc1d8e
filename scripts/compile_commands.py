#!/usr/bin/env python3
# compile_commands.py BUILD: BUILD's compile_commands.json with an entry for each source file, to standard output. A file that
# is compiled together with others (GRIDSPAN_UNITY) gets the command by which it would be compiled alone.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import re
import sys


def alone(entry):
    """The entries of the files that an entry's file includes, if it is one that CMake wrote."""
    if not re.search(r"/Unity/unity_\w+\.cxx$", entry["file"]):
        return [entry]
    with open(os.path.join(entry["directory"], entry["file"]), encoding="utf-8") as file:
        sources = re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)
    # -Wshadow: see GRIDSPAN_WARNINGS.
    return [{**entry, "file": source,
             "command": entry["command"].replace(entry["file"], source).replace(" -Wextra ", " -Wextra -Wshadow ")}
            for source in sources]


def main():
    with open(os.path.join(sys.argv[1], "compile_commands.json"), encoding="utf-8") as file:
        entries = json.load(file)
    json.dump([one for entry in entries for one in alone(entry)], sys.stdout, indent=1)


if __name__ == "__main__":
    main()
