// Compressed parts of containers (abi/container.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace gridspan::tools {

/// The contents of a zstd frame that says its size, as gridcc writes them. Errors: damaged.
support::Result<std::string> unpack(std::string_view frame);

}  // namespace gridspan::tools
