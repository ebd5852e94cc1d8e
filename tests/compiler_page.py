#!/usr/bin/env python3
"""Keeps docs/compiler.md as the compiler is: its list of stages, and the files it names.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    compiler_page.py check GRIDCC ROOT    fails if the list is not what `gridcc --stages` prints, or a file is gone
    compiler_page.py write GRIDCC ROOT    writes the list anew
"""

import pathlib
import re
import subprocess
import sys

LIST = re.compile(r"(?<=<!-- gridcc --stages -->\n```text\n).*?(?=```\n)", re.DOTALL)
FILE = re.compile(r"`((?:src|tests|bench|docs)/[\w./{},]*)`")


def named_files(text):
    """Paths in code font; `a.{h,cpp}` is two."""
    for path in FILE.findall(text):
        stem, brace, endings = path.partition("{")
        yield from (stem + one for one in endings.rstrip("}").split(",")) if brace else [path]


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("check", "write"):
        sys.exit(__doc__)
    action, gridcc, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    page = root / "docs" / "compiler.md"
    text = page.read_text()
    stages = subprocess.run([gridcc, "--stages"], check=True, capture_output=True, text=True).stdout
    if len(LIST.findall(text)) != 1:
        sys.exit(f"{page}: no list of stages")
    if action == "write":
        page.write_text(LIST.sub(lambda _: stages, text))
        return
    wrong = [f"no such file: {one}" for one in named_files(text) if not (root / one).exists()]
    if LIST.search(text).group() != stages:
        wrong.append(f"the list of stages is not the compiler's; run {pathlib.Path(__file__).name} write")
    if not list(named_files(text)):
        wrong.append("names no files")
    for one in wrong:
        print(f"{page}: {one}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
