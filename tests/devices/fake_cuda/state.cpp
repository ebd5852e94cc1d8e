// Settings and failures of the fake driver.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "state.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace fake_cuda {
namespace {

const FakeHooks* given_hooks = nullptr;

unsigned long setting(const char* name, unsigned long otherwise) {
  const char* const text = std::getenv(name);
  return text && *text ? std::strtoul(text, nullptr, 10) : otherwise;
}

struct Failure {
  std::string call;
  std::atomic<long> left{0};
  Result error = error_launch_failed;
  long times = std::numeric_limits<long>::max();
};

Failure& failure() {
  static Failure& instance = *[] {
    auto* made = new Failure;
    const char* const text = std::getenv("FAKE_CUDA_FAIL");
    if (!text) return made;
    const char* const colon = std::strchr(text, ':');
    made->call.assign(text, colon ? colon : text + std::strlen(text));
    char* rest = nullptr;
    if (colon) made->left = std::strtol(colon + 1, &rest, 10);
    if (rest && *rest == ':') made->error = static_cast<Result>(std::strtol(rest + 1, &rest, 10));
    if (rest && *rest == ':') made->times = std::strtol(rest + 1, nullptr, 10);
    return made;
  }();
  return instance;
}

}  // namespace

PeerKind peer_kind() {
  const char* const text = std::getenv("FAKE_CUDA_PEERS");
  const std::string_view kind = text ? text : "none";
  return kind == "direct"    ? PeerKind::direct
         : kind == "garbled" ? PeerKind::garbled
         : kind == "failing" ? PeerKind::failing
                             : PeerKind::none;
}

std::vector<FakeGpu>& gpus() {
  static std::vector<FakeGpu>& instance = *[] {
    auto* made = new std::vector<FakeGpu>(setting("FAKE_CUDA_GPUS", 1));
    for (std::size_t i = 0; i < made->size(); ++i) {
      (*made)[i].number = static_cast<Gpu>(i);
      (*made)[i].memory = std::uint64_t{setting("FAKE_CUDA_MEMORY", 4096)} << 20;
    }
    return made;
  }();
  return instance;
}

bool has_host_ranges() { return setting("FAKE_CUDA_HOST_RANGES", 1) != 0; }

std::uint64_t others_use() { return std::uint64_t{setting("FAKE_CUDA_OTHERS", 0)} << 20; }

bool is_old(Gpu gpu) {
  static const unsigned long old = setting("FAKE_CUDA_OLD", gpus().size());
  return static_cast<unsigned long>(gpu) == old;
}

unsigned capability() { return static_cast<unsigned>(setting("FAKE_CUDA_CAPABILITY", 90)); }

/// By its name (support::FusedLaunches::name).
static bool is_made_of_several(const gridspan::abi::Kernel& kernel) {
  return std::strchr(kernel.name, '+') != nullptr;
}

int most_threads(const gridspan::abi::Kernel& kernel) {
  static const int most = static_cast<int>(setting("FAKE_CUDA_THREADS", 1024));
  static const int most_fused = static_cast<int>(setting("FAKE_CUDA_FUSED_THREADS", most));
  return is_made_of_several(kernel) ? most_fused : most;
}

int cache_bytes() { return static_cast<int>(setting("FAKE_CUDA_CACHE", 4)) << 20; }

int local_bytes(const gridspan::abi::Kernel& kernel) {
  static const int fused = static_cast<int>(setting("FAKE_CUDA_FUSED_LOCAL", 16));
  return is_made_of_several(kernel) ? fused : 16;
}

FakeGpu*& current() {
  thread_local FakeGpu* gpu = nullptr;
  return gpu;
}

int version() {
  static const int instance = static_cast<int>(setting("FAKE_CUDA_VERSION", 12000));
  return instance;
}

namespace {

/// How often the program made each call, printed at its end. Never destroyed: calls come until
/// then.
class Counts {
 public:
  void add(const char* call) {
    const std::scoped_lock lock(mutex_);
    ++counts_[call];
  }
  void print() {
    const std::scoped_lock lock(mutex_);
    for (const auto& [call, count] : counts_)
      std::fprintf(stderr, "fake_cuda: %ld calls of %s\n", count, call.c_str());
  }

 private:
  std::mutex mutex_;
  std::map<std::string, long> counts_;
};

Counts& counts() {
  static Counts& instance = *[] {
    std::atexit([] { counts().print(); });
    return new Counts;
  }();
  return instance;
}

void counted(const char* call) {
  static const bool is_wanted = std::getenv("FAKE_CUDA_COUNTS") != nullptr;
  if (is_wanted) counts().add(call);
}

}  // namespace

namespace {

std::atomic<unsigned long> launches{0};

}  // namespace

void note_launch() { ++launches; }

void compile_clones() {
  static const unsigned long after = setting("FAKE_CUDA_CLONES_AFTER", 0);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (launches < after && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void make_context_on(const FakeGpu& gpu) {
  static const unsigned long time = setting("FAKE_CUDA_CONTEXT_MS", 0);
  if (gpu.number != 0) std::this_thread::sleep_for(std::chrono::milliseconds(time));
}

void compile_for(const FakeGpu& gpu) {
  static const unsigned long time = setting("FAKE_CUDA_COMPILE_MS", 0);
  static std::atomic<int> at_work{0};
  if (gpu.number == 0 || time == 0) return;
  ++at_work;
  static const int registered = std::atexit([] {
    if (at_work == 0) return;
    std::fprintf(stderr, "fake_cuda: the compiler is taken down while it works\n");
    std::_Exit(70);
  });
  static_cast<void>(registered);
  std::this_thread::sleep_for(std::chrono::milliseconds(time));
  --at_work;
}

const FakeHooks& hooks() { return *given_hooks; }

Result refuse(const char* call, bool needs_context) {
  counted(call);
  if (calls_back) {
    std::fprintf(stderr, "fake_cuda: %s in a callback\n", call);
    return error_not_permitted;
  }
  Failure& wanted = failure();
  std::string_view name = call;
  if (name.ends_with("_v2")) name.remove_suffix(3);
  if (wanted.call == name) {
    const long left = wanted.left.fetch_sub(1);
    if (left == 0) std::fprintf(stderr, "fake_cuda: %s fails from now on\n", call);
    if (left <= 0 && -left < wanted.times) return wanted.error;
  }
  if (!needs_context) return success;
  return current() ? current()->broken.load() : error_invalid_context;
}

}  // namespace fake_cuda

FAKE_EXPORT void gridspan_fake_cuda_take_hooks(const fake_cuda::FakeHooks* hooks) {
  if (hooks->version != gridspan::devices::cuda::fake_hooks_version) std::abort();
  fake_cuda::given_hooks = hooks;
}
