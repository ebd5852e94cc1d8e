// A launch put into its kernel's model: numbers, pointers, what holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/plan/buffer_table.h"
#include "runtime/schedule/command.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gridspan::runtime {

/// An array of the model at this launch.
struct BoundArray {
  const abi::ModelArray* array;
  VirtualBuffer* buffer;            // null: a null pointer, or one into memory we did not give out
  std::uintptr_t address;           // of element zero, which may lie outside of the buffer
  std::int64_t offset;              // of element zero, from the buffer's start
  std::vector<std::int64_t> inner;  // extents e_1 .. e_{rank-1}
  regions::View view;               // of the buffer, if there is one, in the array's rows

  regions::ArrayShape shape() const { return {offset, array->element_bytes, inner}; }
  /// Bytes of a strided box (abi/model.h), from element zero on: from the first to the last.
  /// Nothing if the box is empty, or if numbers of 62 bits do not hold it.
  std::optional<regions::Range> bytes_of(const std::int64_t* box) const;
};

class BoundLaunch {
 public:
  /// The command's kernel must have a model.
  BoundLaunch(const KernelCommand& command, BufferTable& buffers);

  const abi::KernelModel& model() const { return model_; }
  const std::int64_t* values() const { return values_.data(); }
  const std::vector<BoundArray>& arrays() const { return arrays_; }

  /// What the threads of a block execute, at most and roughly; 0: nobody knows.
  double instructions_of_block() const { return instructions_; }

  /// Nothing bounds what the set touches at this launch.
  bool is_unbounded(const abi::ModelSet& set) const;
  /// What the first `blocks` touch of the array, from element zero on and at most; nothing: nobody
  /// knows, or they touch nothing.
  std::optional<regions::Range> touched_bytes(const BoundArray& bound,
                                              const abi::Dim& blocks) const;
  /// Every array is null or memory of ours.
  bool knows_all_memory() const;

 private:
  BoundArray bind(const abi::ModelArray& array, const KernelCommand& command,
                  BufferTable& buffers) const;
  void place(BoundArray& bound, VirtualBuffer* buffer) const;
  bool touches(const BoundArray& bound, const VirtualBuffer& buffer, const abi::Dim& blocks) const;
  const abi::KernelModel& model_;
  double instructions_ = 0;
  std::vector<std::int64_t> values_;
  std::vector<bool> holds_;  // by assumption
  std::vector<BoundArray> arrays_;
};

}  // namespace gridspan::runtime
