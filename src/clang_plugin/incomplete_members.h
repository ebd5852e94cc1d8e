// Members of classes that are complete only further down, in templates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// `packet->length`, `packets[1]`: like nvcc, looks into the class only when the template is
/// instantiated. Other names that stand for nothing yet remain errors, for nvcc, too.
std::optional<Edit> later_lookup(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
