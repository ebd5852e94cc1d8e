// Choosing devices, flags, peers, versions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

using namespace gridspan::runtime;

namespace {

VisibleDevice& of_device(Runtime& state) { return state.visible_device(current_device()); }

// The host's own bus has no number for its processor; 0000:00:00.0 is the bridge next to it. The
// program's other devices are on buses of their own.
std::string bus_id_of(const Runtime& state, int device) {
  if (state.facts.gpu && !state.facts.gpu->bus_id.empty()) return state.facts.gpu->bus_id;
  char id[sizeof "0000:00:00.0"];
  std::snprintf(id, sizeof id, "0000:%02x:00.0", static_cast<unsigned char>(device));
  return id;
}

/// Domain, bus, slot, function, of which the first and last may be left out.
std::optional<std::array<unsigned, 4>> parse_place(const char* id) {
  std::array<unsigned, 4> place{};
  auto& [domain, bus, slot, function] = place;
  if (std::sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) >= 3) return place;
  place = {};
  if (std::sscanf(id, "%x:%x.%x", &bus, &slot, &function) >= 2) return place;
  return std::nullopt;
}

}  // namespace

cudaError_t cudaDriverGetVersion(int* version) {
  GRIDSPAN_CALL(version) {
    if (!version) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  GRIDSPAN_CALL(version) {
    if (!version) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *version = CUDART_VERSION;
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceCount(int* count) {
  GRIDSPAN_CALL(count) {
    if (!count) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *count = device_count(state);
    if (*count > 0) return cudaSuccess;
    return refuse(cudaErrorNoDevice, "GRIDSPAN_DEVICES is none");
  });
}

cudaError_t cudaSetDevice(int device) {
  GRIDSPAN_CALL(device) {
    GRIDSPAN_TRY(check_device(state, device));
    choose_device(device);
    return cudaSuccess;
  });
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  GRIDSPAN_CALL(device, device_flags, flags) { return check_device(state, device); });
}

cudaError_t cudaGetDevice(int* device) {
  GRIDSPAN_CALL(device) {
    if (!device) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *device = current_device();
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  GRIDSPAN_CALL(record::address(devices), count) {
    if (count < 0 || (count > 0 && !devices)) {
      return refuse(cudaErrorInvalidValue, "no list of devices");
    }
    for (int i = 0; i < count; ++i) GRIDSPAN_TRY(check_device(state, devices[i]));
    set_default_device(count > 0 ? devices[0] : 0);
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  GRIDSPAN_CALL(flags) {
    const unsigned scheduling = flags & cudaDeviceScheduleMask;
    const bool one_policy = (scheduling & (scheduling - 1)) == 0;
    if ((flags & ~static_cast<unsigned>(cudaDeviceMask)) || !one_policy) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    of_device(state).flags.store(flags);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  GRIDSPAN_CALL(flags) {
    if (!flags) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *flags = of_device(state).flags.load() | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device) {
  GRIDSPAN_CALL(bus_id, length, device) {
    GRIDSPAN_TRY(check_device(state, device));
    const std::string id = bus_id_of(state, device);
    if (!bus_id || length <= static_cast<int>(id.size())) {
      return refuse(cudaErrorInvalidValue, "%d bytes are too few for '%s'", length, id.c_str());
    }
    std::memcpy(bus_id, id.c_str(), id.size() + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id) {
  GRIDSPAN_CALL(device, bus_id) {
    if (!device || !bus_id) return refuse(cudaErrorInvalidValue, "an argument is null");
    const auto wanted = parse_place(bus_id);
    for (int i = 0; wanted && i < device_count(state); ++i) {
      const auto place = parse_place(bus_id_of(state, i).c_str());
      if (place != wanted) continue;
      *device = i;
      return cudaSuccess;
    }
    return refuse(cudaErrorInvalidDevice, "no device at '%s'", bus_id);
  });
}

// There is no profiler to start; both are legal at any time.
cudaError_t cudaProfilerStart(void) {
  GRIDSPAN_CALL() { return cudaSuccess; });
}
cudaError_t cudaProfilerStop(void) {
  GRIDSPAN_CALL() { return cudaSuccess; });
}
