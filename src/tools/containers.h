// Reading containers (abi/container.h): checked views over untrusted bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/container.h"
#include "support/result.h"

#include <string_view>
#include <vector>

namespace gridspan::tools {

/// One container inside `bytes` of a section; the views point there.
struct ContainerView {
  struct Entry {
    abi::ContainerKind kind;
    std::uint32_t version;
    std::string_view payload;
  };
  abi::ModuleId id;
  std::vector<Entry> entries;

  /// The payload of the first entry of this kind; empty if there is none.
  std::string_view payload(abi::ContainerKind kind) const;
};

/// All containers of a section, which hold back to back with padding of zeros. Errors name what is
/// wrong with the bytes: cut short, another version, offsets that lead outside.
support::Result<std::vector<ContainerView>> parse_containers(std::string_view bytes);

}  // namespace gridspan::tools
