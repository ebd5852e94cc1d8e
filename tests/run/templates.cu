// Templates in device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | kernel templates (types, values, templates, packs), explicit and implicit instantiation
// FEATURE: Functions and classes | class templates, partial specialisation, if constexpr, fold expressions, constexpr functions
// FEATURE: Functions and classes | functors and policy classes as kernel template parameters
#include "check.h"

template <class T, int N>
struct Vector {
  T values[N];
  __host__ __device__ T& operator[](int i) { return values[i]; }
  __host__ __device__ const T& operator[](int i) const { return values[i]; }
  __host__ __device__ Vector operator+(const Vector& other) const {
    Vector sum;
    for (int i = 0; i < N; ++i) sum[i] = values[i] + other[i];
    return sum;
  }
  template <class U>
  __host__ __device__ Vector<U, N> as() const {
    Vector<U, N> converted;
    for (int i = 0; i < N; ++i) converted[i] = static_cast<U>(values[i]);
    return converted;
  }
};

template <class T>
struct Traits {
  static constexpr int code = 0;
};
template <>
struct Traits<float> {
  static constexpr int code = 1;
};
template <class T>
struct Traits<T*> {
  static constexpr int code = 10 + Traits<T>::code;
};

__host__ __device__ constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

template <class T, int N>
__global__ void add_vectors(const Vector<T, N>* a, const Vector<T, N>* b, Vector<T, N>* out) {
  const int i = check::global_index();
  out[i] = a[i] + b[i];
}

struct Square {
  template <class T>
  __host__ __device__ T operator()(T x) const {
    return x * x;
  }
};
struct AddSome {
  int amount;
  __host__ __device__ int operator()(int x) const { return x + amount; }
};
template <class F, class G>
struct Chain {
  F f;
  G g;
  __host__ __device__ int operator()(int x) const { return g(f(x)); }
};

template <class F>
__global__ void transform(const int* in, int* out, int n, F f) {
  for (int i = check::global_index(); i < n; i += gridDim.x * check::thread_count())
    out[i] = f(in[i]);
}

template <class... Values>
__device__ int sum_all(Values... values) {
  return (0 + ... + static_cast<int>(values));
}
template <class... Values>
__global__ void packs(int* out, Values... values) {
  out[check::global_index()] = sum_all(values...) * 10 + static_cast<int>(sizeof...(values));
}

template <class T, bool Negate>
__global__ void select(const T* in, T* out) {
  const int i = check::global_index();
  if constexpr (Negate) {
    out[i] = -in[i];
  } else {
    __shared__ T cell[64];
    cell[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = cell[blockDim.x - 1 - threadIdx.x];
  }
}

template <int N>
__global__ void unrolled(int* out) {
  int table[N];
#pragma unroll
  for (int i = 0; i < N; ++i) table[i] = power(3, i % 5);
  int sum = Traits<float>::code + Traits<int*>::code + Traits<float**>::code;
  for (int i = 0; i < N; ++i) sum += table[(i + threadIdx.x) % N] * i;
  out[check::global_index()] = sum;
}

// Explicit instantiation, launched below through the same name.
template __global__ void unrolled<7>(int*);

template <template <class, int> class Container>
__global__ void template_template(float* out) {
  Container<float, 3> c{{1.5f, 2.5f, 3.5f}};
  out[check::global_index()] = c.template as<int>()[threadIdx.x % 3] * 1.0f;
}

template <class T, int N>
void test_vectors() {
  const int n = 3 * 33;
  check::Random random(N);
  std::vector<Vector<T, N>> a(n), b(n), want(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < N; ++k) {
      a[i][k] = static_cast<T>(random.integer(-100, 100));
      b[i][k] = static_cast<T>(random.integer(-100, 100));
      want[i][k] = static_cast<T>(a[i][k] + b[i][k]);
    }
  check::Array<Vector<T, N>> da(a), db(b), out(n);
  add_vectors<<<3, 33>>>(da.data(), db.data(), out.data());
  check::equal("add_vectors", out.get(), want);
}

int main() {
  test_vectors<int, 1>();
  test_vectors<int, 5>();
  test_vectors<float, 4>();
  test_vectors<double, 3>();
  test_vectors<signed char, 7>();
  check::Random random(61);
  const int n = 1009;
  const auto in = random.integers<int>(n, -100, 100);
  check::Array<int> source(in), out(n);
  std::vector<int> want(n);
  transform<<<3, 97>>>(source.data(), out.data(), n, Square());
  for (int i = 0; i < n; ++i) want[i] = in[i] * in[i];
  check::equal("Square", out.get(), want);
  transform<<<3, 97>>>(source.data(), out.data(), n, Chain<AddSome, Square>{{7}, {}});
  for (int i = 0; i < n; ++i) want[i] = (in[i] + 7) * (in[i] + 7);
  check::equal("Chain", out.get(), want);
  transform<Chain<Square, Chain<AddSome, AddSome>>>
      <<<3, 97>>>(source.data(), out.data(), n, {Square(), {{1}, {2}}});
  for (int i = 0; i < n; ++i) want[i] = in[i] * in[i] + 3;
  check::equal("nested Chain", out.get(), want);
  {
    check::Array<int> sums(32);
    packs<<<1, 32>>>(sums.data(), 1, 2.5f, static_cast<short>(3), 4ll, 'a');
    check::equal("packs", sums.get(), std::vector<int>(32, (1 + 2 + 3 + 4 + 97) * 10 + 5));
    packs<<<1, 32>>>(sums.data());
    check::equal("empty pack", sums.get(), std::vector<int>(32, 0));
  }
  {
    const auto values = random.integers<float>(128, -50, 50);
    check::Array<float> source_f(values), out_f(128);
    select<float, true><<<2, 64>>>(source_f.data(), out_f.data());
    std::vector<float> want_f(128);
    for (int i = 0; i < 128; ++i) want_f[i] = -values[i];
    check::equal("select true", out_f.get(), want_f);
    select<float, false><<<2, 64>>>(source_f.data(), out_f.data());
    for (int i = 0; i < 128; ++i) want_f[i] = values[i / 64 * 64 + 63 - i % 64];
    check::equal("select false", out_f.get(), want_f);
    template_template<Vector><<<2, 64>>>(out_f.data());
    for (int i = 0; i < 128; ++i) want_f[i] = static_cast<float>(i % 64 % 3 + 1);
    check::equal("template_template", out_f.get(), want_f);
  }
  {
    check::Array<int> sums(2 * 33);
    unrolled<7><<<2, 33>>>(sums.data());
    std::vector<int> want_sums(2 * 33);
    for (int i = 0; i < 2 * 33; ++i) {
      want_sums[i] = 1 + 10 + 21;
      for (int k = 0; k < 7; ++k) want_sums[i] += power(3, (k + i % 33) % 7 % 5) * k;
    }
    check::equal("unrolled", sums.get(), want_sums);
  }
  return check::finish();
}
