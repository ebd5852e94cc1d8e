// Samples by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sample_records.h"

#include "runtime/record/archive.h"

namespace gridspan::tests {

using namespace runtime::record;

std::vector<Record> sample_records() {
  const BoxNote box{{0, 4, 16, 32}};
  const UseNote use{0x7000, {256, 1}, 8, {box}, {box, box}, {}, {{1, 2, {box}}}};
  const PartNote part{2, {0, 4, 0}, {8, 4, 1}, {use}};
  return {
      Header{"0.1.0", "/bin/p", {"./p", "", "a b"}, "/tmp", {{"GRIDSPAN_CPU", "x"}}, {"d"}, true},
      ModuleNote{{1, ~0ull}, "/bin/p", {{"_Z1kPf", {{0, 8, true}, {8, 4, false}}}}, {{"v", 12}}},
      CallNote{123456789012, 3, "cudaMalloc", {{"pointer", "[0x1]"}}, "cudaSuccess", 17},
      MemoryNote{0x7000, 4096, 4, 2, false},
      ImageNote{1, {0x10, 0x20}},
      ChunkNote{{std::string("\0\1\xff", 3)}},
      ContentsNote{0x8000, {70000, {18, 0}}},
      LaunchNote{9, 0, 3, {1, 2, 3}, {4, 5, 6}, 48, {std::string("\0\0\7", 3)}},
      CopyNote{10, {1, 2, 3, true}, {4, 5, 6, false}, {7, 8, 9}, {100, {18}}},
      FillNote{11, {1, 0, 0, false}, {5, 1, 1}, 255},
      EventNote{12, 0xabc},
      StackNote{1 << 20},
      PlanNote{"exact", "because", "y", true, true, {part, part}},
      PlannedNote{9, 4, {{0x7000, 0, 1, 512, {box}}}},
      PassedNote{9, 100, 200, {1, 2, 3, 4, 5, 6}},
      DigestNote{10, {1, 2, 3}},
      FaultNote{13, "trap"},
      EndNote{},
      LibraryNote{{70000, {18, 0}}},
      ForecastNote{
          {{"k", true, {1, 2, 3}, {4, 5, 6}, 70, false, "prints"}},
          {{0, 2, {"", "why"}, {{0, 2, {1}, 12, {{"a", "freed", 4}}}}, 3, 2, 1, "no", "here"}}},
      WindowNote{3, 9, "cudaDeviceSynchronize", true, 4},
      SharesNote{9, 0, 3, {1000, 0, 125}, true},
      MeasuredNote{{1, 2}, {3, 4, 5, 6}, {7, 8, 9, 10}, 11},
      PlaceNote{9, true},
  };
}

std::string bytes_of(Record record) {
  std::string bytes = std::to_string(record.index()) + ":";
  Encoder encoder(bytes);
  std::visit([&](auto& one) { one.fields(encoder); }, record);
  return bytes;
}

}  // namespace gridspan::tests
