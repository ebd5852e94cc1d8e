// cuFFT: arrays of several GPUs, as ordinary arrays. The run time spreads them over its devices as
// it does any array, so that a descriptor has one part, and its elements lie in their own order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/fft/api/plan.h"
#include "libraries/support/live_objects.h"

#include <algorithm>
#include <new>

namespace gridspan::libraries::fft {
namespace {

/// What a program holds, and all that it points to.
struct Array {
  cudaLibXtDesc outer = {};
  cudaXtDesc inner = {};
  DeviceArray memory;
};

std::size_t number_bytes(const Shape& shape) {
  switch (shape.numbers) {
    case Numbers::half_precision:
      return 2;
    case Numbers::single_precision:
      return 4;
    default:
      return 8;
  }
}

/// Bytes up to the last element.
std::size_t bytes_of(const Shape& shape, const Layout& layout, bool is_real, std::int64_t last) {
  std::int64_t place = (shape.batch - 1) * layout.batch;
  for (std::size_t i = 0; i < shape.sizes.size(); ++i) {
    const std::int64_t size = i + 1 == shape.sizes.size() ? last : shape.sizes[i];
    place += (size - 1) * layout.strides[i];
  }
  return static_cast<std::size_t>(place + 1) * number_bytes(shape) * (is_real ? 1 : 2);
}
std::size_t in_bytes(const Shape& shape) {
  const std::int64_t n = shape.sizes.back();
  return bytes_of(shape, shape.in, shape.from_real, shape.to_real ? n / 2 + 1 : n);
}
std::size_t out_bytes(const Shape& shape) {
  const std::int64_t n = shape.sizes.back();
  return bytes_of(shape, shape.out, shape.to_real, shape.from_real ? n / 2 + 1 : n);
}

/// False if there is no such format.
bool bytes_of(const Plan& plan, cufftXtSubFormat format, std::size_t& bytes) {
  const Shape& shape = plan.shape_in_place ? *plan.shape_in_place : plan.shape;
  switch (format) {
    case CUFFT_XT_FORMAT_INPUT:
    case CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED:
      bytes = in_bytes(plan.shape);
      return true;
    case CUFFT_XT_FORMAT_OUTPUT:
      bytes = out_bytes(plan.shape);
      return true;
    case CUFFT_XT_FORMAT_INPLACE:
    case CUFFT_XT_FORMAT_INPLACE_SHUFFLED:
      bytes = std::max(in_bytes(shape), out_bytes(shape));
      return true;
    default:
      return false;
  }
}

LiveObjects<Array>& arrays() { return live<Array>(); }

/// Null if the descriptor is none of ours.
Array* array_of(cudaLibXtDesc* descriptor) {
  auto* const array = reinterpret_cast<Array*>(descriptor);  // its first member
  return is_live(array) ? array : nullptr;
}

cufftResult run_arrays(cufftHandle handle, const char* call, cudaLibXtDesc* in, cudaLibXtDesc* out,
                       int direction) {
  const std::shared_ptr<Plan> plan = plans().find(handle);
  if (!plan) return answer(CUFFT_INVALID_PLAN, call, "plan");
  Array *const from = array_of(in), *const to = array_of(out);
  if (!from || !to) return answer(CUFFT_INVALID_VALUE, call, from ? "output" : "input");
  const bool is_real = plan->shape.from_real || plan->shape.to_real;
  return run(*plan, call, from->inner.data[0], to->inner.data[0],
             is_real ? CUFFT_FORWARD : direction);
}

/// For plans of one type.
cufftResult run_typed_arrays(cufftHandle handle, const char* call, bool from_real, bool to_real,
                             Numbers numbers, cudaLibXtDesc* in, cudaLibXtDesc* out,
                             int direction = CUFFT_FORWARD) {
  const std::shared_ptr<Plan> plan = plans().find(handle);
  if (!plan || !plan->is_made) return answer(CUFFT_INVALID_PLAN, call, "plan");
  const Shape& shape = plan->shape;
  if (shape.from_real != from_real || shape.to_real != to_real || shape.numbers != numbers)
    return answer(CUFFT_INVALID_TYPE, call, "plan: of another type");
  return run_arrays(handle, call, in, out, direction);
}

cufftResult copy(Plan& plan, void* to, void* from, cufftXtCopyType type) {
  constexpr const char* call = "cufftXtMemcpy";
  const bool to_array = type != CUFFT_COPY_DEVICE_TO_HOST,
             from_array = type != CUFFT_COPY_HOST_TO_DEVICE;
  Array* const target = to_array ? array_of(static_cast<cudaLibXtDesc*>(to)) : nullptr;
  Array* const source = from_array ? array_of(static_cast<cudaLibXtDesc*>(from)) : nullptr;
  if (!to || (to_array && !target)) return answer(CUFFT_INVALID_VALUE, call, "dstPointer");
  if (!from || (from_array && !source)) return answer(CUFFT_INVALID_VALUE, call, "srcPointer");
  std::size_t bytes = target ? target->inner.size[0] : source->inner.size[0];
  if (target && source) bytes = std::min(bytes, source->inner.size[0]);
  // Of an array in place, the host has what the transform reads or writes.
  if (!(target && source)) {
    const Shape& shape = plan.shape_in_place ? *plan.shape_in_place : plan.shape;
    bytes = std::min(bytes, std::max(in_bytes(shape), out_bytes(shape)));
  }
  const cudaError_t error =
      cudaMemcpy(target ? target->inner.data[0] : to, source ? source->inner.data[0] : from, bytes,
                 cudaMemcpyDefault);
  return error == cudaSuccess ? CUFFT_SUCCESS
                              : answer(CUFFT_EXEC_FAILED, call, cudaGetErrorString(error));
}

}  // namespace
}  // namespace gridspan::libraries::fft

namespace fft = gridspan::libraries::fft;
using fft::Numbers;

extern "C" {

cufftResult cufftXtSetGPUs(cufftHandle handle, int count, int* which) {
  constexpr const char* call = "cufftXtSetGPUs";
  const auto plan = fft::plans().find(handle);
  if (!plan || plan->is_made) return fft::answer(CUFFT_INVALID_PLAN, call, "handle");
  if (count < 1 || count > MAX_CUDA_DESCRIPTOR_GPUS || !which)
    return fft::answer(CUFFT_INVALID_VALUE, call, which ? "nGPUs" : "whichGPUs");
  int there = 0;
  if (cudaGetDeviceCount(&there) != cudaSuccess) return fft::answer(CUFFT_SETUP_FAILED, call, "");
  const auto is_there = [&](int device) { return device >= 0 && device < there; };
  return std::all_of(which, which + count, is_there)
             ? CUFFT_SUCCESS
             : fft::answer(CUFFT_INVALID_DEVICE, call, "whichGPUs");
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  constexpr const char* call = "cufftXtMalloc";
  const auto plan = fft::plans().find(handle);
  if (!plan || !plan->is_made) return fft::answer(CUFFT_INVALID_PLAN, call, "plan");
  std::size_t bytes = 0;
  if (!descriptor) return fft::answer(CUFFT_INVALID_VALUE, call, "descriptor");
  if (!fft::bytes_of(*plan, format, bytes)) return fft::answer(CUFFT_INVALID_VALUE, call, "format");
  try {
    fft::Array* const array = fft::arrays().create();
    if (!array->memory.make(bytes)) {
      fft::arrays().destroy(array);
      return fft::answer(CUFFT_ALLOC_FAILED, call, "no memory");
    }
    int device = 0;
    cudaGetDevice(&device);
    array->inner.version = CUDA_XT_DESCRIPTOR_VERSION;
    array->inner.nGPUs = 1;
    array->inner.GPUs[0] = device;
    array->inner.data[0] = array->memory.as<void>();
    array->inner.size[0] = bytes;
    array->outer.version = CUDA_XT_DESCRIPTOR_VERSION;
    array->outer.descriptor = &array->inner;
    array->outer.library = LIB_FORMAT_CUFFT;
    array->outer.subFormat = format;
    *descriptor = &array->outer;
    return CUFFT_SUCCESS;
  } catch (const std::bad_alloc&) {
    return fft::answer(CUFFT_ALLOC_FAILED, call, "no memory");
  }
}

cufftResult cufftXtFree(cudaLibXtDesc* descriptor) {
  return fft::arrays().destroy(fft::array_of(descriptor))
             ? CUFFT_SUCCESS
             : fft::answer(CUFFT_INVALID_VALUE, "cufftXtFree", "descriptor");
}

cufftResult cufftXtMemcpy(cufftHandle handle, void* to, void* from, cufftXtCopyType type) {
  const auto plan = fft::plans().find(handle);
  if (!plan || !plan->is_made) return fft::answer(CUFFT_INVALID_PLAN, "cufftXtMemcpy", "plan");
  if (type > CUFFT_COPY_DEVICE_TO_DEVICE)
    return fft::answer(CUFFT_INVALID_VALUE, "cufftXtMemcpy", "type");
  return fft::copy(*plan, to, from, type);
}

cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                  int direction) {
  return fft::run_arrays(plan, "cufftXtExecDescriptor", input, output, direction);
}

cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                     int direction) {
  return fft::run_typed_arrays(plan, "cufftXtExecDescriptorC2C", false, false,
                               Numbers::single_precision, input, output, direction);
}

cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* input,
                                     cudaLibXtDesc* output) {
  return fft::run_typed_arrays(plan, "cufftXtExecDescriptorR2C", true, false,
                               Numbers::single_precision, input, output);
}

cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* input,
                                     cudaLibXtDesc* output) {
  return fft::run_typed_arrays(plan, "cufftXtExecDescriptorC2R", false, true,
                               Numbers::single_precision, input, output);
}

cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* input, cudaLibXtDesc* output,
                                     int direction) {
  return fft::run_typed_arrays(plan, "cufftXtExecDescriptorZ2Z", false, false,
                               Numbers::double_precision, input, output, direction);
}

cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* input,
                                     cudaLibXtDesc* output) {
  return fft::run_typed_arrays(plan, "cufftXtExecDescriptorD2Z", true, false,
                               Numbers::double_precision, input, output);
}

cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* input,
                                     cudaLibXtDesc* output) {
  return fft::run_typed_arrays(plan, "cufftXtExecDescriptorZ2D", false, true,
                               Numbers::double_precision, input, output);
}

}  // extern "C"
