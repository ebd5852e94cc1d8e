// The tiles of a part that no worker has yet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     tiles     0 ............ 49 | 50 ............ 99
//               worker 0 -->        worker 1 -->           each in its own home
//                                       worker 0 -->       when that is empty
//
// Programs launch the same kernel again and again on the same arrays. A worker that begins at the
// same place each time finds in its cache what it left there; one that takes whatever comes next
// finds half of it in another core's. If each launch goes back the way the one before it came, that
// is found first which was touched last, before it makes room for the rest.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace gridspan::devices::cpu {

/// Tiles [begin, end) of a part in linear order.
struct TileChunk {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - begin; }
};

class TileSupply {
 public:
  TileSupply(std::uint64_t tiles, unsigned workers);

  /// The next tiles for `worker`, below the constructor's `workers`: at most `1/divisor` of what is
  /// left, at least one; empty when none is left. Chunks shrink towards the end, so that workers
  /// finish together.
  TileChunk claim(std::uint64_t divisor, unsigned worker);
  /// The first ones of all that are left: for a worker who is alone, or whose blocks may wait for
  /// those before them.
  TileChunk claim_in_order(std::uint64_t divisor);
  /// From now on each home is emptied from its end. No worker may be at it meanwhile.
  void turn_back();
  bool is_backward() const { return is_backward_; }
  std::uint64_t left() const { return left_.load(std::memory_order_relaxed); }

 private:
  struct alignas(64) Home {
    std::atomic<std::uint64_t> next;
    std::uint64_t first, end;  // of what was left when it turned back, to be counted from its end
  };
  static constexpr unsigned most_homes = 16;

  TileChunk take(Home& home, std::uint64_t divisor);

  unsigned workers_, home_count_;
  bool is_backward_ = false;
  alignas(64) std::atomic<std::uint64_t> left_;
  std::array<Home, most_homes> homes_;
};

}  // namespace gridspan::devices::cpu
