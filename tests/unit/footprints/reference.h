// What a footprint should be, by enumeration, and what a compiled one is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "hand_kernel.h"

#include "abi/model.h"

#include <cstdint>
#include <set>
#include <vector>

namespace gridspan::tests {

using Element = std::vector<std::int64_t>;

/// The points of `set` where its parameters have these values; enumerated by isl.
std::set<Element> points(const isl::set& set, const std::map<std::string, std::int64_t>& names);

/// The pieces of the set; native loops are run over every counter up to `last`.
std::set<Element> expected_elements(const model::Kernel& kernel, const model::AccessSet& set,
                                    const Launch& launch);

struct Boxes {
  std::vector<std::vector<std::int64_t>> boxes;
  std::multiset<Element> elements() const;
  std::size_t rank = 0;
};

/// Calls a compiled footprint.
Boxes compiled_boxes(const abi::ModelSet& set, std::size_t rank, const Launch& launch);

/// The compiled set 0 of array 0 against the model: every element once, or for inexact sets all
/// elements. Adds a failure with the launch otherwise. Returns the number of boxes.
std::size_t check_set(const model::Kernel& kernel, const abi::KernelModel& compiled,
                      const Launch& launch);

}  // namespace gridspan::tests
