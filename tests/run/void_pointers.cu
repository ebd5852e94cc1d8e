// Pointers to void as GNU C has them: a byte is their element. Pointers cut down to integers for
// their low bits. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | arithmetic on void*, sizeof(void), casts of pointers to smaller integers
#include "check.h"

#include <type_traits>

#define BEHIND(p, bytes) ((p) + (bytes))

__host__ __device__ const void* behind(const void* p, unsigned long bytes) { return p + bytes; }

template <class T>
__host__ __device__ T* next(T* p, int count) {
  p += count;
  return p - 1 + 2 - 1;
}

// For the one type a cast of a pointer, for the other of a number.
template <class To, class From>
__device__ To low(From from) {
  return (To)from;
}

// The type stays: a char* would choose the other one.
__host__ __device__ int kind(const void*) { return 1; }
__host__ __device__ int kind(const char*) { return 2; }

__global__ void fill(void* base, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  *(int*)(base + 16 + 4 * i) = i * 3;
  void* p = base;
  p += 5 * i;
  p -= i;
  const void* const fixed = behind(base, 16);
  auto also = fixed + 4 * i - 16;
  static_assert(std::is_same<decltype(also), const void*>::value, "");
  unsigned* mine = out + 8 * i;
  mine[0] = (unsigned)(base + i) & 15;
  mine[1] = unsigned(p) - unsigned(base);
  mine[2] = reinterpret_cast<unsigned>(also) - (int)base;
  mine[3] = sizeof(void) + alignof(void) + 10 * __alignof__(void);
  mine[4] = *(int*)next(base, 16 + 4 * i) + (next(mine, 2) - mine);
  mine[5] = kind(base + 1) + 10 * kind((char*)base + 1);
  mine[6] = low<unsigned>(BEHIND(base, i)) == low<unsigned>(low<unsigned long>(base) + i);
  mine[7] = (unsigned char)(BEHIND(also, 1)) == (unsigned char)((unsigned long)also + 1);
}

int main() {
  const int n = 141;
  check::Array<int> bytes(n + 4);
  check::Array<unsigned> out(8 * n);
  fill<<<2, 96>>>(bytes.data(), out.data(), n);
  KERNEL_OK();
  std::vector<unsigned> want;
  const unsigned low_bits = reinterpret_cast<unsigned long>(bytes.data()) & 15;
  for (unsigned i = 0; i < n; ++i)
    for (unsigned value : {(low_bits + i) & 15, 4 * i, 4 * i, 12u, 3 * i + 2, 21u, 1u, 1u})
      want.push_back(value);
  check::equal("kernel", out.get(), want);
  std::vector<int> ints = bytes.get();
  void* host = ints.data();
  bool same = true;
  for (int i = 0; i < n; ++i) same &= *(int*)(host + 16 + 4 * i) == 3 * i;
  CHECK(same);
  const void* at = host;
  at += 8;
  CHECK(at == &ints[2] && behind(at, 4) == &ints[3] && kind(at - 4) == 1);
  CHECK(next(&ints[0], 3) == &ints[3] && next(host, 12) == &ints[3] && sizeof(void) == 1);
  return check::finish();
}
