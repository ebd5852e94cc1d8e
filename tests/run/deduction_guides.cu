// Class template arguments that constructors and guides deduce, in device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --expt-relaxed-constexpr
// FEATURE: Functions and classes | deduction guides in device code: std::tuple(1, 2L), std::pair, std::array, std::optional, the user's own
#include "check.h"

#include <array>
#include <optional>
#include <tuple>
#include <utility>

template <class T>
struct Box {
  T value;
  __host__ __device__ Box(T x) : value(x) {}
};
Box(char) -> Box<long>;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

namespace inner {
template <class T, int N>
struct Row {
  T items[N];
};
template <class T, class... Rest>
Row(T, Rest...) -> Row<T, 1 + sizeof...(Rest)>;
}  // namespace inner

__host__ __device__ int sum(int i) {
  auto t = std::tuple(i, 2L, short(3));
  auto p = std::pair(4, 5u);
  std::array a{6, 7, i};
  std::optional maybe(i * 2);
  auto both = std::tuple_cat(t, std::make_tuple(9));
  int total = std::apply([](auto... x) { return (static_cast<int>(x) + ...); }, both);
  for (int x : a) total += x;
  inner::Row row{1, 2, i};
  for (int x : row.items) total += 100 * x;
  const Overloaded visit{[](int x) { return x + 1; },
                         [](long x) { return static_cast<int>(x) + 2; }};
  return total + p.first + static_cast<int>(p.second) + *maybe + visit(i) + visit(5L) +
         static_cast<int>(sizeof(Box('a').value) * 1000 + Box(i).value);
}

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sum(i);
}

int main() {
  const int n = 203;
  check::Array<int> out(n);
  fill<<<2, 128>>>(out.data(), n);
  KERNEL_OK();
  std::vector<int> want;
  for (int i = 0; i < n; ++i)
    want.push_back(i + 2 + 3 + 9 + 6 + 7 + i + 100 * (3 + i) + 9 + 2 * i + i + 1 + 7 + 8000 + i);
  check::equal("kernel", out.get(), want);
  CHECK_EQ(sum(3), want[3]);
  return check::finish();
}
