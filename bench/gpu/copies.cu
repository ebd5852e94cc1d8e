// Times copies of memory that is not page-locked, page-locking, and kernels over more data than the
// GPU has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   copies [NAME...]
//
// Each number is the shortest time of several, for a MiB. `beyond` is left out unless it is named:
// two arrays, together 1.07 times the GPU's free memory, copied into each other by a kernel. Where
// cudaMalloc refuses that they are managed memory, and a pass takes many seconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr std::size_t mebi = std::size_t{1} << 20, most = 2048 * mebi;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "copies: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

std::set<std::string> wanted;

bool is_wanted(const std::string& name) { return wanted.empty() || wanted.count(name) != 0; }

double microseconds_now() {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

template <class Work>
double time_of(Work work) {
  check(cudaDeviceSynchronize());
  const double start = microseconds_now();
  work();
  check(cudaDeviceSynchronize());
  return microseconds_now() - start;
}

void print(const std::string& name, double microseconds, std::size_t bytes) {
  std::printf("%s %.6g\n", name.c_str(),
              microseconds / (static_cast<double>(bytes) / static_cast<double>(mebi)));
  std::fflush(stdout);
}

template <class Work>
void time(const std::string& name, std::size_t bytes, Work work) {
  constexpr int rounds = 5;
  if (!is_wanted(name)) return;
  double best = time_of(work);
  for (int round = 1; round < rounds; ++round) best = std::min(best, time_of(work));
  print(name, best, bytes);
}

/// Both ways between the host and the GPU, and what came back is what went.
void copy_bytes(char* device, std::vector<char>& data, std::vector<char>& back) {
  for (std::size_t bytes = mebi; bytes <= most; bytes *= 4) {
    const std::string size = std::to_string(bytes / mebi);
    if (!is_wanted("to_" + size) && !is_wanted("from_" + size)) continue;
    ++data[bytes / 2];
    time("to_" + size, bytes,
         [&] { check(cudaMemcpy(device, data.data(), bytes, cudaMemcpyHostToDevice)); });
    check(cudaMemcpy(device, data.data(), bytes, cudaMemcpyHostToDevice));
    time("from_" + size, bytes,
         [&] { check(cudaMemcpy(back.data(), device, bytes, cudaMemcpyDeviceToHost)); });
    check(cudaMemcpy(back.data(), device, bytes, cudaMemcpyDeviceToHost));
    if (std::memcmp(back.data(), data.data(), bytes) == 0) continue;
    std::fprintf(stderr, "copies: %s MiB came back otherwise\n", size.c_str());
    std::exit(1);
  }
}

void copy_rows(char* device, std::vector<char>& data, std::vector<char>& back) {
  constexpr std::size_t pitch = 65536, rows = most / pitch;
  for (const std::size_t width : {std::size_t{20000}, std::size_t{256}}) {
    const std::string size = std::to_string(width);
    time("rows_to_" + size, width * rows, [&] {
      check(cudaMemcpy2D(device, pitch, data.data(), pitch, width, rows, cudaMemcpyHostToDevice));
    });
    time("rows_from_" + size, width * rows, [&] {
      check(cudaMemcpy2D(back.data(), pitch, device, pitch, width, rows, cudaMemcpyDeviceToHost));
    });
  }
}

void lock_pages() {
  for (const std::size_t bytes : {64 * mebi, most}) {
    const std::string size = std::to_string(bytes / mebi);
    if (!is_wanted("lock_" + size) && !is_wanted("unlock_" + size)) continue;
    void* memory = nullptr;
    const double lock = time_of([&] { check(cudaMallocHost(&memory, bytes)); });
    const double unlock = time_of([&] { check(cudaFreeHost(memory)); });
    if (is_wanted("lock_" + size)) print("lock_" + size, lock, bytes);
    if (is_wanted("unlock_" + size)) print("unlock_" + size, unlock, bytes);
  }
}

__global__ void set(unsigned* to, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) to[i] = static_cast<unsigned>(i);
}

__global__ void copy(unsigned* to, const unsigned* from, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < n) to[i] = from[i] + 1;
}

unsigned* allocate(std::size_t bytes) {
  unsigned* memory = nullptr;
  if (cudaMalloc(&memory, bytes) == cudaSuccess) return memory;
  cudaGetLastError();
  check(cudaMallocManaged(&memory, bytes));
  return memory;
}

void go_beyond() {
  constexpr int passes = 4;
  std::size_t free_bytes = 0, total = 0;
  check(cudaMemGetInfo(&free_bytes, &total));
  const std::size_t n = free_bytes / 1000 * 535 / sizeof(unsigned), bytes = n * sizeof(unsigned);
  const auto blocks = static_cast<unsigned>((n + 255) / 256);
  unsigned *a = allocate(bytes), *b = allocate(bytes);
  set<<<blocks, 256>>>(a, n);
  double best = 1e300;
  for (int pass = 0; pass < passes; ++pass) {
    const double took = time_of([&] {
      copy<<<blocks, 256>>>(b, a, n);
      check(cudaGetLastError());
    });
    if (pass > 0) best = std::min(best, took);
    std::swap(a, b);
  }
  std::vector<unsigned> some(1 << 16);
  for (std::size_t at = 0; at + some.size() <= n; at += n / 61) {
    check(cudaMemcpy(some.data(), a + at, some.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (some[i] == static_cast<unsigned>(at + i) + passes) continue;
      std::fprintf(stderr, "copies: element %zu is %u\n", at + i, some[i]);
      std::exit(1);
    }
  }
  print("beyond", best, 2 * bytes);
}

}  // namespace

int main(int count, char** words) {
  wanted.insert(words + 1, words + count);
  std::puts("# microseconds for a MiB");
  if (wanted.count("beyond") != 0) go_beyond();
  if (wanted.size() == 1 && wanted.count("beyond") != 0) return 0;
  char* device = nullptr;
  check(cudaMalloc(&device, most));
  std::vector<char> data(most, 1), back(most, 2);
  copy_bytes(device, data, back);
  copy_rows(device, data, back);
  lock_pages();
}
