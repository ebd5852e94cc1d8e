// What limits a kernel, each with its place in the source and what to do about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"
#include "tools/notation.h"

#include <string>
#include <vector>

namespace gridspan::tools {

struct SourceRemark {
  enum class Severity { remark, warning };
  Severity severity = Severity::remark;
  model::SourcePoint where;
  std::string text;
  std::string hint;  // one sentence; empty if there is nothing to do
};

/// In source order, no two the same.
std::vector<SourceRemark> remarks_of(const model::Kernel& kernel, const Notation& notation);

/// The launches with more than one block along the axis that can be split there; null if none.
model::OrNull<isl::set> splittable_launches(const model::Kernel& kernel, int axis);

/// Whether there are any, along the axis or along some axis.
bool can_be_split(const model::Kernel& kernel, int axis);
bool can_be_split(const model::Kernel& kernel);

/// Whether the kernel may use blockIdx along the axis.
bool uses_axis(const model::Kernel& kernel, int axis);

/// Whether some known relation depends on blockIdx, or threadIdx, along the axis.
bool shows_axis(const model::Kernel& kernel, model::Dimension::Kind kind, int axis);

}  // namespace gridspan::tools
