// cudaGraphics…: mapping resources, wherever they come from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graphics/resource.h"

using namespace gridspan::runtime;

namespace {

template <class Action>
Status for_each(int count, cudaGraphicsResource_t* resources, Action action) {
  if (count < 0 || (count > 0 && !resources)) {
    return refuse(cudaErrorInvalidValue, "%d resources at %p", count,
                  static_cast<void*>(resources));
  }
  for (int i = 0; i < count; ++i) GRIDSPAN_TRY(action(resources[i]));
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource) {
  GRIDSPAN_CALL(resource) { return graphics::remove(state, resource); });
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags) {
  GRIDSPAN_CALL(resource, flags) { return graphics::set_map_flags(resource, flags); });
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream) {
  GRIDSPAN_CALL(count, record::address(resources), stream) {
    return for_each(count, resources, [&](cudaGraphicsResource_t resource) {
      return graphics::map(state, resource, stream);
    });
  });
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream) {
  GRIDSPAN_CALL(count, record::address(resources), stream) {
    return for_each(count, resources, [&](cudaGraphicsResource_t resource) {
      return graphics::unmap(state, resource, stream);
    });
  });
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, size_t* size,
                                                 cudaGraphicsResource_t resource) {
  GRIDSPAN_CALL(pointer, size, resource) {
    return graphics::mapped_pointer(resource, pointer, size);
  });
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned int index, unsigned int level) {
  GRIDSPAN_CALL(array, resource, index, level) {
    std::shared_ptr<GraphicsResource> found;
    GRIDSPAN_TRY(graphics::find(resource, found));
    if (!array) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    if (!found->is_mapped) return refuse(cudaErrorNotMapped, "the resource is not mapped");
    if (!found->array) {
      return refuse(cudaErrorNotMappedAsArray, "a buffer has an address, no array");
    }
    if (index != 0 || level != 0) {
      return refuse(cudaErrorInvalidValue, "face %u, level %u: only level 0 is shared", index,
                    level);
    }
    *array = found->array;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t* array,
                                                        cudaGraphicsResource_t resource) {
  GRIDSPAN_CALL(record::address(array), resource) {
    return refuse(cudaErrorNotSupported,
                  "OpenGL's textures are mapped without their smaller levels");
  });
}
