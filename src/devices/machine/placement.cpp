// Which threads each device gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/placement.h"

#include <algorithm>
#include <utility>

namespace gridspan::devices::machine {
namespace {

using support::DeviceTerm;

/// A thread of the machine, or of what GRIDSPAN_THREADS makes of it.
struct Seat {
  unsigned cpu;
  std::size_t node;  // in Topology::nodes
  bool is_taken = false;
};

/// What one device asks for: a number of seats, or to share those of one node or of all.
struct Wish {
  static constexpr std::size_t any_node = ~std::size_t{0};
  unsigned threads = 0;  // 0: share
  std::size_t node = any_node;
};

/// One seat for each hardware thread, or `threads` of them dealt to all nodes in turn.
std::vector<Seat> make_seats(const Topology& topology, unsigned threads) {
  std::vector<Seat> in_turn;
  for (std::size_t rank = 0; in_turn.size() < topology.cpu_count(); ++rank) {
    for (std::size_t node = 0; node < topology.nodes.size(); ++node) {
      const auto& cpus = topology.nodes[node].cpus;
      if (rank < cpus.size()) in_turn.push_back({cpus[rank], node});
    }
  }
  const std::size_t count = threads != 0 ? threads : in_turn.size();
  std::vector<Seat> seats;
  for (std::size_t i = 0; i < count; ++i) seats.push_back(in_turn[i % in_turn.size()]);
  std::sort(seats.begin(), seats.end(), [](const Seat& a, const Seat& b) {
    return std::pair(a.node, a.cpu) < std::pair(b.node, b.cpu);
  });
  return seats;
}

std::vector<Wish> make_wishes(std::span<const DeviceTerm> terms, const Topology& topology) {
  std::vector<Wish> wishes;
  for (const DeviceTerm& term : terms) {
    if (is_each_node(term)) {
      for (std::size_t node = 0; node < topology.nodes.size(); ++node) wishes.push_back({0, node});
    } else {
      wishes.insert(wishes.end(), term.count, Wish{term.threads_each});
    }
  }
  return wishes;
}

class Dealer {
 public:
  Dealer(std::vector<Seat> seats, std::vector<Wish> wishes, const Topology& topology)
      : seats_(std::move(seats)),
        wishes_(std::move(wishes)),
        topology_(topology),
        places_(wishes_.size()) {}

  std::vector<Place> deal() {
    deal_numbers();
    for (std::size_t node = 0; node < topology_.nodes.size(); ++node) share(node);
    share(Wish::any_node);
    return std::move(places_);
  }

 private:
  /// Devices that want a certain number: in order, and round again when all seats are taken.
  void deal_numbers() {
    std::size_t next = 0;
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      for (unsigned n = 0; n < wishes_[i].threads; ++n, ++next) {
        Seat& seat = seats_[next % seats_.size()];
        seat.is_taken = true;
        places_[i].seats.push_back(seat.cpu);
      }
    }
  }

  /// What is free on `node` goes evenly to those who want to share it.
  void share(std::size_t node) {
    std::vector<std::size_t> sharers;
    for (std::size_t i = 0; i < wishes_.size(); ++i) {
      if (wishes_[i].threads == 0 && wishes_[i].node == node) sharers.push_back(i);
    }
    std::vector<Seat*> free;
    std::vector<unsigned> all;
    for (Seat& seat : seats_) {
      if (node != Wish::any_node && seat.node != node) continue;
      all.push_back(seat.cpu);
      if (!seat.is_taken) free.push_back(&seat);
    }
    if (all.empty()) all.push_back(topology_.nodes[node].cpus.front());  // GRIDSPAN_THREADS is low
    std::size_t next = 0;
    for (std::size_t s = 0; s < sharers.size(); ++s) {
      Place& place = places_[sharers[s]];
      const std::size_t end =
          next + free.size() / sharers.size() + (s < free.size() % sharers.size() ? 1 : 0);
      for (; next < end; ++next) {
        free[next]->is_taken = true;
        place.seats.push_back(free[next]->cpu);
      }
      if (place.seats.empty()) place.seats.push_back(all[s % all.size()]);
    }
  }

  std::vector<Seat> seats_;
  std::vector<Wish> wishes_;
  const Topology& topology_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<Place> place_devices(std::span<const DeviceTerm> terms, const Topology& topology,
                                 unsigned threads) {
  return Dealer(make_seats(topology, threads), make_wishes(terms, topology), topology).deal();
}

}  // namespace gridspan::devices::machine
