# packages_read.py against made-up lists of packages.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: packages_test.py SCRIPTS"""
import os
import subprocess
import sys
import tempfile

LISTS = {
    "libc6:amd64": ["/lib/x86_64-linux-gnu/libm.so.6", "/usr/share/doc/libc6/copyright"],
    "libgmock-dev:amd64": ["/usr/include/gmock/gmock.h", "/usr/include/gmock/gmock-more.h"],
    "gdb": ["/usr/bin/gdb"],
    "lld-14": ["/usr/lib/llvm-14/bin/lld"],
    "systemd": ["/usr/share/pkgconfig/systemd.pc"],
    "python3-six": ["/usr/lib/python3/dist-packages/six-1.16.0.egg-info/PKG-INFO",
                    "/usr/lib/python3/dist-packages/six.py"],
    "fonts-dejavu": ["/usr/share/fonts/dejavu.ttf"],
}


def run(scripts, reads, there):
    with tempfile.TemporaryDirectory() as work:
        for package, files in LISTS.items():
            with open(os.path.join(work, package + ".list"), "w", encoding="utf-8") as file:
                file.write("".join(path + "\n" for path in files))
        for name, lines in (("reads", reads), ("there", there)):
            with open(os.path.join(work, name), "w", encoding="utf-8") as file:
                file.write("".join(line + "\n" for line in lines))
        words = [sys.executable, os.path.join(scripts, "packages_read.py"), os.path.join(work, "reads"),
                 os.path.join(work, "there"), work]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


def main():
    scripts = sys.argv[1]
    common = ["/usr/lib/x86_64-linux-gnu/libm.so.6", "/usr/include/gmock/gmock.h"]
    harmless = ["/usr/share/fonts/dejavu.ttf", "/usr/lib/python3/x.pyc", "/usr/bin/link-of-alternatives"]

    code, text = run(scripts, common + harmless, ["libc6", "libgmock-dev"])
    assert code == 0, text

    code, text = run(scripts, common + harmless, ["libc6"])
    assert code == 1 and "libgmock-dev: 1 files" in text and "  /usr/include/gmock/gmock.h\n" in text, text
    assert "fonts" not in text and "libc6" not in text, text

    code, text = run(scripts, common + ["/usr/bin/gdb", "/usr/local/bin/by-hand"], ["libc6", "libgmock-dev"])
    assert code == 3 and "gdb: 1 files" in text and "no package: 1 files" in text, text

    # Other versions of LLVM are looked at in passing.
    code, text = run(scripts, common + ["/usr/lib/llvm-14/bin/lld"], ["libc6", "libgmock-dev"])
    assert code == 0, text

    # Descriptions of packages are read of all that there are; a package's code is another thing.
    described = ["/usr/share/pkgconfig/systemd.pc", *LISTS["python3-six"][:1]]
    code, text = run(scripts, common + described, ["libc6", "libgmock-dev"])
    assert code == 0, text
    code, text = run(scripts, common + described + ["/usr/lib/python3/dist-packages/six.py"], ["libc6", "libgmock-dev"])
    assert code == 3 and "python3-six: 1 files" in text and "systemd" not in text, text

    # A list that is empty shows nothing.
    code, text = run(scripts, [], ["libc6"])
    assert code == 1, text
    print("packages_read.py: 7 of 7 right")


if __name__ == "__main__":
    main()
