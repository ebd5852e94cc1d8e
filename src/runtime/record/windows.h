// Which recorded commands follow one another with nothing between that fusing them could show.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gridspan::runtime::record {

/// Something that happened, in the order in which it counts: commands as the queue ran them, calls
/// behind the last command that was put into the queue before they returned.
struct Happening {
  enum class Kind {
    launch,
    inside,   // a copy or fill inside the device
    end,      // whatever ends a window: `reason`
    freed,    // memory at `address` was given back, and the program waits for what is on its way
    retired,  // given back in the order of a stream: nobody waits
    gone,     // ... and the memory [address, address + size) is free now
    came,     // memory [address, address + size) was allocated
  };
  Kind kind;
  std::uint64_t command = 0;  // of launch and inside
  std::uint64_t stream = 0;   // its handle
  std::uint64_t graph = 0;    // the last command of the graph launch it is part of; 0: none
  std::string reason;
  std::uint64_t address = 0, size = 0;
};

struct Window {
  std::vector<std::uint64_t> commands;  // launches, copies and fills
  std::size_t launches = 0;
  std::string end;  // why it ended
  bool is_graph = false;
  std::set<std::uintptr_t> freed;  // bases of memory given back in it or right behind it
};

/// Windows with at least one launch. What is between a graph's commands does not count but for
/// `end`; a graph launch begins a window and ends it.
std::vector<Window> windows_of(std::span<const Happening> happenings);

/// Launches of a window, at most.
inline constexpr std::size_t most_launches_of_window = 64;

}  // namespace gridspan::runtime::record
