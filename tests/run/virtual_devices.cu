// Several CUDA devices shown to one host thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | GRIDSPAN_VIRTUAL_GPUS: several devices with streams, events, allocations and __device__ variables of their own
// FEATURE: Device management | peer access, peer copies, kernels that use another device's memory, events across devices
// FEATURE: Device management | cudaDeviceReset of one device leaves the others alone
#include "check.h"

#include <deque>
#include <numeric>
#include <set>

constexpr int devices = 3;

__device__ int tally = 100;
__device__ int* pointer_to_tally = &tally;
__constant__ float weights[5];
__managed__ int everywhere = 4;

__global__ void count() { atomicAdd(pointer_to_tally, 1 + blockIdx.x); }
__global__ void weigh(const float* in, float* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = in[i] * weights[i % 5];
}
__global__ void add(int* to, const int* from, int n) {
  const int i = check::global_index();
  if (i < n) to[i] += from[i];
}
__global__ void add_everywhere() { atomicAdd(&everywhere, 1); }

void identities() {
  int count = 0;
  CUDA_OK(cudaGetDeviceCount(&count));
  CHECK_EQ(count, devices);
  std::set<std::string> buses, uuids;
  size_t total = 0;
  for (int device = 0; device < devices; ++device) {
    cudaDeviceProp p;
    CUDA_OK(cudaGetDeviceProperties(&p, device));
    uuids.insert(std::string(p.uuid.bytes, sizeof p.uuid.bytes));
    char bus[32] = {};
    CUDA_OK(cudaDeviceGetPCIBusId(bus, sizeof bus, device));
    buses.insert(bus);
    int found = -1, bus_number = -1;
    CUDA_OK(cudaDeviceGetByPCIBusId(&found, bus));
    CHECK_EQ(found, device);
    CUDA_OK(cudaDeviceGetAttribute(&bus_number, cudaDevAttrPciBusId, device));
    CHECK_EQ(bus_number, p.pciBusID);
    CUDA_OK(cudaSetDevice(device));
    size_t free_bytes = 0, all = 0;
    CUDA_OK(cudaMemGetInfo(&free_bytes, &all));
    CHECK_EQ(all, p.totalGlobalMem);
    CHECK(free_bytes <= all);
    total += all;
  }
  CHECK_EQ(buses.size(), size_t{devices});
  CHECK_EQ(uuids.size(), size_t{devices});
  CHECK(total > 0);
  CHECK_EQ(cudaSetDevice(devices), cudaErrorInvalidDevice);
  CHECK_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  int current = -1;
  CUDA_OK(cudaGetDevice(&current));
  CHECK_EQ(current, devices - 1);
  cudaDeviceProp p;
  CHECK_EQ(cudaGetDeviceProperties(&p, devices), cudaErrorInvalidDevice);
  CHECK_EQ(cudaDeviceGetByPCIBusId(&current, "0000:17:00.0"), cudaErrorInvalidDevice);
  (void)cudaGetLastError();
}

/// Each device has its own variables, also those that another variable's initial value points to.
void variables() {
  std::set<void*> addresses;
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    for (int i = 0; i <= device; ++i) count<<<3, 1>>>();
    void* address = nullptr;
    CUDA_OK(cudaGetSymbolAddress(&address, tally));
    addresses.insert(address);
    cudaPointerAttributes attributes;
    CUDA_OK(cudaPointerGetAttributes(&attributes, address));
    CHECK_EQ(attributes.device, device);
  }
  CHECK_EQ(addresses.size(), size_t{devices});
  for (int device = devices; device-- > 0;) {
    CUDA_OK(cudaSetDevice(device));
    int got = -1;
    CUDA_OK(cudaMemcpyFromSymbol(&got, tally, sizeof got));
    CHECK_EQ(got, 100 + (device + 1) * (1 + 2 + 3));
  }
  const int n = 1001;
  std::vector<float> in(n);
  std::iota(in.begin(), in.end(), 1.0f);
  std::deque<check::Array<float>> inputs, outputs;
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    float host[5];
    for (int i = 0; i < 5; ++i) host[i] = static_cast<float>(10 * device + i);
    CUDA_OK(cudaMemcpyToSymbol(weights, host, sizeof host));
    inputs.emplace_back(in);
    outputs.emplace_back(n);
  }
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    weigh<<<9, 128>>>(inputs[device].data(), outputs[device].data(), n);
  }
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i) want[i] = in[i] * static_cast<float>(10 * device + i % 5);
    check::equal("constants of device " + std::to_string(device), outputs[device].get(), want);
  }
}

/// A managed variable is one on all devices.
void managed_variable() {
  for (int device = 0; device < devices; ++device) {
    CUDA_OK(cudaSetDevice(device));
    add_everywhere<<<2, 3>>>();
    CUDA_OK(cudaDeviceSynchronize());
  }
  CHECK_EQ(everywhere, 4 + devices * 6);
}

void handles() {
  CUDA_OK(cudaSetDevice(0));
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t first_event = nullptr, second_event = nullptr, later = nullptr;
  int* data = nullptr;
  CUDA_OK(cudaStreamCreate(&first));
  CUDA_OK(cudaEventCreate(&first_event));
  CUDA_OK(cudaMalloc(&data, 40));
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaStreamCreate(&second));
  CUDA_OK(cudaEventCreate(&second_event));
  CUDA_OK(cudaEventCreate(&later));
  int device = -1;
  CUDA_OK(cudaStreamGetDevice(first, &device));
  CHECK_EQ(device, 0);
  CUDA_OK(cudaStreamGetDevice(second, &device));
  CHECK_EQ(device, 1);
  CUDA_OK(cudaStreamGetDevice(nullptr, &device));
  CHECK_EQ(device, 1);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, data + 3));
  CHECK_EQ(attributes.device, 0);
  // A launch goes into streams of the current device; a copy goes anywhere.
  count<<<1, 1, 0, first>>>();
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaMemsetAsync(data, 0, 40, first));
  int host[10];
  CUDA_OK(cudaMemcpyAsync(host, data, 40, cudaMemcpyDeviceToHost, first));
  CUDA_OK(cudaStreamSynchronize(first));
  CHECK_EQ(host[9], 0);
  CHECK_EQ(cudaEventRecord(first_event, second), cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaEventRecord(first_event), cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaEventRecord(first_event, first));
  CUDA_OK(cudaEventRecord(second_event, second));
  CUDA_OK(cudaEventRecord(later, second));
  CUDA_OK(cudaStreamWaitEvent(second, first_event, 0));
  CUDA_OK(cudaEventSynchronize(first_event));
  CUDA_OK(cudaEventSynchronize(later));
  CUDA_OK(cudaEventQuery(first_event));
  float milliseconds = -1;
  CHECK_EQ(cudaEventElapsedTime(&milliseconds, first_event, second_event),
           cudaErrorInvalidResourceHandle);
  CUDA_OK(cudaEventElapsedTime(&milliseconds, second_event, later));
  CHECK(milliseconds >= 0);
  CUDA_OK(cudaEventDestroy(first_event));
  CUDA_OK(cudaEventDestroy(second_event));
  CUDA_OK(cudaEventDestroy(later));
  CUDA_OK(cudaStreamDestroy(first));
  CUDA_OK(cudaStreamDestroy(second));
  CUDA_OK(cudaFree(data));
  (void)cudaGetLastError();
}

void peers() {
  int can = -1, value = -1;
  CUDA_OK(cudaDeviceCanAccessPeer(&can, 0, 2));
  CHECK_EQ(can, 1);
  CUDA_OK(cudaDeviceCanAccessPeer(&can, 2, 2));
  CHECK_EQ(can, 0);
  CHECK_EQ(cudaDeviceCanAccessPeer(&can, 0, devices), cudaErrorInvalidDevice);
  CUDA_OK(cudaSetDevice(0));
  CHECK_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  CUDA_OK(cudaDeviceEnablePeerAccess(1, 0));
  CHECK_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
  CHECK_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  CHECK_EQ(cudaDeviceEnablePeerAccess(devices, 0), cudaErrorInvalidDevice);
  CHECK_EQ(cudaDeviceEnablePeerAccess(2, 1), cudaErrorInvalidValue);
  CUDA_OK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  CHECK_EQ(value, 1);
  CHECK_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1),
           cudaErrorInvalidDevice);
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaDeviceEnablePeerAccess(0, 0));  // the other way is allowed by itself
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaDeviceDisablePeerAccess(1));
  CHECK_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  (void)cudaGetLastError();
}

/// A ring: each device adds what its left neighbour has, by a copy and directly.
void ring() {
  const int n = 777, rounds = 4;
  int* data[devices];
  int* received[devices];
  cudaStream_t streams[devices];
  cudaEvent_t done[devices];
  std::vector<std::vector<long>> want(devices, std::vector<long>(n));
  for (int d = 0; d < devices; ++d) {
    CUDA_OK(cudaSetDevice(d));
    CUDA_OK(cudaStreamCreateWithFlags(&streams[d], cudaStreamNonBlocking));
    CUDA_OK(cudaEventCreateWithFlags(&done[d], cudaEventDisableTiming));
    CUDA_OK(cudaMalloc(&data[d], n * sizeof(int)));
    CUDA_OK(cudaMalloc(&received[d], n * sizeof(int)));
    std::vector<int> start(n);
    for (int i = 0; i < n; ++i) want[d][i] = start[i] = (d + 1) * (i % 13);
    CUDA_OK(cudaMemcpy(data[d], start.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  }
  for (int round = 0; round < rounds; ++round) {
    for (int d = 0; d < devices; ++d) {
      const int left = (d + devices - 1) % devices;
      CUDA_OK(cudaSetDevice(d));
      if (round > 0) CUDA_OK(cudaStreamWaitEvent(streams[d], done[left], 0));
      CUDA_OK(cudaMemcpyPeerAsync(received[d], d, data[left], left, n * sizeof(int), streams[d]));
      CUDA_OK(cudaEventRecord(done[d], streams[d]));
    }
    for (int d = 0; d < devices; ++d) {
      CUDA_OK(cudaSetDevice(d));
      CUDA_OK(cudaStreamWaitEvent(streams[d], done[(d + 1) % devices], 0));
      add<<<7, 128, 0, streams[d]>>>(data[d], received[d], n);
      CUDA_OK(cudaEventRecord(done[d], streams[d]));
    }
    const auto before = want;
    for (int d = 0; d < devices; ++d) {
      for (int i = 0; i < n; ++i) want[d][i] += before[(d + devices - 1) % devices][i];
    }
  }
  for (int d = 0; d < devices; ++d) {
    std::vector<int> got(n), right(want[d].begin(), want[d].end());
    CUDA_OK(cudaSetDevice(d));
    CUDA_OK(cudaDeviceSynchronize());
    CUDA_OK(cudaMemcpyPeer(received[(d + 1) % devices], (d + 1) % devices, data[d], d,
                           n * sizeof(int)));
    CUDA_OK(
        cudaMemcpy(got.data(), received[(d + 1) % devices], n * sizeof(int), cudaMemcpyDefault));
    check::equal("ring on device " + std::to_string(d), got, right);
  }
  // Directly from a kernel on device 2 into memory of device 0.
  CUDA_OK(cudaSetDevice(2));
  add<<<7, 128>>>(data[0], data[1], n);
  std::vector<int> got(n), right(n);
  CUDA_OK(cudaMemcpy(got.data(), data[0], n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) right[i] = static_cast<int>(want[0][i] + want[1][i]);
  check::equal("memory of another device", got, right);
  CHECK_EQ(cudaMemcpyPeer(data[0], 0, data[1], devices, 4), cudaErrorInvalidDevice);
  for (int d = 0; d < devices; ++d) {
    CUDA_OK(cudaStreamDestroy(streams[d]));
    CUDA_OK(cudaEventDestroy(done[d]));
    CUDA_OK(cudaFree(data[d]));
    CUDA_OK(cudaFree(received[d]));
  }
  (void)cudaGetLastError();
}

void settings() {
  CUDA_OK(cudaSetDevice(1));
  size_t before = 0, stack = 0;
  CUDA_OK(cudaDeviceGetLimit(&before, cudaLimitPrintfFifoSize));
  CUDA_OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, before * 2));
  CUDA_OK(cudaSetDevice(2));
  CUDA_OK(cudaDeviceGetLimit(&stack, cudaLimitPrintfFifoSize));
  CHECK_EQ(stack, before);
  cudaMemPool_t pools[2];
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pools[0], 0));
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pools[1], 1));
  CHECK(pools[0] != pools[1]);
  CHECK_EQ(cudaDeviceSetMemPool(0, pools[1]), cudaErrorInvalidValue);
  void* data = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(&data, 64, pools[1], nullptr));
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, data));
  CHECK_EQ(attributes.device, 1);
  CUDA_OK(cudaFreeAsync(data, nullptr));
  (void)cudaGetLastError();
}

void reset() {
  int* kept = nullptr;
  int* lost = nullptr;
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaMalloc(&kept, 12));
  CUDA_OK(cudaMemset(kept, 1, 12));
  cudaStream_t stream = nullptr, gone = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaSetDevice(1));
  CUDA_OK(cudaMalloc(&lost, 12));
  CUDA_OK(cudaStreamCreate(&gone));
  CUDA_OK(cudaDeviceReset());
  CHECK_EQ(cudaFree(lost), cudaErrorInvalidValue);
  CHECK_EQ(cudaStreamDestroy(gone), cudaErrorInvalidResourceHandle);
  int got = -1;
  CUDA_OK(cudaMemcpyFromSymbol(&got, tally, sizeof got));
  CHECK_EQ(got, 100);
  CUDA_OK(cudaSetDevice(0));
  CUDA_OK(cudaMemcpyFromSymbol(&got, tally, sizeof got));
  CHECK_EQ(got, 106);
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaMemcpy(&got, kept + 2, sizeof got, cudaMemcpyDeviceToHost));
  CHECK_EQ(got, 0x01010101);
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFree(kept));
  everywhere = 0;
  add_everywhere<<<1, 5>>>();
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(everywhere, 5);
  (void)cudaGetLastError();
}

int main() {
  setenv("GRIDSPAN_VIRTUAL_GPUS", std::to_string(devices).c_str(), 1);
  identities();
  variables();
  managed_variable();
  handles();
  peers();
  ring();
  settings();
  reset();
  return check::finish();
}
