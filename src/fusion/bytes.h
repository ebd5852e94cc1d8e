// Bytes that launches move to and from memory, one after the other and as one kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of each array: what a launch reads counts once, what it writes counts once. As one kernel, what
// an earlier launch of the group has surely written is not read again, nor what it has read in the
// block of the same index (a sum of rows and one of columns both read all). Counted at
// launches as programs make them; how it changes when they do gives the formula.
#pragma once

#include "fusion/footprint.h"
#include "fusion/formula.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gridspan::fusion {

struct Bytes {
  Formula apart;     // one after the other
  Formula together;  // as one kernel; all that is written stays
  Formula least;     // and arrays of `passed` are not written
  /// Arrays that hand values on within the group: written before they are read, and then only read.
  /// If nobody reads them afterwards, they need not be written.
  std::vector<std::string> passed;
  bool is_exact = true;              // else formulas are upper bounds
  std::vector<std::string> unknown;  // arrays without formula; they are not counted
};

/// Of the launches from `first` to before `end` of those that were joined.
Bytes bytes_of(const Joined& joined, const Footprints& footprints, unsigned first, unsigned end);

}  // namespace gridspan::fusion
