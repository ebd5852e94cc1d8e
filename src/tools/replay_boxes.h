// Plans, boxes and copies of a recording as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::tools {

inline std::string number(std::uint64_t value) { return std::to_string(value); }
/// "0x7f.."
std::string hexadecimal(std::uint64_t value);
/// "(128, 1, 1)"
std::string extents(const runtime::record::Extents& value);

/// "[0..15][32..63]", the innermost range in bytes; of many boxes the first few.
std::string boxes_text(const std::vector<runtime::record::BoxNote>& boxes);

/// "exact, 3 parts along y".
std::string plan_summary(const runtime::record::PlanNote& plan);

/// Each part with what it reads and writes, in lines.
std::string plan_text(const runtime::record::PlanNote& plan);

/// "copy 512 bytes of 0x7f.. from device 0 to 1: [0..511]".
std::string step_text(const runtime::record::StepNote& step);

}  // namespace gridspan::tools
