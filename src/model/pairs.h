// Pairs of accesses in different blocks, or threads: can they touch the same element?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/instances.h"
#include "model/separators.h"

#include <array>
#include <map>

namespace gridspan::model {

/// Blocks are apart when they differ along `axis` after their index there was divided by
/// `granularity`; how they lie along other axes is free.
struct Apart {
  unsigned axis = 0;
  unsigned granularity = 1;
  /// Instead: threads of one block that differ along `axis`.
  bool of_threads = false;
  friend auto operator<=>(const Apart&, const Apart&) = default;
};

/// Asks about pairs of instances of a kernel's accesses (none of them unbounded).
class Pairs {
 public:
  Pairs(const Kernel& kernel, Instances& instances) : kernel_(kernel), instances_(instances) {}

  /// Launches (over parameters) at which an instance of `first` in one block (or thread) and one of
  /// `second` in another, apart, touch a common element. Never too small.
  isl::set common_elements(const Access& first, const Access& second, const Apart& apart);

  /// Whether that is none, for all that a glance at the subscripts tells.
  bool surely_apart(const Access& first, const Access& second, unsigned axis);

  /// Whether what the access touches varies along `axis`; otherwise blocks apart touch the same.
  bool depends_on(const Access& access, unsigned axis);

  /// Launches at which the access happens at all. Never too small.
  isl::set happens(const Access& access);

 private:
  struct Sides {
    isl::set lower;           // dimensions as parameters, with the facts about them
    OrNull<isl::set> higher;  // the same with primes
  };
  const Sides& sides(const Access& access);
  const std::vector<Separator>& separators_of(const Access& access);
  isl::set find_common_elements(const Access& first, const Access& second, const Apart& apart);
  const isl::set& order_of(const Apart& apart);
  const isl::set& product_facts(const std::string& product);
  isl::set in_order(const Access& lower, const Access& higher, const Apart& apart);

  const Kernel& kernel_;
  Instances& instances_;
  std::map<unsigned, Sides> sides_;  // by shape, as the others
  std::map<unsigned, std::vector<Separator>> separators_;
  std::map<unsigned, isl::set> happens_;
  std::map<Apart, isl::set> orders_;
  std::map<std::string, isl::set> products_;  // what relates the two values of a product
  struct Question {
    unsigned first, second;  // shapes
    Apart apart;
    friend auto operator<=>(const Question&, const Question&) = default;
  };
  std::map<Question, isl::set> answers_;
};

/// What holds of launches with at least two blocks along `axis`, as far as the names occur in it.
isl::set launches_with_two_blocks(const Kernel& kernel, unsigned axis,
                                  std::vector<std::string> speaking_of);

}  // namespace gridspan::model
