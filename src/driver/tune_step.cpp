// The search's workbench: gridcc's own steps, over and over.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/tune_step.h"

#include "driver/cleanup.h"
#include "driver/files.h"
#include "driver/launch_times.h"
#include "driver/messages.h"
#include "driver/module_id.h"
#include "driver/tune_file.h"
#include "driver/tune_search.h"
#include "support/readable_name.h"

#include <llvm/Support/raw_ostream.h>
#include <deque>
#include <filesystem>

namespace gridspan::driver {

using codegen::CompiledKernel;
using codegen::KernelSettings;
using codegen::TunedKernel;
using support::Result;
namespace fs = std::filesystem;

namespace {

class CompilerWorkbench final : public Workbench {
 public:
  explicit CompilerWorkbench(const TuneJob& job) : job_(job) {
    for (codegen::DeviceRequest* request : job.requests)
      request->kernel_done = [this](const CompiledKernel& kernel) {
        const std::string key = kernel.kernel + " " + to_text(kernel.module);
        // The first build is the compiler's own choice. What rounds differently is no candidate.
        const CompiledKernel& own = kernels_.try_emplace(key, kernel).first->second;
        forms_[key] = kernel.math == own.math ? kernel.form : own.form;
      };
  }
  ~CompilerWorkbench() override {
    for (codegen::DeviceRequest* request : job_.requests) request->kernel_done = nullptr;
  }

  Result<Build> compile(const ByKernel<KernelSettings>& settings) override {
    settings_.push_back(settings);
    forms_.clear();
    if (auto made = make(tuned(settings), true); !made) return support::fail(made.error());
    return Build{static_cast<unsigned>(settings_.size() - 1), forms_};
  }
  Result<void> keep(const Build& build) override {
    if (auto made = make(tuned(settings_[build.number]), false); !made) return made;
    for (const std::string& output : job_.outputs)
      if (auto copied = copy(output, copy_of(build, output)); !copied) return copied;
    return {};
  }
  Result<LaunchTimes> run(const Build& build) override {
    if (auto ready = install(build); !ready) return support::fail(ready.error());
    auto run = run_timed(job_.command, job_.workspace + "/tune-run");
    if (!run) return support::fail(after(build) + run.error().message);
    cpu_ = run->cpu;
    return std::move(run->times);
  }
  void say(const std::string& line) override { llvm::errs() << "gridcc: tuning: " << line << '\n'; }
  std::string readable(const std::string& kernel) const override {
    return support::readable_name(kernel.substr(0, kernel.find(' ')));
  }

  /// The outputs become those of a build that was kept.
  Result<void> install(const Build& build) const {
    for (const std::string& output : job_.outputs)
      if (auto copied = copy(copy_of(build, output), output); !copied) return copied;
    return {};
  }
  Result<void> make(const std::vector<TunedKernel>& tuned, bool forms_only) const {
    for (codegen::DeviceRequest* request : job_.requests) {
      request->tuned = tuned;
      request->forms_only = forms_only;
    }
    if (job_.make(forms_only)) return {};
    return support::fail("the program cannot be compiled with other settings");
  }
  TunedKernel entry(const std::string& key, const KernelSettings& settings) const {
    const CompiledKernel& kernel = kernels_.at(key);
    return {kernel.kernel, kernel.source, kernel.code, cpu_, settings};
  }

 private:
  std::vector<TunedKernel> tuned(const ByKernel<KernelSettings>& settings) const {
    std::vector<TunedKernel> list;
    for (const auto& [key, one] : settings) list.push_back(entry(key, one));
    return list;
  }
  std::string copy_of(const Build& build, const std::string& output) const {
    return job_.workspace + "/tune-" + std::to_string(build.number) + "-" +
           fs::path(output).filename().string();
  }
  static Result<void> copy(const std::string& from, const std::string& to) {
    std::error_code error;
    fs::remove(to, error);  // a program that still runs keeps its own
    fs::copy_file(from, to, error);
    if (error) return support::fail("cannot write '" + to + "': " + error.message());
    return {};
  }
  std::string after(const Build& build) const {
    std::string changes;
    for (const auto& [key, one] : settings_[build.number])
      if (const std::string text = codegen::describe(one); !text.empty())
        changes += "\n  " + readable(key) + ": " + text;
    return changes.empty() ? ""
                           : "with these settings, which should make no difference to results "
                             "(please report it):" +
                                 changes + "\n";
  }

  const TuneJob& job_;
  std::deque<ByKernel<KernelSettings>> settings_;  // of each build
  ByKernel<std::string> forms_;                    // of the last one
  ByKernel<CompiledKernel> kernels_;
  std::string cpu_;
};

Result<void> write_found(const TuneJob& job, CompilerWorkbench& bench,
                         const ByKernel<Tuned>& found) {
  std::vector<TuneEntry> entries;
  std::vector<TunedKernel> tuned;
  for (const auto& [key, one] : found) {
    entries.push_back({bench.entry(key, one.settings), one.default_ms, one.tuned_ms});
    tuned.push_back(entries.back().kernel);
    const int percent = static_cast<int>(100 * (1 - one.tuned_ms / one.default_ms));
    bench.say(bench.readable(key) + ": " + codegen::describe(one.settings) + ": " +
              std::to_string(percent) + " % less time");
  }
  if (found.empty()) bench.say("nothing is faster than the compiler's own choice");
  if (auto made = bench.make(std::move(tuned), false); !made) return made;
  if (auto written = write_file(job.file, to_tune_text(entries)); !written) return written;
  bench.say("kept in " + job.file);
  return {};
}

}  // namespace

bool run_tuning(const TuneJob& job) {
  std::deque<PendingOutput> outputs;  // an interrupted search leaves no candidate behind
  for (const std::string& output : job.outputs) outputs.emplace_back(output);
  CompilerWorkbench bench(job);
  bench.say(job.command);
  auto found = search_settings(bench);
  Result<void> done;
  if (!found)
    done = support::fail(found.error());
  else
    done = write_found(job, bench, *found);
  if (!done) {
    print_error("--tune: " + done.error().message);
    if (!bench.make({}, false)) return false;
  }
  for (PendingOutput& output : outputs) output.keep();
  return done.has_value();
}

}  // namespace gridspan::driver
