#!/usr/bin/env python3
"""Keeps docs/compiler.md as the compiler is: its list of stages, its walk, and the files it names.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    compiler_page.py check GRIDCC ROOT    fails if the list is not what `gridcc --stages` prints, if a file is gone, if
                                          the walk leaves out a phase or a file with the code of stages
    compiler_page.py write GRIDCC ROOT    writes the list anew
"""

import pathlib
import re
import subprocess
import sys

LIST = re.compile(r"(?<=<!-- gridcc --stages -->\n```text\n).*?(?=```\n)", re.DOTALL)
FILE = re.compile(r"`((?:src|tests|bench|docs)/[\w./{},]*)`")

WALK = re.compile(r"(?<=## The walk\n).*?(?=\n## )", re.DOTALL)
STEP = re.compile(r"^\d+\. \*\*(.+?)\*\*.*?(?=^\d+\. |\Z)", re.DOTALL | re.MULTILINE)
PHASE = re.compile(r"^([^\s:][^:\n]*): ", re.MULTILINE)
# Functions of what stages work on (src/codegen/pipeline.h).
STAGE_CODE = re.compile(
    r"^\S.*\b(?:DeviceCompilation|KernelWork|FormWork|VectorWork|LoopWork|Attempt|CloneWork)::\w+\(", re.MULTILINE)


def wrong_walk(text, stages, root):
    """What the walk leaves out."""
    walk = WALK.search(text).group()
    steps = list(STEP.finditer(walk))
    titles = " ".join(step.group(1).lower() for step in steps)
    for phase in PHASE.findall(stages):
        if not any(word[:6] in titles for word in phase.lower().split()):
            yield f"the walk leaves out '{phase}'"
    for step in steps:
        if not list(named_files(step.group())):
            yield f"the walk names no file of '{step.group(1)}'"
    named = set(named_files(walk))
    for path in sorted((root / "src" / "codegen").rglob("*.cpp")):
        name = str(path.relative_to(root))
        if STAGE_CODE.search(path.read_text()) and name not in named:
            yield f"the walk leaves out {name}, which has code of stages"


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
    wrong += wrong_walk(text, stages, root)
    for one in wrong:
        print(f"{page}: {one}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
