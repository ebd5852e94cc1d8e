// What the fake driver's calls share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "arena.h"
#include "devices/cuda/fake_hooks.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fake_cuda {

inline constexpr Result error_no_device = 101, error_invalid_context = 201,
                        error_invalid_image = 200, error_invalid_handle = 400,
                        error_not_permitted = 800, error_peer_access_unsupported = 217,
                        error_already_registered = 712, error_not_registered = 713;

/// Multiprocessors of a GPU, and what each of them holds at once: fewer threads than the run time
/// shows, as GPUs of 8.6 and 8.9 do.
inline constexpr int processors = 8;
inline constexpr int processor_blocks = 24, processor_threads = 1536, processor_shared = 228 << 10;

/// A GPU, and its one context.
struct FakeGpu {
  Gpu number = 0;
  std::uint64_t memory = 0;
  std::atomic<std::uint64_t> used{0};
  std::atomic<Result> broken{success};  // a kernel failed: every call from then on does
  std::set<Gpu> peers;                  // whose memory its context may use
  std::array<std::size_t, 3> limits{1024, 1 << 20, 8 << 20};  // by ContextLimit
};

struct FakeFunction {
  const gridspan::abi::Kernel* kernel;
  struct FakeModule* module;
  bool is_part, is_packed;
  std::atomic<std::uint32_t> dynamic_limit{0};
};

struct FakeModule {
  FakeGpu* gpu;
  const gridspan::abi::Module* module;
  std::string text;
  std::vector<void*> variables;  // by symbol; of a managed one, where its address is
  Address child_list = 0;        // where its kernels find the list of what they launch; 0: nowhere
  Address base = 0;              // of their memory
  std::size_t bytes = 0;
};

/// What the GPUs are to each other: FAKE_CUDA_PEERS, which is `none` if it is not set. Of the last
/// two the driver says that they are peers.
enum class PeerKind { none, direct, garbled, failing };
PeerKind peer_kind();

/// FAKE_CUDA_VERSION, 12000 if it is not set: the newest CUDA that the driver knows.
int version();

/// FAKE_CUDA_GPUS of them (1), each with FAKE_CUDA_MEMORY MiB (4096).
std::vector<FakeGpu>& gpus();

/// Bytes of each GPU that other processes have: FAKE_CUDA_OTHERS (0) MiB.
std::uint64_t others_use();
/// Ranges may have memory of the host (FAKE_CUDA_HOST_RANGES=0: an older driver).
bool has_host_ranges();

/// FAKE_CUDA_OLD says that it is of before what we can work with: its number.
bool is_old(Gpu gpu);

/// FAKE_CUDA_CAPABILITY (90): 75 for sm_75.
unsigned capability();

/// What registers allow: FAKE_CUDA_THREADS (1024), for a kernel made of several
/// FAKE_CUDA_FUSED_THREADS.
int most_threads(const gridspan::abi::Kernel& kernel);
/// Of the last cache: FAKE_CUDA_CACHE (4), in MB.
int cache_bytes();
/// Bytes of local memory of a thread: 16, of a kernel made of several FAKE_CUDA_FUSED_LOCAL.
int local_bytes(const gridspan::abi::Kernel& kernel);

/// With FAKE_CUDA_CLONES_AFTER=N, code that only runs parts of grids takes the driver to compile
/// until N launches have come, 20 seconds at most.
void note_launch();
void compile_clones();
/// With FAKE_CUDA_COMPILE_MS=N, any code for other GPUs than the first takes N milliseconds.
/// As the driver's compiler does, it registers what takes it down when the process ends after it
/// has begun; the process fails if it works then.
void compile_for(const FakeGpu& gpu);

/// With FAKE_CUDA_CONTEXT_MS=N, a context of any other GPU than the first takes N milliseconds.
void make_context_on(const FakeGpu& gpu);

/// The calling thread's; null: none was made current.
FakeGpu*& current();

const FakeHooks& hooks();

/// A GPU reaches all of it at the host's address.
bool is_page_locked(const void* memory, std::size_t bytes);

/// Whether this call is one that FAKE_CUDA_FAIL says fails: CALL:N[:ERROR[:TIMES]], after N that do
/// not, so many times or for ever.
/// Says so on standard error once, and the error if the current GPU is broken.
/// With FAKE_CUDA_COUNTS the calls of each function are counted, and printed at the end.
Result refuse(const char* call, bool needs_context = true);
/// The thread is in a callback, where no call is allowed.
inline thread_local bool calls_back = false;

}  // namespace fake_cuda

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))
/// What every call begins with.
#define FAKE_BEGIN(...)                                                                         \
  if (const fake_cuda::Result refused = fake_cuda::refuse(__func__ __VA_OPT__(, ) __VA_ARGS__)) \
  return refused
