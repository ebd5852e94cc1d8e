// Kernel models written by hand, with the usual parameters and dimensions, and launches of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace gridspan::tests {

/// Parameters: gridDim_w, blockDim_w, the ints n, m, s, the long l, products
/// G_w = gridDim_w*blockDim_w and nm = n*m. Dimensions: blockIdx_w, threadIdx_w, o_w =
/// blockDim_w*blockIdx_w, a loop k with zk = G_x*k.
model::Kernel make_kernel(isl::ctx context);

/// Text of an isl value or set over all parameters, part parameters, k and zk of `make_kernel`.
std::string with_parameters(const std::string& text);

/// "{ A[i] : ... }", or the range of "{ [t] -> A[...] : ... }", over those parameters.
isl::set image_of(isl::ctx context, const std::string& text);

/// Adds an array of `rank` with one access set; returns the set.
model::AccessSet& add_set(model::Kernel& kernel, unsigned rank, model::SetKind kind);
/// ... whose footprint is `image_of(image)`.
model::AccessSet& add_set(model::Kernel& kernel, unsigned rank, model::SetKind kind,
                          const std::string& image);

struct Launch {
  std::array<std::int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  std::int64_t n = 0, m = 0, s = 0, l = 0;
  std::array<std::int64_t, 3> first{0, 0, 0}, last{0, 0, 0};

  std::vector<std::int64_t> values() const;
  std::vector<std::int64_t> part() const;
  /// Values of all names of `make_kernel` but k and zk.
  std::map<std::string, std::int64_t> names() const;
};

/// Small launches and parts of all kinds: the whole grid, one block, none, something between;
/// sizes from negative to more than the grid covers.
Launch random_launch(std::mt19937& random);

}  // namespace gridspan::tests
