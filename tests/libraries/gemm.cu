// cuBLAS: products of general matrices against a plain reference, element by element:
// transpositions, odd sizes, leading dimensions, batches, both pointer modes, poisoned outputs, bad
// arguments. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "blas_check.h"

namespace {

const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

struct Size {
  int m, n, k;
};

/// The types of a product, as one of cuBLAS' functions takes them.
template <typename Scale_, typename In_, typename Out_>
struct Types {
  using Scale = Scale_;
  using In = In_;
  using Out = Out_;
  cudaDataType in, out;
  cublasComputeType_t compute;
};

Number element(Number x, cublasOperation_t operation) {
  return operation == CUBLAS_OP_C ? std::conj(x) : x;
}

/// Element (i, j) of op(A).
template <typename T>
Number at(const T* a, int lead, cublasOperation_t operation, int i, int j) {
  return operation == CUBLAS_OP_N ? wide(a[i + j * lead])
                                  : element(wide(a[j + i * lead]), operation);
}

enum class Form { one, strided, pointers };

/// Alpha and beta on the host or the device.
template <typename T>
class Numbers {
 public:
  Numbers(cublasHandle_t handle, T alpha, T beta, bool on_device) : values_(2) {
    values_.host = {alpha, beta};
    values_.to_device();
    EXPECT(cublasSetPointerMode(
               handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST) ==
           CUBLAS_STATUS_SUCCESS);
    place_ = on_device ? values_.device : values_.host.data();
  }
  const T* alpha() const { return place_; }
  const T* beta() const { return place_ + 1; }

 private:
  Array<T> values_;
  const T* place_;
};

template <typename Kind>
void check(cublasHandle_t handle, const Kind& kind, Size size, cublasOperation_t ta,
           cublasOperation_t tb, double alpha_value, double beta_value, bool on_device, Form form) {
  using Scale = typename Kind::Scale;
  using In = typename Kind::In;
  using Out = typename Kind::Out;
  const auto [m, n, k] = size;
  const int batch = form == Form::one ? 1 : 3;
  const int lda = (ta == CUBLAS_OP_N ? m : k) + 3, ldb = (tb == CUBLAS_OP_N ? k : n) + 2,
            ldc = m + 5;
  const int columns_a = ta == CUBLAS_OP_N ? k : m, columns_b = tb == CUBLAS_OP_N ? n : k;
  const long long stride_a = lda * columns_a + 7, stride_b = ldb * columns_b + 1,
                  stride_c = ldc * n + 4;
  Array<In> a(stride_a * batch), b(stride_b * batch);
  Array<Out> c(stride_c * batch);
  a.random();
  b.random();
  c.random();
  const double alpha_imaginary = Of<Scale>::is_complex ? 1 : 0;
  const Number alpha_number(alpha_value, alpha_value != 0 ? alpha_imaginary : 0);
  const Number beta_number(beta_value, 0);
  // What must not be read: C if beta is 0, A and B if alpha is 0, all that is between the columns.
  if (beta_value == 0) c.fill(poison<Out>());
  if (alpha_value == 0) a.fill(poison<In>()), b.fill(poison<In>());
  for (int z = 0; z < batch; ++z)
    for (int j = 0; j < n; ++j)
      for (int i = m; i < ldc; ++i) c.host[z * stride_c + j * ldc + i] = poison<Out>();
  a.to_device();
  b.to_device();
  c.to_device();
  const Numbers<Scale> numbers(handle, Of<Scale>::number(alpha_number),
                               Of<Scale>::number(beta_number), on_device);

  Array<const void*> pa(batch), pb(batch);
  Array<void*> pc(batch);
  for (int z = 0; z < batch; ++z) {
    // In another order than in memory.
    const int other = (z + 1) % batch;
    pa.host[z] = a.device + other * stride_a;
    pb.host[z] = b.device + other * stride_b;
    pc.host[z] = c.device + other * stride_c;
  }
  pa.to_device(), pb.to_device(), pc.to_device();
  cublasStatus_t status = CUBLAS_STATUS_INTERNAL_ERROR;
  switch (form) {
    case Form::one:
      status = cublasGemmEx(handle, ta, tb, m, n, k, numbers.alpha(), a.device, kind.in, lda,
                            b.device, kind.in, ldb, numbers.beta(), c.device, kind.out, ldc,
                            kind.compute, CUBLAS_GEMM_DEFAULT);
      break;
    case Form::strided:
      status = cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, numbers.alpha(), a.device,
                                          kind.in, lda, stride_a, b.device, kind.in, ldb, stride_b,
                                          numbers.beta(), c.device, kind.out, ldc, stride_c, batch,
                                          kind.compute, CUBLAS_GEMM_DEFAULT);
      break;
    case Form::pointers:
      status = cublasGemmBatchedEx_64(handle, ta, tb, m, n, k, numbers.alpha(), pa.device, kind.in,
                                      lda, pb.device, kind.in, ldb, numbers.beta(), pc.device,
                                      kind.out, ldc, batch, kind.compute, CUBLAS_GEMM_DEFAULT);
      break;
  }
  EXPECT(status == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  const std::vector<Out> got = c.from_device();
  int different = 0;
  for (int z = 0; z < batch; ++z) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < ldc; ++i) {
        const std::size_t at_c = z * stride_c + j * ldc + i;
        if (i >= m) {
          different += !same_bits(got[at_c], c.host[at_c]);
          continue;
        }
        Number sum = 0;
        if (alpha_value != 0)
          for (int l = 0; l < k; ++l)
            sum += at(a.host.data() + z * stride_a, lda, ta, i, l) *
                   at(b.host.data() + z * stride_b, ldb, tb, l, j);
        Number expected = alpha_number * sum;
        if (beta_value != 0) expected += beta_number * wide(c.host[at_c]);
        different += wide(got[at_c]) != expected;
      }
    }
    for (long long past = ldc * n; past < stride_c; ++past)
      different += !same_bits(got[z * stride_c + past], c.host[z * stride_c + past]);
  }
  if (!EXPECT(different == 0))
    std::printf(
        "  %d different: %d x %d x %d, op %d %d, alpha %g, beta %g, device %d, form %d, types %d "
        "%d\n",
        different, m, n, k, ta, tb, alpha_value, beta_value, on_device, static_cast<int>(form),
        kind.in, kind.out);
}

template <typename Kind>
void check_all(cublasHandle_t handle, const Kind& kind) {
  const Size sizes[] = {{1, 1, 1}, {37, 29, 31}, {5, 1, 64}, {1, 67, 3}, {64, 16, 16}};
  int round = 0;
  for (const cublasOperation_t ta : operations) {
    for (const cublasOperation_t tb : operations) {
      for (const Size& size : sizes) {
        for (const Form form : {Form::one, Form::strided, Form::pointers}) {
          ++round;
          const double beta = round % 3, alpha = round % 7 == 0 ? 0 : round % 2 ? 1 : -1;
          check(handle, kind, size, ta, tb, alpha, beta, round % 4 == 0, form);
        }
      }
    }
  }
  check(handle, kind, {9, 7, 0}, CUBLAS_OP_N, CUBLAS_OP_N, 1, 0, false, Form::one);
  check(handle, kind, {9, 7, 0}, CUBLAS_OP_N, CUBLAS_OP_N, 1, 2, true, Form::strided);
  check(handle, kind, {9, 7, 5}, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, false, Form::one);
}

/// So large that transposed operands are copied first, also while a stream captures.
template <typename Kind>
void check_large(cublasHandle_t handle, const Kind& kind) {
  for (const cublasOperation_t ta : operations)
    for (const cublasOperation_t tb : operations)
      check(handle, kind, {131, 67, 97}, ta, tb, -1, ta == tb ? 0 : 2, false, Form::one);
}

/// So large that elements of fewer bits than their sums are converted first.
template <typename Kind>
void check_converted(cublasHandle_t handle, const Kind& kind) {
  for (const cublasOperation_t ta : operations)
    for (const bool on_device : {false, true}) {
      check(handle, kind, {67, 83, 61}, ta, CUBLAS_OP_N, -1, on_device ? 2 : 0, on_device,
            Form::one);
      check(handle, kind, {67, 83, 61}, ta, CUBLAS_OP_T, -1, on_device ? 0 : 2, on_device,
            Form::strided);
    }
}

void check_capture(cublasHandle_t handle) {
  const int n = 101;
  Array<float> a(n * n), b(n * n), c(n * n);
  a.random(), b.random(), c.fill(0);
  a.to_device(), b.to_device(), c.to_device();
  const float one = 1;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  EXPECT(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T, n, n, n, &one, a.device, n, b.device, n,
                     &one, c.device, n) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  for (int i = 0; i < 3; ++i) EXPECT(cudaGraphLaunch(ready, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  const std::vector<float> got = c.from_device();
  int different = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      Number sum = 0;
      for (int l = 0; l < n; ++l) sum += wide(a.host[l + i * n]) * wide(b.host[j + l * n]);
      different += wide(got[i + j * n]) != 3.0 * sum;
    }
  EXPECT(different == 0);
  EXPECT(cudaGraphExecDestroy(ready) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  EXPECT(cublasSetStream(handle, nullptr) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

/// The functions that have a type in their name reach the same code.
template <typename T, typename Gemm, typename Batched, typename Grouped>
void check_named(cublasHandle_t handle, Gemm gemm, Batched batched, Grouped grouped) {
  const int n = 6;
  Array<T> a(n * n * 2), b(n * n * 2), c(n * n * 2);
  a.random(), b.random();
  a.to_device(), b.to_device();
  const T one = Of<T>::number(1), nothing = Of<T>::number(0);
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  Array<const T*> pa(2), pb(2);
  Array<T*> pc(2);
  for (int z = 0; z < 2; ++z) {
    pa.host[z] = a.device + z * n * n;
    pb.host[z] = b.device + z * n * n;
    pc.host[z] = c.device + z * n * n;
  }
  pa.to_device(), pb.to_device(), pc.to_device();
  const auto expect_products = [&](int count, int line) {
    const std::vector<T> got = c.from_device();
    int different = 0;
    for (int z = 0; z < count; ++z)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
          Number sum = 0;
          for (int l = 0; l < n; ++l)
            sum += wide(a.host[z * n * n + i + l * n]) * wide(b.host[z * n * n + l + j * n]);
          different += wide(got[z * n * n + i + j * n]) != sum;
        }
    expect(different == 0, "products", line);
  };
  c.fill(poison<T>()), c.to_device();
  EXPECT(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a.device, n, b.device, n, &nothing,
              c.device, n) == CUBLAS_STATUS_SUCCESS);
  expect_products(1, __LINE__);
  c.fill(poison<T>()), c.to_device();
  EXPECT(batched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pa.device, n, pb.device, n,
                 &nothing, pc.device, n, 2) == CUBLAS_STATUS_SUCCESS);
  expect_products(2, __LINE__);
  if constexpr (!std::is_same_v<Grouped, std::nullptr_t>) {
    const cublasOperation_t op[2] = {CUBLAS_OP_N, CUBLAS_OP_N};
    const int size[2] = {n, n}, count[2] = {1, 1};
    const T alphas[2] = {one, one}, betas[2] = {nothing, nothing};
    c.fill(poison<T>()), c.to_device();
    EXPECT(grouped(handle, op, op, size, size, size, alphas, pa.device, size, pb.device, size,
                   betas, pc.device, size, 2, count) == CUBLAS_STATUS_SUCCESS);
    expect_products(2, __LINE__);
  }
}

/// 4096 ones: in half precision the sum would stop at 2048.
void check_half_sums(cublasHandle_t handle) {
  const int k = 4096;
  Array<__half> a(k), b(k), c(1);
  a.fill(__float2half(1)), b.fill(__float2half(1)), c.fill(poison<__half>());
  a.to_device(), b.to_device(), c.to_device();
  const __half one = __float2half(1), nothing = __float2half(0);
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasHgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, k, &one, a.device, k, b.device, k,
                     &nothing, c.device, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(__half2float(c.from_device()[0]) == 4096);
}

void check_arguments(cublasHandle_t handle) {
  Array<float> c(16);
  c.fill(7), c.to_device();
  const float one = 1;
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  const auto call = [&](cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                        int k, const float* alpha, int lda, int ldb, const float* beta, int ldc) {
    return cublasSgemm(h, ta, tb, m, n, k, alpha, c.device, lda, c.device, ldb, beta, c.device,
                       ldc);
  };
  const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  EXPECT(call(nullptr, N, N, 1, 1, 1, &one, 1, 1, &one, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(call(handle, (cublasOperation_t)7, N, 1, 1, 1, &one, 1, 1, &one, 1) ==
         CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, -1, 1, 1, &one, 1, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 1, -1, 1, &one, 1, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 1, 1, -1, &one, 1, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 2, 1, 1, &one, 1, 1, &one, 2) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, T, N, 2, 1, 3, &one, 2, 3, &one, 2) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 1, 1, 2, &one, 1, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, T, 1, 2, 1, &one, 1, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 2, 1, 1, &one, 2, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 1, 1, 1, nullptr, 1, 1, &one, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 1, 1, 1, &one, 1, 1, nullptr, 1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(call(handle, N, N, 0, 3, 3, &one, 1, 3, &one, 1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(call(handle, N, N, 3, 0, 3, &one, 3, 3, &one, 3) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasGemmEx(handle, N, N, 1, 1, 1, &one, c.device, CUDA_R_64F, 1, c.device, CUDA_R_64F, 1,
                      &one, c.device, CUDA_R_64F, 1, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasGemmEx(handle, N, N, 1, 1, 1, &one, c.device, CUDA_R_32F, 1, c.device, CUDA_R_16F, 1,
                      &one, c.device, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasSgemmEx(handle, N, N, 1, 1, 1, &one, c.device, CUDA_C_32F, 1, c.device, CUDA_C_32F,
                       1, &one, c.device, CUDA_C_32F, 1) == CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT(cublasSgemmBatched(handle, N, N, 1, 1, 1, &one, nullptr, 1, nullptr, 1, &one, nullptr, 1,
                            -1) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasSgemmBatched(handle, N, N, 1, 1, 1, &one, nullptr, 1, nullptr, 1, &one, nullptr, 1,
                            0) == CUBLAS_STATUS_SUCCESS);
  for (const float x : c.from_device()) EXPECT(x == 7);
}

/// In the order of the handle's stream, which waits for what came before.
void check_stream(cublasHandle_t handle) {
  const int n = 97;
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  Array<float> a(n * n), b(n * n);
  a.fill(1), b.fill(-1);
  a.to_device(), b.to_device();
  const float scale = 1.0f / n, nothing = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &scale, a.device, n, a.device, n,
                       &nothing, b.device, n) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &scale, b.device, n, b.device, n,
                       &nothing, a.device, n) == CUBLAS_STATUS_SUCCESS);
  }
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  int different = 0;
  for (const float x : a.from_device()) different += !(x > 0.999f && x < 1.001f);
  EXPECT(different == 0);
  EXPECT(cublasSetStream(handle, nullptr) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

template <typename T, typename Gemm>
void show_bits(const char* name, cublasHandle_t handle, Gemm gemm) {
  const int m = 131, n = 211, k = 97;
  Array<T> a(m * k), b(n * k), c(m * n);
  for (T& x : a.host) x = random_fraction<T>();
  for (T& x : b.host) x = random_fraction<T>();
  c.random();
  a.to_device(), b.to_device(), c.to_device();
  const T alpha = random_fraction<T>(), beta = random_fraction<T>();
  EXPECT(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == CUBLAS_STATUS_SUCCESS);
  for (const cublasOperation_t ta : operations)
    for (const cublasOperation_t tb : operations)
      EXPECT(gemm(handle, ta, tb, m, n, k, &alpha, a.device, ta == CUBLAS_OP_N ? m : k, b.device,
                  tb == CUBLAS_OP_N ? k : n, &beta, c.device, m) == CUBLAS_STATUS_SUCCESS);
  print_bits(name, c.from_device());
}

}  // namespace

int main() {
  cublasHandle_t handle;
  EXPECT(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_all(handle, Types<float, float, float>{CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_all(handle, Types<double, double, double>{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F});
  check_all(handle,
            Types<cuComplex, cuComplex, cuComplex>{CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F});
  check_all(handle, Types<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>{CUDA_C_64F, CUDA_C_64F,
                                                                             CUBLAS_COMPUTE_64F});
  check_all(handle, Types<float, __half, __half>{CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F});
  check_all(handle, Types<float, __half, float>{CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_all(handle, Types<__half, __half, __half>{CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F});
  check_all(handle, Types<float, __nv_bfloat16, __nv_bfloat16>{CUDA_R_16BF, CUDA_R_16BF,
                                                               CUBLAS_COMPUTE_32F});
  check_all(handle,
            Types<float, __nv_bfloat16, float>{CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_all(handle, Types<int, signed char, int>{CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I});
  check_all(handle, Types<float, signed char, float>{CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_large(handle, Types<float, float, float>{CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_large(handle, Types<double, double, double>{CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F});
  check_large(handle,
              Types<cuComplex, cuComplex, cuComplex>{CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F});
  check_large(handle, Types<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>{
                          CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F});
  check_converted(handle, Types<float, __half, __half>{CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F});
  check_converted(handle, Types<float, __half, float>{CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_converted(handle,
                  Types<__half, __half, __half>{CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F});
  check_converted(handle, Types<float, __nv_bfloat16, __nv_bfloat16>{CUDA_R_16BF, CUDA_R_16BF,
                                                                     CUBLAS_COMPUTE_32F});
  check_converted(handle, Types<int, signed char, int>{CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I});
  check_converted(handle,
                  Types<float, signed char, float>{CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F});
  check_capture(handle);
  check_named<float>(handle, cublasSgemm, cublasSgemmBatched, cublasSgemmGroupedBatched);
  check_named<double>(handle, cublasDgemm, cublasDgemmBatched, cublasDgemmGroupedBatched);
  check_named<cuComplex>(handle, cublasCgemm, cublasCgemmBatched, nullptr);
  check_named<cuComplex>(handle, cublasCgemm3m, cublasCgemm3mBatched, nullptr);
  check_named<cuDoubleComplex>(handle, cublasZgemm, cublasZgemmBatched, nullptr);
  check_named<__half>(handle, cublasHgemm, cublasHgemmBatched, nullptr);
  show_bits<float>("Sgemm", handle, cublasSgemm);
  show_bits<double>("Dgemm", handle, cublasDgemm);
  show_bits<cuComplex>("Cgemm", handle, cublasCgemm);
  show_bits<cuDoubleComplex>("Zgemm", handle, cublasZgemm);
  show_bits<__half>("Hgemm", handle, cublasHgemm);
  check_half_sums(handle);
  check_arguments(handle);
  check_stream(handle);
  EXPECT(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
