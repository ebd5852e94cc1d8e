// Collects records by command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/recording.h"

#include "runtime/record/log_file.h"
#include "support/readable_name.h"
#include "tools/replay_text.h"

namespace gridspan::tools {
namespace {

using namespace runtime::record;

class Collector {
 public:
  explicit Collector(Recording& into) : into_(into) {}

  template <class T>
  void operator()(const T&) {}
  void operator()(const Header& note) { into_.header = note; }
  void operator()(const ModuleNote& note) { into_.modules.push_back(note); }
  void operator()(const LibraryNote& note) {
    if (into_.modules.empty()) return;
    into_.libraries[static_cast<std::uint32_t>(into_.modules.size() - 1)] = note.bytes;
  }
  void operator()(const PlanNote& note) { into_.plans.push_back(note); }
  void operator()(const LaunchNote& note) { into_.commands[note.command].launch = note; }
  void operator()(const FillNote& note) { into_.commands[note.command]; }
  void operator()(const PlannedNote& note) { into_.commands[note.command].planned = note; }
  void operator()(const PassedNote& note) { into_.commands[note.command].passed = note; }
  void operator()(const DigestNote& note) { into_.commands[note.command].digest = note; }
  void operator()(const FaultNote& note) { into_.fault = note; }
  void operator()(const PlaceNote&) { into_.has_places = true; }
  void operator()(const CopyNote& note) {
    RecordedCommand& command = into_.commands[note.command];
    command.copy = note;
    const auto after = memory_.upper_bound(note.from.base);
    if (after != memory_.begin()) command.buffer = std::prev(after)->first;
  }
  void operator()(const MemoryNote& note) {
    if (note.held)
      memory_[note.base] = note.size;
    else
      memory_.erase(note.base);
  }

 private:
  Recording& into_;
  std::map<std::uint64_t, std::uint64_t> memory_;  // base -> size
};

}  // namespace

std::string Recording::kernel_name(const LaunchNote& launch) const {
  if (launch.module >= modules.size()) return "unknown kernel";
  const ModuleNote& module = modules[launch.module];
  if (launch.kernel >= module.kernels.size()) return "unknown kernel";
  return support::readable_name(module.kernels[launch.kernel].name);
}

const PlanNote* Recording::plan_of(const RecordedCommand& command) const {
  if (!command.planned || command.planned->plan >= plans.size()) return nullptr;
  return &plans[command.planned->plan];
}

support::Result<Recording> read_recording(const std::string& file) {
  auto reader = LogReader::open(file);
  if (!reader) return support::fail(reader.error());
  Recording recording;
  Collector collector(recording);
  for (;;) {
    auto record = reader->next();
    if (!record) return support::fail(record.error());
    if (!*record) return recording;
    std::visit(collector, **record);
  }
}

}  // namespace gridspan::tools
