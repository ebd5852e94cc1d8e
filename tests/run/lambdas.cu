// Lambdas in device code and as kernel arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: --extended-lambda
// FEATURE: Functions and classes | extended lambdas: __device__ and __host__ __device__, by-value captures, passed to kernels
// FEATURE: Functions and classes | the traits of extended lambdas (`__nv_is_extended_device_lambda_closure_type` …), as libraries ask them before they take the type of a result
// FEATURE: Functions and classes | lambdas inside kernels: captures by reference, generic, immediately called
#include "check.h"

template <class F>
__global__ void for_each(int n, F f) {
  for (int i = check::global_index(); i < n; i += gridDim.x * check::thread_count()) f(i);
}

template <class F>
void launch(int n, F f) {
  for_each<<<5, 97>>>(n, f);
  KERNEL_OK();
}

__global__ void inside(const int* in, int* out) {
  __shared__ int cells[1024];
  const int t = check::thread_index(), n = check::thread_count(), i = check::global_index();
  int sum = 0;
  const auto accumulate = [&sum](int x) { sum += x; };
  const auto swap_with = [&](int other, auto value) {
    __syncthreads();
    cells[t] = static_cast<int>(value);
    __syncthreads();
    return cells[other];
  };
  accumulate(in[i]);
  accumulate(swap_with(n - 1 - t, in[i]));
  accumulate(swap_with((t + 1) % n, 2.75f * t));
  const int constant = [] { return 42; }();
  int mutable_count = 0;
  auto counter = [mutable_count]() mutable { return ++mutable_count; };
  counter();
  counter();
  out[i] = sum + constant + counter() * 100000 + mutable_count;
}

/// What a library asks before host code uses the type of a closure's result.
template <class F>
auto on_host(F f) -> decltype(f(1)) {
  static_assert(!__nv_is_extended_device_lambda_closure_type(F) ||
                    __nv_is_extended_host_device_lambda_closure_type(F) ||
                    __nv_is_extended_device_lambda_with_preserved_return_type(F),
                "its result has no type on the host");
  return f(1);
}

/// Host code that runs only what it can call, as AMReX does: the answer decides between overloads.
template <class F>
std::enable_if_t<!__nv_is_extended_device_lambda_closure_type(F), int> where_it_can(F f) {
  return f(2);
}
template <class F>
std::enable_if_t<__nv_is_extended_device_lambda_closure_type(F), int> where_it_can(F) {
  return -1;
}

struct DeviceFunctor {
  __device__ int operator()(int x) const { return x; }
};
template <class A, class B>
struct Two {
  __host__ __device__ int operator()(int x) const { return x; }
};

/// Each question about each kind of closure; both sides give the same answer.
template <class F>
__global__ void ask(int* answer) {
  *answer = __nv_is_extended_device_lambda_closure_type(F) +
            2 * __nv_is_extended_host_device_lambda_closure_type(F) +
            4 * __nv_is_extended_device_lambda_with_preserved_return_type(F);
}
template <class F>
void answers(const char* name, int want, const F&) {
  CHECK_EQ(__nv_is_extended_device_lambda_closure_type(F) +
               2 * __nv_is_extended_host_device_lambda_closure_type(F) +
               4 * __nv_is_extended_device_lambda_with_preserved_return_type(F),
           want);
  check::Array<int> answer(1);
  ask<F><<<1, 1>>>(answer.data());
  check::equal(name, answer.get(), std::vector<int>{want});
}

void traits(int shift) {
  answers("device", 5, [=] __device__(int x) { return x + shift; });
  answers("device, void", 5, [=] __device__(int, float*) {});
  answers("device, nothrow", 5, [=] __device__(int x) noexcept -> long { return x + shift; });
  answers("device, mutable", 5, [=] __device__(int x) mutable { return x + shift++; });
  answers("device, nothing captured", 5, [] __device__(int x) { return x; });
  answers("device, nothing captured, nothrow", 5, [] __device__() noexcept { return 1; });
  answers("both", 0, [=] __host__ __device__(int x) { return x + shift; });
  answers("both, nothing captured", 0, [] __host__ __device__(int x) { return x; });
  answers("host", 0, [=](int x) { return x + shift; });
  answers("host, nothing captured", 0, [](int x) { return x; });
  answers("generic", 0, [](auto x) { return x.member; });
  answers("functor", 0, DeviceFunctor());
  answers("number", 0, 1);
  const auto inner = [=] __device__(int x) { return x + shift; };
  using Inner = decltype(inner);
  answers("class of closures", 0, Two<Inner, Inner>());
  static_assert(!__nv_is_extended_device_lambda_closure_type(Two<Inner, int>), "a comma");
  CHECK_EQ(where_it_can([=] __device__(int x) { return x + shift; }), -1);
  CHECK_EQ(where_it_can([=] __host__ __device__(int x) { return x + shift; }), 2 + shift);
}

struct Scale {
  float factor;
  int table[9];
};

int main() {
  traits(11);
  const int n = 1009;
  check::Random random(67);
  const auto in = random.integers<int>(n, -100, 100);
  check::Array<int> source(in), out(n);
  std::vector<int> want(n);
  {
    const int* a = source.data();
    int* o = out.data();
    const int shift = 5;
    launch(n, [=] __device__(int i) { o[i] = a[i] * shift; });
    for (int i = 0; i < n; ++i) want[i] = in[i] * 5;
    check::equal("device lambda", out.get(), want);
    CHECK_EQ(on_host([=] __host__ __device__(int i) { return 0.5 * i * shift; }), 2.5);

    Scale scale{0.5f, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
    auto both = [=] __host__ __device__(int x) {
      return static_cast<int>(x * scale.factor * 2) + scale.table[(x + 900) % 9];
    };
    launch(n, [=] __device__(int i) { o[i] = both(a[i]); });
    for (int i = 0; i < n; ++i) want[i] = both(in[i]);
    check::equal("host and device lambda", out.get(), want);
    for (int i = 0; i < n; ++i) want[i] = in[i] + (in[i] + 900) % 9 + 1;
    check::equal("host and device lambda against plain", out.get(), want);
  }
  for (dim3 block : check::few_block_shapes()) {
    const int threads = check::volume(block);
    const auto data = random.integers<int>(threads * 2, -100, 100);
    check::Array<int> s(data), o(threads * 2);
    inside<<<2, block>>>(s.data(), o.data());
    std::vector<int> w(threads * 2);
    for (int i = 0; i < threads * 2; ++i) {
      const int t = i % threads, base = i - t;
      w[i] = data[i] + data[base + threads - 1 - t] +
             static_cast<int>(2.75f * ((t + 1) % threads)) + 42 + 300000;
    }
    check::equal(check::name("inside", block), o.get(), w);
  }
  return check::finish();
}
