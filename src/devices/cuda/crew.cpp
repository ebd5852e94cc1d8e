// One job, one condition.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/crew.h"

#include "devices/machine/topology.h"
#include "support/program_signals.h"

#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

namespace gridspan::devices::cuda {

Crew& crew() {
  static Crew& instance = *new Crew;  // threads use it until the process is gone
  return instance;
}

Crew& second_crew() {
  static Crew& instance = *new Crew;
  return instance;
}

Crew::Crew()
    : size_(static_cast<unsigned>(std::min<std::size_t>(machine::usable_cpus().size(), most))) {}

void Crew::run(const std::function<void(unsigned)>& job) {
  const std::scoped_lock one_caller(callers_);
  start();
  {
    const std::scoped_lock lock(mutex_);
    job_ = &job;
    working_ = helpers_;
    ++jobs_;
  }
  changed_.notify_all();
  work(job, 0);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return working_ == 0; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Crew::work(const std::function<void(unsigned)>& job, unsigned index) {
  try {
    job(index);
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    thrown_ = std::current_exception();
  }
}

void Crew::start() {
  if (has_started_) return;
  has_started_ = true;
  const support::ProgramSignals blocked;
  try {
    while (helpers_ + 1 < size_) {
      std::thread([this, index = helpers_ + 1] { help(index); }).detach();
      ++helpers_;
    }
  } catch (const std::system_error&) {
    // The machine has no more threads for us: fewer help.
  }
}

void Crew::help(unsigned index) {
  std::unique_lock lock(mutex_);
  for (std::uint64_t done = 0;;) {
    changed_.wait(lock, [&] { return jobs_ != done; });
    done = jobs_;
    const auto& job = *job_;
    lock.unlock();
    work(job, index);
    lock.lock();
    if (--working_ == 0) changed_.notify_all();
  }
}

}  // namespace gridspan::devices::cuda
