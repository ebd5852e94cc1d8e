// What every block of one launch touched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a recording build announce each access (abi/recording.h). A block's accesses are kept
// as sets of bytes, one per place in the code; addresses outside the memory the program got from us
// (stacks, shared memory, the device heap) are dropped when the block ends.
//
// Memory is bounded: when the blocks that have ended hold more than the limit, half of all blocks,
// chosen by a hash of their number, are forgotten, and so on. The blocks that are left are then a
// sample that does not depend on the order in which blocks ran.
#pragma once

#include "abi/recording.h"
#include "runtime/verify/interval_set.h"
#include "runtime/verify/stored_values.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime::verify {

struct SiteRecord {
  const abi::AccessSite* site;
  IntervalSet touched;
  std::vector<ValueRecord> values = {};  // of stores, if they were asked for; the first few
};

struct BlockRecord {
  abi::Dim index;
  std::uint64_t number;  // linear, x fastest
  std::vector<SiteRecord> sites;
};

/// Bytes that recorded blocks of one launch may take.
inline constexpr std::size_t recording_limit = std::size_t{512} << 20;

class Recorder {
 public:
  struct Wish {
    std::uint64_t seed = 0;
    bool values = false;  // keep what is stored, too
    std::size_t limit = recording_limit;
  };
  /// `memory`: the addresses that count, in normal form. From now until `finish`, accesses of every
  /// thread go here; one recorder may be active at a time.
  Recorder(std::uint32_t site_count, abi::Dim grid, const IntervalSet& memory, Wish wish);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  /// To be called when all blocks have ended: the recorded blocks by number. Blocks that touched
  /// nothing are there too, if they announced anything at all.
  std::vector<BlockRecord> finish();

  /// False: `number` was not recorded, or forgotten.
  bool is_sampled(std::uint64_t number) const;
  /// Some blocks were forgotten.
  bool is_thinned() const { return threshold_ != ~std::uint64_t{0}; }

  static void access(const abi::BlockContext* block, const abi::AccessSite* site,
                     std::uintptr_t address, std::uint64_t size);
  /// What the access just announced stores.
  static void store(const abi::BlockContext* block, const abi::AccessSite* site,
                    std::uintptr_t address, std::uint64_t size, std::uint64_t low,
                    std::uint64_t high);

 private:
  /// A block that runs; touched by the thread that runs it only.
  struct OpenBlock {
    abi::Dim index{};
    std::uint64_t number = 0;
    bool dropped = false;
    std::vector<IntervalSet> by_site;
    std::vector<StoredValues> values;           // by site
    std::vector<const abi::AccessSite*> sites;  // those with accesses
    void add(const abi::AccessSite* site, std::uintptr_t begin, std::uintptr_t end);
  };
  struct Current;  // what a thread recorded last

  OpenBlock* open(const abi::BlockContext* block);
  void start(OpenBlock& open, const abi::BlockContext* block);
  void close(OpenBlock& open);
  void thin();

  std::uint32_t site_count_;
  abi::Dim grid_;
  const IntervalSet& memory_;
  Wish wish_;
  std::uint64_t epoch_;
  std::mutex mutex_;  // guards what follows
  std::unordered_map<const abi::BlockContext*, std::unique_ptr<OpenBlock>> open_;
  std::vector<BlockRecord> closed_;
  std::size_t closed_bytes_ = 0;
  std::uint64_t threshold_ = ~std::uint64_t{0};
};

}  // namespace gridspan::runtime::verify
