// What launches, copies and fills of a window touch, whole or by blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All steps see a buffer in the same view, so that their boxes can be compared.
#pragma once

#include "abi/model.h"
#include "runtime/memory/allocation_table.h"
#include "runtime/regions/view.h"
#include "runtime/schedule/block_box.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gridspan::runtime::fuse {

enum class Effect : std::uint8_t {
  read,
  may_write,   // some of it, perhaps
  must_write,  // all of it, for sure
  update,      // read and written
};
constexpr bool reads(Effect effect) { return effect == Effect::read || effect == Effect::update; }
constexpr bool writes(Effect effect) { return effect != Effect::read; }

struct Access {
  std::uint32_t buffer;  // index into Steps::buffers
  Effect effect;
  regions::Box box;
  bool is_exact = true;                // the box holds nothing else
  const abi::ModelSet* set = nullptr;  // that it comes from; null: a copy or fill
};

/// A launch; or a copy or fill, which is one block.
struct GroupStep {
  std::string name;  // for a person
  bool is_kernel = true;
  abi::Dim grid{1, 1, 1}, block{1, 1, 1};
  /// Why it is in no group, and why it is in no chain; empty: it may be.
  std::string refusal, chain_refusal;
  bool is_known = true;  // `touch` tells everything
  /// What blocks touch.
  std::function<std::vector<Access>(const BlockBox&)> touch;

  BlockBox whole() const { return {{0, 0, 0}, grid}; }
};

/// A buffer, as the steps call it.
struct StepBuffer {
  Allocation allocation;
  regions::View view;
  std::string name;  // of an array in it; empty: copies and fills alone use it
};

struct Steps {
  std::vector<GroupStep> steps;
  std::vector<StepBuffer> buffers;
};

}  // namespace gridspan::runtime::fuse
