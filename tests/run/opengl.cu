// Buffers and textures of OpenGL in kernels, with an OpenGL of our own: no window system is needed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -rdynamic
// FEATURE: Textures and surfaces | OpenGL's buffers and textures: cudaGraphicsGLRegisterBuffer, cudaGraphicsGLRegisterImage, cudaGraphicsMapResources
// FEATURE: Textures and surfaces | the deprecated calls for OpenGL's buffers (cudaGLMapBufferObject …)
#include <cuda_gl_interop.h>

#include <cstring>
#include <map>

#include "check.h"

// What OpenGL remembers, as far as the run time asks for it.
namespace fake {
const unsigned array_buffer = 0x8892, pack_buffer = 0x88EB, unpack_buffer = 0x88EC;
const unsigned texture_2d = 0x0DE1, texture_3d = 0x806F, rgba = 0x1908, red = 0x1903;
const unsigned unsigned_byte = 0x1401, float_ = 0x1406, pack_alignment = 0x0D05;

struct Texture {
  int width, height, depth, format;
  std::vector<unsigned char> texels;
};
bool has_context = false;
std::map<unsigned, std::vector<unsigned char>> buffers;
std::map<unsigned, Texture> textures;
std::map<unsigned, unsigned> bound;  // by target
std::map<unsigned, int> pixels;      // by parameter
}  // namespace fake

extern "C" {
const GLubyte* glGetString(GLenum) {
  return fake::has_context ? reinterpret_cast<const GLubyte*>("1.5") : nullptr;
}
void glGetIntegerv(GLenum name, GLint* value) {
  const std::map<unsigned, unsigned> bindings = {{0x8894, fake::array_buffer},
                                                 {0x88ED, fake::pack_buffer},
                                                 {0x88EF, fake::unpack_buffer},
                                                 {0x8069, fake::texture_2d},
                                                 {0x806A, fake::texture_3d}};
  const auto found = bindings.find(name);
  *value = found == bindings.end() ? fake::pixels[name] : int(fake::bound[found->second]);
}
unsigned char glIsBuffer(unsigned name) { return fake::buffers.count(name) != 0; }
void glBindBuffer(unsigned target, unsigned name) { fake::bound[target] = name; }
void glGetBufferParameteriv(unsigned target, unsigned, int* value) {
  *value = int(fake::buffers[fake::bound[target]].size());
}
void glGetBufferSubData(unsigned target, std::ptrdiff_t first, std::ptrdiff_t size, void* to) {
  std::memcpy(to, fake::buffers[fake::bound[target]].data() + first, size);
}
void glBufferSubData(unsigned target, std::ptrdiff_t first, std::ptrdiff_t size, const void* from) {
  std::memcpy(fake::buffers[fake::bound[target]].data() + first, from, size);
}
GLboolean glIsTexture(GLuint name) { return fake::textures.count(name) != 0; }
void glBindTexture(GLenum target, GLuint name) { fake::bound[target] = name; }
void glGetTexLevelParameteriv(GLenum target, GLint, GLenum name, GLint* value) {
  const fake::Texture& texture = fake::textures[fake::bound[target]];
  *value = name == 0x1000   ? texture.width
           : name == 0x1001 ? texture.height
           : name == 0x8071 ? texture.depth
                            : texture.format;
}
// Rows have no gaps only if nobody left another alignment or a pixel buffer behind.
void check_pixels(unsigned alignment, unsigned buffer) {
  CHECK_EQ(fake::pixels[alignment], 1);
  CHECK_EQ(fake::bound[buffer], 0u);
}
void glGetTexImage(GLenum target, GLint, GLenum, GLenum, void* to) {
  check_pixels(0x0D05, fake::pack_buffer);
  const fake::Texture& texture = fake::textures[fake::bound[target]];
  std::memcpy(to, texture.texels.data(), texture.texels.size());
}
void glTexSubImage2D(GLenum target, GLint, GLint, GLint, GLsizei, GLsizei, GLenum layout,
                     GLenum type, const void* from) {
  check_pixels(0x0CF5, fake::unpack_buffer);
  CHECK_EQ(layout, fake::rgba);
  CHECK_EQ(type, fake::unsigned_byte);
  fake::Texture& texture = fake::textures[fake::bound[target]];
  std::memcpy(texture.texels.data(), from, texture.texels.size());
}
void glTexSubImage3D(GLenum target, GLint, GLint, GLint, GLint, GLsizei, GLsizei, GLsizei,
                     GLenum layout, GLenum type, const void* from) {
  check_pixels(0x0CF5, fake::unpack_buffer);
  CHECK_EQ(layout, fake::red);
  CHECK_EQ(type, fake::float_);
  fake::Texture& texture = fake::textures[fake::bound[target]];
  std::memcpy(texture.texels.data(), from, texture.texels.size());
}
void glPixelStorei(GLenum name, GLint value) { fake::pixels[name] = value; }
}

__global__ void add(int* values, int n, int number) {
  const int i = check::global_index();
  if (i < n) values[i] += number;
}
__global__ void invert(cudaSurfaceObject_t surface, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= width) return;
  const uchar4 c = surf2Dread<uchar4>(surface, x * 4, y);
  surf2Dwrite(make_uchar4(255 - c.x, c.z, c.y, x), surface, x * 4, y);
}
__global__ void raise(cudaSurfaceObject_t surface, int width, int height) {
  const int x = threadIdx.x, y = blockIdx.x % height, z = blockIdx.x / height;
  if (x < width) surf3Dwrite(surf3Dread<float>(surface, x * 4, y, z) + 1, surface, x * 4, y, z);
}

const int n = 1000;
std::vector<int> numbers(const std::vector<unsigned char>& bytes) {
  std::vector<int> result(bytes.size() / sizeof(int));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}
std::vector<unsigned char> bytes(const std::vector<int>& from) {
  std::vector<unsigned char> result(from.size() * sizeof(int));
  std::memcpy(result.data(), from.data(), result.size());
  return result;
}
std::vector<int> sequence(int first) {
  std::vector<int> result(n);
  for (int i = 0; i < n; ++i) result[i] = first + i;
  return result;
}

void without_context() {
  cudaGraphicsResource* resource = nullptr;
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, 7, 0), cudaErrorInvalidGraphicsContext);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidGraphicsContext);
}

void buffers() {
  fake::buffers[7] = bytes(sequence(0));
  fake::bound[fake::array_buffer] = 3;
  cudaGraphicsResource* resource = nullptr;
  CHECK_EQ(cudaGraphicsGLRegisterBuffer(&resource, 8, 0), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphicsGLRegisterBuffer(&resource, 7, cudaGraphicsRegisterFlagsNone));
  int* values = nullptr;
  size_t size = 0;
  void** result = reinterpret_cast<void**>(&values);
  CHECK_EQ(cudaGraphicsResourceGetMappedPointer(result, &size, resource), cudaErrorNotMapped);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (int round = 1; round <= 2; ++round) {
    CUDA_OK(cudaGraphicsMapResources(1, &resource, stream));
    CHECK_EQ(cudaGraphicsMapResources(1, &resource, stream), cudaErrorAlreadyMapped);
    CUDA_OK(cudaGraphicsResourceGetMappedPointer(result, &size, resource));
    CHECK_EQ(size, n * sizeof(int));
    add<<<(n + 127) / 128, 128, 0, stream>>>(values, n, 100);
    CUDA_OK(cudaGraphicsUnmapResources(1, &resource, stream));
    check::equal("OpenGL sees what the kernel wrote", numbers(fake::buffers[7]),
                 sequence(round * 1000 - 900));
    fake::buffers[7] = bytes(sequence(1000));  // and the kernel what OpenGL writes
  }
  CHECK_EQ(cudaGraphicsUnmapResources(1, &resource, stream), cudaErrorNotMapped);
  CUDA_OK(cudaStreamDestroy(stream));

  // For reading only: nothing goes back.
  CUDA_OK(cudaGraphicsResourceSetMapFlags(resource, cudaGraphicsMapFlagsReadOnly));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  add<<<(n + 127) / 128, 128>>>(values, n, 1);
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  check::equal("read only", numbers(fake::buffers[7]), sequence(1000));
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  CHECK_EQ(cudaGraphicsUnregisterResource(resource), cudaErrorInvalidResourceHandle);
  CHECK_EQ(fake::bound[fake::array_buffer], 3u);
}

void deprecated() {
  fake::buffers[9] = bytes(sequence(5));
  int* values = nullptr;
  void** result = reinterpret_cast<void**>(&values);
  CHECK_EQ(cudaGLMapBufferObject(result, 9), cudaErrorInvalidValue);
  CUDA_OK(cudaGLRegisterBufferObject(9));
  CUDA_OK(cudaGLMapBufferObject(result, 9));
  add<<<(n + 127) / 128, 128>>>(values, n, 10);
  CUDA_OK(cudaGLUnmapBufferObject(9));
  check::equal("deprecated calls", numbers(fake::buffers[9]), sequence(15));
  CUDA_OK(cudaGLUnregisterBufferObject(9));
}

cudaSurfaceObject_t surface_of(cudaGraphicsResource* resource) {
  cudaResourceDesc description = {};
  description.resType = cudaResourceTypeArray;
  CUDA_OK(cudaGraphicsSubResourceGetMappedArray(&description.res.array.array, resource, 0, 0));
  cudaSurfaceObject_t surface = 0;
  CUDA_OK(cudaCreateSurfaceObject(&surface, &description));
  return surface;
}

void images() {
  const int width = 37, height = 11;
  fake::pixels[fake::pack_alignment] = 4;
  fake::Texture image = {width, height, 0, 0x8058, {}};  // GL_RGBA8
  std::vector<unsigned char> want(width * height * 4);
  for (int i = 0; i < width * height * 4; ++i) image.texels.push_back(i * 7);
  for (int i = 0; i < width * height; ++i) {
    want[i * 4] = 255 - image.texels[i * 4];
    want[i * 4 + 1] = image.texels[i * 4 + 2];
    want[i * 4 + 2] = image.texels[i * 4 + 1];
    want[i * 4 + 3] = i % width;
  }
  fake::textures[4] = image;
  cudaGraphicsResource* resource = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, 4, fake::texture_2d,
                                      cudaGraphicsRegisterFlagsSurfaceLoadStore));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  void* pointer = nullptr;
  CHECK_EQ(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource),
           cudaErrorNotMappedAsPointer);
  cudaSurfaceObject_t surface = surface_of(resource);
  invert<<<dim3(2, height), 32>>>(surface, width);
  CUDA_OK(cudaDestroySurfaceObject(surface));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  check::equal("2D", fake::textures[4].texels, want);
  CHECK_EQ(fake::pixels[fake::pack_alignment], 4);
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
  CHECK_EQ(cudaGraphicsGLRegisterImage(&resource, 4, 0x8513, 0), cudaErrorNotSupported);
}

void volumes() {
  const int width = 5, height = 3, depth = 4;
  std::vector<float> host(width * height * depth), want = host;
  for (unsigned i = 0; i < host.size(); ++i) host[i] = i * 0.5f, want[i] = host[i] + 1;
  fake::Texture volume = {width, height, depth, 0x822E, {}};  // GL_R32F
  volume.texels.resize(host.size() * sizeof(float));
  std::memcpy(volume.texels.data(), host.data(), volume.texels.size());
  fake::textures[6] = volume;
  cudaGraphicsResource* resource = nullptr;
  CUDA_OK(cudaGraphicsGLRegisterImage(&resource, 6, fake::texture_3d,
                                      cudaGraphicsRegisterFlagsSurfaceLoadStore));
  CUDA_OK(cudaGraphicsMapResources(1, &resource));
  cudaSurfaceObject_t surface = surface_of(resource);
  raise<<<height * depth, 32>>>(surface, width, height);
  CUDA_OK(cudaDestroySurfaceObject(surface));
  CUDA_OK(cudaGraphicsUnmapResources(1, &resource));
  std::memcpy(host.data(), fake::textures[6].texels.data(), volume.texels.size());
  check::equal("3D", host, want);
  CUDA_OK(cudaGraphicsUnregisterResource(resource));
}

int main() {
  without_context();
  fake::has_context = true;
  buffers();
  deprecated();
  images();
  volumes();
  return check::finish();
}
