// Conjugate gradients with cuBLAS and cuSPARSE: Poisson's equation on a square of cells.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <vector>

static const char usage[] =
    "usage: cg [SIDE [STEPS]]\n"
    "Solves Poisson's equation on SIDE x SIDE cells (default 512) by conjugate gradients, until "
    "the\n"
    "residual is 1e-10 of what it was, in at most STEPS steps (default 10000).\n";
constexpr long largest = 20000;
constexpr double reduction = 1e-10;  // of the residual

#define CHECK(call) check((call), #call, __LINE__)

static const char* text_of(cudaError_t status) { return cudaGetErrorString(status); }
static const char* text_of(cublasStatus_t status) { return cublasGetStatusString(status); }
static const char* text_of(cusparseStatus_t status) { return cusparseGetErrorString(status); }

template <class Status>
static void check(Status status, const char* call, int line) {
  if (status == Status(0)) return;
  fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, text_of(status));
  exit(1);
}

/// Sizes from the command line, in order, over the defaults; one error line for anything else.
static std::vector<long> sizes_from(int argc, char** argv, std::vector<long> sizes) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--help")) exit(fputs(usage, stdout) < 0);
    char* end = argv[i];
    const long value = strtol(argv[i], &end, 10);
    if (i <= int(sizes.size()) && end != argv[i] && !*end && value > 0 && value <= largest) {
      sizes[i - 1] = value;
      continue;
    }
    fprintf(stderr, "%s: bad argument '%s' (sizes are 1 to %ld; see --help)\n", argv[0], argv[i],
            largest);
    exit(1);
  }
  return sizes;
}

/// On a terminal, after two seconds, shows how far the residual has come, by orders of magnitude.
static void progress(double left) {
  static const time_t start = time(nullptr);
  static bool is_shown;
  if (!isatty(STDERR_FILENO) || (!is_shown && time(nullptr) - start < 2)) return;
  is_shown = left > reduction;
  const int filled = std::min(50, std::max(0, int(50 * log(left) / log(reduction))));
  fprintf(stderr, "\r[%.*s%*s] %8.1e", filled, "##################################################",
          50 - filled, "", left);
  if (!is_shown) fputs("\r\033[K", stderr);
}

/// Compares element by element with `want(i)`, at most `bound(i)` away; names the first difference.
template <class T, class Want, class Bound>
static bool agrees(const char* what, const std::vector<T>& got, Want want, Bound bound) {
  size_t wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(double(got[i]) - double(want(i)));
    if (error > worst) worst = error;
    if (error <= bound(i)) continue;  // a NaN is wrong too
    if (wrong++ == 0)
      fprintf(stderr, "%s[%zu] is %.9g, reference %.9g\n", what, i, double(got[i]),
              double(want(i)));
  }
  if (wrong)
    fprintf(stderr, "%s: %zu of %zu elements are wrong\n", what, wrong, got.size());
  else
    printf("%-22s %zu elements agree, largest error %.2g\n", what, got.size(), worst);
  return wrong == 0;
}

/// An array in device memory.
template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& values) : count_(values.size()) {
    CHECK(cudaMalloc(&data_, count_ * sizeof(T)));
    CHECK(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  operator T*() const { return data_; }
  std::vector<T> get() const {
    std::vector<T> values(count_);
    CHECK(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  size_t count_;
  T* data_ = nullptr;
};

/// Compressed rows: each cell, less its four neighbours. Cells outside are 0.
struct Rows {
  std::vector<int> starts{0}, columns;
  std::vector<double> values;

  explicit Rows(int side) {
    for (int cell = 0; cell < side * side; ++cell) {
      const int x = cell % side, y = cell / side;
      const auto add = [&](bool is_inside, int column, double value) {
        if (!is_inside) return;
        columns.push_back(column);
        values.push_back(value);
      };
      add(y > 0, cell - side, -1);
      add(x > 0, cell - 1, -1);
      add(true, cell, 4);
      add(x < side - 1, cell + 1, -1);
      add(y < side - 1, cell + side, -1);
      starts.push_back(int(columns.size()));
    }
  }
};

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {512, 10000});
  const int side = int(sizes[0]), n = side * side;
  const Rows rows(side);
  std::vector<double> heat(n), nan(n, NAN);
  for (int i = 0; i < n; ++i) heat[i] = 1 + i % 7;

  const Array<int> starts(rows.starts), columns(rows.columns);
  const Array<double> values(rows.values), x(std::vector<double>(n, 0)), r(heat), p(heat), ap(nan);
  cublasHandle_t blas;
  cusparseHandle_t sparse;
  CHECK(cublasCreate(&blas));
  CHECK(cusparseCreate(&sparse));
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vector_p, vector_ap;
  CHECK(cusparseCreateCsr(&a, n, n, int(rows.columns.size()), starts, columns, values,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vector_p, n, p, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vector_ap, n, ap, CUDA_R_64F));
  const double one = 1, zero = 0;
  size_t bytes = 0;
  void* room = nullptr;
  CHECK(cusparseSpMV_bufferSize(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vector_p, &zero,
                                vector_ap, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  CHECK(cudaMalloc(&room, bytes));

  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  double rho = 0;  // r . r
  CHECK(cublasDdot(blas, n, r, 1, r, 1, &rho));
  const double first = rho;
  long steps = 0;
  for (; steps < sizes[1] && rho > reduction * reduction * first; ++steps) {
    CHECK(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vector_p, &zero,
                       vector_ap, CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, room));
    double curvature = 0;
    CHECK(cublasDdot(blas, n, p, 1, ap, 1, &curvature));
    const double alpha = rho / curvature, minus_alpha = -alpha;
    CHECK(cublasDaxpy(blas, n, &alpha, p, 1, x, 1));
    CHECK(cublasDaxpy(blas, n, &minus_alpha, ap, 1, r, 1));
    const double before = rho;
    CHECK(cublasDdot(blas, n, r, 1, r, 1, &rho));
    const double beta = rho / before;
    CHECK(cublasDscal(blas, n, &beta, p, 1));
    CHECK(cublasDaxpy(blas, n, &one, r, 1, p, 1));
    progress(sqrt(rho / first));
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  float time = 0;
  CHECK(cudaEventElapsedTime(&time, begin, end));
  const std::vector<double> solution = x.get(), residual = r.get();
  CHECK(cudaFree(room));
  CHECK(cusparseDestroyDnVec(vector_p));
  CHECK(cusparseDestroyDnVec(vector_ap));
  CHECK(cusparseDestroySpMat(a));
  CHECK(cusparseDestroy(sparse));
  CHECK(cublasDestroy(blas));

  printf("%-22s %.3f ms a step\n", "conjugate gradients", time / std::max(1L, steps));
  printf("%-22s %ld, residual %.1e of what it was%s\n", "steps", steps, sqrt(rho / first),
         rho > reduction * reduction * first ? " (not done)" : "");
  // What is left is what the solution leaves, cell by cell, by a plain program.
  double most = 0;
  for (const double u : solution) most = std::max(most, std::fabs(u));
  const auto left = [&](size_t i) {
    const int cx = int(i) % side, cy = int(i) / side;
    const auto u = [&](int ux, int uy) {
      const bool is_inside = ux >= 0 && ux < side && uy >= 0 && uy < side;
      return is_inside ? solution[size_t(uy) * side + ux] : 0;
    };
    return heat[i] -
           (4 * u(cx, cy) - u(cx - 1, cy) - u(cx + 1, cy) - u(cx, cy - 1) - u(cx, cy + 1));
  };
  if (!agrees("residual", residual, left, [&](size_t) { return 1e-12 * (1 + most); })) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
