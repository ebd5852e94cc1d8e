// Launches as programs make them, to measure what cannot be compared in symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel says what is natural for it. Blocks are as large as its tiles are: so that neighbours
// may not write the same and leave nothing out between them. A grid has the blocks that touch
// something, where a size ends it (`if (x < width)`). What the kernel relies on holds.
#pragma once

#include "model/concrete.h"

#include <array>

namespace gridspan::model {

/// What parts of the grid touch through an access (PartImage), the first turn of its loops.
struct Touching {
  const ConcreteSet* image;
  Values first_turns;  // of its loops
  unsigned array = 0;
  bool is_written = false;
};

class SampleLaunches {
 public:
  SampleLaunches(const Kernel& kernel, const std::vector<Touching>& touching);

  /// Empty if none is found.
  const Values& first() const { return first_; }

  /// A parameter that a launch chooses, among those that matter, and by how much to change it.
  struct Choice {
    std::string name;
    long step = 0;
  };
  const std::vector<Choice>& choices() const { return choices_; }

  /// The first launch with these changes, and the grid for it; nothing where the kernel would rely
  /// on something that does not hold.
  std::optional<Values> with(const Values& changes) const;

 private:
  static constexpr long usual_threads = 16;
  static constexpr long large_size = 1L << 16;
  using Threads = std::array<long, 3>;  // of a block along each axis
  struct Fit;
  std::optional<Values> choose(long size, const Threads& threads) const;
  void fit_blocks();
  Fit fit(unsigned axis, long threads) const;
  static void include(Box& around, const Box& box);
  Box box_of_block(const Touching& touching, unsigned axis, long block, const Values& launch) const;
  std::optional<long> blocks_that_touch(const Touching& touching, unsigned axis,
                                        const Values& launch) const;
  std::optional<long> blocks_that_touch(unsigned axis, const Values& launch) const;
  void cover();
  bool is_possible(const Values& launch) const;
  void find_choices();

  const Kernel& kernel_;
  const std::vector<Touching>& touching_;
  std::optional<ConcreteSet> possible_;  // launches
  std::vector<ConcreteSet> legal_;       // of the axes that may be cut at some launches
  Values first_;
  long size_ = 0;  // its arguments
  Threads threads_{};
  std::array<bool, 3> is_tile_{};     // another number of threads would not fit as well
  std::array<bool, 3> is_covered_{};  // by a size: the grid follows
  std::vector<Choice> choices_;
};

}  // namespace gridspan::model
