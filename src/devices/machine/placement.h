// Which threads each device gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hardware threads are dealt out like seats, node by node, each node's in ascending order:
//
//   seats         0 1 2 3   4 5 6 7     two nodes of four
//   cpu:2         A A A A   B B B B
//   cpu:3         A A A B   B B C C
//   numa          A A A A   B B B B
//   cpu:2x3+cpu   A A A B   B B C C
//   cpu:1x3+numa  A A A B   C C C C
//
// Served first are devices that say how many threads they want, then one for each node, which get
// what is left there, then those that share the rest evenly. Who finds no seat left has one thread
// on a seat of somebody else. GRIDSPAN_THREADS changes the number of seats: fewer are taken evenly
// from all nodes, more are second ones.
#pragma once

#include "devices/machine/topology.h"
#include "support/options.h"

#include <span>
#include <vector>

namespace gridspan::devices::machine {

/// The threads of one device: the CPU of each, so that a CPU may stand there twice.
struct Place {
  std::vector<unsigned> seats;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The term is one device for each NUMA node, else so many as it says.
inline bool is_each_node(const support::DeviceTerm& term) { return term.word == "numa"; }

/// One place for each device of the terms, in their order. `threads`: GRIDSPAN_THREADS, 0 if unset.
/// cpu and numa terms only.
std::vector<Place> place_devices(std::span<const support::DeviceTerm> terms,
                                 const Topology& topology, unsigned threads);

}  // namespace gridspan::devices::machine
