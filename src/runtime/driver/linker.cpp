// Inputs written to files, gridcc over them, the product read back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/linker.h"

#include "abi/services.h"
#include "support/find_gridcc.h"
#include "support/module_text.h"
#include "support/run_child.h"
#include "support/scratch_folder.h"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace gridspan::runtime::driver {
namespace {

constexpr std::string_view archive_magic = "!<arch>\n";
constexpr std::string_view fat_binary_magic = "\x50\xed\x55\xba";

ImageKind kind_of_elf(std::string_view start) {
  Elf64_Ehdr header;
  if (start.size() < sizeof header) return ImageKind::unknown;
  std::memcpy(&header, start.data(), sizeof header);
  constexpr unsigned nvidia = 190;
  if (header.e_machine == nvidia) return ImageKind::gpu_code;
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return ImageKind::unknown;
  if (header.e_type == ET_DYN) return ImageKind::module;
  return header.e_type == ET_REL ? ImageKind::object : ImageKind::unknown;
}

bool is_linkable(ImageKind kind) {
  return kind == ImageKind::module || kind == ImageKind::object || kind == ImageKind::archive;
}

support::Result<std::string> run_gridcc(const std::vector<CUlinkState_st::Input>& inputs) {
  auto gridcc = support::find_gridcc(reinterpret_cast<const void*>(&gridspan_device_trap));
  if (!gridcc) return support::fail(gridcc.error());
  auto folder = support::ScratchFolder::make();
  if (!folder) return support::fail(folder.error());
  std::vector<std::string> command = {*gridcc, "-cubin", "-o", folder->path("linked")};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string folder_of_input = std::to_string(i);
    const std::string name = inputs[i].name.substr(inputs[i].name.rfind('/') + 1) + ".o";
    if (auto written = folder->write(folder_of_input, name, inputs[i].bytes); !written)
      return support::fail(written.error());
    command.push_back(folder->path(folder_of_input + "/" + name));
  }
  auto good = support::run_child(command, folder->path("said.txt"));
  if (!good) return support::fail(good.error());
  std::string image = *good ? support::read_file(folder->path("linked")) : std::string();
  if (image.empty()) return support::fail(support::read_file(folder->path("said.txt")));
  return image;
}

}  // namespace

void read_options(CUlinkState_st& link, unsigned count, const CUjit_option* options,
                  void** values) {
  for (unsigned i = 0; i < count; ++i) {
    // Small numbers stand in the value itself, which for sizes is written to as well.
    std::uint32_t number = 0;
    std::memcpy(&number, &values[i], sizeof number);
    auto* used = reinterpret_cast<std::size_t*>(&values[i]);
    switch (options[i]) {
      case CU_JIT_INFO_LOG_BUFFER:
        link.information.buffer = static_cast<char*>(values[i]);
        break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        link.information.size = number;
        link.information.used = used;
        break;
      case CU_JIT_ERROR_LOG_BUFFER:
        link.errors.buffer = static_cast<char*>(values[i]);
        break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        link.errors.size = number;
        link.errors.used = used;
        break;
      default:
        break;
    }
  }
}

void write_log(const CUlinkState_st::Log& log, const std::string& text) {
  if (!log.buffer || log.size == 0) return;
  const std::size_t length = std::min(text.size(), log.size - 1);
  std::memcpy(log.buffer, text.data(), length);
  log.buffer[length] = '\0';
  if (log.used) *log.used = length;
}

ImageKind kind_of(std::string_view start) {
  if (support::is_module_text(start)) return ImageKind::text;
  if (start.starts_with(archive_magic)) return ImageKind::archive;
  if (start.starts_with(fat_binary_magic)) return ImageKind::gpu_code;
  if (start.starts_with(ELFMAG)) return kind_of_elf(start);
  if (start.find(".version") != std::string_view::npos) return ImageKind::ptx;
  return ImageKind::unknown;
}

const char* describe(ImageKind kind) {
  switch (kind) {
    case ImageKind::module:
      return "a module";
    case ImageKind::object:
      return "an object";
    case ImageKind::archive:
      return "an archive";
    case ImageKind::text:
      return "a module as text";
    case ImageKind::ptx:
      return "PTX";
    case ImageKind::gpu_code:
      return "code of NVIDIA GPUs";
    case ImageKind::unknown:
      break;
  }
  return "not a module";
}

CUresult add_input(CUlinkState_st& link, std::string bytes, const char* name, std::string& why) {
  ImageKind kind = kind_of(bytes);
  if (kind == ImageKind::text) {
    auto held = support::from_module_text(bytes.c_str());
    if (!held) {
      why = held.error().message;
      return CUDA_ERROR_INVALID_IMAGE;
    }
    bytes = std::move(*held);
    kind = kind_of(bytes);
  }
  if (!is_linkable(kind)) {
    why = std::string(name) + " is " + describe(kind) +
          "; modules are made with gridcc -fatbin, -cubin or -ptx";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  // An archive without members, as libcudadevrt.a is here, adds nothing.
  if (kind == ImageKind::archive && bytes.size() == archive_magic.size()) return CUDA_SUCCESS;
  link.inputs.push_back({std::move(bytes), name});
  return CUDA_SUCCESS;
}

CUresult complete(CUlinkState_st& link, std::string& why) {
  if (link.inputs.empty()) {
    why = "there is nothing to link";
    return CUDA_ERROR_INVALID_IMAGE;
  }
  if (link.inputs.size() == 1 && kind_of(link.inputs[0].bytes) == ImageKind::module) {
    link.image = link.inputs[0].bytes;
    return CUDA_SUCCESS;
  }
  auto linked = run_gridcc(link.inputs);
  if (!linked) {
    why = linked.error().message;
    return CUDA_ERROR_INVALID_IMAGE;
  }
  link.image = std::move(*linked);
  return CUDA_SUCCESS;
}

}  // namespace gridspan::runtime::driver
