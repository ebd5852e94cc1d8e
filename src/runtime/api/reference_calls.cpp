// Binding legacy texture and surface references.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/reference_table.h"

using namespace gridspan::runtime;

namespace {

/// Any memory aligned for its texels can be bound as it is.
void set_no_offset(size_t* offset) {
  if (offset) *offset = 0;
}

cudaResourceDesc array_resource(cudaArray_const_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return resource;
}

Status bind_array(Runtime& state, const textureReference* reference, cudaArray_const_t array) {
  return references().bind_texture(state, reference, array_resource(array));
}

}  // namespace

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  GRIDSPAN_CALL(record::address(reference), symbol) {
    if (!reference) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (!references().is_texture(symbol)) {
      return refuse(cudaErrorInvalidTexture, "%p is no texture reference", symbol);
    }
    *reference = static_cast<const textureReference*>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* format, size_t size) {
  GRIDSPAN_CALL(offset, reference, pointer, format, size) {
    if (!format) return refuse(cudaErrorInvalidValue, "the format is null");
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {const_cast<void*>(pointer), *format, size};
    set_no_offset(offset);
    return references().bind_texture(state, reference, resource);
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* format,
                              size_t width, size_t height, size_t pitch) {
  GRIDSPAN_CALL(offset, reference, pointer, format, width, height, pitch) {
    if (!format) return refuse(cudaErrorInvalidValue, "the format is null");
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {const_cast<void*>(pointer), *format, width, height, pitch};
    set_no_offset(offset);
    return references().bind_texture(state, reference, resource);
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format) {
  GRIDSPAN_CALL(reference, array, format) { return bind_array(state, reference, array); });
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  GRIDSPAN_CALL(reference) { return references().unbind_texture(reference); });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  GRIDSPAN_CALL(offset, reference) {
    GRIDSPAN_TRY(references().check_bound(reference));
    set_no_offset(offset);
    return cudaSuccess;
  });
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  GRIDSPAN_CALL(record::address(reference), symbol) {
    if (!reference) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (!references().is_surface(symbol)) {
      return refuse(cudaErrorInvalidSurface, "%p is no surface reference", symbol);
    }
    *reference = static_cast<const surfaceReference*>(symbol);
    return cudaSuccess;
  });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format) {
  GRIDSPAN_CALL(reference, array, format) {
    return references().bind_surface(state, reference, array_resource(array));
  });
}
