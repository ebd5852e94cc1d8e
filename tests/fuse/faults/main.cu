// Ends, forks, faults and lacks of memory while launches that may become one kernel are queued or
// held. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     program CASE     one case; tests/fuse/faults_test.py knows what each must say
#include "../../run/check.h"
#include "../../run/hold.h"

#include <dlfcn.h>

#include <cassert>
#include <iostream>
#include <map>

using U = unsigned;
using Words = std::vector<U>;

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void scale(U* y, const U* x, U a, int n) {
  const int i = INDEX;
  if (i < n) y[i] = a * x[i] + 1;
}
__global__ void add(U* z, const U* x, const U* y, int n) {
  const int i = INDEX;
  if (i < n) z[i] = x[i] + 3 * y[i];
}
__global__ void smooth(U* z, const U* y, int n) {
  const int i = INDEX;
  if (i > 0 && i < n - 1) z[i] = y[i - 1] + y[i + 1];
}
__global__ void asserts(U* y, const U* x, int where, int n) {
  const int i = INDEX;
  if (i >= n) return;
  assert(i != where);
  y[i] = x[i];
}
__global__ void traps(U* y, const U* x, int where, int n) {
  const int i = INDEX;
  if (i >= n) return;
  if (i == where) __trap();
  y[i] = x[i];
}
__global__ void raise_flag(U* flag, const U* z, int n) { *flag = z[n - 1]; }

static constexpr int n = 40'009, block = 64, grid = (n + block - 1) / block;

/// x, and room for t and z, on the device.
struct Arrays {
  Arrays() : x(n), want_t(n), want_z(n) {
    for (int i = 0; i < n; ++i) x[i] = i * 2654435761u;
    for (U** one : {&dx, &dt, &dz}) {
      CUDA_OK(cudaMalloc(one, n * sizeof(U)));
      CUDA_OK(cudaMemset(*one, 0xa5, n * sizeof(U)));
    }
    CUDA_OK(cudaMemcpy(dx, x.data(), n * sizeof(U), cudaMemcpyHostToDevice));
  }
  void free() {
    for (U* one : {dx, dt, dz}) CUDA_OK(cudaFree(one));
  }
  void launch(U a) {
    scale<<<grid, block>>>(dt, dx, a, n);
    add<<<grid, block>>>(dz, dx, dt, n);
  }
  bool is_right(U a) {
    Words t(n, 1), z(n, 2);
    cudaMemcpy(t.data(), dt, n * sizeof(U), cudaMemcpyDeviceToHost);
    cudaMemcpy(z.data(), dz, n * sizeof(U), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
      if (t[i] != a * x[i] + 1 || z[i] != x[i] + 3 * t[i]) return false;
    return true;
  }
  void check(U a) {
    Words t(n, 1), z(n, 2);
    CUDA_OK(cudaMemcpy(t.data(), dt, n * sizeof(U), cudaMemcpyDeviceToHost));
    CUDA_OK(cudaMemcpy(z.data(), dz, n * sizeof(U), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) {
      want_t[i] = a * x[i] + 1;
      want_z[i] = x[i] + 3 * want_t[i];
    }
    check::equal("t", t, want_t);
    check::equal("z", z, want_z);
  }
  Words x, want_t, want_z;
  U *dx = nullptr, *dt = nullptr, *dz = nullptr;
};

/// A pair again and again, as many as the argument says; each result is looked at.
static int rounds = 6;
static void pairs() {
  Arrays arrays;
  for (int round = 0; round < rounds; ++round) {
    Hold hold;
    arrays.launch(round + 3);
    hold.go();
    if (round % 50 == 49) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    if (round < 6 || round % 50 == 0) arrays.check(round + 3);
  }
  arrays.check(rounds + 2);
  arrays.free();
}

// --- faults

template <class First, class Second>
void fault(First first, Second second) {
  Arrays arrays;
  {
    Hold hold;
    first(arrays);
    second(arrays);
    hold.open = true;
    std::printf("error %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  }
  std::printf("stays %s\n", cudaGetErrorName(cudaGetLastError()));
  arrays.launch(3);
  std::printf("later %s\n", cudaGetErrorName(cudaGetLastError()));
  U word = 0;
  std::printf("copy %s\n",
              cudaGetErrorName(cudaMemcpy(&word, arrays.dz, sizeof word, cudaMemcpyDeviceToHost)));
  CHECK(true);
}
static void scales(Arrays& a) { scale<<<grid, block>>>(a.dt, a.dx, 3, n); }

static void null_first() {
  fault([](Arrays& a) { scale<<<grid, block>>>(nullptr, a.dx, 3, n); },
        [](Arrays& a) { add<<<grid, block>>>(a.dz, a.dx, nullptr, n); });
}
static void null_second() {
  fault(scales, [](Arrays& a) { add<<<grid, block>>>(nullptr, a.dx, a.dt, n); });
}
static void chain_first() {
  fault([](Arrays& a) { scale<<<grid, block>>>(nullptr, a.dx, 3, n); },
        [](Arrays& a) { smooth<<<grid, block>>>(a.dz, nullptr, n); });
}
static void chain_second() {
  fault(scales, [](Arrays& a) { smooth<<<grid, block>>>(nullptr, a.dt, n); });
}
static void assert_first() {
  fault([](Arrays& a) { asserts<<<grid, block>>>(a.dt, a.dx, 1000, n); },
        [](Arrays& a) { add<<<grid, block>>>(a.dz, a.dx, a.dt, n); });
}
static void assert_second() {
  fault(scales, [](Arrays& a) { asserts<<<grid, block>>>(a.dz, a.dt, 1000, n); });
}
static void trap_first() {
  fault([](Arrays& a) { traps<<<grid, block>>>(a.dt, a.dx, 1000, n); },
        [](Arrays& a) { add<<<grid, block>>>(a.dz, a.dx, a.dt, n); });
}
static void trap_second() {
  fault(scales, [](Arrays& a) { traps<<<grid, block>>>(a.dz, a.dt, 1000, n); });
}

// --- ends

/// Frees what it has when the process ends, after a look at it if that is wanted; nothing may keep
/// it from that.
struct FreedAtTheEnd {
  ~FreedAtTheEnd() {
    if (looked_at)
      std::fprintf(stderr, "%s at the end\n", looked_at->is_right(3) ? "right" : "wrong");
    for (U* one : memory) cudaFree(one);
    if (!memory.empty()) std::fprintf(stderr, "freed at the end\n");
  }
  std::vector<U*> memory;
  Arrays* looked_at = nullptr;
} freed_at_the_end;

/// Ten launches that nobody has waited for; none has begun before all were called.
static Arrays& launched() {
  auto& arrays = *new Arrays;
  freed_at_the_end.memory = {arrays.dx, arrays.dt, arrays.dz};
  auto& hold = *new Hold;
  for (int i = 0; i < 5; ++i) arrays.launch(3);
  hold.open = true;
  return arrays;
}
/// The same behind a pause: none has begun on a CPU when the process ends. On a GPU they are held.
static void launched_behind_a_pause() {
  auto& arrays = *new Arrays;
  freed_at_the_end.memory = {arrays.dx, arrays.dt, arrays.dz};
  freed_at_the_end.looked_at = &arrays;
  CUDA_OK(cudaLaunchHostFunc(
      nullptr, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(500)); },
      nullptr));
  for (int i = 0; i < 5; ++i) arrays.launch(3);
}
static void end_of_main() {
  launched_behind_a_pause();
  CHECK(true);
}
static void exits() {
  launched_behind_a_pause();
  std::exit(5);
}
static void exits_at_once() {
  launched();
  std::_Exit(6);
}
static void exits_on_thread() {
  Arrays& arrays = launched();
  std::thread([] { std::exit(7); }).detach();
  for (;;) {  // until the kernels are gone
    arrays.launch(5);
    cudaDeviceSynchronize();
  }
}
static void exits_in_host_function() {
  launched();
  CUDA_OK(cudaLaunchHostFunc(nullptr, [](void*) { std::exit(8); }, nullptr));
  launched();
  cudaDeviceSynchronize();
  std::_Exit(1);
}

/// The status of a child that does that.
template <class Body>
int forked(Body body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) body();
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// With launches that are queued, held on a GPU, running, done.
static void forks() {
  Arrays arrays;
  freed_at_the_end.memory = {arrays.dx, arrays.dt, arrays.dz};
  for (int turn = 0; turn < 4; ++turn) {
    Hold hold;
    arrays.launch(turn + 3);
    CHECK_EQ(forked([] { std::exit(7); }), 7);
    CHECK_EQ(forked([] { std::_Exit(8); }), 8);
    hold.go();
    arrays.check(turn + 3);
    arrays.launch(turn + 9);
    CHECK_EQ(forked([] { std::exit(7); }), 7);
    arrays.check(turn + 9);
  }
  CHECK_EQ(forked([] { std::exit(7); }), 7);
}

/// A child of a process in which nothing runs goes on with a copy of it. Threads of the parent may
/// be on their way to sleep when it forks.
static void child_goes_on() {
  Arrays arrays;
  for (int i = 0; i < 5; ++i) arrays.launch(3);
  for (int turn = 0; turn < 25; ++turn) {
    arrays.check(turn == 0 ? 3 : 7);
    CHECK_EQ(forked([&] {
               for (int i = 0; i < 5; ++i) arrays.launch(5);
               arrays.check(5);
               std::exit(check::finish());
             }),
             0);
    arrays.check(turn == 0 ? 3 : 7);
    arrays.launch(7);
  }
  arrays.check(7);
}

/// While a kernel is being made: children that end leave it alone.
static void forks_beside() {
  Arrays arrays;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < 12; ++i) arrays.launch(round + 3);
    arrays.check(round + 3);
    CHECK_EQ(forked([] { std::exit(7); }), 7);
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
}

/// The caller says when: by then another thread is in the middle of something, and stays there.
static void forks_on_request() {
  Arrays arrays;
  arrays.launch(3);
  std::printf("ready\n");
  std::fflush(stdout);
  std::string word;
  std::cin >> word;
  std::thread forking([] {
    std::string word;
    std::cin >> word;
    CHECK_EQ(forked([] { std::exit(7); }), 7);
    std::printf("forked\n");
    std::fflush(stdout);
  });
  for (U a = 3; a < 303; ++a) {
    Hold hold;
    arrays.launch(a);
    hold.go();
  }
  arrays.check(302);
  forking.join();
}

static void resets() {
  for (U turn = 0; turn < 4; ++turn) {
    Arrays arrays;
    if (turn % 2 == 0) {
      Hold hold;
      for (U a = 3; a < 6; ++a) arrays.launch(a);
      hold.go();
      arrays.check(5);
    }
    Hold hold;
    for (U a = 3; a < 7; ++a) arrays.launch(a);
    hold.open = true;
    CUDA_OK(cudaDeviceReset());
  }
  Arrays arrays;
  arrays.launch(9);
  arrays.check(9);
}

static void unloads() {
  Arrays arrays;
  const std::string library = check::own_folder() + "/libpair.so";
  for (U turn = 0; turn < 5; ++turn) {
    void* const opened = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!opened) std::fprintf(stderr, "%s\n", dlerror());
    using Launch = void(U*, const U*, U*, U, int);
    auto* const launch = reinterpret_cast<Launch*>(dlsym(opened, "launch_pair"));
    Hold hold;
    for (U a = turn; a < turn + 4; ++a) launch(arrays.dt, arrays.dx, arrays.dz, a, n);
    hold.open = true;
    if (turn % 2 == 1) arrays.check(turn + 3);  // else they are queued, or held
    CHECK_EQ(dlclose(opened), 0);
    CHECK(dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD) == nullptr);
    arrays.check(turn + 3);
  }
}

/// The first kernel is the library's, the second one the program's.
static void two_objects() {
  Arrays arrays;
  void* const opened = dlopen((check::own_folder() + "/libpair.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) std::fprintf(stderr, "%s\n", dlerror());
  using Launch = void(U*, const U*, U, int);
  auto* const launch = reinterpret_cast<Launch*>(dlsym(opened, "launch_scale"));
  for (U a = 3; a < 5; ++a) {
    Hold hold;
    launch(arrays.dt, arrays.dx, a, n);
    add<<<grid, block>>>(arrays.dz, arrays.dx, arrays.dt, n);
    hold.go();
    arrays.check(a);
  }
  arrays.free();
}

/// The host waits for what a kernel writes without a call of CUDA.
static void spins() {
  Arrays arrays;
  U* flag = nullptr;
  CUDA_OK(cudaMallocHost(&flag, sizeof *flag));
  for (U turn = 0; turn < 40; ++turn) {
    *flag = 0;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    Hold hold;
    arrays.launch(turn + 3);
    raise_flag<<<1, 1>>>(flag, arrays.dz, n);
    hold.open = true;
    const U x = arrays.x[n - 1], want = x + 3 * ((turn + 3) * x + 1);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (*const_cast<volatile U*>(flag) != want && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
    CHECK_EQ(*const_cast<volatile U*>(flag), want);
    arrays.check(turn + 3);
  }
  CUDA_OK(cudaFreeHost(flag));
}

/// Kernels that write mapped memory themselves.
static void spins_on_results() {
  Arrays arrays;
  U* z = nullptr;
  CUDA_OK(cudaMallocHost(&z, n * sizeof(U)));
  for (U turn = 0; turn < 20; ++turn) {
    std::memset(z, 0, n * sizeof(U));
    Hold hold;
    scale<<<grid, block>>>(arrays.dt, arrays.dx, turn + 3, n);
    add<<<grid, block>>>(z, arrays.dx, arrays.dt, n);
    hold.open = true;
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (int i = 0; i < n; ++i) {
      const U want = arrays.x[i] + 3 * ((turn + 3) * arrays.x[i] + 1);
      while (const_cast<volatile U*>(z)[i] != want && std::chrono::steady_clock::now() < limit)
        std::this_thread::yield();
      if (z[i] != want) CHECK_EQ(z[i], want);
    }
    KERNEL_OK();
  }
  CHECK(true);
  CUDA_OK(cudaFreeHost(z));
}

/// Where no more memory is to be had the call says so, and launches before and after it are right.
static void no_memory() {
  Arrays arrays;
  for (U turn = 0; turn < 4; ++turn) {
    Hold hold;
    arrays.launch(turn + 3);
    hold.open = true;
    void* memory = nullptr;
    CHECK_EQ(int(cudaMalloc(&memory, std::size_t{1} << 60)), int(cudaErrorMemoryAllocation));
    CHECK_EQ(int(cudaGetLastError()), int(cudaErrorMemoryAllocation));
    scale<<<grid, block>>>(arrays.dt, arrays.dx, turn + 3, n);
    arrays.check(turn + 3);
  }
}

/// What each of some stretches of launches asks the C library for (count.cpp).
static void counts() {
  using Counts = void(long*);
  auto* const asked_for = reinterpret_cast<Counts*>(dlsym(RTLD_DEFAULT, "asked_for"));
  if (!CHECK(asked_for != nullptr)) return;
  Arrays arrays;
  for (int stretch = 0; stretch < 4; ++stretch) {
    long before[3], after[3];
    asked_for(before);
    for (int i = 0; i < 2000; ++i) {
      arrays.launch(i);
      if (i % 6 == 5) CUDA_OK(cudaDeviceSynchronize());
    }
    CUDA_OK(cudaDeviceSynchronize());
    asked_for(after);
    std::printf("asked for %ld %ld %ld\n", after[0] - before[0], after[1] - before[1],
                after[2] - before[2]);
  }
  arrays.check(1999);
}

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> cases = {
      {"pairs", pairs},
      {"null_first", null_first},
      {"null_second", null_second},
      {"chain_first", chain_first},
      {"chain_second", chain_second},
      {"assert_first", assert_first},
      {"assert_second", assert_second},
      {"trap_first", trap_first},
      {"trap_second", trap_second},
      {"end_of_main", end_of_main},
      {"exits", exits},
      {"exits_at_once", exits_at_once},
      {"exits_on_thread", exits_on_thread},
      {"exits_in_host_function", exits_in_host_function},
      {"forks", forks},
      {"child_goes_on", child_goes_on},
      {"forks_beside", forks_beside},
      {"forks_on_request", forks_on_request},
      {"resets", resets},
      {"unloads", unloads},
      {"two_objects", two_objects},
      {"spins", spins},
      {"spins_on_results", spins_on_results},
      {"no_memory", no_memory},
      {"counts", counts},
  };
  if (argc < 2 || cases.count(argv[1]) == 0) return 2;
  if (argc > 2) rounds = std::atoi(argv[2]);
  cases.at(argv[1])();
  return check::finish();
}
