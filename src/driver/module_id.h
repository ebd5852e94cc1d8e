// Module identity: how host object and device object find each other in the running program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "support/result.h"

#include <span>
#include <string>
#include <string_view>

namespace gridspan::driver {

/// The same for the same texts in the same order, on every machine; else different (128-bit hash).
abi::ModuleId make_module_id(std::span<const std::string> texts);

/// 32 hexadecimal digits, and back.
std::string to_text(abi::ModuleId id);
support::Result<abi::ModuleId> parse_module_id(std::string_view text);

/// The bytes clang embeds into the host object (abi::ModuleReference).
std::string module_reference_bytes(abi::ModuleId id);

}  // namespace gridspan::driver
