// Allocating and freeing: device, page-locked, registered, managed; and every way to get it wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <cstdint>
#include <cstdlib>

using namespace gridspan::tests;

namespace {

class Memory : public CudaTest {};

TEST_F(Memory, DeviceMemoryIsAlignedAndReadable) {
  for (const std::size_t size : {1u, 255u, 256u, 257u, 100003u, 5u << 20}) {
    DeviceMemory memory(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % 256, 0u);
    const auto bytes = random_bytes(size, 1);
    std::vector<char> back(size, 'x');
    EXPECT_CUDA(cudaMemcpy(memory.get(), bytes.data(), size, cudaMemcpyHostToDevice));
    EXPECT_CUDA(cudaMemcpy(back.data(), memory.get(), size, cudaMemcpyDeviceToHost));
    EXPECT_EQ(bytes, back);
  }
}

TEST_F(Memory, NothingOfNothingIsNull) {
  void* pointer = this;
  EXPECT_CUDA(cudaMalloc(&pointer, 0));
  EXPECT_EQ(pointer, nullptr);
  EXPECT_CUDA(cudaFree(nullptr));
  EXPECT_CUDA(cudaFreeHost(nullptr));
  expect_error(cudaMalloc(nullptr, 1), cudaErrorInvalidValue);
  expect_error(cudaMallocHost(nullptr, 1), cudaErrorInvalidValue);
  expect_error(cudaMallocManaged(&pointer, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
}

TEST_F(Memory, MoreThanTheMachineHasIsRefused) {
  std::size_t free_bytes = 0, total = 0;
  ASSERT_CUDA(cudaMemGetInfo(&free_bytes, &total));
  EXPECT_GT(free_bytes, 0u);
  EXPECT_LE(free_bytes, total);
  void* pointer = this;
  expect_error(cudaMalloc(&pointer, total + 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(pointer, nullptr);
  expect_error(cudaMalloc(&pointer, ~std::size_t{0}), cudaErrorMemoryAllocation);
  expect_error(cudaMallocHost(&pointer, ~std::size_t{0} - 5000), cudaErrorMemoryAllocation);
  expect_error(cudaMallocManaged(&pointer, total + 1, cudaMemAttachGlobal),
               cudaErrorMemoryAllocation);
  // The failure is over: memory that is there can still be had.
  EXPECT_CUDA(cudaMalloc(&pointer, 1000));
  EXPECT_CUDA(cudaFree(pointer));
}

TEST_F(Memory, ManyAllocationsTogetherAreLimitedToo) {
  std::size_t free_bytes = 0, total = 0;
  ASSERT_CUDA(cudaMemGetInfo(&free_bytes, &total));
  std::vector<void*> pieces;
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 20 && error == cudaSuccess; ++i) {  // untouched: costs no memory
    void* piece = nullptr;
    error = cudaMalloc(&piece, total / 8);
    if (error == cudaSuccess) pieces.push_back(piece);
  }
  expect_error(error, cudaErrorMemoryAllocation);
  EXPECT_LE(pieces.size(), 8u);
  for (void* piece : pieces) EXPECT_CUDA(cudaFree(piece));
}

TEST_F(Memory, WrongFreesAreRefused) {
  void* pointer = nullptr;
  ASSERT_CUDA(cudaMalloc(&pointer, 1000));
  expect_error(cudaFree(static_cast<char*>(pointer) + 8), cudaErrorInvalidValue);
  expect_error(cudaFreeHost(pointer), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaFree(pointer));
  expect_error(cudaFree(pointer), cudaErrorInvalidValue);  // double free
  int local = 0;
  expect_error(cudaFree(&local), cudaErrorInvalidValue);
  void* host = nullptr;
  ASSERT_CUDA(cudaMallocHost(&host, 100));
  expect_error(cudaFree(host), cudaErrorInvalidValue);
  EXPECT_CUDA(cudaFreeHost(host));
  expect_error(cudaFreeHost(host), cudaErrorInvalidValue);
}

TEST_F(Memory, UseAfterFreeIsRefused) {
  void* pointer = nullptr;
  ASSERT_CUDA(cudaMalloc(&pointer, 64 << 20));  // large: its address does not come back at once
  EXPECT_CUDA(cudaFree(pointer));
  char byte = 0;
  expect_error(cudaMemcpy(&byte, pointer, 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  expect_error(cudaMemcpy(pointer, &byte, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_error(cudaMemset(pointer, 0, 1), cudaErrorInvalidValue);
}

TEST_F(Memory, PitchedRowsDoNotOverlap) {
  for (const std::size_t width : {1u, 511u, 512u, 513u, 4001u}) {
    void* pointer = nullptr;
    std::size_t pitch = 0;
    ASSERT_CUDA(cudaMallocPitch(&pointer, &pitch, width, 7));
    EXPECT_GE(pitch, width);
    EXPECT_EQ(pitch % 256, 0u);
    EXPECT_CUDA(cudaMemset2D(pointer, pitch, 3, width, 7));
    EXPECT_CUDA(cudaFree(pointer));
  }
  cudaPitchedPtr memory{};
  ASSERT_CUDA(cudaMalloc3D(&memory, cudaExtent{100, 5, 3}));
  EXPECT_EQ(memory.xsize, 100u);
  EXPECT_EQ(memory.ysize, 5u);
  EXPECT_CUDA(cudaMemset3D(memory, 1, cudaExtent{100, 5, 3}));
  EXPECT_CUDA(cudaFree(memory.ptr));
  void* pointer = nullptr;
  std::size_t pitch = 0;
  expect_error(cudaMallocPitch(&pointer, nullptr, 1, 1), cudaErrorInvalidValue);
  expect_error(cudaMallocPitch(&pointer, &pitch, ~std::size_t{0}, 2), cudaErrorInvalidValue);
  expect_error(cudaMalloc3D(&memory, cudaExtent{1, ~std::size_t{0}, 9}), cudaErrorInvalidValue);
}

TEST_F(Memory, HostMemoryHasADevicePointer) {
  void *host = nullptr, *device = nullptr;
  unsigned flags = 0;
  ASSERT_CUDA(cudaHostAlloc(&host, 1000, cudaHostAllocMapped | cudaHostAllocPortable));
  EXPECT_CUDA(cudaHostGetDevicePointer(&device, static_cast<char*>(host) + 5, 0));
  EXPECT_EQ(device, static_cast<char*>(host) + 5);
  EXPECT_CUDA(cudaHostGetFlags(&flags, host));
  EXPECT_EQ(flags, unsigned{cudaHostAllocMapped | cudaHostAllocPortable});
  EXPECT_CUDA(cudaFreeHost(host));
  int local = 0;
  expect_error(cudaHostGetDevicePointer(&device, &local, 0), cudaErrorInvalidValue);
  expect_error(cudaHostGetFlags(&flags, &local), cudaErrorInvalidValue);
  expect_error(cudaHostAlloc(&host, 10, 0x80), cudaErrorInvalidValue);
}

TEST_F(Memory, RegisteringHostMemory) {
  std::vector<char> bytes(10000);
  ASSERT_CUDA(cudaHostRegister(bytes.data(), bytes.size(), cudaHostRegisterMapped));
  expect_error(cudaHostRegister(bytes.data() + 100, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  void* device = nullptr;
  EXPECT_CUDA(cudaHostGetDevicePointer(&device, bytes.data() + 17, 0));
  EXPECT_EQ(device, bytes.data() + 17);
  EXPECT_CUDA(cudaMemset(device, 9, 3));
  EXPECT_EQ(bytes[17], 9);
  EXPECT_EQ(bytes[20], 0);
  expect_error(cudaFreeHost(bytes.data()), cudaErrorInvalidValue);
  expect_error(cudaHostUnregister(bytes.data() + 1), cudaErrorHostMemoryNotRegistered);
  EXPECT_CUDA(cudaHostUnregister(bytes.data()));
  expect_error(cudaHostUnregister(bytes.data()), cudaErrorHostMemoryNotRegistered);
  expect_error(cudaHostRegister(nullptr, 10, 0), cudaErrorInvalidValue);
  expect_error(cudaHostRegister(bytes.data(), 0, 0), cudaErrorInvalidValue);
}

TEST_F(Memory, ManagedMemoryIsBothSides) {
  void* pointer = nullptr;
  ASSERT_CUDA(cudaMallocManaged(&pointer, 1000, cudaMemAttachGlobal));
  auto* bytes = static_cast<char*>(pointer);
  bytes[999] = 7;
  EXPECT_CUDA(cudaMemset(bytes, 5, 999));
  EXPECT_EQ(bytes[998], 5);  // a fill of host-visible memory is over when it returns
  EXPECT_EQ(bytes[999], 7);
  EXPECT_CUDA(cudaMemPrefetchAsync(bytes, 1000, 0, nullptr));
  EXPECT_CUDA(cudaMemPrefetchAsync(bytes, 1000, cudaCpuDeviceId, nullptr));
  EXPECT_CUDA(cudaMemAdvise(bytes, 1000, cudaMemAdviseSetReadMostly, 0));
  EXPECT_CUDA(cudaStreamAttachMemAsync(nullptr, bytes, 0, cudaMemAttachGlobal));
  expect_error(cudaMemPrefetchAsync(bytes, 1000, 7, nullptr), cudaErrorInvalidDevice);
  expect_error(cudaMemPrefetchAsync(bytes, 100000, 0, nullptr), cudaErrorInvalidValue);
  expect_error(cudaMemAdvise(bytes, 10, static_cast<cudaMemoryAdvise>(77), 0),
               cudaErrorInvalidValue);
  EXPECT_CUDA(cudaFree(bytes));
  expect_error(cudaMallocManaged(&pointer, 10, 77), cudaErrorInvalidValue);
}

TEST_F(Memory, PointersTellWhatTheyAre) {
  cudaPointerAttributes attributes;
  DeviceMemory memory(100);
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, memory.get() + 99));
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes.device, 0);
  EXPECT_EQ(attributes.devicePointer, memory.get() + 99);
  EXPECT_EQ(attributes.hostPointer, nullptr);
  void* pointer = nullptr;
  ASSERT_CUDA(cudaMallocHost(&pointer, 10));
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, pointer));
  EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
  EXPECT_EQ(attributes.hostPointer, pointer);
  EXPECT_EQ(attributes.devicePointer, pointer);
  EXPECT_CUDA(cudaFreeHost(pointer));
  ASSERT_CUDA(cudaMallocManaged(&pointer, 10, cudaMemAttachGlobal));
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, pointer));
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  EXPECT_CUDA(cudaFree(pointer));
  int local = 0;
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, &local));
  EXPECT_EQ(attributes.type, cudaMemoryTypeUnregistered);
  expect_error(cudaPointerGetAttributes(nullptr, &local), cudaErrorInvalidValue);
}

TEST_F(Memory, StreamOrderedAllocation) {
  cudaStream_t stream = nullptr;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  for (int i = 0; i < 100; ++i) {
    void* pointer = nullptr;
    ASSERT_CUDA(cudaMallocAsync(&pointer, 100000, stream));
    ASSERT_CUDA(cudaMemsetAsync(pointer, i, 100000, stream));
    ASSERT_CUDA(cudaFreeAsync(pointer, stream));
    expect_error(cudaFreeAsync(pointer, stream), cudaErrorInvalidValue);
  }
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST_F(Memory, ResetGivesEverythingBack) {
  void *device = nullptr, *host = nullptr;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_CUDA(cudaMalloc(&device, 1000));
  ASSERT_CUDA(cudaMallocHost(&host, 1000));
  ASSERT_CUDA(cudaStreamCreate(&stream));
  ASSERT_CUDA(cudaEventCreate(&event));
  EXPECT_CUDA(cudaDeviceReset());
  expect_error(cudaFree(device), cudaErrorInvalidValue);
  expect_error(cudaFreeHost(host), cudaErrorInvalidValue);
  expect_error(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  expect_error(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
  ASSERT_CUDA(cudaMalloc(&device, 1000));
  EXPECT_CUDA(cudaFree(device));
}

}  // namespace
