// gridspan replay.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay.h"

#include "runtime/record/log_file.h"
#include "support/options.h"
#include "tools/recording.h"
#include "tools/replay_compare.h"
#include "tools/replay_fusion.h"
#include "tools/replay_fusion_text.h"
#include "tools/replay_json.h"
#include "tools/replay_program.h"
#include "tools/replay_text.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace gridspan::tools {
namespace {

namespace fs = std::filesystem;
using runtime::record::LogReader;

/// A file that goes away with this, unless it was named by the user.
class ReplayFile {
 public:
  static support::Result<ReplayFile> make(const std::string& keep) {
    if (!keep.empty()) return ReplayFile(fs::absolute(keep).string(), false);
    std::string pattern = (fs::temp_directory_path() / "gridspan-replay-XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) return support::fail(pattern + ": " + std::strerror(errno));
    close(descriptor);
    return ReplayFile(pattern, true);
  }
  ReplayFile(ReplayFile&& other) noexcept
      : name_(std::exchange(other.name_, "")), is_ours_(other.is_ours_) {}
  ReplayFile& operator=(ReplayFile&&) = delete;
  ~ReplayFile() {
    std::error_code ignored;
    if (is_ours_ && !name_.empty()) fs::remove(name_, ignored);
  }
  const std::string& name() const { return name_; }

 private:
  ReplayFile(std::string name, bool is_ours) : name_(std::move(name)), is_ours_(is_ours) {}
  std::string name_;
  bool is_ours_;
};

/// What could be read is shown before the error is told.
support::Result<int> show(const ReplayRequest& request) {
  auto reader = LogReader::open(request.file);
  if (!reader) return support::fail(reader.error());
  RecordPrinter printer;
  const bool json = request.show == ReplayRequest::Show::json;
  const char* separator = "[\n";
  for (;;) {
    auto record = reader->next();
    if (!record) {
      std::fflush(stdout);
      return support::fail(record.error());
    }
    if (!*record) break;
    if (json) {
      std::printf("%s%s", std::exchange(separator, ",\n"), json_line(std::move(**record)).c_str());
    } else {
      std::fputs(printer.print(**record).c_str(), stdout);
    }
  }
  if (json) std::fputs("\n]\n", stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

std::string introduction(const ReplayRequest& request, const Recording& recorded,
                         const Recording& replayed) {
  std::string text;
  for (const std::string& argument : recorded.header.arguments) {
    text += (text.empty() ? "" : " ") + argument;
  }
  const auto launches = std::ranges::count_if(
      recorded.commands, [](const auto& command) { return command.second.launch.has_value(); });
  const auto devices = [](const Recording& recording) {
    const std::size_t count = recording.header.devices.size();
    return std::to_string(count) + (count == 1 ? " device" : " devices");
  };
  return text + ": " + std::to_string(launches) + (launches == 1 ? " launch" : " launches") +
         ", recorded on " + devices(recorded) + ", " + (request.run ? "run" : "planned") + " on " +
         devices(replayed) + "\n";
}

support::Result<int> tell_fusion(const ReplayRequest& request, const std::string& file) {
  const auto windows = read_windows(file);
  if (!windows) return support::fail(windows.error());
  const FusionSummary summary = summarise(*windows);
  const bool json = request.show == ReplayRequest::Show::json;
  std::fputs((json ? fusion_json(summary) : fusion_text(summary)).c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

support::Result<int> replay(const ReplayRequest& request) {
  if (request.show != ReplayRequest::Show::nothing && !request.fuse) return show(request);
  if (!request.devices.empty()) {
    auto terms = support::parse_devices(request.devices);
    if (!terms) return support::fail("--devices " + request.devices + ": " + terms.error().message);
  }
  auto recorded = read_recording(request.file);
  if (!recorded) return support::fail(recorded.error());
  if (request.run && !recorded->header.has_data) {
    return support::fail(request.file +
                         ": holds no contents of memory; --run needs a recording made with "
                         "gridspan record --data");
  }
  auto file = ReplayFile::make(request.keep);
  if (!file) return support::fail(file.error());
  if (auto done = run_replay(request, *recorded, file->name()); !done) {
    return support::fail(done.error());
  }
  if (request.fuse) return tell_fusion(request, file->name());
  auto replayed = read_recording(file->name());
  if (!replayed) return support::fail(replayed.error());
  std::string text = introduction(request, *recorded, *replayed) +
                     totals_text(*recorded, *replayed) + plans_text(*recorded, *replayed);
  Outcome outcome;
  if (request.run) {
    outcome = compare_results(*recorded, *replayed);
    text += outcome.text;
  }
  std::fputs(text.c_str(), stdout);
  if (std::fflush(stdout) != 0) return 1;
  return outcome.is_same ? 0 : 1;
}

}  // namespace gridspan::tools
