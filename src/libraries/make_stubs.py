#!/usr/bin/env python3
"""make_stubs.py COMPILER HEADERS FOLDER PREFIX --refuses TYPE=VALUE... --headers HEADER...

What a library declares, from our headers: a definition of every function that says it is not supported yet, weak, so that
one of a real function takes its place when the library is linked; and the list of names for src/names.

    FOLDER/stubs_HEADER.cpp   the functions that HEADER declares and none before it
    FOLDER/names.txt          one a line
    FOLDER/names.h            gives each a name of our own (src/names/README.md)

PREFIX is a regular expression for the beginnings of the library's names. A function that returns a status of the library
(TYPE) returns VALUE, another one nothing or zero.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

DECLARATION = re.compile(r"(?:extern\s+)?((?:const\s+)?(?:unsigned\s+|long\s+|struct\s+)*\w+(?:\s*\*+)?)\s*\b"
                         r"(PREFIX\w*)\s*\((.*)\)$", re.DOTALL)


def preprocessed(compiler, headers, header):
    with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
        file.write(f"#include <{header}>\n")
        file.flush()
        command = [compiler, "-E", "-P", "-x", "c", "-isystem", headers, file.name]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def declarations(text, prefix):
    """Result type, name and parameters of each function that C text declares."""
    while True:
        shorter = re.sub(r"\{[^{}]*\}", ";", text)  # bodies of functions end statements, too
        if shorter == text:
            break
        text = shorter
    pattern = re.compile(DECLARATION.pattern.replace("PREFIX", f"(?:{prefix})"), re.DOTALL)
    for statement in text.split(";"):
        statement = " ".join(re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", statement).split())
        found = pattern.search(statement)
        if found and not statement.startswith(("typedef", "static")):
            yield tuple(part.strip() for part in found.groups())


def spoken(name):
    """As programs write it: cublasSgemm_v2 is cublasSgemm."""
    return re.sub(r"^(cublas\w+)_v2(_64)?$", r"\1\2", name)


def stub(result, name, parameters, refuses):
    if result in refuses:
        answer, value = refuses[result], f"return {refuses[result]};"
    elif result == "void":
        answer, value = "nothing", ""
    else:
        answer, value = "0", "return nullptr;" if "*" in result else "return {};"
    return (f"{result} {name}({parameters}) {{\n"
            f'  GRIDSPAN_NOT_THERE_YET("{spoken(name)}", "{answer}");\n  {value}\n}}\n')


def write_if_changed(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser()
    for name in ("compiler", "headers_folder", "folder", "prefix"):
        parser.add_argument(name)
    parser.add_argument("--refuses", nargs="+", required=True)
    parser.add_argument("--headers", nargs="+", required=True)
    options = parser.parse_args()
    refuses = dict(one.split("=") for one in options.refuses)
    folder = pathlib.Path(options.folder)
    seen = {}
    for header in options.headers:
        found = declarations(preprocessed(options.compiler, options.headers_folder, header), options.prefix)
        new = {name: (result, name, parameters) for result, name, parameters in found if name not in seen}
        if not new:
            sys.exit(f"{header} declares no function of its own")
        seen |= new
        text = f"// Made by make_stubs.py from {header}.\n"
        text += f'#include <{header}>\n\n#include "libraries/support/not_there_yet.h"\n\n'
        text += '#pragma clang diagnostic ignored "-Wunused-parameter"\n'
        text += 'extern "C" {\n'
        text += "".join("[[gnu::weak]] " + stub(*one, refuses) for one in new.values()) + "}\n"
        write_if_changed(folder / f"stubs_{header.removesuffix('.h')}.cpp", text)
    write_if_changed(folder / "names.txt", "".join(f"{name}\n" for name in sorted(seen)))
    write_if_changed(folder / "names.h", "#pragma once\n" + "".join(
        f"#pragma redefine_extname {name} gridspan_{name}\n" for name in sorted(seen)))


if __name__ == "__main__":
    main()
