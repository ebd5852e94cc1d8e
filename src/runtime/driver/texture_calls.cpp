// Arrays, textures and surfaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/call.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

using namespace gridspan::runtime;
using driver::call;
using driver::Needs;
using driver::pointer;

namespace {

cudaArray_t to_array(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

cudaMipmappedArray_t to_mipmap(CUmipmappedArray array) {
  return reinterpret_cast<cudaMipmappedArray_t>(array);
}

bool is_float(CUarray_format format) {
  return format == CU_AD_FORMAT_HALF || format == CU_AD_FORMAT_FLOAT;
}

/// 0 for a format that is unknown.
int bits_of(CUarray_format format) {
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 8;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 16;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 32;
    default:
      return 0;
  }
}

CUresult to_channels(const char* caller, CUarray_format format, unsigned count,
                     cudaChannelFormatDesc& channels) {
  const int bits = bits_of(format);
  if (bits == 0) {
    return driver::refuse(caller, CUDA_ERROR_INVALID_VALUE, "format %d is unknown",
                          static_cast<int>(format));
  }
  const auto channel = [&](unsigned i) { return i < count ? bits : 0; };
  channels = {channel(0), channel(1), channel(2), channel(3), cudaChannelFormatKindUnsigned};
  if (is_float(format)) {
    channels.f = cudaChannelFormatKindFloat;
  } else if (format >= CU_AD_FORMAT_SIGNED_INT8) {
    channels.f = cudaChannelFormatKindSigned;
  }
  return CUDA_SUCCESS;
}

CUarray_format format_of(const cudaChannelFormatDesc& channels) {
  const auto by_size = [&](CUarray_format of_8, CUarray_format of_16, CUarray_format of_32) {
    return channels.x == 8 ? of_8 : channels.x == 16 ? of_16 : of_32;
  };
  switch (channels.f) {
    case cudaChannelFormatKindFloat:
      return by_size(CU_AD_FORMAT_HALF, CU_AD_FORMAT_HALF, CU_AD_FORMAT_FLOAT);
    case cudaChannelFormatKindSigned:
      return by_size(CU_AD_FORMAT_SIGNED_INT8, CU_AD_FORMAT_SIGNED_INT16,
                     CU_AD_FORMAT_SIGNED_INT32);
    default:
      return by_size(CU_AD_FORMAT_UNSIGNED_INT8, CU_AD_FORMAT_UNSIGNED_INT16,
                     CU_AD_FORMAT_UNSIGNED_INT32);
  }
}

CUresult to_resource(const char* caller, const CUDA_RESOURCE_DESC& from, cudaResourceDesc& to) {
  to = {};
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      to.resType = cudaResourceTypeArray;
      to.res.array.array = to_array(from.res.array.hArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to.resType = cudaResourceTypeMipmappedArray;
      to.res.mipmap.mipmap = to_mipmap(from.res.mipmap.hMipmappedArray);
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = from.res.linear;
      to.resType = cudaResourceTypeLinear;
      to.res.linear.devPtr = pointer(linear.devPtr);
      to.res.linear.sizeInBytes = linear.sizeInBytes;
      return to_channels(caller, linear.format, linear.numChannels, to.res.linear.desc);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = from.res.pitch2D;
      to.resType = cudaResourceTypePitch2D;
      to.res.pitch2D.devPtr = pointer(rows.devPtr);
      to.res.pitch2D.width = rows.width;
      to.res.pitch2D.height = rows.height;
      to.res.pitch2D.pitchInBytes = rows.pitchInBytes;
      return to_channels(caller, rows.format, rows.numChannels, to.res.pitch2D.desc);
    }
    default:
      return driver::refuse(caller, CUDA_ERROR_NOT_SUPPORTED, "resources of kind %d",
                            static_cast<int>(from.resType));
  }
}

cudaChannelFormatDesc channels_of(const cudaResourceDesc& resource) {
  cudaChannelFormatDesc channels = {};
  switch (resource.resType) {
    case cudaResourceTypeLinear:
      return resource.res.linear.desc;
    case cudaResourceTypePitch2D:
      return resource.res.pitch2D.desc;
    case cudaResourceTypeMipmappedArray: {
      cudaArray_t level = nullptr;
      (void)cudaGetMipmappedArrayLevel(&level, resource.res.mipmap.mipmap, 0);
      (void)cudaArrayGetInfo(&channels, nullptr, nullptr, level);
      return channels;
    }
    default:
      (void)cudaArrayGetInfo(&channels, nullptr, nullptr, resource.res.array.array);
      return channels;
  }
}

/// The driver reads small integers as numbers up to 1 unless told otherwise, all else as it is.
cudaTextureReadMode read_mode(const CUDA_TEXTURE_DESC& from, const cudaResourceDesc& resource) {
  const cudaChannelFormatDesc channels = channels_of(resource);
  const bool is_small_integer = channels.f != cudaChannelFormatKindFloat && channels.x < 32;
  const bool as_integer = (from.flags & CU_TRSF_READ_AS_INTEGER) != 0;
  return is_small_integer && !as_integer ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
}

cudaTextureDesc to_description(const CUDA_TEXTURE_DESC& from, const cudaResourceDesc& resource) {
  cudaTextureDesc to = {};
  for (int i = 0; i < 3; ++i) {
    to.addressMode[i] = static_cast<cudaTextureAddressMode>(from.addressMode[i]);
  }
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  to.readMode = read_mode(from, resource);
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  std::copy_n(from.borderColor, 4, to.borderColor);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

/// What the program made objects from, in the driver's words.
struct Made {
  CUDA_RESOURCE_DESC resource{};
  CUDA_TEXTURE_DESC texture{};
  std::optional<CUDA_RESOURCE_VIEW_DESC> view{};
};
struct MadeObjects {
  std::mutex mutex;
  std::map<unsigned long long, Made> live;
};
/// Never destroyed: destructors of the program may still call us.
MadeObjects& made_objects() {
  static auto& table = *new MadeObjects;
  return table;
}

void remember(unsigned long long object, const Made& made) {
  const std::scoped_lock lock(made_objects().mutex);
  made_objects().live[object] = made;
}

void forget(unsigned long long object) {
  const std::scoped_lock lock(made_objects().mutex);
  made_objects().live.erase(object);
}

/// `give(made)`, a CUresult, of a live object.
template <class Give>
CUresult with_made(unsigned long long object, Give give) {
  if (const CUresult result = driver::check(Needs::context)) return result;
  const std::scoped_lock lock(made_objects().mutex);
  const auto found = made_objects().live.find(object);
  return found == made_objects().live.end() ? CUDA_ERROR_INVALID_VALUE : give(found->second);
}

}  // namespace

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* descriptor) {
  if (!array || !descriptor) return CUDA_ERROR_INVALID_VALUE;
  cudaChannelFormatDesc format = {};
  if (const CUresult result =
          to_channels(__func__, descriptor->Format, descriptor->NumChannels, format)) {
    return result;
  }
  return call(Needs::context, [&] {
    return cudaMallocArray(reinterpret_cast<cudaArray_t*>(array), &format, descriptor->Width,
                           descriptor->Height, 0);
  });
}

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor) {
  if (!array || !descriptor) return CUDA_ERROR_INVALID_VALUE;
  cudaChannelFormatDesc format = {};
  if (const CUresult result =
          to_channels(__func__, descriptor->Format, descriptor->NumChannels, format)) {
    return result;
  }
  return call(Needs::context, [&] {
    return cudaMalloc3DArray(reinterpret_cast<cudaArray_t*>(array), &format,
                             {descriptor->Width, descriptor->Height, descriptor->Depth},
                             descriptor->Flags);
  });
}

CUresult cuArrayDestroy(CUarray array) {
  return call(Needs::context, [&] { return cudaFreeArray(to_array(array)); });
}

CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* descriptor, CUarray array) {
  if (!descriptor) return CUDA_ERROR_INVALID_VALUE;
  return call(Needs::context, [&] {
    cudaChannelFormatDesc channels = {};
    cudaExtent extent = {};
    unsigned flags = 0;
    const cudaError_t error = cudaArrayGetInfo(&channels, &extent, &flags, to_array(array));
    if (error != cudaSuccess) return error;
    const int used[] = {channels.x, channels.y, channels.z, channels.w};
    const auto count = std::count_if(used, used + 4, [](int bits) { return bits > 0; });
    *descriptor = {extent.width,
                   extent.height,
                   extent.depth,
                   format_of(channels),
                   static_cast<unsigned>(count),
                   flags};
    return cudaSuccess;
  });
}

CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* descriptor, CUarray array) {
  if (!descriptor) return CUDA_ERROR_INVALID_VALUE;
  CUDA_ARRAY3D_DESCRIPTOR all = {};
  const CUresult result = cuArray3DGetDescriptor(&all, array);
  if (result == CUDA_SUCCESS) *descriptor = {all.Width, all.Height, all.Format, all.NumChannels};
  return result;
}

CUresult cuTexObjectCreate(CUtexObject* texture, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* description,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
  if (!texture || !resource || !description) return CUDA_ERROR_INVALID_VALUE;
  if (view && view->format != 0) {
    return driver::refuse(__func__, CUDA_ERROR_NOT_SUPPORTED, "views of another format");
  }
  cudaResourceDesc from = {};
  if (const CUresult result = to_resource(__func__, *resource, from)) return result;
  const CUresult result = call(Needs::context, [&] {
    const cudaTextureDesc modes = to_description(*description, from);
    cudaResourceViewDesc levels = {};
    if (view) {
      levels.firstMipmapLevel = view->firstMipmapLevel;
      levels.lastMipmapLevel = view->lastMipmapLevel;
    }
    return cudaCreateTextureObject(texture, &from, &modes, view ? &levels : nullptr);
  });
  if (result != CUDA_SUCCESS) return result;
  Made made{*resource, *description, {}};
  if (view) made.view = *view;
  remember(*texture, made);
  return result;
}

CUresult cuTexObjectDestroy(CUtexObject texture) {
  forget(texture);
  return call(Needs::context, [&] { return cudaDestroyTextureObject(texture); });
}

CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUtexObject texture) {
  if (!resource) return CUDA_ERROR_INVALID_VALUE;
  return with_made(texture, [&](const Made& made) {
    *resource = made.resource;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description, CUtexObject texture) {
  if (!description) return CUDA_ERROR_INVALID_VALUE;
  return with_made(texture, [&](const Made& made) {
    *description = made.texture;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* view, CUtexObject texture) {
  if (!view) return CUDA_ERROR_INVALID_VALUE;
  return with_made(texture, [&](const Made& made) {
    if (!made.view) return CUDA_ERROR_INVALID_VALUE;
    *view = *made.view;
    return CUDA_SUCCESS;
  });
}

CUresult cuSurfObjectCreate(CUsurfObject* surface, const CUDA_RESOURCE_DESC* resource) {
  if (!surface || !resource) return CUDA_ERROR_INVALID_VALUE;
  cudaResourceDesc from = {};
  if (const CUresult result = to_resource(__func__, *resource, from)) return result;
  const CUresult result =
      call(Needs::context, [&] { return cudaCreateSurfaceObject(surface, &from); });
  if (result == CUDA_SUCCESS) remember(*surface, {*resource, {}, {}});
  return result;
}

CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* resource, CUsurfObject surface) {
  return cuTexObjectGetResourceDesc(resource, surface);
}

CUresult cuSurfObjectDestroy(CUsurfObject surface) {
  forget(surface);
  return call(Needs::context, [&] { return cudaDestroySurfaceObject(surface); });
}

CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format,
                                            unsigned int channels, CUdevice device) {
  cudaChannelFormatDesc description = {};
  if (const CUresult result = to_channels(__func__, format, channels, description)) return result;
  return call(Needs::initialisation,
              [&] { return cudaDeviceGetTexture1DLinearMaxWidth(width, &description, device); });
}

CUresult cuMipmappedArrayCreate(CUmipmappedArray* array, const CUDA_ARRAY3D_DESCRIPTOR* descriptor,
                                unsigned int levels) {
  if (!array || !descriptor) return CUDA_ERROR_INVALID_VALUE;
  cudaChannelFormatDesc format = {};
  if (const CUresult result =
          to_channels(__func__, descriptor->Format, descriptor->NumChannels, format)) {
    return result;
  }
  return call(Needs::context, [&] {
    return cudaMallocMipmappedArray(reinterpret_cast<cudaMipmappedArray_t*>(array), &format,
                                    {descriptor->Width, descriptor->Height, descriptor->Depth},
                                    levels, descriptor->Flags);
  });
}

CUresult cuMipmappedArrayGetLevel(CUarray* level, CUmipmappedArray array, unsigned int index) {
  return call(Needs::context, [&] {
    return cudaGetMipmappedArrayLevel(reinterpret_cast<cudaArray_t*>(level), to_mipmap(array),
                                      index);
  });
}

CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) {
  return call(Needs::context, [&] { return cudaFreeMipmappedArray(to_mipmap(array)); });
}
