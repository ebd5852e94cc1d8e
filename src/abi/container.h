// The container: everything later stages need, carried by the object in section `.gridspan`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   ContainerHeader | entry_count x ContainerEntry | payloads, each 8-byte aligned
//
// A linked program holds one container per object, back to back in its `.gridspan` section, each
// starting at a multiple of 16 with its magic; `total_size` leads to the next one.
#pragma once

#include "abi/module.h"

#include <cstdint>

namespace gridspan::abi {

enum class ContainerKind : std::uint32_t {
  bitcode = 1,    // canonical nvptx64 LLVM bitcode, zstd-compressed
  facts = 2,      // JSON, UTF-8: per kernel what the compiler understood (gridspan explain)
  model = 3,      // kernel model (JSON with isl strings)
  ptx = 4,        // zstd-compressed text that ends with a zero; `version` is the architecture it is
                  // for, 70 for sm_70 and later. Several, ascending
  options = 5,    // JSON: source file, compile options
  sequences = 6,  // text: how launches follow one another (support/launch_sequences.h). Only where
                  // there are some
  fused = 7,      // text: a line for each kernel made of several that the object carries
                  // (support/fused_launches.h). Only where there are some
  machine_code = 8,  // zstd-compressed ELF, as ptxas writes it of the PTX; `version` is the
                     // architecture: 80 for sm_80, which runs on 8.x from there on
};

struct ContainerEntry {
  ContainerKind kind;
  std::uint32_t version;
  std::uint64_t offset;  // from the start of the header
  std::uint64_t size;    // bytes stored
};

struct ContainerHeader {
  char magic[8];  // "GRIDSPC\0"
  std::uint32_t version;
  std::uint32_t entry_count;
  std::uint64_t total_size;  // header, entries and payloads, multiple of 16
  ModuleId id;
};

}  // namespace gridspan::abi
