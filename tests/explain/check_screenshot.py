#!/usr/bin/env python3
"""Opens the page of gridspan explain in headless Chromium and looks at the picture.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

    check_screenshot.py GRIDSPAN INPUTS WORK

INPUTS holds models.py, which makes an object with known models. On the screenshot, blur's grid and arrays
must be there in the colours of the four parts, in stripes of the right order, with hatched seams in the
array that is read and none in the one that is written. Screenshots stay in WORK, light.png and dark.png.
"""
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

SKIPPED = 77
BROWSERS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
LIGHT = [(0x44, 0x77, 0xaa), (0xee, 0x9a, 0x3a), (0x3d, 0x9a, 0x6a), (0xaa, 0x6b, 0xb0)]
DARK = [(0x5b, 0x92, 0xc9), (0xe3, 0x9a, 0x45), (0x4f, 0xae, 0x7e), (0xbb, 0x82, 0xc2)]
WIDTH, HEIGHT = 1100, 900


def read_png(path):
    """Rows of (r, g, b) of an 8-bit RGB or RGBA picture."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path
    at, body = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunk = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", chunk[:10])
            channels = {2: 3, 6: 4}[colour]
            assert depth == 8 and not chunk[12], "interlaced or deep"
        if kind == b"IDAT":
            body += chunk
        at += size + 12
    raw, stride = zlib.decompress(body), width * channels
    rows, above = [], bytearray(stride)
    for y in range(height):
        line = unfiltered(raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:][:stride]),
                          above, channels)
        rows.append([tuple(line[x:x + 3]) for x in range(0, stride, channels)])
        above = line
    return rows


def unfiltered(kind, line, above, step):
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + above[i]) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            guess = left + above[i] - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - above[i]), 1, above[i]),
                          (abs(guess - corner), 2, corner))
            line[i] = (line[i] + nearest[2]) & 255
    return line


def screenshot(browser, page, picture, options):
    picture.unlink(missing_ok=True)
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={picture}", *options,
                    page.as_uri()], check=True, timeout=60, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return read_png(picture)


def spans_of(column, colours):
    """[(colour, first y, last y)] of a pixel column, down to where 30 pixels have no part's colour: below
    that lies the legend."""
    first, last, seen = {}, {}, None
    for y, pixel in enumerate(column):
        if pixel in colours:
            first.setdefault(colours.index(pixel), y)
            last[colours.index(pixel)] = seen = y
        elif seen is not None and y > seen + 30:
            break
    return [(colour, first[colour], last[colour]) for colour in first]


def columns_of_stripes(rows, colours):
    """(x, spans) of each pixel column in which all four colours occur."""
    columns = ((x, spans_of([row[x] for row in rows], colours)) for x in range(len(rows[0])))
    return [(x, spans) for x, spans in columns if len(spans) == len(colours)]


def check(rows, colours):
    """Three pictures stand side by side: grid, array read, array written. Parts lie one below the other."""
    pictures, last_x = [], None
    columns = columns_of_stripes(rows, colours)
    assert columns, "no column shows all parts"
    for x, spans in columns:
        if last_x is None or x > last_x + 15:
            pictures.append([])
        pictures[-1].append(spans)
        last_x = x
    assert len(pictures) == 3, f"{len(pictures)} pictures instead of grid, read and written array"
    for picture in pictures:
        for spans in picture:
            order = [colour for colour, _, _ in sorted(spans, key=lambda span: span[1])]
            assert order == [0, 1, 2, 3], f"parts lie in order {order}"
    overlaps = [any(below[1] <= above[2] for spans in picture for above, below in
                    zip(spans, spans[1:])) for picture in pictures]
    assert overlaps == [False, True, False], f"hatched seams: {overlaps}"
    widths = [len(picture) for picture in pictures]
    assert min(widths[1:]) > 150, f"arrays are {widths[1:]} pixels wide"
    return widths


def main():
    gridspan, inputs, work = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print("SKIPPED: no Chromium; install chromium-headless-shell (scripts/setup.sh)")
        sys.exit(SKIPPED)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    shutil.copy(inputs / "kernels.cu", work)
    subprocess.run([sys.executable, "-B", inputs / "models.py"], cwd=work, check=True)
    page = work / "page.html"
    subprocess.run([gridspan, "explain", "models.o", "--kernel", "blur", "--html", page], cwd=work,
                   check=True, stdout=subprocess.DEVNULL)
    for name, colours, options in (("light", LIGHT, []),
                                   ("dark", DARK, ["--blink-settings=preferredColorScheme=0"])):
        widths = check(screenshot(browser, page, work / f"{name}.png", options), colours)
        print(f"{name}: grid, read and written array are there, {widths} pixels wide")


if __name__ == "__main__":
    main()
