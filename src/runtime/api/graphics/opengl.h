// The functions of OpenGL that sharing buffers and textures needs, found in the running program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// We link no OpenGL: a program that shares something with it has brought it, and has made a context
// current in the thread that calls us.
#pragma once

#include "runtime/api/status.h"

#include <cstddef>

namespace gridspan::runtime::graphics {

using Name = unsigned;  // of a buffer or texture (GLuint)
using Enum = unsigned;  // GLenum

/// How pixels of a texture lie in memory, as OpenGL and CUDA say it.
struct PixelFormat {
  Enum internal;  // of the texture
  Enum layout, type;
  cudaChannelFormatDesc channels;
};

/// A texture's level 0.
struct Image {
  Name name = 0;
  Enum target = 0;
  PixelFormat format{};
  cudaExtent extent{};  // texels; depth 0 unless the target has three dimensions
  bool has_layers = false;
};

/// Fails with cudaErrorInvalidGraphicsContext if the program has no OpenGL, or no current context.
Status check_context();

/// Bytes of the buffer.
Status size_of(Name buffer, std::size_t& size);
Status read_buffer(Name buffer, void* to, std::size_t size);
Status write_buffer(Name buffer, const void* from, std::size_t size);

/// What kind of texture it is; fails for targets and formats that cannot be shared.
Status describe(Name texture, Enum target, Image& image);
/// Reads or writes all texels, without gaps between rows and slices.
Status read_image(const Image& image, void* to);
Status write_image(const Image& image, const void* from);

}  // namespace gridspan::runtime::graphics
