// Finding and loading the plug-in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/specialise/plugin.h"

#include "runtime/api/instruction_limit.h"
#include "runtime/schedule/service_thread.h"
#include "support/log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/auxv.h>

#include <chrono>
#include <string>
#include <system_error>
#include <thread>

namespace gridspan::runtime {

namespace {

std::atomic<bool> is_forked = false;  // this process, since the plug-in was thought of

void say(abi::SpecialiserSays level, const char* line) {
  using support::LogLevel;
  constexpr LogLevel levels[] = {LogLevel::warn, LogLevel::info, LogLevel::debug};
  support::log(levels[static_cast<unsigned>(level)], "%s", line);
}

const void* this_library() { return reinterpret_cast<const void*>(&gridspan_register_module); }

/// Beside the library this is in; empty if nobody knows where that is.
std::string plugin_path() {
  Dl_info info{};
  if (dladdr(this_library(), &info) == 0 || !info.dli_fname) return {};
  const std::string library = info.dli_fname;
  const std::size_t slash = library.rfind('/');
  if (slash == std::string::npos) return {};
  return library.substr(0, slash) + "/libgridspan_specialise.so";
}

}  // namespace

SpecialisePlugin::SpecialisePlugin(const Modes& modes, abi::InstructionSet instructions)
    : modes_(modes), instructions_(instructions) {
  pthread_atfork(nullptr, nullptr, [] { is_forked = true; });
}

const abi::Specialiser* SpecialisePlugin::if_loaded() const {
  return is_forked.load(std::memory_order_relaxed) ? nullptr : plugin_.load();
}

const abi::Specialiser* SpecialisePlugin::loaded() {
  if (is_forked.load(std::memory_order_relaxed)) return nullptr;
  std::call_once(loaded_, [this] { load(); });
  return plugin_;
}

void SpecialisePlugin::load() {
  const std::string path = plugin_path();
  void* library = path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  using Start = const abi::Specialiser*(const abi::SpecialiserSetup*);
  auto* start =
      library ? reinterpret_cast<Start*>(dlsym(library, "gridspan_specialiser")) : nullptr;
  if (!start)
    return say(abi::SpecialiserSays::information, "specialise and fuse: there is no plug-in");
  const abi::SpecialiserSetup setup{abi::version,
                                    modes_.specialise.value_or(abi::SpecialiseMode::cached),
                                    instructions_, this_library(), say};
  const abi::Specialiser* plugin = start(&setup);
  if (plugin && plugin->version == abi::version) plugin_ = plugin;
}

const abi::Kernel& SpecialisePlugin::choose(const abi::Kernel& kernel,
                                            const abi::LaunchContext& launch) {
  const abi::Specialiser* const plugin = loaded();
  return plugin ? *plugin->choose(&kernel, &launch) : kernel;
}

void SpecialisePlugin::ran(const abi::Kernel& kernel, const abi::LaunchContext& launch,
                           const abi::Kernel& used, std::uint64_t nanoseconds) {
  if (const abi::Specialiser* const plugin = if_loaded())
    plugin->ran(&kernel, &launch, &used, nanoseconds);
}

void SpecialisePlugin::forget(const abi::Module& module) {
  if (const abi::Specialiser* const plugin = if_loaded()) plugin->forget(&module);
}

void SpecialisePlugin::stop() {
  if (const abi::Specialiser* const plugin = if_loaded()) plugin->stop();
}

/// To load takes a lock that dlclose has while a library ends, which waits for kernels and plans:
/// so a thread does it that nobody waits for, but for a while where all is wanted at once.
bool SpecialisePlugin::is_ready() {
  if (has_loaded_.load() || is_forked.load()) return true;
  if (!is_loading_.exchange(true)) {
    try {
      start_service_thread("gridspan-plugin", [this] {
        loaded();
        has_loaded_ = true;
      });
    } catch (const std::system_error&) {  // no thread is to be had
      is_loading_ = false;
    }
  }
  constexpr std::chrono::seconds longest_load{5};
  const auto limit = std::chrono::steady_clock::now() + longest_load;
  while (modes_.fuse == abi::SpecialiseMode::now && !has_loaded_.load() &&
         std::chrono::steady_clock::now() < limit)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  return has_loaded_.load();
}

abi::FuseAnswer SpecialisePlugin::ask(const abi::Module& module, const char* launches) {
  const abi::Specialiser* const plugin = if_loaded();
  if (!plugin || !modes_.fuse) return {abi::FuseState::refused, 0, nullptr};
  const abi::FuseRequest request{&module, launches, *modes_.fuse};
  return plugin->fuse(&request);
}

bool SpecialisePlugin::may_fuse(const abi::Module& module) {
  return module.container && ask(module, nullptr).state != abi::FuseState::refused;
}

fuse::FusedAnswer SpecialisePlugin::fuse(const abi::Module& module,
                                         const support::FusedLaunches& launches) {
  const abi::FuseAnswer answer = ask(module, to_text(launches).c_str());
  return {answer.state, answer.kernel, launches};
}

/// Of support::Specialise or support::Fuse, whose `check` is a `now` that compares.
template <class Choice>
static std::optional<abi::SpecialiseMode> mode_of(Choice choice) {
  if (choice == Choice::off) return std::nullopt;
  if (choice == Choice::cached) return abi::SpecialiseMode::cached;
  return choice == Choice::on ? abi::SpecialiseMode::on : abi::SpecialiseMode::now;
}

std::unique_ptr<SpecialisePlugin> make_specialise_plugin(const support::Options& options) {
  // Who checks kernels checks those that are there; privileged programs read nobody's files.
  if (options.verify || options.cpu == support::CpuMode::interpret || getauxval(AT_SECURE) != 0)
    return nullptr;
  SpecialisePlugin::Modes modes{mode_of(options.specialise), mode_of(options.fuse)};
  if (!options.fuse_kernels) modes.fuse.reset();
  if (!modes.specialise && !modes.fuse) return nullptr;
  return std::make_unique<SpecialisePlugin>(modes, instruction_limit(options.instructions));
}

}  // namespace gridspan::runtime
