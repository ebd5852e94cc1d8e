// Conditional nodes, nodes of any type by one call, captures into graphs that are there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Graphs | conditional nodes (if, else, while, switch) that kernels decide: cudaGraphSetConditional
// FEATURE: Graphs | cudaGraphAddNode, cudaGraphNodeSetParams, cudaGraphExecNodeSetParams
// FEATURE: Graphs | cudaStreamBeginCaptureToGraph, cudaStreamUpdateCaptureDependencies
#include "check.h"

__global__ void decide(cudaGraphConditionalHandle handle, const int* value) {
  cudaGraphSetConditional(handle, *value);
}
__global__ void count_down(cudaGraphConditionalHandle handle, int* left, int* rounds) {
  ++*rounds;
  cudaGraphSetConditional(handle, --*left != 0);
}
__global__ void append(int* log, int* position, int value) { log[(*position)++] = value; }
__global__ void fill(int* out, int value, int n) {
  const int i = check::global_index();
  if (i < n) out[i] = value;
}

void upload(check::Array<int>& array, const std::vector<int>& values) {
  CUDA_OK(
      cudaMemcpy(array.data(), values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice));
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, const void* kernel, void** arguments,
                           cudaGraphNode_t after = nullptr) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeKernel};
  parameters.kernel.func = const_cast<void*>(kernel);
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  CUDA_OK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, after ? 1 : 0, &parameters));
  return node;
}

/// A conditional node after `after`; its bodies.
cudaGraph_t* add_condition(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                           cudaGraphConditionalNodeType type, unsigned size,
                           cudaGraphNode_t after) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  cudaGraphNode_t node = nullptr;
  CUDA_OK(cudaGraphAddNode(&node, graph, after ? &after : nullptr, nullptr, after ? 1 : 0,
                           &parameters));
  cudaGraphNodeType known = cudaGraphNodeTypeKernel;
  CUDA_OK(cudaGraphNodeGetType(node, &known));
  CHECK_EQ(known, cudaGraphNodeTypeConditional);
  return parameters.conditional.phGraph_out;
}

/// What each body logs when a kernel sets each value. -1 stands for nothing.
void choices(cudaGraphConditionalNodeType type, unsigned size, const std::vector<int>& want) {
  check::Array<int> log(8), position(std::vector<int>(1, 0)), value(std::vector<int>(1, 0));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle = 0;
  CUDA_OK(cudaGraphConditionalHandleCreate(&handle, graph));
  int* pointers[] = {log.data(), position.data(), value.data()};
  void* to_decide[] = {&handle, &pointers[2]};
  const cudaGraphNode_t first = add_kernel(graph, reinterpret_cast<void*>(decide), to_decide);
  cudaGraph_t* bodies = add_condition(graph, handle, type, size, first);
  for (unsigned i = 0; i < size; ++i) {
    int number = static_cast<int>(10 + i);
    void* arguments[] = {&pointers[0], &pointers[1], &number};
    add_kernel(bodies[i], reinterpret_cast<void*>(append), arguments);
  }
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  for (int given = 0; given < static_cast<int>(want.size()); ++given) {
    upload(log, std::vector<int>(8, -1));
    upload(position, std::vector<int>(1, 0));
    upload(value, std::vector<int>(1, given));
    CUDA_OK(cudaGraphLaunch(executable, nullptr));
    CUDA_OK(cudaDeviceSynchronize());
    CHECK_EQ(log.get()[0], want[given]);
    CHECK_EQ(log.get()[1], -1);
  }
  cudaGraph_t clone = nullptr;
  CHECK_EQ(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
}

/// A loop that starts because its condition's default says so, with a body captured into it, after
/// a loop within a loop.
void loops() {
  check::Array<int> left(std::vector<int>(1, 7)), rounds(std::vector<int>(1, 0));
  check::Array<int> outer_left(std::vector<int>(1, 3)), outer_rounds(std::vector<int>(1, 0));
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle outer = 0, inner = 0;
  CUDA_OK(cudaGraphConditionalHandleCreate(&outer, graph, 1, cudaGraphCondAssignDefault));
  CUDA_OK(cudaGraphConditionalHandleCreate(&inner, graph, 0, 0));
  const cudaGraph_t body = add_condition(graph, outer, cudaGraphCondTypeWhile, 1, nullptr)[0];
  int* five = nullptr;
  CUDA_OK(cudaMalloc(&five, sizeof *five));
  // The outer body: left = 5, then the inner loop, then count down.
  cudaGraphNodeParams set = {cudaGraphNodeTypeMemset};
  set.memset = {left.data(), 0, 5, 4, 1, 1};
  cudaGraphNode_t start = nullptr;
  CUDA_OK(cudaGraphAddNode(&start, body, nullptr, 0, &set));
  void* to_decide[] = {&inner, &five};
  int* pointers[] = {left.data(), rounds.data(), outer_left.data(), outer_rounds.data()};
  const cudaGraphNode_t on = add_kernel(body, reinterpret_cast<void*>(decide), to_decide, start);
  const cudaGraph_t inside = add_condition(body, inner, cudaGraphCondTypeWhile, 1, on)[0];
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCaptureToGraph(stream, inside, nullptr, nullptr, 0,
                                        cudaStreamCaptureModeGlobal));
  count_down<<<1, 1, 0, stream>>>(inner, pointers[0], pointers[1]);
  CUDA_OK(cudaStreamEndCapture(stream, nullptr));
  size_t count = 0;
  CUDA_OK(cudaGraphGetNodes(body, nullptr, &count));
  CHECK_EQ(count, size_t{3});
  std::vector<cudaGraphNode_t> nodes(count);
  CUDA_OK(cudaGraphGetNodes(body, nodes.data(), &count));
  void* to_count[] = {&outer, &pointers[2], &pointers[3]};
  add_kernel(body, reinterpret_cast<void*>(count_down), to_count, nodes[2]);
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  const int one = 1;
  CUDA_OK(cudaMemcpy(five, &one, sizeof one, cudaMemcpyHostToDevice));
  for (int launch = 1; launch <= 2; ++launch) {
    upload(outer_left, std::vector<int>(1, 3));
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    CHECK_EQ(outer_rounds.get()[0], 3 * launch);
    CHECK_EQ(rounds.get()[0], 3 * 5 * launch);
  }
  CHECK_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  CHECK_EQ(cudaGraphLaunch(executable, stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t ignored = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &ignored));
  CUDA_OK(cudaGraphDestroy(ignored));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFree(five));
  (void)cudaGetLastError();
}

/// A conditional node in the midst of a capture.
void captured() {
  check::Array<int> left(std::vector<int>(1, 4)), rounds(std::vector<int>(1, 0));
  check::Array<int> after(std::vector<int>(1, 0));
  cudaStream_t stream = nullptr;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<1, 1, 0, stream>>>(left.data(), 6, 1);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* nodes = nullptr;
  size_t count = 0;
  CUDA_OK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &nodes, nullptr, &count));
  CHECK_EQ(count, size_t{1});
  cudaGraphConditionalHandle handle = 0;
  CUDA_OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional = {handle, cudaGraphCondTypeWhile, 1, nullptr};
  cudaGraphNode_t loop = nullptr;
  CUDA_OK(cudaGraphAddNode(&loop, graph, nodes, count, &parameters));
  int* pointers[] = {left.data(), rounds.data()};
  void* arguments[] = {&handle, &pointers[0], &pointers[1]};
  add_kernel(parameters.conditional.phGraph_out[0], reinterpret_cast<void*>(count_down), arguments);
  CUDA_OK(cudaStreamUpdateCaptureDependencies(stream, &loop, 1, cudaStreamSetCaptureDependencies));
  CUDA_OK(
      cudaMemcpyAsync(after.data(), rounds.data(), sizeof(int), cudaMemcpyDeviceToDevice, stream));
  cudaGraph_t made = nullptr;
  CUDA_OK(cudaStreamEndCapture(stream, &made));
  CHECK_EQ(made, graph);
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, made, 0));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CHECK_EQ(after.get()[0], 6);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(made));
  CUDA_OK(cudaStreamDestroy(stream));
}

/// Parameters changed in the graph and in the executable.
void parameters() {
  const int n = 77;
  check::Array<int> out(n);
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  cudaGraphNodeParams set = {cudaGraphNodeTypeMemset};
  set.memset = {out.data(), 0, 0x11, 1, n * sizeof(int), 1};
  cudaGraphNode_t node = nullptr;
  CUDA_OK(cudaGraphAddNode(&node, graph, nullptr, 0, &set));
  cudaGraphExec_t before = nullptr, after = nullptr;
  CUDA_OK(cudaGraphInstantiate(&before, graph, 0));
  set.memset.value = 0x22;
  CUDA_OK(cudaGraphNodeSetParams(node, &set));
  CUDA_OK(cudaGraphInstantiate(&after, graph, 0));
  CUDA_OK(cudaGraphLaunch(before, nullptr));
  check::equal("before", out.get(), std::vector<int>(n, 0x11111111));
  CUDA_OK(cudaGraphLaunch(after, nullptr));
  check::equal("after", out.get(), std::vector<int>(n, 0x22222222));
  set.memset.value = 0x33;
  CUDA_OK(cudaGraphExecNodeSetParams(before, node, &set));
  CUDA_OK(cudaGraphLaunch(before, nullptr));
  check::equal("in the executable", out.get(), std::vector<int>(n, 0x33333333));
  cudaGraphNodeParams other = {cudaGraphNodeTypeEmpty};
  CHECK_EQ(cudaGraphNodeSetParams(node, &other), cudaErrorInvalidValue);
  cudaGraphNodeParams unknown = {cudaGraphNodeTypeExtSemaphoreWait};
  CHECK_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &unknown), cudaErrorNotSupported);
  cudaGraphNodeParams no_condition = {cudaGraphNodeTypeConditional};
  no_condition.conditional = {1234, cudaGraphCondTypeIf, 1, nullptr};
  CHECK_EQ(cudaGraphAddNode(&node, graph, nullptr, 0, &no_condition), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphExecDestroy(before));
  CUDA_OK(cudaGraphExecDestroy(after));
  CUDA_OK(cudaGraphDestroy(graph));
  (void)cudaGetLastError();
}

int main() {
  choices(cudaGraphCondTypeIf, 1, {-1, 10, 10});
  choices(cudaGraphCondTypeIf, 2, {11, 10, 10});
  choices(cudaGraphCondTypeSwitch, 3, {10, 11, 12, -1, -1});
  loops();
  captured();
  parameters();
  return check::finish();
}
