// What texture fetches must give, computed on the host from the CUDA C++ Programming Guide
// (appendix "Texture Fetching"), and help with objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.h"

#include <array>
#include <functional>

namespace texture_check {

/// Texels as numbers, one channel.
struct Image {
  int width, height, depth;
  std::vector<double> texels;
  double at(int x, int y, int z) const { return texels[(z * height + y) * width + x]; }
  int extent(int axis) const { return axis == 0 ? width : axis == 1 ? height : depth; }
};

struct Modes {
  std::array<cudaTextureAddressMode, 3> address{cudaAddressModeClamp, cudaAddressModeClamp,
                                                cudaAddressModeClamp};
  bool linear = false, normalized = false;
  double border = 0;
};

/// Subscript i along an axis of n texels, or -1 for the border.
inline int place(int i, int n, cudaTextureAddressMode mode) {
  switch (mode) {
    case cudaAddressModeBorder:
      return i < 0 || i >= n ? -1 : i;
    case cudaAddressModeClamp:
      return i < 0 ? 0 : i >= n ? n - 1 : i;
    case cudaAddressModeWrap:
      while (i < 0) i += n;
      while (i >= n) i -= n;
      return i;
    case cudaAddressModeMirror:
      while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
      return i;
  }
  return -1;
}

/// What lies at a position of `dimensions` coordinates; z is fixed below three (a layer).
inline double sample(const Image& image, int dimensions, const Modes& modes, const double* at,
                     int layer = 0) {
  int first[3] = {0, 0, layer};
  double weight[3] = {0, 0, 0};
  cudaTextureAddressMode address[3];
  for (int axis = 0; axis < 3; ++axis) {
    const bool repeats =
        modes.address[axis] == cudaAddressModeWrap || modes.address[axis] == cudaAddressModeMirror;
    address[axis] = repeats && !modes.normalized ? cudaAddressModeClamp : modes.address[axis];
    if (axis >= dimensions) continue;
    const double x = modes.normalized ? at[axis] * image.extent(axis) : at[axis];
    if (!modes.linear) {
      first[axis] = static_cast<int>(std::floor(x));
      continue;
    }
    const double b = x - 0.5;
    first[axis] = static_cast<int>(std::floor(b));
    weight[axis] = std::floor((b - std::floor(b)) * 256 + 0.5) / 256;  // 1.8 fixed point
  }
  double sum = 0;
  for (int corner = 0; corner < 8; ++corner) {
    double share = 1;
    int texel[3];
    bool outside = false;
    for (int axis = 0; axis < 3; ++axis) {
      const int step = corner >> axis & 1;
      share *= step ? weight[axis] : 1 - weight[axis];
      texel[axis] = axis < dimensions ? place(first[axis] + step, image.extent(axis), address[axis])
                                      : first[axis];
      outside = outside || texel[axis] < 0;
    }
    if (share == 0) continue;
    sum += share * (outside ? modes.border : image.at(texel[0], texel[1], texel[2]));
  }
  return sum;
}

inline cudaTextureDesc describe(const Modes& modes, bool normalized_float = false) {
  cudaTextureDesc description{};
  for (int axis = 0; axis < 3; ++axis) description.addressMode[axis] = modes.address[axis];
  description.filterMode = modes.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  description.readMode = normalized_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  description.normalizedCoords = modes.normalized;
  for (float& channel : description.borderColor) channel = static_cast<float>(modes.border);
  return description;
}

inline cudaResourceDesc resource_of(cudaArray_t array) {
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  return resource;
}

/// A texture object for as long as it lives.
class Object {
 public:
  Object(const cudaResourceDesc& resource, const cudaTextureDesc& description) {
    CUDA_OK(cudaCreateTextureObject(&handle_, &resource, &description, nullptr));
  }
  ~Object() { CUDA_OK(cudaDestroyTextureObject(handle_)); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  cudaTextureObject_t get() const { return handle_; }

 private:
  cudaTextureObject_t handle_ = 0;
};

/// A CUDA array of T filled from the host.
template <class T>
class DeviceImage {
 public:
  DeviceImage(cudaExtent extent, unsigned flags, const std::vector<T>& texels) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CUDA_OK(cudaMalloc3DArray(&array_, &format, extent, flags));
    cudaMemcpy3DParms copy{};
    const std::size_t height = std::max<std::size_t>(extent.height, 1);
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(texels.data()), extent.width * sizeof(T),
                                      extent.width, height);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(extent.width, height, std::max<std::size_t>(extent.depth, 1));
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_OK(cudaMemcpy3D(&copy));
  }
  ~DeviceImage() { CUDA_OK(cudaFreeArray(array_)); }
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;
  cudaArray_t get() const { return array_; }

 private:
  cudaArray_t array_ = nullptr;
};

/// Coordinates from well before to well behind `n` texels; normalised ones are multiples of 2^-12,
/// so that their products with small extents are exact.
inline std::vector<float> coordinates(check::Random& random, std::size_t count, int n,
                                      bool normalized) {
  std::vector<float> made(count);
  for (float& x : made) {
    x = normalized ? static_cast<float>(random.integer(-3 * 4096, 4 * 4096)) / 4096
                   : static_cast<float>(random.real(-1.5 * n, 2.5 * n));
  }
  return made;
}

}  // namespace texture_check
