// cuBLAS's operations on vectors, cuSPARSE's products and cuRAND's numbers beside plain loops of
// one thread, in turns, in one process. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GRIDSPAN_DEVICES=cpu GRIDSPAN_THREADS=1 build/bench/libraries/vectors [TURNS]
//
// Results of sums are waited for in host memory, others on the device. Random numbers are measured
// against memory's write rate: a loop that fills as large an array.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <curand.h>
#include <cusparse.h>

#include "turns.h"
#include "vectors_loops.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

namespace {

using bench::median;
using bench::now;
namespace loops = bench::loops;

int turns = 15;

/// So many runs at once that clocks do not matter.
int repetitions_of(double seconds) { return seconds > 1e-3 ? 1 : static_cast<int>(2e-3 / seconds); }

double timed(const std::function<void()>& run, int repetitions) {
  const double begin = now();
  for (int i = 0; i < repetitions; ++i) run();
  cudaDeviceSynchronize();
  return (now() - begin) / repetitions;
}

void in_turns(const char* name, long long size, const std::function<void()>& own,
              const std::function<void()>& other) {
  timed(own, 1);
  const int repetitions = repetitions_of(timed(other, 1));
  std::vector<double> owns, others;
  for (int turn = 0; turn < turns; ++turn) {
    owns.push_back(timed(own, repetitions));
    others.push_back(timed(other, repetitions));
  }
  const auto best = [](const std::vector<double>& times) {
    return *std::min_element(times.begin(), times.end());
  };
  std::printf("| %s, %lld | %.1f | %.1f | %.2f | %.2f |\n", name, size, median(owns) * 1e6,
              median(others) * 1e6, median(others) / median(owns), best(others) / best(owns));
  std::fflush(stdout);
}

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "%s: the results differ\n", what);
  std::exit(1);
}
bool is_near(double a, double b, double size) { return std::abs(a - b) <= 1e-4 * size; }

/// The same elements on the host and on the device.
template <typename T>
struct Both {
  std::vector<T> host;
  T* device = nullptr;

  explicit Both(std::vector<T> elements) : host(std::move(elements)) {
    cudaMalloc(&device, host.size() * sizeof(T));
    cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  }
  Both(const Both&) = delete;
  Both& operator=(const Both&) = delete;
  ~Both() { cudaFree(device); }

  /// Of the elements, whose type is real.
  void require_near(const char* what, double size) const {
    std::vector<T> copy(host.size());
    cudaMemcpy(copy.data(), device, copy.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (std::size_t i = 0; i < copy.size(); ++i) require(is_near(copy[i], host[i], size), what);
  }
};

template <typename T>
std::vector<T> random_numbers(std::size_t count) {
  std::mt19937 next(1);
  std::vector<T> numbers(count);
  for (T& one : numbers) one = static_cast<T>(next() >> 8) / T(1 << 24) - T(0.5);
  return numbers;
}

template <typename T>
void sums(cublasHandle_t handle, int count, const char* dot, const char* norm) {
  const Both<T> x(random_numbers<T>(count)), y(random_numbers<T>(count));
  T own = 0, other = 0;
  in_turns(
      dot, count,
      [&] {
        if constexpr (sizeof(T) == 4)
          cublasSdot(handle, count, x.device, 1, y.device, 1, &own);
        else
          cublasDdot(handle, count, x.device, 1, y.device, 1, &own);
      },
      [&] { other = loops::dot(count, x.host.data(), y.host.data()); });
  require(is_near(own, other, count), dot);
  in_turns(
      norm, count,
      [&] {
        if constexpr (sizeof(T) == 4)
          cublasSnrm2(handle, count, x.device, 1, &own);
        else
          cublasDnrm2(handle, count, x.device, 1, &own);
      },
      [&] { other = std::sqrt(loops::dot(count, x.host.data(), x.host.data())); });
  require(is_near(own, other, count), norm);
}

void vectors(cublasHandle_t handle, int count) {
  const Both<float> x(random_numbers<float>(count));
  Both<float> y(std::vector<float>(count, 0));
  const float a = 0.5f;
  in_turns(
      "saxpy", count, [&] { cublasSaxpy(handle, count, &a, x.device, 1, y.device, 1); },
      [&] { loops::axpy(count, a, x.host.data(), y.host.data()); });
  sums<float>(handle, count, "sdot", "snrm2");
  sums<double>(handle, count, "ddot", "dnrm2");
  float own = 0, other = 0;
  in_turns(
      "sasum", count, [&] { cublasSasum(handle, count, x.device, 1, &own); },
      [&] { other = loops::sum_of_sizes(count, x.host.data()); });
  require(is_near(own, other, count), "sasum");
  int place = 0, other_place = 0;
  in_turns(
      "isamax", count, [&] { cublasIsamax(handle, count, x.device, 1, &place); },
      [&] { other_place = loops::largest(count, x.host.data()); });
  require(std::abs(x.host[place - 1]) == std::abs(x.host[other_place]), "isamax");
}

void matrix_vectors(cublasHandle_t handle, int n) {
  const Both<float> a(random_numbers<float>(std::size_t(n) * n)), x(random_numbers<float>(n));
  Both<float> y(std::vector<float>(n, 0));
  const float one = 1, zero = 0;
  const auto own = [&](cublasOperation_t operation) {
    cublasSgemv(handle, operation, n, n, &one, a.device, n, x.device, 1, &zero, y.device, 1);
  };
  in_turns(
      "sgemv N, n =", n, [&] { own(CUBLAS_OP_N); },
      [&] { loops::gemv(n, n, a.host.data(), x.host.data(), y.host.data()); });
  y.require_near("sgemv N", n);
  in_turns(
      "sgemv T, n =", n, [&] { own(CUBLAS_OP_T); },
      [&] { loops::gemv_transposed(n, n, a.host.data(), x.host.data(), y.host.data()); });
  y.require_near("sgemv T", n);
}

struct Matrix {
  int rows = 0;
  std::vector<int> offsets = {0}, indices;
};

/// The five points of each place of a square, or up to 31 places anywhere.
Matrix five_points(int side) {
  Matrix made;
  made.rows = side * side;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int i = y * side + x;
      for (const auto& [is_there, at] :
           {std::pair{y > 0, i - side}, std::pair{x > 0, i - 1}, std::pair{true, i},
            std::pair{x + 1 < side, i + 1}, std::pair{y + 1 < side, i + side}})
        if (is_there) made.indices.push_back(at);
      made.offsets.push_back(static_cast<int>(made.indices.size()));
    }
  return made;
}
Matrix random_rows(int rows) {
  std::mt19937 next(2);
  Matrix made;
  made.rows = rows;
  for (int i = 0; i < rows; ++i) {
    for (unsigned k = 1 + next() % 31; k > 0; --k)
      made.indices.push_back(static_cast<int>(next() % rows));
    made.offsets.push_back(static_cast<int>(made.indices.size()));
  }
  return made;
}

void sparse_products(cusparseHandle_t handle, const Matrix& matrix, const char* vector_name,
                     const char* rows_name, const char* columns_name) {
  constexpr int width = 32;
  constexpr auto same = CUSPARSE_OPERATION_NON_TRANSPOSE;
  const int rows = matrix.rows;
  const Both<int> offsets(matrix.offsets), indices(matrix.indices);
  const Both<float> values(random_numbers<float>(matrix.indices.size()));
  const Both<float> b(random_numbers<float>(std::size_t(rows) * width));
  Both<float> c(std::vector<float>(std::size_t(rows) * width));
  cusparseSpMatDescr_t a;
  cusparseCreateCsr(&a, rows, rows, values.host.size(), offsets.device, indices.device,
                    values.device, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                    CUDA_R_32F);
  const float one = 1, zero = 0;
  cusparseDnVecDescr_t x, y;
  cusparseCreateDnVec(&x, rows, b.device, CUDA_R_32F);
  cusparseCreateDnVec(&y, rows, c.device, CUDA_R_32F);
  in_turns(
      vector_name, rows,
      [&] {
        cusparseSpMV(handle, same, &one, a, x, &zero, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                     nullptr);
      },
      [&] {
        loops::spmv(rows, offsets.host.data(), indices.host.data(), values.host.data(),
                    b.host.data(), c.host.data());
      });
  for (const bool by_rows : {true, false}) {
    cusparseDnMatDescr_t of_b, of_c;
    const auto order = by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    const int lead = by_rows ? width : rows;
    cusparseCreateDnMat(&of_b, rows, width, lead, b.device, CUDA_R_32F, order);
    cusparseCreateDnMat(&of_c, rows, width, lead, c.device, CUDA_R_32F, order);
    in_turns(
        by_rows ? rows_name : columns_name, rows,
        [&] {
          cusparseSpMM(handle, same, same, &one, a, of_b, &zero, of_c, CUDA_R_32F,
                       CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
        },
        [&] {
          (by_rows ? loops::spmm_by_rows : loops::spmm_by_columns)(
              rows, width, offsets.host.data(), indices.host.data(), values.host.data(),
              b.host.data(), c.host.data());
        });
    c.require_near("SpMM", 1);
    cusparseDestroyDnMat(of_b);
    cusparseDestroyDnMat(of_c);
  }
  cusparseDestroyDnVec(x);
  cusparseDestroyDnVec(y);
  cusparseDestroySpMat(a);
}

void random_numbers_of(curandRngType_t type, const char* uniform, const char* normal) {
  constexpr int count = 1 << 24;
  Both<float> numbers(std::vector<float>(count, 0));
  curandGenerator_t generator;
  curandCreateGenerator(&generator, type);
  const auto fill = [&] { loops::fill(count, 1, numbers.host.data()); };
  in_turns(uniform, count, [&] { curandGenerateUniform(generator, numbers.device, count); }, fill);
  in_turns(
      normal, count, [&] { curandGenerateNormal(generator, numbers.device, count, 0, 1); }, fill);
  curandDestroyGenerator(generator);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count > 1) turns = std::atoi(arguments[1]);
  if (turns < 1) {
    std::fprintf(stderr, "usage: vectors [TURNS]\n");
    return 2;
  }
  std::printf("| | us | loop, us | ratio | of the best |\n| --- | --- | --- | --- | --- |\n");
  cublasHandle_t blas;
  cublasCreate(&blas);
  for (const int count : {1 << 16, 1 << 24}) vectors(blas, count);
  for (const int n : {256, 1000, 4096}) matrix_vectors(blas, n);
  cublasDestroy(blas);
  cusparseHandle_t sparse;
  cusparseCreate(&sparse);
  sparse_products(sparse, five_points(1000), "SpMV, 5 points", "SpMM, 5 points, 32 columns by rows",
                  "SpMM, 5 points, 32 columns by columns");
  sparse_products(sparse, random_rows(300000), "SpMV, random", "SpMM, random, 32 columns by rows",
                  "SpMM, random, 32 columns by columns");
  cusparseDestroy(sparse);
  random_numbers_of(CURAND_RNG_PSEUDO_PHILOX4_32_10, "Philox, uniform", "Philox, normal");
  random_numbers_of(CURAND_RNG_PSEUDO_XORWOW, "XORWOW, uniform", "XORWOW, normal");
  random_numbers_of(CURAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a, uniform", "MRG32k3a, normal");
}
