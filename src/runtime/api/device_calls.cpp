// Choosing devices, flags, peers, versions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"

#include <cstdio>
#include <cstring>

using namespace gridspan::runtime;

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
    *count = device_count;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDevice(int device) {
  GRIDSPAN_CALL(device) { return check_device(device); });  // every thread's device is 0 already
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  GRIDSPAN_CALL(device, device_flags, flags) { return check_device(device); });
}

cudaError_t cudaGetDevice(int* device) {
  GRIDSPAN_CALL(device) {
    if (!device) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  GRIDSPAN_CALL(record::address(devices), count) {
    if (count < 0 || (count > 0 && !devices)) {
      return refuse(cudaErrorInvalidValue, "no list of devices");
    }
    for (int i = 0; i < count; ++i) GRIDSPAN_TRY(check_device(devices[i]));
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
    state.device_flags.store(flags);
    return cudaSuccess;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  GRIDSPAN_CALL(flags) {
    if (!flags) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    *flags = state.device_flags.load() | cudaDeviceMapHost;
    return cudaSuccess;
  });
}

// The host's own bus has no number for its processor; 0000:00:00.0 is the bridge next to it.
cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device) {
  GRIDSPAN_CALL(bus_id, length, device) {
    GRIDSPAN_TRY(check_device(device));
    constexpr char id[] = "0000:00:00.0";
    if (!bus_id || length < static_cast<int>(sizeof id)) {
      return refuse(cudaErrorInvalidValue, "%d bytes are too few for '%s'", length, id);
    }
    std::memcpy(bus_id, id, sizeof id);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id) {
  GRIDSPAN_CALL(device, bus_id) {
    if (!device || !bus_id) return refuse(cudaErrorInvalidValue, "an argument is null");
    unsigned domain = 0, bus = 1, slot = 1, function = 0;
    const bool whole = std::sscanf(bus_id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) >= 3;
    const bool tail = whole || std::sscanf(bus_id, "%x:%x.%x", &bus, &slot, &function) >= 2;
    if (!tail || domain || bus || slot || function) {
      return refuse(cudaErrorInvalidDevice, "no device at '%s'", bus_id);
    }
    *device = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  GRIDSPAN_CALL(can_access, device, peer) {
    if (!can_access) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(device));
    GRIDSPAN_TRY(check_device(peer));
    *can_access = 0;  // a device is not its own peer
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  GRIDSPAN_CALL(peer, flags) {
    if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0");
    return refuse(cudaErrorInvalidDevice, "device %d is no peer of device 0", peer);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  GRIDSPAN_CALL(peer) {
    GRIDSPAN_TRY(check_device(peer));
    return refuse(cudaErrorPeerAccessNotEnabled, "device %d is no peer of device 0", peer);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
  GRIDSPAN_CALL(value, attribute, source, destination) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(source));
    GRIDSPAN_TRY(check_device(destination));
    return refuse(cudaErrorInvalidDevice, "device 0 has no peers");
  });
}

// There is no profiler to start; both are legal at any time.
cudaError_t cudaProfilerStart(void) {
  GRIDSPAN_CALL() { return cudaSuccess; });
}
cudaError_t cudaProfilerStop(void) {
  GRIDSPAN_CALL() { return cudaSuccess; });
}
