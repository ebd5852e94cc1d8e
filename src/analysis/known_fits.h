// What was found out about the offsets of one kernel: its arrays are often accessed alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "analysis/shape.h"
#include "analysis/strides.h"

#include <deque>

namespace gridspan::analysis {

/// How one offset fits a shape.
struct Fit {
  std::vector<isl::aff> values;  // subscripts
  isl::set within;               // where they are right, with what is known: part of a domain
  std::vector<isl::set> assumptions;
  bool leaves_row = false;
  unsigned faults = 0;
  bool is_good = true;  // nothing but natural assumptions
};

/// Adds those of `more` that are not there.
void add_new(const std::vector<isl::set>& more, std::vector<isl::set>& conditions);

class KnownFits {
 public:
  /// Null: not known yet.
  const Fit* find(const Offset& offset, long element_bytes, const Strides& strides) const;
  /// Both stay where they are.
  const Fit& add(const Offset& offset, long element_bytes, const Strides& strides, Fit fit);

  /// A domain with what is known of its dimensions and of `names`; null: not known yet.
  const isl::set* domain(const isl::set& domain, const std::vector<std::string>& names) const;
  /// What written arrays rely on: the others may as well, for without it nothing is gained.
  const std::vector<isl::set>& relied_on() const { return relied_on_; }
  void rely_on(const std::vector<isl::set>& conditions) { add_new(conditions, relied_on_); }

  void add_domain(const isl::set& domain, const std::vector<std::string>& names,
                  const isl::set& with_facts);

 private:
  struct KnownFit {
    Offset offset;
    long element_bytes;
    Strides strides;
    Fit fit;
  };
  struct KnownDomain {
    isl::set domain;
    std::vector<std::string> names;
    isl::set with_facts;
  };
  std::deque<KnownFit> fits_;
  std::vector<KnownDomain> domains_;
  std::vector<isl::set> relied_on_;
};

}  // namespace gridspan::analysis
