// A build, and its place in the cache.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "specialise/cache.h"
#include "specialise/compiler.h"

#include <string>

namespace gridspan::specialise {

struct ProductKeys {
  std::string module, kernel;
};

/// Has `build` made and puts the product, or the compiler's refusal, into the cache. Takes as long
/// as compiling. The error is worth one line.
support::Result<void> make_product(const Build& build, const ProductKeys& keys, Compiler& compiler,
                                   Cache& cache, bool aside);

}  // namespace gridspan::specialise
