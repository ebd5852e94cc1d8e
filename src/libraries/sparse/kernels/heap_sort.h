// Numbers in order, in place, by one thread. O(count log count)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::libraries::sparse {

__device__ inline void sift_down(long long* heap, long long at, long long count) {
  for (long long child = 2 * at + 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && heap[child + 1] > heap[child]) ++child;
    if (heap[at] >= heap[child]) return;
    const long long moved = heap[at];
    heap[at] = heap[child];
    heap[child] = moved;
    at = child;
  }
}

__device__ inline void sort(long long* numbers, long long count) {
  for (long long i = count / 2 - 1; i >= 0; --i) sift_down(numbers, i, count);
  for (long long end = count - 1; end > 0; --end) {
    const long long largest = numbers[0];
    numbers[0] = numbers[end];
    numbers[end] = largest;
    sift_down(numbers, 0, end);
  }
}

}  // namespace gridspan::libraries::sparse
