// Kernels and models made by hand: what a launch touched, and what is claimed about it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   HandModel hand({8, 1, 1}, {4, 1, 1});
//   Memory x = hand.add_memory(32 * 4);
//   hand.add_array("x", x.address, 4, {set(SetKind::read, footprint, abi::set_exact_block)});
//   hand.touch(block, RecordedKind::read, x.address + 12, 4);
//   Findings found = hand.compare();
#pragma once

#include "runtime/verify/comparison.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace gridspan::tests {

using abi::RecordedKind;
using abi::SetKind;
using runtime::verify::DifferenceKind;
using runtime::verify::Findings;

/// A set with everything it points to.
inline abi::ModelSet set(SetKind kind, abi::FootprintFunction footprint, std::uint32_t flags = 0,
                         abi::ReductionOp op = abi::ReductionOp::none) {
  abi::ModelSet made{};
  made.footprint = footprint;
  made.kind = kind;
  made.op = op;
  made.flags = flags;
  made.where = {"model.cu", 1, 1};
  return made;
}

inline constexpr std::uint32_t exact = abi::set_exact_block | abi::set_exact_part;

/// Emits one range of a one-dimensional footprint if it is not empty.
inline void emit(abi::BoxSink* sink, std::int64_t first, std::int64_t last,
                 std::int64_t stride = 1) {
  const std::int64_t box[] = {first, last, stride};
  if (first <= last) sink->take(sink, box);
}

class HandModel {
 public:
  HandModel(abi::Dim grid, abi::Dim block) {
    launch_.kernel = &kernel_;
    launch_.grid = grid;
    launch_.block = block;
    kernel_.name = "hand";
    kernel_.where = {"model.cu", 1, 1};
  }

  /// Memory at an address of its own; nobody reads what is there.
  std::uintptr_t add_memory(std::size_t bytes) {
    const std::uintptr_t base = 0x100000 * (launch_.allocations.size() + 1);
    launch_.allocations.push_back({base, bytes});
    return base;
  }

  /// The next kernel argument, a pointer.
  std::uint32_t add_array(const char* name, std::uintptr_t address, std::uint32_t element_bytes,
                          std::vector<abi::ModelSet> sets) {
    abi::ModelArray array{};
    array.name = name;
    array.argument = static_cast<std::int32_t>(add_argument(address, true));
    array.symbol = -1;
    array.element_bytes = element_bytes;
    array.rank = 1;
    sets_.push_back(std::move(sets));
    array.set_count = static_cast<std::uint32_t>(sets_.back().size());
    array.sets = sets_.back().data();
    arrays_.push_back(array);
    return static_cast<std::uint32_t>(arrays_.size() - 1);
  }
  abi::ModelArray& array(std::uint32_t index) { return arrays_[index]; }

  /// The next kernel argument and scalar of the model, an int.
  void add_scalar(std::int32_t value) {
    scalars_.push_back({add_argument(static_cast<std::uint32_t>(value), false), 0, 4, 0});
  }
  std::uint32_t add_assumption(abi::PredicateFunction holds, const char* text) {
    assumptions_.push_back({holds, text, {"model.cu", 2, 1}});
    return static_cast<std::uint32_t>(assumptions_.size() - 1);
  }
  abi::KernelModel& model() { return model_; }

  /// Block `index` touched `size` bytes.
  void touch(abi::Dim index, RecordedKind kind, std::uintptr_t address, std::size_t size,
             abi::ReductionOp op = abi::ReductionOp::none, std::uint32_t flags = 0) {
    const auto number = index.x + std::uint64_t{launch_.grid.x} *
                                      (index.y + std::uint64_t{launch_.grid.y} * index.z);
    runtime::verify::BlockRecord& record = blocks_[number];
    record.index = index;
    record.number = number;
    for (runtime::verify::SiteRecord& known : record.sites)
      if (known.site->kind == kind && known.site->op == op && known.site->flags == flags)
        return known.touched.add(address, address + size);
    record.sites.push_back({site(kind, op, flags), {}});
    record.sites.back().touched.add(address, address + size);
  }

  /// Block `index` stored `value` there.
  void store(abi::Dim index, std::uintptr_t address, std::size_t size, std::uint64_t value) {
    touch(index, RecordedKind::write, address, size);
    runtime::verify::StoredValues stored;
    stored.add(value, 0, address, size);
    runtime::verify::IntervalSet there;
    there.add(address, address + size);
    there.normalise();
    for (auto& [number, block] : blocks_) {
      if (block.index.x != index.x || block.index.y != index.y || block.index.z != index.z)
        continue;
      for (auto& one : stored.take(there)) block.sites.back().values.push_back(std::move(one));
    }
  }

  /// One place in the code for each kind of access, whatever block gets there.
  const abi::AccessSite* site(RecordedKind kind, abi::ReductionOp op, std::uint32_t flags) {
    for (const abi::AccessSite& known : sites_)
      if (known.kind == kind && known.op == op && known.flags == flags) return &known;
    sites_.push_back({{"kernel.cu", static_cast<std::uint32_t>(kind) + 10, 5}, kind, op, flags, 0});
    return &sites_.back();
  }

  /// Every thread of every block of a one-dimensional launch.
  template <class Body>
  void each_thread(Body body) {
    for (std::uint32_t b = 0; b < launch_.grid.x; ++b)
      for (std::uint32_t t = 0; t < launch_.block.x; ++t) body(abi::Dim{b, 0, 0}, t);
  }

  Findings compare(std::function<bool(std::uint64_t)> is_sampled = [](std::uint64_t) {
    return true;
  }) {
    finish();
    runtime::verify::Recorded recorded;
    recorded.is_sampled = is_sampled;
    for (auto& [number, block] : blocks_) {
      for (auto& site : block.sites) site.touched.normalise();
      if (is_sampled(number)) recorded.blocks.push_back(block);
    }
    return runtime::verify::compare(launch_, recorded, 7);
  }

  const runtime::verify::Launch& launch() {
    finish();
    return launch_;
  }

 private:
  std::uint32_t add_argument(std::uint64_t value, bool is_pointer) {
    values_.push_back(value);
    arguments_.push_back(&values_.back());
    parameters_.push_back({is_pointer ? 8u : 4u, is_pointer ? 8u : 4u, 0, is_pointer});
    return static_cast<std::uint32_t>(arguments_.size() - 1);
  }
  void finish() {
    model_.arrays = arrays_.data();
    model_.array_count = static_cast<std::uint32_t>(arrays_.size());
    model_.scalars = scalars_.data();
    model_.scalar_count = static_cast<std::uint32_t>(scalars_.size());
    model_.assumptions = assumptions_.data();
    model_.assumption_count = static_cast<std::uint32_t>(assumptions_.size());
    kernel_.model = &model_;
    kernel_.parameters = parameters_.data();
    kernel_.parameter_count = static_cast<std::uint32_t>(parameters_.size());
    launch_.arguments = arguments_.data();
  }

  abi::Kernel kernel_{};
  abi::KernelModel model_{};
  runtime::verify::Launch launch_{};
  std::vector<abi::ModelArray> arrays_;
  std::deque<std::vector<abi::ModelSet>> sets_;
  std::vector<abi::ModelScalar> scalars_;
  std::vector<abi::ModelAssumption> assumptions_;
  std::deque<std::uint64_t> values_;
  std::vector<const void*> arguments_;
  std::vector<abi::Parameter> parameters_;
  std::deque<abi::AccessSite> sites_;
  std::map<std::uint64_t, runtime::verify::BlockRecord> blocks_;
};

/// How many differences of `kind` there are.
inline std::size_t count(const Findings& findings, DifferenceKind kind) {
  std::size_t sum = 0;
  for (const auto& difference : findings.differences) sum += difference.kind == kind;
  return sum;
}

/// All differences as text, for messages of failing tests.
inline std::string texts(const Findings& findings) {
  std::string all;
  for (const auto& difference : findings.differences)
    all += difference.array + ": " + difference.text + "\n";
  return all;
}

}  // namespace gridspan::tests
