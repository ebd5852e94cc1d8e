// Texture fetches, through objects and through legacy references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A texture is a 64-bit handle: the address of an abi::TextureDescriptor. The functions below name
// the shapes; src/device_library/texture.cpp does addressing, conversion and filtering. The
// Lod and Grad forms choose levels of mipmaps; of other textures they read all there is, level 0.
#pragma once

#include "device_macros.h"
#include "texel.h"
#include "texture_reference.h"

extern "C" {
__device__ void __gridspan_texture_fetch(unsigned long long texture, int x, unsigned int* words);
__device__ void __gridspan_texture_1d(unsigned long long texture, float x, unsigned int* words);
__device__ void __gridspan_texture_2d(unsigned long long texture, float x, float y,
                                      unsigned int* words);
__device__ void __gridspan_texture_3d(unsigned long long texture, float x, float y, float z,
                                      unsigned int* words);
__device__ void __gridspan_texture_1d_layered(unsigned long long texture, float x, int layer,
                                              unsigned int* words);
__device__ void __gridspan_texture_2d_layered(unsigned long long texture, float x, float y,
                                              int layer, unsigned int* words);
__device__ void __gridspan_texture_cubemap(unsigned long long texture, float x, float y, float z,
                                           unsigned int* words);
__device__ void __gridspan_texture_cubemap_layered(unsigned long long texture, float x, float y,
                                                   float z, int layer, unsigned int* words);
__device__ void __gridspan_texture_1d_lod(unsigned long long texture, float x, float level,
                                          unsigned int* words);
__device__ void __gridspan_texture_2d_lod(unsigned long long texture, float x, float y, float level,
                                          unsigned int* words);
__device__ void __gridspan_texture_3d_lod(unsigned long long texture, float x, float y, float z,
                                          float level, unsigned int* words);
__device__ void __gridspan_texture_1d_layered_lod(unsigned long long texture, float x, int layer,
                                                  float level, unsigned int* words);
__device__ void __gridspan_texture_2d_layered_lod(unsigned long long texture, float x, float y,
                                                  int layer, float level, unsigned int* words);
__device__ void __gridspan_texture_cubemap_lod(unsigned long long texture, float x, float y,
                                               float z, float level, unsigned int* words);
__device__ void __gridspan_texture_cubemap_layered_lod(unsigned long long texture, float x, float y,
                                                       float z, int layer, float level,
                                                       unsigned int* words);
__device__ float __gridspan_texture_footprint(unsigned long long texture, float ax, float ay,
                                              float az, float bx, float by, float bz);
__device__ float __gridspan_texture_cube_footprint(unsigned long long texture, float x, float y,
                                                   float z, float ax, float ay, float az, float bx,
                                                   float by, float bz);
__device__ void __gridspan_texture_gather(unsigned long long texture, float x, float y,
                                          int component, unsigned int* words);
}

namespace gridspan_texture {

/// The handle that the device's half of a reference is.
template <class T, int Type, cudaTextureReadMode Mode>
GRIDSPAN_DEVICE unsigned long long handle(const texture<T, Type, Mode>& reference) {
  return *reinterpret_cast<const unsigned long long*>(&reference);
}

}  // namespace gridspan_texture

// The three forms of one fetch: name<T>(object, ...), name(&result, object, ...) and
// name(reference, ...). `dimensions` is the reference's type, `parameters` the list in parentheses,
// and the rest are the arguments of `source` between handle and result.
#define GRIDSPAN_LIST(...) __VA_ARGS__
#define GRIDSPAN_FETCH(name, dimensions, source, parameters, ...)                              \
  template <class T>                                                                           \
  GRIDSPAN_DEVICE T name(cudaTextureObject_t object, GRIDSPAN_LIST parameters) {               \
    gridspan_texture::words found;                                                             \
    source(object, __VA_ARGS__, found.at);                                                     \
    return gridspan_texture::texel<T>::from(found);                                            \
  }                                                                                            \
  template <class T>                                                                           \
  GRIDSPAN_DEVICE void name(T* result, cudaTextureObject_t object, GRIDSPAN_LIST parameters) { \
    gridspan_texture::words found;                                                             \
    source(object, __VA_ARGS__, found.at);                                                     \
    *result = gridspan_texture::texel<T>::from(found);                                         \
  }                                                                                            \
  template <class T, cudaTextureReadMode Mode>                                                 \
  GRIDSPAN_DEVICE typename gridspan_texture::fetched<T, Mode>::type name(                      \
      const texture<T, dimensions, Mode>& reference, GRIDSPAN_LIST parameters) {               \
    typedef typename gridspan_texture::fetched<T, Mode>::type result;                          \
    gridspan_texture::words found;                                                             \
    source(gridspan_texture::handle(reference), __VA_ARGS__, found.at);                        \
    return gridspan_texture::texel<result>::from(found);                                       \
  }

GRIDSPAN_FETCH(tex1Dfetch, cudaTextureType1D, __gridspan_texture_fetch, (int x), x)
GRIDSPAN_FETCH(tex1D, cudaTextureType1D, __gridspan_texture_1d, (float x), x)
GRIDSPAN_FETCH(tex2D, cudaTextureType2D, __gridspan_texture_2d, (float x, float y), x, y)
GRIDSPAN_FETCH(tex3D, cudaTextureType3D, __gridspan_texture_3d, (float x, float y, float z), x, y,
               z)
GRIDSPAN_FETCH(tex1DLayered, cudaTextureType1DLayered, __gridspan_texture_1d_layered,
               (float x, int layer), x, layer)
GRIDSPAN_FETCH(tex2DLayered, cudaTextureType2DLayered, __gridspan_texture_2d_layered,
               (float x, float y, int layer), x, y, layer)
GRIDSPAN_FETCH(texCubemap, cudaTextureTypeCubemap, __gridspan_texture_cubemap,
               (float x, float y, float z), x, y, z)
GRIDSPAN_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered, __gridspan_texture_cubemap_layered,
               (float x, float y, float z, int layer), x, y, z, layer)

GRIDSPAN_FETCH(tex1DLod, cudaTextureType1D, __gridspan_texture_1d_lod, (float x, float level), x,
               level)
GRIDSPAN_FETCH(tex2DLod, cudaTextureType2D, __gridspan_texture_2d_lod,
               (float x, float y, float level), x, y, level)
GRIDSPAN_FETCH(tex3DLod, cudaTextureType3D, __gridspan_texture_3d_lod,
               (float x, float y, float z, float level), x, y, z, level)
GRIDSPAN_FETCH(tex1DLayeredLod, cudaTextureType1DLayered, __gridspan_texture_1d_layered_lod,
               (float x, int layer, float level), x, layer, level)
GRIDSPAN_FETCH(tex2DLayeredLod, cudaTextureType2DLayered, __gridspan_texture_2d_layered_lod,
               (float x, float y, int layer, float level), x, y, layer, level)
GRIDSPAN_FETCH(texCubemapLod, cudaTextureTypeCubemap, __gridspan_texture_cubemap_lod,
               (float x, float y, float z, float level), x, y, z, level)
GRIDSPAN_FETCH(texCubemapLayeredLod, cudaTextureTypeCubemapLayered,
               __gridspan_texture_cubemap_layered_lod,
               (float x, float y, float z, int layer, float level), x, y, z, layer, level)

#undef GRIDSPAN_FETCH

// Of gradients: the level at which a step of one pixel is one texel.
#define GRIDSPAN_GRADIENT(name, lod, parameters, footprint, ...)                                \
  template <class T>                                                                            \
  GRIDSPAN_DEVICE T name(cudaTextureObject_t texture, GRIDSPAN_LIST parameters) {               \
    return lod<T>(texture, __VA_ARGS__, __log2f(footprint));                                    \
  }                                                                                             \
  template <class T>                                                                            \
  GRIDSPAN_DEVICE void name(T* result, cudaTextureObject_t texture, GRIDSPAN_LIST parameters) { \
    *result = lod<T>(texture, __VA_ARGS__, __log2f(footprint));                                 \
  }
#define GRIDSPAN_FLAT(...) __gridspan_texture_footprint(texture, __VA_ARGS__)
#define GRIDSPAN_CUBE \
  __gridspan_texture_cube_footprint(texture, x, y, z, a.x, a.y, a.z, b.x, b.y, b.z)
GRIDSPAN_GRADIENT(tex1DGrad, tex1DLod, (float x, float a, float b), GRIDSPAN_FLAT(a, 0, 0, b, 0, 0),
                  x)
GRIDSPAN_GRADIENT(tex2DGrad, tex2DLod, (float x, float y, float2 a, float2 b),
                  GRIDSPAN_FLAT(a.x, a.y, 0, b.x, b.y, 0), x, y)
GRIDSPAN_GRADIENT(tex3DGrad, tex3DLod, (float x, float y, float z, float4 a, float4 b),
                  GRIDSPAN_FLAT(a.x, a.y, a.z, b.x, b.y, b.z), x, y, z)
GRIDSPAN_GRADIENT(tex1DLayeredGrad, tex1DLayeredLod, (float x, int layer, float a, float b),
                  GRIDSPAN_FLAT(a, 0, 0, b, 0, 0), x, layer)
GRIDSPAN_GRADIENT(tex2DLayeredGrad, tex2DLayeredLod,
                  (float x, float y, int layer, float2 a, float2 b),
                  GRIDSPAN_FLAT(a.x, a.y, 0, b.x, b.y, 0), x, y, layer)
GRIDSPAN_GRADIENT(texCubemapGrad, texCubemapLod, (float x, float y, float z, float4 a, float4 b),
                  GRIDSPAN_CUBE, x, y, z)
GRIDSPAN_GRADIENT(texCubemapLayeredGrad, texCubemapLayeredLod,
                  (float x, float y, float z, int layer, float4 a, float4 b), GRIDSPAN_CUBE, x, y,
                  z, layer)
#undef GRIDSPAN_CUBE
#undef GRIDSPAN_FLAT
#undef GRIDSPAN_GRADIENT

// Through references, which have no levels.
#define GRIDSPAN_GRADIENT(name, dimensions, plain, parameters, ...)              \
  template <class T, cudaTextureReadMode Mode>                                   \
  GRIDSPAN_DEVICE typename gridspan_texture::fetched<T, Mode>::type name(        \
      const texture<T, dimensions, Mode>& reference, GRIDSPAN_LIST parameters) { \
    return plain(reference, __VA_ARGS__);                                        \
  }
GRIDSPAN_GRADIENT(tex1DGrad, cudaTextureType1D, tex1D, (float x, float, float), x)
GRIDSPAN_GRADIENT(tex2DGrad, cudaTextureType2D, tex2D, (float x, float y, float2, float2), x, y)
GRIDSPAN_GRADIENT(tex3DGrad, cudaTextureType3D, tex3D, (float x, float y, float z, float4, float4),
                  x, y, z)
GRIDSPAN_GRADIENT(tex1DLayeredGrad, cudaTextureType1DLayered, tex1DLayered,
                  (float x, int layer, float, float), x, layer)
GRIDSPAN_GRADIENT(tex2DLayeredGrad, cudaTextureType2DLayered, tex2DLayered,
                  (float x, float y, int layer, float2, float2), x, y, layer)
GRIDSPAN_GRADIENT(texCubemapGrad, cudaTextureTypeCubemap, texCubemap,
                  (float x, float y, float z, float4, float4), x, y, z)
GRIDSPAN_GRADIENT(texCubemapLayeredGrad, cudaTextureTypeCubemapLayered, texCubemapLayered,
                  (float x, float y, float z, int layer, float4, float4), x, y, z, layer)
#undef GRIDSPAN_GRADIENT
#undef GRIDSPAN_LIST

/// One channel of the four texels that linear filtering would mix.
template <class T>
GRIDSPAN_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int component = 0) {
  gridspan_texture::words found;
  __gridspan_texture_gather(object, x, y, component, found.at);
  return gridspan_texture::texel<T>::from(found);
}
template <class T>
GRIDSPAN_DEVICE void tex2Dgather(T* result, cudaTextureObject_t object, float x, float y,
                                 int component = 0) {
  *result = tex2Dgather<T>(object, x, y, component);
}
template <class T, cudaTextureReadMode Mode>
GRIDSPAN_DEVICE
    typename gridspan_texture::texel<typename gridspan_texture::fetched<T, Mode>::type>::wide
    tex2Dgather(const texture<T, cudaTextureType2D, Mode>& reference, float x, float y,
                int component = 0) {
  typedef typename gridspan_texture::fetched<T, Mode>::type result;
  return tex2Dgather<typename gridspan_texture::texel<result>::wide>(
      gridspan_texture::handle(reference), x, y, component);
}
