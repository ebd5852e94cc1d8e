// cuBLASLt: products of matrices with layouts, scales and epilogues.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices of other types than the computation's, and those in tiles, are converted first, columns
// by columns. The product goes into D, or into an array of the computation's type from which D is
// converted last; what an epilogue does it does there.
#include "libraries/blas/api/lt_matmul.h"

#include "libraries/blas/api/work.h"
#include "libraries/blas/kernels/epilogues.h"
#include "libraries/blas/kernels/structured.h"

#include <algorithm>
#include <type_traits>
#include <utility>
#include <vector>

namespace gridspan::libraries::blas {
namespace {

using Count = std::int64_t;

/// What is refused is always an argument of this function's.
Check call_check() { return Check("cublasLtMatmul"); }

struct LtCall {
  LtProduct p;
  const void *alpha, *a, *b, *beta, *c;
  void* d;
  cudaStream_t stream;
};

template <typename T>
struct TypeOf;
template <>
struct TypeOf<float> {
  static constexpr cudaDataType value = CUDA_R_32F;
};
template <>
struct TypeOf<double> {
  static constexpr cudaDataType value = CUDA_R_64F;
};
template <>
struct TypeOf<int> {
  static constexpr cudaDataType value = CUDA_R_32I;
};
template <>
struct TypeOf<cuComplex> {
  static constexpr cudaDataType value = CUDA_C_32F;
};
template <>
struct TypeOf<cuDoubleComplex> {
  static constexpr cudaDataType value = CUDA_C_64F;
};
template <typename T>
constexpr bool is_real = std::is_same_v<T, float> || std::is_same_v<T, double>;
template <typename T>
constexpr bool is_complex_number =
    std::is_same_v<T, cuComplex> || std::is_same_v<T, cuDoubleComplex>;

cudaDataType data_type(std::uint32_t type) { return static_cast<cudaDataType>(type); }
cudaDataType data_type(std::int32_t type, cudaDataType otherwise) {
  return type == -1 ? otherwise : static_cast<cudaDataType>(type);
}

TypedMatrix typed(const void* base, const Layout& layout, bool transposed = false) {
  TypedMatrix result = {base, data_type(layout.type), placement_of(layout), transposed};
  if (layout.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY)
    result.array = static_cast<const void* const*>(base);
  result.plane = layout.plane_offset;
  return result;
}

template <typename T>
bool is_as_computed(const Layout& layout) {
  return data_type(layout.type) == TypeOf<T>::value && !has_planes(layout) &&
         layout.batch_mode == CUBLASLT_BATCH_MODE_STRIDED &&
         placement_of(layout).order == ElementOrder::steps;
}

/// Rows of A and columns of B have factors, pieces of them if these are many.
struct LtFactors {
  const void* place = nullptr;
  Factors kind = Factors::none;
  bool along_rows = false;
};

/// op(matrix), rows by columns, as products take it.
template <typename T>
Matrices<const T> lt_operand(Work& work, const void* base, const Layout& layout,
                             std::int32_t operation, Count rows, Count columns,
                             const LtFactors& factors) {
  const bool transposed = operation != CUBLAS_OP_N;
  Matrices<const T> result;
  if (is_as_computed<T>(layout)) {
    const Placement place = placement_of(layout);
    result.base = static_cast<const T*>(base);
    result.row = transposed ? place.column : place.row;
    result.column = transposed ? place.row : place.column;
    result.batch = place.batch;
    result.conjugates = is_complex_number<T> && operation == CUBLAS_OP_C;
    return result;
  }
  T* const loaded = work.take<T>(rows * columns * layout.batch_count);
  if constexpr (!is_complex_number<T>)
    work.step([&] {
      return launch_load<T>(rows, columns, layout.batch_count, typed(base, layout, transposed),
                            loaded, work.stream());
    });
  else if constexpr (std::is_same_v<T, cuComplex>)
    work.step([&] {
      return launch_load_planes(rows, columns, layout.batch_count, typed(base, layout, transposed),
                                loaded, work.stream());
    });
  if constexpr (std::is_same_v<T, float>)
    if (factors.kind != Factors::none)
      work.step([&] {
        return launch_factors(rows, columns, factors.along_rows, factors.kind, factors.place,
                              loaded, work.stream());
      });
  result.base = loaded;
  result.column = rows;
  result.batch = rows * columns;
  result.conjugates = is_complex_number<T> && operation == CUBLAS_OP_C;
  return result;
}

/// alpha or beta on the host, of the scale's type.
template <typename T>
T host_number(const void* place, std::int32_t type) {
  if constexpr (std::is_same_v<T, float>)
    if (type == CUDA_R_16F) return __half2float(*static_cast<const __half*>(place));
  return *static_cast<const T*>(place);
}

/// alpha or beta times factors that are in device memory.
template <typename T>
Scalar<T> lt_scalar(Work& work, const LtCall& call, const void* place, bool on_device,
                    const void* factor, const void* other) {
  const std::int32_t type = call.p.product.scale_type;
  const bool has_factors = factor || other;
  if (!on_device && !has_factors) return {host_number<T>(place, type), nullptr};
  if (on_device && !has_factors && type == TypeOf<T>::value)
    return {zero<T>(), static_cast<const T*>(place)};
  if constexpr (is_complex_number<T>) {
    return {host_number<T>(place, type), nullptr};  // has no factors
  } else {
    const Scalar<T> value = {on_device ? zero<T>() : host_number<T>(place, type), nullptr};
    T* const result = work.take<T>(1);
    work.step([&] {
      return launch_number<T>(value, on_device ? place : nullptr, static_cast<cudaDataType>(type),
                              static_cast<const float*>(factor), static_cast<const float*>(other),
                              result, work.stream());
    });
    return {zero<T>(), result};
  }
}

template <typename T>
bool is_nothing(const Scalar<T>& x) {
  return !x.place && is_zero(x.value);
}

/// Where the result is computed.
template <typename T>
struct Target {
  T* base = nullptr;
  Placement place;
  bool is_result = false;  // D itself
};

template <typename T>
Target<T> target_of(Work& work, const LtCall& call, bool through_copy) {
  const LtProduct& p = call.p;
  if (is_as_computed<T>(p.d) && !through_copy)
    return {static_cast<T*>(call.d), placement_of(p.d), true};
  return {work.take<T>(p.m() * p.n() * p.batch_count()),
          {ElementOrder::steps, 1, p.m(), p.m() * p.n()},
          false};
}

/// C into the array of the result. False if that is where it lies.
template <typename T>
void bring_c(Work& work, const LtCall& call, const Target<T>& target) {
  const LtProduct& p = call.p;
  if constexpr (std::is_same_v<T, cuComplex>)
    if (has_planes(p.c)) {
      work.step([&] {
        return launch_load_planes(p.m(), p.n(), p.batch_count(), typed(call.c, p.c), target.base,
                                  work.stream());
      });
      return;
    }
  if constexpr (is_complex_number<T>) {
    for (Count z = 0; z < p.batch_count(); ++z)
      work.step([&] {
        const Placement from = placement_of(p.c);
        Operand<T> c;
        c.base = static_cast<const T*>(call.c) + z * from.batch;
        // Columns of D are rows of C if only one of them lies by rows.
        const bool by_rows = target.place.row != 1;
        c.lead = from.row == 1 ? from.column : from.row;
        c.transposed = (from.row == 1) == by_rows;
        return launch_geam<T>(by_rows ? p.n() : p.m(), by_rows ? p.m() : p.n(),
                              Scalar<T>{one<T>(), nullptr}, c, Scalar<T>{zero<T>(), nullptr}, c,
                              target.base + z * target.place.batch,
                              by_rows ? target.place.row : target.place.column, work.stream());
      });
  } else {
    const bool is_dense = target.place.row == 1 && target.place.column == p.m() &&
                          (p.batch_count() == 1 || target.place.batch == p.m() * p.n());
    T* const dense = is_dense ? target.base : work.take<T>(p.m() * p.n() * p.batch_count());
    work.step([&] {
      return launch_load<T>(p.m(), p.n(), p.batch_count(), typed(call.c, p.c), dense,
                            work.stream());
    });
    if (!is_dense)
      work.step([&] {
        return launch_store<T>(p.m(), p.n(), p.batch_count(), dense, nullptr,
                               {target.base, TypeOf<T>::value, target.place}, work.stream());
      });
  }
}

bool is_same_place(const LtCall& call) {
  const Layout &c = call.p.c, &d = call.p.d;
  return call.c == call.d && c.batch_mode == CUBLASLT_BATCH_MODE_STRIDED && c.type == d.type &&
         c.order == d.order && c.lead == d.lead &&
         (d.batch_count == 1 || c.batch_stride == d.batch_stride);
}

template <typename T>
Gemm<T, T, T, T> product_into(const LtCall& call, Matrices<const T> a, Matrices<const T> b,
                              const Target<T>& target) {
  const LtProduct& p = call.p;
  Gemm<T, T, T, T> gemm;
  gemm.m = p.m();
  gemm.n = p.n();
  gemm.k = p.k();
  gemm.batch_count = p.batch_count();
  gemm.a = a;
  gemm.b = b;
  gemm.c.base = target.base;
  gemm.c.row = target.place.row;
  gemm.c.column = target.place.column;
  gemm.c.batch = target.place.batch;
  gemm.stream = call.stream;
  if (target.place.row != 1) {  // by rows: the transposed product by columns
    std::swap(gemm.m, gemm.n);
    std::swap(gemm.a, gemm.b);
    for (auto* const x : {&gemm.a, &gemm.b}) std::swap(x->row, x->column);
    std::swap(gemm.c.row, gemm.c.column);
  }
  return gemm;
}

/// Rows have factors of their own, or the product is of another type than alpha: the product first,
/// then alpha of it and beta C.
template <typename T>
void combine(Work& work, const LtCall& call, const Target<T>& target, Scalar<T> alpha,
             const T* alphas, Scalar<T> beta) {
  const LtProduct& p = call.p;
  const bool adds = !is_nothing(beta);
  T* const c = adds ? work.take<T>(p.m() * p.n() * p.batch_count()) : nullptr;
  if (adds)
    work.step([&] {
      return launch_load<T>(p.m(), p.n(), p.batch_count(), typed(call.c, p.c), c, work.stream());
    });
  for (Count z = 0; z < p.batch_count(); ++z) {
    T* const one_product = target.base + z * target.place.batch;
    if (alphas)
      work.step([&] {
        return launch_dgmm<T>(true, p.m(), p.n(), one_product, p.m(),
                              {alphas + z * p.product.alpha_batch_stride, 1}, one_product, p.m(),
                              work.stream());
      });
    Operand<T> first, second;
    first.base = one_product;
    second.base = adds ? c + z * p.m() * p.n() : one_product;
    first.lead = second.lead = p.m();
    work.step([&] {
      return launch_geam<T>(p.m(), p.n(), alpha, first, beta, second, one_product, p.m(),
                            work.stream());
    });
  }
}

/// A vector of the program's, one for each product, in the type of the computation.
template <typename T>
const T* bias_of(Work& work, const LtCall& call, cudaDataType type, Count count) {
  if constexpr (!is_complex_number<T>) {
    const Count stride = call.p.product.bias_batch_stride;
    if (type != TypeOf<T>::value) {
      T* const loaded = work.take<T>(count * call.p.batch_count());
      work.step([&] {
        return launch_load<T>(count, 1, call.p.batch_count(),
                              {call.p.product.bias, type, {ElementOrder::steps, 1, count, stride}},
                              loaded, work.stream());
      });
      return loaded;
    }
  }
  return static_cast<const T*>(call.p.product.bias);
}

/// The sums of rows of a matrix, into the program's vector.
template <typename T>
void give_sums(Work& work, const LtCall& call, Count rows, Count columns, Matrices<const T> matrix,
               cudaDataType type) {
  T* const sums = work.take<T>(rows * call.p.batch_count());
  work.step([&] {
    return launch_row_sums<T>(rows, columns, call.p.batch_count(), matrix, sums, work.stream());
  });
  work.step([&] {
    return launch_store<T>(rows, 1, call.p.batch_count(), sums, nullptr,
                           {call.p.product.bias,
                            type,
                            {ElementOrder::steps, 1, rows, call.p.product.bias_batch_stride}},
                           work.stream());
  });
}

/// That of the result; results of 8 bits have biases of another type.
cudaDataType default_bias_type(const LtProduct& p) {
  const cudaDataType c = data_type(p.c.type), d = data_type(p.d.type);
  if (d == CUDA_R_8I) return CUDA_R_32F;
  if (d != CUDA_R_8F_E4M3 && d != CUDA_R_8F_E5M2) return d;
  return c == CUDA_R_32F ? CUDA_R_16BF : c;
}

template <typename T>
void run_epilogue(Work& work, const LtCall& call, const Target<T>& target, Matrices<const T> a,
                  Matrices<const T> b) {
  const LtProduct& p = call.p;
  const Product& given = p.product;
  Epilogue<T> e;
  e.m = p.m();
  e.n = p.n();
  e.batch_count = p.batch_count();
  e.base = target.base;
  e.row = target.place.row;
  e.column = target.place.column;
  e.batch = target.place.batch;
  e.stream = work.stream();
  const cudaDataType bias_type = data_type(given.bias_type, default_bias_type(p));
  if (p.has(with_bias)) {
    e.bias = bias_of<T>(work, call, bias_type, p.m());
    e.bias_batch = bias_type == TypeOf<T>::value ? given.bias_batch_stride : p.m();
  }
  if constexpr (is_complex_number<T>) {
    if (e.bias) work.step([&] { return launch_epilogue(e); });
  } else if constexpr (is_real<T>) {
    const cudaDataType aux_type = data_type(given.aux_type, data_type(p.d.type));
    const bool has_numbers = p.has(with_aux) && p.has(with_gelu | with_gelu_gradient);
    const TypedMatrix aux = {
        given.aux, aux_type, {ElementOrder::steps, 1, given.aux_lead, given.aux_batch_stride}};
    const bool aux_is_direct =
        aux_type == TypeOf<T>::value && !given.scale_aux && !given.largest_aux;
    if (has_numbers) {
      e.aux = aux_is_direct ? static_cast<T*>(given.aux)
                            : work.take<T>(p.m() * p.n() * p.batch_count());
      e.aux_column = aux_is_direct ? given.aux_lead : p.m();
      e.aux_batch = aux_is_direct ? given.aux_batch_stride : p.m() * p.n();
    }
    e.mask = static_cast<const unsigned char*>(given.aux);
    e.mask_column = given.aux_lead;
    e.mask_batch = given.aux_batch_stride;
    if (p.has(with_relu)) {
      if (p.has(with_aux)) {
        if (e.bias) work.step([&] { return launch_epilogue(e); });
        e.bias = nullptr;
        work.step([&] { return launch_mask(e, static_cast<unsigned char*>(given.aux)); });
      }
      e.function = Function::relu;
    } else if (p.has(with_gelu)) {
      e.function = Function::gelu;
    } else if (p.has(with_relu_gradient)) {
      e.function = Function::relu_gradient;
    } else if (p.has(with_gelu_gradient)) {
      e.function = Function::gelu_gradient;
      if (!aux_is_direct)
        work.step([&] {
          return launch_load<T>(p.m(), p.n(), p.batch_count(), aux, e.aux, work.stream());
        });
    }
    if (e.bias || e.function != Function::none) work.step([&] { return launch_epilogue(e); });
    if (has_numbers && p.has(with_gelu) && !aux_is_direct) {
      if (given.largest_aux) {
        Epilogue<T> kept = e;
        kept.base = e.aux;
        kept.row = 1;
        kept.column = e.aux_column;
        kept.batch = e.aux_batch;
        work.step([&] { return launch_largest(kept, static_cast<float*>(given.largest_aux)); });
      }
      work.step([&] {
        return launch_store<T>(p.m(), p.n(), p.batch_count(), e.aux,
                               static_cast<const float*>(given.scale_aux), aux, work.stream());
      });
    }
    if (p.has(with_bias_gradient)) {
      Matrices<const T> result;
      result.base = target.base;
      result.row = target.place.row;
      result.column = target.place.column;
      result.batch = target.place.batch;
      give_sums<T>(work, call, p.m(), p.n(), result, bias_type);
    }
    if (p.has(with_sums_of_a)) give_sums<T>(work, call, p.m(), p.k(), a, bias_type);
    if (p.has(with_sums_of_b)) {
      std::swap(b.row, b.column);
      give_sums<T>(work, call, p.n(), p.k(), b, bias_type);
    }
    if (given.largest_d)
      work.step([&] { return launch_largest(e, static_cast<float*>(given.largest_d)); });
  }
}

/// T: what alpha, beta and the epilogue are computed in; Sum: what the product is.
template <typename T, typename Sum>
cublasStatus_t multiply_typed(const LtCall& call) {
  const LtProduct& p = call.p;
  const Product& given = p.product;
  Work work(call.stream);
  const bool has_alphas = given.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  const bool on_device = given.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  constexpr bool converts = !std::is_same_v<T, Sum>;
  const Factors factors_a = factors_of(given.scale_mode_a),
                factors_b = factors_of(given.scale_mode_b);
  const void* const scale_a = is_real<T> && factors_a == Factors::none ? given.scale_a : nullptr;
  const void* const scale_b = is_real<T> && factors_b == Factors::none ? given.scale_b : nullptr;
  const bool gives_vectors = factors_of(given.scale_mode_out) != Factors::none;
  const void* const scale_c = is_real<T> ? given.scale_c : nullptr;
  const void* const scale_d = is_real<T> ? given.scale_d : nullptr;
  const T unit = one<T>(), nothing = zero<T>();
  const bool has_beta = given.pointer_mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  Scalar<T> alpha, beta = {nothing, nullptr};
  constexpr const char* no_vector =
      "has alpha for each row, which is not there with its other kinds";
  if (has_alphas && !is_real<T>)
    return call_check().refuse("computeDesc", no_vector, Answers::unsupported);
  if (has_alphas && scale_a == nullptr && scale_b == nullptr)
    alpha = {unit, nullptr};
  else if (has_alphas)
    return call_check().refuse("computeDesc", no_vector, Answers::unsupported);
  else
    alpha = lt_scalar<T>(work, call, call.alpha, on_device, scale_a, scale_b);
  if (has_beta) beta = lt_scalar<T>(work, call, call.beta, on_device, scale_c, nullptr);
  if (!is_nothing(beta) && !call.c) return call_check().refuse("C", "is null");

  const Matrices<const Sum> a = lt_operand<Sum>(work, call.a, p.a, given.transpose_a, p.m(), p.k(),
                                                {given.scale_a, factors_a, true});
  const Matrices<const Sum> b = lt_operand<Sum>(work, call.b, p.b, given.transpose_b, p.k(), p.n(),
                                                {given.scale_b, factors_b, false});
  const Target<T> target = target_of<T>(work, call, has_alphas || converts || scale_d);
  Matrices<const T> a_in_t, b_in_t;
  if constexpr (!converts) {
    a_in_t = a;
    b_in_t = b;
    Gemm<T, T, T, T> gemm = product_into<T>(call, a, b, target);
    gemm.alpha = alpha;
    gemm.beta = {nothing, nullptr};
    if (!has_alphas) {
      gemm.beta = beta;
      const bool is_there = target.is_result && is_same_place(call);
      if (!is_nothing(beta) && !is_there) bring_c<T>(work, call, target);
    }
    const bool changes_nothing =
        (p.k() == 0 || is_nothing(alpha)) && !gemm.beta.place && is_one(gemm.beta.value);
    if (!changes_nothing) work.step([&] { return launch(gemm); });
    if constexpr (is_real<T>)
      if (has_alphas)
        combine<T>(work, call, target, alpha, static_cast<const T*>(call.alpha), beta);
  } else {
    const Target<Sum> sums = {work.take<Sum>(p.m() * p.n() * p.batch_count()),
                              {ElementOrder::steps, 1, p.m(), p.m() * p.n()},
                              false};
    Gemm<Sum, Sum, Sum, Sum> gemm = product_into<Sum>(call, a, b, sums);
    gemm.alpha = {one<Sum>(), nullptr};
    gemm.beta = {zero<Sum>(), nullptr};
    work.step([&] { return launch(gemm); });
    work.step([&] {
      return launch_load<T>(p.m(), p.n(), p.batch_count(),
                            {sums.base, TypeOf<Sum>::value, sums.place}, target.base,
                            work.stream());
    });
    combine<T>(work, call, target, alpha, has_alphas ? static_cast<const T*>(call.alpha) : nullptr,
               beta);
  }
  if constexpr (!std::is_same_v<T, int>)
    if (given.epilogue != CUBLASLT_EPILOGUE_DEFAULT || given.largest_d)
      run_epilogue<T>(work, call, target, a_in_t, b_in_t);
  if constexpr (std::is_same_v<T, float>)
    if (gives_vectors) {
      work.step([&] {
        return launch_store_vectors(p.m(), p.n(), target.base, static_cast<const float*>(scale_d),
                                    typed(call.d, p.d), given.scale_out, work.stream());
      });
      return work.finish();
    }
  if constexpr (std::is_same_v<T, cuComplex>)
    if (!target.is_result)
      work.step([&] {
        return launch_store_planes(p.m(), p.n(), p.batch_count(), target.base, typed(call.d, p.d),
                                   work.stream());
      });
  if constexpr (!is_complex_number<T>)
    if (!target.is_result)
      work.step([&] {
        return launch_store<T>(p.m(), p.n(), p.batch_count(), target.base,
                               static_cast<const float*>(scale_d), typed(call.d, p.d),
                               work.stream());
      });
  return work.finish();
}

cublasStatus_t run_groups(const LtCall& call);

cublasStatus_t run_matmul(const LtCall& call) {
  const Product& given = call.p.product;
  const LtProduct& p = call.p;
  Check arguments = call_check();
  if (const cublasStatus_t status = check(arguments, p); status != CUBLAS_STATUS_SUCCESS)
    return status;
  const bool needs_bias = p.has(with_bias | with_bias_gradient | with_sums_of_a | with_sums_of_b);
  const bool needs_beta = given.pointer_mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  arguments.given(call.alpha, "alpha");
  if (needs_beta) arguments.given(call.beta, "beta");
  arguments
      .that(!needs_bias || given.bias, "computeDesc", Answers::invalid,
            "has an epilogue with a bias, and no pointer to it")
      .that(!p.has(with_aux) || given.aux, "computeDesc", Answers::invalid,
            "has an epilogue with a second matrix, and no pointer to it");
  if (arguments.failed()) return arguments.status();
  if (p.is_grouped()) return run_groups(call);
  if (p.m() == 0 || p.n() == 0 || p.batch_count() == 0) return CUBLAS_STATUS_SUCCESS;
  arguments.given(call.d, "D");
  if (p.k() > 0) arguments.given(call.a, "A").given(call.b, "B");
  if (arguments.failed()) return arguments.status();
  switch (given.scale_type) {
    case CUDA_R_64F:
      return multiply_typed<double, double>(call);
    case CUDA_C_32F:
      return multiply_typed<cuComplex, cuComplex>(call);
    case CUDA_C_64F:
      return multiply_typed<cuDoubleComplex, cuDoubleComplex>(call);
    case CUDA_R_32I:
      return multiply_typed<int, int>(call);
    default:
      if (p.a.type == CUDA_R_8I && (given.compute_type == CUBLAS_COMPUTE_32I ||
                                    given.compute_type == CUBLAS_COMPUTE_32I_PEDANTIC))
        return given.epilogue == CUBLASLT_EPILOGUE_BGRADA ||
                       given.epilogue == CUBLASLT_EPILOGUE_BGRADB
                   ? arguments.refuse("computeDesc", "has an epilogue that bytes do not have",
                                      Answers::unsupported)
                   : multiply_typed<float, int>(call);
      return multiply_typed<float, float>(call);
  }
}

/// An array of the program's in device memory, once the stream has come to this call.
template <typename T>
std::vector<T> copied(const LtCall& call, const void* place, std::size_t count, bool& is_good) {
  std::vector<T> result(count);
  is_good = is_good && place &&
            cudaMemcpyAsync(result.data(), place, count * sizeof(T), cudaMemcpyDeviceToHost,
                            call.stream) == cudaSuccess &&
            cudaStreamSynchronize(call.stream) == cudaSuccess;
  return result;
}

std::vector<std::int64_t> sizes(const LtCall& call, std::uint64_t place, std::int32_t width,
                                bool& is_good) {
  const auto* const array = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(place));
  const auto count = static_cast<std::size_t>(call.p.d.batch_count);
  if (width == CUBLASLT_INTEGER_WIDTH_64) return copied<std::int64_t>(call, array, count, is_good);
  const std::vector<std::int32_t> narrow = copied<std::int32_t>(call, array, count, is_good);
  return {narrow.begin(), narrow.end()};
}

/// The layouts of one matrix of each group.
std::vector<Layout> layouts(const LtCall& call, const Layout& given, bool& is_good) {
  const auto rows = sizes(call, given.rows, given.size_width, is_good),
             columns = sizes(call, given.columns, given.size_width, is_good),
             leads = sizes(call, static_cast<std::uint64_t>(given.lead), given.lead_width, is_good);
  std::vector<Layout> result;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    // Nothing has no leading dimension.
    const bool is_nothing = rows[g] == 0 || columns[g] == 0;
    result.emplace_back(data_type(given.type), static_cast<std::uint64_t>(rows[g]),
                        static_cast<std::uint64_t>(columns[g]),
                        is_nothing ? std::max(rows[g] + columns[g], std::int64_t{1}) : leads[g]);
    result.back().order = given.order;
  }
  return result;
}

/// One product for each group, of sizes that device memory has: so the stream is waited for.
cublasStatus_t run_groups(const LtCall& call) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(call.stream, &capture) != cudaSuccess ||
      capture != cudaStreamCaptureStatusNone)
    return call_check().refuse("stream", "captures, and groups have their sizes on the device",
                               Answers::unsupported);
  const Product& given = call.p.product;
  const auto count = static_cast<std::size_t>(call.p.d.batch_count);
  bool is_good = true;
  const auto a = layouts(call, call.p.a, is_good), b = layouts(call, call.p.b, is_good),
             c = layouts(call, call.p.c, is_good), d = layouts(call, call.p.d, is_good);
  using Pointers = std::vector<void*>;
  const auto pointers = [&](const void* array, bool is_there) {
    return is_there ? copied<void*>(call, array, count, is_good) : Pointers(count, nullptr);
  };
  const Pointers a_places = pointers(call.a, true), b_places = pointers(call.b, true),
                 c_places = pointers(call.c, call.c != nullptr), d_places = pointers(call.d, true);
  const Pointers biases = pointers(given.bias, call.p.has(with_bias));
  const bool has_alphas = given.alpha_stride != 0, has_betas = given.beta_stride != 0;
  const Pointers alphas = pointers(call.alpha, has_alphas), betas = pointers(call.beta, has_betas);
  const bool has_factors = given.scale_mode_a != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  const Pointers a_factors = pointers(given.scale_a, has_factors),
                 b_factors = pointers(given.scale_b, has_factors);
  if (!is_good) return CUBLAS_STATUS_EXECUTION_FAILED;
  const auto one_mode = [](std::int32_t mode) {
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F
               ? CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F
               : mode;
  };
  for (std::size_t g = 0; g < count; ++g) {
    LtCall one = {{given, a[g], b[g], c[g], d[g]},
                  has_alphas ? alphas[g] : call.alpha,
                  a_places[g],
                  b_places[g],
                  has_betas ? betas[g] : call.beta,
                  c_places[g],
                  d_places[g],
                  call.stream};
    one.p.product.bias = biases[g];
    if (has_factors) {
      one.p.product.scale_a = a_factors[g];
      one.p.product.scale_b = b_factors[g];
    }
    one.p.product.scale_mode_a = one_mode(given.scale_mode_a);
    one.p.product.scale_mode_b = one_mode(given.scale_mode_b);
    if (const cublasStatus_t status = run_matmul(one); status != CUBLAS_STATUS_SUCCESS)
      return status;
  }
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::blas

namespace blas = gridspan::libraries::blas;

extern "C" cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                         const void* alpha, const void* A, cublasLtMatrixLayout_t a,
                                         const void* B, cublasLtMatrixLayout_t b, const void* beta,
                                         const void* C, cublasLtMatrixLayout_t c, void* D,
                                         cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t*,
                                         void*, size_t, cudaStream_t stream) {
  blas::Check check = blas::lt_check(handle);
  check.given(product, "computeDesc").given(a, "Adesc").given(b, "Bdesc");
  check.given(c, "Cdesc").given(d, "Ddesc");
  if (check.failed()) return check.status();
  blas::lt_log(blas::LtLog::call, "cublasLtMatmul", "begins");
  const cublasStatus_t status =
      blas::run_matmul({{blas::contents<blas::Product>(product), blas::contents<blas::Layout>(a),
                         blas::contents<blas::Layout>(b), blas::contents<blas::Layout>(c),
                         blas::contents<blas::Layout>(d)},
                        alpha,
                        A,
                        B,
                        beta,
                        C,
                        D,
                        stream});
  if (status != CUBLAS_STATUS_SUCCESS)
    blas::lt_log(blas::LtLog::error, "cublasLtMatmul", cublasGetStatusName(status));
  return status;
}
