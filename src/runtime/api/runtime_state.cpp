// Starts the run time at the first API call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/runtime_state.h"

#include "devices/choose_devices.h"
#include "devices/make_devices.h"
#include "devices/measure/measure.h"
#include "devices/noting_device.h"
#include "devices/summary.h"
#include "runtime/api/call.h"
#include "runtime/api/managed_variables.h"
#include "runtime/check/choice.h"
#include "runtime/check/leaks.h"
#include "runtime/memory/reach.h"
#include "runtime/record/decisions.h"
#include "runtime/record/replay.h"
#include "runtime/schedule/host_function.h"
#include "runtime/schedule/one_device.h"
#include "runtime/schedule/streamed_device.h"
#include "support/first_at_exit.h"
#include "support/log.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
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
  if (options->ablation != support::Ablation::none) {
    std::fprintf(stderr, "gridspan: warning: GRIDSPAN_ABLATE is set: results are wrong\n");
  }
  return *options;
}

/// Of any kernel of the program (devices::kernel_without_code).
std::string kernel_without_code(const devices::DeviceChoice& choice) {
  for (const auto& loaded : registry().modules()) {
    std::string why = devices::kernel_without_code(choice, *loaded->module);
    if (!why.empty()) return why;
  }
  return {};
}

/// GRIDSPAN_DEVICES=auto.
void choose_devices(support::Options& options) {
  if (!options.chooses_devices) return;
  devices::DeviceChoice choice = devices::choose_devices(options);
  if (const std::string why = kernel_without_code(choice); !why.empty()) {
    std::fprintf(stderr,
                 "gridspan: warning: %s: the program runs on the CPU; "
                 "GRIDSPAN_DEVICES=cuda runs all others on GPUs\n",
                 why.c_str());
    return;
  }
  options.devices = std::move(choice.terms);
  if (!choice.why_cpu.empty())
    support::log(LogLevel::debug, "devices: the CPU: %s", choice.why_cpu.c_str());
}

/// Plans and calls are noted: nobody reads the devices' memory.
bool only_notes_plans(const support::Options& options) {
  return !options.record_data && options.replay.mode != support::Replay::Mode::run;
}

/// What reads memory of devices as its own does not know GPUs yet.
void check_for_cuda(support::Options options) {
  if (only_notes_plans(options)) {
    options.record.clear();
    options.replay = {};
  }
  const bool has_cuda = std::ranges::any_of(
      options.devices, [](const auto& term) { return support::word_of(term).has_own_memory; });
  if (!has_cuda) return;
  const char* const what = devices::option_for_cpus(options);
  if (what) give_up(std::string(what) + ": not supported with CUDA devices yet");
}

/// To a number other than 0.
bool is_set(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && std::strtol(value, nullptr, 10) != 0;
}

/// One GPU may run the program alone.
bool may_be_lazy(const support::Options& options) {
  return chooses_home(options) && std::ranges::all_of(options.devices, [](const auto& term) {
           return support::word_of(term).has_own_memory;
         });
}

std::vector<std::unique_ptr<devices::Device>> devices_for(const support::Options& options,
                                                          devices::KernelChoice* choice,
                                                          devices::MemoryMap* memory,
                                                          devices::KernelTimes& times,
                                                          devices::Measured& measured) {
  auto made = devices::make_devices(options, choice, memory, may_be_lazy(options));
  if (!made) give_up(made.error().message);
  measured = devices::measure(*made, options.measure);
  if (check::finds_unwritten(options))
    made->front() = devices::make_noting(std::move(made->front()));
  if (!options.kernel_times.empty())
    for (auto& device : *made) device = devices::make_timed(std::move(device), times);
  return std::move(*made);
}

devices::DeviceFacts summarise(const std::vector<std::unique_ptr<devices::Device>>& devices) {
  std::vector<devices::DeviceFacts> facts;
  for (const auto& device : devices) facts.push_back(device->facts());
  return devices::summarise(facts);
}

std::unique_ptr<verify::Verifier> make_verifier(const support::Options& options,
                                                devices::Device& device, HomeMemory& memory) {
  if (!options.verify) return nullptr;
  return std::make_unique<verify::Verifier>(device, memory.table(), options.verify_seed);
}

/// The oracle records whole launches, so there everything stays on the home device.
bool is_spread_out(const Runtime& state) {
  return is_planned(state.options, state.devices.size()) && !state.verifier;
}

std::unique_ptr<ManyDevices> make_many_devices(Runtime& state) {
  if (!is_spread_out(state)) return nullptr;
  auto made =
      std::make_unique<ManyDevices>(state.devices, state.memory.table(), state.options.isolate,
                                    policy_of(state.options), state.measured);
  made->lock_pages_by([&memory = state.memory](auto base) { return memory.lock_pages(base); });
  return made;
}

/// Who has kernels made of several, or finds them; null: they are not to be used.
fuse::KernelFuser* fuser_of(Runtime& state) {
  const support::Options& options = state.options;
  if (!options.fuse_kernels || options.cpu == support::CpuMode::interpret) return nullptr;
  const bool has_plugin = state.specialised && state.specialised->fuses();
  fuse::KernelFuser* const plugin = has_plugin ? state.specialised.get() : nullptr;
  if (!options.fuse_carried) return plugin;
  if (!state.carried_kernels)
    state.carried_kernels = std::make_unique<fuse::CarriedKernels>(plugin);
  return state.carried_kernels.get();
}

bool has_gpu(const Runtime& state) {
  return std::ranges::any_of(state.devices,
                             [](const auto& one) { return one->facts().only_begins; });
}

/// The same for kernels that run on all of the devices; some are GPUs.
fuse::KernelFuser* device_fuser(Runtime& state,
                                std::span<const std::unique_ptr<devices::Device>> on,
                                fuse::KernelFuser& fuser) {
  std::vector<devices::Device*> devices;
  for (const auto& one : on) devices.push_back(one.get());
  const bool whole = devices.size() == 1;
  return &state.device_fusers.emplace_back(fuser, std::move(devices), whole);
}

/// The only GPU among several devices, which does alone what it does best; null: there is none, or
/// more than one.
devices::Device* only_gpu(const Runtime& state) {
  devices::Device* gpu = nullptr;
  for (const auto& one : state.devices) {
    if (!one->facts().only_begins) continue;
    if (gpu) return nullptr;
    gpu = one.get();
  }
  return gpu;
}

/// Null: launches run one after the other.
std::unique_ptr<fuse::Chainer> make_chainer(Runtime& state, GroupPlace& place, bool on_all) {
  using support::Fuse;
  const Fuse choice = state.options.fuse;
  const bool is_test = choice == Fuse::now || choice == Fuse::check;
  devices::Device* const gpu = on_all ? only_gpu(state) : nullptr;
  devices::Device& device = gpu ? *gpu : *state.devices.front();
  if (choice == Fuse::off || state.verifier) return nullptr;
  if (!state.options.kernel_times.empty()) return nullptr;  // which are those of whole launches
  if (!state.options.record.empty()) return nullptr;        // it has the launches one by one
  if (state.options.cpu == support::CpuMode::interpret && !is_test) return nullptr;
  const bool is_gpu = has_gpu(state);
  if (!on_all && !is_gpu && device.host_memory()) return nullptr;
  fuse::KernelFuser* fuser = fuser_of(state);
  const auto mode = choice == Fuse::check ? fuse::Chainer::Mode::check
                    : is_test             ? fuse::Chainer::Mode::now
                                          : fuse::Chainer::Mode::trial;
  const bool moves = !on_all && !is_gpu && state.options.cpu == support::CpuMode::regions;
  const std::string_view no_chains = on_all && !gpu              ? "chains are for one device"
                                     : state.options.fuse_chains ? std::string_view()
                                                                 : "chains are not asked for";
  if (!fuser && !no_chains.empty()) return nullptr;
  const std::size_t used = on_all ? state.devices.size() : 1;
  if (is_gpu && fuser) fuser = device_fuser(state, std::span(state.devices).first(used), *fuser);
  return std::make_unique<fuse::Chainer>(
      place, device.facts(), state.memory.table(), fuser,
      fuse::Chainer::Settings{mode, moves, is_gpu, no_chains, is_gpu ? &device.code() : nullptr});
}

std::unique_ptr<fuse::Chainer> make_chainer_of_all(Runtime& state) {
  if (!state.many_devices) return nullptr;
  auto chainer = make_chainer(state, *state.many_devices, true);
  state.many_devices->offer_to(chainer.get());
  return chainer;
}

/// Several GPUs, of which one may run the program alone.
bool may_stay_home(const Runtime& state) {
  return state.many_devices && state.devices.size() > 1 && chooses_home(state.options) &&
         std::ranges::all_of(state.devices,
                             [](const auto& one) { return one->facts().only_begins; });
}

std::unique_ptr<fuse::Chainer> make_chainer_of_home(Runtime& state) {
  if (state.many_devices && !may_stay_home(state)) return nullptr;
  state.home_place =
      std::make_unique<fuse::DevicePlace>(*state.devices.front(), state.memory.table());
  return make_chainer(state, *state.home_place, false);
}

std::unique_ptr<StreamedDevice> make_streamed_device(Runtime& state) {
  devices::Device& device = *state.devices.front();
  if (!device.facts().only_begins || (state.many_devices && !may_stay_home(state))) return nullptr;
  return std::make_unique<StreamedDevice>(device, state.home_chainer.get());
}

std::unique_ptr<HomeOrAll> make_home_or_all(Runtime& state) {
  if (!may_stay_home(state)) return nullptr;
  const std::optional<std::uint32_t> seed = state.options.policy == support::PlanPolicy::random
                                                ? std::optional(state.options.policy_seed)
                                                : std::nullopt;
  return std::make_unique<HomeOrAll>(*state.streamed_device, *state.many_devices,
                                     state.lazy_devices, state.memory.table(),
                                     SpreadChoice(state.many_devices->rates(), seed));
}

/// Of the GPU's memory, what is left free where a program has more, but for small allocations.
std::uint64_t companion_room(const Runtime& state) {
  if (state.options.copy_memory != 0) return state.options.copy_memory;
  const std::uint64_t spare = devices::spare_beyond(state.devices.front()->facts().memory_bytes);
  const std::uint64_t most = state.options.oversubscribe.most_on_gpu, room = spare - spare / 4;
  return most == 0 ? room : std::min(most, room);
}

/// One GPU, whose memory the host's may follow.
std::unique_ptr<HomeOrRounds> make_home_or_rounds(Runtime& state) {
  const support::Options& options = state.options;
  const bool is_free =
      options.policy == support::PlanPolicy::usual || options.policy == support::PlanPolicy::random;
  const bool is_plain = is_free && options.ablation == support::Ablation::none &&
                        options.record.empty() &&
                        options.replay.mode == support::Replay::Mode::none && !state.verifier;
  if (!is_plain || !state.streamed_device || state.many_devices || !options.oversubscribe.spills)
    return nullptr;
  devices::Device& home = *state.devices.front();
  if (is_in_hosts_reach(home)) return nullptr;
  const std::optional<std::uint32_t> seed = options.policy == support::PlanPolicy::random
                                                ? std::optional(options.policy_seed)
                                                : std::nullopt;
  return std::make_unique<HomeOrRounds>(
      *state.streamed_device, home, state.memory, state.memory.table(), policy_of(options),
      companion_room(state),
      [&state] { return devices::make_companion(state.options, companion_room(state)); }, seed);
}

std::unique_ptr<OneDevice> make_one_device(Runtime& state) {
  if (state.many_devices || state.streamed_device) return nullptr;
  return std::make_unique<OneDevice>(*state.devices.front(), state.memory.table(),
                                     state.verifier.get(), state.home_chainer.get());
}

Executor& device_executor(const Runtime& state) {
  if (state.home_or_all) return *state.home_or_all;
  if (state.home_or_rounds) return *state.home_or_rounds;
  if (state.many_devices) return *state.many_devices;
  if (state.streamed_device) return *state.streamed_device;
  return *state.one_device;
}

std::unique_ptr<record::Recorder> make_recorder(const Runtime& state) {
  if (state.options.record.empty()) return nullptr;
  auto recorder = record::Recorder::start(state.options, state.devices);
  if (!recorder) give_up(recorder.error().message);
  if (state.measured.is_known()) (*recorder)->write(record::measured_note(state.measured));
  return std::move(*recorder);
}

std::unique_ptr<record::RecordingExecutor> make_recording_executor(Runtime& state) {
  if (!state.recorder) return nullptr;
  auto made = std::make_unique<record::RecordingExecutor>(
      *state.recorder, device_executor(state), state.many_devices.get(), state.memory.table());
  if (state.home_or_all) state.home_or_all->watch(made.get());
  return made;
}

/// Who is told of memory that is given back.
void listen_to_releases(Runtime& state) {
  if (!state.many_devices && !state.recording_executor && !state.home_or_rounds) return;
  state.memory.on_release([&state](std::uintptr_t base) {
    if (state.many_devices) state.many_devices->released(base);
    if (state.home_or_rounds) state.home_or_rounds->released(base);
    if (state.recording_executor) state.recording_executor->released(base);
  });
}

Executor& executor(const Runtime& state) {
  if (state.recording_executor) return *state.recording_executor;
  return device_executor(state);
}

/// Differences must not go unnoticed: they take the place of the program's exit status.
void end_with_differences() {
  constexpr int found_differences = 3;
  std::fflush(nullptr);
  std::_Exit(found_differences);
}

/// Launches the program did not wait for are checked too. Whether anything differs.
bool finish_checks(Runtime& state) {
  if (!in_host_function()) state.queue.wait(state.queue.last_submitted());
  std::uint64_t differences = 0;
  for (const fuse::Chainer* chainer : state.chainers()) differences += chainer->differences();
  if (state.verifier) {
    state.verifier->report().finish();
    differences += state.verifier->report().differences();
  }
  return differences != 0;
}

/// Waits that were left out may have had a fault to return.
void finish_unseen(Runtime& state) {
  if (in_host_function()) return;
  state.queue.wait(state.queue.last_submitted());
  if (has_returned_fault() || state.queue.fault() == devices::Fault::none) return;
  support::log(support::LogLevel::error,
               "a kernel failed (%s) and no call returned that: GRIDSPAN_FUSE has across-waits",
               cudaGetErrorName(sticky_error(state)));
}

void log_lines(const char* what, const std::string& text) {
  if (!support::logs(LogLevel::info)) return;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    support::log(LogLevel::info, "%s: %s", what, line.c_str());
  }
}

void write_kernel_times(const Runtime& state) {
  std::string name = state.options.kernel_times;
  if (name.empty()) return;
  if (const std::size_t place = name.find("%p"); place != std::string::npos)
    name.replace(place, 2, std::to_string(state.process));
  std::ofstream file(name);
  file << state.kernel_times.text();
  file.close();
  if (!file)
    support::log(LogLevel::error, "GRIDSPAN_KERNEL_TIMES: cannot write '%s'", name.c_str());
}

/// Threads that have the driver compile are done before its compiler takes itself down.
void stop_compiling_ahead() {
  Runtime* const state = started.load();
  if (!state || getpid() != state->process) return;
  if (state->home_or_all) state->home_or_all->stop_loading();
  state->lazy_devices.settle();
  for (const auto& device : state->devices)
    if (devices::is_there(*device)) device->code().expect({});
}

/// Runs before the destructors of everything made before our first call.
void at_exit() {
  Runtime* state = started.load();
  state->exiting.store(true);
  if (getpid() != state->process) return state->queue.abandon();  // its threads are the parent's
  stop_compiling_ahead();
  const bool compares = state->verifier || state->options.fuse == support::Fuse::check;
  const bool differs = compares && finish_checks(*state);
  if (state->across_waits.is_on()) finish_unseen(*state);
  state->queue.stop_dispatching();
  write_kernel_times(*state);
  if (state->specialised) state->specialised->stop();
  if (state->home_or_all) log_lines("traffic", state->home_or_all->text());
  if (state->home_or_rounds) log_lines("traffic", state->home_or_rounds->text());
  if (state->many_devices) log_lines("traffic", state->many_devices->traffic().text());
  for (const fuse::Chainer* chainer : state->chainers())
    log_lines("fuse", chainer->counts().text());
  if (const auto left = state->queue.pending(); left != 0 && !state->chainers().empty())
    log_lines("fuse", "left_at_exit " + std::to_string(left));
  if (state->recorder) state->recorder->end();
  if (differs) end_with_differences();
}

/// When the program's destructors are done, which may free something yet. What cannot be freed
/// because a kernel failed is no leak.
[[gnu::destructor]] void tell_leaks() {
  const Runtime* const state = started.load();
  if (!state || !state->options.checks || !state->options.checks->leaks) return;
  if (getpid() != state->process || state->queue.fault() != devices::Fault::none) return;
  check::tell_leaks(*state->known_memory);
}

Runtime* start() {
  try {
    support::Options options = read_options();
    choose_devices(options);
    check_for_cuda(options);
    if (options.replay.mode != support::Replay::Mode::none) record::replay(options);
    auto* state = new Runtime(options);
    for (std::size_t i = 0; i < state->devices.size(); ++i) {
      const devices::DeviceFacts& facts = state->devices[i]->facts();
      support::log(LogLevel::info, "device %zu: %s, %u workers, %zu MiB", i, facts.name.c_str(),
                   facts.workers, static_cast<std::size_t>(facts.memory_bytes >> 20));
    }
    if (const char* const remark = check::remark_on(options))
      std::fprintf(stderr, "gridspan: warning: %s\n", remark);
    started.store(state);
    std::atexit(at_exit);
    support::set_first_at_exit(stop_compiling_ahead);
    pthread_atfork([] { runtime().queue.hold_for_fork(); },
                   [] { runtime().queue.go_on_after_fork(); },
                   [] { runtime().queue.go_on_in_child(); });
    return state;
  } catch (const std::exception& failure) {
    give_up(std::string("cannot start: ") + failure.what());
  }
}

}  // namespace

Runtime::Runtime(const support::Options& options_)
    : options(options_),
      launches_block(is_set("CUDA_LAUNCH_BLOCKING")),
      specialised(make_specialise_plugin(options_)),
      known_memory(check::known_memory_for(options_)),
      devices(devices_for(
          options_, specialised && specialised->specialises() ? specialised.get() : nullptr,
          check::checks_accesses(options_) ? known_memory.get() : nullptr, kernel_times, measured)),
      lazy_devices(devices),
      facts(summarise(devices)),
      memory(*devices.front(), facts.memory_bytes, is_planned(options_, devices.size()),
             pinning_memory(devices)),
      verifier(make_verifier(options_, *devices.front(), memory)),
      many_devices(make_many_devices(*this)),
      chainer_of_all(make_chainer_of_all(*this)),
      home_chainer(make_chainer_of_home(*this)),
      streamed_device(make_streamed_device(*this)),
      home_or_all(make_home_or_all(*this)),
      home_or_rounds(make_home_or_rounds(*this)),
      one_device(make_one_device(*this)),
      recorder(make_recorder(*this)),
      recording_executor(make_recording_executor(*this)),
      queue(*new Queue(executor(*this))),
      across_waits(!chainers().empty() && options_.fuse_across_waits) {
  listen_to_releases(*this);
  if (known_memory) memory.table().listen(known_memory.get());
  if (check::checks_accesses(options)) memory.keep_apart();
  if (!options.oversubscribe.spills) memory.forbid_beyond();
}

/// The driver's compiler takes some tens of milliseconds for a module: that is over when the
/// program has prepared its data. Of many modules a program seldom runs all, and its calls would
/// wait for each.
void expect_launches(Runtime& state) {
  if (state.expects_launches.exchange(true)) return;
  constexpr std::size_t most = 4;
  registry().with_modules([&](const std::vector<std::shared_ptr<LoadedModule>>& all) {
    std::vector<const abi::Module*> modules;
    for (const auto& loaded : all)
      if (loaded->module->kernel_count != 0) modules.push_back(loaded->module);
    if (modules.size() > most) return;
    for (const auto& device : state.devices) {
      device->code().expect(modules);
      if (state.home_or_all) return;  // the others may never run anything
    }
  });
}

void give_up(const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "gridspan: error: %s\n", line.c_str());
  std::_Exit(EXIT_FAILURE);
}

Runtime& runtime() {
  static Runtime& state = *start();
  place_new_managed_variables(state);
  return state;
}

Runtime* runtime_if_started() { return started.load(std::memory_order_acquire); }

}  // namespace gridspan::runtime
