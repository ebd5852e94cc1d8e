#!/usr/bin/env python3
"""make_jumps.py ARCHIVER ARCHIVE hidden|shown PATTERN LIST...: an archive of functions that jump.

A line of a list is a name, which jumps to gridspan_NAME, or a name and where it jumps to; of a name in
several lists the last one counts, and "-" takes it away. Names that the regular expression PATTERN
does not match are left out. A line that begins with # is a comment.

  hidden   one object for each name, so that a product has those it uses, each for itself. Indirect
           functions: the loader asks them for the target's address, which is then the name's, too,
           so that &cuMemAlloc is what cuGetProcAddress returns
  shown    one object with all of them: a program that has one has all, since libraries may call the
           others. Weak, so that a function of the program's own may have such a name

A jump is one instruction, so objects are written here byte for byte: an assembler would have to be
started a thousand times.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""

import pathlib
import platform
import re
import struct
import subprocess
import sys
import tempfile

# ELF machine; code that jumps to a target, and code that returns its address; relocations of the target's entry
# in the GOT: offset, type, addend.
MACHINES = {
    # jmp *target@GOTPCREL(%rip); mov target@GOTPCREL(%rip), %rax; ret
    "x86_64": (62, ("ff2500000000", [(2, 41, -4)]), ("488b0500000000c3", [(3, 42, -4)])),
    # adrp x16, :got:target; ldr x16, [x16, :got_lo12:target]; br x16; the same with x0 and ret
    "aarch64": (183, ("10000090100240f900021fd6", [(0, 311, 0), (4, 312, 0)]),
                ("00000090000040f9c0035fd6", [(0, 311, 0), (4, 312, 0)])),
}
INDIRECT_FUNCTION, WEAK_FUNCTION, GLOBAL_UNKNOWN = 1 << 4 | 10, 2 << 4 | 2, 1 << 4
DEFAULT, HIDDEN = 0, 2
PROGBITS, SYMTAB, STRTAB, RELA = 1, 2, 3, 4


def string_table(strings):
    """Bytes, and where each string is in them."""
    data, places = b"\0", {"": 0}
    for string in strings:
        places[string] = len(data)
        data += string.encode() + b"\0"
    return data, places


def jump_object(jumps, binding, visibility, machine_name):
    """A relocatable object whose functions jump to their targets."""
    machine, jump, address = MACHINES[machine_name]
    code, relocations = address if binding == INDIRECT_FUNCTION else jump
    code = bytes.fromhex(code)
    space = -len(code) % 8
    strings, places = string_table(dict.fromkeys(name for jump in jumps for name in jump))
    targets = list(dict.fromkeys(target for _, target in jumps))
    first_target = 1 + len(jumps)
    symbols = [(0, 0, 0, 0, 0, 0)]
    entries = []
    for at, (name, target) in enumerate(jumps):
        offset = at * (len(code) + space)
        symbols.append((places[name], binding, visibility, 1, offset, len(code)))
        symbol = first_target + targets.index(target)
        entries += [(offset + place, symbol << 32 | kind, more) for place, kind, more in relocations]
    symbols += [(places[target], GLOBAL_UNKNOWN, 0, 0, 0, 0) for target in targets]
    # name, type, flags, link, info, alignment, entry size, bytes
    sections = [
        ("", 0, 0, 0, 0, 0, 0, b""),
        (".text", PROGBITS, 6, 0, 0, 16, 0, (code + b"\0" * space) * len(jumps)),
        (".rela.text", RELA, 64, 3, 1, 8, 24,
         b"".join(struct.pack("<QQq", *entry) for entry in entries)),
        (".symtab", SYMTAB, 0, 4, 1, 8, 24,
         b"".join(struct.pack("<IBBHQQ", *symbol) for symbol in symbols)),
        (".strtab", STRTAB, 0, 0, 0, 1, 0, strings),
        (".shstrtab", STRTAB, 0, 0, 0, 1, 0, b""),
        (".note.GNU-stack", PROGBITS, 0, 0, 0, 1, 0, b""),
    ]
    section_names, name_places = string_table(section[0] for section in sections[1:])
    body, headers = b"", b""
    for section, kind, flags, link, info, alignment, entry, data in sections:
        data = section_names if section == ".shstrtab" else data
        body += b"\0" * (-len(body) % max(alignment, 1))
        headers += struct.pack("<IIQQQQIIQQ", name_places[section], kind, flags, 0,
                               64 + len(body) if kind else 0, len(data), link, info, alignment, entry)
        body += data
    body += b"\0" * (-len(body) % 8)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 1, machine, 1, 0, 0, 64 + len(body), 0,
                         64, 0, 0, 64, len(sections), 5)
    return header + body + headers


def jumps_of(pattern, lists):
    jumps = {}
    for path in lists:
        for line in path.read_text().splitlines():
            words = line.split()
            if words and not words[0].startswith("#"):
                jumps[words[0]] = words[1] if len(words) > 1 else "gridspan_" + words[0]
    return [(name, target) for name, target in jumps.items()
            if target != "-" and re.match(pattern, name)]


def objects_of(jumps, kind, machine_name):
    """File names and contents."""
    if kind == "shown":
        yield "all", jump_object(jumps, WEAK_FUNCTION, DEFAULT, machine_name)
        return
    for name, target in jumps:
        yield name, jump_object([(name, target)], INDIRECT_FUNCTION, HIDDEN, machine_name)


def main():
    archiver, archive, kind, pattern, *lists = sys.argv[1:]
    jumps = jumps_of(pattern, map(pathlib.Path, lists))
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, contents in objects_of(jumps, kind, platform.machine()):
            path = pathlib.Path(folder, name + ".o")
            path.write_bytes(contents)
            files.append(str(path))
        response = pathlib.Path(folder, "files")
        response.write_text("\n".join(files))
        pathlib.Path(archive).unlink(missing_ok=True)
        subprocess.run([archiver, "rcsD", archive, f"@{response}"], check=True)


if __name__ == "__main__":
    main()
