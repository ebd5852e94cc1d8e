// cuFFT: functions of the program's that elements are loaded or stored by. They run before and
// after the transform, over copies of the arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/api/plan.h"

#include <gridspan/fft_callbacks.h>

#include <algorithm>
#include <array>

namespace gridspan::libraries::fft {

bool is_load(cufftXtCallbackType type) { return type <= CUFFT_CB_LD_REAL_DOUBLE; }

namespace {

/// The one that loads, or stores, the elements of such a plan.
cufftXtCallbackType type_of(const Shape& shape, bool loads) {
  const bool is_real = loads ? shape.from_real : shape.to_real;
  const int type = (loads ? CUFFT_CB_LD_COMPLEX : CUFFT_CB_ST_COMPLEX) + (is_real ? 2 : 0) +
                   (shape.numbers == Numbers::double_precision ? 1 : 0);
  return static_cast<cufftXtCallbackType>(type);
}

using Called = __gridspan_fft::elements;

Called elements_of(const Shape& shape, bool of_input) {
  const Layout& layout = of_input ? shape.in : shape.out;
  const bool is_half = of_input ? shape.to_real : shape.from_real;
  Called elements = {{1, 1, 1, 1}, {}, 1};
  const std::size_t rank = shape.sizes.size();
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t size = shape.sizes[rank - 1 - i];
    elements.counts[i] = i == 0 && is_half ? size / 2 + 1 : size;
    elements.strides[i] = layout.strides[rank - 1 - i];
  }
  elements.counts[rank] = shape.batch;
  elements.strides[rank] = layout.batch;
  for (const long long count : elements.counts) elements.all *= count;
  return elements;
}

std::size_t bytes_of(const Shape& shape, bool of_input) {
  const Called elements = elements_of(shape, of_input);
  long long last = 0;
  for (std::size_t i = 0; i < 4; ++i) last += (elements.counts[i] - 1) * elements.strides[i];
  return static_cast<std::size_t>(last + 1) * 16;  // of the largest elements
}

/// Both kinds of kernels have such parameters; `second` and `fourth` are where elements are.
cudaError_t launch(const Callback& callback, const void* second, void* third, const void* fourth,
                   Called elements, cudaStream_t stream) {
  constexpr unsigned block = 128;
  void* function = callback.function;
  const std::array<void*, 5> arguments = {&function, &second, &third, &fourth, &elements};
  return cudaLaunchKernel(
      callback.kernel, dim3(static_cast<unsigned>((elements.all + block - 1) / block)), dim3(block),
      const_cast<void**>(arguments.data()), callback.shared_bytes, stream);
}

}  // namespace

cudaError_t load_by_callback(Plan& plan, const Shape& shape, void*& in) {
  if (!plan.load.function) return cudaSuccess;
  void* const data = in;
  in = plan.loaded.as<void>();
  return launch(plan.load, data, plan.load.information, in, elements_of(shape, true), plan.stream);
}

cudaError_t store_by_callback(Plan& plan, const Shape& shape, void* out) {
  if (!plan.store.function) return cudaSuccess;
  return launch(plan.store, plan.stored.as<void>(), out, plan.store.information,
                elements_of(shape, false), plan.stream);
}

namespace {

/// Calls `change` with the plan and its callback of this type.
template <typename Change>
cufftResult with_callback(cufftHandle handle, const char* call, cufftXtCallbackType type,
                          Change change) {
  const auto plan = plans().find(handle);
  if (!plan || !plan->is_made) return answer(CUFFT_INVALID_PLAN, call, "plan");
  if (type >= CUFFT_CB_UNDEFINED) return answer(CUFFT_INVALID_TYPE, call, "cbType");
  if (plan->shape.numbers == Numbers::half_precision || type != type_of(plan->shape, is_load(type)))
    return answer(CUFFT_INVALID_TYPE, call, "cbType", "is not of the plan's type");
  return change(*plan, is_load(type) ? plan->load : plan->store);
}

}  // namespace
}  // namespace gridspan::libraries::fft

namespace fft = gridspan::libraries::fft;

extern "C" {

cufftResult cufftXtSetCallback(cufftHandle, void**, cufftXtCallbackType, void**) {
  return fft::fail(CUFFT_NOT_SUPPORTED, "cufftXtSetCallback",
                   "called by code that gridcc has not compiled");
}

cufftResult cufftXtSetCallbackAndKernel(cufftHandle handle, void** routine,
                                        cufftXtCallbackType type, void** information,
                                        const void* kernel) {
  constexpr const char* call = "cufftXtSetCallback";
  return fft::with_callback(handle, call, type, [&](fft::Plan& plan, fft::Callback& callback) {
    if (!routine || !routine[0]) return fft::answer(CUFFT_INVALID_VALUE, call, "callback_routine");
    const bool loads = fft::is_load(type);
    std::size_t bytes = fft::bytes_of(plan.shape, loads);
    if (plan.shape_in_place) bytes = std::max(bytes, fft::bytes_of(*plan.shape_in_place, loads));
    if (!(loads ? plan.loaded : plan.stored).make(bytes))
      return fft::fail(CUFFT_ALLOC_FAILED, call, "no memory");
    callback.function = routine[0];
    callback.kernel = kernel;
    callback.information = information ? information[0] : nullptr;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtClearCallback(cufftHandle handle, cufftXtCallbackType type) {
  return fft::with_callback(handle, "cufftXtClearCallback", type,
                            [](fft::Plan&, fft::Callback& callback) {
                              callback = {};
                              return CUFFT_SUCCESS;
                            });
}

cufftResult cufftXtSetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type,
                                         size_t shared_size) {
  constexpr const char* call = "cufftXtSetCallbackSharedSize";
  return fft::with_callback(handle, call, type, [&](fft::Plan&, fft::Callback& callback) {
    constexpr std::size_t documented_limit = 16384;
    if (shared_size > documented_limit) return fft::answer(CUFFT_INVALID_VALUE, call, "sharedSize");
    callback.shared_bytes = shared_size;
    return CUFFT_SUCCESS;
  });
}

}  // extern "C"
