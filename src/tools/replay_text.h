// Records of a recording as text, one line for each call and command.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::tools {

/// The name as its source spells it.

/// Remembers modules and plans, which later records refer to.
class RecordPrinter {
 public:
  /// Lines with their ends; empty for records that are of no use to people.
  std::string print(const runtime::record::Record& record);

 private:
  std::string text(const runtime::record::Header& header) const;
  std::string text(const runtime::record::ModuleNote& module);
  std::string text(const runtime::record::CallNote& call) const;
  std::string text(const runtime::record::MemoryNote& memory) const;
  std::string text(const runtime::record::ImageNote& image) const;
  std::string text(const runtime::record::ChunkNote&) const { return ""; }
  std::string text(const runtime::record::LibraryNote&) const { return ""; }
  std::string text(const runtime::record::ContentsNote& contents) const;
  std::string text(const runtime::record::LaunchNote& launch) const;
  std::string text(const runtime::record::CopyNote& copy) const;
  std::string text(const runtime::record::FillNote& fill) const;
  std::string text(const runtime::record::EventNote& event) const;
  std::string text(const runtime::record::StackNote& stack) const;
  std::string text(const runtime::record::PlanNote& plan);
  std::string text(const runtime::record::PlannedNote& planned) const;
  std::string text(const runtime::record::PassedNote& passed) const;
  std::string text(const runtime::record::DigestNote& digest) const;
  std::string text(const runtime::record::FaultNote& fault) const;
  std::string text(const runtime::record::EndNote&) const { return "the program ended\n"; }
  std::string text(const runtime::record::ForecastNote& forecast);
  std::string text(const runtime::record::WindowNote& window) const;
  std::string text(const runtime::record::SharesNote& shares) const;
  std::string text(const runtime::record::MeasuredNote&) const { return ""; }
  std::string text(const runtime::record::PlaceNote& place) const;

  std::vector<runtime::record::ModuleNote> modules_;
  std::vector<runtime::record::PlanNote> plans_;
  std::size_t forecasts_ = 0;  // so far
};

}  // namespace gridspan::tools
