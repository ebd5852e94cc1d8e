// Launches whose grid and block are written as braced lists.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | braced lists as grid and block: <<<{2, 1, 1}, {33, 1}>>>
#include "check.h"

__global__ void fill(int* out) { out[check::global_index()] = check::thread_count(); }

int main() {
  check::Array<int> out(66);
  fill<<<{2, 1, 1}, {33, 1}>>>(out.data());
  check::equal("braces", out.get(), std::vector<int>(66, 33));
  fill<<<1, {6, 11}, 0, nullptr>>>(out.data());
  check::equal("braces and int", out.get(), std::vector<int>(66, 66));
  return check::finish();
}
