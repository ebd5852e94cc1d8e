// Quotients and rests of numbers that differ from thread to thread, by divisors that are known
// only at run time: of both signs, unsigned, by zero where no thread looks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Arithmetic | integer division and remainder of any 32-bit numbers
#include "check.h"

#include <climits>

namespace {

template <class T>
__global__ void divide(const T* a, const T* b, T shared_divisor, T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T x = a[i], y = b[i];
  out[4 * i] = x / shared_divisor;
  out[4 * i + 1] = x % shared_divisor;
  if (y != 0) {
    out[4 * i + 2] = x / y;
    out[4 * i + 3] = x % y;
  }
}

template <class T>
void test_divide(T shared_divisor, unsigned threads) {
  std::vector<T> edges = {0, 1, 2, 3, 7, 10, 16, 17, 255, 46341, 65535, 65536, 65537, 99999};
  for (unsigned high : {0x3fffffffu, 0x40000000u, 0x7ffffffeu, 0x7fffffffu, 0x80000001u,
                        0xc0000001u, 0xfffffffdu, 0xffffffffu})
    edges.push_back(static_cast<T>(high));
  std::vector<T> a, b;
  for (T x : edges)
    for (T y : edges) a.push_back(x), b.push_back(y);
  check::Random random(5);
  for (int i = 0; i < 5000; ++i) {
    const T y = static_cast<T>(random.bits() >> (random.bits() % 32));
    const T q = static_cast<T>(random.bits() >> 32);
    a.push_back(static_cast<T>(static_cast<unsigned>(y) * (static_cast<unsigned>(q) % 5000) -
                               i % 2));  // just below a multiple, or one
    b.push_back(y);
  }
  for (T& x : a)
    if (static_cast<unsigned>(x) == 0x80000000u) x = 5;
  const int n = static_cast<int>(a.size());
  std::vector<T> want(a.size() * 4, 77);
  for (std::size_t i = 0; i < a.size(); ++i) {
    want[4 * i] = a[i] / shared_divisor;
    want[4 * i + 1] = a[i] % shared_divisor;
    if (b[i] == 0) continue;
    want[4 * i + 2] = a[i] / b[i];
    want[4 * i + 3] = a[i] % b[i];
  }
  check::Array<T> da(a), db(b), out(std::vector<T>(a.size() * 4, 77));
  divide<<<(n + threads - 1) / threads, threads>>>(da.data(), db.data(), shared_divisor, out.data(),
                                                   n);
  check::equal("divide", out.get(), want);
}

}  // namespace

int main() {
  for (unsigned threads : {32u, 61u, 256u}) {
    for (int divisor : {1, -1, 3, -7, 502, 65537, INT_MAX, INT_MIN}) test_divide(divisor, threads);
    for (unsigned divisor : {1u, 3u, 502u, 65537u, 0x80000000u, UINT_MAX})
      test_divide(divisor, threads);
  }
  return check::finish();
}
