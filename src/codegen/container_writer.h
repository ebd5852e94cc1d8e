// Packs the container of one object (abi/container.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/container.h"

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gridspan::codegen {

struct ContainerPart {
  abi::ContainerKind kind;
  std::string bytes;
  std::uint32_t version = 1;
};

/// Header, entries and 8-byte aligned payloads; the total is a multiple of 16 bytes.
std::string write_container(abi::ModuleId id, const std::vector<ContainerPart>& parts);

/// zstd (level 3) of `bytes`; the frame carries the size.
std::string compress(llvm::StringRef bytes);

}  // namespace gridspan::codegen
