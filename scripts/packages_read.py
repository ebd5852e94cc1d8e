# Whether every file that build and tests read is in a package that scripts/setup.sh installs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: packages_read.py READS PACKAGES [DPKG_INFO]

READS lists files below /usr, one a line (scripts/without_sdk.sh --reads). PACKAGES lists the packages of a machine that
has what setup.sh installs and nothing else. A file that another package brought to this machine is named, with the
package: either setup.sh lacks it, or build and tests should do without. DPKG_INFO is where dpkg keeps its lists of files.

Exits with 1 if a header is missing: no program reads one in passing. Other files may be read by something else that runs on
this machine, or by a program that does as well without (then they belong into the table below): exits with 3.
"""
import glob
import os
import re
import sys

# Read where they are there, by programs that do as well without: fonts and icons of a browser, translations.
AS_WELL_WITHOUT = ("/usr/share/fonts/", "/usr/share/icons/", "/usr/share/locale/", "/usr/share/mime/",
                   "/usr/share/fontconfig/", "/usr/share/X11/", "/usr/share/zoneinfo/", "/usr/local/share/",
                   # Meson asks Debian for its names of architectures, CMake and ld look at whatever linkers there are.
                   "/usr/bin/dpkg-architecture", "/usr/share/perl5/", "/usr/lib/x86_64-linux-gnu/perl5/",
                   "/usr/lib/bfd-plugins/", "/usr/lib/x86_64-linux-gnu/libwayland-",
                   # Debug information of libraries: sanitizers and profilers name lines with it.
                   "/usr/lib/debug/",
                   # Benchmarks have a form for OpenCL where CMake finds one; it asks the headers for their version.
                   "/usr/include/CL/", "/usr/lib/x86_64-linux-gnu/libOpenCL.so",
                   # And they compare with TBB where it is there.
                   "/usr/include/tbb/", "/usr/include/oneapi/", "/usr/lib/x86_64-linux-gnu/libtbb",
                   "/usr/lib/x86_64-linux-gnu/cmake/TBB/")
OTHER_LLVM = re.compile(r"/usr/lib/(llvm-(?!19/)|x86_64-linux-gnu/libLLVM-(?!19))")
SOMETHING_ELSE = 3
# pkg-config and Python's package tools read these of every package that there is, whatever they look for.
METADATA = re.compile(r"\.pc$|\.(egg|dist)-info(/|$)")
# Written by packages' own scripts, or by programs that run.
WRITTEN_LATER = (".pyc", ".pth", "gconv-modules.cache", "locale-archive", "mime.cache", "icon-theme.cache")


def owners(folder):
    """The package of each file, by the paths that dpkg knows: /bin and /lib may stand for /usr/bin and /usr/lib."""
    packages = {}
    for name in glob.glob(os.path.join(folder, "*.list")):
        package = os.path.basename(name)[:-len(".list")].split(":")[0]
        with open(name, encoding="utf-8", errors="surrogateescape") as file:
            for line in file:
                packages.setdefault(line.rstrip("\n"), package)
    return packages


def is_of_no_interest(path):
    return (path.startswith(AS_WELL_WITHOUT) or path.endswith(WRITTEN_LATER)
            or OTHER_LLVM.match(path) or METADATA.search(path))


def uncovered(paths, packages, there):
    """Files by the package that brought them, if that is not there; those of no package under None."""
    found = {}
    for path in paths:
        if is_of_no_interest(path):
            continue
        package = packages.get(path) or packages.get(path.removeprefix("/usr"))
        # What no package brought is of no interest unless someone put it there by hand: the rest are links that
        # update-alternatives made, and their targets are read, too.
        if package in there or package is None and not path.startswith("/usr/local/"):
            continue
        found.setdefault(package, []).append(path)
    return found


def main():
    reads, there, *folder = sys.argv[1:]
    with open(reads, encoding="utf-8", errors="surrogateescape") as file:
        paths = sorted(file.read().splitlines())
    with open(there, encoding="utf-8") as file:
        there = set(file.read().split())
    found = uncovered(paths, owners(folder[0] if folder else "/var/lib/dpkg/info"), there)
    for package, files in sorted(found.items(), key=lambda item: item[0] or ""):
        print(f"{package or 'no package'}: {len(files)} files were read that scripts/setup.sh does not bring:")
        print("".join(f"  {path}\n" for path in files[:5]), end="")
    print(f"{len(paths)} files of /usr were read, {len(found)} packages are missing in scripts/setup.sh")
    if not paths or any("/include/" in path for files in found.values() for path in files):
        return 1
    return SOMETHING_ELSE if found else 0


if __name__ == "__main__":
    sys.exit(main())
