// One launch of a kernel with small sizes, to draw pictures of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::tools {

/// A box of blocks, inclusive.
struct SamplePart {
  std::array<long, 3> first{}, last{};
};

struct Sample {
  std::array<long, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::map<std::string, long> values;  // of every parameter of the kernel
  int axis = 0;                        // the parts are cut along it
  std::vector<SamplePart> parts;
};

/// Sizes at which the kernel's assumptions hold, every part writes something, and arrays are small
/// enough to draw. Tries a few dozen launches; nothing if the kernel has no model to speak of.
std::optional<Sample> choose_sample(const model::Kernel& kernel);

/// Which elements a part touches, at most `limit`.
std::vector<std::vector<long>> touched(const model::Kernel& kernel, const model::AccessSet& set,
                                       const Sample& sample, const SamplePart& part,
                                       std::size_t limit);

/// First and last of each subscript the part touches; nothing if it touches none, or no bounds are
/// known. Of loops, the first rounds only.
std::optional<std::vector<std::pair<long, long>>> box_touched(const model::Kernel& kernel,
                                                              const model::AccessSet& set,
                                                              const Sample& sample,
                                                              const SamplePart& part);

/// The value at the sample; nothing if it has none.
std::optional<long> value_at(const isl::pw_aff& value, const Sample& sample);

}  // namespace gridspan::tools
