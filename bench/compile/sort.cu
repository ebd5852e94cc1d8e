// What compile_time.py compiles for docs/build-systems.md: most of it is a library's. It needs
// Thrust. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/device_vector.h>
#include <thrust/sort.h>

void sort(thrust::device_vector<int>& numbers) { thrust::sort(numbers.begin(), numbers.end()); }
