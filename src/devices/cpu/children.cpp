// The services by which kernels launch kernels (abi/services.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/children.h"

#pragma GCC visibility push(default)
#include "abi/services.h"
#pragma GCC visibility pop

#include "abi/child_list.h"
#include "devices/cpu/kernel_guard.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gridspan::devices::cpu {
namespace {

/// A launch whose configuration was refused does not happen.
constexpr std::uint32_t refused = 1;

struct Configuration {
  abi::Dim grid{}, block{};
  std::uint64_t shared_bytes = 0;
  std::uint64_t stream = 0;
};

thread_local Children* children = nullptr;
thread_local const abi::Kernel* running = nullptr;
thread_local Configuration configuration;
thread_local std::uint32_t last_error = 0;

std::uint64_t threads_of(const Configuration& asked) {
  return std::uint64_t{asked.block.x} * asked.block.y * asked.block.z;
}

constexpr std::uint64_t most_shared = 227 * 1024;

/// Of the module that the running kernel is of.
const abi::Kernel* find_kernel(const char* name) {
  const abi::Module* module = running ? running->module : nullptr;
  if (!module) return nullptr;
  const abi::Kernel* end = module->kernels + module->kernel_count;
  const abi::Kernel* found = std::find_if(
      module->kernels, end, [&](const abi::Kernel& one) { return !std::strcmp(one.name, name); });
  return found == end ? nullptr : found;
}

std::vector<std::byte> pack(const abi::Kernel& kernel, const void* const* arguments) {
  std::vector<std::byte> bytes;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    bytes.resize(parameter.offset + parameter.size);
    std::memcpy(bytes.data() + parameter.offset, arguments[i], parameter.size);
  }
  return bytes;
}

void ask_for(ChildWork work, std::uint64_t stream) {
  const std::uint32_t error = children->add(std::move(work), stream == abi::tail_stream);
  if (error != 0) last_error = error;
}

}  // namespace

std::uint32_t Children::add(ChildWork work, bool at_the_end) {
  const std::lock_guard lock(mutex_);
  if (taker_) return taker_->take(work, at_the_end);
  (at_the_end ? tail_ : waiting_).push_back(std::move(work));
  return 0;
}

std::optional<ChildWork> Children::take(bool with_tail) {
  const std::lock_guard lock(mutex_);
  std::deque<ChildWork>& from = waiting_.empty() && with_tail ? tail_ : waiting_;
  if (from.empty()) return std::nullopt;
  ChildWork work = std::move(from.front());
  from.pop_front();
  return work;
}

ChildScope::ChildScope(Children& of_part, const abi::Kernel& kernel)
    : outer_children_(std::exchange(children, &of_part)),
      outer_kernel_(std::exchange(running, &kernel)) {
  last_error = 0;
}

ChildScope::~ChildScope() {
  children = outer_children_;
  running = outer_kernel_;
}

}  // namespace gridspan::devices::cpu

using namespace gridspan::devices::cpu;

extern "C" {

std::uint32_t gridspan_device_configure(const gridspan::abi::Dim* grid,
                                        const gridspan::abi::Dim* block, std::uint64_t shared_bytes,
                                        std::uint64_t stream) {
  const Configuration asked{*grid, *block, shared_bytes, stream};
  if (children->depth() + 1 >= gridspan::abi::most_nested) {
    last_error = gridspan::abi::child_depth_exceeded;
    return refused;
  }
  if (!gridspan::abi::is_possible(*grid, *block, shared_bytes, most_shared)) {
    last_error = gridspan::abi::child_invalid_configuration;
    return refused;
  }
  configuration = asked;
  return 0;
}

void gridspan_device_launch(const char* name, const void* const* arguments) {
  const HostCode host;
  const gridspan::abi::Kernel* kernel = find_kernel(name);
  if (!kernel) {
    last_error = gridspan::abi::child_not_supported;
    return;
  }
  // Its code takes __launch_bounds__ at its word.
  if (kernel->max_threads != 0 && threads_of(configuration) > kernel->max_threads) {
    last_error = gridspan::abi::child_out_of_resources;
    return;
  }
  ChildWork work{.kind = ChildWork::Kind::launch,
                 .kernel = kernel,
                 .grid = configuration.grid,
                 .block = configuration.block,
                 .shared_bytes = static_cast<std::uint32_t>(configuration.shared_bytes),
                 .arguments = pack(*kernel, arguments)};
  ask_for(std::move(work), configuration.stream);
}

void gridspan_device_copy(void* to, const void* from, std::uint64_t bytes, std::uint64_t stream) {
  const HostCode host;
  ask_for({.kind = ChildWork::Kind::copy, .to = to, .from = from, .bytes = bytes}, stream);
}

void gridspan_device_fill(void* to, std::uint32_t value, std::uint64_t bytes,
                          std::uint64_t stream) {
  const HostCode host;
  ask_for({.kind = ChildWork::Kind::fill,
           .to = to,
           .bytes = bytes,
           .value = static_cast<unsigned char>(value)},
          stream);
}

std::uint32_t gridspan_device_last_error(std::uint32_t clear) {
  return clear != 0 ? std::exchange(last_error, 0u) : last_error;
}

void gridspan_device_set_error(std::uint32_t error) { last_error = error; }
}
