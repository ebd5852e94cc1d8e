// Builds graphs with the driver API and runs them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>

#include <algorithm>
#include <atomic>

#include "check.h"

/// Ends the test if a driver call fails.
#define CU_OK(call)                                                               \
  do {                                                                            \
    if (const CUresult result = (call)) {                                         \
      std::fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, result); \
      std::_Exit(1);                                                              \
    }                                                                             \
  } while (0)

constexpr int n = 1000;

struct Kernels {
  CUmodule module;
  CUfunction scale, add, count;
  CUcontext context;
};

CUDA_KERNEL_NODE_PARAMS launch_of(CUfunction function, void** arguments) {
  CUDA_KERNEL_NODE_PARAMS parameters = {};
  parameters.func = function;
  parameters.gridDimX = 4;
  parameters.gridDimY = parameters.gridDimZ = 1;
  parameters.blockDimX = 256;
  parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  return parameters;
}

CUDA_MEMCPY3D copy_of(CUdeviceptr to, const void* from, std::size_t bytes) {
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  copy.WidthInBytes = bytes;
  copy.Height = copy.Depth = 1;
  return copy;
}

std::vector<int> read(CUdeviceptr memory, int count = n) {
  std::vector<int> values(count);
  CU_OK(cuMemcpyDtoH(values.data(), memory, count * sizeof(int)));
  return values;
}

/// copy -> scale -> add, and a fill of other memory beside them; everything asked, changed and run.
void nodes(const Kernels& kernels) {
  CUdeviceptr memory = 0, other = 0;
  CU_OK(cuMemAlloc(&memory, n * sizeof(int)));
  CU_OK(cuMemAlloc(&other, n * sizeof(int)));
  std::vector<int> in(n), want(n);
  for (int i = 0; i < n; ++i) in[i] = i - 300;
  CUgraph graph;
  CU_OK(cuGraphCreate(&graph, 0));
  CUgraphNode copy, scale, add, fill;
  CUDA_MEMCPY3D copied = copy_of(memory, in.data(), n * sizeof(int));
  CU_OK(cuGraphAddMemcpyNode(&copy, graph, nullptr, 0, &copied, kernels.context));
  int factor = 3, number = n, amount = 7;
  void* scale_arguments[] = {&memory, &factor, &number};
  CUDA_KERNEL_NODE_PARAMS parameters = launch_of(kernels.scale, scale_arguments);
  CU_OK(cuGraphAddKernelNode(&scale, graph, &copy, 1, &parameters));
  // The other kernel's arguments as one buffer.
  struct {
    CUdeviceptr values;
    int amount, n;
  } buffer = {memory, amount, n};
  std::size_t buffer_size = sizeof buffer;
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &buffer, CU_LAUNCH_PARAM_BUFFER_SIZE,
                   &buffer_size, CU_LAUNCH_PARAM_END};
  parameters = launch_of(kernels.add, nullptr);
  parameters.extra = extra;
  CU_OK(cuGraphAddKernelNode(&add, graph, nullptr, 0, &parameters));
  CU_OK(cuGraphAddDependencies(graph, &scale, &add, 1));
  const CUDA_MEMSET_NODE_PARAMS filled = {other, 0, 0x01020304, 4, n, 1};
  CU_OK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &filled, kernels.context));

  std::size_t count = 0;
  CU_OK(cuGraphGetNodes(graph, nullptr, &count));
  CHECK_EQ(count, 4u);
  CU_OK(cuGraphGetRootNodes(graph, nullptr, &count));
  CHECK_EQ(count, 2u);
  CUgraphNode from[4], to[4];
  CUgraphEdgeData edges[4] = {{1, 1, 1, {}}, {1, 1, 1, {}}};
  count = 4;
  CU_OK(cuGraphGetEdges_v2(graph, from, to, edges, &count));
  CHECK(count == 2 && edges[0].type == 0 && edges[1].from_port == 0);
  CU_OK(cuGraphNodeGetDependentNodes(scale, to, &(count = 4)));
  CHECK(count == 1 && to[0] == add);
  CUgraphNodeType type;
  CU_OK(cuGraphNodeGetType(fill, &type));
  CHECK_EQ(type, CU_GRAPH_NODE_TYPE_MEMSET);
  const CUgraphEdgeData partial = {1, 0, 0, {}};
  CHECK_EQ(cuGraphAddDependencies_v2(graph, &copy, &fill, &partial, 1), CUDA_ERROR_NOT_SUPPORTED);

  // What nodes do can be read again.
  CUDA_KERNEL_NODE_PARAMS known;
  CU_OK(cuGraphKernelNodeGetParams(scale, &known));
  CHECK(known.func == kernels.scale && known.gridDimX == 4 && known.blockDimX == 256);
  CHECK_EQ(*static_cast<int*>(known.kernelParams[1]), 3);
  CUDA_MEMCPY3D known_copy;
  CU_OK(cuGraphMemcpyNodeGetParams(copy, &known_copy));
  CHECK(known_copy.srcMemoryType == CU_MEMORYTYPE_HOST && known_copy.srcHost == in.data());
  CHECK(known_copy.dstDevice == memory && known_copy.WidthInBytes == n * sizeof(int));
  CUDA_MEMSET_NODE_PARAMS known_fill;
  CU_OK(cuGraphMemsetNodeGetParams(fill, &known_fill));
  CHECK(known_fill.dst == other && known_fill.value == 0x01020304u && known_fill.width == n);
  CHECK_EQ(cuGraphMemsetNodeGetParams(scale, &known_fill), CUDA_ERROR_INVALID_VALUE);

  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUgraphExec executable;
  CU_OK(cuGraphInstantiate(&executable, graph, 0));
  CU_OK(cuGraphLaunch(executable, stream));
  CU_OK(cuStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) want[i] = in[i] * 3 + 7;
  check::equal("graph", read(memory), want);
  check::equal("fill", read(other), std::vector<int>(n, 0x01020304));

  // Changed in the executable only.
  factor = -2;
  parameters = launch_of(kernels.scale, scale_arguments);
  CU_OK(cuGraphExecKernelNodeSetParams(executable, scale, &parameters));
  CU_OK(cuGraphNodeSetEnabled(executable, fill, 0));
  CU_OK(cuMemsetD32(other, 9, n));
  CU_OK(cuGraphLaunch(executable, stream));
  CU_OK(cuStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) want[i] = in[i] * -2 + 7;
  check::equal("changed executable", read(memory), want);
  check::equal("disabled fill", read(other), std::vector<int>(n, 9));
  unsigned enabled = 1;
  CU_OK(cuGraphNodeGetEnabled(executable, fill, &enabled));
  CHECK_EQ(enabled, 0u);

  // A clone as the new state of the executable.
  CUgraph clone;
  CU_OK(cuGraphClone(&clone, graph));
  CUgraphNode cloned;
  CU_OK(cuGraphNodeFindInClone(&cloned, scale, clone));
  factor = 5;
  CU_OK(cuGraphKernelNodeSetParams(cloned, &parameters));
  CUgraphExecUpdateResultInfo info;
  CU_OK(cuGraphExecUpdate(executable, clone, &info));
  CHECK_EQ(info.result, CU_GRAPH_EXEC_UPDATE_SUCCESS);
  CU_OK(cuGraphLaunch(executable, stream));
  CU_OK(cuStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) want[i] = in[i] * 5 + 7;
  check::equal("updated", read(memory), want);
  CU_OK(cuGraphDestroyNode(fill));
  CHECK_EQ(cuGraphExecUpdate(executable, graph, &info), CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  CHECK_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  CHECK_EQ(cuGraphDestroyNode(fill), CUDA_ERROR_INVALID_VALUE);

  CU_OK(cuGraphExecDestroy(executable));
  CU_OK(cuGraphDestroy(clone));
  CU_OK(cuGraphDestroy(graph));
  CHECK_EQ(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuMemFree(other));
  CU_OK(cuMemFree(memory));
}

void attributes(const Kernels& kernels) {
  CUgraph graph;
  CU_OK(cuGraphCreate(&graph, 0));
  CUdeviceptr memory = 0;
  CU_OK(cuMemAlloc(&memory, n * sizeof(int)));
  int factor = 3, number = n;
  void* arguments[] = {&memory, &factor, &number};
  CUDA_KERNEL_NODE_PARAMS parameters = launch_of(kernels.scale, arguments);
  CUgraphNode first, second;
  CU_OK(cuGraphAddKernelNode(&first, graph, nullptr, 0, &parameters));
  CU_OK(cuGraphAddKernelNode(&second, graph, nullptr, 0, &parameters));
  CUkernelNodeAttrValue value = {};
  value.priority = -1;
  CU_OK(cuGraphKernelNodeSetAttribute(first, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &value));
  CU_OK(cuGraphKernelNodeSetParams(first, &parameters));  // which keeps them
  value.priority = 9;
  CU_OK(cuGraphKernelNodeGetAttribute(second, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &value));
  CHECK_EQ(value.priority, 0);
  CU_OK(cuGraphKernelNodeCopyAttributes(second, first));
  CU_OK(cuGraphKernelNodeGetAttribute(second, CU_KERNEL_NODE_ATTRIBUTE_PRIORITY, &value));
  CHECK_EQ(value.priority, -1);
  CHECK_EQ(cuGraphKernelNodeGetAttribute(first, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
           CUDA_ERROR_INVALID_VALUE);
  value.clusterDim.x = 2;
  value.clusterDim.y = value.clusterDim.z = 1;
  CHECK_EQ(cuGraphKernelNodeSetAttribute(first, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value),
           CUDA_ERROR_NOT_SUPPORTED);
  CU_OK(cuMemFree(memory));
  CU_OK(cuGraphDestroy(graph));
}

/// Memory that a graph makes, a child in it, host functions and events.
void other_nodes(const Kernels& kernels) {
  std::vector<int> in(n, 4), out(n, -1);
  CUgraph graph, child;
  CU_OK(cuGraphCreate(&graph, 0));
  CU_OK(cuGraphCreate(&child, 0));
  CUDA_MEM_ALLOC_NODE_PARAMS made = {};
  made.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  made.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  made.bytesize = n * sizeof(int);
  CUgraphNode allocate, copy, inner, back, host, record, wait, free;
  CU_OK(cuGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &made));
  CHECK(made.dptr != 0);
  CUDA_MEMCPY3D copied = copy_of(made.dptr, in.data(), n * sizeof(int));
  CU_OK(cuGraphAddMemcpyNode(&copy, graph, &allocate, 1, &copied, kernels.context));
  int amount = 38, number = n;
  void* arguments[] = {&made.dptr, &amount, &number};
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_KERNEL;
  any.kernel = launch_of(nullptr, arguments);
  any.kernel.kern = reinterpret_cast<CUkernel>(kernels.add);
  CUgraphNode kernel;
  CU_OK(cuGraphAddNode(&kernel, child, nullptr, 0, &any));
  CU_OK(cuGraphAddChildGraphNode(&inner, graph, &copy, 1, child));
  CUgraph held;
  CU_OK(cuGraphChildGraphNodeGetGraph(inner, &held));
  std::size_t count = 0;
  CU_OK(cuGraphGetNodes(held, nullptr, &count));
  CHECK_EQ(count, 1u);
  copied = {};
  copied.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copied.srcDevice = made.dptr;
  copied.dstMemoryType = CU_MEMORYTYPE_HOST;
  copied.dstHost = out.data();
  copied.WidthInBytes = n * sizeof(int);
  copied.Height = copied.Depth = 1;
  CU_OK(cuGraphAddMemcpyNode(&back, graph, &inner, 1, &copied, kernels.context));
  static std::atomic<long> sum{0};
  const CUDA_HOST_NODE_PARAMS function = {
      [](void* data) {
        for (const int value : *static_cast<std::vector<int>*>(data)) sum += value;
      },
      &out};
  CU_OK(cuGraphAddHostNode(&host, graph, &back, 1, &function));
  CUevent event, other, known;
  CU_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  CU_OK(cuEventCreate(&other, CU_EVENT_DEFAULT));
  CU_OK(cuGraphAddEventRecordNode(&record, graph, &host, 1, event));
  CU_OK(cuGraphAddEventWaitNode(&wait, graph, &record, 1, other));
  CU_OK(cuGraphEventRecordNodeGetEvent(record, &known));
  CHECK(known == event);
  CU_OK(cuGraphEventWaitNodeSetEvent(wait, event));
  CU_OK(cuGraphEventWaitNodeGetEvent(wait, &known));
  CHECK(known == event);
  CU_OK(cuGraphAddMemFreeNode(&free, graph, &back, 1, made.dptr));
  CUdeviceptr freed = 0;
  CU_OK(cuGraphMemFreeNodeGetParams(free, &freed));
  CHECK(freed == made.dptr);
  CUgraphExec executable;
  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  CU_OK(cuGraphInstantiateWithParams(&executable, graph, &how));
  CHECK_EQ(how.result_out, CUDA_GRAPH_INSTANTIATE_SUCCESS);
  CU_OK(cuGraphLaunch(executable, nullptr));
  CU_OK(cuCtxSynchronize());
  check::equal("through a child", out, std::vector<int>(n, 42));
  CHECK_EQ(sum.load(), 42L * n);
  CU_OK(cuEventQuery(event));
  // Another graph in the child's place.
  amount = -4;
  CUgraph changed;
  CU_OK(cuGraphClone(&changed, child));
  CUgraphNode cloned;
  CU_OK(cuGraphNodeFindInClone(&cloned, kernel, changed));
  any.kernel.func = kernels.add;
  CU_OK(cuGraphNodeSetParams(cloned, &any));
  CU_OK(cuGraphExecChildGraphNodeSetParams(executable, inner, changed));
  CU_OK(cuGraphLaunch(executable, nullptr));
  CU_OK(cuCtxSynchronize());
  check::equal("another child", out, std::vector<int>(n, 0));
  CUgraphNode extra;
  CU_OK(cuGraphAddEmptyNode(&extra, changed, nullptr, 0));
  CHECK_EQ(cuGraphExecChildGraphNodeSetParams(executable, inner, changed),
           CUDA_ERROR_INVALID_VALUE);
  cuuint64_t used = 1;
  CU_OK(cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
  CHECK(used >= n * sizeof(int));
  CU_OK(cuGraphExecDestroy(executable));
  CU_OK(cuGraphDestroy(changed));
  CU_OK(cuGraphDestroy(child));
  CU_OK(cuGraphDestroy(graph));
  CU_OK(cuEventDestroy(other));
  CU_OK(cuEventDestroy(event));
}

void condition(const Kernels& kernels) {
  CUdeviceptr counter = 0;
  CU_OK(cuMemAlloc(&counter, sizeof(int)));
  CU_OK(cuMemsetD32(counter, 0, 1));
  CUgraph graph;
  CU_OK(cuGraphCreate(&graph, 0));
  CUgraphConditionalHandle handle;
  CU_OK(cuGraphConditionalHandleCreate(&handle, graph, kernels.context, 1,
                                       CU_GRAPH_COND_ASSIGN_DEFAULT));
  CUgraphNodeParams parameters = {};
  parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  parameters.conditional.handle = handle;
  parameters.conditional.type = CU_GRAPH_COND_TYPE_WHILE;
  parameters.conditional.size = 1;
  CUgraphNode loop, body;
  CU_OK(cuGraphAddNode(&loop, graph, nullptr, 0, &parameters));
  int last = 17;
  void* arguments[] = {&counter, &last, &handle};
  CUDA_KERNEL_NODE_PARAMS launch = launch_of(kernels.count, arguments);
  launch.gridDimX = launch.blockDimX = 1;
  CU_OK(cuGraphAddKernelNode(&body, parameters.conditional.phGraph_out[0], nullptr, 0, &launch));
  CUgraphExec executable;
  CU_OK(cuGraphInstantiateWithFlags(&executable, graph, 0));
  CU_OK(cuGraphLaunch(executable, nullptr));
  CU_OK(cuCtxSynchronize());
  CHECK_EQ(read(counter, 1)[0], 17);
  CU_OK(cuGraphExecDestroy(executable));
  CU_OK(cuGraphDestroy(graph));
  CU_OK(cuMemFree(counter));
}

void capture(const Kernels& kernels) {
  CUdeviceptr memory = 0;
  CU_OK(cuMemAlloc(&memory, n * sizeof(int)));
  CUstream stream;
  CU_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUstreamCaptureStatus status;
  CU_OK(cuStreamIsCapturing(stream, &status));
  CHECK_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
  CU_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  CU_OK(cuMemsetD32Async(memory, 2, n, stream));
  int factor = 21, number = n;
  void* arguments[] = {&memory, &factor, &number};
  CU_OK(cuLaunchKernel(kernels.scale, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr));
  CUgraph graph, seen;
  cuuint64_t id = 0;
  const CUgraphNode* latest = nullptr;
  const CUgraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  CU_OK(cuStreamGetCaptureInfo_v3(stream, &status, &id, &seen, &latest, &edges, &count));
  CHECK(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && id != 0 && count == 1 && !edges);
  CUgraphNodeType type;
  CU_OK(cuGraphNodeGetType(latest[0], &type));
  CHECK_EQ(type, CU_GRAPH_NODE_TYPE_KERNEL);
  CU_OK(cuStreamEndCapture(stream, &graph));
  CHECK(graph == seen);
  CU_OK(cuMemsetD32(memory, 1, n));  // the capture did nothing
  check::equal("captured only", read(memory), std::vector<int>(n, 1));
  CUgraphExec executable;
  CU_OK(cuGraphInstantiate(&executable, graph, 0));
  CU_OK(cuGraphLaunch(executable, stream));
  CU_OK(cuStreamSynchronize(stream));
  check::equal("captured", read(memory), std::vector<int>(n, 42));
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  CU_OK(cuThreadExchangeStreamCaptureMode(&mode));
  CHECK_EQ(mode, CU_STREAM_CAPTURE_MODE_GLOBAL);
  CHECK_EQ(cuStreamEndCapture(stream, &graph), CUDA_ERROR_ILLEGAL_STATE);
  CU_OK(cuGraphExecDestroy(executable));
  CU_OK(cuStreamDestroy(stream));
  CU_OK(cuMemFree(memory));
}

/// The object goes with the last of: the program's reference, graph, clone, executable, launch.
void user_objects() {
  static std::atomic<int> destroyed{0};
  destroyed = 0;
  const cudaHostFn_t destroy = [](void* data) { destroyed += *static_cast<int*>(data); };
  int weight = 5;
  cudaUserObject_t object;
  CHECK_EQ(cudaUserObjectCreate(&object, &weight, destroy, 1, 0), cudaErrorInvalidValue);
  CHECK_EQ(cudaUserObjectCreate(&object, &weight, nullptr, 1, cudaUserObjectNoDestructorSync),
           cudaErrorInvalidValue);
  CUDA_OK(cudaUserObjectCreate(&object, &weight, destroy, 2, cudaUserObjectNoDestructorSync));
  CUDA_OK(cudaUserObjectRetain(object, 3));
  CUDA_OK(cudaUserObjectRelease(object, 4));
  CHECK_EQ(cudaUserObjectRelease(object, 2), cudaErrorInvalidValue);
  cudaGraph_t graph, clone;
  CUDA_OK(cudaGraphCreate(&graph, 0));
  CUDA_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK_EQ(cudaUserObjectRelease(object, 1), cudaErrorInvalidValue);  // it was moved
  CHECK_EQ(cudaGraphReleaseUserObject(graph, object, 2), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphRetainUserObject(graph, nullptr, 1, 0), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphClone(&clone, graph));
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaGraphDestroy(clone));
  CHECK_EQ(destroyed.load(), 0);
  CUDA_OK(cudaGraphLaunch(executable, 0));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(destroyed.load(), 0);
  CUDA_OK(cudaGraphLaunch(executable, 0));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaDeviceSynchronize());
  CHECK_EQ(destroyed.load(), 5);

  CUuserObject second;
  CU_OK(cuUserObjectCreate(&second, &weight, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
  CU_OK(cuUserObjectRetain(second, 1));
  CU_OK(cuUserObjectRelease(second, 2));
  CHECK_EQ(destroyed.load(), 10);
  CHECK_EQ(cuUserObjectRelease(second, 1), CUDA_ERROR_INVALID_VALUE);
}

int main() {
  CU_OK(cuInit(0));
  Kernels kernels;
  CU_OK(cuDevicePrimaryCtxRetain(&kernels.context, 0));
  CU_OK(cuCtxSetCurrent(kernels.context));
  const std::string folder = check::own_folder();
  CU_OK(cuModuleLoad(&kernels.module, (folder + "/kernels.fatbin").c_str()));
  CU_OK(cuModuleGetFunction(&kernels.scale, kernels.module, "scale"));
  CU_OK(cuModuleGetFunction(&kernels.add, kernels.module, "add"));
  CU_OK(cuModuleGetFunction(&kernels.count, kernels.module, "count"));
  nodes(kernels);
  attributes(kernels);
  other_nodes(kernels);
  condition(kernels);
  capture(kernels);
  user_objects();
  return check::finish();
}
