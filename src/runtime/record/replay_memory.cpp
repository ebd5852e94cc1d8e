// Mappings at fixed addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/replay_memory.h"

#include "runtime/record/log_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace gridspan::runtime::record {

namespace {

/// Disjoint ranges of whole pages: begin -> end.
class Pages {
 public:
  void add(std::uint64_t base, std::uint64_t size) {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::uint64_t begin = base / page * page, end = (base + size + page - 1) / page * page;
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin() && std::prev(at)->second >= begin) --at;
    while (at != ranges_.end() && at->first <= end) {
      begin = std::min(begin, at->first);
      end = std::max(end, at->second);
      at = ranges_.erase(at);
    }
    ranges_[begin] = end;
  }
  const std::map<std::uint64_t, std::uint64_t>& ranges() const { return ranges_; }

 private:
  std::map<std::uint64_t, std::uint64_t> ranges_;
};

bool map_at(std::uint64_t begin, std::uint64_t end) {
  void* const wanted = reinterpret_cast<void*>(begin);
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void* const got = mmap(wanted, end - begin, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (got == wanted) return true;
  if (got != MAP_FAILED) munmap(got, end - begin);  // kernels before 4.17 take it as a hint
  return false;
}

}  // namespace

support::Result<void> map_recorded_memory(const std::string& file) {
  auto reader = LogReader::open(file);
  if (!reader) return support::fail(reader.error());
  Pages pages;
  for (;;) {
    auto record = reader->next();
    if (!record) return support::fail(record.error());
    if (!*record) break;
    const auto* memory = std::get_if<MemoryNote>(&**record);
    if (memory && memory->held && memory->base + memory->size >= memory->base) {
      pages.add(memory->base, memory->size);
    }
  }
  for (const auto& [begin, end] : pages.ranges()) {
    if (map_at(begin, end)) continue;
    return support::fail(file + ": memory at " + std::to_string(begin) +
                         " is taken in this process; run the replay again (it needs address "
                         "space randomisation, which debuggers turn off)");
  }
  return {};
}

}  // namespace gridspan::runtime::record
