// Interpret mode: threads that meet in global memory without order between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As shared_races.h for one block's shared memory, but for all blocks of a device at once. A clock
// goes on whenever threads are released from a barrier or warp operation, and with each fence and
// each access that synchronises (atomic, volatile). Each thread knows four times: what is older
// than the first is behind it whoever did it (grid barriers, the launch); older than the second, if
// a fence lies behind it, too (the thread's last synchronising access, by which it may have seen
// what was written after the fence); than the third, if its block did it; than the fourth, if its
// warp did. Whom a barrier releases is behind all that any of them was behind. So races may be
// missed, and none is made up.
#pragma once

#include "abi/sync.h"
#include "devices/cpu/grid_fences.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace gridspan::devices::cpu {

/// A thread of the grid.
struct GridThread {
  std::uint64_t block = 0;   // linear
  std::uint32_t thread = 0;  // of the block, linear
  friend bool operator==(const GridThread&, const GridThread&) = default;
};

struct GlobalRace {
  enum class Kind { read_after_write, write_after_read, write_after_write } kind;
  std::uintptr_t address;          // of the first byte of the four that both touch
  GridThread other;                // who was first
  const abi::SourcePoint* before;  // where
  bool lacks_fence;                // who is second has seen something of other blocks since
};

/// What the threads of one block are behind.
class BlockOrder {
 public:
  struct Passed {
    std::uint64_t all, fenced, block, warp;
  };
  void start(std::uint64_t block, std::uint32_t threads, std::uint64_t now);
  const Passed& of(std::uint32_t thread) const { return passed_[thread]; }
  std::uint64_t block() const { return block_; }

  /// `thread` is behind all that was done before `now`.
  void pass_all(std::uint32_t thread, std::uint64_t now) { passed_[thread].all = now; }
  /// Its atomic or volatile access is done. In a block it takes no fence for what came before.
  void synchronise(std::uint32_t thread, std::uint64_t now) {
    passed_[thread].fenced = passed_[thread].block = now;
  }
  /// These threads were released together at `now`.
  void pass_together(const std::vector<std::uint32_t>& threads, std::uint64_t now, bool is_warp);

 private:
  std::uint64_t block_ = 0;
  std::vector<Passed> passed_;
};

/// Of one device; thread safe.
class GlobalRaces {
 public:
  /// New memory lies there: whoever used those addresses before has freed what was there.
  void forget(std::uintptr_t address, std::uint64_t size);
  /// A launch begins: it is behind all before it.
  void start_launch();
  std::uint64_t launched() const { return start_.load(std::memory_order_relaxed); }
  /// The next time.
  std::uint64_t tick() { return now_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// A fence of the thread.
  void release(const BlockOrder& order, std::uint32_t thread);

  /// `thread` of the block reads, or has written news to, [address, address + size).
  std::optional<GlobalRace> load(const BlockOrder& order, std::uint32_t thread,
                                 std::uintptr_t address, std::uint64_t size,
                                 const abi::SourcePoint* where);
  std::optional<GlobalRace> store(const BlockOrder& order, std::uint32_t thread,
                                  std::uintptr_t address, std::uint64_t size, bool is_news,
                                  const abi::SourcePoint* where);

 private:
  static constexpr std::uint64_t unit = 4;  // bytes of a cell
  struct Access {
    std::uint64_t time = 0;
    GridThread who;
    std::uint32_t bytes = 0;  // a bit for each of the cell's
    const abi::SourcePoint* where = nullptr;
  };
  struct Cell {
    Access writer;
    Access readers[2];  // the first since all are ordered, and the last that is another thread
  };
  struct Shard {
    std::mutex mutex;
    std::unordered_map<std::uintptr_t, Cell> cells;
  };
  static constexpr std::size_t shards = 64;

  static GlobalRace race_with(const Access& first, GlobalRace::Kind kind, std::uintptr_t address,
                              const BlockOrder& order, std::uint32_t thread);
  bool is_ordered(const Access& first, const BlockOrder& order, std::uint32_t thread);
  template <class Body>
  void for_cells(std::uintptr_t address, std::uint64_t size, Body body);

  std::atomic<std::uint64_t> now_{0}, start_{0};
  std::array<Shard, shards> shards_;
  GridFences fences_;
};

}  // namespace gridspan::devices::cpu
