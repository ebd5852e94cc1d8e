// cuFFT: plans are made, and measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/api/plan.h"

#include <algorithm>
#include <new>
#include <span>

namespace gridspan::libraries::fft {
namespace {

using Sizes = std::vector<std::int64_t>;

/// A plan as a program describes it. An array without embedding sizes has no gaps.
struct Wanted {
  Sizes sizes;
  Sizes in_embed, out_embed;
  std::int64_t in_stride = 1, in_distance = 0, out_stride = 1, out_distance = 0;
  std::int64_t batch = 1;
  bool from_real = false, to_real = false;
  Numbers numbers = Numbers::single_precision;
};

bool set_type(Wanted& wanted, cufftType type) {
  wanted.from_real = type == CUFFT_R2C || type == CUFFT_D2Z;
  wanted.to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
  const bool is_double = type == CUFFT_Z2Z || type == CUFFT_D2Z || type == CUFFT_Z2D;
  wanted.numbers = is_double ? Numbers::double_precision : Numbers::single_precision;
  return wanted.from_real || wanted.to_real || type == CUFFT_C2C || type == CUFFT_Z2Z;
}

bool set_types(Wanted& wanted, cudaDataType in, cudaDataType out, cudaDataType computed) {
  const auto is = [&](cudaDataType real, cudaDataType complex, Numbers numbers) {
    if ((in != real && in != complex) || (out != real && out != complex)) return false;
    if (computed != complex || (in == real && out == real)) return false;
    wanted.from_real = in == real;
    wanted.to_real = out == real;
    wanted.numbers = numbers;
    return true;
  };
  return is(CUDA_R_32F, CUDA_C_32F, Numbers::single_precision) ||
         is(CUDA_R_64F, CUDA_C_64F, Numbers::double_precision) ||
         is(CUDA_R_16F, CUDA_C_16F, Numbers::half_precision);
}

Layout layout_of(const Sizes& embed, std::int64_t stride, std::int64_t distance) {
  Layout layout;
  layout.strides.resize(embed.size());
  for (std::size_t i = embed.size(); i-- > 0;) {
    layout.strides[i] = stride;
    stride *= embed[i];
  }
  layout.batch = distance;
  return layout;
}

/// Without gaps: lines of `last` elements.
Layout plain_layout(Sizes sizes, std::int64_t last) {
  sizes.back() = last;
  std::int64_t all = 1;
  for (const std::int64_t size : sizes) all *= size;
  return layout_of(sizes, 1, all);
}

Shape shape_of(const Wanted& wanted) {
  const std::int64_t n = wanted.sizes.back(), half = n / 2 + 1;
  Shape shape;
  shape.sizes = wanted.sizes;
  shape.batch = wanted.batch;
  shape.from_real = wanted.from_real;
  shape.to_real = wanted.to_real;
  shape.numbers = wanted.numbers;
  shape.in = wanted.in_embed.empty()
                 ? plain_layout(wanted.sizes, wanted.to_real ? half : n)
                 : layout_of(wanted.in_embed, wanted.in_stride, wanted.in_distance);
  shape.out = wanted.out_embed.empty()
                  ? plain_layout(wanted.sizes, wanted.from_real ? half : n)
                  : layout_of(wanted.out_embed, wanted.out_stride, wanted.out_distance);
  return shape;
}

std::optional<Shape> shape_in_place(const Wanted& wanted, const Shape& shape) {
  Layout Shape::* const real = wanted.from_real ? &Shape::in : &Shape::out;
  const Sizes& embed = wanted.from_real ? wanted.in_embed : wanted.out_embed;
  if (!(wanted.from_real || wanted.to_real) || !embed.empty()) return std::nullopt;
  Shape result = shape;
  result.*real = plain_layout(wanted.sizes, 2 * (wanted.sizes.back() / 2 + 1));
  return result;
}

struct Refusal {
  cufftResult status = CUFFT_SUCCESS;
  const char* argument = "";
  const char* why = "is not valid";
};

Refusal check(const Wanted& wanted) {
  constexpr std::int64_t most = std::int64_t{1} << 40;  // no product of sizes overflows
  double all = static_cast<double>(wanted.batch);
  for (const std::int64_t size : wanted.sizes) {
    if (size < 1) return {CUFFT_INVALID_SIZE, "n", "is less than 1"};
    all *= static_cast<double>(size);
  }
  if (wanted.batch < 1) return {CUFFT_INVALID_SIZE, "batch", "is less than 1"};
  if (all > static_cast<double>(most)) return {CUFFT_INVALID_SIZE, "n", "is too large"};
  const auto is_wrong = [&](const Sizes& embed, std::int64_t stride, std::int64_t distance) {
    if (embed.empty()) return false;
    double reach = static_cast<double>(wanted.sizes.front()) * static_cast<double>(stride);
    for (std::size_t i = 1; i < embed.size(); ++i) {
      if (embed[i] < 1) return true;
      reach *= static_cast<double>(embed[i]);
    }
    if (wanted.batch > 1)
      reach += static_cast<double>(wanted.batch) * static_cast<double>(distance);
    return stride < 1 || (wanted.batch > 1 && distance < 1) || reach > static_cast<double>(most);
  };
  if (is_wrong(wanted.in_embed, wanted.in_stride, wanted.in_distance))
    return {CUFFT_INVALID_VALUE, "inembed", "is not valid with istride and idist"};
  if (is_wrong(wanted.out_embed, wanted.out_stride, wanted.out_distance))
    return {CUFFT_INVALID_VALUE, "onembed", "is not valid with ostride and odist"};
  if (wanted.numbers == Numbers::half_precision)
    for (const std::int64_t size : wanted.sizes)
      if ((size & (size - 1)) != 0)
        return {CUFFT_INVALID_SIZE, "n", "is no power of two, as half needs"};
  return {};
}

cufftResult measure(const char* call, const Wanted& wanted, std::size_t* work_size) {
  if (!work_size) return answer(CUFFT_INVALID_VALUE, call, "workSize");
  if (const Refusal refusal = check(wanted); refusal.status != CUFFT_SUCCESS)
    return answer(refusal.status, call, refusal.argument, refusal.why);
  try {
    const Shape shape = shape_of(wanted);
    *work_size = steps_of(shape, nullptr).work_bytes;
    if (const auto in_place = shape_in_place(wanted, shape))
      *work_size = std::max(*work_size, steps_of(*in_place, nullptr).work_bytes);
    return CUFFT_SUCCESS;
  } catch (const std::bad_alloc&) {
    return fail(CUFFT_ALLOC_FAILED, call, "no memory");
  }
}

cufftResult make(Plan& plan, const char* call, const Wanted& wanted, std::size_t* work_size) {
  if (plan.is_made) return answer(CUFFT_INVALID_PLAN, call, "plan", "was made before");
  if (const Refusal refusal = check(wanted); refusal.status != CUFFT_SUCCESS)
    return answer(refusal.status, call, refusal.argument, refusal.why);
  try {
    plan.shape = shape_of(wanted);
    plan.steps = steps_of(plan.shape, &plan.tables);
    plan.work_bytes = plan.steps.work_bytes;
    cufftResult status = plan.steps.status;
    plan.shape_in_place = shape_in_place(wanted, plan.shape);
    if (plan.shape_in_place && status == CUFFT_SUCCESS) {
      plan.steps_in_place = steps_of(*plan.shape_in_place, &plan.tables);
      status = plan.steps_in_place.status;
      plan.work_bytes = std::max(plan.work_bytes, plan.steps_in_place.work_bytes);
    }
    if (status == CUFFT_SUCCESS && plan.allocates && plan.work_bytes > 0 &&
        !plan.own_work.make(plan.work_bytes))
      status = CUFFT_ALLOC_FAILED;
    if (status != CUFFT_SUCCESS) return fail(status, call, "no memory");
    plan.is_made = true;
    // One for each device; ours need no area on the others.
    if (work_size) std::fill_n(work_size, std::max<std::size_t>(1, plan.devices.size()), 0);
    if (work_size) *work_size = plan.work_bytes;
    return CUFFT_SUCCESS;
  } catch (const std::bad_alloc&) {
    return fail(CUFFT_ALLOC_FAILED, call, "no memory");
  }
}

/// With a description of the program's, to be made of a plan or to be measured.
template <typename Describe>
cufftResult make(cufftHandle handle, const char* call, std::size_t* work_size, Describe describe) {
  const std::shared_ptr<Plan> plan = plans().find(handle);
  if (!plan) return answer(CUFFT_INVALID_PLAN, call, "plan");
  Wanted wanted;
  const Refusal refusal = describe(wanted);
  if (refusal.status != CUFFT_SUCCESS)
    return answer(refusal.status, call, refusal.argument, refusal.why);
  return make(*plan, call, wanted, work_size);
}
template <typename Describe>
cufftResult measure(const char* call, std::size_t* work_size, Describe describe) {
  Wanted wanted;
  const Refusal refusal = describe(wanted);
  if (refusal.status != CUFFT_SUCCESS)
    return answer(refusal.status, call, refusal.argument, refusal.why);
  return measure(call, wanted, work_size);
}
template <typename Describe>
cufftResult measure(cufftHandle handle, const char* call, std::size_t* work_size,
                    Describe describe) {
  return plans().find(handle) ? measure(call, work_size, describe)
                              : answer(CUFFT_INVALID_PLAN, call, "handle");
}
/// A plan of its own.
template <typename Describe>
cufftResult create(cufftHandle* handle, const char* call, Describe describe) {
  if (!handle) return answer(CUFFT_INVALID_VALUE, call, "plan");
  cufftHandle made = 0;
  try {
    made = plans().create();
  } catch (const std::bad_alloc&) {
    return fail(CUFFT_ALLOC_FAILED, call, "no memory");
  }
  const cufftResult status = make(made, call, nullptr, describe);
  if (status == CUFFT_SUCCESS)
    *handle = made;
  else
    plans().destroy(made);
  return status;
}

/// Dimensions without gaps.
auto plain(Sizes sizes, cufftType type, std::int64_t batch) {
  return [=](Wanted& wanted) -> Refusal {
    if (!set_type(wanted, type)) return {CUFFT_INVALID_TYPE, "type"};
    wanted.sizes = sizes;
    wanted.batch = batch;
    return {};
  };
}

/// Sizes of any width.
template <typename Size>
struct Many {
  int rank;
  const Size* n;
  const Size* in_embed;
  std::int64_t in_stride, in_distance;
  const Size* out_embed;
  std::int64_t out_stride, out_distance;
  std::int64_t batch;

  Refusal describe(Wanted& wanted) const {
    if (rank < 1 || rank > 3) return {CUFFT_INVALID_VALUE, "rank"};
    if (!n) return {CUFFT_INVALID_VALUE, "n"};
    const auto sizes = [&](const Size* from) { return Sizes(from, from + rank); };
    wanted.sizes = sizes(n);
    // Documented: where one of them is null, nothing of either layout counts.
    if (in_embed && out_embed) {
      wanted.in_embed = sizes(in_embed);
      wanted.out_embed = sizes(out_embed);
    }
    wanted.in_stride = in_stride;
    wanted.in_distance = in_distance;
    wanted.out_stride = out_stride;
    wanted.out_distance = out_distance;
    wanted.batch = batch;
    return {};
  }
};

template <typename Size>
auto described(const Many<Size>& many, cufftType type) {
  return [=](Wanted& wanted) -> Refusal {
    if (!set_type(wanted, type)) return {CUFFT_INVALID_TYPE, "type"};
    return many.describe(wanted);
  };
}

template <typename Size>
auto described(const Many<Size>& many, cudaDataType in, cudaDataType out, cudaDataType computed) {
  return [=](Wanted& wanted) -> Refusal {
    if (!set_types(wanted, in, out, computed))
      return {CUFFT_INVALID_TYPE, "inputtype, outputtype or executiontype"};
    return many.describe(wanted);
  };
}

}  // namespace
}  // namespace gridspan::libraries::fft

namespace fft = gridspan::libraries::fft;

extern "C" {

cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch) {
  return fft::create(plan, "cufftPlan1d", fft::plain({nx}, type, batch));
}

cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type) {
  return fft::create(plan, "cufftPlan2d", fft::plain({nx, ny}, type, 1));
}

cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type) {
  return fft::create(plan, "cufftPlan3d", fft::plain({nx, ny, nz}, type, 1));
}

cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch) {
  const fft::Many<int> many = {rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return fft::create(plan, "cufftPlanMany", fft::described(many, type));
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch,
                            size_t* work_size) {
  return fft::make(plan, "cufftMakePlan1d", work_size, fft::plain({nx}, type, batch));
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size) {
  return fft::make(plan, "cufftMakePlan2d", work_size, fft::plain({nx, ny}, type, 1));
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                            size_t* work_size) {
  return fft::make(plan, "cufftMakePlan3d", work_size, fft::plain({nx, ny, nz}, type, 1));
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                              int idist, int* onembed, int ostride, int odist, cufftType type,
                              int batch, size_t* work_size) {
  const fft::Many<int> many = {rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return fft::make(plan, "cufftMakePlanMany", work_size, fft::described(many, type));
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long int* n,
                                long long int* inembed, long long int istride, long long int idist,
                                long long int* onembed, long long int ostride, long long int odist,
                                cufftType type, long long int batch, size_t* work_size) {
  const fft::Many<long long> many = {rank,    n,       inembed, istride, idist,
                                     onembed, ostride, odist,   batch};
  return fft::make(plan, "cufftMakePlanMany64", work_size, fft::described(many, type));
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int* n,
                                long long int* inembed, long long int istride, long long int idist,
                                cudaDataType inputtype, long long int* onembed,
                                long long int ostride, long long int odist, cudaDataType outputtype,
                                long long int batch, size_t* work_size,
                                cudaDataType executiontype) {
  const fft::Many<long long> many = {rank,    n,       inembed, istride, idist,
                                     onembed, ostride, odist,   batch};
  return fft::make(plan, "cufftXtMakePlanMany", work_size,
                   fft::described(many, inputtype, outputtype, executiontype));
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t* work_size) {
  return fft::measure("cufftEstimate1d", work_size, fft::plain({nx}, type, batch));
}

cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t* work_size) {
  return fft::measure("cufftEstimate2d", work_size, fft::plain({nx, ny}, type, 1));
}

cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* work_size) {
  return fft::measure("cufftEstimate3d", work_size, fft::plain({nx, ny, nz}, type, 1));
}

cufftResult cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                              int ostride, int odist, cufftType type, int batch,
                              size_t* work_size) {
  const fft::Many<int> many = {rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return fft::measure("cufftEstimateMany", work_size, fft::described(many, type));
}

cufftResult cufftGetSize1d(cufftHandle plan, int nx, cufftType type, int batch, size_t* work_size) {
  return fft::measure(plan, "cufftGetSize1d", work_size, fft::plain({nx}, type, batch));
}

cufftResult cufftGetSize2d(cufftHandle plan, int nx, int ny, cufftType type, size_t* work_size) {
  return fft::measure(plan, "cufftGetSize2d", work_size, fft::plain({nx, ny}, type, 1));
}

cufftResult cufftGetSize3d(cufftHandle plan, int nx, int ny, int nz, cufftType type,
                           size_t* work_size) {
  return fft::measure(plan, "cufftGetSize3d", work_size, fft::plain({nx, ny, nz}, type, 1));
}

cufftResult cufftGetSizeMany(cufftHandle plan, int rank, int* n, int* inembed, int istride,
                             int idist, int* onembed, int ostride, int odist, cufftType type,
                             int batch, size_t* work_size) {
  const fft::Many<int> many = {rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return fft::measure(plan, "cufftGetSizeMany", work_size, fft::described(many, type));
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                               long long int istride, long long int idist, long long int* onembed,
                               long long int ostride, long long int odist, cufftType type,
                               long long int batch, size_t* work_size) {
  const fft::Many<long long> many = {rank,    n,       inembed, istride, idist,
                                     onembed, ostride, odist,   batch};
  return fft::measure(plan, "cufftGetSizeMany64", work_size, fft::described(many, type));
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long int* n, long long int* inembed,
                               long long int istride, long long int idist, cudaDataType inputtype,
                               long long int* onembed, long long int ostride, long long int odist,
                               cudaDataType outputtype, long long int batch, size_t* work_size,
                               cudaDataType executiontype) {
  const fft::Many<long long> many = {rank,    n,       inembed, istride, idist,
                                     onembed, ostride, odist,   batch};
  return fft::measure(plan, "cufftXtGetSizeMany", work_size,
                      fft::described(many, inputtype, outputtype, executiontype));
}

}  // extern "C"
