// Types of calls that only device code could make, asked for on both sides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | std::invoke_result, std::is_invocable and a program's own traits of device-only functors
#include "check.h"

#include <type_traits>
#include <utility>

struct Square {
  __device__ long operator()(int x) const { return static_cast<long>(x) * x; }
};
struct Half {
  __host__ __device__ float operator()(float x) const { return x / 2; }
};
struct Plus {
  __device__ int add(int x) const { return x + base; }
  int base;
};

template <class F, class T>
struct has_add {
  template <class G>
  static auto test(int) -> decltype(std::declval<G>().add(std::declval<T>()), std::true_type());
  template <class>
  static std::false_type test(...);
  static constexpr bool value = decltype(test<F>(0))::value;
};

template <class F, class T>
using result = std::invoke_result_t<F, T>;

static_assert(std::is_same<result<Square, int>, long>::value, "");
static_assert(std::is_same<result<Half, float>, float>::value, "");
static_assert(std::is_invocable<Square, int>::value && !std::is_invocable<Square, Plus>::value, "");
static_assert(has_add<Plus, int>::value && !has_add<Square, int>::value, "");

template <class F, class T>
__global__ void apply(F f, const T* in, result<F, T>* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}

template <class F, class T>
std::vector<result<F, T>> applied(F f, const std::vector<T>& values) {
  static_assert(!std::is_void<result<F, T>>::value, "");
  check::Array<T> in(values);
  check::Array<result<F, T>> out(values.size());
  apply<<<(values.size() + 63) / 64, 64>>>(f, in.data(), out.data(),
                                           static_cast<int>(values.size()));
  KERNEL_OK();
  return out.get();
}

__global__ void added(Plus plus, int* out) {
  static_assert(has_add<Plus, int>::value, "");
  out[threadIdx.x] = plus.add(threadIdx.x);
}

int main() {
  std::vector<int> numbers;
  std::vector<float> reals, halves;
  std::vector<long> squares;
  for (int i = 0; i < 131; ++i) {
    numbers.push_back(100000 + i);
    squares.push_back((100000L + i) * (100000L + i));
    reals.push_back(i + 0.5f);
    halves.push_back((i + 0.5f) / 2);
  }
  check::equal("squares", applied(Square(), numbers), squares);
  check::equal("halves", applied(Half(), reals), halves);
  check::Array<int> out(33);
  added<<<1, 33>>>(Plus{7}, out.data());
  KERNEL_OK();
  std::vector<int> want;
  for (int i = 0; i < 33; ++i) want.push_back(i + 7);
  check::equal("added", out.get(), want);
  return check::finish();
}
