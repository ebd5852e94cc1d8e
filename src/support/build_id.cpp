// Read from the notes of loaded files (ELF gABI; NT_GNU_BUILD_ID).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/build_id.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace gridspan::support {
namespace {

struct Search {
  std::uintptr_t address;
  std::string found;
};

std::string id_in(const char* notes, std::size_t size) {
  constexpr auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    const char* const name = notes + sizeof note;
    const char* const id = name + padded(note.n_namesz);
    const std::size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (whole > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string text;
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        char digits[3];
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(id[i]));
        text += digits;
      }
      return text;
    }
    notes += whole;
    size -= whole;
  }
  return {};
}

int look(dl_phdr_info* file, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const auto place = [&](const ElfW(Phdr) & part) { return file->dlpi_addr + part.p_vaddr; };
  bool is_it = false;
  for (int i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    is_it |= part.p_type == PT_LOAD && search.address - place(part) < part.p_memsz;
  }
  if (!is_it) return 0;
  for (int i = 0; i < file->dlpi_phnum && search.found.empty(); ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    if (part.p_type == PT_NOTE)
      search.found = id_in(reinterpret_cast<const char*>(place(part)), part.p_memsz);
  }
  return 1;
}

}  // namespace

std::string build_id(const void* address) {
  Search search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(look, &search);
  return search.found;
}

}  // namespace gridspan::support
