// cudaGetDeviceProperties, cudaDeviceGetAttribute, cudaChooseDevice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/device_properties.h"

#include "devices/cpu/cpu_device.h"
#include "runtime/api/call.h"
#include "runtime/api/device_attributes.h"
#include "runtime/api/launch_limits.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace gridspan::runtime {

namespace {

void set_limits(cudaDeviceProp& properties, const Runtime& state) {
  properties.totalGlobalMem = share_of_memory(state);
  properties.totalConstMem = 64 * 1024;  // what the language promises; constants live in memory
  properties.sharedMemPerBlock = shared_limit(state);
  properties.sharedMemPerBlockOptin = shared_limit_on_request(state);
  properties.sharedMemPerMultiprocessor = shared_limit_on_request(state);
  properties.regsPerBlock = registers_per_multiprocessor;
  properties.regsPerMultiprocessor = registers_per_multiprocessor;
  properties.warpSize = abi::warp_size;
  properties.memPitch = INT_MAX;
  properties.maxThreadsPerBlock = abi::max_block_threads;
  const auto copy = [](int(&to)[3], const abi::Dim& from) {
    to[0] = static_cast<int>(from.x);
    to[1] = static_cast<int>(from.y);
    to[2] = static_cast<int>(from.z);
  };
  copy(properties.maxThreadsDim, block_limit);
  copy(properties.maxGridSize, grid_limit);
  properties.maxThreadsPerMultiProcessor = devices::cpu::max_resident_threads;
  properties.maxBlocksPerMultiProcessor = devices::cpu::max_resident_blocks;
}

void set_hardware(cudaDeviceProp& properties, const devices::DeviceFacts& facts) {
  // The newest architecture whose features a program may use; 9.0 would promise clusters.
  properties.major = 8;
  properties.minor = 9;
  if (facts.capability != 0 && facts.capability < 89) {
    properties.major = static_cast<int>(facts.capability / 10);
    properties.minor = static_cast<int>(facts.capability % 10);
  }
  properties.clockRate = static_cast<int>(facts.clock_khz);
  properties.memoryClockRate = static_cast<int>(facts.memory_clock_khz);
  properties.memoryBusWidth = 64;  // one channel; how many there are is not known
  properties.l2CacheSize = static_cast<int>(facts.l2_bytes);
  // Nothing is kept in a cache on request; programs may say what they wish for, as on GPUs.
  properties.persistingL2CacheMaxSize = properties.l2CacheSize / 4 * 3;
  properties.accessPolicyMaxWindowSize = 128 << 20;
  properties.singleToDoublePrecisionPerfRatio = 2;
  properties.textureAlignment = 512;
  properties.texturePitchAlignment = 32;
  properties.surfaceAlignment = 512;
}

/// Those of GPUs: programs size their textures by them.
void set_texture_limits(cudaDeviceProp& properties) {
  const auto set = [](auto& limits, std::initializer_list<int> values) {
    std::copy(values.begin(), values.end(), limits);
  };
  properties.maxTexture1D = properties.maxSurface1D = 131072;
  properties.maxTexture1DLinear = 1 << 28;
  set(properties.maxTexture2D, {131072, 65536});
  set(properties.maxTexture2DLinear, {131072, 65000, 2097120});
  set(properties.maxTexture2DGather, {32768, 32768});
  set(properties.maxTexture3D, {16384, 16384, 16384});
  set(properties.maxTexture3DAlt, {8192, 8192, 32768});
  properties.maxTextureCubemap = properties.maxSurfaceCubemap = 32768;
  set(properties.maxTexture1DLayered, {32768, 2048});
  set(properties.maxTexture2DLayered, {32768, 32768, 2048});
  set(properties.maxTextureCubemapLayered, {32768, 2046});
  set(properties.maxSurface2D, {131072, 65536});
  set(properties.maxSurface3D, {16384, 16384, 16384});
  set(properties.maxSurface1DLayered, {32768, 2048});
  set(properties.maxSurface2DLayered, {32768, 32768, 2048});
  set(properties.maxSurfaceCubemapLayered, {32768, 2046});
}

// Absent and therefore 0: clusters.
void set_abilities(cudaDeviceProp& properties, const HomeMemory& memory) {
  // One queue runs one command at a time, so nothing overlaps but the host. Streams keep their
  // meaning all the same, and programs that ask refuse to go on without these.
  properties.deviceOverlap = 1;
  properties.asyncEngineCount = 1;
  properties.concurrentKernels = 1;
  properties.computePreemptionSupported = 1;
  properties.cooperativeLaunch = 1;
  properties.cooperativeMultiDeviceLaunch = 1;
  properties.streamPrioritiesSupported = 1;
  properties.unifiedFunctionPointers = 0;
  properties.integrated = memory.is_all_in_reach() ? 1 : 0;  // device memory is host memory
  properties.canMapHostMemory = 1;
  properties.unifiedAddressing = 1;
  properties.managedMemory = 1;
  properties.memoryPoolsSupported = 1;
  properties.memoryPoolSupportedHandleTypes =
      memory.has_pinning() ? cudaMemHandleTypeNone : cudaMemHandleTypePosixFileDescriptor;
  properties.ipcEventSupported = 1;
  properties.concurrentManagedAccess = 1;
  properties.directManagedMemAccessFromHost = memory.is_all_in_reach() ? 1 : 0;
  // Kernels can in fact read any host memory here, but not with several devices: promise nothing.
  properties.pageableMemoryAccess = 0;
  properties.canUseHostPointerForRegisteredMem = 1;
  properties.hostRegisterSupported = 1;
  properties.hostRegisterReadOnlySupported = 1;
  properties.hostNativeAtomicSupported = 1;
  properties.globalL1CacheSupported = 1;
  properties.localL1CacheSupported = 1;
}

/// A stable number for this kind of device; the machine's name is all there is to tell it by, and
/// the place among those shown.
void set_identity(cudaDeviceProp& properties, int device) {
  constexpr unsigned long long prime = 1099511628211ull;
  unsigned long long hash = 14695981039346656037ull;  // FNV-1a
  for (const char* c = properties.name; *c; ++c) {
    hash = (hash ^ static_cast<unsigned char>(*c)) * prime;
  }
  hash = (hash ^ static_cast<unsigned>(device)) * prime;
  properties.pciBusID = device;
  std::memcpy(properties.uuid.bytes, "gridspan", 8);
  std::memcpy(properties.uuid.bytes + 8, &hash, 8);
}

/// What is the GPU's own. The rest is what the run time makes of it: textures are its own, launches
/// are checked by it, and pageable memory, of which a GPU may read all, is no managed memory to it.
void set_from_driver(cudaDeviceProp& properties, const devices::GpuFacts& gpu) {
  const auto set = [&](auto& field, cudaDeviceAttr attribute) {
    if (const auto known = gpu.attribute(attribute)) field = *known;
  };
  set(properties.totalConstMem, cudaDevAttrTotalConstantMemory);
  set(properties.sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  set(properties.reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock);
  set(properties.regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
  set(properties.regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
  set(properties.maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
  set(properties.maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
  set(properties.clockRate, cudaDevAttrClockRate);
  set(properties.memoryClockRate, cudaDevAttrMemoryClockRate);
  set(properties.memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  set(properties.l2CacheSize, cudaDevAttrL2CacheSize);
  set(properties.persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize);
  set(properties.accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize);
  set(properties.singleToDoublePrecisionPerfRatio, cudaDevAttrSingleToDoublePrecisionPerfRatio);
  set(properties.deviceOverlap, cudaDevAttrGpuOverlap);
  set(properties.asyncEngineCount, cudaDevAttrAsyncEngineCount);
  set(properties.concurrentKernels, cudaDevAttrConcurrentKernels);
  set(properties.computePreemptionSupported, cudaDevAttrComputePreemptionSupported);
  set(properties.computeMode, cudaDevAttrComputeMode);
  set(properties.kernelExecTimeoutEnabled, cudaDevAttrKernelExecTimeout);
  set(properties.ECCEnabled, cudaDevAttrEccEnabled);
  set(properties.tccDriver, cudaDevAttrTccDriver);
  set(properties.integrated, cudaDevAttrIntegrated);
  set(properties.isMultiGpuBoard, cudaDevAttrIsMultiGpuBoard);
  set(properties.multiGpuBoardGroupID, cudaDevAttrMultiGpuBoardGroupID);
  set(properties.concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess);
  set(properties.directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost);
  set(properties.hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported);
  set(properties.canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem);
  set(properties.globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported);
  set(properties.localL1CacheSupported, cudaDevAttrLocalL1CacheSupported);
  set(properties.pciBusID, cudaDevAttrPciBusId);
  set(properties.pciDeviceID, cudaDevAttrPciDeviceId);
  set(properties.pciDomainID, cudaDevAttrPciDomainId);
  std::memcpy(properties.uuid.bytes, gpu.uuid.data(), sizeof properties.uuid.bytes);
}

}  // namespace

std::size_t share_of_memory(const Runtime& state) {
  return state.memory.total() / static_cast<std::size_t>(std::max(device_count(state), 1));
}

cudaDeviceProp device_properties(const Runtime& state, int device) {
  cudaDeviceProp properties;
  std::memset(&properties, 0, sizeof properties);
  const devices::DeviceFacts& facts = state.facts;
  const std::size_t length = std::min(facts.name.size(), sizeof properties.name - 1);
  std::memcpy(properties.name, facts.name.data(), length);
  set_limits(properties, state);
  properties.multiProcessorCount = static_cast<int>(workers_shown(state));
  set_hardware(properties, facts);
  set_texture_limits(properties);
  set_abilities(properties, state.memory);
  set_identity(properties, device);
  if (facts.gpu) set_from_driver(properties, *facts.gpu);
  return properties;
}

}  // namespace gridspan::runtime

using namespace gridspan::runtime;

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  GRIDSPAN_CALL(properties, device) {
    if (!properties) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, device));
    *properties = device_properties(state, device);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  GRIDSPAN_CALL(value, attribute, device) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, device));
    const auto answer = device_attribute(device_properties(state, device), attribute);
    if (!answer) {
      return refuse(cudaErrorInvalidValue, "%d is not a cudaDeviceAttr we know",
                    static_cast<int>(attribute));
    }
    *value = *answer;
    return cudaSuccess;
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  GRIDSPAN_CALL(device, wanted) {
    if (!device || !wanted) return refuse(cudaErrorInvalidValue, "an argument is null");
    *device = 0;  // "the device that best matches" among equals
    return cudaSuccess;
  });
}
