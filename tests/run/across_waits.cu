// A wait after each launch: what the host reads afterwards is what the launches made, whether waits
// whose end nobody can see are waited for or not. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
// FEATURE: Launches | waits between launches that nobody can see the end of may be left out (GRIDSPAN_FUSE=on:across-waits)
//
// With a word, only that case; tests/run/chain_counts.py asks how many launches were chained.
#include "check.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

using U = unsigned;

__global__ void busy(U* x, int turns) {
  U a = *x;
  for (int i = 0; i < turns; ++i) a = a * 1664525u + 1013904223u;
  *x = a;
}
__global__ void scale(U* x, U a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = x[i] * a + 1;
}
__global__ void tell(const U* x) { printf("%u\n", *x); }

static U scaled(U value, int times) {
  for (int i = 0; i < times; ++i) value = value * 3 + 1;
  return value;
}

static constexpr int n = 10007, blocks = (n + 127) / 128;

struct Fields {
  Fields() : host(n) {
    for (int i = 0; i < n; ++i) host[i] = i * 2654435761u;
    CUDA_OK(cudaMalloc(&device, n * sizeof(U)));
    CUDA_OK(cudaMalloc(&clock, sizeof(U)));
    CUDA_OK(cudaMemset(clock, 1, sizeof(U)));
    CUDA_OK(cudaMemcpy(device, host.data(), n * sizeof(U), cudaMemcpyHostToDevice));
  }
  ~Fields() {
    CUDA_OK(cudaFree(device));
    CUDA_OK(cudaFree(clock));
  }
  void expect(int times) {
    std::vector<U> got(n, 0xdeadbeefu);
    CUDA_OK(cudaMemcpy(got.data(), device, n * sizeof(U), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) CHECK_EQ(got[i], scaled(host[i], times));
  }
  std::vector<U> host;
  U *device = nullptr, *clock = nullptr;
};

/// The first kernel takes so long that all others are queued behind it, if nobody waits.
static void waits() {
  Fields fields;
  busy<<<1, 1>>>(fields.clock, 20 << 20);
  for (int i = 0; i < 11; ++i) {
    scale<<<blocks, 128>>>(fields.device, 3, n);
    CUDA_OK(i % 2 == 0 ? cudaDeviceSynchronize() : cudaStreamSynchronize(nullptr));
  }
  fields.expect(11);
}

static void managed() {
  U* shared = nullptr;
  CUDA_OK(cudaMallocManaged(&shared, n * sizeof(U)));
  for (int i = 0; i < n; ++i) shared[i] = i;
  for (int turn = 1; turn <= 5; ++turn) {
    scale<<<blocks, 128>>>(shared, 3, n);
    CUDA_OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i += 97) CHECK_EQ(shared[i], scaled(i, turn));
  }
  CUDA_OK(cudaFree(shared));
}

static void page_locked() {
  U* pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n * sizeof(U)));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  for (int turn = 1; turn <= 5; ++turn) {
    scale<<<blocks, 128>>>(pinned, 3, n);
    CUDA_OK(cudaStreamSynchronize(nullptr));
    for (int i = 0; i < n; i += 97) CHECK_EQ(pinned[i], scaled(i, turn));
  }
  CUDA_OK(cudaFreeHost(pinned));
}

/// The source of an asynchronous copy may be written again after a wait.
static void sources() {
  Fields fields;
  std::vector<U> source(n);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (int turn = 0; turn < 5; ++turn) {
    for (int i = 0; i < n; ++i) source[i] = fields.host[i] + turn;
    CUDA_OK(cudaMemcpyAsync(fields.device, source.data(), n * sizeof(U), cudaMemcpyHostToDevice,
                            stream));
    scale<<<blocks, 128, 0, stream>>>(fields.device, 3, n);
    CUDA_OK(cudaStreamSynchronize(stream));
    std::memset(source.data(), 0x5a, n * sizeof(U));
  }
  std::vector<U> got(n);
  CUDA_OK(cudaMemcpy(got.data(), fields.device, n * sizeof(U), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK_EQ(got[i], scaled(fields.host[i] + 4, 1));
  CUDA_OK(cudaStreamDestroy(stream));
}

static void host_functions() {
  Fields fields;
  std::atomic<int> calls{0};
  for (int turn = 1; turn <= 5; ++turn) {
    busy<<<1, 1>>>(fields.clock, 1 << 20);
    CUDA_OK(cudaLaunchHostFunc(
        nullptr, [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &calls));
    scale<<<blocks, 128>>>(fields.device, 3, n);
    CUDA_OK(cudaDeviceSynchronize());
    CHECK_EQ(calls.load(), turn);
  }
  fields.expect(5);
}

/// Between the host's lines, in order.
static void prints() {
  Fields fields;
  for (int turn = 0; turn < 3; ++turn) {
    CUDA_OK(cudaMemset(fields.clock, turn, 1));
    busy<<<1, 1>>>(fields.clock, 0);
    tell<<<1, 1>>>(fields.clock);
    CUDA_OK(cudaDeviceSynchronize());
    std::printf("after turn %d\n", turn);
    std::fflush(stdout);
  }
}

static void events() {
  Fields fields;
  cudaEvent_t begin, end;
  CUDA_OK(cudaEventCreate(&begin));
  CUDA_OK(cudaEventCreate(&end));
  CUDA_OK(cudaEventRecord(begin));
  busy<<<1, 1>>>(fields.clock, 1 << 20);
  CUDA_OK(cudaEventRecord(end));
  CUDA_OK(cudaDeviceSynchronize());
  float milliseconds = -1;
  CUDA_OK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(milliseconds >= 0);
  CUDA_OK(cudaEventDestroy(begin));
  CUDA_OK(cudaEventDestroy(end));
}

/// What was waited for is ready.
static void queries() {
  Fields fields;
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  for (int turn = 0; turn < 3; ++turn) {
    busy<<<1, 1, 0, stream>>>(fields.clock, 20 << 20);
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK_EQ(cudaStreamQuery(stream), cudaSuccess);
  }
  CUDA_OK(cudaStreamDestroy(stream));
}

/// A kernel that writes to nowhere, and no call behind it that could say so.
static void fault() {
  scale<<<1, 1>>>(reinterpret_cast<U*>(16), 3, 1);
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("returned\n");
}

/// It has happened when the program ends.
static void early_fault() {
  fault();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
}

/// A call of the program's returns it.
static void returned_fault() {
  early_fault();
  if (cudaDeviceSynchronize() != cudaSuccess) std::printf("returned\n");
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } cases[] = {{"waits", waits},
               {"managed", managed},
               {"page_locked", page_locked},
               {"sources", sources},
               {"host_functions", host_functions},
               {"prints", prints},
               {"events", events},
               {"queries", queries}};
  if (argc > 1 && std::strcmp(argv[1], "fault") == 0) fault();
  if (argc > 1 && std::strcmp(argv[1], "early_fault") == 0) early_fault();
  if (argc > 1 && std::strcmp(argv[1], "returned_fault") == 0) returned_fault();
  for (const auto& one : cases)
    if (argc < 2 || std::strcmp(argv[1], one.name) == 0) one.run();
  return check::finish();
}
