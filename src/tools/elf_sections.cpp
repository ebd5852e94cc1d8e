// Reading ELF files and archives with libelf.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/elf_sections.h"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace gridspan::tools {
namespace {

struct ElfEnd {
  void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfEnd>;

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY)) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

/// Appends the content of every section called `wanted` of one ELF image.
void collect_from_image(Elf* elf, const std::string& wanted, const std::string& origin,
                        std::vector<SectionContent>& into) {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return;
  Elf_Scn* section = nullptr;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) continue;
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (!name || wanted != name) continue;
    Elf_Data* data = nullptr;
    while ((data = elf_getdata(section, data)))
      if (data->d_buf)
        into.push_back({origin, {static_cast<const char*>(data->d_buf), data->d_size}});
  }
}

void collect_from_archive(int file, Elf* archive, const std::string& wanted,
                          const std::string& path, std::vector<SectionContent>& into) {
  Elf_Cmd command = ELF_C_READ_MMAP;
  while (command != ELF_C_NULL) {
    ElfHandle member(elf_begin(file, command, archive));
    if (!member) return;
    const Elf_Arhdr* header = elf_getarhdr(member.get());
    std::string origin = path;
    origin.append("(").append(header && header->ar_name ? header->ar_name : "?").append(")");
    if (elf_kind(member.get()) == ELF_K_ELF) collect_from_image(member.get(), wanted, origin, into);
    command = elf_next(member.get());
  }
}

}  // namespace

support::Result<std::vector<SectionContent>> read_sections(const std::string& path,
                                                           const std::string& name) {
  FileDescriptor file(path);
  if (file.number() < 0) return support::fail(path + ": " + std::strerror(errno));
  elf_version(EV_CURRENT);
  ElfHandle elf(elf_begin(file.number(), ELF_C_READ_MMAP, nullptr));
  std::vector<SectionContent> found;
  switch (elf ? elf_kind(elf.get()) : ELF_K_NONE) {
    case ELF_K_ELF:
      collect_from_image(elf.get(), name, path, found);
      return found;
    case ELF_K_AR:
      collect_from_archive(file.number(), elf.get(), name, path, found);
      return found;
    default:
      return support::fail(path + ": not an object file, archive, library or program");
  }
}

}  // namespace gridspan::tools
