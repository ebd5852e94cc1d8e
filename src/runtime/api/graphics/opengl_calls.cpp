// cuda_gl_interop.h: OpenGL's buffers and textures as graphics resources.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graphics/resource.h"

#include <map>
#include <mutex>

#pragma GCC visibility push(default)
#include "cuda_gl_interop.h"
#pragma GCC visibility pop

using namespace gridspan::runtime;

namespace {

/// Buffers that the deprecated calls registered: they name the buffer itself.
class NamedBuffers {
 public:
  void add(GLuint buffer, GraphicsResource* resource) {
    const std::lock_guard lock(mutex_);
    resources_[buffer] = resource;
  }
  Status find(GLuint buffer, GraphicsResource*& resource) {
    const std::lock_guard lock(mutex_);
    const auto found = resources_.find(buffer);
    if (found == resources_.end()) {
      return refuse(cudaErrorInvalidValue, "the OpenGL buffer %u is not registered", buffer);
    }
    resource = found->second;
    return cudaSuccess;
  }
  void remove(GLuint buffer) {
    const std::lock_guard lock(mutex_);
    resources_.erase(buffer);
  }

 private:
  std::mutex mutex_;
  std::map<GLuint, GraphicsResource*> resources_;
};

NamedBuffers& named_buffers() {
  static auto* const buffers = new NamedBuffers;  // leaked, as all of the run time's state
  return *buffers;
}

Status map(Runtime& state, void** pointer, GLuint buffer, cudaStream_t stream) {
  GraphicsResource* resource = nullptr;
  GRIDSPAN_TRY(named_buffers().find(buffer, resource));
  if (!pointer) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  GRIDSPAN_TRY(graphics::map(state, resource, stream));
  return graphics::mapped_pointer(resource, pointer, nullptr);
}

Status unmap(Runtime& state, GLuint buffer, cudaStream_t stream) {
  GraphicsResource* resource = nullptr;
  GRIDSPAN_TRY(named_buffers().find(buffer, resource));
  return graphics::unmap(state, resource, stream);
}

}  // namespace

cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource** resource, GLuint buffer,
                                         unsigned int flags) {
  GRIDSPAN_CALL(record::address(resource), buffer, flags) {
    return graphics::add_buffer(state, buffer, flags, resource);
  });
}

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource** resource, GLuint image,
                                        GLenum target, unsigned int flags) {
  GRIDSPAN_CALL(record::address(resource), image, target, flags) {
    return graphics::add_image(state, image, target, flags, resource);
  });
}

cudaError_t cudaGLGetDevices(unsigned int* count, int* devices, unsigned int capacity,
                             cudaGLDeviceList list) {
  GRIDSPAN_CALL(count, record::address(devices), capacity, list) {
    GRIDSPAN_TRY(graphics::check_context());
    if (count) *count = 1;
    if (devices && capacity > 0) devices[0] = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaGLSetGLDevice(int device) { return cudaSetDevice(device); }

cudaError_t cudaGLRegisterBufferObject(GLuint buffer) {
  GRIDSPAN_CALL(buffer) {
    GraphicsResource* resource = nullptr;
    if (!named_buffers().find(buffer, resource).failed()) return cudaSuccess;
    GRIDSPAN_TRY(graphics::add_buffer(state, buffer, cudaGraphicsRegisterFlagsNone, &resource));
    named_buffers().add(buffer, resource);
    return cudaSuccess;
  });
}

cudaError_t cudaGLUnregisterBufferObject(GLuint buffer) {
  GRIDSPAN_CALL(buffer) {
    GraphicsResource* resource = nullptr;
    GRIDSPAN_TRY(named_buffers().find(buffer, resource));
    named_buffers().remove(buffer);
    return graphics::remove(state, resource);
  });
}

cudaError_t cudaGLSetBufferObjectMapFlags(GLuint buffer, unsigned int flags) {
  GRIDSPAN_CALL(buffer, flags) {
    GraphicsResource* resource = nullptr;
    GRIDSPAN_TRY(named_buffers().find(buffer, resource));
    return graphics::set_map_flags(resource, flags);
  });
}

cudaError_t cudaGLMapBufferObject(void** pointer, GLuint buffer) {
  GRIDSPAN_CALL(pointer, buffer) { return map(state, pointer, buffer, nullptr); });
}

cudaError_t cudaGLMapBufferObjectAsync(void** pointer, GLuint buffer, cudaStream_t stream) {
  GRIDSPAN_CALL(pointer, buffer, stream) { return map(state, pointer, buffer, stream); });
}

cudaError_t cudaGLUnmapBufferObject(GLuint buffer) {
  GRIDSPAN_CALL(buffer) { return unmap(state, buffer, nullptr); });
}

cudaError_t cudaGLUnmapBufferObjectAsync(GLuint buffer, cudaStream_t stream) {
  GRIDSPAN_CALL(buffer, stream) { return unmap(state, buffer, stream); });
}
