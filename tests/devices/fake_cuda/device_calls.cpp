// What there is: GPUs, contexts, errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"

#include <algorithm>
#include <cstdio>
#include <map>

using namespace fake_cuda;

FAKE_EXPORT Result cuInit(unsigned) {
  FAKE_BEGIN(false);
  return success;
}

FAKE_EXPORT Result cuDriverGetVersion(int* version) {
  *version = fake_cuda::version();
  return success;
}

FAKE_EXPORT Result cuGetErrorName(Result error, const char** name) {
  thread_local char text[32];
  std::snprintf(text, sizeof text, "FAKE_ERROR_%d", error);
  *name = text;
  return success;
}

FAKE_EXPORT Result cuGetErrorString(Result, const char** text) {
  *text = "from the fake driver";
  return success;
}

FAKE_EXPORT Result cuDeviceGetCount(int* count) {
  FAKE_BEGIN(false);
  *count = static_cast<int>(gpus().size());
  return success;
}

FAKE_EXPORT Result cuDeviceGet(Gpu* gpu, int ordinal) {
  FAKE_BEGIN(false);
  if (ordinal < 0 || ordinal >= static_cast<int>(gpus().size())) return error_no_device;
  *gpu = ordinal;
  return success;
}

FAKE_EXPORT Result cuDeviceGetName(char* name, int length, Gpu) {
  FAKE_BEGIN(false);
  std::snprintf(name, static_cast<std::size_t>(length), "fake GPU");
  return success;
}

FAKE_EXPORT Result cuDeviceGetUuid(unsigned char* id, Gpu gpu) {
  FAKE_BEGIN(false);
  for (int i = 0; i < 16; ++i) id[i] = static_cast<unsigned char>(gpu * 16 + i);
  return success;
}

FAKE_EXPORT Result cuDeviceGetPCIBusId(char* id, int length, Gpu gpu) {
  FAKE_BEGIN(false);
  std::snprintf(id, static_cast<std::size_t>(length), "0000:%02X:03.0", gpu + 1);
  return success;
}

FAKE_EXPORT Result cuDeviceTotalMem_v2(std::size_t* bytes, Gpu gpu) {
  FAKE_BEGIN(false);
  *bytes = gpus().at(static_cast<std::size_t>(gpu)).memory;
  return success;
}

namespace {

/// What programs are told as it is, by the driver's number: like nothing that a CPU device says.
const std::map<int, int> told_attributes = {
    {9, 65536},   // constant memory
    {12, 65528},  // registers of a block
    {15, 1},      // copies beside kernels
    {17, 1},      // kernels have a time limit
    {18, 0},      // integrated
    {20, 0},      // compute mode
    {31, 1},      // kernels beside kernels
    {32, 1},      // ECC
    {34, 3},      // slot
    {35, 1},      // TCC
    {37, 5120},   // memory bus
    {39, processor_threads},
    {40, 3},  // copy engines
    {50, 0},  // domain
    {79, 1},  // caches
    {80, 0},
    {81, processor_shared},
    {82, 65536},  // registers of a processor
    {84, 1},      // board of several GPUs
    {85, 7},
    {86, 0},   // atomics of the host and the GPU
    {87, 64},  // single to double
    {88, 1},   // pageable memory
    {90, 1},   // preemption
    {101, 0},  // managed memory from the host
    {106, processor_blocks},
    {108, 3 << 20},  // L2 that stays
    {109, 1 << 27},
    {111, 1024},  // shared memory that is reserved
};

}  // namespace

FAKE_EXPORT Result cuDeviceGetAttribute(int* value, GpuAttribute attribute, Gpu gpu) {
  FAKE_BEGIN(false);
  constexpr int bus = 33;
  if (static_cast<int>(attribute) == bus) {
    *value = gpu + 1;
    return success;
  }
  if (const auto told = told_attributes.find(static_cast<int>(attribute));
      told != told_attributes.end()) {
    *value = told->second;
    return success;
  }
  switch (attribute) {
    case GpuAttribute::clock_khz:
      *value = 1000000;
      return success;
    case GpuAttribute::memory_clock_khz:
      *value = 2000000;
      return success;
    case GpuAttribute::processors:
      *value = processors;
      return success;
    case GpuAttribute::l2_bytes:
      *value = cache_bytes();
      return success;
    case GpuAttribute::capability_major:
      *value = is_old(gpu) ? 6 : static_cast<int>(capability() / 10);
      return success;
    case GpuAttribute::capability_minor:
      *value = is_old(gpu) ? 0 : static_cast<int>(capability() % 10);
      return success;
    case GpuAttribute::shared_per_block_on_request:
      *value = 227 << 10;
      return success;
    case GpuAttribute::host_node:
      *value = 0;
      return success;
    case GpuAttribute::host_virtual_memory:
      *value = has_host_ranges() ? 1 : 0;
      return success;
    case GpuAttribute::unified_addressing:
    case GpuAttribute::concurrent_managed_access:
    case GpuAttribute::host_pointer_for_registered:
    case GpuAttribute::virtual_memory:
      *value = 1;
      return success;
  }
  return error_invalid_value;
}

FAKE_EXPORT Result cuDevicePrimaryCtxRetain(Context* context, Gpu gpu) {
  FAKE_BEGIN(false);
  FakeGpu& one = gpus().at(static_cast<std::size_t>(gpu));
  make_context_on(one);
  *context = reinterpret_cast<Context>(&one);
  return success;
}

FAKE_EXPORT Result cuCtxSetCurrent(Context context) {
  FAKE_BEGIN(false);
  current() = reinterpret_cast<FakeGpu*>(context);
  return success;
}

FAKE_EXPORT Result cuDeviceCanAccessPeer(int* can, Gpu reader, Gpu owner) {
  FAKE_BEGIN(false);
  *can = reader != owner && peer_kind() != PeerKind::none;
  return success;
}

FAKE_EXPORT Result cuCtxEnablePeerAccess(Context owner, unsigned) {
  FAKE_BEGIN();
  if (peer_kind() == PeerKind::none) return error_peer_access_unsupported;
  const bool is_new = current()->peers.insert(reinterpret_cast<FakeGpu*>(owner)->number).second;
  return is_new ? success : error_peer_access_enabled;
}

/// As the driver does: less than there must be becomes the least.
FAKE_EXPORT Result cuCtxSetLimit(ContextLimit limit, std::size_t value) {
  FAKE_BEGIN();
  constexpr std::size_t least = 4096;
  current()->limits.at(static_cast<std::size_t>(limit)) =
      limit == ContextLimit::stack_bytes ? value : std::max(value, least);
  return success;
}

FAKE_EXPORT Result cuCtxGetLimit(std::size_t* value, ContextLimit limit) {
  FAKE_BEGIN();
  *value = current()->limits.at(static_cast<std::size_t>(limit));
  return success;
}
