// cuFFT beside FFTW (ESTIMATE), in turns, in one process. FFTW is looked for when the program runs;
// where there is none, only our own times are printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GRIDSPAN_DEVICES=cpu GRIDSPAN_THREADS=1 build/bench/libraries/fft [SECONDS] [FILTER]
//
// FFTW has one thread. Rates count 5 n log2 n operations for a complex transform, half of them for
// a real one.
#include <cuda_runtime.h>
#include <cufft.h>
#include <dlfcn.h>

#include "turns.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using bench::in_turns;

/// One precision's library: what is called of it.
struct Fftw {
  explicit Fftw(bool is_double) {
    const char* const name = is_double ? "libfftw3.so.3" : "libfftw3f.so.3";
    void* const library = dlopen(name, RTLD_NOW);
    if (!library) return;
    const std::string prefix = is_double ? "fftw_" : "fftwf_";
    const auto find = [&](auto& function, const char* what) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, (prefix + what).c_str()));
    };
    find(plan_complex, "plan_many_dft");
    find(plan_real, "plan_many_dft_r2c");
    find(execute, "execute");
    find(destroy, "destroy_plan");
  }
  void* (*plan_complex)(int, const int*, int, void*, const int*, int, int, void*, const int*, int,
                        int, int, unsigned) = nullptr;
  void* (*plan_real)(int, const int*, int, void*, const int*, int, int, void*, const int*, int, int,
                     unsigned) = nullptr;
  void (*execute)(void*) = nullptr;
  void (*destroy)(void*) = nullptr;
};

struct Case {
  std::vector<int> n;
  int batch;
  bool is_double = false, is_real = false;
};

void measure(const Case& c, double seconds, const Fftw& fftw) {
  long long size = 1;
  for (const int n : c.n) size *= n;
  const long long outputs = c.is_real ? size / c.n.back() * (c.n.back() / 2 + 1) : size;
  const std::size_t number = c.is_double ? 8 : 4;
  const std::size_t in_bytes = size * c.batch * number * (c.is_real ? 1 : 2),
                    out_bytes = outputs * c.batch * number * 2;
  void *in = nullptr, *out = nullptr;
  void* const host_in = std::aligned_alloc(64, (in_bytes + 63) / 64 * 64);
  void* const host_out = std::aligned_alloc(64, (out_bytes + 63) / 64 * 64);
  cudaMalloc(&in, in_bytes);
  cudaMalloc(&out, out_bytes);
  for (std::size_t i = 0; i < in_bytes / number; ++i) {
    const double x = std::rand() / (RAND_MAX + 1.0) - 0.5;
    if (c.is_double)
      static_cast<double*>(host_in)[i] = x;
    else
      static_cast<float*>(host_in)[i] = static_cast<float>(x);
  }
  cudaMemcpy(in, host_in, in_bytes, cudaMemcpyHostToDevice);
  std::memset(host_out, 0, out_bytes);
  cufftHandle plan;
  std::vector<int> n = c.n;
  const cufftType type =
      c.is_double ? (c.is_real ? CUFFT_D2Z : CUFFT_Z2Z) : (c.is_real ? CUFFT_R2C : CUFFT_C2C);
  if (cufftPlanMany(&plan, static_cast<int>(n.size()), n.data(), nullptr, 1, 0, nullptr, 1, 0, type,
                    c.batch) != CUFFT_SUCCESS) {
    std::printf("no plan\n");
    std::exit(1);
  }
  const auto ours = [&] {
    switch (type) {
      case CUFFT_Z2Z:
        cufftExecZ2Z(plan, static_cast<double2*>(in), static_cast<double2*>(out), CUFFT_FORWARD);
        break;
      case CUFFT_D2Z:
        cufftExecD2Z(plan, static_cast<double*>(in), static_cast<double2*>(out));
        break;
      case CUFFT_R2C:
        cufftExecR2C(plan, static_cast<float*>(in), static_cast<float2*>(out));
        break;
      default:
        cufftExecC2C(plan, static_cast<float2*>(in), static_cast<float2*>(out), CUFFT_FORWARD);
    }
    cudaDeviceSynchronize();
  };
  void* theirs = nullptr;
  constexpr unsigned estimate = 64, preserves_input = 16;
  const int rank = static_cast<int>(n.size());
  if (fftw.execute)
    theirs = c.is_real ? fftw.plan_real(rank, n.data(), c.batch, host_in, nullptr, 1,
                                        static_cast<int>(size), host_out, nullptr, 1,
                                        static_cast<int>(outputs), estimate | preserves_input)
                       : fftw.plan_complex(rank, n.data(), c.batch, host_in, nullptr, 1,
                                           static_cast<int>(size), host_out, nullptr, 1,
                                           static_cast<int>(size), -1, estimate | preserves_input);
  const auto [own, other] = in_turns(seconds, ours, [&] {
    if (theirs) fftw.execute(theirs);
  });
  const double operations = (c.is_real ? 2.5 : 5.0) * static_cast<double>(size) * c.batch *
                            std::log2(static_cast<double>(size));
  std::string name;
  for (const int one : n) name += (name.empty() ? "" : " x ") + std::to_string(one);
  std::printf("| %s | %d | %s %s | %.2f us | %.1f |", name.c_str(), c.batch,
              c.is_double ? "double" : "float", c.is_real ? "real" : "complex", own * 1e6,
              operations / own * 1e-9);
  if (theirs)
    std::printf(" %.1f | %.2f |\n", operations / other * 1e-9, other / own);
  else
    std::printf(" - | - |\n");
  std::fflush(stdout);
  if (theirs) fftw.destroy(theirs);
  cufftDestroy(plan);
  cudaFree(in);
  cudaFree(out);
  std::free(host_in);
  std::free(host_out);
}

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::atof(arguments[1]) : 0.5;
  const std::string filter = count > 2 ? arguments[2] : "";
  const Fftw single(false), twice(true);
  if (!single.execute) std::printf("no FFTW: own times only\n");
  std::printf("| size | batch | numbers | time | GFlop/s | FFTW | ratio |\n");
  std::printf("| --- | --- | --- | --- | --- | --- | --- |\n");
  std::vector<Case> cases;
  for (const bool is_double : {false, true}) {
    for (const int n : {16, 64, 100, 128, 256, 360, 512, 1000, 1024, 2048, 4096, 16384, 65536})
      cases.push_back({{n}, std::max(1, 262144 / n), is_double});
    cases.push_back({{1 << 18}, 1, is_double});
    cases.push_back({{1 << 20}, 1, is_double});
    cases.push_back({{1000000}, 1, is_double});
    cases.push_back({{1009}, 256, is_double});
    for (const int n : {128, 256, 500, 512, 1024, 2048}) cases.push_back({{n, n}, 1, is_double});
    cases.push_back({{128, 128, 128}, 1, is_double});
    for (const int n : {256, 1024, 4096}) cases.push_back({{n}, 262144 / n, is_double, true});
    cases.push_back({{1024, 1024}, 1, is_double, true});
  }
  for (const Case& c : cases) {
    const std::string kind = std::string(c.is_double ? "double" : "float") +
                             (c.is_real ? " real" : " complex") + std::to_string(c.n.size());
    if (filter.empty() || kind.find(filter) != std::string::npos)
      measure(c, seconds, c.is_double ? twice : single);
  }
}
