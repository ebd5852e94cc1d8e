// Starts the command; reads what GRIDSPAN_KERNEL_TIMES made its programs write.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/launch_times.h"

#include "driver/files.h"
#include "driver/process.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/JSON.h>
#include <filesystem>

namespace gridspan::driver {

using support::Result;
namespace fs = std::filesystem;
namespace json = llvm::json;

namespace {

constexpr std::size_t most_output = 1000;  // bytes that an error shows

std::string end_of(const std::string& file) {
  std::string text = read_file(file).value_or("");
  while (text.ends_with('\n')) text.pop_back();
  if (text.size() > most_output) {
    const std::size_t line = text.find('\n', text.size() - most_output);
    text = text.substr(line == std::string::npos ? text.size() - most_output : line + 1);
  }
  return text;
}

support::Error failure(const std::string& command, const Outcome& outcome,
                       const std::string& output) {
  const std::string why =
      outcome.trouble.empty() ? "exit status " + std::to_string(outcome.code) : outcome.trouble;
  const std::string said = end_of(output);
  return {"the command to tune with failed: " + why + ": " + command +
          (said.empty() ? "" : "\nit wrote:\n" + said)};
}

void add(const json::Object& kernel, TimedRun& run) {
  const json::Array* launches = kernel.getArray("nanoseconds");
  const auto name = kernel.getString("name"), module = kernel.getString("module");
  if (!launches || !name || !module) return;
  std::vector<double>& times = run.times[(*name + " " + *module).str()];
  if (times.size() < launches->size()) times.resize(launches->size());
  for (std::size_t i = 0; i < launches->size(); ++i)
    times[i] += (*launches)[i].getAsNumber().value_or(0);
}

/// Several programs, or the processes of one: what they took is added up.
Result<TimedRun> read_times(const fs::path& folder) {
  TimedRun run;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    auto text = read_file(entry.path());
    if (!text) return support::fail(text.error());
    auto value = json::parse(*text);
    if (!value)
      return support::fail(entry.path().string() + ": " + llvm::toString(value.takeError()));
    const json::Object* root = value->getAsObject();
    const json::Array* kernels = root ? root->getArray("kernels") : nullptr;
    if (!kernels) continue;
    if (const auto cpu = root->getString("cpu"); cpu && !kernels->empty()) run.cpu = cpu->str();
    for (const json::Value& kernel : *kernels)
      if (const json::Object* object = kernel.getAsObject()) add(*object, run);
  }
  return run;
}

}  // namespace

Result<TimedRun> run_timed(const std::string& command, const std::string& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  fs::create_directories(folder, error);
  if (error) return support::fail("cannot create '" + folder + "': " + error.message());
  const std::string output = folder + "/output";
  // Nobody is there to type: whoever reads finds the end.
  const Command shell{"env",
                      {"GRIDSPAN_KERNEL_TIMES=" + folder + "/times.%p.json", "/bin/sh", "-c",
                       "exec </dev/null\n" + command}};
  const Outcome outcome = Process(shell, output, output).wait();
  if (!outcome.ok()) return support::fail(failure(command, outcome, output));
  return read_times(folder);
}

}  // namespace gridspan::driver
