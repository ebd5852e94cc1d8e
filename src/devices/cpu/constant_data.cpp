// Asks the loader where a program's or library's read-only memory is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/constant_data.h"

#include <link.h>

namespace gridspan::devices::cpu {
namespace {

struct Question {
  std::uintptr_t kernel, address;
  AddressRange answer;
};

bool holds(const dl_phdr_info& image, const ElfW(Phdr) & segment, std::uintptr_t address) {
  return address - (image.dlpi_addr + segment.p_vaddr) < segment.p_memsz;
}

int look_at(dl_phdr_info* image, std::size_t, void* data) {
  auto& question = *static_cast<Question*>(data);
  bool has_kernel = false;
  AddressRange constant;
  for (int i = 0; i < image->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = image->dlpi_phdr[i];
    const bool is_loaded = segment.p_type == PT_LOAD;
    const bool is_read_only =
        (is_loaded && (segment.p_flags & PF_W) == 0) || segment.p_type == PT_GNU_RELRO;
    has_kernel |= is_loaded && holds(*image, segment, question.kernel);
    if (is_read_only && holds(*image, segment, question.address))
      constant = {image->dlpi_addr + segment.p_vaddr, segment.p_memsz};
  }
  if (!has_kernel) return 0;
  question.answer = constant;
  return 1;
}

}  // namespace

AddressRange constant_data(const abi::Kernel& kernel, std::uintptr_t address) {
  Question question{reinterpret_cast<std::uintptr_t>(&kernel), address, {}};
  dl_iterate_phdr(look_at, &question);
  return question.answer;
}

}  // namespace gridspan::devices::cpu
