// Obstacles of kernels and launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/refusal.h"

#include "support/readable_name.h"

#include <array>
#include <string_view>

namespace gridspan::runtime::fuse {

namespace {

struct Obstacle {
  std::uint32_t bits;
  std::string_view text;
};

/// What someone else could see of the order of blocks, or what blocks wait for.
constexpr std::array obstacles = {
    Obstacle{abi::hides_memory, "reaches memory that its model does not describe"},
    Obstacle{abi::obstacle_pointer_value, "stores or compares addresses"},
    Obstacle{abi::obstacle_printf, "prints"},
    Obstacle{abi::obstacle_grid_barrier, "has grid barriers"},
    Obstacle{abi::obstacle_clock, "reads a clock"},
    Obstacle{abi::obstacle_fence, "has memory fences"},
    Obstacle{abi::obstacle_volatile, "accesses memory that is volatile or waited for"},
    Obstacle{abi::obstacle_atomic_result, "uses the result of an atomic operation"},
    Obstacle{abi::obstacle_trap, "may trap or fail an assertion"},
};
constexpr std::uint32_t other_flags = abi::kernel_needs_fibers | abi::kernel_waits_in_loops |
                                      abi::kernel_has_grid_sync | abi::kernel_launches |
                                      abi::kernel_waits_for_children | abi::kernel_hands_on;

constexpr std::uint32_t all_obstacles() {
  std::uint32_t bits = 0;
  for (const Obstacle& one : obstacles) bits |= one.bits;
  return bits;
}

std::string line_of(const abi::SourcePoint& where) {
  return std::string(where.file) + ":" + std::to_string(where.line);
}

std::string place_of(const abi::SourcePoint& where) {
  return where.file ? " (" + line_of(where) + ")" : "";
}

std::string about(const abi::Kernel& kernel, std::string_view what, const abi::SourcePoint& where) {
  return "kernel '" + support::readable_name(kernel.name) + "' " + std::string(what) +
         place_of(where);
}

/// The order of its updates shows in the result.
bool is_ordered(const abi::ModelSet& set) {
  return set.kind == abi::SetKind::atomic ||
         (set.kind == abi::SetKind::reduction && set.op == abi::ReductionOp::float_add);
}

}  // namespace

bool keeps_apart(const abi::Kernel& kernel) {
  return !kernel.model || (kernel.model->obstacles & all_obstacles()) != 0 ||
         (kernel.flags & other_flags) != 0;
}

std::string reason_apart(const abi::Kernel& kernel) {
  if (!kernel.model) return about(kernel, "has no model", kernel.where);
  for (const Obstacle& one : obstacles)
    if ((kernel.model->obstacles & one.bits) != 0) return about(kernel, one.text, kernel.where);
  return about(kernel, "runs on fibers, launches kernels, or its blocks need each other",
               kernel.where);
}

std::string at_line(const abi::Kernel& kernel) { return place_of(kernel.where); }

std::string at_lines(const abi::Kernel& one, const abi::Kernel& other) {
  if (!one.where.file || !other.where.file) return "";
  return " (" + line_of(one.where) + ", " + line_of(other.where) + ")";
}

std::optional<std::string> refusal_in_order(const abi::Kernel& kernel, const BoundLaunch& launch) {
  if (keeps_apart(kernel)) return reason_apart(kernel);
  for (const BoundArray& bound : launch.arrays()) {
    if (!bound.buffer && bound.address != 0)
      return about(kernel, "gets memory that is not the device's", kernel.where);
    if (bound.buffer && is_host_kind(bound.buffer->allocation.kind))
      return about(kernel, "gets memory that the host may look at meanwhile", kernel.where);
  }
  return std::nullopt;
}

std::optional<std::string> refusal_of(const abi::Kernel& kernel, const BoundLaunch& launch) {
  if (auto refusal = refusal_in_order(kernel, launch)) return refusal;
  for (const BoundArray& bound : launch.arrays()) {
    for (std::uint32_t i = 0; i < bound.array->set_count; ++i) {
      const abi::ModelSet& set = bound.array->sets[i];
      if (is_ordered(set)) return about(kernel, "has atomic updates whose order shows", set.where);
    }
  }
  return std::nullopt;
}

}  // namespace gridspan::runtime::fuse
