// Rows and columns by division of a linear index, and subscripts made of them again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Arithmetic | subscripts made of the quotient and the remainder of one index
//
// Every subscript stays within its array. The host computes the same expressions; divisions by zero
// have the results of GPUs.
#include "check.h"

using U = unsigned;

template <class T>
__host__ __device__ T quotient(T a, T b) {
#ifdef __CUDA_ARCH__
  return a / b;
#else
  return b == 0 ? T(-1) : b == T(-1) && T(-1) < 0 ? -a : a / b;
#endif
}
template <class T>
__host__ __device__ T remainder(T a, T b) {
#ifdef __CUDA_ARCH__
  return a % b;
#else
  return b == 0 ? a : b == T(-1) && T(-1) < 0 ? 0 : a % b;
#endif
}

constexpr int margin = 3000;  // in front of and behind what is meant

/// Neighbours in the plane, as explicit methods for partial differential equations write them.
template <class T>
__host__ __device__ U stencil(const U* a, T index, T n) {
  const T i = remainder(index, n), j = quotient(index, n);
  U sum = 3 * a[i + j * n];
  if (i < n - 1) sum += 5 * a[(i + 1) + j * n];
  if (i > 0) sum += 7 * a[i - 1 + j * n];
  if (j < n - 1) sum += 11 * a[i + (j + 1) * n];
  if (j > 0) sum += 13 * a[(j - 1) * n + i];
  return sum;
}
/// What looks like it, but is not: another divisor, another factor, another dividend, the quotient
/// of a shifted index.
template <class T>
__host__ __device__ U unlike(const U* a, T index, T n) {
  const T i = remainder(index, n), j = quotient(index, n);
  U sum = a[i + quotient(index, T(n + 1)) * n];
  sum += 3 * a[i + j * (n + 1)];
  sum += 5 * a[i + quotient(T(index + 1), n) * n];
  sum += 7 * a[2 * i + j * n];
  sum += 11 * a[j + i];
  return sum;
}
/// Numbers of several digits, in both usual forms, and constants.
template <class T>
__host__ __device__ U digits(const U* a, T index, T rows, T columns) {
  const T x = remainder(index, columns), y = remainder(quotient(index, columns), rows);
  const T z = quotient(quotient(index, columns), rows);
  U sum = a[(z * rows + y) * columns + x];
  sum += 3 * a[z * (rows * columns) + y * columns + x + 1];
  sum += 5 * a[index / 12 * 12 + index % 12 - 2];
  sum += 7 * a[index / 100 % 10 * 100 + index / 10 % 10 * 10 + index % 10 + index / 1000 * 1000];
  return sum;
}
/// Widened, as for arrays of more than 4 GiB.
template <class T, class Wide>
__host__ __device__ U wide(const U* a, T index, T n) {
  const T i = remainder(index, n), j = quotient(index, n);
  return a[Wide(j) * n + i] +
         3 * a[static_cast<Wide>(j) * static_cast<Wide>(n) + static_cast<Wide>(i) + 1];
}

enum class Form { stencil, unlike, digits, wide_signed, wide };

template <Form form, class T>
__host__ __device__ U value(const U* a, T index, T n) {
  if constexpr (form == Form::stencil) return stencil(a, index, n);
  if constexpr (form == Form::unlike) return unlike(a, index, n);
  if constexpr (form == Form::digits) return digits(a, index, n, T(7));
  if constexpr (form == Form::wide_signed) return wide<T, long long>(a, index, n);
  return wide<T, std::size_t>(a, index, n);
}

template <Form form, class T>
__global__ void compute(U* out, const U* a, T shift, T n, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = value<form, T>(a + margin, T(i) + shift, n);
}

template <Form form, class T>
static void check_one(check::Random& random, const char* name, T shift, T n, int count) {
  const std::vector<U> a = random.integers<U>(count + 2 * margin, 0, 0x7fffffff);
  std::vector<U> want(count);
  check::Array<U> da(a), out(std::vector<U>(count, 0xa5a5a5a5));
  for (int i = 0; i < count; ++i) want[i] = value<form, T>(a.data() + margin, T(i) + shift, n);
  compute<form, T><<<(count + 127) / 128, 128>>>(out.data(), da.data(), shift, n, count);
  KERNEL_OK();
  check::equal(name, out.get(), want);
}

template <class T>
static void check_type(check::Random& random, const char* name) {
  for (const int n : {1, 2, 31, 64, 97})
    for (const int count : {1, n * n, 2003}) {
      const int whole = std::min(count, n * n);  // as the programs do
      check_one<Form::stencil, T>(random, name, 0, n, whole);
      check_one<Form::unlike, T>(random, name, 0, n, std::min(whole, 1500));
      check_one<Form::digits, T>(random, name, 2, n, count);
      if (T(-1) < 0) check_one<Form::wide_signed, T>(random, name, 0, n, count);
      check_one<Form::wide, T>(random, name, 0, n, count);
    }
}

/// No program means these, but GPUs agree on what they do.
static void check_odd_divisors(check::Random& random) {
  for (const int n : {0, -1, -7})
    check_one<Form::wide_signed, int>(random, "odd divisors", -50, n, 700);
  for (const int n : {0, -1, -13})
    check_one<Form::wide_signed, long long>(random, "odd divisors", -60, n, 700);
  check_one<Form::wide, U>(random, "no divisor", 0, 0, 700);
}

int main() {
  check::Random random(2027);
  check_type<int>(random, "int");
  check_type<U>(random, "unsigned");
  check_type<long long>(random, "long long");
  check_type<unsigned long long>(random, "unsigned long long");
  check_odd_divisors(random);
  return check::finish();
}
