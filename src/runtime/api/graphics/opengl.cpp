// Finding and calling OpenGL.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graphics/opengl.h"

#include <dlfcn.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>

namespace gridspan::runtime::graphics {
namespace {

using Address = void (*)();
using ProcedureLookup = Address (*)(const unsigned char*);

/// Newer functions may be known to the window system's library only.
Address find(const char* name) {
  if (void* found = dlsym(RTLD_DEFAULT, name)) return reinterpret_cast<Address>(found);
  for (const char* lookup : {"glXGetProcAddressARB", "eglGetProcAddress"}) {
    if (void* found = dlsym(RTLD_DEFAULT, lookup)) {
      const auto ask = reinterpret_cast<ProcedureLookup>(found);
      if (Address address = ask(reinterpret_cast<const unsigned char*>(name))) return address;
    }
  }
  return nullptr;
}

struct Functions {
  const unsigned char* (*get_string)(Enum);
  void (*get_integer)(Enum, int*);
  unsigned char (*is_buffer)(Name);
  void (*bind_buffer)(Enum, Name);
  void (*get_buffer_parameter)(Enum, Enum, int*);
  void (*get_buffer_data)(Enum, std::ptrdiff_t, std::ptrdiff_t, void*);
  void (*set_buffer_data)(Enum, std::ptrdiff_t, std::ptrdiff_t, const void*);
  unsigned char (*is_texture)(Name);
  void (*bind_texture)(Enum, Name);
  void (*get_level_parameter)(Enum, int, Enum, int*);
  void (*get_image)(Enum, int, Enum, Enum, void*);
  void (*set_image_2d)(Enum, int, int, int, int, int, Enum, Enum, const void*);
  void (*set_image_3d)(Enum, int, int, int, int, int, int, int, Enum, Enum, const void*);
  void (*pixel_store)(Enum, int);
  bool complete = true;

  Functions() {
    take(get_string, "glGetString");
    take(get_integer, "glGetIntegerv");
    take(is_buffer, "glIsBuffer");
    take(bind_buffer, "glBindBuffer");
    take(get_buffer_parameter, "glGetBufferParameteriv");
    take(get_buffer_data, "glGetBufferSubData");
    take(set_buffer_data, "glBufferSubData");
    take(is_texture, "glIsTexture");
    take(bind_texture, "glBindTexture");
    take(get_level_parameter, "glGetTexLevelParameteriv");
    take(get_image, "glGetTexImage");
    take(set_image_2d, "glTexSubImage2D");
    take(set_image_3d, "glTexSubImage3D");
    take(pixel_store, "glPixelStorei");
  }

 private:
  template <class Function>
  void take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(find(name));
    complete = complete && function;
  }
};

/// Looked up until all are there: a program may open its OpenGL late.
Functions functions() {
  static std::mutex mutex;
  static Functions found;
  const std::scoped_lock lock(mutex);
  if (!found.complete) found = Functions();
  return found;
}

namespace names {
constexpr Enum version = 0x1F02;
constexpr Enum array_buffer = 0x8892, array_buffer_binding = 0x8894, buffer_size = 0x8764;
constexpr Enum pack_buffer = 0x88EB, pack_buffer_binding = 0x88ED;
constexpr Enum unpack_buffer = 0x88EC, unpack_buffer_binding = 0x88EF;
constexpr Enum width = 0x1000, height = 0x1001, depth = 0x8071, internal_format = 0x1003;
constexpr Enum red = 0x1903, rg = 0x8227, rgba = 0x1908;
constexpr Enum red_integer = 0x8D94, rg_integer = 0x8228, rgba_integer = 0x8D99;
constexpr Enum byte = 0x1400, unsigned_byte = 0x1401, signed_short = 0x1402,
               unsigned_short = 0x1403;
constexpr Enum signed_int = 0x1404, unsigned_int = 0x1405, single_float = 0x1406,
               half_float = 0x140B;
}  // namespace names

struct Target {
  Enum target, binding;
  bool has_depth;
  bool has_layers = false;
};
constexpr Target targets[] = {
    {0x0DE1, 0x8069, false},       // GL_TEXTURE_2D
    {0x84F5, 0x84F6, false},       // GL_TEXTURE_RECTANGLE
    {0x806F, 0x806A, true},        // GL_TEXTURE_3D
    {0x8C1A, 0x8C1D, true, true},  // GL_TEXTURE_2D_ARRAY
};

constexpr cudaChannelFormatDesc channels(int count, int bits, cudaChannelFormatKind kind) {
  return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0, kind};
}
constexpr auto real = cudaChannelFormatKindFloat;
constexpr auto natural = cudaChannelFormatKindUnsigned;
constexpr auto whole = cudaChannelFormatKindSigned;

constexpr PixelFormat formats[] = {
    {0x8229, names::red, names::unsigned_byte, channels(1, 8, natural)},     // GL_R8
    {0x822A, names::red, names::unsigned_short, channels(1, 16, natural)},   // GL_R16
    {0x822B, names::rg, names::unsigned_byte, channels(2, 8, natural)},      // GL_RG8
    {0x822C, names::rg, names::unsigned_short, channels(2, 16, natural)},    // GL_RG16
    {0x1908, names::rgba, names::unsigned_byte, channels(4, 8, natural)},    // GL_RGBA
    {0x8058, names::rgba, names::unsigned_byte, channels(4, 8, natural)},    // GL_RGBA8
    {0x805B, names::rgba, names::unsigned_short, channels(4, 16, natural)},  // GL_RGBA16
    {0x822D, names::red, names::half_float, channels(1, 16, real)},          // GL_R16F
    {0x822F, names::rg, names::half_float, channels(2, 16, real)},           // GL_RG16F
    {0x881A, names::rgba, names::half_float, channels(4, 16, real)},         // GL_RGBA16F
    {0x822E, names::red, names::single_float, channels(1, 32, real)},        // GL_R32F
    {0x8230, names::rg, names::single_float, channels(2, 32, real)},         // GL_RG32F
    {0x8814, names::rgba, names::single_float, channels(4, 32, real)},       // GL_RGBA32F
    {0x8231, names::red_integer, names::byte, channels(1, 8, whole)},        // GL_R8I
    {0x8232, names::red_integer, names::unsigned_byte, channels(1, 8, natural)},
    {0x8233, names::red_integer, names::signed_short, channels(1, 16, whole)},
    {0x8234, names::red_integer, names::unsigned_short, channels(1, 16, natural)},
    {0x8235, names::red_integer, names::signed_int, channels(1, 32, whole)},
    {0x8236, names::red_integer, names::unsigned_int, channels(1, 32, natural)},
    {0x8237, names::rg_integer, names::byte, channels(2, 8, whole)},  // GL_RG8I
    {0x8238, names::rg_integer, names::unsigned_byte, channels(2, 8, natural)},
    {0x8239, names::rg_integer, names::signed_short, channels(2, 16, whole)},
    {0x823A, names::rg_integer, names::unsigned_short, channels(2, 16, natural)},
    {0x823B, names::rg_integer, names::signed_int, channels(2, 32, whole)},
    {0x823C, names::rg_integer, names::unsigned_int, channels(2, 32, natural)},
    {0x8D8E, names::rgba_integer, names::byte, channels(4, 8, whole)},  // GL_RGBA8I
    {0x8D7C, names::rgba_integer, names::unsigned_byte, channels(4, 8, natural)},
    {0x8D88, names::rgba_integer, names::signed_short, channels(4, 16, whole)},
    {0x8D76, names::rgba_integer, names::unsigned_short, channels(4, 16, natural)},
    {0x8D82, names::rgba_integer, names::signed_int, channels(4, 32, whole)},
    {0x8D70, names::rgba_integer, names::unsigned_int, channels(4, 32, natural)},
};

const Target* find_target(Enum target) {
  const Target* found = std::ranges::find(targets, target, &Target::target);
  return found == std::end(targets) ? nullptr : found;
}

int integer(Enum name) {
  int value = 0;
  functions().get_integer(name, &value);
  return value;
}

/// Binds a buffer or texture, and the one that was bound before again at the end.
class Binding {
 public:
  using Bind = void (*)(Enum, Name);
  Binding(Bind bind, Enum target, Enum binding, Name name)
      : bind_(bind), target_(target), before_(static_cast<Name>(integer(binding))) {
    bind_(target, name);
  }
  Binding(const Binding&) = delete;
  ~Binding() { bind_(target_, before_); }

 private:
  Bind bind_;
  Enum target_;
  Name before_;
};

Binding bind_buffer(Name buffer) {
  return Binding(functions().bind_buffer, names::array_buffer, names::array_buffer_binding, buffer);
}

Binding bind_texture(const Target& target, Name texture) {
  return Binding(functions().bind_texture, target.target, target.binding, texture);
}

/// Pixels without gaps, to or from our memory, whatever the program has set.
class DensePixels {
 public:
  enum class Way { out_of_texture, into_texture };
  explicit DensePixels(Way way)
      : first_(way == Way::into_texture ? 0x0CF2u : 0x0D02u),
        buffer_(way == Way::into_texture ? Binding(functions().bind_buffer, names::unpack_buffer,
                                                   names::unpack_buffer_binding, 0)
                                         : Binding(functions().bind_buffer, names::pack_buffer,
                                                   names::pack_buffer_binding, 0)) {
    for (unsigned i = 0; i < before_.size(); ++i) {
      before_[i] = integer(first_ + i);
      functions().pixel_store(first_ + i, i == alignment ? 1 : 0);
    }
  }
  DensePixels(const DensePixels&) = delete;
  ~DensePixels() {
    for (unsigned i = 0; i < before_.size(); ++i) functions().pixel_store(first_ + i, before_[i]);
  }

 private:
  static constexpr unsigned alignment = 3;
  Enum first_;  // row length, skipped rows, skipped pixels, alignment are neighbours
  std::array<int, 4> before_{};
  Binding buffer_;
};

}  // namespace

// NOLINTBEGIN(clang-analyzer-core.CallAndMessage): after check_context() all functions are there
Status check_context() {
  if (!functions().complete) {
    return refuse(cudaErrorInvalidGraphicsContext, "the program has loaded no OpenGL library");
  }
  if (!functions().get_string(names::version)) {
    return refuse(cudaErrorInvalidGraphicsContext, "no OpenGL context is current in this thread");
  }
  return cudaSuccess;
}

Status size_of(Name buffer, std::size_t& size) {
  GRIDSPAN_TRY(check_context());
  if (!functions().is_buffer(buffer)) {
    return refuse(cudaErrorInvalidValue, "%u is no buffer of the current OpenGL context", buffer);
  }
  const Binding bound = bind_buffer(buffer);
  int bytes = 0;
  functions().get_buffer_parameter(names::array_buffer, names::buffer_size, &bytes);
  if (bytes <= 0) return refuse(cudaErrorInvalidValue, "the OpenGL buffer %u is empty", buffer);
  size = static_cast<std::size_t>(bytes);
  return cudaSuccess;
}

Status read_buffer(Name buffer, void* to, std::size_t size) {
  GRIDSPAN_TRY(check_context());
  const Binding bound = bind_buffer(buffer);
  functions().get_buffer_data(names::array_buffer, 0, static_cast<std::ptrdiff_t>(size), to);
  return cudaSuccess;
}

Status write_buffer(Name buffer, const void* from, std::size_t size) {
  GRIDSPAN_TRY(check_context());
  const Binding bound = bind_buffer(buffer);
  functions().set_buffer_data(names::array_buffer, 0, static_cast<std::ptrdiff_t>(size), from);
  return cudaSuccess;
}

Status describe(Name texture, Enum target, Image& image) {
  GRIDSPAN_TRY(check_context());
  const Target* kind = find_target(target);
  if (!kind) {
    return refuse(cudaErrorNotSupported, "OpenGL images of target %#x cannot be shared", target);
  }
  if (!functions().is_texture(texture)) {
    return refuse(cudaErrorInvalidValue, "%u is no texture of the current OpenGL context", texture);
  }
  const Binding bound = bind_texture(*kind, texture);
  int width = 0, height = 0, depth = 0, internal = 0;
  functions().get_level_parameter(target, 0, names::width, &width);
  functions().get_level_parameter(target, 0, names::height, &height);
  if (kind->has_depth) functions().get_level_parameter(target, 0, names::depth, &depth);
  functions().get_level_parameter(target, 0, names::internal_format, &internal);
  const PixelFormat* format =
      std::ranges::find(formats, static_cast<Enum>(internal), &PixelFormat::internal);
  if (format == std::end(formats)) {
    return refuse(cudaErrorInvalidValue,
                  "textures of OpenGL's internal format %#x cannot be shared",
                  static_cast<unsigned>(internal));
  }
  const auto size = [](int length) { return static_cast<std::size_t>(length); };
  image = {texture, target, *format, {size(width), size(height), size(depth)}, kind->has_layers};
  return cudaSuccess;
}

Status read_image(const Image& image, void* to) {
  GRIDSPAN_TRY(check_context());
  const Binding bound = bind_texture(*find_target(image.target), image.name);
  const DensePixels dense(DensePixels::Way::out_of_texture);
  functions().get_image(image.target, 0, image.format.layout, image.format.type, to);
  return cudaSuccess;
}

Status write_image(const Image& image, const void* from) {
  GRIDSPAN_TRY(check_context());
  const Target& target = *find_target(image.target);
  const Binding bound = bind_texture(target, image.name);
  const DensePixels dense(DensePixels::Way::into_texture);
  const int width = static_cast<int>(image.extent.width);
  const int height = static_cast<int>(image.extent.height);
  const int depth = static_cast<int>(image.extent.depth);
  if (target.has_depth) {
    functions().set_image_3d(image.target, 0, 0, 0, 0, width, height, depth, image.format.layout,
                             image.format.type, from);
  } else {
    functions().set_image_2d(image.target, 0, 0, 0, width, height, image.format.layout,
                             image.format.type, from);
  }
  return cudaSuccess;
}

// NOLINTEND(clang-analyzer-core.CallAndMessage)

}  // namespace gridspan::runtime::graphics
