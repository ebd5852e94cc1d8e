// CUDA arrays: formats, making, freeing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/allocate.h"
#include "runtime/api/arrays.h"
#include "runtime/api/call.h"

#include <algorithm>
#include <bit>

namespace gridspan::runtime {

Status read_format(const cudaChannelFormatDesc& format, TexelFormat& texel) {
  const int bits[4] = {format.x, format.y, format.z, format.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  const bool is_even = std::all_of(bits, bits + channels, [&](int b) { return b == bits[0]; }) &&
                       std::all_of(bits + channels, bits + 4, [](int b) { return b == 0; });
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const bool has_width = bits[0] == 32 || bits[0] == 16 || (bits[0] == 8 && !is_float);
  const bool has_kind = is_float || format.f == cudaChannelFormatKindSigned ||
                        format.f == cudaChannelFormatKindUnsigned;
  if (!is_even || !has_width || !has_kind || channels == 0 || channels == 3) {
    return refuse(cudaErrorInvalidChannelDescriptor,
                  "channels of %d, %d, %d, %d bits, kind %d, are no format of ours", format.x,
                  format.y, format.z, format.w, static_cast<int>(format.f));
  }
  texel.kind = is_float                                  ? abi::TexelKind::floating
               : format.f == cudaChannelFormatKindSigned ? abi::TexelKind::signed_integer
                                                         : abi::TexelKind::unsigned_integer;
  texel.channels = static_cast<std::uint8_t>(channels);
  texel.channel_bytes = static_cast<std::uint8_t>(bits[0] / 8);
  return cudaSuccess;
}

Status find_array(Runtime& state, cudaArray_const_t handle, std::shared_ptr<Array>& array) {
  array = state.arrays.find(handle);
  if (array) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not a CUDA array, or was freed",
                static_cast<const void*>(handle));
}

Status find_mipmap(Runtime& state, cudaMipmappedArray_const_t handle,
                   std::shared_ptr<Mipmap>& mipmap) {
  mipmap = state.mipmaps.find(handle);
  if (mipmap) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not a mipmapped array, or was freed",
                static_cast<const void*>(handle));
}

Status part_of(const Array& array, std::size_t x, std::size_t y, std::size_t z,
               const Extent& extent, Pitched& part) {
  const auto fits = [](std::size_t at, std::size_t length, std::size_t all) {
    return length <= all && at <= all - length;
  };
  if (!fits(x, extent.width, array.bytes.width) || !fits(y, extent.height, array.bytes.height) ||
      !fits(z, extent.depth, array.bytes.depth)) {
    return refuse(cudaErrorInvalidValue,
                  "%zu bytes x %zu x %zu at (%zu, %zu, %zu) leave an array of %zu x %zu x %zu",
                  extent.width, extent.height, extent.depth, x, y, z, array.bytes.width,
                  array.bytes.height, array.bytes.depth);
  }
  part = array.memory;
  part.base += z * part.slice_pitch + y * part.pitch + x;
  return cudaSuccess;
}

namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

/// What the flags say of the extents.
Status check_shape(const cudaExtent& extent, unsigned flags) {
  if (flags & ~known_flags) return refuse(cudaErrorInvalidValue, "flags %#x are unknown", flags);
  if (extent.width == 0) return refuse(cudaErrorInvalidValue, "the array's width is 0");
  const bool is_layered = flags & cudaArrayLayered;
  if (!is_layered && extent.depth != 0 && extent.height == 0) {
    return refuse(cudaErrorInvalidValue, "an array with depth %zu has no height", extent.depth);
  }
  if (is_layered && extent.depth == 0) {
    return refuse(cudaErrorInvalidValue, "a layered array has no layers");
  }
  if ((flags & cudaArrayCubemap) &&
      (extent.width != extent.height || (is_layered ? extent.depth % 6 != 0 : extent.depth != 6))) {
    return refuse(cudaErrorInvalidValue, "%zu x %zu x %zu are no cubes of six square faces",
                  extent.width, extent.height, extent.depth);
  }
  return cudaSuccess;
}

Status allocate_array(Runtime& state, const cudaChannelFormatDesc* format, const cudaExtent& extent,
                      unsigned flags, std::shared_ptr<Array>& array) {
  TexelFormat texel;
  GRIDSPAN_TRY(read_format(*format, texel));
  GRIDSPAN_TRY(check_shape(extent, flags));
  array = std::make_shared<Array>(Array{*format, extent, flags, {}, {}, current_device(), false});
  Extent& bytes = array->bytes;
  bytes.height = std::max<std::size_t>(extent.height, 1);
  bytes.depth = std::max<std::size_t>(extent.depth, 1);
  constexpr std::size_t most = std::size_t{1} << 30;  // texels along an axis: subscripts are ints
  std::size_t slice = 0, all = 0;
  if (std::max({extent.width, bytes.height, bytes.depth}) > most ||
      __builtin_mul_overflow(extent.width, texel.bytes(), &bytes.width) ||
      __builtin_mul_overflow(bytes.width, bytes.height, &slice) ||
      __builtin_mul_overflow(slice, bytes.depth, &all)) {
    return refuse(cudaErrorInvalidValue, "%zu x %zu x %zu texels do not fit an address",
                  extent.width, bytes.height, bytes.depth);
  }
  void* memory = nullptr;
  GRIDSPAN_TRY(allocate(state, &memory, all, MemoryKind::device));
  array->memory = {static_cast<char*>(memory), bytes.width, slice};
  return cudaSuccess;
}

}  // namespace

Status make_array(Runtime& state, cudaArray_t* handle, const cudaChannelFormatDesc* format,
                  const cudaExtent& extent, unsigned flags) {
  if (!handle || !format) return refuse(cudaErrorInvalidValue, "an argument is null");
  *handle = nullptr;
  std::shared_ptr<Array> array;
  GRIDSPAN_TRY(allocate_array(state, format, extent, flags, array));
  *handle = state.arrays.add(std::move(array));
  return cudaSuccess;
}

namespace {

void release_array(Runtime& state, const Array& array) {
  state.arrays.remove(&array);
  const Lookup found =
      state.memory.table().remove(array.memory.base, [](MemoryKind) { return true; });
  if (found.is_live()) state.memory.release(found.allocation);
}

/// Half of it, but not none of it. Layers and faces stay as many.
cudaExtent next_level(const cudaExtent& extent, unsigned flags) {
  const auto half = [](std::size_t n) { return n > 1 ? n / 2 : n; };
  const bool is_deep = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  return {half(extent.width), half(extent.height), is_deep ? half(extent.depth) : extent.depth};
}

/// From level 0 to that of one texel.
unsigned most_levels(const cudaExtent& extent, unsigned flags) {
  const bool is_deep = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  const std::size_t longest =
      std::max({extent.width, extent.height, is_deep ? extent.depth : std::size_t{0}});
  return static_cast<unsigned>(std::bit_width(longest));
}

Status make_mipmap(Runtime& state, cudaMipmappedArray_t* handle,
                   const cudaChannelFormatDesc* format, cudaExtent extent, unsigned levels,
                   unsigned flags) {
  if (!handle || !format) return refuse(cudaErrorInvalidValue, "an argument is null");
  *handle = nullptr;
  auto mipmap = std::make_shared<Mipmap>();
  mipmap->device = current_device();
  levels = std::clamp(levels, 1u, std::max(most_levels(extent, flags), 1u));
  for (unsigned i = 0; i < levels; ++i) {
    std::shared_ptr<Array> level;
    if (Status status = allocate_array(state, format, extent, flags, level); status.failed()) {
      for (const auto& made : mipmap->levels) release_array(state, *made);
      return status;
    }
    level->is_level = true;
    state.arrays.add(level);
    mipmap->levels.push_back(std::move(level));
    extent = next_level(extent, flags);
  }
  *handle = state.mipmaps.add(std::move(mipmap));
  return cudaSuccess;
}

}  // namespace

Status free_array(Runtime& state, cudaArray_t handle) {
  if (!handle) return cudaSuccess;
  std::shared_ptr<Array> array;
  GRIDSPAN_TRY(find_array(state, handle, array));
  if (array->is_level) {
    return refuse(cudaErrorInvalidValue, "the array is a level, and goes with its mipmap");
  }
  const Status status = wait_for_all(state);
  release_array(state, *array);
  return status;
}

}  // namespace gridspan::runtime

using namespace gridspan;
using namespace gridspan::runtime;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t handle) {
  GRIDSPAN_CALL(record::address(format), handle) {
    if (!format) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Array> array;
    GRIDSPAN_TRY(find_array(state, handle, array));
    *format = array->format;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  GRIDSPAN_CALL(array, format, width, height, flags) {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) {
      return refuse(cudaErrorInvalidValue, "cudaMalloc3DArray makes layered arrays and cubes");
    }
    return make_array(state, array, format, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags) {
  GRIDSPAN_CALL(array, format, extent, flags) {
    return make_array(state, array, format, extent, flags);
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  GRIDSPAN_CALL(array) { return free_array(state, array); });
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t handle) {
  GRIDSPAN_CALL(record::address(format), record::address(extent), flags, handle) {
    std::shared_ptr<Array> array;
    GRIDSPAN_TRY(find_array(state, handle, array));
    if (format) *format = array->format;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned int levels, unsigned int flags) {
  GRIDSPAN_CALL(record::address(array), format, extent, levels, flags) {
    return make_mipmap(state, array, format, extent, levels, flags);
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array,
                                       unsigned int index) {
  GRIDSPAN_CALL(record::address(level), record::address(array), index) {
    if (!level) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Mipmap> mipmap;
    GRIDSPAN_TRY(find_mipmap(state, array, mipmap));
    if (index >= mipmap->levels.size()) {
      return refuse(cudaErrorInvalidValue, "level %u of %zu", index, mipmap->levels.size());
    }
    *level = mipmap->levels[index].get();
    return cudaSuccess;
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  GRIDSPAN_CALL(record::address(array)) {
    if (!array) return cudaSuccess;
    std::shared_ptr<Mipmap> mipmap;
    GRIDSPAN_TRY(find_mipmap(state, array, mipmap));
    const Status status = wait_for_all(state);
    state.mipmaps.remove(array);
    for (const auto& level : mipmap->levels) release_array(state, *level);
    return status;
  });
}
