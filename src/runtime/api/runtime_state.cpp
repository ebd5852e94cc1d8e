// Starts the run time at the first API call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/runtime_state.h"

#include "devices/cpu/cpu_device.h"
#include "support/log.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

namespace gridspan::runtime {

namespace {

using support::LogLevel;

std::atomic<Runtime*> started{nullptr};

support::Options read_options() {
  std::vector<std::string> remarks;
  auto options = support::options_from_environment(&remarks);
  if (!options) give_up(options.error().message);
  if (!support::set_log(options->log)) {
    give_up("GRIDSPAN_LOG: cannot write to '" + options->log.file + "'");
  }
  // Said whatever the log level: a mistyped GRIDSPAN_LOG must not hide itself.
  for (const std::string& remark : remarks) {
    std::fprintf(stderr, "gridspan: warning: %s\n", remark.c_str());
  }
  return *options;
}

std::unique_ptr<devices::Device> make_device(const support::Options& options) {
  devices::cpu::CpuOptions cpu;
  cpu.threads = options.threads;
  cpu.interpret = options.cpu == support::CpuMode::interpret;
  return devices::cpu::make_device(cpu);
}

std::unique_ptr<verify::Verifier> make_verifier(const support::Options& options,
                                                devices::Device& device, HomeMemory& memory) {
  if (!options.verify) return nullptr;
  return std::make_unique<verify::Verifier>(device, memory.table(), options.verify_seed);
}

/// Launches the program did not wait for are checked too. Differences must not go unnoticed: they
/// take the place of the program's exit status.
void finish_verification(Runtime& state) {
  constexpr int found_differences = 3;
  if (!Queue::in_host_function()) state.queue.wait(state.queue.last_submitted());
  const verify::Report& report = state.verifier->report();
  report.finish();
  if (report.differences() == 0) return;
  std::fflush(nullptr);
  std::_Exit(found_differences);
}

/// Runs before the destructors of everything made before our first call.
void at_exit() {
  Runtime* state = started.load();
  state->exiting.store(true);
  if (state->verifier) finish_verification(*state);
  state->queue.stop_dispatching();
}

Runtime* start() {
  try {
    auto* state = new Runtime(read_options());
    const devices::DeviceFacts& facts = state->device->facts();
    support::log(LogLevel::info, "device 0: %s, %u workers, %zu MiB", facts.name.c_str(),
                 facts.workers, static_cast<std::size_t>(facts.memory_bytes >> 20));
    started.store(state);
    std::atexit(at_exit);
    return state;
  } catch (const std::exception& failure) {
    give_up(std::string("cannot start: ") + failure.what());
  }
}

}  // namespace

Runtime::Runtime(const support::Options& options_)
    : options(options_),
      device(make_device(options_)),
      memory(*device),
      verifier(make_verifier(options_, *device, memory)),
      queue(*new Queue(*device, verifier.get())) {}

void give_up(const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "gridspan: error: %s\n", line.c_str());
  std::_Exit(EXIT_FAILURE);
}

Runtime& runtime() {
  static Runtime& state = *start();
  return state;
}

Runtime* runtime_if_started() { return started.load(std::memory_order_acquire); }

}  // namespace gridspan::runtime
