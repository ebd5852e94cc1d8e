// `object.f<3>()` of an object whose type is not known yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// Writes the missing `template` before the name that clang points at.
std::optional<Edit> template_keyword(const Complaint& complaint);

/// Of a member template that clang took for a number: `object.f < 3 > (x)`.
std::optional<Edit> template_keyword_of_member(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
