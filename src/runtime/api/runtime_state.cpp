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

/// Ends the process at once: exit() would run destructors that call us, and we are not there yet.
[[noreturn]] void give_up(const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "gridspan: error: %s\n", line.c_str());
  std::_Exit(EXIT_FAILURE);
}

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

/// Runs before the destructors of everything made before our first call.
void at_exit() {
  Runtime* state = started.load();
  state->exiting.store(true);
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
      queue(*new Queue(*device)) {}

Runtime& runtime() {
  static Runtime& state = *start();
  return state;
}

Runtime* runtime_if_started() { return started.load(std::memory_order_acquire); }

}  // namespace gridspan::runtime
