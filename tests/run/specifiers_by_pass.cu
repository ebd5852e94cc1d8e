// Execution specifiers that a macro gives in one pass only, and overloads for one side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | specifiers given only where __CUDA_ARCH__ is defined: functions, members, constructors, operators, templates
#include "check.h"

#ifdef __CUDA_ARCH__
#define BOTH __host__ __device__
#define HERE __device__
#else
#define BOTH
#define HERE
#endif

BOTH int twice(int x) { return 2 * x; }
BOTH double twice(double x) { return 2 * x + 0.5; }

// One name, two bodies: which one a pass sees is the macro's choice.
HERE inline int side() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

struct Vector {
  int x, y;
  BOTH Vector(int a, int b) : x(a), y(b) {}
  BOTH ~Vector() {}
  BOTH int length() const { return (x < 0 ? -x : x) + (y < 0 ? -y : y); }
  BOTH Vector operator-() const { return Vector(-x, -y); }
  BOTH Vector& operator+=(const Vector& other) {
    x += other.x;
    y += other.y;
    return *this;
  }
  BOTH static Vector unit() { return Vector(1, 1); }
  BOTH explicit operator bool() const { return x != 0; }
  BOTH int value() const { return *this ? 100 * x + y : y; }
};

BOTH Vector operator+(Vector a, const Vector& b) { return a += b; }

template <class T, int N>
struct Stack {
  T items[N];
  int count;
  BOTH Stack() : count(0) {}
  BOTH void push(T item) { items[count++] = item; }
  BOTH T pop() { return items[--count]; }
};

template <class T>
BOTH T largest(T a, T b) {
  return a < b ? b : a;
}

template <class F>
__global__ void fill(int* out, int n, F function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vector v(i, -3 * i);
  Vector w = -v + Vector::unit();
  Stack<int, 4> stack;
  stack.push(twice(i));
  stack.push(largest(i, 50));
  const int top = stack.pop();
  out[i] = v.length() + w.value() + top + 1000 * stack.pop() + static_cast<int>(twice(i + 0.0)) +
           side() + function(i);
}

int main() {
  const int n = 301;
  check::Array<int> out(n);
  fill<<<3, 128>>>(out.data(), n, [] __device__(int i) { return twice(i) + side(); });
  KERNEL_OK();
  std::vector<int> want;
  for (int i = 0; i < n; ++i) {
    const int sum = 100 * (1 - i) + 1 + 3 * i;
    want.push_back(4 * i + sum + (i > 50 ? i : 50) + 2000 * i + 2 * i + 1 + 2 * i + 1);
  }
  check::equal("kernel", out.get(), want);
  Vector v(7, -2);
  Stack<double, 3> stack;
  stack.push(twice(1.5));
  CHECK(v.length() == 9 && (-v + Vector::unit()).x == -6 && twice(21) == 42 && side() == 2);
  CHECK(stack.pop() == 3.5 && largest(2, 3) == 3);
  return check::finish();
}
