// Reading and writing surfaces, through objects and through legacy references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A surface is a handle as a texture is. x counts bytes, y rows, z slices, layers or faces.
#pragma once

#include "device_macros.h"
#include "device_runtime.h"
#include "texture_reference.h"

extern "C" {
/// Where `size` bytes at (x, y, z) lie; null if outside, unless `mode` moves them to the edge.
__device__ void* __gridspan_surface_address(unsigned long long surface, int x, int y, int z,
                                            unsigned int size, int mode);
}

namespace gridspan_surface {

template <class T, int Type>
GRIDSPAN_DEVICE unsigned long long handle(const surface<T, Type>& reference) {
  return *reinterpret_cast<const unsigned long long*>(&reference);
}

template <class T>
GRIDSPAN_DEVICE T* address(unsigned long long surface, int x, int y, int z,
                           cudaSurfaceBoundaryMode mode) {
  void* found = __gridspan_surface_address(surface, x, y, z, sizeof(T), mode);
  if (!found && mode == cudaBoundaryModeTrap) __trap();
  return static_cast<T*>(found);
}

template <class T>
GRIDSPAN_DEVICE T read(unsigned long long surface, int x, int y, int z,
                       cudaSurfaceBoundaryMode mode) {
  T* from = address<T>(surface, x, y, z, mode);
  return from ? *from : T();
}

template <class T>
GRIDSPAN_DEVICE void write(T value, unsigned long long surface, int x, int y, int z,
                           cudaSurfaceBoundaryMode mode) {
  if (T* to = address<T>(surface, x, y, z, mode)) *to = value;
}

}  // namespace gridspan_surface

// The forms of one access, for objects and references. `parameters` is the list of coordinates in
// parentheses; the rest are x, y, z.
#define GRIDSPAN_LIST(...) __VA_ARGS__
#define GRIDSPAN_SURFACE(name, dimensions, parameters, ...)                                        \
  template <class T>                                                                               \
  GRIDSPAN_DEVICE T name##read(cudaSurfaceObject_t object, GRIDSPAN_LIST parameters,               \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return gridspan_surface::read<T>(object, __VA_ARGS__, mode);                                   \
  }                                                                                                \
  template <class T>                                                                               \
  GRIDSPAN_DEVICE void name##read(T* result, cudaSurfaceObject_t object, GRIDSPAN_LIST parameters, \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *result = gridspan_surface::read<T>(object, __VA_ARGS__, mode);                                \
  }                                                                                                \
  template <class T>                                                                               \
  GRIDSPAN_DEVICE void name##write(T value, cudaSurfaceObject_t object, GRIDSPAN_LIST parameters,  \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    gridspan_surface::write(value, object, __VA_ARGS__, mode);                                     \
  }                                                                                                \
  template <class T, class Format>                                                                 \
  GRIDSPAN_DEVICE T name##read(const surface<Format, dimensions>& reference,                       \
                               GRIDSPAN_LIST parameters,                                           \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
    return gridspan_surface::read<T>(gridspan_surface::handle(reference), __VA_ARGS__, mode);      \
  }                                                                                                \
  template <class T, class Format>                                                                 \
  GRIDSPAN_DEVICE void name##read(T* result, const surface<Format, dimensions>& reference,         \
                                  GRIDSPAN_LIST parameters,                                        \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {           \
    *result = gridspan_surface::read<T>(gridspan_surface::handle(reference), __VA_ARGS__, mode);   \
  }                                                                                                \
  template <class T, class Format>                                                                 \
  GRIDSPAN_DEVICE void name##write(T value, const surface<Format, dimensions>& reference,          \
                                   GRIDSPAN_LIST parameters,                                       \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    gridspan_surface::write(value, gridspan_surface::handle(reference), __VA_ARGS__, mode);        \
  }

GRIDSPAN_SURFACE(surf1D, cudaSurfaceType1D, (int x), x, 0, 0)
GRIDSPAN_SURFACE(surf2D, cudaSurfaceType2D, (int x, int y), x, y, 0)
GRIDSPAN_SURFACE(surf3D, cudaSurfaceType3D, (int x, int y, int z), x, y, z)
GRIDSPAN_SURFACE(surf1DLayered, cudaSurfaceType1DLayered, (int x, int layer), x, 0, layer)
GRIDSPAN_SURFACE(surf2DLayered, cudaSurfaceType2DLayered, (int x, int y, int layer), x, y, layer)
GRIDSPAN_SURFACE(surfCubemap, cudaSurfaceTypeCubemap, (int x, int y, int face), x, y, face)
GRIDSPAN_SURFACE(surfCubemapLayered, cudaSurfaceTypeCubemapLayered, (int x, int y, int face), x, y,
                 face)

#undef GRIDSPAN_SURFACE
#undef GRIDSPAN_LIST
