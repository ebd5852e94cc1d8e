// What clang makes an error and nvcc takes: narrowing in braces, enumerators out of range, ++ on
// bool. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | narrowing in braces: dim3{n / 256}, float2{i, j}, structs, arrays, returned lists
// FEATURE: Language | spellings that only clang refuses: x.template f(3), enum class E x, S() : a({1, 2}), bool++
#include "check.h"

struct Mixed {
  float real;
  int number;
  unsigned char byte;
  unsigned char rest[3];  // no padding: recordings are compared byte by byte
};

enum Flags { none = 0, one = 1, two = 2 };
constexpr Flags many = static_cast<Flags>(77);  // outside of Flags' values

enum class Side { left = 4, right = 9 };
enum class Side preferred = Side::right;

struct Pair {
  int values[2];
  __host__ __device__ Pair() : values({3, 5}) {}
};

struct Scaled {
  int by;
  template <class T>
  __host__ __device__ T scale(T x) const {
    return static_cast<T>(x * by);
  }
};

template <class Object>
__host__ __device__ int call_without_list(Object object, int x) {
  return object.template scale(x);
}

// Never a constant expression, which nobody says it is.
__device__ constexpr float root(float x) { return sqrtf(x); }

__host__ __device__ Mixed make(int i, double d, long n) { return {i * d, n, i}; }

template <class T>
__host__ __device__ T listed(int i, int j) {
  T pair{i, j};
  return pair;
}

__global__ void fill(float2* pairs, Mixed* mixed, int* numbers, int n, double d, long factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  pairs[i] = listed<float2>(i, -2 * i);
  mixed[i] = make(i, d, factor * i);
  const short cut[] = {i * 77777, n};
  unsigned whole{d * i};
  unsigned bits{-1};
  bool is_set = false;
  is_set++;
  numbers[i] = cut[0] + static_cast<int>(whole) + (bits == 0xffffffffu) + is_set +
               static_cast<int>(many) + Pair().values[1] + call_without_list(Scaled{7}, i) +
               static_cast<int>(root(49.0f));
}

int main() {
  const int n = 1037;
  const double d = 0.75;
  const long factor = 5;
  check::Array<float2> pairs(n);
  check::Array<Mixed> mixed(n);
  check::Array<int> numbers(n);
  dim3 grid{(n + 127) / 128}, block = {n > 5 ? 128 : 3, 1};
  fill<<<grid, block>>>(pairs.data(), mixed.data(), numbers.data(), n, d, factor);
  KERNEL_OK();
  const auto got_pairs = pairs.get();
  const auto got_mixed = mixed.get();
  std::vector<int> want;
  bool same = true;
  for (int i = 0; i < n; ++i) {
    same &= got_pairs[i].x == static_cast<float>(i) && got_pairs[i].y == static_cast<float>(-2 * i);
    same &= got_mixed[i].real == static_cast<float>(i * d) && got_mixed[i].number == 5 * i &&
            got_mixed[i].byte == i % 256;
    want.push_back(static_cast<short>(i * 77777) + static_cast<int>(d * i) + 1 + 1 + 77 + 5 +
                   7 * i + 7);
  }
  CHECK(same);
  check::equal("numbers", numbers.get(), want);
  CHECK(preferred == Side::right && static_cast<int>(many) == 77);
  const Mixed on_host = make(300, 0.5, 9);
  CHECK(on_host.real == 150.0f && on_host.number == 9 && on_host.byte == 44);
  return check::finish();
}
