#!/usr/bin/env python3
"""check_words.py ROOT [--tools BIN] [PAGE...]: pages and help texts say "the bytes that a part reads", not "what a part reads".

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

Counts the words below in the prose of all pages: everything but code (blocks and
`code`), addresses of links, headings, and sentences that end in a question mark. A free relative and a relative that
follows its noun ("devices whose threads ...") both count; so do correct uses of "tell". With pages named, only those
are counted. With --tools, the help of BIN/gridcc and BIN/gridspan, too. Exit 1 if a page has more than MOST_OF_PAGE, or all together more than MOST, for each 1 000 words.
"""

import pathlib
import re
import subprocess
import sys

WORDS = re.compile(r"\b(what|whatever|who|whoever|whom|whose|nobody|tells?|told|telling)\b", re.IGNORECASE)
MOST = 3
MOST_OF_PAGE = 4
FOLDERS = [".", "docs/**", "bench/**", "examples/**", "src/**", "tests/**"]
VERBS = ["devices", "explain", "ptx", "record", "replay"]
GENERATED = {"docs/features.md", "docs/api-coverage.md", "docs/library-functions.md"}  # their generators are tests of their own


def prose(text):
    """The page without code, addresses, headings and questions."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"(?:^|(?<=\n\n))(?: {4}.*(?:\n|$)|\n(?= {4}))+", "\n", text)  # indented blocks follow a blank line
    text = re.sub(r"`[^`]*`", "code", text)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    return re.sub(r"[^.?!:;|]*\?", "", text)


def help_texts(folder):
    """(command, the text it prints) of each help."""
    commands = [["gridcc"], ["gridspan"], *(["gridspan", verb] for verb in VERBS)]
    for command in commands:
        done = subprocess.run([folder / command[0], *command[1:], "--help"], capture_output=True, text=True, check=True)
        yield " ".join([*command, "--help"]), done.stdout


def count(text):
    """(words counted, all words) of a page."""
    return count_plain(prose(text))


def count_plain(text):
    return len(WORDS.findall(text)), len(re.findall(r"[A-Za-z][\w'’-]*", text))


def self_test():
    assert count("What a part reads is told by nobody.") == (3, 8)
    assert count("# What it does\n\nWhat is a part? A [box](what.md) of `whose`.\n\n    what\n") == (0, 4), count
    assert count("One.\n\n```sh\nwhat\n```\n\n| who | Two |\n") == (1, 3)


def main():
    self_test()
    root = pathlib.Path(sys.argv[1])
    named = sys.argv[2:]
    tools = None
    if named[:1] == ["--tools"]:
        tools, named = pathlib.Path(named[1]), named[2:]
    pages = [root / name for name in named] or sorted(
        page for folder in FOLDERS for page in root.glob(f"{folder}/*.md")
    )
    counts = []
    for page in pages:
        name = str(page.relative_to(root))
        if name not in GENERATED:
            counts.append((name, *count(page.read_text(encoding="utf-8"))))
    if tools:
        counts += [(name, *count_plain(text)) for name, text in help_texts(tools)]
    failed = []
    for name, here, length in counts:
        print(f"{1000 * here / max(length, 1):6.1f}  {here:4} of {length:5}  {name}")
        if 1000 * here > MOST_OF_PAGE * max(length, 200):
            failed.append(name)
    found, words = sum(here for _, here, _ in counts), sum(length for _, _, length in counts)
    print(f"{1000 * found / max(words, 1):6.1f}  {found:4} of {words:5}  all")
    for name in failed:
        print(f"{name}: more than {MOST_OF_PAGE} of these words in 1 000")
    sys.exit(bool(failed) or not words or 1000 * found > MOST * words)


if __name__ == "__main__":
    main()
