// Binding of typed texture and surface references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "texture_reference.h"

template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, Type, Mode>& reference,
                                          const void* pointer, const cudaChannelFormatDesc& format,
                                          size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &reference, pointer, &format, size);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, Type, Mode>& reference,
                                          const void* pointer, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, size);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, Type, Mode>& reference,
                                            const void* pointer,
                                            const cudaChannelFormatDesc& format, size_t width,
                                            size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, Type, Mode>& reference,
                                            const void* pointer, size_t width, size_t height,
                                            size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height,
                             pitch);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, Type, Mode>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& format) {
  return ::cudaBindTextureToArray(&reference, array, &format);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaBindTextureToArray(const texture<T, Type, Mode>& reference,
                                                 cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = ::cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? ::cudaBindTextureToArray(&reference, array, &format) : error;
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaUnbindTexture(const texture<T, Type, Mode>& reference) {
  return ::cudaUnbindTexture(&reference);
}
template <class T, int Type, cudaTextureReadMode Mode>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset,
                                                        const texture<T, Type, Mode>& reference) {
  return ::cudaGetTextureAlignmentOffset(offset, &reference);
}

template <class T, int Type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, Type>& reference,
                                                 cudaArray_const_t array,
                                                 const cudaChannelFormatDesc& format) {
  return ::cudaBindSurfaceToArray(&reference, array, &format);
}
template <class T, int Type>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, Type>& reference,
                                                 cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = ::cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? ::cudaBindSurfaceToArray(&reference, array, &format) : error;
}
