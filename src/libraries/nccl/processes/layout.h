// The memory that the processes of a communicator share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     Header | a RankState for each rank | a PairState for each sender and receiver | results
//            | rank 0: slots, messages to each rank | rank 1: ... |
//
// A segment of zeros is one that nobody has used yet: nobody has to prepare it, so it does not
// matter who comes first. All counters only grow, from the first call of a communicator to its
// last; each has one writer. What a counter speaks of was written before it.
#pragma once

#include "libraries/nccl/api/asked.h"
#include "libraries/nccl/processes/process.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace gridspan::libraries::nccl::processes {

constexpr std::uint32_t layout_version = 1;  // part of a segment's name
/// Of a rank's data, of which there are two in the segment: one is written while the other is read.
constexpr std::size_t piece_bytes = std::size_t{512} << 10;
constexpr std::size_t halves = 2;

using Count = std::atomic<std::uint64_t>;
static_assert(Count::is_always_lock_free);  // else they would not work between processes

/// Why a communicator serves no more.
enum class Failure : std::uint32_t { none, aborted, ended, left, missing, broken };

struct Header {
  std::atomic<std::uint32_t> ranks;     // as the first one expects
  std::atomic<std::uint32_t> came;      // ranks that are there
  std::atomic<std::uint32_t> bell;      // changes with everything that others may wait for
  std::atomic<std::uint32_t> sleepers;  // who waits for the bell
  std::atomic<std::uint64_t> failure;   // Failure, and the rank times 2^32; the first one stays
};

enum class Presence : std::uint32_t { none, comes, there, left };

struct alignas(64) RankState {
  std::atomic<Presence> presence;
  Process process;
  Count posted;                // collectives that the rank has called
  Count put;                   // pieces that it has written
  Count combined;              // pieces whose results have its share
  Count taken;                 // pieces that it has read to the end
  std::array<Asked, 2> asked;  // its collectives, the even and the odd ones
};

struct Message {
  std::size_t count;
  ncclDataType_t type;
};

/// Messages from one rank to another.
struct alignas(64) PairState {
  Count sends, receives;  // calls
  Count sent, received;   // pieces
  std::array<Message, 2> sending, receiving;
};

/// Where everything is, for so many ranks.
class Layout {
 public:
  explicit Layout(int ranks) : ranks_(static_cast<std::size_t>(ranks)) {}

  std::size_t rank(std::size_t i) const { return up(sizeof(Header), 64) + i * sizeof(RankState); }
  std::size_t pair(std::size_t from, std::size_t to) const {
    return rank(ranks_) + (from * ranks_ + to) * sizeof(PairState);
  }
  std::size_t results(std::size_t half) const {
    return up(pair(ranks_, 0), page) + half * piece_bytes;
  }
  /// A rank's memory.
  std::size_t own(std::size_t i) const { return results(halves) + i * own_bytes(); }
  std::size_t own_bytes() const { return halves * (piece_bytes + ranks_ * message_bytes()); }
  std::size_t slot(std::size_t i, std::size_t half) const { return own(i) + half * piece_bytes; }
  std::size_t message(std::size_t from, std::size_t to, std::size_t half) const {
    return slot(from, halves) + (to * halves + half) * message_bytes();
  }
  /// Of a message, at a time: all that a rank sends has as much memory as its slots.
  std::size_t message_bytes() const { return std::max(page, up(piece_bytes / ranks_, page)); }
  std::size_t bytes() const { return own(ranks_); }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t up(std::size_t bytes, std::size_t to) {
    return (bytes + to - 1) / to * to;
  }
  std::size_t ranks_;
};

}  // namespace gridspan::libraries::nccl::processes
