// Graphs captured from streams.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Graphs | stream capture of kernels, copies, memsets and host functions; launched many times
// FEATURE: Graphs | capture across streams with events (fork and join), cudaStreamGetCaptureInfo, what is refused during a capture
// FEATURE: Graphs | cudaMallocAsync and cudaFreeAsync in a capture, cudaGraphExecUpdate
#include "check.h"

#include <atomic>

__global__ void step(const int* in, int* out, int n, int factor) {
  const int i = check::global_index();
  if (i < n) out[i] = in[i] * factor + in[(i + 1) % n];
}
__global__ void add(const int* a, const int* b, int* out, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = a[i] + b[i];
}

std::vector<int> host_step(const std::vector<int>& in, int factor) {
  std::vector<int> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i] * factor + in[(i + 1) % in.size()];
  return out;
}

void CUDART_CB count(void* data) { ++*static_cast<std::atomic<int>*>(data); }

constexpr int n = 769, block = 96, blocks = (n + block - 1) / block;

struct Streams {
  cudaStream_t first, second;
  explicit Streams(unsigned flags) {
    CUDA_OK(cudaStreamCreateWithFlags(&first, flags));
    CUDA_OK(cudaStreamCreateWithFlags(&second, flags));
  }
  ~Streams() {
    CUDA_OK(cudaStreamDestroy(first));
    CUDA_OK(cudaStreamDestroy(second));
  }
};

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  return executable;
}

std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  CUDA_OK(cudaGraphGetNodes(graph, nullptr, &count));
  return count;
}

// A ping-pong step with all kinds of commands; nothing runs until the graph is launched.
void one_stream(cudaStreamCaptureMode mode) {
  Streams streams(cudaStreamNonBlocking);
  check::Random random(mode + 3);
  std::vector<int> values = random.integers<int>(n, -3, 3), result(n, -1);
  check::Array<int> a(values), b(n), filled(n);
  std::atomic<int> calls{0};
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaStreamBeginCapture(streams.first, mode));
  step<<<blocks, block, 0, streams.first>>>(a.data(), b.data(), n, 2);
  step<<<blocks, block, 0, streams.first>>>(b.data(), a.data(), n, -1);
  CUDA_OK(cudaLaunchHostFunc(streams.first, count, &calls));
  CUDA_OK(cudaMemsetAsync(filled.data(), 0x11, n * sizeof(int), streams.first));
  CUDA_OK(cudaMemcpyAsync(filled.data(), a.data(), 5 * sizeof(int), cudaMemcpyDeviceToDevice,
                          streams.first));
  CUDA_OK(cudaMemcpyAsync(result.data(), filled.data(), n * sizeof(int), cudaMemcpyDeviceToHost,
                          streams.first));
  CUDA_OK(cudaGetLastError());
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(streams.first, &graph));
  CHECK_EQ(nodes_of(graph), 6u);
  CHECK_EQ(calls.load(), 0);
  CHECK_EQ(result[0], -1);
  cudaGraphExec_t executable = instantiate(graph);
  CUDA_OK(cudaGraphDestroy(graph));  // the executable does not need it
  for (int round = 1; round <= 3; ++round) {
    CUDA_OK(cudaGraphLaunch(executable, round % 2 ? streams.first : streams.second));
    CUDA_OK(cudaStreamSynchronize(round % 2 ? streams.first : streams.second));
    values = host_step(host_step(values, 2), -1);
    std::vector<int> want(n, 0x11111111);
    std::copy(values.begin(), values.begin() + 5, want.begin());
    check::equal("copied back", result, want);
    check::equal("in place", a.get(), values);
    CHECK_EQ(calls.load(), round);
  }
  CUDA_OK(cudaGraphExecDestroy(executable));
}

// One stream forks into two and joins again.
void fork_and_join(unsigned flags) {
  Streams streams(flags);
  check::Random random(17);
  const auto in = random.integers<int>(n, -50, 50);
  check::Array<int> source(in), left(n), right(n), sum(n);
  cudaEvent_t forked, joined;
  CUDA_OK(cudaEventCreate(&forked));
  CUDA_OK(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaEventRecord(forked, streams.first));
  CUDA_OK(cudaStreamWaitEvent(streams.second, forked, 0));
  step<<<blocks, block, 0, streams.first>>>(source.data(), left.data(), n, 3);
  step<<<blocks, block, 0, streams.second>>>(source.data(), right.data(), n, 5);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0, other_id = 1;
  std::size_t before = 99;
  const cudaGraphNode_t* latest = nullptr;
  CUDA_OK(cudaStreamGetCaptureInfo(streams.second, &status, &id, nullptr, &latest, &before));
  CHECK_EQ(status, cudaStreamCaptureStatusActive);
  CHECK_EQ(before, 1u);
  CUDA_OK(cudaStreamGetCaptureInfo(streams.first, &status, &other_id));
  CHECK_EQ(id, other_id);
  CUDA_OK(cudaEventRecord(joined, streams.second));
  CUDA_OK(cudaStreamWaitEvent(streams.first, joined, 0));
  add<<<blocks, block, 0, streams.first>>>(left.data(), right.data(), sum.data(), n);
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(streams.first, &graph));
  CUDA_OK(cudaStreamIsCapturing(streams.second, &status));
  CHECK_EQ(status, cudaStreamCaptureStatusNone);
  std::size_t edges = 0, roots = 0;
  CUDA_OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  CUDA_OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK_EQ(nodes_of(graph), 3u);
  CHECK_EQ(edges, 2u);
  CHECK_EQ(roots, 2u);
  cudaGraphExec_t executable = instantiate(graph);
  CUDA_OK(cudaGraphLaunch(executable, 0));
  const auto three = host_step(in, 3), five = host_step(in, 5);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = three[i] + five[i];
  check::equal("sum", sum.get(), want);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaEventDestroy(forked));
  CUDA_OK(cudaEventDestroy(joined));
}

// Memory that the graph allocates has one address for its whole life.
void memory_in_capture() {
  Streams streams(cudaStreamNonBlocking);
  check::Random random(23);
  const auto in = random.integers<int>(n, -9, 9);
  check::Array<int> source(in), out(n);
  int* between = nullptr;
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeRelaxed));
  CUDA_OK(cudaMallocAsync(&between, n * sizeof(int), streams.first));
  step<<<blocks, block, 0, streams.first>>>(source.data(), between, n, 7);
  step<<<blocks, block, 0, streams.first>>>(between, out.data(), n, 2);
  CUDA_OK(cudaFreeAsync(between, streams.first));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamEndCapture(streams.first, &graph));
  cudaGraphExec_t executable = instantiate(graph);
  for (int round = 0; round < 2; ++round) {
    CUDA_OK(cudaMemset(out.data(), 0xA5, n * sizeof(int)));
    CUDA_OK(cudaStreamSynchronize(0));  // which the other stream does not wait for
    CUDA_OK(cudaGraphLaunch(executable, streams.second));
    CUDA_OK(cudaStreamSynchronize(streams.second));
    check::equal("through the graph's memory", out.get(), host_step(host_step(in, 7), 2));
  }
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CHECK(cudaFree(between) == cudaErrorInvalidValue);  // it went with the graph
  (void)cudaGetLastError();
}

// The same commands with other arguments take an executable's place; others do not.
void update() {
  Streams streams(cudaStreamNonBlocking);
  const std::vector<int> in(n, 4);
  check::Array<int> source(in), out(n);
  const auto capture = [&](int factor, bool twice) {
    cudaGraph_t graph = nullptr;
    CUDA_OK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeThreadLocal));
    step<<<blocks, block, 0, streams.first>>>(source.data(), out.data(), n, factor);
    if (twice) step<<<blocks, block, 0, streams.first>>>(source.data(), out.data(), n, factor);
    CUDA_OK(cudaStreamEndCapture(streams.first, &graph));
    return graph;
  };
  cudaGraph_t graph = capture(2, false);
  cudaGraphExec_t executable = instantiate(graph);
  CUDA_OK(cudaGraphDestroy(graph));
  graph = capture(10, false);
  cudaGraphExecUpdateResultInfo info;
  CUDA_OK(cudaGraphExecUpdate(executable, graph, &info));
  CHECK_EQ(info.result, cudaGraphExecUpdateSuccess);
  CUDA_OK(cudaGraphDestroy(graph));
  graph = capture(100, true);
  cudaGraphNode_t node = nullptr;
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  CHECK(cudaGraphExecUpdate(executable, graph, &node, &result) == cudaErrorGraphExecUpdateFailure);
  CHECK_EQ(result, cudaGraphExecUpdateErrorTopologyChanged);
  (void)cudaGetLastError();
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphLaunch(executable, streams.first));
  CUDA_OK(cudaStreamSynchronize(streams.first));
  check::equal("updated", out.get(), host_step(in, 10));
  CUDA_OK(cudaGraphExecDestroy(executable));
}

// What would never run, or at the wrong time, is refused, and the capture is lost.
template <class Call>
void refused(unsigned flags, cudaError_t expected, Call call) {
  Streams streams(flags);
  cudaEvent_t event, outside;
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaEventCreate(&outside));
  CUDA_OK(cudaEventRecord(outside, streams.second));
  CUDA_OK(cudaDeviceSynchronize());
  check::Array<int> a(n);
  CUDA_OK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMemsetAsync(a.data(), 1, n * sizeof(int), streams.first));
  CUDA_OK(cudaEventRecord(event, streams.first));
  CHECK_EQ(call(streams, event, outside, a.data()), expected);
  cudaGraph_t graph = nullptr;
  CHECK_EQ(cudaStreamEndCapture(streams.first, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr);
  (void)cudaGetLastError();
  CUDA_OK(cudaStreamSynchronize(streams.first));  // usable again
  CUDA_OK(cudaEventDestroy(event));
  CUDA_OK(cudaEventDestroy(outside));
}

void refusals() {
  refused(cudaStreamNonBlocking, cudaErrorStreamCaptureUnsupported,
          [](Streams& s, auto, auto, auto) { return cudaStreamSynchronize(s.first); });
  refused(cudaStreamNonBlocking, cudaErrorStreamCaptureUnsupported,
          [](Streams& s, auto, auto, auto) { return cudaStreamQuery(s.first); });
  refused(cudaStreamNonBlocking, cudaErrorStreamCaptureUnsupported,
          [](Streams&, auto, auto, auto) { return cudaDeviceSynchronize(); });
  refused(cudaStreamNonBlocking, cudaErrorCapturedEvent,
          [](Streams&, cudaEvent_t event, auto, auto) { return cudaEventSynchronize(event); });
  refused(cudaStreamNonBlocking, cudaErrorStreamCaptureIsolation,
          [](Streams& s, auto, cudaEvent_t outside, auto) {
            return cudaStreamWaitEvent(s.first, outside, 0);
          });
  refused(cudaStreamDefault, cudaErrorStreamCaptureImplicit, [](Streams&, auto, auto, int* a) {
    return cudaMemset(a, 0, sizeof(int));  // the legacy stream waits for blocking ones
  });
  // A stream that joined and was not joined again.
  Streams streams(cudaStreamNonBlocking);
  cudaEvent_t event;
  CUDA_OK(cudaEventCreate(&event));
  check::Array<int> a(n);
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(streams.first, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaEventRecord(event, streams.first));
  CUDA_OK(cudaStreamWaitEvent(streams.second, event, 0));
  CUDA_OK(cudaMemsetAsync(a.data(), 1, n * sizeof(int), streams.second));
  CHECK_EQ(cudaStreamEndCapture(streams.second, &graph), cudaErrorStreamCaptureUnmatched);
  CHECK_EQ(cudaStreamEndCapture(streams.first, &graph), cudaErrorStreamCaptureUnjoined);
  CHECK_EQ(cudaStreamEndCapture(streams.first, &graph), cudaErrorIllegalState);
  CHECK_EQ(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal),
           cudaErrorStreamCaptureUnsupported);
  (void)cudaGetLastError();
  CUDA_OK(cudaEventDestroy(event));
}

// A stream may go before the capture that it joined ends.
void destroyed_streams(bool joins) {
  check::Array<int> a(n), b(n);
  cudaStream_t first, second;
  cudaEvent_t forked, joined;
  CUDA_OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  CUDA_OK(cudaStreamCreate(&second));
  CUDA_OK(cudaEventCreate(&forked));
  CUDA_OK(cudaEventCreate(&joined));
  CUDA_OK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMemsetAsync(a.data(), 1, n * sizeof(int), first));
  CUDA_OK(cudaEventRecord(forked, first));
  CUDA_OK(cudaStreamWaitEvent(second, forked, 0));
  step<<<blocks, block, 0, second>>>(a.data(), b.data(), n, 2);
  CUDA_OK(cudaEventRecord(joined, second));
  CUDA_OK(cudaStreamDestroy(second));
  if (joins) CUDA_OK(cudaStreamWaitEvent(first, joined, 0));
  CUDA_OK(cudaEventDestroy(forked));
  CUDA_OK(cudaEventDestroy(joined));
  cudaGraph_t graph = nullptr;
  if (!joins) {
    CHECK_EQ(cudaStreamEndCapture(first, &graph), cudaErrorStreamCaptureUnjoined);
    (void)cudaGetLastError();
  } else {
    CUDA_OK(cudaStreamEndCapture(first, &graph));
    cudaGraphExec_t executable = instantiate(graph);
    CUDA_OK(cudaGraphLaunch(executable, first));
    CUDA_OK(cudaStreamSynchronize(first));
    check::equal("destroyed stream", b.get(), std::vector<int>(n, 3 * 0x01010101));
    CUDA_OK(cudaGraphExecDestroy(executable));
    CUDA_OK(cudaGraphDestroy(graph));
  }
  CUDA_OK(cudaMemset(a.data(), 0, sizeof(int)));  // no blocking stream is capturing any more
  CUDA_OK(cudaStreamDestroy(first));
}

int main() {
  one_stream(cudaStreamCaptureModeGlobal);
  one_stream(cudaStreamCaptureModeThreadLocal);
  one_stream(cudaStreamCaptureModeRelaxed);
  fork_and_join(cudaStreamDefault);
  fork_and_join(cudaStreamNonBlocking);
  memory_in_capture();
  update();
  refusals();
  destroyed_streams(true);
  destroyed_streams(false);
  return check::finish();
}
