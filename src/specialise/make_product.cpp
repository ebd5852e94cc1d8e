// Compiles into a temporary file first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/make_product.h"

#include "support/scratch_folder.h"

#include <unistd.h>

namespace gridspan::specialise {

support::Result<void> make_product(const Build& build, const ProductKeys& keys, Compiler& compiler,
                                   Cache& cache, bool aside) {
  auto product = cache.make_temporary();
  if (!product) return support::fail(product.error());
  auto made = compiler.make(build, *product, aside);
  const std::string content = made ? support::read_file(*product) : std::string();
  ::unlink(product->c_str());
  if (!made && !made.error().message.starts_with(refusal_mark)) return made;
  return cache.store(keys.module, keys.kernel, build.condition,
                     made ? content : made.error().message);
}

}  // namespace gridspan::specialise
