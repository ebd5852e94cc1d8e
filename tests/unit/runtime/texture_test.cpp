// CUDA arrays, texture and surface objects: lifetimes, descriptors, wrong handles, reset.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi/texture.h"
#include "fixture.h"

using namespace gridspan::tests;
using gridspan::abi::TextureAddressing;
using gridspan::abi::TextureDescriptor;

namespace {

constexpr cudaChannelFormatDesc shorts{16, 16, 0, 0, cudaChannelFormatKindSigned};

class Texture : public CudaTest {
 protected:
  static cudaResourceDesc of(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
  }
};

/// A handle is the address of a descriptor, which is in place once the queue has come so far.
TEST_F(Texture, HandlesLeadToDescriptors) {
  cudaArray_t array = nullptr;
  EXPECT_CUDA(cudaMalloc3DArray(&array, &shorts, {5, 4, 3}, cudaArrayDefault));
  const cudaResourceDesc resource = of(array);
  cudaTextureDesc description{};
  description.readMode = cudaReadModeNormalizedFloat;
  description.addressMode[1] = cudaAddressModeBorder;
  cudaTextureObject_t texture = 0;
  EXPECT_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  EXPECT_CUDA(cudaDeviceSynchronize());
  const auto& made = *reinterpret_cast<const TextureDescriptor*>(texture);
  EXPECT_EQ(made.pitch, 5u * 4);
  EXPECT_EQ(made.slice, 5u * 4 * 4);
  EXPECT_EQ(made.width, 5u);
  EXPECT_EQ(made.height, 4u);
  EXPECT_EQ(made.depth, 3u);
  EXPECT_EQ(made.channels, 2);
  EXPECT_EQ(made.channel_bytes, 2);
  EXPECT_TRUE(made.reads_normalized_float);
  EXPECT_EQ(made.addressing[0], TextureAddressing::clamp);  // wrap, without normalised coordinates
  EXPECT_EQ(made.addressing[1], TextureAddressing::border);
  EXPECT_CUDA(cudaDestroyTextureObject(texture));
  expect_error(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaFreeArray(array));
  expect_error(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
}

TEST_F(Texture, SurfacesAndTexturesAreDifferentHandles) {
  cudaArray_t array = nullptr;
  EXPECT_CUDA(cudaMallocArray(&array, &shorts, 8, 0, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = of(array);
  cudaSurfaceObject_t surface = 0;
  EXPECT_CUDA(cudaCreateSurfaceObject(&surface, &resource));
  expect_error(cudaDestroyTextureObject(surface), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaDestroySurfaceObject(surface));
  EXPECT_CUDA(cudaFreeArray(array));
  const cudaTextureDesc description{};
  expect_error(cudaCreateTextureObject(&surface, &resource, &description, nullptr),
               cudaErrorInvalidResourceHandle);  // freed
  DeviceMemory memory(64);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear = {memory.get(), shorts, 64};
  expect_error(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
}

/// Rows that would leave the allocation are not read.
TEST_F(Texture, RowsStayInTheirAllocation) {
  DeviceMemory memory(256);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {memory.get(), shorts, 16, 4, 64};
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  EXPECT_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  EXPECT_CUDA(cudaDestroyTextureObject(texture));
  resource.res.pitch2D.height = 5;
  expect_error(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
               cudaErrorInvalidValue);
  resource.res.pitch2D = {memory.get(), shorts, 17, 2, 64};
  expect_error(cudaCreateTextureObject(&texture, &resource, &description, nullptr),
               cudaErrorInvalidValue);
}

TEST_F(Texture, LevelsOfAMipmapAreHalves) {
  cudaMipmappedArray_t array = nullptr;
  ASSERT_CUDA(cudaMallocMipmappedArray(&array, &shorts, {12, 5, 0}, 9));
  const std::size_t widths[] = {12, 6, 3, 1}, heights[] = {5, 2, 1, 1};
  cudaArray_t level = nullptr;
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_CUDA(cudaGetMipmappedArrayLevel(&level, array, i));
    cudaExtent extent = {};
    ASSERT_CUDA(cudaArrayGetInfo(nullptr, &extent, nullptr, level));
    EXPECT_EQ(extent.width, widths[i]);
    EXPECT_EQ(extent.height, heights[i]);
    EXPECT_EQ(extent.depth, 0u);
  }
  expect_error(cudaGetMipmappedArrayLevel(&level, array, 4), cudaErrorInvalidValue);
  expect_error(cudaFreeArray(level), cudaErrorInvalidValue);
  ASSERT_CUDA(cudaFreeMipmappedArray(array));
  expect_error(cudaFreeMipmappedArray(array), cudaErrorInvalidResourceHandle);
  expect_error(cudaFreeArray(level), cudaErrorInvalidResourceHandle);
}

TEST_F(Texture, ResetEndsArraysAndTextures) {
  cudaArray_t array = nullptr;
  EXPECT_CUDA(cudaMallocArray(&array, &shorts, 8));
  const cudaResourceDesc resource = of(array);
  const cudaTextureDesc description{};
  cudaTextureObject_t texture = 0;
  EXPECT_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  EXPECT_CUDA(cudaDeviceReset());
  expect_error(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  expect_error(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
}

}  // namespace
