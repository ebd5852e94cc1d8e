// Subscripts that tell block indices: blocks apart never have the same one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A subscript c*(z_1 + ... + z_n) + f(parameters) is a number written in digits when each z_i is a
// multiple of its step, and the smaller ones stay below it: blockDim_x*blockIdx_x + threadIdx_x, a
// grid-stride loop, a linear block index. Equal numbers have equal digits, so equal subscripts mean
// equal block indices. Seen from coefficients alone, this answers most questions about pairs of
// accesses, at a small part of the time that isl takes.
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

struct Separator {
  std::string subscript;  // which one, and its value in canonical text: equal texts, equal values
  bool axes[3] = {};      // whose block indices it tells
};

/// Separators of an access: they hold in all pieces of `touched` (dimensions as parameters).
std::vector<Separator> separators(const Kernel& kernel, const isl::set& touched);

/// Whether one of `first` is one of `second` too, and tells indices along `axis`.
bool tell_apart(const std::vector<Separator>& first, const std::vector<Separator>& second,
                unsigned axis);

}  // namespace gridspan::model
