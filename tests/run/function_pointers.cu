// Device function pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Functions and classes | function pointers: __device__ and __constant__ tables, struct members, arguments of device functions
// FEATURE: Functions and classes | function pointers handed to the host with cudaMemcpyFromSymbol and back as kernel arguments
// FEATURE: Functions and classes | divergent indirect calls
#include "check.h"

using Operation = float (*)(float, float);

__device__ float add(float a, float b) { return a + b; }
__device__ float multiply(float a, float b) { return a * b; }
__device__ float smaller(float a, float b) { return a < b ? a : b; }
__device__ float second(float, float b) { return b; }

__device__ Operation table[4] = {add, multiply, smaller, second};
__constant__ Operation constant_table[2] = {second, add};
__device__ Operation exported = multiply;

struct Step {
  Operation operation;
  float operand;
};
__device__ const Step program[3] = {{add, 3.0f}, {multiply, 2.0f}, {smaller, 50.0f}};

__device__ float apply(Operation operation, float a, float b) { return operation(a, b); }
template <float (*F)(float, float)>
__device__ float apply_constant(float a, float b) {
  return F(a, b);
}

__global__ void calls(const float* a, const float* b, const int* which, float* out) {
  const int i = check::global_index();
  float r = table[which[i]](a[i], b[i]);  // differs from thread to thread
  r = constant_table[which[i] % 2](r, b[i] + 1);
  for (const Step& step : program) r = step.operation(r, step.operand);
  r = apply(which[i] > 1 ? add : multiply, r, b[i]);
  out[i] = apply_constant<smaller>(r, 1000.0f);
}

__global__ void from_host(Operation operation, const float* a, const float* b, float* out) {
  const int i = check::global_index();
  out[i] = operation(a[i], b[i]);
}

__device__ Operation pick(int which) {
  switch (which) {
    case 0:
      return add;
    case 1:
      return multiply;
    default:
      return nullptr;
  }
}
__global__ void returned(const float* a, float* out) {
  const int i = check::global_index();
  Operation operation = pick(i % 3);
  out[i] = operation ? operation(a[i], 2.0f) : -1.0f;
}

int main() {
  check::Random random(59);
  for (dim3 block : check::few_block_shapes()) {
    const int n = check::volume(block) * 2;
    const auto a = random.integers<float>(n, -20, 20), b = random.integers<float>(n, -20, 20);
    const auto which = random.integers<int>(n, 0, 3);
    check::Array<float> da(a), db(b), out(n);
    check::Array<int> dw(which);
    calls<<<2, block>>>(da.data(), db.data(), dw.data(), out.data());
    const auto reference = [](int k, float x, float y) {
      return k == 0 ? x + y : k == 1 ? x * y : k == 2 ? std::fmin(x, y) : y;
    };
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) {
      float r = reference(which[i], a[i], b[i]);
      r = which[i] % 2 == 0 ? b[i] + 1 : r + b[i] + 1;
      r = std::fmin((r + 3) * 2, 50.0f);
      r = which[i] > 1 ? r + b[i] : r * b[i];
      want[i] = std::fmin(r, 1000.0f);
    }
    check::equal(check::name("calls", block), out.get(), want);

    Operation operation = nullptr;
    CUDA_OK(cudaMemcpyFromSymbol(&operation, exported, sizeof operation));
    CHECK(operation != nullptr);
    from_host<<<2, block>>>(operation, da.data(), db.data(), out.data());
    for (int i = 0; i < n; ++i) want[i] = a[i] * b[i];
    check::equal(check::name("exported", block), out.get(), want);
    Operation all[4];
    CUDA_OK(cudaMemcpyFromSymbol(all, table, sizeof all));
    for (int k = 0; k < 4; ++k) {
      from_host<<<2, block>>>(all[k], da.data(), db.data(), out.data());
      for (int i = 0; i < n; ++i) want[i] = reference(k, a[i], b[i]);
      check::equal(check::name("from table", block), out.get(), want);
    }
    returned<<<2, block>>>(da.data(), out.data());
    for (int i = 0; i < n; ++i) want[i] = i % 3 == 0 ? a[i] + 2 : i % 3 == 1 ? a[i] * 2 : -1;
    check::equal(check::name("returned", block), out.get(), want);
  }
  return check::finish();
}
