// Graphs that are launched again and again, which a device may take as a whole.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Graphs | graphs with branches launched many times, changed in between; launches of one executable in several streams
#include "check.h"

#include <algorithm>
#include <atomic>
#include <memory>

constexpr unsigned n = 769;
constexpr int buffers = 7;
using Values = std::vector<unsigned>;
using Memory = std::vector<Values>;

__device__ unsigned launches;

__global__ void combine(unsigned* out, const unsigned* a, const unsigned* b, unsigned factor) {
  extern __shared__ unsigned staged[];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) atomicAdd(&launches, 1u);
  staged[threadIdx.x] = i < n ? a[i] * factor : 0;
  __syncthreads();
  if (i < n) out[i] = staged[threadIdx.x] + b[(i + 1) % n];
}

Values combined(const Values& a, const Values& b, unsigned factor) {
  Values out(n);
  for (unsigned i = 0; i < n; ++i) out[i] = a[i] * factor + b[(i + 1) % n];
  return out;
}

int below(check::Random& random, std::size_t end) {
  return static_cast<int>(random.integer(0, static_cast<long long>(end) - 1));
}

void CUDART_CB count(void* data) { ++*static_cast<std::atomic<int>*>(data); }

/// What one node does, and the same on the host.
struct Operation {
  enum Kind { kernel, fill, copy, box, host, empty } kind;
  int to, a, b;
  unsigned value;
  bool is_enabled = true;

  void apply(Memory& memory) const {
    if (!is_enabled) return;
    Values& out = memory[to];
    if (kind == kernel) out = combined(memory[a], memory[b], value);
    if (kind == fill) std::fill(out.begin(), out.end(), (value & 255) * 0x01010101u);
    if (kind == copy) std::copy_n(memory[a].begin(), n - 5, out.begin() + 5);
    if (kind == box)  // 12 rows of 37 in rows of 64
      for (unsigned row = 0; row < 12; ++row)
        std::copy_n(memory[a].begin() + row * 64, 37, out.begin() + row * 64 + 3);
  }
  bool reads(int buffer) const {
    const bool has_a = kind == kernel || kind == copy || kind == box;
    return (has_a && a == buffer) || (kind == kernel && b == buffer);
  }
  bool writes(int buffer) const { return kind <= box && to == buffer; }
  bool conflicts(const Operation& other) const {
    for (int i = 0; i < buffers; ++i)
      if ((writes(i) && (other.reads(i) || other.writes(i))) || (reads(i) && other.writes(i)))
        return true;
    return false;
  }
};

/// A random graph and its executable. Nodes wait for those that they conflict with, and some
/// others.
class Program {
 public:
  Program(check::Random& random, bool has_host_nodes) {
    for (const Values& values : host_)
      device_.push_back(std::make_unique<check::Array<unsigned>>(values));
    const int nodes = 3 + below(random, 20);
    for (int i = 0; i < nodes; ++i) {
      operations_.push_back(some_operation(random, has_host_nodes));
      std::vector<cudaGraphNode_t> before;
      for (int k = 0; k < i; ++k)
        if (operations_[i].conflicts(operations_[k]) || below(random, 8) == 0)
          before.push_back(nodes_[k]);
      nodes_.push_back(add(operations_[i], before));
    }
    CUDA_OK(cudaGraphInstantiate(&executable_, graph_, nullptr, nullptr, 0));
  }
  ~Program() {
    CUDA_OK(cudaGraphExecDestroy(executable_));
    CUDA_OK(cudaGraphDestroy(graph_));
  }

  void launch(cudaStream_t stream) {
    CUDA_OK(cudaGraphLaunch(executable_, stream));
    for (const Operation& operation : operations_) {
      operation.apply(host_);
      expected_calls_ += operation.kind == Operation::host && operation.is_enabled;
    }
  }
  void compare() {
    CUDA_OK(cudaDeviceSynchronize());
    for (int i = 0; i < buffers; ++i) check::equal("buffer", device_[i]->get(), host_[i]);
    CHECK_EQ(calls_.load(), expected_calls_);
  }
  /// Another factor for one kernel, if there is one.
  void change(check::Random& random) {
    for (std::size_t i = below(random, nodes_.size()); i < nodes_.size(); ++i) {
      if (operations_[i].kind != Operation::kernel) continue;
      operations_[i].value = below(random, 1000);
      Launch launch(*this, operations_[i]);
      return CUDA_OK(cudaGraphExecKernelNodeSetParams(executable_, nodes_[i], &launch.parameters));
    }
  }
  /// One kernel, copy or fill more or less.
  void toggle(check::Random& random) {
    const std::size_t i = below(random, nodes_.size());
    if (operations_[i].kind > Operation::box) return;
    operations_[i].is_enabled = !operations_[i].is_enabled;
    CUDA_OK(cudaGraphNodeSetEnabled(executable_, nodes_[i], operations_[i].is_enabled));
  }

 private:
  struct Launch {
    unsigned *out, *a, *b, factor;
    void* arguments[4] = {&out, &a, &b, &factor};
    cudaKernelNodeParams parameters = {};
    Launch(Program& program, const Operation& operation)
        : out(program.device_[operation.to]->data()),
          a(program.device_[operation.a]->data()),
          b(program.device_[operation.b]->data()),
          factor(operation.value) {
      parameters.func = reinterpret_cast<void*>(combine);
      parameters.gridDim = dim3((n + 95) / 96);
      parameters.blockDim = dim3(96);
      parameters.sharedMemBytes = 96 * sizeof(unsigned);
      parameters.kernelParams = arguments;
    }
  };

  static Operation some_operation(check::Random& random, bool has_host_nodes) {
    const int to = below(random, buffers);
    const int a = (to + 1 + below(random, buffers - 1)) % buffers;
    const int b = (to + 1 + below(random, buffers - 1)) % buffers;
    const int kind = below(random, has_host_nodes ? 12 : 10);
    const auto of = kind < 6    ? Operation::kernel
                    : kind == 6 ? Operation::fill
                    : kind == 7 ? Operation::copy
                    : kind == 8 ? Operation::box
                    : kind == 9 ? Operation::empty
                                : Operation::host;
    return {of, to, a, b, static_cast<unsigned>(below(random, 1000))};
  }

  cudaGraphNode_t add(const Operation& operation, const std::vector<cudaGraphNode_t>& before) {
    cudaGraphNode_t node = nullptr;
    unsigned* const to = device_[operation.to]->data();
    unsigned* const from = device_[operation.a]->data();
    switch (operation.kind) {
      case Operation::kernel: {
        Launch launch(*this, operation);
        CUDA_OK(cudaGraphAddKernelNode(&node, graph_, before.data(), before.size(),
                                       &launch.parameters));
        break;
      }
      case Operation::fill: {
        cudaMemsetParams fill = {};
        fill.dst = to;
        fill.value = operation.value & 255;
        fill.elementSize = 1;
        fill.width = n * sizeof(unsigned);
        fill.height = 1;
        CUDA_OK(cudaGraphAddMemsetNode(&node, graph_, before.data(), before.size(), &fill));
        break;
      }
      case Operation::copy:
        CUDA_OK(cudaGraphAddMemcpyNode1D(&node, graph_, before.data(), before.size(), to + 5, from,
                                         (n - 5) * sizeof(unsigned), cudaMemcpyDeviceToDevice));
        break;
      case Operation::box: {
        constexpr std::size_t pitch = 64 * sizeof(unsigned);
        cudaMemcpy3DParms box = {};
        box.srcPtr = make_cudaPitchedPtr(from, pitch, 64, 12);
        box.dstPtr = make_cudaPitchedPtr(to + 3, pitch, 61, 12);
        box.extent = make_cudaExtent(37 * sizeof(unsigned), 12, 1);
        box.kind = cudaMemcpyDeviceToDevice;
        CUDA_OK(cudaGraphAddMemcpyNode(&node, graph_, before.data(), before.size(), &box));
        break;
      }
      case Operation::host: {
        cudaHostNodeParams call = {count, &calls_};
        CUDA_OK(cudaGraphAddHostNode(&node, graph_, before.data(), before.size(), &call));
        break;
      }
      case Operation::empty:
        CUDA_OK(cudaGraphAddEmptyNode(&node, graph_, before.data(), before.size()));
    }
    return node;
  }

  static Memory random_memory() {
    check::Random random(11);
    Memory memory(buffers);
    for (Values& values : memory) values = random.integers<unsigned>(n, 0, 1 << 30);
    return memory;
  }

  Memory host_ = random_memory();
  std::vector<std::unique_ptr<check::Array<unsigned>>> device_;
  std::atomic<int> calls_{0};
  int expected_calls_ = 0;
  std::vector<Operation> operations_;
  std::vector<cudaGraphNode_t> nodes_;
  cudaGraph_t graph_ = make_graph();
  cudaGraphExec_t executable_ = nullptr;

  static cudaGraph_t make_graph() {
    cudaGraph_t graph = nullptr;
    CUDA_OK(cudaGraphCreate(&graph, 0));
    return graph;
  }
};

void random_graphs(bool has_host_nodes) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    CUDA_OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (unsigned seed = 0; seed < 12; ++seed) {
    check::Random random(seed);
    Program program(random, has_host_nodes);
    for (int change = 0; change < 4; ++change) {
      // One executable never runs beside itself, whatever the streams.
      for (int i = 0; i < 5; ++i) program.launch(streams[below(random, 2)]);
      program.compare();
      if (change % 2 == 0) program.change(random);
      if (change > 0) program.toggle(random);
    }
  }
  for (cudaStream_t stream : streams) CUDA_OK(cudaStreamDestroy(stream));
}

// Work before and after the graph in its stream, page-locked memory in it.
void in_a_stream() {
  check::Random random(5);
  Values values = random.integers<unsigned>(n, 0, 1000);
  check::Array<unsigned> a(values), b(n), c(n);
  unsigned* pinned = nullptr;
  CUDA_OK(cudaMallocHost(&pinned, n * sizeof(unsigned)));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_OK(cudaMemcpyAsync(a.data(), pinned, n * sizeof(unsigned), cudaMemcpyHostToDevice, stream));
  combine<<<9, 96, 96 * sizeof(unsigned), stream>>>(b.data(), a.data(), c.data(), 3);
  combine<<<9, 96, 96 * sizeof(unsigned), stream>>>(c.data(), b.data(), a.data(), 5);
  CUDA_OK(cudaMemcpyAsync(pinned, c.data(), n * sizeof(unsigned), cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  CUDA_OK(cudaGraphDestroy(graph));
  std::copy(values.begin(), values.end(), pinned);
  Values before(n, 7u);
  for (int round = 0; round < 6; ++round) {
    CUDA_OK(cudaMemcpyAsync(c.data(), before.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice,
                            stream));
    CUDA_OK(cudaGraphLaunch(executable, stream));
    CUDA_OK(cudaStreamSynchronize(stream));
    values = combined(combined(values, before, 3), values, 5);
    CHECK(std::equal(values.begin(), values.end(), pinned));
    for (unsigned& one : before) one = one * 3 + round;
  }
  // It is still running when it is destroyed.
  CUDA_OK(cudaMemcpyAsync(c.data(), before.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice,
                          stream));
  for (int round = 0; round < 40; ++round) CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int round = 0; round < 40; ++round)
    values = before = combined(combined(values, before, 3), values, 5);
  CHECK(std::equal(values.begin(), values.end(), pinned));
  CUDA_OK(cudaStreamDestroy(stream));
  CUDA_OK(cudaFreeHost(pinned));
}

// Every kernel of a graph runs once in each launch.
void counted() {
  check::Array<unsigned> a(n), b(n), c(n);
  unsigned before = 0, after = 0;
  CUDA_OK(cudaMemcpyFromSymbol(&before, launches, sizeof before));
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  for (int i = 0; i < 10; ++i)
    combine<<<9, 96, 96 * sizeof(unsigned), stream>>>(c.data(), a.data(), b.data(), 1);
  cudaGraph_t graph;
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t executable;
  CUDA_OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  for (int round = 0; round < 7; ++round) CUDA_OK(cudaGraphLaunch(executable, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  CUDA_OK(cudaMemcpyFromSymbol(&after, launches, sizeof after));
  CHECK_EQ(after - before, 70u);
  CUDA_OK(cudaGraphExecDestroy(executable));
  CUDA_OK(cudaGraphDestroy(graph));
  CUDA_OK(cudaStreamDestroy(stream));
}

int main() {
  random_graphs(false);
  random_graphs(true);
  in_a_stream();
  counted();
  return check::finish();
}
