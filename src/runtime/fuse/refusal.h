// Why a launch keeps its place among others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/plan/bound_launch.h"

#include <optional>
#include <string>

namespace gridspan::runtime::fuse {

/// Whatever its arguments are: its blocks may not be mixed with those of other launches. Fast.
bool keeps_apart(const abi::Kernel& kernel);

/// Why.
std::string reason_apart(const abi::Kernel& kernel);

/// " (app.cu:4)", of two kernels " (app.cu:4, app.cu:9)"; empty where nobody knows.
std::string at_line(const abi::Kernel& kernel);
std::string at_lines(const abi::Kernel& one, const abi::Kernel& other);

/// The reason for that, or one that holds at this launch; nothing: its blocks may be mixed with
/// those of launches before and after it, as far as their boxes allow.
std::optional<std::string> refusal_of(const abi::Kernel& kernel, const BoundLaunch& launch);

/// The same for groups in which blocks of one launch keep their order: updates whose order shows
/// are no reason.
std::optional<std::string> refusal_in_order(const abi::Kernel& kernel, const BoundLaunch& launch);

}  // namespace gridspan::runtime::fuse
