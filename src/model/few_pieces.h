// Images in fewer pieces, where larger ones will do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/instances.h"

namespace gridspan::model {

/// A superset of the image without integers that only exist, for parts of launches that fulfil the
/// kernel's `assumptions` of these indices. Tight: gaps between blocks are filled, no more.
isl::set in_few_pieces(const Kernel& kernel, Instances& instances, const isl::set& image,
                       const std::vector<unsigned>& assumptions);

}  // namespace gridspan::model
