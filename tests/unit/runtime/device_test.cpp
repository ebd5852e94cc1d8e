// Device management, properties, limits, errors in words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <string>

using namespace gridspan::tests;

namespace {

class Device : public CudaTest {};

TEST_F(Device, ThereIsOne) {
  int count = 0, device = -1, chosen = -1;
  EXPECT_CUDA(cudaGetDeviceCount(&count));
  EXPECT_EQ(count, 1);
  EXPECT_CUDA(cudaSetDevice(0));
  EXPECT_CUDA(cudaGetDevice(&device));
  EXPECT_EQ(device, 0);
  expect_error(cudaSetDevice(1), cudaErrorInvalidDevice);
  expect_error(cudaSetDevice(-1), cudaErrorInvalidDevice);
  expect_error(cudaGetDeviceCount(nullptr), cudaErrorInvalidValue);
  cudaDeviceProp wanted{};
  EXPECT_CUDA(cudaChooseDevice(&chosen, &wanted));
  EXPECT_EQ(chosen, 0);
}

TEST_F(Device, PropertiesAndAttributesAgree) {
  cudaDeviceProp properties;
  std::memset(&properties, 0xee, sizeof properties);
  ASSERT_CUDA(cudaGetDeviceProperties(&properties, 0));
  EXPECT_NE(std::string(properties.name).find("Gridspan"), std::string::npos);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.maxGridSize[0], 2147483647);
  EXPECT_EQ(properties.maxGridSize[1], 65535);
  EXPECT_GT(properties.totalGlobalMem, std::size_t{1} << 28);
  EXPECT_GT(properties.multiProcessorCount, 0);
  EXPECT_EQ(properties.sharedMemPerBlock, 48u * 1024);
  EXPECT_EQ(properties.unifiedAddressing, 1);
  const std::pair<cudaDeviceAttr, int> expected[] = {
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMaxBlockDimZ, 64},
      {cudaDevAttrMaxGridDimZ, 65535},
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMultiProcessorCount, properties.multiProcessorCount},
      {cudaDevAttrClockRate, properties.clockRate},
      {cudaDevAttrComputeCapabilityMajor, properties.major},
      {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrClusterLaunch, 0},
      {cudaDevAttrMaxPitch, 2147483647}};
  for (const auto& [attribute, want] : expected) {
    int got = -12345;
    EXPECT_CUDA(cudaDeviceGetAttribute(&got, attribute, 0));
    EXPECT_EQ(got, want) << "attribute " << attribute;
  }
  int value = 0;
  expect_error(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0),
               cudaErrorInvalidValue);
  expect_error(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 3), cudaErrorInvalidDevice);
  expect_error(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  expect_error(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
}

TEST_F(Device, LimitsAndConfigsReadBack) {
  std::size_t value = 0, before = 0;
  ASSERT_CUDA(cudaDeviceGetLimit(&before, cudaLimitStackSize));
  EXPECT_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16384));
  EXPECT_CUDA(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  EXPECT_EQ(value, 16384u);
  EXPECT_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, before));
  EXPECT_CUDA(cudaThreadSetLimit(cudaLimitMallocHeapSize, 123456789));
  EXPECT_CUDA(cudaThreadGetLimit(&value, cudaLimitMallocHeapSize));
  EXPECT_EQ(value, 123456789u);
  expect_error(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorUnsupportedLimit);
  expect_error(cudaDeviceGetLimit(nullptr, cudaLimitStackSize), cudaErrorInvalidValue);
  cudaFuncCache cache = cudaFuncCachePreferNone;
  EXPECT_CUDA(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  EXPECT_CUDA(cudaDeviceGetCacheConfig(&cache));
  EXPECT_EQ(cache, cudaFuncCachePreferShared);
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  EXPECT_CUDA(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  EXPECT_CUDA(cudaDeviceGetSharedMemConfig(&banks));
  EXPECT_EQ(banks, cudaSharedMemBankSizeEightByte);
}

TEST_F(Device, FlagsVersionsAndBus) {
  unsigned flags = 0;
  EXPECT_CUDA(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  EXPECT_CUDA(cudaGetDeviceFlags(&flags));
  EXPECT_EQ(flags & cudaDeviceScheduleMask, unsigned{cudaDeviceScheduleBlockingSync});
  expect_error(cudaSetDeviceFlags(3), cudaErrorInvalidValue);
  int runtime = 0, driver = 0;
  EXPECT_CUDA(cudaRuntimeGetVersion(&runtime));
  EXPECT_CUDA(cudaDriverGetVersion(&driver));
  EXPECT_EQ(runtime, CUDART_VERSION);
  EXPECT_GE(driver, runtime);
  char id[32] = {};
  EXPECT_CUDA(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  int device = -1;
  EXPECT_CUDA(cudaDeviceGetByPCIBusId(&device, id));
  EXPECT_EQ(device, 0);
  expect_error(cudaDeviceGetByPCIBusId(&device, "0000:7f:00.0"), cudaErrorInvalidDevice);
  expect_error(cudaDeviceGetPCIBusId(id, 3, 0), cudaErrorInvalidValue);
}

TEST_F(Device, NoPeers) {
  int can = 1;
  EXPECT_CUDA(cudaDeviceCanAccessPeer(&can, 0, 0));
  EXPECT_EQ(can, 0);
  expect_error(cudaDeviceCanAccessPeer(&can, 0, 1), cudaErrorInvalidDevice);
  expect_error(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  expect_error(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
}

TEST_F(Device, ErrorsHaveNamesAndWords) {
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorUnknown), "cudaErrorUnknown");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(123456)), "unrecognized error code");
}

TEST_F(Device, TheLastErrorIsTheThreadsOwnAndStaysUntilRead) {
  EXPECT_EQ(cudaSetDevice(9), cudaErrorInvalidDevice);
  EXPECT_CUDA(cudaSetDevice(0));  // success does not hide it
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMalloc(nullptr, 1), cudaErrorInvalidValue);  // a later one replaces it
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
