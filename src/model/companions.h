// Products that always occur together with an index that fills their gaps, as in blockDim*b + t.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

/// Whether `touched` depends on z = `product` only through z + c, where c runs over all of [0,
/// step) of the product: a thread index, or a product that has such a companion itself. Then an
/// interval of z touches what its multiples touch. None of `kept` is a companion. Looks at
/// coefficients only: quick, and never wrong when it says yes.
bool has_dense_companion(const Kernel& kernel, const isl::set& touched, const std::string& product,
                         const std::vector<std::string>& kept);

/// The block index, or product of one, along another axis that is to `product` what a companion is,
/// but takes all of [0, step) only where a part has all blocks along that axis: the lower digit of
/// a block's number in the grid. Null: none.
const Dimension* lower_block_digit(const Kernel& kernel, const isl::set& touched,
                                   const std::string& product);

}  // namespace gridspan::model
