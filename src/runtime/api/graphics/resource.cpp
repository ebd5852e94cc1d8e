// Entering, mapping and removing graphics resources.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graphics/resource.h"

#include "runtime/api/allocate.h"
#include "runtime/api/call.h"
#include "runtime/api/copy_calls.h"

#include <vector>

namespace gridspan::runtime::graphics {
namespace {

constexpr unsigned access_flags =
    cudaGraphicsRegisterFlagsReadOnly | cudaGraphicsRegisterFlagsWriteDiscard;
constexpr unsigned image_flags =
    cudaGraphicsRegisterFlagsSurfaceLoadStore | cudaGraphicsRegisterFlagsTextureGather;

Status check_flags(unsigned flags, unsigned known) {
  if (flags & ~known) return refuse(cudaErrorInvalidValue, "flags %#x are unknown", flags);
  return cudaSuccess;
}

Status enter(std::shared_ptr<GraphicsResource> resource, unsigned flags,
             GraphicsResource** handle) {
  resource->device = current_device();
  resource->flags = flags & access_flags;
  *handle = table().add(std::move(resource));
  return cudaSuccess;
}

Status release_memory(Runtime& state, const GraphicsResource& resource) {
  if (resource.array) return free_array(state, resource.array);
  const Status status = wait_for_all(state);
  const Lookup found =
      state.memory.table().remove(resource.memory, [](MemoryKind) { return true; });
  if (found.is_live()) state.memory.release(found.allocation);
  return status;
}

/// The resource's memory as a box.
Status box_of(Runtime& state, const GraphicsResource& resource, Pitched& box, Extent& extent) {
  if (!resource.array) {
    box = flat(resource.memory);
    extent = {resource.size};
    return cudaSuccess;
  }
  std::shared_ptr<Array> array;
  GRIDSPAN_TRY(find_array(state, resource.array, array));
  box = array->memory;
  extent = array->bytes;
  return cudaSuccess;
}

/// Memory between OpenGL and the device, without gaps.
struct Staging {
  explicit Staging(const Extent& extent)
      : bytes(extent.width * extent.height * extent.depth),
        box{bytes.data(), extent.width, extent.width * extent.height} {}
  std::vector<char> bytes;
  Pitched box;
};

}  // namespace

GraphicsTable& table() {
  static auto* const resources = new GraphicsTable;  // leaked, as all of the run time's state
  return *resources;
}

Status find(const GraphicsResource* handle, std::shared_ptr<GraphicsResource>& resource) {
  resource = table().find(handle);
  if (resource) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle,
                "%p is not a graphics resource, or was unregistered",
                static_cast<const void*>(handle));
}

Status add_buffer(Runtime& state, Name buffer, unsigned flags, GraphicsResource** handle) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  GRIDSPAN_TRY(check_flags(flags, access_flags));
  auto resource = std::make_shared<GraphicsResource>();
  resource->buffer = buffer;
  GRIDSPAN_TRY(size_of(buffer, resource->size));
  GRIDSPAN_TRY(allocate(state, &resource->memory, resource->size, MemoryKind::device));
  return enter(std::move(resource), flags, handle);
}

Status add_image(Runtime& state, Name texture, Enum target, unsigned flags,
                 GraphicsResource** handle) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  GRIDSPAN_TRY(check_flags(flags, access_flags | image_flags));
  auto resource = std::make_shared<GraphicsResource>();
  Image& image = resource->image;
  GRIDSPAN_TRY(describe(texture, target, image));
  unsigned kind = 0;
  if (flags & cudaGraphicsRegisterFlagsSurfaceLoadStore) kind |= cudaArraySurfaceLoadStore;
  if (flags & cudaGraphicsRegisterFlagsTextureGather) kind |= cudaArrayTextureGather;
  if (image.has_layers) kind |= cudaArrayLayered;
  GRIDSPAN_TRY(make_array(state, &resource->array, &image.format.channels, image.extent, kind));
  return enter(std::move(resource), flags, handle);
}

Status remove(Runtime& state, GraphicsResource* handle) {
  std::shared_ptr<GraphicsResource> resource;
  GRIDSPAN_TRY(find(handle, resource));
  if (resource->is_mapped) GRIDSPAN_TRY(unmap(state, handle, nullptr));
  table().remove(handle);
  return release_memory(state, *resource);
}

Status set_map_flags(const GraphicsResource* handle, unsigned flags) {
  std::shared_ptr<GraphicsResource> resource;
  GRIDSPAN_TRY(find(handle, resource));
  GRIDSPAN_TRY(check_flags(flags, access_flags));
  if (resource->is_mapped) return refuse(cudaErrorAlreadyMapped, "the resource is mapped");
  resource->flags = flags;
  return cudaSuccess;
}

Status map(Runtime& state, GraphicsResource* handle, cudaStream_t stream) {
  std::shared_ptr<GraphicsResource> resource;
  GRIDSPAN_TRY(find(handle, resource));
  if (resource->is_mapped) return refuse(cudaErrorAlreadyMapped, "the resource is mapped already");
  if (!(resource->flags & cudaGraphicsMapFlagsWriteDiscard)) {
    Pitched box;
    Extent extent;
    GRIDSPAN_TRY(box_of(state, *resource, box, extent));
    Staging staging(extent);
    GRIDSPAN_TRY(resource->array
                     ? read_image(resource->image, staging.bytes.data())
                     : read_buffer(resource->buffer, staging.bytes.data(), resource->size));
    GRIDSPAN_TRY(
        copy(state, box, staging.box, extent, cudaMemcpyHostToDevice, stream, Asynchrony::no));
  }
  resource->is_mapped = true;
  return cudaSuccess;
}

Status unmap(Runtime& state, GraphicsResource* handle, cudaStream_t stream) {
  std::shared_ptr<GraphicsResource> resource;
  GRIDSPAN_TRY(find(handle, resource));
  if (!resource->is_mapped) return refuse(cudaErrorNotMapped, "the resource is not mapped");
  if (!(resource->flags & cudaGraphicsMapFlagsReadOnly)) {
    Pitched box;
    Extent extent;
    GRIDSPAN_TRY(box_of(state, *resource, box, extent));
    Staging staging(extent);
    GRIDSPAN_TRY(
        copy(state, staging.box, box, extent, cudaMemcpyDeviceToHost, stream, Asynchrony::no));
    GRIDSPAN_TRY(resource->array
                     ? write_image(resource->image, staging.bytes.data())
                     : write_buffer(resource->buffer, staging.bytes.data(), resource->size));
  }
  resource->is_mapped = false;
  return cudaSuccess;
}

Status mapped_pointer(const GraphicsResource* handle, void** pointer, std::size_t* size) {
  std::shared_ptr<GraphicsResource> resource;
  GRIDSPAN_TRY(find(handle, resource));
  if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  if (!resource->is_mapped) return refuse(cudaErrorNotMapped, "the resource is not mapped");
  if (resource->array) {
    return refuse(cudaErrorNotMappedAsPointer, "a texture has an array, no address");
  }
  *pointer = resource->memory;
  if (size) *size = resource->size;
  return cudaSuccess;
}

}  // namespace gridspan::runtime::graphics
