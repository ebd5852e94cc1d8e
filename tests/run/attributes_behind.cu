// Standard attributes behind CUDA's specifiers, by macros, too; explicit instantiations without
// specifiers; member templates named with their own parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | [[attributes]] and alignas behind CUDA's specifiers in classes and on shared variables
// FEATURE: Language | explicit instantiations without their template's specifiers; A<T>::f<U> definitions
#include "check.h"

#define BOTH __host__ __device__
#define SHARED __shared__
#define NODISCARD [[nodiscard]]
#define BOTH_NODISCARD BOTH NODISCARD
#define WORDS_NODISCARD __host__ __device__ [[nodiscard]]
#define ALIGNED(n) alignas(n)

struct Box {
  int w, h;
  __host__ __device__ [[nodiscard]] int area() const { return w * h; }
  BOTH [[nodiscard]] int edge() const { return 2 * (w + h); }
  __device__ [[nodiscard, deprecated]] static int sides() { return 4; }
  template <class T>
  __host__ __device__ [[nodiscard]] constexpr T as() const {
    return T(w);
  }
  BOTH [[nodiscard]] [[gnu::noinline]] explicit operator int() const { return w + 10 * h; }
  __host__ __device__ [[gnu::noinline]] Box(int a, int b) : w(a), h(b) {}
  __host__ __device__ [[nodiscard]] friend bool operator<(const Box& a, const Box& b) {
    return a.w < b.w;
  }
  __host__ __device__ [[gnu::always_inline]] ~Box() {}
  BOTH NODISCARD int by_macro() const { return 61; }
  BOTH_NODISCARD int by_two_macros() const { return 62; }
  WORDS_NODISCARD int by_whole_macro() const { return 63; }
  class Deep {
   public:
    __device__ [[nodiscard]] int value() const { return 9; }
  };
};
__host__ __device__ [[nodiscard]] int free_function(int x) { return x + 1; }

// Instantiated without, declared external without.
template <class T>
__device__ T instantiated(T x) {
  return x + T(2);
}
template int instantiated<int>(int);
template double instantiated(double);
#define INSTANCE(T) template T instantiated<T>(T);
INSTANCE(short)
INSTANCE(long)
template <class T>
struct Holder {
  T v;
  template <class U>
  __host__ __device__ T plus(U x) const;
  template <class U, int N, class... Rest>
  BOTH T weighed(U x, Rest... rest) const;
  template <template <class> class Q, class U>
  BOTH U through(const Q<U>& other) const;
};
template <class T>
template <class U>
__host__ __device__ T Holder<T>::plus<U>(U x) const {
  return v + T(x);
}
template <class T>
template <class U, int N, class... Rest>
BOTH T Holder<T>::weighed<U, N, Rest...>(U x, Rest...) const {
  return v + T(x) * N + T(sizeof...(Rest));
}
template <class T>
template <template <class> class Q, class U>
BOTH U Holder<T>::through<Q, U>(const Q<U>& other) const {
  return other.v * U(v);
}
template int Holder<int>::plus<float>(float) const;
extern template int Holder<int>::plus<double>(double) const;
template int Holder<int>::plus<double>(double) const;

__global__ void kernel(int* out, const void** places) {
  __shared__ [[maybe_unused]] int plain[3];
  __shared__ alignas(32) char aligned[5];
  SHARED alignas(64) char by_macro[7];
  SHARED [[maybe_unused]] [[gnu::aligned(128)]] char by_attribute[9];
  SHARED ALIGNED(16) char by_two_macros[9];
  const int t = threadIdx.x;
  by_two_macros[t] = static_cast<char>(t);
  if (t < 3) plain[t] = t + 1;
  if (t < 5) aligned[t] = static_cast<char>(t * 2);
  if (t < 7) by_macro[t] = static_cast<char>(t * 3);
  by_attribute[t] = static_cast<char>(t * 4);
  __syncthreads();
  out[t] =
      plain[t % 3] + aligned[t % 5] + by_macro[t % 7] + by_attribute[8 - t] + by_two_macros[8 - t];
  if (t != 0) return;
  places[0] = aligned;
  places[1] = by_macro;
  places[2] = by_attribute;
  const Box b(5, 7);
  const Holder<int> holder{6};
  out[9] = b.area();
  out[10] = b.edge();
  out[11] = static_cast<int>(b.as<double>());
  out[12] = static_cast<int>(b);
  out[13] = b < Box(6, 1) ? 21 : 22;
  out[14] = Box::Deep().value();
  out[15] = free_function(30);
  out[16] = instantiated(40) + static_cast<int>(instantiated(0.5) * 2);
  out[17] = instantiated(static_cast<short>(50)) + static_cast<int>(instantiated(60L));
  out[18] = holder.plus(1.5f) + holder.plus(2.5);
  out[22] = static_cast<int>(holder.through(Holder<double>{2.5}));
  out[20] = b.by_macro() + b.by_two_macros() * 2 + b.by_whole_macro() * 3;
  out[21] = reinterpret_cast<std::uintptr_t>(by_two_macros) % 16 == 0;
  out[19] = holder.weighed<int, 3>(4, 'a', 'b');
}

int main() {
  constexpr int size = 23;
  int* out;
  const void** places;
  CUDA_OK(cudaMallocManaged(&out, size * sizeof *out));
  CUDA_OK(cudaMallocManaged(&places, 3 * sizeof *places));
  std::memset(out, 0x5a, size * sizeof *out);
  kernel<<<1, 9>>>(out, places);
  KERNEL_OK();
  for (int t = 0; t < 9; ++t) CHECK_EQ(out[t], t % 3 + 1 + t % 5 * 2 + t % 7 * 3 + (8 - t) * 5);
  constexpr int expected[] = {35, 24, 5, 75, 21, 9, 31, 47, 114, 15, 20, 374, 1, 15};
  for (int i = 9; i < size; ++i) CHECK_EQ(out[i], expected[i - 9]);
  for (int i = 0; i < 3; ++i)
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(places[i]) % (32u << i), 0u);
  CHECK_EQ(Box(2, 3).area(), 6);
  CHECK_EQ(Box(2, 3).edge(), 10);
  CHECK_EQ(Box(2, 3).by_two_macros(), 62);
  CHECK_EQ(static_cast<int>(Box(2, 3)), 32);
  CHECK_EQ(free_function(3), 4);
  CHECK_EQ(Holder<int>{1}.plus(2.0), 3);
  cudaFree(out);
  cudaFree(places);
  return check::finish();
}
