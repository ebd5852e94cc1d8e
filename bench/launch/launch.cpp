// Launch overhead: what an empty kernel costs, launched back to back and with a wait each time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel is made by hand and registered as compiled objects do it, so no compiler is needed.
#include "abi/module.h"

#include "cuda_runtime_api.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace gridspan;

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
int __cudaRegisterFunction(void** handle, const char* stub, char* device_name, const char* name,
                           int thread_limit, void*, void*, void*, void*, int*);
}

namespace {

using Clock = std::chrono::steady_clock;

void empty_region(abi::BlockContext*, std::uint32_t, std::uint32_t) {}
void empty_thread(abi::ThreadContext*) {}

constexpr abi::Region regions[] = {
    {empty_region, abi::exited, abi::SyncKind::barrier, {nullptr, 0, 0}}};
constexpr abi::Parameter parameters[] = {{8, 8, 0, 1}, {4, 4, 8, 0}};

abi::Kernel make_kernel() {
  abi::Kernel kernel{};
  kernel.name = "empty";
  kernel.thread = empty_thread;
  kernel.regions = regions;
  kernel.region_count = 1;
  kernel.parameters = parameters;
  kernel.parameter_count = 2;
  return kernel;
}

const char stub = 0;  // its address stands for the kernel

void register_kernel() {
  static const abi::Kernel kernel = make_kernel();
  static abi::Module module{};
  module.version = abi::version;
  module.id = {{1, 2}};
  module.kernels = &kernel;
  module.kernel_count = 1;
  gridspan_register_module(&module);
  static abi::ModuleReference reference{
      {'G', 'R', 'I', 'D', 'S', 'P', 'A', 'N'}, abi::version, 0, module.id};
  static struct {
    int magic = 0x466243b1, version = 1;
    void* data = &reference;
    void* unused = nullptr;
  } wrapper;
  void** handle = __cudaRegisterFatBinary(&wrapper);
  __cudaRegisterFunction(handle, &stub, nullptr, "empty", -1, nullptr, nullptr, nullptr, nullptr,
                         nullptr);
  __cudaRegisterFatBinaryEnd(handle);
}

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void launch(unsigned blocks, unsigned threads) {
  void* pointer = nullptr;
  int number = 7;
  void* arguments[] = {&pointer, &number};
  check(cudaLaunchKernel(&stub, dim3(blocks), dim3(threads), arguments, 0, nullptr), "launch");
}

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

struct Summary {
  double median, p90, p99;
};

Summary summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double part) {
    return samples[static_cast<std::size_t>(part * static_cast<double>(samples.size() - 1))];
  };
  return {at(0.5), at(0.9), at(0.99)};
}

void print(const char* what, const Summary& summary) {
  std::printf("%-44s median %7.2f us   p90 %7.2f   p99 %7.2f\n", what, summary.median, summary.p90,
              summary.p99);
}

/// Time of each launch + cudaDeviceSynchronize.
Summary round_trips(unsigned blocks, unsigned threads, int count) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    const auto start = Clock::now();
    launch(blocks, threads);
    check(cudaDeviceSynchronize(), "synchronise");
    samples.push_back(microseconds(Clock::now() - start));
  }
  return summarise(std::move(samples));
}

/// Time per launch of bursts that end with one wait.
Summary bursts(unsigned blocks, unsigned threads, int burst, int count) {
  std::vector<double> samples;
  for (int i = 0; i < count; ++i) {
    const auto start = Clock::now();
    for (int j = 0; j < burst; ++j) launch(blocks, threads);
    check(cudaDeviceSynchronize(), "synchronise");
    samples.push_back(microseconds(Clock::now() - start) / burst);
  }
  return summarise(std::move(samples));
}

}  // namespace

int main() {
  register_kernel();
  check(cudaFree(nullptr), "start");
  round_trips(1, 32, 2000);  // warm up
  print("launch + synchronise, 1 block of 32", round_trips(1, 32, 20000));
  print("launch + synchronise, 64 blocks of 256", round_trips(64, 256, 20000));
  print("back to back (1000), 1 block of 32", bursts(1, 32, 1000, 50));
  print("back to back (1000), 64 blocks of 256", bursts(64, 256, 1000, 50));
  print("back to back (10), 1 block of 32", bursts(1, 32, 10, 2000));
}
