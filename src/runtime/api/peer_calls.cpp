// Access of one of the program's devices to the memory of another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of them share one address space, so that every access works, allowed or not. What is kept is
// what programs are told: allowing twice is an error, as is forbidding what was not allowed.
#include "runtime/api/call.h"
#include "runtime/api/device_properties.h"

using namespace gridspan::runtime;

namespace {

/// `peer` must be another device than this thread's.
Status check_peer(const Runtime& state, int peer) {
  GRIDSPAN_TRY(check_device(state, peer));
  if (peer != current_device()) return cudaSuccess;
  return refuse(cudaErrorInvalidDevice, "device %d is not its own peer", peer);
}

unsigned bit_of(int device) { return 1u << static_cast<unsigned>(device); }

}  // namespace

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  GRIDSPAN_CALL(can_access, device, peer) {
    if (!can_access) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, device));
    GRIDSPAN_TRY(check_device(state, peer));
    *can_access = device != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  GRIDSPAN_CALL(peer, flags) {
    if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0");
    GRIDSPAN_TRY(check_peer(state, peer));
    const unsigned before = state.visible_device(current_device()).peers.fetch_or(bit_of(peer));
    if ((before & bit_of(peer)) == 0) return cudaSuccess;
    return refuse(cudaErrorPeerAccessAlreadyEnabled, "device %d is allowed already", peer);
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  GRIDSPAN_CALL(peer) {
    GRIDSPAN_TRY(check_device(state, peer));
    const unsigned before = state.visible_device(current_device()).peers.fetch_and(~bit_of(peer));
    if (before & bit_of(peer)) return cudaSuccess;
    return refuse(cudaErrorPeerAccessNotEnabled, "device %d was not allowed", peer);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int source,
                                      int destination) {
  GRIDSPAN_CALL(value, attribute, source, destination) {
    if (!value) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    GRIDSPAN_TRY(check_device(state, source));
    GRIDSPAN_TRY(check_device(state, destination));
    if (source == destination) {
      return refuse(cudaErrorInvalidDevice, "device %d is not its own peer", source);
    }
    switch (attribute) {
      case cudaDevP2PAttrPerformanceRank:  // 0 is the best
        *value = 0;
        return cudaSuccess;
      case cudaDevP2PAttrAccessSupported:
      case cudaDevP2PAttrNativeAtomicSupported:
      case cudaDevP2PAttrCudaArrayAccessSupported:
        *value = 1;
        return cudaSuccess;
      case cudaDevP2PAttrOnlyPartialNativeAtomicSupported:
        *value = 0;
        return cudaSuccess;
    }
    return refuse(cudaErrorInvalidValue, "%d is not a cudaDeviceP2PAttr",
                  static_cast<int>(attribute));
  });
}

// Devices of others write to no memory of ours.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget target,
                                               cudaFlushGPUDirectRDMAWritesScope scope) {
  GRIDSPAN_CALL(target, scope) {
    return refuse(cudaErrorNotSupported, "no device writes to memory by RDMA");
  });
}
