// What a program of OpenGL shares with CUDA.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is no memory that both see. A resource has device memory of its own; mapping it copies what
// OpenGL has there, unmapping copies it back. Between the two OpenGL must not touch it, so nobody
// can tell the difference.
#pragma once

#include "runtime/api/arrays.h"
#include "runtime/api/graphics/opengl.h"
#include "runtime/api/stream_table.h"

/// What a cudaGraphicsResource_t points to.
struct cudaGraphicsResource {
  int device = 0;
  gridspan::runtime::graphics::Name buffer = 0;  // 0: an image
  gridspan::runtime::graphics::Image image;
  unsigned flags = 0;  // cudaGraphicsMapFlags
  bool is_mapped = false;
  void* memory = nullptr;  // of a buffer
  std::size_t size = 0;
  cudaArray_t array = nullptr;  // of an image
};

namespace gridspan::runtime {

using GraphicsResource = cudaGraphicsResource;
using GraphicsTable = HandleTable<GraphicsResource>;

namespace graphics {

/// All resources of the process.
GraphicsTable& table();

/// Enters a buffer or a texture of OpenGL.
Status add_buffer(Runtime& state, Name buffer, unsigned flags, GraphicsResource** handle);
Status add_image(Runtime& state, Name texture, Enum target, unsigned flags,
                 GraphicsResource** handle);
Status remove(Runtime& state, GraphicsResource* handle);

Status find(const GraphicsResource* handle, std::shared_ptr<GraphicsResource>& resource);
Status map(Runtime& state, GraphicsResource* handle, cudaStream_t stream);
Status unmap(Runtime& state, GraphicsResource* handle, cudaStream_t stream);
Status set_map_flags(const GraphicsResource* handle, unsigned flags);
Status mapped_pointer(const GraphicsResource* handle, void** pointer, std::size_t* size);

}  // namespace graphics
}  // namespace gridspan::runtime
