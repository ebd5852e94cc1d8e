// The many orders and places in which kernels, functions and variables are declared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | specifiers in any order, extern "C" kernels, forward declarations, default arguments, trailing attributes
// FEATURE: Language | nested and local types, enums, constexpr, static_assert, auto, range for, initialiser lists in device code
#include "check.h"

void __global__ return_type_first(int* out);
extern "C" __global__ void c_linkage(int* out);
__global__ static void static_second(int* out);
template <class T>
__global__ void declared_template(T* out, T value);
inline __device__ int inline_first(int x) { return x + 1; }
__device__ inline __host__ int mixed_order(int x) { return x + 2; }
static __forceinline__ __device__ int three_words(int x) { return x + 3; }
const __device__ int const_first = 40;
__device__ const static int const_middle = 50;
__constant__ const float pi = 3.25f;
__device__ __constant__ int both_words = 60;
__device__ int with_default(int x, int y = 5);

enum Colour { red, green = 5, blue };
enum class Kind : unsigned char { small = 3, large = 200 };
constexpr int table_size = 4;
typedef int (*Reader)(const int*);

namespace shapes {
struct Box {
  struct Corner {
    int x, y;
  };
  Corner low, high;
  static constexpr int dimensions = 2;
  __device__ int area() const { return (high.x - low.x) * (high.y - low.y); }
};
using Boxes = Box[2];
}  // namespace shapes

void __global__ return_type_first(int* out) { out[threadIdx.x] = inline_first(10); }
extern "C" __global__ void c_linkage(int* out) { out[threadIdx.x] = mixed_order(20); }
__global__ static void static_second(int* out) { out[threadIdx.x] = three_words(30); }
template <class T>
__global__ void declared_template(T* out, T value) {
  out[threadIdx.x] = value + const_first + const_middle + both_words + static_cast<T>(pi * 4);
}
__device__ int with_default(int x, int y) { return x * 10 + y; }

__global__ void types(int* out) {
  struct Local {
    int v;
    __device__ int twice() const { return 2 * v; }
  };
  const int t = threadIdx.x;
  Colour colour = t % 2 ? green : blue;
  Kind kind = t % 3 ? Kind::small : Kind::large;
  int array[table_size] = {t, 1};
  static_assert(sizeof(array) == 16, "table_size ints");
  int sum = 0;
  for (int x : array) sum += x;
  for (auto& x : array) x = 3;
  const auto product = array[0] * array[table_size - 1];
  shapes::Boxes boxes = {{{0, 0}, {t, 2}}, {{1, 1}, {3, 4}}};
  Local local{t};
  auto [first, second] = shapes::Box::Corner{t, t + 1};
  int n = 0;
  if (int r = t % 4; r > 1) n = r;
  out[t] = colour + static_cast<int>(kind) * 2 + sum * 3 + product * 5 + boxes[0].area() +
           boxes[1].area() * 7 + local.twice() + first * second + n * shapes::Box::dimensions +
           with_default(t) + with_default(t, 1);
}

int main() {
  const int n = 37;
  check::Array<int> out(n);
  return_type_first<<<1, n>>>(out.data());
  check::equal("return_type_first", out.get(), std::vector<int>(n, 11));
  c_linkage<<<1, n>>>(out.data());
  check::equal("c_linkage", out.get(), std::vector<int>(n, 22));
  static_second<<<1, n>>>(out.data());
  check::equal("static_second", out.get(), std::vector<int>(n, 33));
  declared_template<<<1, n>>>(out.data(), 1);
  check::equal("declared_template", out.get(), std::vector<int>(n, 1 + 40 + 50 + 60 + 13));
  types<<<1, n>>>(out.data());
  std::vector<int> want(n);
  for (int t = 0; t < n; ++t)
    want[t] = (t % 2 ? 5 : 6) + (t % 3 ? 3 : 200) * 2 + (t + 1) * 3 + 9 * 5 + 2 * t + 6 * 7 +
              2 * t + t * (t + 1) + (t % 4 > 1 ? t % 4 : 0) * 2 + t * 10 + 5 + t * 10 + 1;
  check::equal("types", out.get(), want);
  return check::finish();
}
