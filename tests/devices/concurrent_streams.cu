// What orders streams that may run at once: waits in graphs, the one variable behind a texture
// reference, host functions, memory that is given back in the order of a stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

#include <thread>

using namespace devices;

constexpr int n = 30011;
constexpr int turns = 12;

texture<int> table;

/// Slow enough that what does not wait comes first.
__global__ void slowly_add(int* a, const int* b, int rounds) {
  const int i = global_x();
  if (i >= n) return;
  int value = a[i];
  for (int round = 0; round < rounds; ++round) value = (value * 5 + b[(i + round) % n]) % 10007;
  a[i] = value;
}
__global__ void look_up(int* a) {
  const int i = global_x();
  if (i < n) a[i] = (3 * a[i] + tex1Dfetch(table, n - 1 - i)) % 10007;
}

void host_slowly_add(vector<int>& a, const vector<int>& b, int rounds) {
  for (int i = 0; i < n; ++i)
    for (int round = 0; round < rounds; ++round) a[i] = (a[i] * 5 + b[(i + round) % n]) % 10007;
}
void host_look_up(vector<int>& a, const vector<int>& seen) {
  for (int i = 0; i < n; ++i) a[i] = (3 * a[i] + seen[n - 1 - i]) % 10007;
}

const unsigned grid = blocks(n, 128);

struct Streams {
  explicit Streams(unsigned flags) {
    for (cudaStream_t& stream : all) CUDA_OK(cudaStreamCreateWithFlags(&stream, flags));
    CUDA_OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  ~Streams() {
    cudaEventDestroy(event);
    for (cudaStream_t stream : all) cudaStreamDestroy(stream);
  }
  cudaStream_t all[2];
  cudaEvent_t event;
};

/// A graph waits for an event of another stream that is recorded anew before each launch.
void graphs_wait(unsigned flags, bool is_captured) {
  Random random(3 + flags + 2 * is_captured);
  vector<int> a = random.integers<int>(n, 0, 10006), b = random.integers<int>(n, 0, 10006);
  const vector<int> c = random.integers<int>(n, 0, 10006);
  Array<int> da(a), db(b), dc(c);
  Streams streams(flags);
  const auto [first, second] = streams.all;
  CUDA_OK(cudaEventRecord(streams.event, first));
  cudaGraph_t graph;
  if (is_captured) {
    CUDA_OK(cudaStreamBeginCapture(second, cudaStreamCaptureModeThreadLocal));
    CUDA_OK(cudaStreamWaitEvent(second, streams.event, cudaEventWaitExternal));
    slowly_add<<<grid, 128, 0, second>>>(db.data(), da.data(), 3);
    CUDA_OK(cudaStreamEndCapture(second, &graph));
  } else {
    CUDA_OK(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t wait, kernel;
    CUDA_OK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, streams.event));
    int *to = db.data(), *from = da.data(), rounds = 3;
    void* arguments[] = {&to, &from, &rounds};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(slowly_add);
    parameters.gridDim = dim3(grid);
    parameters.blockDim = dim3(128);
    parameters.kernelParams = arguments;
    CUDA_OK(cudaGraphAddKernelNode(&kernel, graph, &wait, 1, &parameters));
  }
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  for (int turn = 0; turn < turns; ++turn) {
    for (int kernel = 0; kernel < 4; ++kernel) {
      slowly_add<<<grid, 128, 0, first>>>(da.data(), dc.data(), 10);
      host_slowly_add(a, c, 10);
    }
    CUDA_OK(cudaEventRecord(streams.event, first));
    CUDA_OK(cudaGraphLaunch(executable, second));
    host_slowly_add(b, a, 3);
    CUDA_OK(cudaStreamSynchronize(second));
  }
  KERNEL_OK();
  result("sums of what was waited for", db, b);
  result("what was waited for", da, a);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
}

/// Kernels of two streams look at what the reference was bound to when they were launched.
void references_are_in_order(unsigned flags) {
  Random random(17 + flags);
  vector<int> a = random.integers<int>(n, 0, 10006), b = random.integers<int>(n, 0, 10006);
  const vector<int> seen[2] = {random.integers<int>(n, 0, 10006),
                               random.integers<int>(n, 0, 10006)};
  Array<int> da(a), db(b), dseen0(seen[0]), dseen1(seen[1]);
  int* const dseen[2] = {dseen0.data(), dseen1.data()};
  Streams streams(flags);
  const auto [first, second] = streams.all;
  for (int turn = 0; turn < turns; ++turn) {
    const int one = random.integer(0, 1), other = random.integer(0, 1);
    slowly_add<<<grid, 128, 0, first>>>(da.data(), dseen[1], 40);
    host_slowly_add(a, seen[1], 40);
    CUDA_OK(cudaBindTexture(nullptr, table, dseen[one], n * sizeof(int)));
    look_up<<<grid, 128, 0, first>>>(da.data());
    host_look_up(a, seen[one]);
    CUDA_OK(cudaBindTexture(nullptr, table, dseen[other], n * sizeof(int)));
    look_up<<<grid, 128, 0, second>>>(db.data());
    host_look_up(b, seen[other]);
  }
  KERNEL_OK();
  result("looked up in one stream", da, a);
  result("looked up in the other", db, b);
}

struct Sum {
  const int* pinned;
  long long sum = 0;
  cudaError_t status = cudaErrorUnknown;
};
void add_up(void* data) {
  auto* const one = static_cast<Sum*>(data);
  one->sum += std::accumulate(one->pinned, one->pinned + n, 0ll);
}
void add_up_called_back(cudaStream_t, cudaError_t status, void* data) {
  static_cast<Sum*>(data)->status = status;
  add_up(data);
}

/// Each host function sees what was copied before it, and what is copied after waits for it.
void functions_are_in_order(unsigned flags) {
  Random random(41 + flags);
  vector<int> values[2] = {random.integers<int>(n, 0, 10006), random.integers<int>(n, 0, 10006)};
  const vector<int> c = random.integers<int>(n, 0, 10006);
  Array<int> d0(values[0]), d1(values[1]), dc(c);
  int* const device[2] = {d0.data(), d1.data()};
  Streams streams(flags);
  Sum sums[2];
  int* pinned[2];
  long long want[2] = {0, 0};
  for (int s = 0; s < 2; ++s) {
    CUDA_OK(cudaMallocHost(&pinned[s], n * sizeof(int)));
    sums[s].pinned = pinned[s];
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (int s = 0; s < 2; ++s) {
      const cudaStream_t stream = streams.all[s];
      slowly_add<<<grid, 128, 0, stream>>>(device[s], dc.data(), 20);
      host_slowly_add(values[s], c, 20);
      CUDA_OK(
          cudaMemcpyAsync(pinned[s], device[s], n * sizeof(int), cudaMemcpyDeviceToHost, stream));
      if (turn % 2 == 0) {
        CUDA_OK(cudaLaunchHostFunc(stream, add_up, &sums[s]));
      } else {
        CUDA_OK(cudaStreamAddCallback(stream, add_up_called_back, &sums[s], 0));
      }
      want[s] += std::accumulate(values[s].begin(), values[s].end(), 0ll);
    }
  }
  CUDA_OK(cudaDeviceSynchronize());
  for (int s = 0; s < 2; ++s) {
    CHECK_EQ(sums[s].sum, want[s]);
    CHECK_EQ(sums[s].status, cudaSuccess);
    add_bytes(&sums[s].sum, sizeof sums[s].sum);
    CUDA_OK(cudaFreeHost(pinned[s]));
  }
}

/// Memory of streams: what one gives back is taken again while it still computes.
void memory_is_in_order(unsigned flags) {
  Random random(59 + flags);
  vector<int> values[2] = {random.integers<int>(n, 0, 10006), random.integers<int>(n, 0, 10006)};
  Array<int> d0(values[0]), d1(values[1]);
  int* const device[2] = {d0.data(), d1.data()};
  Streams streams(flags);
  for (int turn = 0; turn < turns; ++turn) {
    for (int s = 0; s < 2; ++s) {
      const cudaStream_t stream = streams.all[s];
      int* copy = nullptr;
      CUDA_OK(cudaMallocAsync(&copy, n * sizeof(int), stream));
      CUDA_OK(cudaMemcpyAsync(copy, device[s], n * sizeof(int), cudaMemcpyDeviceToDevice, stream));
      slowly_add<<<grid, 128, 0, stream>>>(device[s], copy, 20);
      CUDA_OK(cudaFreeAsync(copy, stream));
      CHECK_EQ(cudaFreeAsync(copy, stream), cudaErrorInvalidValue);
      CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
      const vector<int> before = values[s];
      host_slowly_add(values[s], before, 20);
    }
  }
  CUDA_OK(cudaDeviceSynchronize());
  result("with memory of one stream", d0, values[0]);
  result("with memory of the other", d1, values[1]);
  cudaMemPool_t pool;
  CUDA_OK(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t used = 1;
  CUDA_OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CHECK_EQ(used, 0u);
}

int main() {
  for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
    graphs_wait(flags, false);
    graphs_wait(flags, true);
    references_are_in_order(flags);
    functions_are_in_order(flags);
    memory_is_in_order(flags);
  }
  return finish();
}
