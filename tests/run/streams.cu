// Streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Streams and events | order within a stream, independence of streams, cudaStreamWaitEvent, default stream, cudaStreamNonBlocking
// FEATURE: Streams and events | cudaLaunchHostFunc, cudaStreamAddCallback, cudaStreamQuery, cudaStreamSynchronize, priorities, flags and attributes
#include "check.h"

__global__ void append(int* log, int* position, int value) {
  if (threadIdx.x == 0) log[(*position)++] = value;
}
__global__ void scale(const int* in, int* out, int factor) {
  const int i = check::global_index();
  out[i] = in[i] * factor;
}

struct Note {
  std::vector<int>* list;
  int value;
};
void CUDART_CB note(void* data) {
  const Note* n = static_cast<Note*>(data);
  n->list->push_back(n->value);
}
void CUDART_CB callback(cudaStream_t, cudaError_t status, void* data) {
  const Note* n = static_cast<Note*>(data);
  n->list->push_back(status == cudaSuccess ? n->value : -1);
}

void order_in_stream() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  const int n = 40;
  check::Array<int> log(n), position(std::vector<int>(1, 0));
  std::vector<int> host;
  std::vector<Note> notes;
  for (int i = 0; i < n; ++i) notes.push_back({&host, i});
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) {
    want[i] = i;
    append<<<1, 33, 0, stream>>>(log.data(), position.data(), i);
    if (i % 2 == 0)
      CUDA_OK(cudaLaunchHostFunc(stream, note, &notes[i]));
    else
      CUDA_OK(cudaStreamAddCallback(stream, callback, &notes[i], 0));
  }
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaStreamQuery(stream));
  check::equal("kernels", log.get(), want);
  check::equal("host functions", host, want);
  CUDA_OK(cudaStreamDestroy(stream));
}

void across_streams() {
  const int n = 2 * 257, count = 4;
  cudaStream_t streams[count];
  cudaEvent_t done[count];
  check::Random random(137);
  const auto in = random.integers<int>(n, -100, 100);
  check::Array<int> source(in), a(n), b(n), c(n), d(n);
  int* chain[count + 1] = {source.data(), a.data(), b.data(), c.data(), d.data()};
  for (int s = 0; s < count; ++s) {
    CUDA_OK(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
    CUDA_OK(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
  }
  for (int round = 0; round < 20; ++round)
    for (int s = 0; s < count; ++s) {
      CUDA_OK(cudaStreamWaitEvent(streams[s], done[(s + count - 1) % count], 0));
      scale<<<2, 257, 0, streams[s]>>>(chain[s], chain[s + 1], s + 1 + round % 2);
      CUDA_OK(cudaEventRecord(done[s], streams[s]));
    }
  CUDA_OK(cudaEventSynchronize(done[count - 1]));
  std::vector<int> want(n), out(n);
  for (int i = 0; i < n; ++i) want[i] = in[i] * 2 * 3 * 4 * 5;
  CUDA_OK(
      cudaMemcpyAsync(out.data(), d.data(), n * sizeof(int), cudaMemcpyDeviceToHost, streams[1]));
  CUDA_OK(cudaStreamSynchronize(streams[1]));
  check::equal("across streams", out, want);
  for (int s = 0; s < count; ++s) {
    CUDA_OK(cudaStreamDestroy(streams[s]));
    CUDA_OK(cudaEventDestroy(done[s]));
  }
}

// The default stream waits for the blocking ones and they for it.
void default_stream() {
  cudaStream_t first, second;
  CUDA_OK(cudaStreamCreate(&first));
  CUDA_OK(cudaStreamCreate(&second));
  check::Array<int> log(30), position(std::vector<int>(1, 0));
  std::vector<int> want(30);
  for (int i = 0; i < 30; ++i) {
    want[i] = i;
    cudaStream_t stream = i % 2 == 0 ? 0 : i % 4 == 1 ? first : second;
    append<<<1, 1, 0, stream>>>(log.data(), position.data(), i);
  }
  check::equal("default stream", log.get(), want);
  CUDA_OK(cudaStreamDestroy(first));
  CUDA_OK(cudaStreamDestroy(second));
}

void properties() {
  int least = 9, greatest = 9;
  CUDA_OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(greatest <= least);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  int priority = 99;
  unsigned flags = 0;
  CUDA_OK(cudaStreamGetPriority(stream, &priority));
  CUDA_OK(cudaStreamGetFlags(stream, &flags));
  CHECK_EQ(priority, greatest);
  CHECK_EQ(flags, unsigned{cudaStreamNonBlocking});
  cudaStreamAttrValue value = {}, other = {};
  value.accessPolicyWindow.num_bytes = 12345;
  value.accessPolicyWindow.hitRatio = 0.25f;
  CUDA_OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
  CUDA_OK(cudaStreamCopyAttributes(0, stream));
  CUDA_OK(cudaStreamGetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &other));
  CHECK_EQ(other.accessPolicyWindow.num_bytes, 12345u);
  CHECK_EQ(other.accessPolicyWindow.hitRatio, 0.25f);
  CHECK_EQ(cudaStreamSetAttribute(stream, cudaLaunchAttributeCooperative, &value),
           cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CUDA_OK(cudaStreamDestroy(stream));
  cudaStream_t legacy = cudaStreamLegacy, per_thread = cudaStreamPerThread;
  check::Array<int> log(2), position(std::vector<int>(1, 0));
  append<<<1, 1, 0, legacy>>>(log.data(), position.data(), 1);
  CUDA_OK(cudaStreamSynchronize(legacy));
  append<<<1, 1, 0, per_thread>>>(log.data(), position.data(), 2);
  CUDA_OK(cudaStreamSynchronize(per_thread));
  check::equal("named streams", log.get(), std::vector<int>{1, 2});
}

// Destroying a stream lets its work finish.
void destroy_while_busy() {
  const int n = 257;
  check::Array<int> a(std::vector<int>(n, 3)), b(n);
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  scale<<<1, n, 0, stream>>>(a.data(), b.data(), 7);
  CUDA_OK(cudaStreamDestroy(stream));
  check::equal("destroyed", b.get(), std::vector<int>(n, 21));
}

int main() {
  order_in_stream();
  across_streams();
  default_stream();
  properties();
  destroy_while_busy();
  return check::finish();
}
