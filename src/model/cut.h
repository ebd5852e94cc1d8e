// What the two sides of a cut through the middle of a grid both need, at one launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/concrete.h"
#include "model/part_image.h"

namespace gridspan::model {

/// What parts touch through one access, or several that touch the same.
struct Touched {
  explicit Touched(const FootprintPiece& piece);
  ConcreteSet image;
  std::vector<NativeLoop> loops;
  std::vector<ConcreteSet> turns;  // of each loop: its counter and the launch
  bool is_read = false, is_written = false;
  bool is_exact = true;  // no more than what is touched
};

/// `part` with the counters of the loops, and what is a multiple of them, in each of their turns
/// that touch something; nothing where they have too many.
std::optional<std::vector<Values>> turns_of(const Touched& touched, const Values& part);

/// Boxes around what one side reads or writes and the other reads, by where they come from: the
/// same name at every launch.
struct Shared {
  std::map<std::vector<std::size_t>, Box> boxes;
  bool is_exact = true;  // the boxes have nothing else in them
  double elements() const;
};

class Cut {
 public:
  /// Nothing where there are less than two blocks along the axis.
  static std::optional<Cut> through(const Kernel& kernel, unsigned axis, const Values& launch);

  /// Nothing where loops have too many turns. Of boxes that lie in others not all are there, but
  /// those that `wanted` has.
  std::optional<Shared> shared(const std::vector<Touched>& touched,
                               const Shared* wanted = nullptr) const;

  /// Runs of elements that lie together in memory, of what the lower side writes: a part of few
  /// runs needs few copies.
  double runs(const std::vector<Touched>& touched) const;

 private:
  /// What one side touches in one turn of all loops.
  struct Side {
    const ConcreteSet& image;
    Values values;
    std::map<std::size_t, Box> boxes;
    OrNull<isl::set> elements = {};  // once asked for
    const isl::set& all();
    /// Is all of the box touched?
    bool touches_all_of(const Box& box);
  };
  using Sides = std::vector<Side>;
  /// Boxes of both sides that meet.
  struct Meeting {
    std::vector<std::size_t> name;
    Side *one, *other;
    Box both;
  };
  Cut(const Values& lower, const Values& upper) : lower_(lower), upper_(upper) {}
  std::optional<Sides> sides(const Touched& touched, const Values& part) const;
  static void meetings(const std::vector<std::size_t>& name, Side& one, Side& other,
                       std::vector<Meeting>& all);
  static void add(Meeting& meeting, Shared& shared);

  Values lower_, upper_;
};

}  // namespace gridspan::model
