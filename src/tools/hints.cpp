// Hints: one short sentence for each kind of limitation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/hints.h"

#include "tools/notation.h"

#include <algorithm>

namespace gridspan::tools {
namespace {

using model::Access;
using model::AccessKind;
using model::Array;
using model::Kernel;

/// Whether the access goes to other elements when the block index along the axis changes.
bool follows_axis(const Kernel& kernel, const Access& access, unsigned axis) {
  if (access.relation.is_null()) return false;
  for (const model::Dimension& dimension : kernel.dimensions) {
    const model::Dimension* base = &dimension;
    for (int depth = 0; base->kind == model::Dimension::Kind::product && depth < 8; ++depth) {
      auto found = std::find_if(kernel.dimensions.begin(), kernel.dimensions.end(),
                                [&](const auto& other) { return other.name == base->base; });
      if (found == kernel.dimensions.end()) break;
      base = &*found;
    }
    if (base->kind != model::Dimension::Kind::block || base->axis != axis) continue;
    int at = isl_map_find_dim_by_name(access.relation.get(), isl_dim_in, dimension.name.c_str());
    if (at >= 0 && isl_map_involves_dims(access.relation.get(), isl_dim_in, at, 1)) return true;
  }
  return false;
}

bool is_update(const Access& access) { return access.kind != AccessKind::read; }

std::string quoted(const std::string& name) { return "'" + name + "'"; }

}  // namespace

std::string hint_for(model::Obstacle obstacle) {
  switch (obstacle) {
    case model::Obstacle::loaded_pointer:
      return "pass the pointer as a kernel argument instead of loading it from memory";
    case model::Obstacle::unknown_pointer:
      return "index one array per pointer; do not choose between arrays inside the kernel";
    case model::Obstacle::printf:
      return "remove printf, or put it under #ifdef, for runs on several devices";
    case model::Obstacle::device_malloc:
      return "allocate with cudaMalloc before the launch and pass the pointer";
    case model::Obstacle::grid_barrier:
      return "make two kernels of it, cut at the grid barrier";
    case model::Obstacle::clock:
      return "measure time on the host with cudaEventRecord";
    case model::Obstacle::call:
      return "replace recursion, the indirect call or the launch: a loop, a switch, a launch by "
             "the "
             "host";
    case model::Obstacle::fence:
      return "end the kernel where blocks must see each other's writes, and launch another";
    case model::Obstacle::volatile_access:
      return "if no other block writes this memory during the launch, load it without volatile and "
             "without atomics";
    case model::Obstacle::atomic_result:
      return "do not use the value atomics return, or compute positions with a prefix sum first";
    case model::Obstacle::trap:
      return "compile with -DNDEBUG to leave assertions out";
    case model::Obstacle::assembly:
      return "write inline PTX as CUDA C++";
    case model::Obstacle::too_complex:
      return "split the subscript or condition into simpler ones, or the kernel into two";
    case model::Obstacle::pointer_value:
      return "store or compare indices instead of addresses";
  }
  return "";
}

std::string hint_for(const Access& access, const Array& array) {
  if (access.kind == AccessKind::atomic)
    return "use atomicAdd, Min, Max, And, Or or Xor without their result: such updates are "
           "combined";
  if (access.kind == AccessKind::reduction)
    return "it splits all the same, with a copy of " + quoted(array.name) + " on each device";
  if (access.unbounded && is_update(access))
    return "write " + quoted(array.name) +
           " at subscripts computed from block and thread index, and gather instead of scatter";
  if (access.unbounded)
    return "reading this way is safe; only all of " + quoted(array.name) +
           " must be on every device";
  if (is_update(access))
    return "it splits all the same; a write in both branches would save fetching old contents";
  return "";  // reading too much costs a little, and nothing need be done
}

std::string hint_for_axis(const Kernel& kernel, int axis) {
  std::string block = std::string("blockIdx.") + axis_letters[axis];
  for (const Array& array : kernel.arrays)
    for (const Access& access : array.accesses) {
      if (!is_update(access) || array.space == model::AddressSpace::shared) continue;
      if (access.unbounded) return hint_for(access, array);
      if (access.kind == AccessKind::atomic) return hint_for(access, array);
      if (!follows_axis(kernel, access, static_cast<unsigned>(axis)))
        return "let " + block + " choose which elements of " + quoted(array.name) +
               " a block writes, or combine them with atomicAdd and the like";
    }
  return "give each block along " + std::string(axis_letters[axis]) +
         " elements of its own to write";
}

std::string hint_for_race() { return "write to a second array and swap the two after the launch"; }

}  // namespace gridspan::tools
