// The models of launches that follow one another as one model.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All launches have the names of the first one for what they have in common: shapes, arguments of
// equal value, products of these, block and thread indices. An array of the joined model is memory
// that launches see with one shape; its accesses know whose they are. What the proofs about one
// kernel ask of two of its accesses can then be asked of two launches.
#pragma once

#include "fusion/launch.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace gridspan::fusion {

struct Joined {
  model::Kernel kernel;  // arrays: `argument` numbers the memory, equal for other shapes of it
  std::vector<std::vector<unsigned>> launch_of;  // by array and access
  /// What the array is called in the launch's kernel, by array and launch; empty where it has none.
  std::vector<std::map<unsigned, std::string>> names;
  /// Where the array may lie, by array and launch; nothing: in memory of its own.
  std::vector<std::map<unsigned, Launch::Pointees>> pointees;
};

/// `launches`: one or more, with models in one context of isl. Their shapes are taken to be equal,
/// whatever `grid` and `block` say. Assumptions and contexts of all hold. Without what `prove`
/// finds: sets, splits, rung.
Joined join(std::span<const Launch> launches);

}  // namespace gridspan::fusion
