// Sequences of updates that planners make, the same for every kind of map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/region_map.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gridspan::bench {

/// Such as a planner keeps for each box: who has it, who wrote it.
struct State {
  std::uint64_t holders = 0;  // a bit for each device
  std::uint32_t command = 0;
  std::uint32_t writer = 0;
  friend bool operator==(const State&, const State&) = default;
};

/// A write (the box has this state from now on) or a read (the holders are added to those it has).
struct Update {
  runtime::regions::Box box;
  bool is_write = true;
  State state;
};

struct Workload {
  std::string name;
  runtime::regions::View view;
  std::vector<Update> start;
  std::function<Update()> next;
};

/// A grid of counts[0] * counts[1] * ... boxes of size[0] * size[1] * ..., each of its own state; a
/// random one is written.
Workload grid(std::string name, std::vector<std::int64_t> counts, std::vector<std::int64_t> size);

/// Random intervals of bytes, `length` long on average, over and over.
Workload intervals(std::string name, std::int64_t bytes, std::int64_t length);

/// Random rectangles, `length` wide and high on average, over and over: nothing lines up, which is
/// what bands are worst at.
Workload rectangles(std::string name, std::int64_t side, std::int64_t length);

/// Strips of columns, of which the upper and then the lower half is written: a band falls apart and
/// becomes one again.
Workload half_strips(std::string name, std::int64_t strips);

/// A stencil: the array is cut into rows, one part for each owner; an owner writes its part, and
/// reads a row above and one below.
Workload halo_exchange(std::string name, std::int64_t owners);

}  // namespace gridspan::bench

template <>
struct std::hash<gridspan::bench::State> {
  std::size_t operator()(const gridspan::bench::State& state) const {
    using gridspan::runtime::regions::scramble;
    return scramble(state.holders) + state.command * 0x100000001ull + state.writer;
  }
};
