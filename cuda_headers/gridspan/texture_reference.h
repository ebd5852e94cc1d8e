// Legacy texture and surface references: texture<float, 2> t; at namespace scope.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On the host such a variable is the struct whose fields the program sets and which it binds to
// memory. On the device it is a 64-bit handle: clang makes it one for types with the attributes
// below, and registers the pair by name.
#pragma once

#include "../channel_descriptor.h"

#if defined(__CUDA__) && defined(__clang__)
#define GRIDSPAN_TEXTURE_TYPE __attribute__((device_builtin_texture_type))
#define GRIDSPAN_SURFACE_TYPE __attribute__((device_builtin_surface_type))
#else
#define GRIDSPAN_TEXTURE_TYPE
#define GRIDSPAN_SURFACE_TYPE
#endif

template <class T, int Type = cudaTextureType1D, cudaTextureReadMode Mode = cudaReadModeElementType>
struct GRIDSPAN_TEXTURE_TYPE texture : textureReference {
  __host__ texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                   cudaTextureAddressMode address = cudaAddressModeClamp)
      : texture(is_normalized, filter, address, cudaCreateChannelDesc<T>()) {}
  __host__ texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                   cudaChannelFormatDesc format)
      : textureReference() {
    normalized = is_normalized;
    filterMode = filter;
    addressMode[0] = addressMode[1] = addressMode[2] = address;
    channelDesc = format;
  }
};

template <class T, int Type = cudaSurfaceType1D>
struct GRIDSPAN_SURFACE_TYPE surface : surfaceReference {
  __host__ surface() : surfaceReference() { channelDesc = cudaCreateChannelDesc<T>(); }
};
template <int Type>
struct GRIDSPAN_SURFACE_TYPE surface<void, Type> : surfaceReference {
  __host__ surface() : surfaceReference() {}
};

#undef GRIDSPAN_SURFACE_TYPE
#undef GRIDSPAN_TEXTURE_TYPE
