// cuFFT: transforms run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/api/plan.h"

namespace gridspan::libraries::fft {

cufftResult run(Plan& plan, const char* call, void* in, void* out, int direction) {
  if (!plan.is_made) return answer(CUFFT_INVALID_PLAN, call, "plan", "is not made yet");
  if (!in || !out) return answer(CUFFT_INVALID_VALUE, call, in ? "odata" : "idata");
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    return answer(CUFFT_INVALID_VALUE, call, "direction");
  const bool is_padded = in == out && plan.shape_in_place;
  const Shape& shape = is_padded ? *plan.shape_in_place : plan.shape;
  const Steps& steps = is_padded ? plan.steps_in_place : plan.steps;
  void* const work = plan.given_work ? plan.given_work : plan.own_work.as<void>();
  if (steps.work_bytes > 0 && !work)
    return answer(CUFFT_NO_WORKSPACE, call, "plan", "has no work area");
  cudaError_t error = load_by_callback(plan, shape, in);
  void* const result = plan.store.function ? plan.stored.as<void>() : out;
  const Call arrays = {in, result, work, direction == CUFFT_INVERSE, plan.stream};
  for (const auto& step : steps.steps)
    if (error == cudaSuccess) error = step(arrays);
  if (error == cudaSuccess) error = store_by_callback(plan, shape, out);
  if (error != cudaSuccess) return fail(CUFFT_EXEC_FAILED, call, cudaGetErrorString(error));
  return CUFFT_SUCCESS;
}

namespace {

/// A call for plans of one type.
cufftResult run_typed(cufftHandle handle, const char* call, bool from_real, bool to_real,
                      Numbers numbers, void* in, void* out, int direction = CUFFT_FORWARD) {
  const std::shared_ptr<Plan> plan = plans().find(handle);
  if (!plan) return answer(CUFFT_INVALID_PLAN, call, "plan");
  if (!plan->is_made) return answer(CUFFT_INVALID_PLAN, call, "plan", "is not made yet");
  const Shape& shape = plan->shape;
  if (shape.from_real != from_real || shape.to_real != to_real || shape.numbers != numbers)
    return answer(CUFFT_INVALID_TYPE, call, "plan", "is of another type");
  return run(*plan, call, in, out, direction);
}

}  // namespace
}  // namespace gridspan::libraries::fft

namespace fft = gridspan::libraries::fft;
using fft::Numbers;

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* idata, cufftComplex* odata,
                         int direction) {
  return fft::run_typed(plan, "cufftExecC2C", false, false, Numbers::single_precision, idata, odata,
                        direction);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal* idata, cufftComplex* odata) {
  return fft::run_typed(plan, "cufftExecR2C", true, false, Numbers::single_precision, idata, odata);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* idata, cufftReal* odata) {
  return fft::run_typed(plan, "cufftExecC2R", false, true, Numbers::single_precision, idata, odata);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleComplex* odata,
                         int direction) {
  return fft::run_typed(plan, "cufftExecZ2Z", false, false, Numbers::double_precision, idata, odata,
                        direction);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* idata, cufftDoubleComplex* odata) {
  return fft::run_typed(plan, "cufftExecD2Z", true, false, Numbers::double_precision, idata, odata);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* idata, cufftDoubleReal* odata) {
  return fft::run_typed(plan, "cufftExecZ2D", false, true, Numbers::double_precision, idata, odata);
}

cufftResult cufftXtExec(cufftHandle handle, void* input, void* output, int direction) {
  const std::shared_ptr<fft::Plan> plan = fft::plans().find(handle);
  if (!plan) return fft::answer(CUFFT_INVALID_PLAN, "cufftXtExec", "plan");
  // Real transforms have one direction, whatever is given.
  const bool is_real = plan->shape.from_real || plan->shape.to_real;
  return fft::run(*plan, "cufftXtExec", input, output, is_real ? CUFFT_FORWARD : direction);
}

}  // extern "C"
