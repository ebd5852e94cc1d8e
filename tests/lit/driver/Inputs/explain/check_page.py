"""check_page.py PAGE.html: the page is well formed, loads nothing, and its pictures say what is so.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import html.parser
import re
import sys

VOID = {"meta", "br", "link", "img"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.kernels, self.pictures, self.rectangles = [], 0, 0, []
        self.caption, self.in_caption = "", False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        for name in ("src", "href"):
            value = attributes.get(name, "#")
            assert value.startswith("#"), f"loads {value}"
        if tag not in VOID:
            self.open.append(tag)
        self.kernels += attributes.get("class") == "card"
        self.pictures += attributes.get("role") == "img"
        if tag == "figcaption":
            self.caption, self.in_caption = "", True
        if tag == "rect" and "fill" in attributes:
            self.rectangles.append([self.caption, attributes, ""])

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"
        self.in_caption = self.in_caption and tag != "figcaption"

    def handle_data(self, data):
        if self.in_caption:
            self.caption += data
        if self.open and self.open[-1] == "title" and self.rectangles:
            self.rectangles[-1][2] = data


text = open(sys.argv[1], encoding="utf-8").read()
assert "url(http" not in text and "@import" not in text and "<script" not in text
page = Page()
page.feed(text)
assert not page.open, page.open
print(f"{page.kernels} kernels, {page.pictures} pictures, well formed, self-contained")

# blur reads its neighbours: at each of three borders between parts one row on either side is shared.
rows = 0
for caption, attributes, title in page.rectangles:
    found = re.match(r"\[(\d+) \.\. (\d+)\]\[0 \.\. 31\]: parts \d, \d reads", title)
    if caption.startswith("in who reads [32][32]") and found:
        assert attributes["fill"].startswith("url(#shared"), attributes
        rows += int(found[2]) - int(found[1]) + 1
print(f"in of blur: 32 x 32, {rows} rows are read by two parts")
