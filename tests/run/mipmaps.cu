// Mipmapped arrays: levels filled one by one, fetched by level and by gradient.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -lcuda
// FEATURE: Textures and surfaces | mipmapped arrays: tex1DLod, tex2DLod, tex3DLod, tex2DLayeredLod, texCubemapLod, ...Grad; bias, clamps, views
// FEATURE: Textures and surfaces | surfaces and copies of a mipmap's levels; cuMipmappedArrayCreate
#include <cuda.h>

#include <algorithm>

#include "texture_check.h"

using texture_check::Image;
using texture_check::Modes;

constexpr int count = 3000;

struct Position {
  float x, y, z, level;
  float4 a, b;  // gradients
};

enum class Fetch { lod_1d, lod_2d, lod_3d, layered, grad_1d, grad_2d, grad_3d };

template <Fetch Kind>
__global__ void fetch(cudaTextureObject_t texture, const Position* at, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Position p = at[i];
  if (Kind == Fetch::lod_1d) out[i] = tex1DLod<float>(texture, p.x, p.level);
  if (Kind == Fetch::lod_2d) out[i] = tex2DLod<float>(texture, p.x, p.y, p.level);
  if (Kind == Fetch::lod_3d) out[i] = tex3DLod<float>(texture, p.x, p.y, p.z, p.level);
  if (Kind == Fetch::layered) out[i] = tex2DLayeredLod<float>(texture, p.x, p.y, i % 3, p.level);
  if (Kind == Fetch::grad_1d) out[i] = tex1DGrad<float>(texture, p.x, p.a.x, p.b.x);
  if (Kind == Fetch::grad_2d) {
    out[i] =
        tex2DGrad<float>(texture, p.x, p.y, make_float2(p.a.x, p.a.y), make_float2(p.b.x, p.b.y));
  }
  if (Kind == Fetch::grad_3d) out[i] = tex3DGrad<float>(texture, p.x, p.y, p.z, p.a, p.b);
}

/// A mipmap and what is in it.
struct Levels {
  cudaMipmappedArray_t array = nullptr;
  std::vector<Image> images;

  Levels(int width, int height, int depth, unsigned levels, unsigned flags, unsigned seed) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaExtent extent = make_cudaExtent(width, height, depth);
    CUDA_OK(cudaMallocMipmappedArray(&array, &format, extent, levels, flags));
    check::Random random(seed);
    const bool is_layered = flags & (cudaArrayLayered | cudaArrayCubemap);
    for (unsigned i = 0; i < levels; ++i) {
      const int d = is_layered ? depth : std::max(depth >> i, 1);
      Image image{std::max(width >> i, 1), std::max(height >> i, 1), d, {}};
      std::vector<float> texels(image.width * image.height * image.depth);
      for (float& texel : texels) texel = static_cast<float>(random.integer(-500, 500));
      image.texels.assign(texels.begin(), texels.end());
      cudaArray_t level;
      CUDA_OK(cudaGetMipmappedArrayLevel(&level, array, i));
      cudaMemcpy3DParms copy = {};
      copy.srcPtr = make_cudaPitchedPtr(texels.data(), image.width * sizeof(float), image.width,
                                        image.height);
      copy.dstArray = level;
      copy.extent = make_cudaExtent(image.width, image.height, image.depth);
      copy.kind = cudaMemcpyHostToDevice;
      CUDA_OK(cudaMemcpy3D(&copy));
      images.push_back(std::move(image));
    }
  }
  ~Levels() { CUDA_OK(cudaFreeMipmappedArray(array)); }
  Levels(const Levels&) = delete;

  cudaResourceDesc resource() const {
    cudaResourceDesc made = {};
    made.resType = cudaResourceTypeMipmappedArray;
    made.res.mipmap.mipmap = array;
    return made;
  }
};

struct How {
  Modes modes;
  bool mixes = false;
  double bias = 0, low = 0, high = 100;
  int first = 0, last = -1;  // of a view
};

/// The Programming Guide's mean of the nearest levels, with 8 fractional bits.
double expected(const Levels& levels, int dimensions, const How& how, const double* at,
                double level, int layer) {
  const int last = (how.last < 0 ? int(levels.images.size()) - 1 : how.last) - how.first;
  level = std::min(std::max(level + how.bias, how.low), how.high);
  level = std::min(std::max(level, 0.0), double(last));
  const auto sample = [&](int i) {
    return texture_check::sample(levels.images[how.first + i], dimensions, how.modes, at, layer);
  };
  if (!how.mixes) return sample(int(std::floor(level + 0.5)));
  const double fixed = std::floor(level * 256 + 0.5) / 256;
  const int below = int(std::floor(fixed));
  const double weight = fixed - below;
  return weight == 0 ? sample(below) : (1 - weight) * sample(below) + weight * sample(below + 1);
}

cudaTextureObject_t make_texture(const Levels& levels, const How& how) {
  cudaTextureDesc description = texture_check::describe(how.modes);
  description.mipmapFilterMode = how.mixes ? cudaFilterModeLinear : cudaFilterModePoint;
  description.mipmapLevelBias = float(how.bias);
  description.minMipmapLevelClamp = float(how.low);
  description.maxMipmapLevelClamp = float(how.high);
  cudaResourceViewDesc view = {};
  view.firstMipmapLevel = how.first;
  view.lastMipmapLevel = how.last;
  const cudaResourceDesc resource = levels.resource();
  cudaTextureObject_t texture = 0;
  CUDA_OK(
      cudaCreateTextureObject(&texture, &resource, &description, how.last < 0 ? nullptr : &view));
  return texture;
}

/// Positions whose levels and fractions floats hold exactly.
std::vector<Position> positions(unsigned seed, int levels) {
  check::Random random(seed);
  std::vector<Position> made(count);
  const auto coordinate = [&] { return float(random.integer(-4096, 2 * 4096)) / 4096; };
  for (Position& p : made) {
    p.x = coordinate();
    p.y = coordinate();
    p.z = coordinate();
    p.level = float(random.integer(-512, 512 * levels)) / 512;
    p.a = p.b = make_float4(0, 0, 0, 0);
  }
  return made;
}

template <Fetch Kind>
void run(const char* what, const Levels& levels, int dimensions, const How& how, unsigned seed) {
  const auto at = positions(seed, int(levels.images.size()));
  const cudaTextureObject_t texture = make_texture(levels, how);
  check::Array<Position> device(at);
  check::Array<float> out(count);
  fetch<Kind><<<(count + 127) / 128, 128>>>(texture, device.data(), out.data());
  KERNEL_OK();
  std::vector<float> want(count);
  for (int i = 0; i < count; ++i) {
    const double place[3] = {at[i].x, at[i].y, at[i].z};
    want[i] = float(
        expected(levels, dimensions, how, place, at[i].level, Kind == Fetch::layered ? i % 3 : 0));
  }
  check::near(what, out.get(), want, 1e-3);
  CUDA_OK(cudaDestroyTextureObject(texture));
}

How with(bool linear, bool mixes, cudaTextureAddressMode mode = cudaAddressModeWrap) {
  How how;
  how.modes.linear = linear;
  how.modes.normalized = true;
  how.modes.address = {mode, mode, mode};
  how.mixes = mixes;
  return how;
}

void levels() {
  const Levels line(64, 0, 0, 5, 0, 1), plane(64, 32, 0, 6, 0, 2), cube(16, 16, 8, 4, 0, 3);
  const Levels layers(32, 16, 3, 4, cudaArrayLayered, 4);
  for (const bool linear : {false, true}) {
    for (const bool mixes : {false, true}) {
      run<Fetch::lod_1d>("1D", line, 1, with(linear, mixes), 11);
      run<Fetch::lod_2d>("2D", plane, 2, with(linear, mixes, cudaAddressModeMirror), 12);
      run<Fetch::lod_3d>("3D", cube, 3, with(linear, mixes, cudaAddressModeClamp), 13);
      run<Fetch::layered>("layered", layers, 2, with(linear, mixes), 14);
    }
  }
  How how = with(true, true);
  how.bias = 0.75;
  how.low = 1.25;
  how.high = 3.5;
  run<Fetch::lod_2d>("bias and clamps", plane, 2, how, 15);
  how = with(true, true);
  how.first = 1;
  how.last = 3;
  run<Fetch::lod_2d>("a view", plane, 2, how, 16);
}

/// Gradients whose lengths are powers of two: their levels are whole.
template <Fetch Kind>
void gradients(const Levels& levels, int dimensions) {
  auto at = positions(21, 1);
  check::Random random(22);
  const How how = with(true, true);
  std::vector<float> want(count);
  for (int i = 0; i < count; ++i) {
    const int level = int(random.integer(-2, int(levels.images.size()) + 1));
    const int axis = int(random.integer(0, dimensions - 1));
    const float length = std::ldexp(1.0f, level) / levels.images[0].extent(axis);
    float* const longer = &(i % 2 ? at[i].a : at[i].b).x;
    float* const shorter = &(i % 2 ? at[i].b : at[i].a).x;
    longer[axis] = i % 3 ? length : -length;
    shorter[axis] = length / 2;
    const double place[3] = {at[i].x, at[i].y, at[i].z};
    want[i] = float(expected(levels, dimensions, how, place, level, 0));
  }
  const cudaTextureObject_t texture = make_texture(levels, how);
  check::Array<Position> device(at);
  check::Array<float> out(count);
  fetch<Kind><<<(count + 127) / 128, 128>>>(texture, device.data(), out.data());
  KERNEL_OK();
  check::near("gradients", out.get(), want, 1e-3);
  CUDA_OK(cudaDestroyTextureObject(texture));
}

__global__ void faces(cudaTextureObject_t texture, float* out) {
  const float directions[6][3] = {{2, 0, 0},  {-2, 0, 0}, {0, 2, 0},
                                  {0, -2, 0}, {0, 0, 2},  {0, 0, -2}};
  const float* d = directions[threadIdx.x];
  const int level = blockIdx.x;
  // One texel of that level a step: a face is two long where the largest part is 1.
  const float step = 2 * 2.0f / 8 * (1 << level);
  const float4 a = make_float4(step, 0, 0, 0), none = make_float4(0, 0, 0, 0);
  out[level * 12 + threadIdx.x] = texCubemapLod<float>(texture, d[0], d[1], d[2], float(level));
  out[level * 12 + 6 + threadIdx.x] = texCubemapGrad<float>(texture, d[0], d[1], d[2], none, a);
}

/// Each face of each level is of one colour.
void cubemap() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t array;
  CUDA_OK(cudaMallocMipmappedArray(&array, &format, make_cudaExtent(8, 8, 6), 3, cudaArrayCubemap));
  std::vector<float> want;
  for (int level = 0; level < 3; ++level) {
    const int width = 8 >> level;
    std::vector<float> texels(width * width * 6);
    for (int i = 0; i < int(texels.size()); ++i) {
      texels[i] = float(100 * level + i / (width * width));
    }
    cudaArray_t part;
    CUDA_OK(cudaGetMipmappedArrayLevel(&part, array, level));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, width);
    copy.dstArray = part;
    copy.extent = make_cudaExtent(width, width, 6);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&copy));
    for (int i = 0; i < 12; ++i) want.push_back(float(100 * level + i % 6));
  }
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = array;
  cudaTextureDesc description = texture_check::describe(with(false, false).modes);
  description.maxMipmapLevelClamp = 10;
  texture_check::Object texture(resource, description);
  check::Array<float> out(36);
  faces<<<3, 6>>>(texture.get(), out.data());
  KERNEL_OK();
  check::equal("faces", out.get(), want);
  CUDA_OK(cudaFreeMipmappedArray(array));
}

/// The next level made by a kernel, as programs do.
__global__ void halve(cudaTextureObject_t from, cudaSurfaceObject_t to, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += tex2D<float>(from, (2 * x + i % 2 + 0.5f) / (2 * width),
                        (2 * y + i / 2 + 0.5f) / (2 * width));
  }
  surf2Dwrite(sum / 4, to, x * int(sizeof(float)), y);
}

void made_by_kernels() {
  const Levels levels(16, 16, 0, 3, cudaArraySurfaceLoadStore, 31);
  Image above = levels.images[0];
  for (int i = 1; i < 3; ++i) {
    cudaArray_t from, to;
    CUDA_OK(cudaGetMipmappedArrayLevel(&from, levels.array, i - 1));
    CUDA_OK(cudaGetMipmappedArrayLevel(&to, levels.array, i));
    const int width = 16 >> i;
    texture_check::Object texture(texture_check::resource_of(from),
                                  texture_check::describe(with(false, false).modes));
    const cudaResourceDesc target = texture_check::resource_of(to);
    cudaSurfaceObject_t surface;
    CUDA_OK(cudaCreateSurfaceObject(&surface, &target));
    halve<<<width, width>>>(texture.get(), surface, width);
    KERNEL_OK();
    CUDA_OK(cudaDestroySurfaceObject(surface));
    std::vector<float> got(width * width), want(width * width);
    CUDA_OK(cudaMemcpy2DFromArray(got.data(), width * sizeof(float), to, 0, 0,
                                  width * sizeof(float), width, cudaMemcpyDeviceToHost));
    for (int y = 0; y < width; ++y) {
      for (int x = 0; x < width; ++x) {
        want[y * width + x] =
            float((above.at(2 * x, 2 * y, 0) + above.at(2 * x + 1, 2 * y, 0) +
                   above.at(2 * x, 2 * y + 1, 0) + above.at(2 * x + 1, 2 * y + 1, 0)) /
                  4);
      }
    }
    check::near("halved", got, want, 1e-3);
    above = {width, width, 1, std::vector<double>(got.begin(), got.end())};
  }
}

void refusals() {
  const Levels levels(8, 8, 0, 3, 0, 41);
  const cudaResourceDesc resource = levels.resource();
  cudaTextureDesc description = texture_check::describe(with(false, false).modes);
  cudaTextureObject_t texture = 0;
  description.normalizedCoords = 0;
  CHECK_EQ(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
           cudaErrorInvalidValue);
  description.normalizedCoords = 1;
  cudaResourceViewDesc view = {};
  view.firstMipmapLevel = 1;
  view.lastMipmapLevel = 3;
  CHECK_EQ(cudaCreateTextureObject(&texture, &resource, &description, &view),
           cudaErrorInvalidValue);
  cudaSurfaceObject_t surface = 0;
  CHECK_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  cudaMipmappedArray_t array = nullptr;
  CHECK_EQ(cudaMallocMipmappedArray(&array, nullptr, make_cudaExtent(8, 8, 0), 2),
           cudaErrorInvalidValue);
  cudaArray_t level = nullptr;
  CHECK_EQ(cudaGetMipmappedArrayLevel(&level, levels.array, 3), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetMipmappedArrayLevel(&level, nullptr, 0), cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaFreeMipmappedArray(nullptr));
  (void)cudaGetLastError();

  CUmipmappedArray made = nullptr;
  CUDA_ARRAY3D_DESCRIPTOR shape = {16, 4, 0, CU_AD_FORMAT_FLOAT, 2, 0};
  CHECK_EQ(cuMipmappedArrayCreate(&made, &shape, 20), CUDA_SUCCESS);
  CUarray part = nullptr;
  CHECK_EQ(cuMipmappedArrayGetLevel(&part, made, 4), CUDA_SUCCESS);
  CHECK_EQ(cuArray3DGetDescriptor(&shape, part), CUDA_SUCCESS);
  CHECK(shape.Width == 1 && shape.Height == 1 && shape.NumChannels == 2);
  CHECK_EQ(cuMipmappedArrayGetLevel(&part, made, 5), CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ(cuMipmappedArrayDestroy(made), CUDA_SUCCESS);
}

int main() {
  levels();
  gradients<Fetch::grad_1d>(Levels(64, 0, 0, 5, 0, 51), 1);
  gradients<Fetch::grad_2d>(Levels(64, 32, 0, 6, 0, 52), 2);
  gradients<Fetch::grad_3d>(Levels(16, 16, 8, 4, 0, 53), 3);
  cubemap();
  made_by_kernels();
  refusals();
  return check::finish();
}
