// cuSOLVER's dense routines beside LAPACK (of OpenBLAS), in turns, in one process. OpenBLAS is
// looked for when the program runs; where there is none, only our own times are printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GRIDSPAN_DEVICES=cpu GRIDSPAN_THREADS=1 build/bench/libraries/solver [N [TURNS]]
//
// Matrices of double numbers, N x N. OpenBLAS has one thread. Each turn begins with the same
// matrix, whose copy is not timed.
#include <cuda_runtime.h>
#include <cusolverDn.h>
#include <dlfcn.h>

#include "openblas.h"
#include "turns.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

int n = 1000, turns = 5;
cusolverDnHandle_t handle;

using bench::median;
using bench::now;
using bench::openblas;

#define RIGHT(call)                                                \
  if ((call) != 0) {                                               \
    std::fprintf(stderr, "line %d: " #call " failed\n", __LINE__); \
    std::exit(1);                                                  \
  }

template <typename T = double>
struct Device {
  explicit Device(std::size_t count) { RIGHT(cudaMalloc(&place, count * sizeof(T))); }
  ~Device() { cudaFree(place); }
  operator T*() const { return place; }
  T* place = nullptr;
};

template <typename... Arguments>
bool call(const char* name, Arguments... arguments) {
  auto* function =
      reinterpret_cast<void (*)(Arguments...)>(openblas() ? dlsym(openblas(), name) : nullptr);
  if (function) function(arguments...);
  return function != nullptr;
}

/// `ours` works on device memory that begins as `a`, `theirs` on host memory; false: it is not
/// there.
void measure(const char* name, const std::vector<double>& a,
             const std::function<void(double*)>& ours, const std::function<bool(double*)>& theirs) {
  Device<> device(a.size());
  std::vector<double> host, own, other;
  bool is_there = true;
  for (int turn = 0; turn <= turns && is_there; ++turn) {
    RIGHT(cudaMemcpy(device, a.data(), a.size() * sizeof(double), cudaMemcpyHostToDevice));
    double begin = now();
    ours(device);
    RIGHT(cudaDeviceSynchronize());
    const double one = now() - begin;
    host = a;
    begin = now();
    is_there = theirs(host.data());
    const double two = now() - begin;
    if (turn > 0 || !is_there) own.push_back(one), other.push_back(two);  // the first warms up
  }
  if (is_there)
    std::printf("| %s | %.2f | %.2f | %.2f |\n", name, median(own) * 1e3, median(other) * 1e3,
                median(other) / median(own));
  else
    std::printf("| %s | %.2f | - | - |\n", name, median(own) * 1e3);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) n = std::atoi(arguments[1]);
  if (count > 2) turns = std::atoi(arguments[2]);
  if (n < 1 || turns < 1) return std::fprintf(stderr, "usage: solver [N [TURNS]]\n"), 1;
  RIGHT(cusolverDnCreate(&handle));
  if (!openblas()) std::printf("no OpenBLAS: own times only\n");
  std::printf("| n = %d | ms | OpenBLAS ms | its time / ours |\n| --- | --- | --- | --- |\n", n);
  const std::size_t all = static_cast<std::size_t>(n) * n;
  std::vector<double> general(all), symmetric(all);
  for (double& x : general) x = std::rand() / (RAND_MAX + 1.0) - 0.5;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      symmetric[i + std::size_t(n) * j] = symmetric[j + std::size_t(n) * i] =
          general[i + std::size_t(n) * j] + (i == j ? n : 0);
  Device<int> info(1), pivots(n);
  std::vector<int> host_pivots(n);
  std::vector<double> values(n), u(all), v(all), work(1);
  Device<> device_values(n), device_u(all), device_v(all);
  int size = 0, bad = 0;
  const int ask = -1;

  RIGHT(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, n, device_u, n, &size));
  Device<> potrf_room(size);
  measure(
      "potrf", symmetric,
      [&](double* a) {
        RIGHT(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, n, a, n, potrf_room, size, info));
      },
      [&](double* a) { return call("dpotrf_", "L", &n, a, &n, &bad); });
  RIGHT(cusolverDnDgetrf_bufferSize(handle, n, n, device_u, n, &size));
  Device<> getrf_room(size);
  measure(
      "getrf", general,
      [&](double* a) { RIGHT(cusolverDnDgetrf(handle, n, n, a, n, getrf_room, pivots, info)); },
      [&](double* a) { return call("dgetrf_", &n, &n, a, &n, host_pivots.data(), &bad); });
  RIGHT(cusolverDnDgeqrf_bufferSize(handle, n, n, device_u, n, &size));
  const int geqrf_size = size;
  Device<> geqrf_room(size);
  work.resize(std::size_t(n) * 64);
  int room = static_cast<int>(work.size());
  measure(
      "geqrf", general,
      [&](double* a) {
        RIGHT(cusolverDnDgeqrf(handle, n, n, a, n, device_values, geqrf_room, geqrf_size, info));
      },
      [&](double* a) {
        return call("dgeqrf_", &n, &n, a, &n, values.data(), work.data(), &room, &bad);
      });

  for (const bool vectors : {true, false}) {
    const auto mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
    RIGHT(cusolverDnDsyevd_bufferSize(handle, mode, CUBLAS_FILL_MODE_LOWER, n, device_u, n,
                                      device_values, &size));
    Device<> buffer(size);
    const int own_size = size;
    std::vector<double> host_work(1);
    std::vector<int> host_whole(1);
    const char* job = vectors ? "V" : "N";
    int wants = ask, wants_whole = ask;
    call("dsyevd_", job, "L", &n, u.data(), &n, values.data(), host_work.data(), &wants,
         host_whole.data(), &wants_whole, &bad);
    wants = std::max(1, static_cast<int>(host_work[0])), wants_whole = std::max(1, host_whole[0]);
    host_work.resize(wants), host_whole.resize(wants_whole);
    measure(
        vectors ? "syevd, vectors" : "syevd, values", symmetric,
        [&](double* a) {
          RIGHT(cusolverDnDsyevd(handle, mode, CUBLAS_FILL_MODE_LOWER, n, a, n, device_values,
                                 buffer, own_size, info));
        },
        [&](double* a) {
          return call("dsyevd_", job, "L", &n, a, &n, values.data(), host_work.data(), &wants,
                      host_whole.data(), &wants_whole, &bad);
        });
  }
  RIGHT(cusolverDnDgesvd_bufferSize(handle, n, n, &size));
  const int gesvd_size = size;
  Device<> gesvd_room(size);
  int wants = ask;
  work.resize(1);
  call("dgesvd_", "A", "A", &n, &n, u.data(), &n, values.data(), u.data(), &n, v.data(), &n,
       work.data(), &wants, &bad);
  wants = std::max(1, static_cast<int>(work[0]));
  work.resize(wants);
  measure(
      "gesvd, all vectors", general,
      [&](double* a) {
        RIGHT(cusolverDnDgesvd(handle, 'A', 'A', n, n, a, n, device_values, device_u, n, device_v,
                               n, gesvd_room, gesvd_size, nullptr, info));
      },
      [&](double* a) {
        return call("dgesvd_", "A", "A", &n, &n, a, &n, values.data(), u.data(), &n, v.data(), &n,
                    work.data(), &wants, &bad);
      });
  RIGHT(cusolverDnDestroy(handle));
}
