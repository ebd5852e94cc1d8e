// Events that several processes have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/shared_events.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace gridspan::runtime {

namespace {

constexpr std::uint64_t event_magic = 0x31544e5645495247;

}  // namespace

std::shared_ptr<SharedEvent> SharedEvent::map(int file) {
  void* const mapped = mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped != MAP_FAILED) {
    return std::shared_ptr<SharedEvent>(new SharedEvent(file, static_cast<Counts*>(mapped)));
  }
  close(file);
  return nullptr;
}

std::shared_ptr<SharedEvent> SharedEvent::make() {
  const int file = make_memory_file(sizeof(Counts));  // all zero
  return file < 0 ? nullptr : map(file);
}

Status SharedEvent::open(const ForeignFile& handle, std::shared_ptr<SharedEvent>& event) {
  int file = -1;
  GRIDSPAN_TRY(open_foreign(handle, event_magic, file));
  event = map(file);
  if (event) return cudaSuccess;
  return refuse(cudaErrorMapBufferObjectFailed, "the event cannot be mapped");
}

SharedEvent::~SharedEvent() {
  munmap(counts_, sizeof(Counts));
  close(file_);
}

Status SharedEvent::describe(ForeignFile& handle) const {
  return describe_file(file_, event_magic, 0, handle);
}

void SharedEvent::end_record(std::uint64_t number) {
  counts_->recorder.store(getpid());
  std::uint64_t before = counts_->passed.load();
  while (before < number && !counts_->passed.compare_exchange_weak(before, number)) {
  }
}

void SharedEvent::wait(std::uint64_t number) const {
  constexpr auto pause = std::chrono::microseconds(20);
  for (unsigned round = 0; !has_passed(number); ++round) {
    std::this_thread::sleep_for(pause);
    constexpr unsigned rounds_before_asking = 1 << 12;
    if (round % rounds_before_asking != rounds_before_asking - 1) continue;
    const auto recorder = static_cast<pid_t>(counts_->recorder.load());
    if (recorder != 0 && kill(recorder, 0) != 0 && errno == ESRCH) return;
  }
}

}  // namespace gridspan::runtime
