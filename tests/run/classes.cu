// Classes and references in device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | constructors, destructors (RAII), operators, copy and move, static members, inheritance
// FEATURE: Functions and classes | references, pointers to members, default arguments, overloading, namespaces
#include "check.h"

class Complex {
 public:
  __host__ __device__ Complex(float re = 0, float im = 0) : re_(re), im_(im) {}
  __host__ __device__ Complex operator*(const Complex& o) const {
    return Complex(re_ * o.re_ - im_ * o.im_, re_ * o.im_ + im_ * o.re_);
  }
  __host__ __device__ Complex& operator+=(const Complex& o) {
    re_ += o.re_;
    im_ += o.im_;
    return *this;
  }
  __host__ __device__ float norm() const { return re_ * re_ + im_ * im_; }
  __host__ __device__ friend bool operator<(const Complex& a, const Complex& b) {
    return a.norm() < b.norm();
  }
  static __host__ __device__ Complex unit() { return Complex(0, 1); }

 private:
  float re_, im_;
};

// Counts its living instances in a cell, so that a missing or doubled destructor shows.
struct Guard {
  int& cell;
  int weight;
  __device__ Guard(int& c, int w) : cell(c), weight(w) { cell += weight; }
  __device__ Guard(const Guard& o) : cell(o.cell), weight(o.weight) { cell += weight; }
  __device__ Guard(Guard&& o) noexcept : cell(o.cell), weight(o.weight) { o.weight = 0; }
  __device__ ~Guard() { cell -= weight; }
};

__device__ int guarded(int t, int& cell) {
  Guard outer(cell, 1);
  if (t % 4 == 0) return cell;  // 1
  for (int i = 0; i < 3; ++i) {
    Guard inner(cell, 10);
    if (t % 4 == 1 && i == 1) continue;
    if (t % 4 == 2 && i == 2) return cell;  // 11
    Guard copy(inner);
    Guard moved(static_cast<Guard&&>(copy));
    if (t % 4 == 3 && i == 1) return cell;  // 21: outer, inner, moved (copy is empty)
  }
  return cell;  // 1
}

namespace outer {
namespace inner {
__device__ int scale(int x, int factor = 3) { return x * factor; }
}  // namespace inner
__device__ double scale(double x) { return x * 0.5; }
}  // namespace outer
namespace {
__device__ int hidden(int x) { return x - 1; }
}  // namespace

struct Base {
  static constexpr int offset = 7;
  int a;
  __device__ int get() const { return a + offset; }
};
struct Derived : Base {
  int b;
  __device__ int get() const { return Base::get() * b; }
};

__device__ void order(int& a, int& b) {
  if (b < a) {
    int x = a;
    a = b;
    b = x;
  }
}
__device__ int& select(int* values, int i) { return values[i]; }

__global__ void use(int* out, float* norms) {
  const int i = check::global_index();
  int cell = 0;
  int* o = out + i * 6;
  o[0] = guarded(i, cell);
  o[1] = cell;
  o[2] =
      outer::inner::scale(i) + outer::inner::scale(i, 2) + int(outer::scale(double(i))) + hidden(i);
  Derived d;
  d.a = i;
  d.b = 2;
  int Base::* member = &Base::a;
  int Derived::* second = &Derived::b;
  int (Derived::*method)() const = &Derived::get;
  o[3] = (d.*method)() + d.*member * (i % 2 ? d.*second : 1);
  int a = i % 7, b = i % 5;
  order(a, b);
  o[4] = a * 10 + b;
  int values[3] = {1, 2, 3};
  select(values, i % 3) += 40;
  select(values, (i + 1) % 3) = select(values, i % 3) * 2;
  o[5] = values[0] + 100 * values[1] + 10000 * values[2];
  Complex z(static_cast<float>(i % 5), 2.0f), sum;
  for (int k = 0; k < 3; ++k) {
    sum += z;
    z = z * Complex::unit();
  }
  norms[i] = (z < sum ? sum : z).norm();
}

int main() {
  for (dim3 block : check::few_block_shapes()) {
    const int n = check::volume(block) * 2;
    check::Array<int> out(n * 6);
    check::Array<float> norms(n);
    use<<<2, block>>>(out.data(), norms.data());
    std::vector<int> want(n * 6);
    std::vector<float> want_norms(n);
    for (int i = 0; i < n; ++i) {
      const int results[4] = {1, 1, 11, 21};
      int* o = &want[i * 6];
      o[0] = results[i % 4];
      o[1] = 0;
      o[2] = i * 3 + i * 2 + i / 2 + i - 1;
      o[3] = (i + 7) * 2 + i * (i % 2 ? 2 : 1);
      const int a = i % 7, b = i % 5;
      o[4] = (a < b ? a : b) * 10 + (a < b ? b : a);
      int values[3] = {1, 2, 3};
      values[i % 3] += 40;
      values[(i + 1) % 3] = values[i % 3] * 2;
      o[5] = values[0] + 100 * values[1] + 10000 * values[2];
      // z + iz - z = iz, so the sum has the norm of z.
      want_norms[i] = static_cast<float>(i % 5 * (i % 5) + 4);
    }
    check::equal(check::name("use", block), out.get(), want);
    check::equal(check::name("complex", block), norms.get(), want_norms);
  }
  return check::finish();
}
