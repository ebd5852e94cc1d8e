#!/usr/bin/env python3
"""check_links.py ROOT: every relative link of our Markdown pages leads to a file.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
pages = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
broken = []
for page in pages:
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith(("http://", "https://")) and not (page.parent / target).exists():
            broken.append(f"{page.relative_to(root)}: no such file: {target}")
print("\n".join(broken) if broken else f"{len(pages)} pages, no broken link")
sys.exit(bool(broken) or not pages)
