// cuBLAS's products of matrices beside OpenBLAS's, in turns, in one process. OpenBLAS is looked for
// when the program runs, and has one thread; where there is none, only our own times are printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GRIDSPAN_DEVICES=cpu GRIDSPAN_THREADS=1 build/bench/libraries/gemm [SECONDS] [FILTER]
//
// OpenBLAS multiplies the matrices of a batch one after the other. Its trmm works in place: the
// time it takes to copy the operand there counts.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include "openblas.h"
#include "turns.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::in_turns;
using bench::openblas;

double seconds = 0.5;
std::string filter;
cublasHandle_t handle;

#define RIGHT(call)                                                \
  if ((call) != 0) {                                               \
    std::fprintf(stderr, "line %d: " #call " failed\n", __LINE__); \
    std::exit(1);                                                  \
  }

/// A routine of Fortran's: all arguments are addresses.
struct Fortran {
  explicit Fortran(const std::string& name)
      : place(openblas() ? dlsym(openblas(), name.c_str()) : nullptr) {}
  template <typename... Arguments>
  void operator()(Arguments... arguments) const {
    if (place) reinterpret_cast<void (*)(Arguments...)>(place)(arguments...);
  }
  void* place;
};

template <typename One, typename Other>
void measure(const std::string& name, double operations, One ours, Other theirs) {
  if (name.find(filter) == std::string::npos) return;
  const auto [own, other] = in_turns(
      seconds,
      [&] {
        ours();
        RIGHT(cudaDeviceSynchronize());
      },
      [&] {
        if (openblas()) theirs();
      });
  std::printf("| %s | %.1f us | %.1f |", name.c_str(), own * 1e6, operations / own * 1e-9);
  if (openblas())
    std::printf(" %.1f | %.2f |\n", operations / other * 1e-9, other / own);
  else
    std::printf(" - | - |\n");
  std::fflush(stdout);
}

/// Three arrays in host memory, and in device memory.
template <typename T>
struct Operands {
  explicit Operands(std::size_t count) : a(count), b(count), c(count) {
    for (std::vector<T>* x : {&a, &b})
      for (T& value : *x) value = static_cast<T>(std::rand() / (RAND_MAX + 1.0) - 0.5);
    RIGHT(cudaMalloc(&device, 3 * count * sizeof(T)));
    RIGHT(cudaMemcpy(device, a.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    RIGHT(cudaMemcpy(device + count, b.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Operands() { cudaFree(device); }
  T* device_a() { return device; }
  T* device_b() { return device + a.size(); }
  T* device_c() { return device + 2 * a.size(); }
  std::vector<T> a, b, c;
  T* device = nullptr;
};

/// The routines of one type.
template <typename T>
struct Routines;
#define ROUTINES(T, name_letter, upper)                                \
  template <>                                                          \
  struct Routines<T> {                                                 \
    static constexpr const char* letter = name_letter;                 \
    static constexpr auto gemm = cublas##upper##gemm;                  \
    static constexpr auto strided = cublas##upper##gemmStridedBatched; \
    static constexpr auto batched = cublas##upper##gemmBatched;        \
    static constexpr auto syrk = cublas##upper##syrk;                  \
    static constexpr auto syr2k = cublas##upper##syr2k;                \
    static constexpr auto symm = cublas##upper##symm;                  \
    static constexpr auto trmm = cublas##upper##trmm;                  \
  };
ROUTINES(float, "s", S)
ROUTINES(double, "d", D)
#undef ROUTINES

cublasOperation_t operation(char letter) { return letter == 'T' ? CUBLAS_OP_T : CUBLAS_OP_N; }

template <typename T>
void measure_gemm() {
  using Of = Routines<T>;
  const Fortran other_gemm(std::string(Of::letter) + "gemm_");
  const T one = 1, zero = 0;
  for (const int n : {256, 777, 1000, 2048}) {
    Operands<T> x(static_cast<std::size_t>(n) * n);
    for (const char* ops : {"NN", "TN", "NT", "TT"})
      measure(
          std::string(Of::letter) + "gemm " + ops + " " + std::to_string(n), 2.0 * n * n * n,
          [&] {
            RIGHT(Of::gemm(handle, operation(ops[0]), operation(ops[1]), n, n, n, &one,
                           x.device_a(), n, x.device_b(), n, &zero, x.device_c(), n));
          },
          [&] {
            other_gemm(&ops[0], &ops[1], &n, &n, &n, &one, x.a.data(), &n, x.b.data(), &n, &zero,
                       x.c.data(), &n);
          });
  }
}

template <typename T>
void measure_structured() {
  using Of = Routines<T>;
  const std::string letter = Of::letter;
  const Fortran other_syrk(letter + "syrk_"), other_syr2k(letter + "syr2k_"),
      other_symm(letter + "symm_"), other_trmm(letter + "trmm_");
  const T one = 1, zero = 0;
  const int n = 1000;
  const double all = 2.0 * n * n * n;
  Operands<T> x(static_cast<std::size_t>(n) * n);
  measure(
      letter + "syrk", all / 2,
      [&] {
        RIGHT(Of::syrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, &one, x.device_a(), n,
                       &zero, x.device_c(), n));
      },
      [&] { other_syrk("L", "N", &n, &n, &one, x.a.data(), &n, &zero, x.c.data(), &n); });
  measure(
      letter + "syr2k", all,
      [&] {
        RIGHT(Of::syr2k(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, n, &one, x.device_a(), n,
                        x.device_b(), n, &zero, x.device_c(), n));
      },
      [&] {
        other_syr2k("L", "N", &n, &n, &one, x.a.data(), &n, x.b.data(), &n, &zero, x.c.data(), &n);
      });
  measure(
      letter + "symm", all,
      [&] {
        RIGHT(Of::symm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, n, n, &one, x.device_a(),
                       n, x.device_b(), n, &zero, x.device_c(), n));
      },
      [&] {
        other_symm("L", "L", &n, &n, &one, x.a.data(), &n, x.b.data(), &n, &zero, x.c.data(), &n);
      });
  for (const bool is_left : {true, false})
    for (const char* op : {"N", "T"})
      measure(
          letter + "trmm " + (is_left ? "left " : "right ") + op, all / 2,
          [&] {
            RIGHT(Of::trmm(handle, is_left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
                           CUBLAS_FILL_MODE_LOWER, operation(*op), CUBLAS_DIAG_NON_UNIT, n, n, &one,
                           x.device_a(), n, x.device_b(), n, x.device_c(), n));
          },
          [&] {
            x.c = x.b;
            other_trmm(is_left ? "L" : "R", "L", op, "N", &n, &n, &one, x.a.data(), &n, x.c.data(),
                       &n);
          });
}

template <typename T>
void measure_batches() {
  using Of = Routines<T>;
  const std::string letter = Of::letter;
  const Fortran other_gemm(letter + "gemm_");
  const T one = 1, zero = 0;
  constexpr int count = 1000;
  for (const int n : {4, 8, 10, 16, 32, 33, 64}) {
    const int size = n * n;
    Operands<T> x(static_cast<std::size_t>(size) * count);
    std::vector<T*> places;
    for (T* first : {x.device_a(), x.device_b(), x.device_c()})
      for (int i = 0; i < count; ++i) places.push_back(first + i * size);
    T** pointers = nullptr;
    RIGHT(cudaMalloc(&pointers, places.size() * sizeof(T*)));
    RIGHT(cudaMemcpy(pointers, places.data(), places.size() * sizeof(T*), cudaMemcpyHostToDevice));
    const double operations = 2.0 * n * n * n * count;
    const auto theirs = [&](const char* ops) {
      for (int i = 0; i < count; ++i)
        other_gemm(&ops[0], &ops[1], &n, &n, &n, &one, x.a.data() + i * size, &n,
                   x.b.data() + i * size, &n, &zero, x.c.data() + i * size, &n);
    };
    for (const char* ops : {"NN", "TN", "NT"})
      measure(
          letter + "gemm strided " + ops + " " + std::to_string(n), operations,
          [&] {
            RIGHT(Of::strided(handle, operation(ops[0]), operation(ops[1]), n, n, n, &one,
                              x.device_a(), n, size, x.device_b(), n, size, &zero, x.device_c(), n,
                              size, count));
          },
          [&] { theirs(ops); });
    measure(
        letter + "gemm pointers NN " + std::to_string(n), operations,
        [&] {
          RIGHT(Of::batched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pointers, n,
                            pointers + count, n, &zero, pointers + 2 * count, n, count));
        },
        [&] { theirs("NN"); });
    cudaFree(pointers);
  }
}

template <typename T>
void measure_type() {
  measure_gemm<T>();
  measure_structured<T>();
  measure_batches<T>();
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) seconds = std::atof(arguments[1]);
  if (count > 2) filter = arguments[2];
  RIGHT(cublasCreate(&handle));
  if (!openblas()) std::printf("no OpenBLAS: own times only\n");
  std::printf("| product | time | GFlop/s | OpenBLAS | ratio |\n");
  std::printf("| --- | --- | --- | --- | --- |\n");
  measure_type<float>();
  measure_type<double>();
  RIGHT(cublasDestroy(handle));
}
