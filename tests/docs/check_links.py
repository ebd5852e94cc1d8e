#!/usr/bin/env python3
"""check_links.py ROOT: every relative link of our Markdown pages leads to a file, and so does every `src/...` path.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

A path in backticks that begins with a folder of the tree must exist, as a file, a folder, or both files of a pair
(`src/runtime/plan/planner`).
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
PATH = re.compile(r"`((?:src|tests|docs|bench|examples|cuda_headers|scripts|cmake)/[\w./-]+)`")

root = pathlib.Path(sys.argv[1])
pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
broken = []
paths = 0
for page in pages:
    text = page.read_text(encoding="utf-8")
    for target in LINK.findall(text):
        if not target.startswith(("http://", "https://")) and not (page.parent / target).exists():
            broken.append(f"{page.relative_to(root)}: no such file: {target}")
    for path in PATH.findall(text):
        paths += 1
        if not (root / path).exists() and not (root / f"{path}.h").exists():
            broken.append(f"{page.relative_to(root)}: no such file: {path}")
print("\n".join(broken) if broken else f"{len(pages)} pages, {paths} paths, no broken link")
sys.exit(bool(broken) or not pages or not paths)
