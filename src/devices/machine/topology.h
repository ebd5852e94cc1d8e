// Which hardware threads and memories this machine has, and which of them this process may use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridspan::devices::machine {

struct NumaNode {
  int id = -1;                      // as Linux counts; -1: not known
  std::vector<unsigned> cpus = {};  // usable hardware threads, ascending, at least one
  std::uint64_t memory_bytes = 0;   // 0: not known
  friend bool operator==(const NumaNode&, const NumaNode&) = default;
};

/// Nodes with a usable hardware thread, in the order of their numbers. Each usable thread is in
/// exactly one node. Memory of nodes without usable threads (CXL, HBM, a cpuset) is in none.
struct Topology {
  std::vector<NumaNode> nodes;
  std::size_t cpu_count() const;
};

/// Hardware threads this process may run on (affinity and cpuset), ascending; at least one.
std::vector<unsigned> usable_cpus();

/// From `root`/devices/system/{cpu,node} (root: "/sys"). Usable threads that no node names make a
/// node of their own, so that without such a directory there is one node.
Topology read_topology(const std::string& root, std::span<const unsigned> usable);

/// "0-3,8,10-11" -> 0 1 2 3 8 10 11, ascending, without repeats. What can't be read ends the list.
std::vector<unsigned> parse_cpu_list(const std::string& text);

/// The other way, as short as possible.
std::string cpu_list_text(std::span<const unsigned> cpus);

}  // namespace gridspan::devices::machine
