// Tells what verification found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/report.h"

#include "devices/cpu/messages.h"
#include "support/log.h"

namespace gridspan::runtime::verify {

using support::LogLevel;

namespace {

/// Differences of one kind at one place that are written out, and of one kernel.
constexpr std::uint64_t told_per_place = 3;
constexpr std::uint64_t told_per_kernel = 30;

std::string counted(std::uint64_t number, const char* one, const char* many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

std::string key_of(const Difference& difference) {
  return std::to_string(static_cast<int>(difference.kind)) + "|" + difference.array + "|" +
         devices::cpu::place_text(&difference.where);
}

}  // namespace

void Report::add(const BoundModel& bound, const Findings& findings) {
  const std::scoped_lock lock(mutex_);
  KernelCount& count = kernels_[devices::cpu::kernel_name(*bound.launch().kernel)];
  ++count.launches;
  count.blocks += findings.blocks;
  count.sets += findings.sets;
  for (const std::uint32_t assumption : findings.failed_assumptions)
    ++count.failed_assumptions[bound.model().assumptions[assumption].text];
  for (const Difference& difference : findings.differences) add(count, bound, difference);
  for (const Difference& warning : findings.warnings) warn(count, bound, warning);
}

/// Once for each kernel and line: every launch and part would say the same.
void Report::warn(KernelCount& count, const BoundModel& bound, const Difference& warning) {
  const abi::SourcePoint& where = warning.where;
  const std::string line = std::string(where.file ? where.file : "") + std::to_string(where.line);
  if (!count.warned.insert(line).second) return;
  const std::string kernel = devices::cpu::kernel_name(*bound.launch().kernel);
  support::log_plain(LogLevel::error, devices::cpu::message_prefix(&where, "warning") + "kernel '" +
                                          kernel + "': " + warning.text + "; " +
                                          bound.launch_text());
}

void Report::add(KernelCount& count, const BoundModel& bound, const Difference& difference) {
  ++count.differences;
  const std::uint64_t before = count.told[key_of(difference)]++;
  if (before >= told_per_place || count.differences > told_per_kernel) return;
  const std::string kernel = devices::cpu::kernel_name(*bound.launch().kernel);
  std::string line = devices::cpu::message_prefix(&difference.where, "error");
  line += "kernel '" + kernel + "' differs from its model: ";
  if (!difference.array.empty()) line += "array " + difference.array + ": ";
  line += difference.text + "; " + bound.launch_text();
  support::log_plain(LogLevel::error, line);
}

void Report::add_unmodelled(const abi::Kernel& kernel) {
  const std::scoped_lock lock(mutex_);
  KernelCount& count = kernels_[devices::cpu::kernel_name(kernel)];
  ++count.launches;
  count.modelled = false;
}

void Report::add_sampled(const abi::Kernel& kernel, std::uint64_t blocks, std::uint64_t of) {
  const std::scoped_lock lock(mutex_);
  const std::string name = devices::cpu::kernel_name(kernel);
  if (kernels_[name].sampled++ > 0) return;
  support::log(LogLevel::warn,
               "verify: kernel '%s' touches too much to keep: %llu of %llu blocks "
               "are checked",
               name.c_str(), static_cast<unsigned long long>(blocks),
               static_cast<unsigned long long>(of));
}

std::uint64_t Report::differences() const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [name, count] : kernels_) sum += count.differences;
  return sum;
}

std::uint64_t Report::warnings() const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [name, count] : kernels_) sum += count.warned.size();
  return sum;
}

std::string Report::summary() const {
  const std::scoped_lock lock(mutex_);
  KernelCount sum;
  std::uint64_t unmodelled = 0, failed = 0;
  for (const auto& [name, count] : kernels_) {
    sum.launches += count.launches;
    sum.sets += count.sets;
    sum.differences += count.differences;
    sum.sampled += count.sampled;
    if (!count.modelled) unmodelled += count.launches;
    for (const auto& [text, launches] : count.failed_assumptions) failed += launches;
  }
  std::string text = "gridspan verify: " + counted(sum.launches, "launch", "launches") + ", " +
                     counted(sum.sets, "set", "sets") + ", " +
                     counted(sum.differences, "difference", "differences");
  if (failed > 0) text += ", " + counted(failed, "assumption", "assumptions") + " failed";
  if (sum.sampled > 0)
    text += ", " + counted(sum.sampled, "launch", "launches") + " checked by a sample of blocks";
  if (unmodelled > 0) text += ", " + counted(unmodelled, "launch", "launches") + " not modelled";
  return text;
}

void Report::finish() const {
  support::log_plain(LogLevel::error, summary());
  if (!support::logs(LogLevel::info)) return;
  const std::scoped_lock lock(mutex_);
  for (const auto& [name, count] : kernels_) {
    std::string line =
        "gridspan verify:   " + name + ": " + counted(count.launches, "launch", "launches") + ", ";
    line += count.modelled ? counted(count.blocks, "block", "blocks") + ", " +
                                 counted(count.sets, "set", "sets") + ", " +
                                 counted(count.differences, "difference", "differences")
                           : std::string("not modelled");
    support::log_plain(LogLevel::info, line);
    for (const auto& [text, launches] : count.failed_assumptions)
      support::log_plain(LogLevel::info, "gridspan verify:     failed in " +
                                             counted(launches, "launch", "launches") + ": " + text);
  }
}

}  // namespace gridspan::runtime::verify
