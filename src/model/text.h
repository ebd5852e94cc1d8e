// The stable text form of models: JSON with isl strings (docs/model-format.md).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"
#include "support/result.h"

#include <string_view>

namespace gridspan::model {

/// Version of the JSON schema; a reader refuses others.
inline constexpr int text_version = 3;

/// The models of one object file.
struct Module {
  std::string source;  // file as given to the compiler
  std::vector<Kernel> kernels;
};

std::string to_text(const Module& module);
support::Result<Module> from_text(isl::ctx context, std::string_view text);

}  // namespace gridspan::model
