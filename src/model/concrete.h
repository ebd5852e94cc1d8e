// Sets in which every parameter has a number: boxes around their pieces, found without isl's help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/boxes.h"
#include "model/launch_values.h"

namespace gridspan::model {

/// A set whose parameters are to be given numbers, often.
class ConcreteSet {
 public:
  explicit ConcreteSet(const isl::set& set);

  /// Around the elements of each piece that has any, by number. Pieces that cannot be told to be
  /// empty without isl are among them.
  std::map<std::size_t, Box> boxes(const Values& values) const;
  /// The boxes are the pieces.
  bool is_of_boxes() const { return is_of_boxes_; }
  bool is_empty_at(const Values& values) const { return boxes(values).empty(); }
  isl::set elements(const Values& values) const { return with_values(set_, values); }
  const isl::set& symbolic() const { return set_; }

 private:
  /// The sum of factors times subscripts and parameters, and a constant, is >= 0, or = 0.
  struct Bound {
    long constant = 0;
    bool is_equality = false;
    std::vector<std::pair<std::size_t, long>> subscripts;
    std::vector<std::pair<std::string, long>> parameters;
  };
  using Piece = std::vector<Bound>;
  void add(const isl::basic_set& piece);
  std::optional<Bound> bound(isl_constraint* constraint, const isl::basic_set& piece) const;
  std::optional<Box> box(const Piece& piece, const Values& values) const;

  isl::set set_;
  std::size_t rank_;
  bool is_of_boxes_ = true;
  std::vector<Piece> pieces_;
};

}  // namespace gridspan::model
