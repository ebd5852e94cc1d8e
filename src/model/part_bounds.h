// The part's parameters: the first and the last value of block indices and their products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

/// Where a block index or a product of one lies in a part. With its base among `related` also how
/// far the two are from the ends of the part.
isl::set part_range(const Kernel& kernel, const Dimension& dimension,
                    const std::vector<std::string>& related);

/// What holds of every part: 0 <= first <= last < gridDim, and for products of block indices what
/// relates theirs. For the dimensions given.
isl::set part_facts(const Kernel& kernel, const std::vector<std::string>& dimensions);

}  // namespace gridspan::model
