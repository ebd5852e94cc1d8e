// Times what the host pays to have a GPU work: launches by themselves, and as graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   launches [NAME...]
//
// Each number is a time from the first call until the GPU is done, divided by the number of
// kernels: that of the process's first launch, and medians. Kernels that are not empty form a
// chain: each changes what the one before has left, and what the last one leaves is compared with
// what the host makes of it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int n = 1000, block = 128, rounds = 41;
constexpr unsigned factor = 1664525, summand = 1013904223;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "launches: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

__global__ void empty() {}

__global__ void step(unsigned* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = values[i] * factor + summand;
}

std::set<std::string> wanted;

bool is_wanted(const std::string& name) { return wanted.empty() || wanted.count(name) != 0; }

double microseconds_now() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

template <class Work>
void time(const std::string& name, int kernels, Work work) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    check(cudaDeviceSynchronize());
    const double start = microseconds_now();
    work();
    check(cudaDeviceSynchronize());
    if (round > 3) times.push_back(microseconds_now() - start);
  }
  check(cudaGetLastError());
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  std::printf("%s %.6g\n", name.c_str(), times[times.size() / 2] / kernels);
  std::fflush(stdout);
}

/// What `step` works on; counts how often it did.
class Chain {
 public:
  explicit Chain(cudaStream_t stream) : stream_(stream), expected_(n) {
    for (int i = 0; i < n; ++i) expected_[i] = i;
    check(cudaMalloc(&values_, n * sizeof(unsigned)));
    check(cudaMemcpy(values_, expected_.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
  }
  void launch(int steps) {
    for (int i = 0; i < steps; ++i)
      step<<<(n + block - 1) / block, block, 0, stream_>>>(values_, n);
    check(cudaGetLastError());
  }
  void end(const std::string& name, long long steps) {
    for (unsigned& value : expected_)
      for (long long i = 0; i < steps; ++i) value = value * factor + summand;
    std::vector<unsigned> found(n);
    check(cudaMemcpy(found.data(), values_, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    check(cudaFree(values_));
    if (found == expected_) return;
    std::fprintf(stderr, "launches: %s: wrong values\n", name.c_str());
    std::exit(1);
  }

 private:
  cudaStream_t stream_;
  unsigned* values_ = nullptr;
  std::vector<unsigned> expected_;
};

/// Everything is launched for the first time: its code comes to the GPU.
void time_first(const std::string& name) {
  if (!is_wanted(name)) return;
  check(cudaFree(nullptr));
  const double start = microseconds_now();
  empty<<<1, 1>>>();
  check(cudaDeviceSynchronize());
  const double end = microseconds_now();
  check(cudaGetLastError());
  std::printf("%s %.6g\n", name.c_str(), end - start);
}

void time_launches(const std::string& name, cudaStream_t stream, int kernels) {
  if (!is_wanted(name)) return;
  Chain chain(stream);
  time(name, kernels, [&] { chain.launch(kernels); });
  chain.end(name, 1LL * rounds * kernels);
}

void time_graph(const std::string& name, cudaStream_t stream, int kernels) {
  if (!is_wanted(name)) return;
  Chain chain(stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  chain.launch(kernels);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));
  time(name, kernels, [&] { check(cudaGraphLaunch(executable, stream)); });
  chain.end(name, 1LL * rounds * kernels);
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
}

}  // namespace

int main(int count, char** words) {
  wanted.insert(words + 1, words + count);
  std::puts("# microseconds of a kernel");
  time_first("first_launch");
  if (is_wanted("empty_launch")) time("empty_launch", 1, [] { empty<<<1, 1>>>(); });
  cudaStream_t stream;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int kernels : {1, 10, 100, 1000}) {
    time_launches("launches_of_" + std::to_string(kernels), stream, kernels);
    time_graph("graph_of_" + std::to_string(kernels), stream, kernels);
  }
  check(cudaStreamDestroy(stream));
}
