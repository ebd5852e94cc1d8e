// What there is: GPUs, contexts, errors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"

#include <cstdio>

using namespace fake_cuda;

FAKE_EXPORT Result cuInit(unsigned) {
  FAKE_BEGIN(false);
  return success;
}

FAKE_EXPORT Result cuDriverGetVersion(int* version) {
  *version = 12000;
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
  std::snprintf(id, static_cast<std::size_t>(length), "0000:%02x:00.0", gpu + 1);
  return success;
}

FAKE_EXPORT Result cuDeviceTotalMem_v2(std::size_t* bytes, Gpu gpu) {
  FAKE_BEGIN(false);
  *bytes = gpus().at(static_cast<std::size_t>(gpu)).memory;
  return success;
}

FAKE_EXPORT Result cuDeviceGetAttribute(int* value, GpuAttribute attribute, Gpu) {
  FAKE_BEGIN(false);
  switch (attribute) {
    case GpuAttribute::clock_khz:
    case GpuAttribute::memory_clock_khz:
      *value = 1000000;
      return success;
    case GpuAttribute::processors:
      *value = processors;
      return success;
    case GpuAttribute::l2_bytes:
      *value = 4 << 20;
      return success;
    case GpuAttribute::capability_major:
      *value = 9;
      return success;
    case GpuAttribute::capability_minor:
      *value = 0;
      return success;
    case GpuAttribute::shared_per_block_on_request:
      *value = 227 << 10;
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
  *context = reinterpret_cast<Context>(&gpus().at(static_cast<std::size_t>(gpu)));
  return success;
}

FAKE_EXPORT Result cuDevicePrimaryCtxRelease_v2(Gpu) {
  FAKE_BEGIN(false);
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

FAKE_EXPORT Result cuCtxSetLimit(ContextLimit, std::size_t) {
  FAKE_BEGIN();
  return success;
}
