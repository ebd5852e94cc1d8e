// A recording in memory, by command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::tools {

/// What is known of one command.
struct RecordedCommand {
  std::optional<runtime::record::LaunchNote> launch;
  std::optional<runtime::record::CopyNote> copy;
  std::optional<runtime::record::PlannedNote> planned;
  std::optional<runtime::record::PassedNote> passed;
  std::optional<runtime::record::DigestNote> digest;
  std::uint64_t buffer = 0;  // of a copy to the host: base of the memory it came from
};

struct Recording {
  runtime::record::Header header;
  std::vector<runtime::record::ModuleNote> modules;
  std::map<std::uint32_t, runtime::record::Bytes> libraries;  // by module: of no file, but these
  std::vector<runtime::record::PlanNote> plans;
  std::map<std::uint64_t, RecordedCommand> commands;
  std::optional<runtime::record::FaultNote> fault;
  bool has_places = false;  // one device was alone for some time

  /// The kernel that a launch runs, as its source spells it.
  std::string kernel_name(const runtime::record::LaunchNote& launch) const;
  /// How a command was planned; null if it was not.
  const runtime::record::PlanNote* plan_of(const RecordedCommand& command) const;
};

/// Errors are one line with file and offset.
support::Result<Recording> read_recording(const std::string& file);

}  // namespace gridspan::tools
