// A kernel's model at one launch: its arrays at their addresses, its footprints in bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/memory/allocation_table.h"
#include "runtime/verify/interval_set.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::runtime::verify {

/// What was launched. `allocations` is all memory the program has, by address.
struct Launch {
  const abi::Kernel* kernel;
  abi::Dim grid, block;
  const void* const* arguments;  // as LaunchContext has them
  void* const* symbols;
  std::vector<Allocation> allocations;

  const Allocation* allocation_of(std::uintptr_t address) const;
};

/// A box of blocks, first and last inclusive.
struct Box {
  abi::Dim first, last;
  std::uint64_t blocks() const;
  bool contains(const abi::Dim& block) const;
};

/// What a part touches through one set.
struct Footprint {
  IntervalSet bytes;
  bool unbounded = false;   // then `bytes` is all the set may reach
  bool everything = false;  // unbounded, and nobody knows where the array ends
  std::string problem;      // what the footprint function did wrong, else empty
};

class BoundModel {
 public:
  explicit BoundModel(const Launch& launch);

  const Launch& launch() const { return launch_; }
  const abi::KernelModel& model() const { return *launch_.kernel->model; }
  const std::int64_t* values() const { return values_.data(); }
  bool holds(std::uint32_t assumption) const { return holds_[assumption]; }

  /// The array's address; 0 where the program passed a null pointer.
  std::uintptr_t base(std::uint32_t array) const { return arrays_[array].base; }
  /// Null if the array's pointer leads into no memory of the program.
  const Allocation* allocation(std::uint32_t array) const { return arrays_[array].allocation; }

  /// The set has no footprint at this launch: never, or because an assumption failed.
  bool is_unbounded(const abi::ModelSet& set) const;
  Footprint footprint(std::uint32_t array, const abi::ModelSet& set, const Box& part) const;

  /// "y[3][17]", or with the byte where the address is in the middle of an element.
  std::string element_text(std::uint32_t array, std::uintptr_t address) const;
  /// The array whose pointer leads nearest below `address` within its allocation.
  std::optional<std::uint32_t> array_at(std::uintptr_t address) const;
  /// "grid (4,1,1) block (256,1,1) arguments (0x7f..., 1000)"
  std::string launch_text() const;

 private:
  struct BoundArray {
    std::uintptr_t base = 0;
    const Allocation* allocation = nullptr;
    std::vector<std::int64_t> inner;  // extents e_1 ...
  };
  BoundArray bind(const abi::ModelArray& array) const;

  const Launch& launch_;
  std::vector<std::int64_t> values_;
  std::vector<bool> holds_;
  std::vector<BoundArray> arrays_;
};

}  // namespace gridspan::runtime::verify
