// Interpret mode: threads of a block that meet in shared memory without a barrier between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each byte remembers who wrote it last, who read it, and when. Time goes on whenever threads are
// released from a barrier or warp operation; a thread is behind every access that is older than its
// last release (by its block, or, of a lane of its warp, by its warp). What is not ordered so, and
// not the same value again, is a race. Atomic and volatile accesses are taken for synchronisation:
// whoever makes one is behind all that happened so far. So races may be missed, and none is made
// up.
#pragma once

#include "abi/sync.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gridspan::devices::cpu {

struct SharedRace {
  enum class Kind { read_after_write, write_after_read, write_after_write } kind;
  std::uint64_t byte;              // of the block's shared memory
  std::uint32_t thread, other;     // who comes second, and who was first
  const abi::SourcePoint* where;   // of the second access
  const abi::SourcePoint* before;  // of the first
};

class SharedRaces {
 public:
  /// A block starts. `memory` is its shared memory.
  void start(std::uint32_t threads, const char* memory, std::uint64_t bytes);

  /// Threads are about to be released: say tick() once, then who it is.
  void tick() { ++now_; }
  void pass_block(std::uint32_t thread) { passed_[thread].block = now_; }
  void pass_warp(std::uint32_t thread) { passed_[thread].warp = now_; }

  /// A thread is about to read, or to write, [byte, byte + size). A store's race comes to light by
  /// settle(): only then its value is known.
  std::optional<SharedRace> load(std::uint32_t thread, std::uint64_t byte, std::uint64_t size,
                                 const abi::SourcePoint* where);
  void store(std::uint32_t thread, std::uint64_t byte, std::uint64_t size,
             const abi::SourcePoint* where);
  /// To be called before any other access, and when the thread stops running.
  std::optional<SharedRace> settle();

 private:
  struct Access {
    std::uint64_t time = 0;
    const abi::SourcePoint* where = nullptr;
    std::uint32_t thread = 0;
  };
  struct Byte {
    Access writer;
    Access readers[2];  // the first since the last barrier, and the last that is another thread
  };
  struct Passed {
    std::uint64_t block = 0, warp = 0;
  };
  struct Store {
    std::uint32_t thread = 0;
    std::uint64_t byte = 0;
    const abi::SourcePoint* where = nullptr;
    std::vector<char> before;  // what was there
  };

  bool is_ordered(const Access& first, std::uint32_t thread) const;

  const char* memory_ = nullptr;
  std::uint64_t now_ = 0, start_ = 0;
  std::vector<Byte> bytes_;
  std::vector<Passed> passed_;
  std::optional<Store> store_;
};

}  // namespace gridspan::devices::cpu
