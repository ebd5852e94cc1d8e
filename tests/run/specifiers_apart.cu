// Execution specifiers that stand on some declarations of a function only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | execution specifiers on the declaration or the definition only, of members, constructors, operators, friends, templates, specialisations; united as nvcc does
#include <complex>

#include "check.h"

// Each function below has a value of its own, so that a wrong one shows. The host's own are
// written by hand further down.

// Free functions: on the first, on the last, a side on each, on the third of four.
__host__ __device__ int first_only(int x);
int last_only(int x);
__device__ int side_each(int x);
int third_only(int x);
int third_only(int x);
__host__ __device__ int third_only(int x);
extern "C" __host__ __device__ int c_linkage(int x);
namespace outer {
inline namespace version {
__host__ __device__ int in_namespace(int x);
}
}  // namespace outer

int first_only(int x) { return x * 2 + 1; }
__host__ __device__ int last_only(int x) { return x * 3 + 2; }
__host__ int side_each(int x) { return x * 5 + 3; }
int third_only(int x) { return x * 7 + 4; }
extern "C" int c_linkage(int x) { return x * 11 + 5; }
int outer::in_namespace(int x) { return x * 13 + 6; }

// Overloads keep apart: by type, not by side.
__host__ __device__ int overloaded(int x);
__host__ __device__ int overloaded(double x);
int overloaded(unsigned x) { return static_cast<int>(x) + 900; }
int overloaded(int x) { return x + 700; }
int overloaded(double x) { return static_cast<int>(x) + 800; }

struct Walker {
  int at;
  static int made;
  __host__ __device__ explicit Walker(int begin);
  Walker(const Walker& other);
  __host__ __device__ ~Walker();
  __host__ __device__ Walker& operator=(const Walker& other);
  __host__ __device__ Walker& operator+=(int by);
  __host__ __device__ int operator()(int x) const;
  __host__ __device__ int operator[](int i) const&;
  __host__ __device__ operator bool() const;
  int plain() const;
  __device__ int device_side() const;
  __host__ __device__ static int of_class(int x);
  template <class T>
  __host__ __device__ T member_template(T x) const;
  template <class T>
  T other_template(T x) const;
  friend __host__ __device__ bool operator==(const Walker& a, const Walker& b);
  friend Walker operator-(const Walker& a);
  struct Inner {
    __host__ __device__ int deep(int x) const noexcept;
  };
};
inline Walker::Walker(int begin) : at(begin + 1) {}
__host__ __device__ inline Walker::Walker(const Walker& other) : at(other.at) {}
inline Walker::~Walker() { at = -1; }
Walker& Walker::operator=(const Walker& other) {
  at = other.at;
  return *this;
}
inline Walker& Walker::operator+=(int by) {
  at += by;
  return *this;
}
int Walker::operator()(int x) const { return at * x; }
int Walker::operator[](int i) const& { return at - i; }
Walker::operator bool() const { return at > 10; }
__host__ __device__ int Walker::plain() const { return at + 50; }
int Walker::device_side() const { return at + 60; }
int Walker::of_class(int x) { return x + 70; }
template <class T>
T Walker::member_template(T x) const {
  return x * T(at);
}
template <class T>
__host__ __device__ T Walker::other_template(T x) const {
  return x - T(at);
}
bool operator==(const Walker& a, const Walker& b) { return a.at == b.at; }
__host__ __device__ Walker operator-(const Walker& a) { return Walker(-a.at - 1); }
int Walker::Inner::deep(int x) const noexcept { return x + 80; }

// Class templates, their members, member templates, friends.
template <class T, int N>
struct Cell;
template <class T, int N>
__host__ __device__ T first(const Cell<T, N>& a);
template <class T, int N>
struct Cell {
  T v[N];
  __host__ __device__ Cell(T x);
  __host__ __device__ T sum() const;
  T product() const;
  template <class U>
  __host__ __device__ Cell<U, N> as() const;
  template <class U>
  friend __host__ __device__ U inner(const Cell<U, 3>& a, const Cell<U, 3>& b);
  template <class U, int M>
  friend U last(const Cell<U, M>& a);
  friend T first<>(const Cell& a);
};
template <class T, int N>
Cell<T, N>::Cell(T x) {
  for (int i = 0; i < N; ++i) v[i] = x + T(i);
}
template <class T, int N>
T Cell<T, N>::sum() const {
  T s = 0;
  for (int i = 0; i < N; ++i) s += v[i];
  return s;
}
template <class T, int N>
__host__ __device__ T Cell<T, N>::product() const {
  T p = 1;
  for (int i = 0; i < N; ++i) p *= v[i];
  return p;
}
template <class T, int N>
template <class U>
Cell<U, N> Cell<T, N>::as() const {
  return Cell<U, N>(U(v[0]));
}
template <class U>
U inner(const Cell<U, 3>& a, const Cell<U, 3>& b) {
  return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}
template <class U, int M>
__host__ __device__ U last(const Cell<U, M>& a) {
  return a.v[M - 1];
}

template <class T, int N>
T first(const Cell<T, N>& a) {
  return a.v[0];
}

// Templates: declared with, defined without, and the other way round.
template <class T>
__host__ __device__ T half(T x);
template <class T>
T half(T x) {
  return x / T(2);
}
template <class... T>
int count(T... x);
template <class... T>
__host__ __device__ int count(T... x) {
  return static_cast<int>(sizeof...(x));
}

// Specialisations: fewer, more and other specifiers than their template.
template <class T>
__host__ __device__ T unit() {
  return T(1);
}
template <>
int unit<int>() {
  return 7;
}
template <>
__device__ float unit<float>() {
  return 2.5f;
}
template <class T>
__device__ int other_side(T) {
  return 1;
}
template <>
__host__ int other_side<short>(short) {
  return 2;
}
template <class T>
int none(T) {
  return 3;
}
template <>
__host__ __device__ int none(char) {
  return 4;
}
template <class T>
__host__ __device__ int declared_first(T x);
template <>
int declared_first<long>(long x);
template <class T>
int declared_first(T x) {
  return static_cast<int>(x) + 1;
}
template <>
int declared_first<long>(long x) {
  return static_cast<int>(x) + 2;
}
template <class T>
struct Traits {
  __host__ __device__ static int id();
  template <class U>
  __host__ __device__ static int pair(U);
};
template <class T>
int Traits<T>::id() {
  return 100;
}
template <class T>
template <class U>
int Traits<T>::pair(U) {
  return 200;
}
template <>
int Traits<float>::id() {
  return 101;
}
template <>
template <>
int Traits<float>::pair<int>(int) {
  return 201;
}

// Templates without specifiers that are constexpr, or of the standard library: so are their
// specialisations.
struct Half {
  float value;
};
template <class T>
constexpr T one() {
  return T(1);
}
template <>
constexpr Half one<Half>() {
  return {1.5f};
}
template <>
inline short one<short>() {
  return 12;
}
template <class T>
struct Pair {
  T first, second;
  template <class U>
  constexpr Pair& operator=(const Pair<U>& other) {
    return first = other.first, second = other.second, *this;
  }
};
template <>
template <>
constexpr Pair<double>& Pair<double>::operator=(const Pair<Half>& other) {
  return first = other.second.value, second = other.first.value, *this;
}
namespace std {
template <>
class complex<Half> {
 public:
  float real() const { return 3; }
  float imag() const { return 4; }
};
template <>
inline complex<double>& complex<double>::operator=(const complex<Half>& other) {
  return *this = complex<double>(other.imag(), other.real());
}
}  // namespace std

void check_constexpr_templates() {
  static_assert(one<long>() == 1 && one<Half>().value == 1.5f);
  CHECK_EQ(one<short>(), 12);
  Pair<double> pair = {0, 0};
  pair = Pair<Half>{{2}, {3}};
  CHECK_EQ(pair.first, 3);
  CHECK_EQ(pair.second, 2);
  pair = Pair<int>{5, 6};
  CHECK_EQ(pair.first, 5);
  std::complex<double> number;
  number = std::complex<Half>();
  CHECK_EQ(number.real(), 4);
  CHECK_EQ(number.imag(), 3);
}
__global__ void constant_of_specialisation(float* out) {
  constexpr Half half = one<Half>();
  *out = half.value + sizeof(char[one<long>() + 1]);
}

// Used before the declaration that says that it is for the device.
int late(int x);
struct Late {
  int v;
  int get() const;
};
__global__ void before(int* out) {
  Late l{4};
  out[0] = late(5);
  out[1] = l.get();
}
inline __host__ __device__ int through(int x) { return late(x) * 2; }
__host__ __device__ int late(int x) { return x + 1000; }
__host__ __device__ int Late::get() const { return v + 2000; }
int defined_first(int x) { return x + 3000; }
__host__ __device__ int defined_first(int x);
template <class T>
__host__ __device__ T inline_later(T x) {
  return x + T(4000);
}
template <class T>
inline T inline_later(T x);

// A host's function of HD kind that no kernel reaches may use the host's library.
__host__ __device__ int is_set(const char* name) { return std::getenv(name) != nullptr; }

struct Values {
  int v[48];
  int n = 0;
  __host__ __device__ void add(int x) { v[n++] = x; }
};

__host__ __device__ void call_all(Values& out) {
  out.add(first_only(3));
  out.add(last_only(3));
  out.add(side_each(3));
  out.add(third_only(3));
  out.add(c_linkage(3));
  out.add(outer::in_namespace(3));
  out.add(overloaded(3));
  out.add(overloaded(3.5));
  Walker w(4);
  Walker copy(w);
  w += 7;
  copy = w;
  out.add(copy.at);
  out.add(w(3));
  out.add(w[5]);
  out.add(w ? 1 : 0);
  out.add(w.plain());
  out.add(Walker::of_class(1));
  out.add(static_cast<int>(w.member_template(1.5)));
  out.add(w.other_template(100));
  out.add(w == copy ? 11 : 12);
  out.add((-w).at);
  out.add(Walker::Inner().deep(2));
  Cell<int, 3> c(2);
  out.add(c.sum());
  out.add(c.product());
  out.add(static_cast<int>(c.as<double>().sum()));
  out.add(inner(c, Cell<int, 3>(1)));
  out.add(last(c));
  out.add(first(c));
  out.add(half(9));
  out.add(count(1, 2.0, 'c'));
  out.add(unit<int>());
  out.add(static_cast<int>(unit<double>()));
  out.add(static_cast<int>(unit<float>() * 2));
  out.add(other_side<short>(1));
  out.add(none('c'));
  out.add(declared_first(5L));
  out.add(declared_first(5));
  out.add(Traits<int>::id());
  out.add(Traits<float>::id());
  out.add(Traits<int>::pair(1));
  out.add(Traits<float>::pair(1));
  out.add(late(1));
  out.add(through(1));
  out.add(defined_first(1));
  out.add(inline_later(1));
}

constexpr int expected[] = {7,   11,  18,  25,  38,   45,   703,  803,  // free functions
                            12,  36,  7,   1,   62,   71,   18,   88,  11,
                            -12, 82,                      // Walker(4).at is 5, then 12
                            9,   24,  9,   20,  4,    2,  // 2 3 4, times 1 2 3
                            4,   3,   7,   1,   5,    2,    4,    7,   6,  // templates
                            100, 101, 200, 201, 1001, 2002, 3001, 4001};

__global__ void kernel(Values* out, int* device_only) {
  call_all(*out);
  Walker w(1);
  device_only[0] = w.device_side();
  device_only[1] = other_side(1.0);
}

int main() {
  Values on_host;
  call_all(on_host);
  Values* on_device;
  int* out;
  CUDA_OK(cudaMallocManaged(&on_device, sizeof *on_device));
  CUDA_OK(cudaMallocManaged(&out, 4 * sizeof *out));
  std::memset(static_cast<void*>(on_device), 0x5a, sizeof *on_device);
  std::memset(out, 0x5a, 4 * sizeof *out);
  on_device->n = 0;
  kernel<<<1, 1>>>(on_device, out);
  before<<<1, 1>>>(out + 2);
  KERNEL_OK();
  constexpr int count_of_all = sizeof expected / sizeof *expected;
  CHECK_EQ(on_host.n, count_of_all);
  CHECK_EQ(on_device->n, count_of_all);
  for (int i = 0; i < count_of_all; ++i) {
    CHECK_EQ(on_host.v[i], expected[i]);
    CHECK_EQ(on_device->v[i], expected[i]);
  }
  check_constexpr_templates();
  check::Array<float> constant(1);
  constant_of_specialisation<<<1, 1>>>(constant.data());
  check::equal("a constant", constant.get(), std::vector<float>{3.5f});
  CHECK_EQ(out[0], 62);
  CHECK_EQ(out[1], 1);
  CHECK_EQ(out[2], 1005);
  CHECK_EQ(out[3], 2004);
  CHECK_EQ(overloaded(3u), 903);
  CHECK_EQ(is_set("GRIDSPAN_NO_SUCH_NAME"), 0);
  cudaFree(on_device);
  cudaFree(out);
  return check::finish();
}
