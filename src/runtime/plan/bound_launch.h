// A launch put into its kernel's model: numbers, pointers, what holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel made of several launches has no model of its own. Its blocks do what blocks of the same
// index of those launches did, and no block needs what another one of them touches (that was proved
// when it was made), so it touches what they do and may be cut where all of them may.
#pragma once

#include "abi/module.h"
#include "runtime/plan/buffer_table.h"
#include "runtime/schedule/command.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace gridspan::runtime {

/// An array of the model at this launch.
struct BoundArray {
  const abi::ModelArray* array;
  std::uint32_t member;             // of the launches that are one kernel; 0: of the launch itself
  std::int64_t pointer_at;          // in the arguments of what is launched; -1: no argument
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
  /// The command's kernel, or those that it is made of, must have a model.
  BoundLaunch(const KernelCommand& command, BufferTable& buffers);
  BoundLaunch(BoundLaunch&&) noexcept = default;
  BoundLaunch(const BoundLaunch&) = delete;
  BoundLaunch& operator=(const BoundLaunch&) = delete;

  const abi::Dim& grid() const { return shape_.grid; }
  const abi::Dim& block() const { return shape_.block; }
  const std::vector<BoundArray>& arrays() const { return arrays_; }
  /// ModelObstacle bits.
  std::uint32_t obstacles() const;
  /// -1: none.
  std::int32_t suggested_axis() const { return members_.front().model->suggested_axis; }
  /// In blocks: where the grid may be cut along the axis.
  std::uint32_t granularity(unsigned axis) const;
  /// No two blocks of different parts along the axis write one element.
  bool is_injective(unsigned axis) const;
  bool is_made_of_several() const { return members_.size() > 1; }
  /// All assumptions of the model.
  bool holds_all() const;

  /// What the threads of a block execute, at most and roughly; 0: nobody knows.
  double instructions_of_block() const { return instructions_; }

  /// Nothing bounds what the set touches at this launch.
  bool is_unbounded(const BoundArray& bound, const abi::ModelSet& set) const;
  /// Gives `sink` what the blocks touch of the set, which is bounded.
  void touch(const BoundArray& bound, const abi::ModelSet& set, const std::int64_t* blocks,
             abi::BoxSink* sink) const {
    set.footprint(values(bound), blocks, sink);
  }
  /// What the first `blocks` touch of the array, from element zero on and at most; nothing: nobody
  /// knows, or they touch nothing.
  std::optional<regions::Range> touched_bytes(const BoundArray& bound,
                                              const abi::Dim& blocks) const;
  /// Every array is null or memory of ours.
  bool knows_all_memory() const;

 private:
  /// A launch of a kernel that has a model.
  struct Member {
    const abi::KernelModel* model;
    std::vector<std::int64_t> values;
    std::vector<bool> holds;  // by assumption
    std::uint32_t obstacles;  // of the model, and what its blocks rely on
  };

  static Member member_of(const KernelCommand& command);
  const std::int64_t* values(const BoundArray& bound) const {
    return members_[bound.member].values.data();
  }
  void add(const KernelCommand& command);
  void add(const KernelCommand& whole, const MemberLaunch& member);
  const abi::ModelArray& without_writes(const abi::ModelArray& array);
  void bind(BoundArray& bound, const KernelCommand& command, BufferTable& buffers) const;
  void place(BoundArray& bound, VirtualBuffer* buffer) const;
  bool touches(const BoundArray& bound, const VirtualBuffer& buffer, const abi::Dim& blocks) const;
  LaunchShape shape_;
  double instructions_ = 0;
  std::vector<Member> members_;
  std::vector<BoundArray> arrays_;
  // Arrays of which nothing is written any more.
  std::deque<abi::ModelArray> own_arrays_;
  std::deque<std::vector<abi::ModelSet>> own_sets_;
};

}  // namespace gridspan::runtime
