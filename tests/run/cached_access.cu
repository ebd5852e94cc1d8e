// Loads and stores with cache hints, fences and volatile access.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Memory | __ldg, __ldcg, __ldca, __ldcs, __ldlu, __ldcv on scalars and vectors
// FEATURE: Memory | __stwb, __stcg, __stcs, __stwt
// FEATURE: Memory | __threadfence, __threadfence_block, __threadfence_system; volatile pointers
#include "check.h"

__global__ void loads(const int* i4, const float4* f4, const double* d8, const unsigned char* u1,
                      const long long* l8, double* out) {
  const int i = check::global_index();
  const float4 v = __ldg(&f4[i]);
  const float4 w = __ldcs(&f4[i]);
  const float4 x = __ldcg(&f4[i]);
  out[i * 4] = __ldg(&i4[i]) + 2.0 * __ldcg(&i4[i]) + 3.0 * __ldca(&i4[i]) + 4.0 * __ldcs(&i4[i]);
  out[i * 4 + 1] = v.x + v.y * 2 + w.z * 4 + x.w * 8;
  out[i * 4 + 2] = __ldg(&d8[i]) + __ldcs(&d8[i]) + __ldlu(&d8[i]) + __ldcv(&d8[i]);
  out[i * 4 + 3] = __ldg(&u1[i]) + static_cast<double>(__ldg(&l8[i]));
}

__global__ void stores(int* a, float4* b, double* c, float* d) {
  const int i = check::global_index();
  __stcs(&a[i], i * 3);
  __stwb(&b[i], make_float4(i, i + 1, i + 2, i + 3));
  __stcg(&c[i], i * 0.5);
  __stwt(&d[i], -1.0f * i);
}

__global__ void fences(volatile int* a, int* out) {
  __shared__ volatile int cells[1024];
  const int t = check::thread_index(), n = check::thread_count();
  cells[t] = t;
  __threadfence_block();
  __syncthreads();
  const int i = blockIdx.x * n + t;
  a[i] = cells[n - 1 - t];
  __threadfence();
  a[i] = a[i] + 1;
  __threadfence_system();
  out[i] = a[i] * 2;
}

int main() {
  check::Random random(109);
  for (dim3 block : check::few_block_shapes()) {
    const int threads = check::volume(block), n = threads * 2;
    const auto i4 = random.integers<int>(n, -1000, 1000);
    const auto d8 = random.integers<double>(n, -1000, 1000);
    const auto u1 = random.integers<unsigned char>(n, 0, 255);
    const auto l8 = random.integers<long long>(n, -1ll << 40, 1ll << 40);
    std::vector<float4> f4(n);
    for (int i = 0; i < n; ++i) f4[i] = make_float4(i, i + 1, i + 2, -i);
    check::Array<int> di4(i4), a(n), o(n);
    check::Array<double> dd8(d8), out(n * 4), c(n);
    check::Array<unsigned char> du1(u1);
    check::Array<long long> dl8(l8);
    check::Array<float4> df4(f4), b(n);
    check::Array<float> d(n);
    loads<<<2, block>>>(di4.data(), df4.data(), dd8.data(), du1.data(), dl8.data(), out.data());
    std::vector<double> want(n * 4);
    for (int i = 0; i < n; ++i) {
      want[i * 4] = i4[i] * 10.0;
      want[i * 4 + 1] = i + (i + 1) * 2 + (i + 2) * 4 - i * 8;
      want[i * 4 + 2] = d8[i] * 4;
      want[i * 4 + 3] = u1[i] + static_cast<double>(l8[i]);
    }
    check::equal(check::name("loads", block), out.get(), want);
    stores<<<2, block>>>(a.data(), b.data(), c.data(), d.data());
    std::vector<int> wa(n), wo(n);
    std::vector<float4> wb(n);
    std::vector<double> wc(n);
    std::vector<float> wd(n);
    for (int i = 0; i < n; ++i) {
      wa[i] = i * 3;
      wb[i] = make_float4(i, i + 1, i + 2, i + 3);
      wc[i] = i * 0.5;
      wd[i] = -i;
      wo[i] = (threads - 1 - i % threads + 1) * 2;
    }
    check::equal("stcs", a.get(), wa);
    check::equal("stwb", b.get(), wb);
    check::equal("stcg", c.get(), wc);
    check::equal("stwt", d.get(), wd);
    fences<<<2, block>>>(a.data(), o.data());
    check::equal(check::name("fences", block), o.get(), wo);
  }
  return check::finish();
}
