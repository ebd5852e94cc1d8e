// Checks resources and modes, and fills descriptors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/texture_descriptor.h"

#include "runtime/api/allocate.h"
#include "runtime/api/submit.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

namespace {

using abi::TextureAddressing;

constexpr std::size_t most_texels = std::size_t{1} << 30;  // along an axis: subscripts are ints

void set_format(abi::TextureDescriptor& descriptor, const TexelFormat& texel) {
  descriptor.kind = texel.kind;
  descriptor.channels = texel.channels;
  descriptor.channel_bytes = texel.channel_bytes;
}

Status describe_array(const Array& array, abi::TextureDescriptor& descriptor) {
  TexelFormat texel;
  GRIDSPAN_TRY(read_format(array.format, texel));
  set_format(descriptor, texel);
  descriptor.data = array.memory.base;
  descriptor.pitch = array.memory.pitch;
  descriptor.slice = array.memory.slice_pitch;
  descriptor.width = static_cast<std::uint32_t>(array.extent.width);
  descriptor.height = static_cast<std::uint32_t>(array.bytes.height);
  descriptor.depth = static_cast<std::uint32_t>(array.bytes.depth);
  return cudaSuccess;
}

Status describe_array(Runtime& state, cudaArray_const_t handle,
                      abi::TextureDescriptor& descriptor) {
  std::shared_ptr<Array> array;
  GRIDSPAN_TRY(find_array(state, handle, array));
  return describe_array(*array, descriptor);
}

/// Bytes from `pointer` to the end of its allocation.
Status room_at(Runtime& state, const void* pointer, const TexelFormat& texel, std::size_t& room) {
  const Lookup found = state.memory.table().find(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (!found.is_live()) {
    return refuse(cudaErrorInvalidValue, "%p is not device memory, or was freed", pointer);
  }
  if (address % texel.bytes() != 0) {
    return refuse(cudaErrorInvalidValue, "%p is not aligned for texels of %zu bytes", pointer,
                  texel.bytes());
  }
  room = found.allocation.end() - address;
  return cudaSuccess;
}

Status describe_linear(Runtime& state, const cudaResourceDesc& resource,
                       abi::TextureDescriptor& descriptor) {
  const auto& linear = resource.res.linear;
  TexelFormat texel;
  GRIDSPAN_TRY(read_format(linear.desc, texel));
  std::size_t room = 0;
  GRIDSPAN_TRY(room_at(state, linear.devPtr, texel, room));
  const std::size_t count = std::min(linear.sizeInBytes, room) / texel.bytes();
  if (count == 0 || count > most_texels) {
    return refuse(cudaErrorInvalidValue, "%zu texels are none, or too many", count);
  }
  set_format(descriptor, texel);
  descriptor.data = static_cast<char*>(linear.devPtr);
  descriptor.width = static_cast<std::uint32_t>(count);
  descriptor.height = descriptor.depth = 1;
  return cudaSuccess;
}

Status describe_rows(Runtime& state, const cudaResourceDesc& resource,
                     abi::TextureDescriptor& descriptor) {
  const auto& rows = resource.res.pitch2D;
  TexelFormat texel;
  GRIDSPAN_TRY(read_format(rows.desc, texel));
  std::size_t room = 0;
  GRIDSPAN_TRY(room_at(state, rows.devPtr, texel, room));
  if (std::min(rows.width, rows.height) == 0 || std::max(rows.width, rows.height) > most_texels) {
    return refuse(cudaErrorInvalidValue, "%zu x %zu texels are none, or too many", rows.width,
                  rows.height);
  }
  const std::size_t width = rows.width * texel.bytes();
  std::size_t last = 0;
  if (rows.pitchInBytes < width || rows.pitchInBytes % texel.bytes() != 0) {
    return refuse(cudaErrorInvalidValue, "pitch %zu does not suit rows of %zu texels of %zu bytes",
                  rows.pitchInBytes, rows.width, texel.bytes());
  }
  if (__builtin_mul_overflow(rows.pitchInBytes, rows.height - 1, &last) || width > room ||
      last > room - width) {
    return refuse(cudaErrorInvalidValue, "%zu rows of pitch %zu leave the allocation", rows.height,
                  rows.pitchInBytes);
  }
  set_format(descriptor, texel);
  descriptor.data = static_cast<char*>(rows.devPtr);
  descriptor.pitch = rows.pitchInBytes;
  descriptor.width = static_cast<std::uint32_t>(rows.width);
  descriptor.height = static_cast<std::uint32_t>(rows.height);
  descriptor.depth = 1;
  return cudaSuccess;
}

Status describe_resource(Runtime& state, const cudaResourceDesc& resource,
                         abi::TextureDescriptor& descriptor) {
  switch (resource.resType) {
    case cudaResourceTypeArray:
      return describe_array(state, resource.res.array.array, descriptor);
    case cudaResourceTypeLinear:
      return describe_linear(state, resource, descriptor);
    case cudaResourceTypePitch2D:
      return describe_rows(state, resource, descriptor);
    case cudaResourceTypeMipmappedArray:
      return refuse(cudaErrorInvalidValue, "a mipmapped array is no single memory");
  }
  return refuse(cudaErrorInvalidValue, "%d is not a cudaResourceType",
                static_cast<int>(resource.resType));
}

/// Wrap and mirror are for normalised coordinates only; CUDA clamps the others.
Status read_addressing(cudaTextureAddressMode mode, bool normalized, TextureAddressing& result) {
  switch (mode) {
    case cudaAddressModeWrap:
      result = normalized ? TextureAddressing::wrap : TextureAddressing::clamp;
      return cudaSuccess;
    case cudaAddressModeMirror:
      result = normalized ? TextureAddressing::mirror : TextureAddressing::clamp;
      return cudaSuccess;
    case cudaAddressModeClamp:
      result = TextureAddressing::clamp;
      return cudaSuccess;
    case cudaAddressModeBorder:
      result = TextureAddressing::border;
      return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "%d is not a cudaTextureAddressMode",
                static_cast<int>(mode));
}

/// How fetches read what the descriptor already says where is.
Status set_modes(const cudaTextureDesc& description, abi::TextureDescriptor& descriptor) {
  if (description.sRGB) return refuse(cudaErrorNotSupported, "sRGB textures are not supported");
  const bool is_float = descriptor.kind == abi::TexelKind::floating;
  // CUDA ignores the mode for other texels than integers of 8 and 16 bits.
  descriptor.reads_normalized_float = description.readMode == cudaReadModeNormalizedFloat &&
                                      !is_float && descriptor.channel_bytes < 4;
  descriptor.is_linear = description.filterMode == cudaFilterModeLinear;
  if (descriptor.is_linear && !is_float && !descriptor.reads_normalized_float) {
    return refuse(cudaErrorInvalidFilterSetting, "integers cannot be filtered");
  }
  descriptor.has_normalized_position = description.normalizedCoords != 0;
  for (unsigned i = 0; i < 3; ++i) {
    GRIDSPAN_TRY(read_addressing(description.addressMode[i], descriptor.has_normalized_position,
                                 descriptor.addressing[i]));
  }
  std::copy_n(description.borderColor, 4, descriptor.border);
  return cudaSuccess;
}

Status describe_levels(Runtime& state, const cudaResourceDesc& resource,
                       const cudaTextureDesc& description, const cudaResourceViewDesc* view,
                       TextureDescriptors& descriptors) {
  std::shared_ptr<Mipmap> mipmap;
  GRIDSPAN_TRY(find_mipmap(state, resource.res.mipmap.mipmap, mipmap));
  if (!description.normalizedCoords) {
    return refuse(cudaErrorInvalidValue, "positions in mipmaps are normalised");
  }
  const std::size_t count = mipmap->levels.size();
  const std::size_t first = view ? view->firstMipmapLevel : 0;
  const std::size_t last = view ? view->lastMipmapLevel : count - 1;
  if (first > last || last >= count) {
    return refuse(cudaErrorInvalidValue, "levels %zu to %zu of %zu", first, last, count);
  }
  for (std::size_t i = first; i <= last; ++i) {
    abi::TextureDescriptor descriptor = {};
    GRIDSPAN_TRY(describe_array(*mipmap->levels[i], descriptor));
    GRIDSPAN_TRY(set_modes(description, descriptor));
    descriptor.level_count = static_cast<std::uint8_t>(last - first + 1);
    descriptor.mixes_levels = description.mipmapFilterMode == cudaFilterModeLinear;
    if (descriptor.mixes_levels &&
        !(descriptor.kind == abi::TexelKind::floating || descriptor.reads_normalized_float)) {
      return refuse(cudaErrorInvalidFilterSetting, "integers cannot be filtered");
    }
    descriptor.level_bias = description.mipmapLevelBias;
    descriptor.min_level = description.minMipmapLevelClamp;
    descriptor.max_level = description.maxMipmapLevelClamp;
    descriptors.push_back(descriptor);
  }
  return cudaSuccess;
}

}  // namespace

Status describe_texture(Runtime& state, const cudaResourceDesc& resource,
                        const cudaTextureDesc& description, abi::TextureDescriptor& descriptor) {
  descriptor = {};
  GRIDSPAN_TRY(describe_resource(state, resource, descriptor));
  return set_modes(description, descriptor);
}

Status describe_texture(Runtime& state, const cudaResourceDesc& resource,
                        const cudaTextureDesc& description, const cudaResourceViewDesc* view,
                        TextureDescriptors& descriptors) {
  descriptors.clear();
  if (resource.resType == cudaResourceTypeMipmappedArray) {
    return describe_levels(state, resource, description, view, descriptors);
  }
  descriptors.emplace_back();
  return describe_texture(state, resource, description, descriptors.front());
}

Status describe_surface(Runtime& state, const cudaResourceDesc& resource,
                        abi::TextureDescriptor& descriptor) {
  descriptor = {};
  if (resource.resType != cudaResourceTypeArray) {
    return refuse(cudaErrorInvalidValue, "surfaces are made of arrays only");
  }
  return describe_resource(state, resource, descriptor);
}

Status allocate_descriptor(Runtime& state, unsigned long long& handle, std::size_t count) {
  void* memory = nullptr;
  GRIDSPAN_TRY(allocate(state, &memory, count * sizeof(abi::TextureDescriptor), MemoryKind::device,
                        Allocation::is_ours));
  handle = reinterpret_cast<std::uintptr_t>(memory);
  return cudaSuccess;
}

void release_descriptor(Runtime& state, unsigned long long handle) {
  const Lookup found = state.memory.table().remove(reinterpret_cast<const void*>(handle),
                                                   [](MemoryKind) { return true; });
  if (found.is_live()) state.memory.release(found.allocation);
}

namespace {

CopyCommand copy_of(unsigned long long address, const void* bytes, std::size_t size) {
  std::unique_ptr<char[]> staged(new char[size]);
  std::memcpy(staged.get(), bytes, size);
  const Pitched from{staged.get(), size, size};
  const Pitched to{reinterpret_cast<char*>(address), 0, 0};
  return {to, from, {size}, std::move(staged)};
}

}  // namespace

void write_in_order(Runtime& state, Stream& stream, unsigned long long address, const void* bytes,
                    std::size_t size) {
  submit<CopyCommand>(state, stream, copy_of(address, bytes, size));
}

void write_between(Runtime& state, Stream& stream, unsigned long long address, const void* bytes,
                   std::size_t size) {
  submit_on<CopyCommand>(state, stream, every_line, copy_of(address, bytes, size));
}

}  // namespace gridspan::runtime
