// Factors of products: which parameters a product multiplies, and which are known to be positive.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

const Parameter* find_parameter(const Kernel& kernel, const std::string& name);
const Dimension* find_dimension(const Kernel& kernel, const std::string& name);

/// The parameters, themselves no products, whose product `factors` is; sorted.
std::vector<std::string> elementary_factors(const Kernel& kernel,
                                            const std::vector<std::string>& factors);

/// Whether parameter `name` is at least one at every launch: a grid or block extent, a product of
/// such, or proved by Kernel::context.
bool proved_positive(const Kernel& kernel, const std::string& name);

/// Whether a dimension is never negative: all but products with a factor that may be.
bool is_natural(const Kernel& kernel, const std::string& dimension);

/// The block index, thread index or loop counter that a dimension is a multiple of; the dimension
/// itself if it is one. Null for a name the kernel does not know.
const Dimension* root_of(const Kernel& kernel, const std::string& dimension);

/// The dimension, what it is a multiple of, what that is a multiple of, ... down to the root.
std::vector<std::string> multiples(const Kernel& kernel, const std::string& dimension);

/// By how much a product dimension grows with its root, as a parameter: its factor, or for products
/// of products the product of all factors. Null if the kernel has no such parameter.
const Parameter* step_of(const Kernel& kernel, const Dimension& product);

/// The product parameter step*extent that bounds a product of a block or thread index:
/// 0 <= product <= bound - step if the step is positive. Null if the kernel has none.
const Parameter* bound_of(const Kernel& kernel, const Dimension& product);

/// The grid or block extent that bounds a block or thread index.
std::string extent_of(const Kernel& kernel, const Dimension& dimension);

}  // namespace gridspan::model
