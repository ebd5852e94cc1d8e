// Helpers of the feature tests: guarded device arrays, random input, comparison, a verdict at the
// end. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

/// Ends the test at once if a CUDA call fails: nothing after it would mean anything.
#define CUDA_OK(call) check::cuda_ok((call), #call, __FILE__, __LINE__)
/// Notes a failure and goes on.
#define CHECK(condition) check::note((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check::note_equal((got), (want), #got, __FILE__, __LINE__)
/// Launch errors and errors of the kernel itself.
#define KERNEL_OK()                   \
  do {                                \
    CUDA_OK(cudaGetLastError());      \
    CUDA_OK(cudaDeviceSynchronize()); \
  } while (0)

namespace check {

inline int failures = 0;
inline long comparisons = 0;

inline void cuda_ok(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorName(error));
  std::fflush(nullptr);
  std::_Exit(1);
}

inline bool note(bool ok, const char* what, const char* file, int line) {
  ++comparisons;
  if (!ok && ++failures <= 20) std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
  return ok;
}

/// Text of any value: numbers as numbers, the rest as bytes.
template <class T>
std::string show(const T& value) {
  char text[64];
  if constexpr (std::is_floating_point_v<T>) {
    std::snprintf(text, sizeof text, "%.17g", static_cast<double>(value));
    return text;
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::string bytes = "0x";
    for (std::size_t i = 0; i < sizeof(T) && i < 32; ++i) {
      std::snprintf(text, sizeof text, "%02x", reinterpret_cast<const unsigned char*>(&value)[i]);
      bytes += text;
    }
    return bytes;
  }
}

/// Numbers are equal when they are the same number; two NaNs count as the same.
template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a == b || (std::isnan(a) && std::isnan(b));
  } else if constexpr (std::is_scalar_v<T>) {
    return a == b;
  } else {
    return std::memcmp(&a, &b, sizeof(T)) == 0;  // test structs have no padding
  }
}

template <class A, class B>
bool note_equal(const A& got, const B& want, const char* what, const char* file, int line) {
  using Common = std::common_type_t<A, B>;
  ++comparisons;
  const Common g = static_cast<Common>(got), w = static_cast<Common>(want);
  if (same(g, w)) return true;
  if (++failures <= 20)
    std::fprintf(stderr, "%s:%d: %s is %s, expected %s\n", file, line, what, show(g).c_str(),
                 show(w).c_str());
  return false;
}

/// Compares element by element and names the first wrong ones.
template <class T>
bool equal(const std::string& what, const std::vector<T>& got, const std::vector<T>& want) {
  if (got.size() != want.size()) {
    ++failures;
    std::fprintf(stderr, "%s: %zu elements, expected %zu\n", what.c_str(), got.size(), want.size());
    return false;
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    ++comparisons;
    if (same(got[i], want[i])) continue;
    if (++wrong <= 4 && failures < 20)
      std::fprintf(stderr, "%s: [%zu] is %s, expected %s\n", what.c_str(), i, show(got[i]).c_str(),
                   show(want[i]).c_str());
  }
  if (wrong == 0) return true;
  if (failures++ < 20)
    std::fprintf(stderr, "%s: %zu of %zu elements wrong\n", what.c_str(), wrong, got.size());
  return false;
}

/// As equal(), with |got - want| <= relative * max(|want|, floor).
template <class T>
bool near(const std::string& what, const std::vector<T>& got, const std::vector<T>& want,
          double relative, double floor = 1.0) {
  std::size_t wrong = got.size() != want.size();
  for (std::size_t i = 0; i < got.size() && i < want.size(); ++i) {
    ++comparisons;
    const double bound = relative * std::fmax(std::fabs(double(want[i])), floor);
    if (std::fabs(double(got[i]) - double(want[i])) <= bound) continue;
    if (++wrong <= 4 && failures < 20)
      std::fprintf(stderr, "%s: [%zu] is %s, expected %s\n", what.c_str(), i, show(got[i]).c_str(),
                   show(want[i]).c_str());
  }
  if (wrong != 0) ++failures;
  return wrong == 0;
}

/// xorshift64*: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed = 1) : state_(seed * 0x9E3779B97F4A7C15ull + 1) {}
  std::uint64_t bits() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1Dull;
  }
  /// Uniform in [low, high].
  long long integer(long long low, long long high) {
    return low +
           static_cast<long long>((bits() >> 11) % static_cast<std::uint64_t>(high - low + 1));
  }
  /// Uniform in [low, high).
  double real(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  template <class T>
  std::vector<T> integers(std::size_t n, long long low, long long high) {
    std::vector<T> v(n);
    for (auto& x : v) x = static_cast<T>(integer(low, high));
    return v;
  }
  template <class T>
  std::vector<T> reals(std::size_t n, double low, double high) {
    std::vector<T> v(n);
    for (auto& x : v) x = static_cast<T>(real(low, high));
    return v;
  }

 private:
  std::uint64_t state_;
};

/// Device array between two guard zones; fresh ones are filled with 0xA5 so that an element the
/// kernel forgot is seen, and a store outside the array is seen too. They are filled when they are
/// made: non-blocking streams do not wait for that.
template <class T>
class Array {
 public:
  explicit Array(std::size_t n) : size_(n) {
    CUDA_OK(cudaMalloc(reinterpret_cast<void**>(&base_), total()));
    CUDA_OK(cudaMemset(base_, 0xA5, total()));
    CUDA_OK(cudaStreamSynchronize(0));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    if (size_ != 0)
      CUDA_OK(cudaMemcpy(data(), values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_OK(cudaStreamSynchronize(0));
  }
  ~Array() { cudaFree(base_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() { return reinterpret_cast<T*>(base_ + guard); }
  std::size_t size() const { return size_; }

  /// Waits for the kernels, then returns the contents; the guards must be untouched.
  std::vector<T> get() {
    KERNEL_OK();
    std::vector<unsigned char> bytes(total());
    CUDA_OK(cudaMemcpy(bytes.data(), base_, total(), cudaMemcpyDeviceToHost));
    bool intact = true;
    for (std::size_t i = 0; i < guard; ++i)
      intact = intact && bytes[i] == 0xA5 && bytes[total() - 1 - i] == 0xA5;
    note(intact, "guard zones intact (a store went outside its array)", __FILE__, __LINE__);
    std::vector<T> values(size_);
    if (size_ != 0) std::memcpy(values.data(), bytes.data() + guard, size_ * sizeof(T));
    return values;
  }

 private:
  static constexpr std::size_t guard = 256;
  std::size_t total() const { return size_ * sizeof(T) + 2 * guard; }
  unsigned char* base_ = nullptr;
  std::size_t size_;
};

/// Block shapes that hide nothing: one thread, around a warp, not a multiple of one, 2-D, 3-D,
/// full.
inline std::vector<dim3> block_shapes() {
  return {dim3(1),       dim3(31),       dim3(32),       dim3(33),       dim3(96),
          dim3(257),     dim3(1023),     dim3(1024),     dim3(7, 5),     dim3(33, 31),
          dim3(3, 5, 7), dim3(1, 1, 64), dim3(1, 37, 1), dim3(16, 4, 16)};
}
/// Fibers take their time: smaller sizes will do.
inline bool is_interpreted() {
  const char* mode = std::getenv("GRIDSPAN_CPU");
  return mode && !std::strcmp(mode, "interpret");
}

inline std::vector<dim3> few_block_shapes() {
  return {dim3(1), dim3(33), dim3(257), dim3(1024), dim3(7, 5), dim3(3, 5, 7)};
}
inline unsigned volume(dim3 d) { return d.x * d.y * d.z; }
/// A GPU may lack registers for large blocks of large kernels, also those that nvcc compiles.
template <class Kernel>
bool fits(Kernel* kernel, dim3 block) {
  cudaFuncAttributes attributes;
  CUDA_OK(cudaFuncGetAttributes(&attributes, kernel));
  return volume(block) <= static_cast<unsigned>(attributes.maxThreadsPerBlock);
}
inline std::string name(const char* what, dim3 d) {
  return std::string(what) + " block " + std::to_string(d.x) + "x" + std::to_string(d.y) + "x" +
         std::to_string(d.z);
}

/// Where the program is; with what lies beside it, it may have been carried to another machine.
inline std::string own_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) std::abort();
  const std::string whole(path, static_cast<std::size_t>(length));
  return whole.substr(0, whole.rfind('/'));
}

/// What a body leaves behind that was run in a process of its own (errors of kernels are sticky).
struct Outcome {
  int exit_code = -1;  // 128 + signal if it was killed
  std::string output;  // stdout and stderr
};

/// Runs `body` in a child process; call it before the parent touches CUDA.
template <class Body>
Outcome in_child(Body body) {
  std::fflush(nullptr);
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    ::close(ends[0]);
    ::close(ends[1]);
    const int code = body();
    std::fflush(nullptr);
    std::_Exit(code);
  }
  ::close(ends[1]);
  Outcome outcome;
  char chunk[4096];
  for (ssize_t n; (n = read(ends[0], chunk, sizeof chunk)) > 0;)
    outcome.output.append(chunk, static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

/// Last statement of every test's main.
inline int finish() {
  if (failures != 0) {
    std::fprintf(stderr, "FAILED: %d\n", failures);
    return 1;
  }
  std::printf("passed, %ld comparisons\n", comparisons);
  return comparisons == 0;
}

/// Linear index of the running thread in its block, and the block size.
__device__ inline unsigned thread_index() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ inline unsigned thread_count() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned block_index() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
/// Index over the whole grid.
__device__ inline unsigned global_index() {
  return block_index() * thread_count() + thread_index();
}

/// A cheap mixing function, the same on host and device.
__host__ __device__ inline unsigned mix(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x;
}

}  // namespace check
