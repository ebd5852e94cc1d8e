// Graphs built node by node.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Graphs | kernel, memcpy (1-D and 3-D), memset of 1, 2 and 4 bytes, host, empty, event and child graph nodes
// FEATURE: Graphs | dependencies, clones, queries, node parameters read and changed in graphs and executables, disabled nodes
// FEATURE: Graphs | allocation and free nodes, cycles and wrong nodes refused, cudaGraphDebugDotPrint
#include "check.h"

#include <fstream>
#include <sstream>

__global__ void affine(int* values, int n, int factor, int offset) {
  const int i = check::global_index();
  if (i < n) values[i] = values[i] * factor + offset;
}
__global__ void transpose(const short* in, short* out, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) out[x * rows + y] = in[y * columns + x];
}

void CUDART_CB store(void* data) { ++*static_cast<int*>(data); }

constexpr int n = 509;

/// Parameters of affine().
struct Affine {
  int* values;
  int count, factor, offset;
  void* arguments[4] = {&values, &count, &factor, &offset};
  cudaKernelNodeParams parameters = {};

  Affine(int* values_, int factor_, int offset_)
      : values(values_), count(n), factor(factor_), offset(offset_) {
    parameters.func = reinterpret_cast<void*>(affine);
    parameters.gridDim = dim3(8);
    parameters.blockDim = dim3(64);
    parameters.kernelParams = arguments;
  }
  Affine(const Affine&) = delete;
};

cudaGraphNode_t add(cudaGraph_t graph, std::vector<cudaGraphNode_t> after, const Affine& kernel) {
  cudaGraphNode_t node = nullptr;
  CUDA_OK(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &kernel.parameters));
  return node;
}

void run(cudaGraph_t graph, cudaStream_t stream = 0) {
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiateWithFlags(&executable, graph, 0));
  CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaStreamSynchronize(stream));
}

struct Graph {
  cudaGraph_t handle = nullptr;
  Graph() { CUDA_OK(cudaGraphCreate(&handle, 0)); }
  ~Graph() { CUDA_OK(cudaGraphDestroy(handle)); }
  operator cudaGraph_t() const { return handle; }
};

// Nodes are made in another order than they run in.
void dependencies() {
  const auto in = check::Random(5).integers<int>(n, -9, 9);
  check::Array<int> values(in);
  Graph graph;
  const cudaGraphNode_t last = add(graph, {}, Affine(values.data(), 3, 1));
  const cudaGraphNode_t first = add(graph, {}, Affine(values.data(), -2, 7));
  const cudaGraphNode_t middle = add(graph, {first, first}, Affine(values.data(), 5, -1));
  CUDA_OK(cudaGraphAddDependencies(graph, &middle, &last, 1));
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = ((in[i] * -2 + 7) * 5 - 1) * 3 + 1;
  run(graph);
  check::equal("in the order of dependencies", values.get(), want);

  std::size_t count = 0;
  cudaGraphNode_t from[4] = {}, to[4] = {};
  CUDA_OK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
  CHECK_EQ(count, 2u);
  count = 4;
  CUDA_OK(cudaGraphGetEdges(graph, from, to, &count));
  CHECK_EQ(count, 2u);
  CHECK(from[0] == middle && to[0] == last && from[1] == first && to[1] == middle);
  CHECK(from[2] == nullptr && to[3] == nullptr);
  count = 4;
  CUDA_OK(cudaGraphNodeGetDependentNodes(first, to, &count));
  CHECK(count == 1 && to[0] == middle);
  count = 4;
  CUDA_OK(cudaGraphNodeGetDependencies(last, from, &count));
  CHECK(count == 1 && from[0] == middle);
  count = 4;
  CUDA_OK(cudaGraphGetRootNodes(graph, from, &count));
  CHECK(count == 1 && from[0] == first);
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  CUDA_OK(cudaGraphNodeGetType(first, &type));
  CHECK_EQ(type, cudaGraphNodeTypeKernel);

  CUDA_OK(cudaGraphAddDependencies(graph, &last, &first, 1));  // a cycle
  cudaGraphExec_t executable = nullptr;
  CHECK_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphRemoveDependencies(graph, &last, &first, 1));
  CUDA_OK(cudaGraphDestroyNode(middle));
  CHECK_EQ(cudaGraphNodeGetType(middle, &type), cudaErrorInvalidValue);
  CUDA_OK(cudaGraphGetEdges(graph, nullptr, nullptr, &count));
  CHECK_EQ(count, 0u);
  Graph other;
  CHECK_EQ(cudaGraphAddEmptyNode(&to[0], other, &first, 1), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

// Copies of whole rows and of boxes, fills of all element sizes, host functions, children.
void all_kinds() {
  const int rows = 37, columns = 29;
  check::Random random(11);
  const auto in = random.integers<short>(rows * columns, -999, 999);
  check::Array<short> matrix(rows * columns), turned(rows * columns), part(rows * columns);
  check::Array<unsigned char> bytes(n);
  check::Array<unsigned> words(n);
  int calls = 0;
  std::vector<short> out(rows * columns, -1);
  CUDA_OK(cudaDeviceSynchronize());

  Graph child;
  cudaGraphNode_t upload, kernel;
  CUDA_OK(cudaGraphAddMemcpyNode1D(&upload, child, nullptr, 0, matrix.data(), in.data(),
                                   in.size() * sizeof(short), cudaMemcpyHostToDevice));
  const short* source = matrix.data();
  short* target = turned.data();
  int r = rows, c = columns;
  void* arguments[] = {&source, &target, &r, &c};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(transpose);
  launch.gridDim = dim3((columns + 7) / 8, (rows + 3) / 4);
  launch.blockDim = dim3(8, 4);
  launch.kernelParams = arguments;
  CUDA_OK(cudaGraphAddKernelNode(&kernel, child, &upload, 1, &launch));

  Graph graph;
  cudaGraphNode_t nodes[9];
  cudaMemsetParams fill = {};
  fill.dst = part.data();
  fill.value = 0xfedc;
  fill.elementSize = 2;
  fill.width = rows * columns;
  fill.height = 1;
  CUDA_OK(cudaGraphAddMemsetNode(&nodes[0], graph, nullptr, 0, &fill));
  fill.dst = bytes.data();
  fill.value = 0x5a;
  fill.elementSize = 1;
  fill.width = n;
  CUDA_OK(cudaGraphAddMemsetNode(&nodes[1], graph, nullptr, 0, &fill));
  fill.dst = words.data() + 1;  // 3 columns of 7 in each of 70 rows
  fill.value = 0x01020304;
  fill.elementSize = 4;
  fill.pitch = 7 * sizeof(unsigned);
  fill.width = 3;
  fill.height = 70;
  CUDA_OK(cudaGraphAddMemsetNode(&nodes[2], graph, nullptr, 0, &fill));
  CUDA_OK(cudaGraphAddChildGraphNode(&nodes[3], graph, nullptr, 0, child));
  CUDA_OK(cudaGraphAddEmptyNode(&nodes[4], graph, nodes, 4));
  // Rows 2..31 and columns 3..19 of the turned matrix, to (1, 4).
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(turned.data(), rows * sizeof(short), rows, columns);
  box.dstPtr = make_cudaPitchedPtr(part.data(), rows * sizeof(short), rows, columns);
  box.srcPos = make_cudaPos(3 * sizeof(short), 2, 0);
  box.dstPos = make_cudaPos(1 * sizeof(short), 4, 0);
  box.extent = make_cudaExtent(17 * sizeof(short), 23, 1);
  box.kind = cudaMemcpyDeviceToDevice;
  CUDA_OK(cudaGraphAddMemcpyNode(&nodes[5], graph, &nodes[4], 1, &box));
  CUDA_OK(cudaGraphAddMemcpyNode1D(&nodes[6], graph, &nodes[5], 1, out.data(), part.data(),
                                   out.size() * sizeof(short), cudaMemcpyDefault));
  cudaHostNodeParams host = {store, &calls};
  CUDA_OK(cudaGraphAddHostNode(&nodes[7], graph, &nodes[6], 1, &host));
  cudaEvent_t event;
  CUDA_OK(cudaEventCreate(&event));
  CUDA_OK(cudaGraphAddEventRecordNode(&nodes[8], graph, &nodes[7], 1, event));
  run(graph);
  CUDA_OK(cudaEventSynchronize(event));
  CUDA_OK(cudaEventQuery(event));
  CHECK_EQ(calls, 1);

  std::vector<short> want(rows * columns, static_cast<short>(0xfedc));
  for (int y = 0; y < 23; ++y)
    for (int x = 0; x < 17; ++x) want[(y + 4) * rows + x + 1] = in[(x + 3) * columns + y + 2];
  check::equal("box", out, want);
  check::equal("bytes", bytes.get(), std::vector<unsigned char>(n, 0x5a));
  std::vector<unsigned> wide(n, 0xA5A5A5A5u);
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 3; ++x) wide[1 + y * 7 + x] = 0x01020304;
  check::equal("words", words.get(), wide);
  CUDA_OK(cudaEventDestroy(event));
  fill.elementSize = 3;
  CHECK_EQ(cudaGraphAddMemsetNode(&nodes[0], graph, nullptr, 0, &fill), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

// An executable keeps what it was made from; changes reach only the one they name.
void parameters() {
  check::Array<int> values(std::vector<int>(n, 1));
  const auto expect = [&](const char* what, int value) {
    check::equal(what, values.get(), std::vector<int>(n, value));
    CUDA_OK(cudaMemcpy(values.data(), std::vector<int>(n, 1).data(), n * sizeof(int),
                       cudaMemcpyHostToDevice));
  };
  Graph graph;
  const cudaGraphNode_t first = add(graph, {}, Affine(values.data(), 10, 3));
  const cudaGraphNode_t second = add(graph, {first}, Affine(values.data(), 100, 1));
  cudaGraphExec_t executable = nullptr;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, 0));
  cudaGraph_t clone = nullptr;
  CUDA_OK(cudaGraphClone(&clone, graph));

  Affine other(values.data(), 7, 2);
  CUDA_OK(cudaGraphKernelNodeSetParams(first, &other.parameters));
  run(graph);
  expect("changed graph", 901);
  CUDA_OK(cudaGraphLaunch(executable, 0));
  expect("executable from before", 1301);
  run(clone);
  expect("clone from before", 1301);
  Affine third(values.data(), 2, 0);
  CUDA_OK(cudaGraphExecKernelNodeSetParams(executable, second, &third.parameters));
  CUDA_OK(cudaGraphLaunch(executable, 0));
  expect("changed executable", 26);
  CUDA_OK(cudaGraphNodeSetEnabled(executable, first, 0));
  unsigned enabled = 9;
  CUDA_OK(cudaGraphNodeGetEnabled(executable, first, &enabled));
  CHECK_EQ(enabled, 0u);
  CUDA_OK(cudaGraphLaunch(executable, 0));
  expect("disabled node", 2);

  cudaKernelNodeParams read = {};
  CUDA_OK(cudaGraphKernelNodeGetParams(first, &read));
  CHECK(read.func == reinterpret_cast<void*>(affine));
  CHECK_EQ(read.blockDim.x, 64u);
  CHECK_EQ(*static_cast<int*>(read.kernelParams[2]), 7);
  cudaGraphNode_t cloned = nullptr;
  CUDA_OK(cudaGraphNodeFindInClone(&cloned, second, clone));
  CHECK(cloned != nullptr && cloned != second);
  CUDA_OK(cudaGraphKernelNodeSetParams(cloned, &third.parameters));
  run(clone);
  expect("changed clone", 26);
  cudaMemsetParams wrong_kind = {};
  CHECK_EQ(cudaGraphMemsetNodeGetParams(first, &wrong_kind), cudaErrorInvalidValue);
  other.parameters.blockDim = dim3(2000);
  CHECK(cudaGraphKernelNodeSetParams(first, &other.parameters) != cudaSuccess);
  (void)cudaGetLastError();
  CUDA_OK(cudaGraphDestroy(clone));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CHECK_EQ(cudaGraphLaunch(executable, 0), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

// The program may free what a graph allocated and did not free.
void memory() {
  const auto in = check::Random(31).integers<int>(n, -9, 9);
  std::vector<int> out(n, -1), want(n);
  for (int i = 0; i < n; ++i) want[i] = in[i] * 4 - 3;
  cudaMemAllocNodeParams allocation = {};
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location = {cudaMemLocationTypeDevice, 0};
  allocation.bytesize = n * sizeof(int);
  {
    Graph graph;
    cudaGraphNode_t made, filled, freed;
    CUDA_OK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &allocation));
    int* values = static_cast<int*>(allocation.dptr);
    CUDA_OK(cudaGraphAddMemcpyNode1D(&filled, graph, &made, 1, values, in.data(), n * sizeof(int),
                                     cudaMemcpyHostToDevice));
    const cudaGraphNode_t kernel = add(graph, {filled}, Affine(values, 4, -3));
    run(graph);
    CUDA_OK(cudaMemcpy(out.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost));
    check::equal("a graph's memory", out, want);
    CUDA_OK(cudaFree(values));
    CUDA_OK(cudaGraphAddMemFreeNode(&freed, graph, &kernel, 1, values));
    CHECK_EQ(cudaGraphAddMemFreeNode(&freed, graph, &kernel, 1, out.data()), cudaErrorInvalidValue);
    (void)cudaGetLastError();
    run(graph);
  }
  CHECK_EQ(cudaFree(allocation.dptr), cudaErrorInvalidValue);  // went with the graph
  (void)cudaGetLastError();
  int* kept = nullptr;
  {
    Graph graph;
    cudaGraphNode_t made;
    CUDA_OK(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &allocation));
    kept = static_cast<int*>(allocation.dptr);
    run(graph);
  }
  CUDA_OK(cudaMemcpy(kept, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(out.data(), kept, n * sizeof(int), cudaMemcpyDeviceToHost));
  check::equal("memory that outlives its graph", out, in);
  CUDA_OK(cudaFree(kept));
}

void picture() {
  check::Array<int> values(n);
  Graph graph;
  const cudaGraphNode_t first = add(graph, {}, Affine(values.data(), 1, 1));
  add(graph, {first}, Affine(values.data(), 2, 2));
  char path[] = "/tmp/graph_nodes.XXXXXX";
  close(mkstemp(path));
  CUDA_OK(cudaGraphDebugDotPrint(graph, path, 0));
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::remove(path);
  CHECK(text.str().rfind("digraph", 0) == 0);
  CHECK(text.str().find("affine") != std::string::npos);
  CHECK(text.str().find("->") != std::string::npos);
  CHECK(cudaGraphDebugDotPrint(graph, "/no such folder/x.dot", 0) == cudaErrorOperatingSystem);
  (void)cudaGetLastError();
}

int main() {
  dependencies();
  all_kinds();
  parameters();
  memory();
  picture();
  return check::finish();
}
