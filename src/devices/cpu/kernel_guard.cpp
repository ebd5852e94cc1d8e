// Faults inside kernels: from a signal, trap or assertion back to the worker that started the
// block. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/kernel_guard.h"

#include "support/per_thread.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>

namespace gridspan::devices::cpu {

constinit thread_local KernelFrame* running_kernel = nullptr;

namespace {

constexpr int fault_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction previous_actions[std::size(fault_signals)];

/// How far below a stack's end an overflowing frame may reach, and how near to the end counts.
constexpr std::uintptr_t overflow_below = 1 << 20;
constexpr std::uintptr_t overflow_above = 64 << 10;

std::uintptr_t stack_pointer(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return machine.sp;
#else
#error "which register is the stack pointer?"
#endif
}

/// Hands a signal that is not ours to the action that was there before.
void pass_on(int signal, siginfo_t* info, void* context) {
  const auto* at = std::find(std::begin(fault_signals), std::end(fault_signals), signal);
  const struct sigaction& previous = previous_actions[at - std::begin(fault_signals)];
  if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(signal, info, context);
  const bool sent_by_someone = info->si_code <= 0;
  if (previous.sa_handler == SIG_IGN && sent_by_someone) return;
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    return previous.sa_handler(signal);
  }
  // The default action: a faulting instruction is executed again and meets it.
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (sent_by_someone) raise(signal);
}

/// Where each thread that runs kernels has its `running_kernel`. A handler must not name the
/// variable itself: that may allocate, in a thread that has not used it.
pthread_key_t place_key() {
  static const pthread_key_t key = [] {
    pthread_key_t made = 0;
    if (pthread_key_create(&made, nullptr) == 0) return made;
    std::fputs("gridspan: error: the process has no thread-specific keys left\n", stderr);
    std::abort();
  }();
  return key;
}

void on_signal(int signal, siginfo_t* info, void* context) {
  auto* const place = static_cast<KernelFrame**>(pthread_getspecific(place_key()));
  KernelFrame* const frame = place != nullptr ? *place : nullptr;
  if (frame == nullptr || info->si_code <= 0) return pass_on(signal, info, context);
  const bool memory = signal == SIGSEGV || signal == SIGBUS;
  FaultRecord& record = frame->record;
  record.signal = signal;
  record.has_address = memory && info->si_code != SI_KERNEL;  // non-canonical: not told
  record.address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  record.stack_pointer = stack_pointer(context);
  record.fault = memory ? Fault::illegal_address : Fault::trap;
  *place = nullptr;
  frame->leave(*frame);
}

/// The calling thread's signal stack and the bounds of its own stack.
class ThreadStacks {
 public:
  ThreadStacks() {
    pthread_setspecific(place_key(), &running_kernel);
    find_stack_end();
    stack_t existing = {};
    sigaltstack(nullptr, &existing);
    const bool large_enough = (existing.ss_flags & SS_DISABLE) == 0 && existing.ss_size >= least();
    if (large_enough) return;
    size_ = std::max<std::size_t>(64 << 10, least());
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) return;
    stack_t ours = {};
    ours.ss_sp = memory_;
    ours.ss_size = size_;
    sigaltstack(&ours, nullptr);
  }
  ~ThreadStacks() {
    if (memory_ == MAP_FAILED) return;
    stack_t current = {};
    sigaltstack(nullptr, &current);
    if (current.ss_sp == memory_) {
      current.ss_flags = SS_DISABLE;
      sigaltstack(&current, nullptr);
    }
    munmap(memory_, size_);
  }
  ThreadStacks(const ThreadStacks&) = delete;
  ThreadStacks& operator=(const ThreadStacks&) = delete;

  /// Lowest address of the thread's stack, 0 if unknown.
  std::uintptr_t stack_end() const { return stack_end_; }

 private:
  /// Room for the kernel's register save area and our handler.
  static std::size_t least() {
    const long minimum = sysconf(_SC_MINSIGSTKSZ);
    return static_cast<std::size_t>(std::max(minimum, 2048L)) + (8 << 10);
  }
  void find_stack_end() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* end = nullptr;
    std::size_t size = 0;
    pthread_attr_getstack(&attributes, &end, &size);
    pthread_attr_destroy(&attributes);
    stack_end_ = reinterpret_cast<std::uintptr_t>(end);
  }

  void* memory_ = MAP_FAILED;
  std::size_t size_ = 0;
  std::uintptr_t stack_end_ = 0;
};

}  // namespace

void install_fault_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    place_key();  // made here, not in a handler
    for (std::size_t i = 0; i < std::size(fault_signals); ++i) {
      struct sigaction action = {};
      action.sa_sigaction = on_signal;
      // No mask is changed on entry, so that leaving by a jump need not restore one.
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
      sigaction(fault_signals[i], &action, &previous_actions[i]);
    }
  });
}

OverflowZone prepare_thread() {
  static auto& stacks = *new support::PerThread<ThreadStacks>;
  const std::uintptr_t end = stacks.get([] { return new ThreadStacks; }).stack_end();
  if (end < overflow_below) return {};
  return {end - overflow_below, end + overflow_above};
}

void recognise_overflow(FaultRecord& record, const OverflowZone& zone) {
  if (record.fault != Fault::illegal_address) return;
  const bool here = record.has_address && zone.contains(record.address);
  if (here || zone.contains(record.stack_pointer)) record.fault = Fault::stack_overflow;
}

void abandon_kernel(const FaultRecord& record) {
  KernelFrame* frame = running_kernel;
  if (frame == nullptr) {
    std::fputs("gridspan: internal error: device code ran outside a kernel; please report\n",
               stderr);
    std::abort();
  }
  frame->record = record;
  running_kernel = nullptr;
  frame->leave(*frame);
  __builtin_unreachable();
}

}  // namespace gridspan::devices::cpu
