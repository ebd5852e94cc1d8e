// cuFFT: arrays of several GPUs, as ordinary arrays, which the run time spreads over its devices as
// it does any array. A descriptor's parts, one for each GPU, are slabs of it that follow one
// another:
//
//     INPLACE           x0 x0 x1 | x1 x2 x2     the first axis (or the batch) divided
//     INPLACE_SHUFFLED  y0 y0 y0 | y1 y1 y1     the second axis divided, each slab by x first
//
// As NVIDIA's do, a transform in place of two or three axes turns one into the other.
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
  std::size_t bytes = 0;

  void* place() const { return memory.as<void>(); }
  bool is_shuffled() const { return outer.subFormat == CUFFT_XT_FORMAT_INPLACE_SHUFFLED; }
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

/// What a call does is done on the first device, whichever is current: plans of several are of no
/// device of their own, and programs call after loops over all.
class OnFirstDevice {
 public:
  explicit OnFirstDevice(const Plan& plan) {
    if (plan.devices.empty() || cudaGetDevice(&before_) != cudaSuccess) return;
    changes_ = before_ != plan.devices[0] && cudaSetDevice(plan.devices[0]) == cudaSuccess;
  }
  OnFirstDevice(const OnFirstDevice&) = delete;
  ~OnFirstDevice() {
    if (changes_) cudaSetDevice(before_);
  }

 private:
  int before_ = 0;
  bool changes_ = false;
};

/// How many of `count` the parts up to part `i` have: the first ones have one more.
std::size_t before_part(std::size_t count, std::size_t parts, std::size_t i) {
  return count / parts * i + std::min(i, count % parts);
}

/// An array as rows of the first axis, and these as pieces of the second; one row: it stays in its
/// own order.
struct Slabs {
  std::size_t parts = 1, rows = 1, pieces = 1, piece_bytes = 0;

  Slabs(const Plan& plan, std::size_t bytes)
      : parts(std::max<std::size_t>(1, plan.devices.size())) {
    const Shape& shape = plan.shape;
    const std::size_t axes = shape.sizes.size(),
                      rows_there = static_cast<std::size_t>(shape.sizes[0]);
    if (parts == 1 || axes < 2 || shape.batch != 1) return;
    const bool is_real = shape.from_real || shape.to_real;
    const auto second =
        static_cast<std::size_t>(axes == 2 && is_real ? shape.sizes[1] / 2 + 1 : shape.sizes[1]);
    if (bytes % (rows_there * second) != 0 || second < parts) return;
    rows = rows_there;
    pieces = second;
    piece_bytes = bytes / (rows * pieces);
  }
  bool shuffles() const { return rows > 1; }
};

/// From one order to the other.
cudaError_t reorder(const Slabs& of, const void* from, void* to, bool to_shuffled,
                    cudaStream_t stream) {
  const std::size_t row = of.pieces * of.piece_bytes;
  for (std::size_t i = 0; i < of.parts; ++i) {
    const std::size_t begin = before_part(of.pieces, of.parts, i) * of.piece_bytes;
    const std::size_t width = before_part(of.pieces, of.parts, i + 1) * of.piece_bytes - begin;
    const std::size_t slab = begin * of.rows;
    const auto* const source = static_cast<const char*>(from) + (to_shuffled ? begin : slab);
    char* const target = static_cast<char*>(to) + (to_shuffled ? slab : begin);
    const cudaError_t error =
        cudaMemcpy2DAsync(target, to_shuffled ? width : row, source, to_shuffled ? row : width,
                          width, of.rows, cudaMemcpyDeviceToDevice, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

/// What the array has becomes natural or shuffled; its size is the descriptor's.
cudaError_t bring_into_order(const Plan& plan, Array& array, bool shuffled) {
  const Slabs slabs(plan, array.bytes);
  if (array.is_shuffled() == shuffled || !slabs.shuffles()) return cudaSuccess;
  void* other = nullptr;
  cudaError_t error = cudaMallocAsync(&other, array.bytes, plan.stream);
  if (error != cudaSuccess) return error;
  error = reorder(slabs, array.place(), other, shuffled, plan.stream);
  if (error == cudaSuccess)
    error =
        cudaMemcpyAsync(array.place(), other, array.bytes, cudaMemcpyDeviceToDevice, plan.stream);
  cudaFreeAsync(other, plan.stream);
  return error;
}

/// The places and sizes of the parts, for the order that the array has.
void describe_parts(const Plan& plan, Array& array) {
  cudaXtDesc& inner = array.inner;
  const std::size_t parts = std::max<std::size_t>(1, plan.devices.size());
  const Shape& shape = plan.shape;
  const Slabs slabs(plan, array.bytes);
  std::size_t units = static_cast<std::size_t>(shape.batch > 1 ? shape.batch : shape.sizes[0]);
  if (array.is_shuffled() && slabs.shuffles()) units = slabs.pieces;
  // A line of real numbers in place has room for the result's: it is divided by these.
  if (array.bytes % units != 0) units = array.bytes / (2 * number_bytes(shape));
  const std::size_t unit_bytes = array.bytes / units;
  int current = 0;
  if (plan.devices.empty()) cudaGetDevice(&current);
  inner.version = CUDA_XT_DESCRIPTOR_VERSION;
  inner.nGPUs = static_cast<int>(parts);
  for (std::size_t i = 0; i < parts; ++i) {
    const std::size_t begin = before_part(units, parts, i) * unit_bytes;
    const std::size_t end =
        i + 1 == parts ? array.bytes : before_part(units, parts, i + 1) * unit_bytes;
    inner.GPUs[i] = plan.devices.empty() ? current : plan.devices[i];
    inner.data[i] = static_cast<char*>(array.place()) + begin;
    inner.size[i] = end - begin;
  }
}

void set_format(const Plan& plan, Array& array, cufftXtSubFormat format) {
  array.outer.subFormat = format;
  describe_parts(plan, array);
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
  const OnFirstDevice device(*plan);
  const bool is_real = plan->shape.from_real || plan->shape.to_real;
  const bool was_shuffled = from->is_shuffled();
  if (const cudaError_t error = bring_into_order(*plan, *from, false); error != cudaSuccess)
    return fail(CUFFT_EXEC_FAILED, call, cudaGetErrorString(error));
  if (was_shuffled) set_format(*plan, *from, CUFFT_XT_FORMAT_INPLACE);
  const cufftResult result =
      run(*plan, call, from->place(), to->place(), is_real ? CUFFT_FORWARD : direction);
  const bool shuffles = from == to && !was_shuffled && Slabs(*plan, to->bytes).shuffles() &&
                        to->outer.subFormat == CUFFT_XT_FORMAT_INPLACE;
  if (result != CUFFT_SUCCESS || !shuffles) return result;
  if (const cudaError_t error = bring_into_order(*plan, *to, true); error != cudaSuccess)
    return fail(CUFFT_EXEC_FAILED, call, cudaGetErrorString(error));
  set_format(*plan, *to, CUFFT_XT_FORMAT_INPLACE_SHUFFLED);
  return result;
}

/// For plans of one type.
cufftResult run_typed_arrays(cufftHandle handle, const char* call, bool from_real, bool to_real,
                             Numbers numbers, cudaLibXtDesc* in, cudaLibXtDesc* out,
                             int direction = CUFFT_FORWARD) {
  const std::shared_ptr<Plan> plan = plans().find(handle);
  if (!plan || !plan->is_made) return answer(CUFFT_INVALID_PLAN, call, "plan");
  const Shape& shape = plan->shape;
  if (shape.from_real != from_real || shape.to_real != to_real || shape.numbers != numbers)
    return answer(CUFFT_INVALID_TYPE, call, "plan", "is of another type");
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
  const OnFirstDevice device(plan);
  std::size_t bytes = target ? target->bytes : source->bytes;
  if (target && source) bytes = std::min(bytes, source->bytes);
  // Of an array in place, the host has what the transform reads or writes.
  if (!(target && source)) {
    const Shape& shape = plan.shape_in_place ? *plan.shape_in_place : plan.shape;
    bytes = std::min(bytes, std::max(in_bytes(shape), out_bytes(shape)));
  }
  // What passes from one to the other is in natural order, on the host always; each keeps its own.
  const bool source_shuffled = source && source->is_shuffled();
  const bool target_shuffled = target && target->is_shuffled();
  const auto order = [&](Array& array, bool shuffled) {
    const cudaError_t error = bring_into_order(plan, array, shuffled);
    array.outer.subFormat = shuffled ? CUFFT_XT_FORMAT_INPLACE_SHUFFLED : CUFFT_XT_FORMAT_INPLACE;
    return error == cudaSuccess ? cudaStreamSynchronize(plan.stream) : error;
  };
  cudaError_t error = source_shuffled ? order(*source, false) : cudaSuccess;
  if (target_shuffled) target->outer.subFormat = CUFFT_XT_FORMAT_INPLACE;
  if (error == cudaSuccess)
    error = cudaMemcpy(target ? target->place() : to, source ? source->place() : from, bytes,
                       cudaMemcpyDefault);
  if (error == cudaSuccess && target_shuffled) error = order(*target, true);
  if (error == cudaSuccess && source_shuffled) error = order(*source, true);
  return error == cudaSuccess ? CUFFT_SUCCESS
                              : fail(CUFFT_EXEC_FAILED, call, cudaGetErrorString(error));
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
  if (cudaGetDeviceCount(&there) != cudaSuccess)
    return fft::fail(CUFFT_SETUP_FAILED, call, "no devices");
  const auto is_there = [&](int device) { return device >= 0 && device < there; };
  if (!std::all_of(which, which + count, is_there))
    return fft::answer(CUFFT_INVALID_DEVICE, call, "whichGPUs");
  try {
    plan->devices.assign(which, which + count);
  } catch (const std::bad_alloc&) {
    return fft::fail(CUFFT_ALLOC_FAILED, call, "no memory");
  }
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMalloc(cufftHandle handle, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  constexpr const char* call = "cufftXtMalloc";
  const auto plan = fft::plans().find(handle);
  if (!plan || !plan->is_made) return fft::answer(CUFFT_INVALID_PLAN, call, "plan");
  std::size_t bytes = 0;
  if (!descriptor) return fft::answer(CUFFT_INVALID_VALUE, call, "descriptor");
  if (!fft::bytes_of(*plan, format, bytes)) return fft::answer(CUFFT_INVALID_VALUE, call, "format");
  try {
    const fft::OnFirstDevice device(*plan);
    fft::Array* const array = fft::arrays().create();
    if (!array->memory.make(bytes)) {
      fft::arrays().destroy(array);
      return fft::fail(CUFFT_ALLOC_FAILED, call, "no memory");
    }
    array->bytes = bytes;
    array->outer.version = CUDA_XT_DESCRIPTOR_VERSION;
    array->outer.descriptor = &array->inner;
    array->outer.library = LIB_FORMAT_CUFFT;
    fft::set_format(*plan, *array, format);
    *descriptor = &array->outer;
    return CUFFT_SUCCESS;
  } catch (const std::bad_alloc&) {
    return fft::fail(CUFFT_ALLOC_FAILED, call, "no memory");
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
