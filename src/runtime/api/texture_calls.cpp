// Texture and surface objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"
#include "runtime/api/submit.h"
#include "runtime/api/texture_descriptor.h"

using namespace gridspan::runtime;

namespace {

/// Puts the object's descriptor into device memory and enters it.
Status enter(Runtime& state, std::shared_ptr<const TextureObject> object,
             unsigned long long* handle) {
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream(state, nullptr, stream));
  const auto& descriptors = object->descriptors;
  GRIDSPAN_TRY(allocate_descriptor(state, *handle, descriptors.size()));
  write_in_order(state, *stream, *handle, descriptors.data(),
                 descriptors.size() * sizeof descriptors.front());
  state.textures.add(*handle, std::move(object));
  return cudaSuccess;
}

Status find_object(Runtime& state, unsigned long long handle, bool is_surface,
                   std::shared_ptr<const TextureObject>& object) {
  object = state.textures.find(handle, is_surface);
  if (object) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%#llx is not a %s object, or was destroyed", handle,
                is_surface ? "surface" : "texture");
}

Status destroy(Runtime& state, unsigned long long handle, bool is_surface) {
  if (handle == 0) return cudaSuccess;
  std::shared_ptr<const TextureObject> object;
  GRIDSPAN_TRY(find_object(state, handle, is_surface, object));
  const Status status = wait_for_all(state);  // queued launches may use it
  state.textures.remove(handle);
  release_descriptor(state, handle);
  return status;
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view) {
  GRIDSPAN_CALL(texture, resource, description, view) {
    if (!texture || !resource || !description) {
      return refuse(cudaErrorInvalidValue, "an argument is null");
    }
    if (view && view->format != cudaResViewFormatNone) {
      return refuse(cudaErrorNotSupported, "views of another format are not supported");
    }
    auto object = std::make_shared<TextureObject>();
    object->device = current_device();
    object->resource = *resource;
    object->description = *description;
    if (view) object->view = *view;
    GRIDSPAN_TRY(describe_texture(state, *resource, *description, view, object->descriptors));
    return enter(state, std::move(object), texture);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  GRIDSPAN_CALL(texture) { return destroy(state, texture, false); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t texture) {
  GRIDSPAN_CALL(record::address(resource), texture) {
    std::shared_ptr<const TextureObject> object;
    GRIDSPAN_TRY(find_object(state, texture, false, object));
    if (!resource) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *resource = object->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* description,
                                            cudaTextureObject_t texture) {
  GRIDSPAN_CALL(record::address(description), texture) {
    std::shared_ptr<const TextureObject> object;
    GRIDSPAN_TRY(find_object(state, texture, false, object));
    if (!description) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *description = object->description;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t texture) {
  GRIDSPAN_CALL(record::address(view), texture) {
    std::shared_ptr<const TextureObject> object;
    GRIDSPAN_TRY(find_object(state, texture, false, object));
    if (!view || !object->view) {
      return refuse(cudaErrorInvalidValue, "the texture was made without a view");
    }
    *view = *object->view;
    return cudaSuccess;
  });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
  GRIDSPAN_CALL(surface, resource) {
    if (!surface || !resource) return refuse(cudaErrorInvalidValue, "an argument is null");
    auto object = std::make_shared<TextureObject>();
    object->device = current_device();
    object->is_surface = true;
    object->resource = *resource;
    object->descriptors.emplace_back();
    GRIDSPAN_TRY(describe_surface(state, *resource, object->descriptors.front()));
    return enter(state, std::move(object), surface);
  });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  GRIDSPAN_CALL(surface) { return destroy(state, surface, true); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t surface) {
  GRIDSPAN_CALL(record::address(resource), surface) {
    std::shared_ptr<const TextureObject> object;
    GRIDSPAN_TRY(find_object(state, surface, true, object));
    if (!resource) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *resource = object->resource;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* format,
                                                 int device) {
  GRIDSPAN_CALL(width, format, device) {
    if (!width || !format) return refuse(cudaErrorInvalidValue, "an argument is null");
    GRIDSPAN_TRY(check_device(state, device));
    TexelFormat texel;
    GRIDSPAN_TRY(read_format(*format, texel));
    *width = static_cast<std::size_t>(device_properties(state, device).maxTexture1DLinear);
    return cudaSuccess;
  });
}
