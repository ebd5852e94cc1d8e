// Linear facts about the dimensions of a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

/// What holds of one dynamic instance, dimensions as parameters: Kernel::context,
/// 0 <= blockIdx_w < gridDim_w, 0 <= threadIdx_w < blockDim_w, counters >= 0, and for a product
/// dimension z = P*d of d >= 0: with P >= 1 known, z >= d and z <= P*E - P where d < E and the
/// product parameter P*E exists (see `add_bounding_products`); for other P the sign of z. No
/// disjunctions but for the sign of P, so that relations may include these facts without falling to
/// pieces.
isl::set dimension_facts(const Kernel& kernel, const std::vector<std::string>& dimensions);

/// The same without Kernel::context, and the part of the context that speaks of nothing but
/// `names`: isl's effort grows with every constraint.
isl::set instance_facts(const Kernel& kernel, const std::vector<std::string>& dimensions);
isl::set relevant_context(const Kernel& kernel, const std::vector<std::string>& names);

/// What relates two instances of the same dimensions; the second's names carry the suffix "'".
/// For a product z = P*d (P >= 1): d = d' => z = z', d < d' => z' >= z + P + (d' - d) - 1, and the
/// other way round; for other P the corresponding signs. Three cases for each product.
isl::set pair_facts(const Kernel& kernel, const std::vector<std::string>& dimensions);

/// The product parameter of these factors (order does not matter; products among them count by
/// their factors), if the kernel has it. One factor: that parameter.
const Parameter* product_of(const Kernel& kernel, std::vector<std::string> factors);

/// Adds the product parameters that `dimension_facts` can use to bound `dimension` (blockIdx_w and
/// threadIdx_w bases only). Called by the analysis whenever it makes a product dimension.
void add_bounding_products(Kernel& kernel, const Dimension& dimension);

}  // namespace gridspan::model
