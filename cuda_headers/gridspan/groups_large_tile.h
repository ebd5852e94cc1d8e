// Tiles of several warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They meet at numbered barriers of their own and exchange values through the block_tile_memory
// that the block was made with, where each warp has 32 bytes.
#pragma once

#include "groups_block.h"

/// Lowered by the device compiler (src/abi/sync.h).
extern "C" __device__ void gridspan_numbered_barrier(unsigned int id_and_count);

namespace cooperative_groups {
namespace details {

struct tile_maker;

template <unsigned int Size, bool IsLarge = (Size > 32)>
class tile;

template <unsigned int Size>
class tile<Size, true> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0,
                "the size of a tile is a power of two and at most 1024");

 public:
  GRIDSPAN_GROUP_FUNCTION void sync() const {
    // Threads count in whole warps; the block's last tile may be cut short.
    const unsigned int left = thread_block::num_threads() - first_thread();
    const unsigned int count = left < Size ? (left + 31) / 32 * 32 : Size;
    gridspan_numbered_barrier((first_barrier() + first_thread() / Size) | count << 8);
  }
  GRIDSPAN_GROUP_FUNCTION static constexpr unsigned int num_threads() { return Size; }
  GRIDSPAN_GROUP_FUNCTION static constexpr unsigned int size() { return Size; }
  GRIDSPAN_GROUP_FUNCTION static unsigned int thread_rank() {
    return thread_block::thread_rank() & (Size - 1);
  }
  GRIDSPAN_GROUP_FUNCTION unsigned int meta_group_rank() const { return meta_rank_; }
  GRIDSPAN_GROUP_FUNCTION unsigned int meta_group_size() const { return meta_size_; }

  template <class T>
  GRIDSPAN_GROUP_FUNCTION T shfl(const T& value, unsigned int rank) const {
    if (thread_rank() == rank) put(0, value);
    sync();
    const T received = get<T>(0);
    sync();
    return received;
  }
  GRIDSPAN_GROUP_FUNCTION int any(int predicate) const {
    return over_warps(__any_sync(0xffffffffu, predicate), [](int a, int b) { return a | b; });
  }
  GRIDSPAN_GROUP_FUNCTION int all(int predicate) const {
    return over_warps(__all_sync(0xffffffffu, predicate), [](int a, int b) { return a & b; });
  }

  /// Combines what the warps have, which is the same in all lanes of each.
  template <class T, class Operator>
  GRIDSPAN_GROUP_FUNCTION T over_warps(const T& of_warp, Operator&& combine) const {
    if (lane() == 0) put(warp(), of_warp);
    sync();
    T all = get<T>(0);
    for (unsigned int other = 1; other < Size / 32; ++other) all = combine(all, get<T>(other));
    sync();
    return all;
  }
  /// Combines what the warps before have, in front of `value`; `of_warp` is this warp's.
  template <class T, class Operator>
  GRIDSPAN_GROUP_FUNCTION T behind_warps(const T& of_warp, T value, bool has_value,
                                         Operator&& combine) const {
    if (lane() == 0) put(warp(), of_warp);
    sync();
    if (warp() != 0) {
      T before = get<T>(0);
      for (unsigned int other = 1; other < warp(); ++other) before = combine(before, get<T>(other));
      value = has_value ? combine(before, value) : before;
    }
    sync();
    return value;
  }

  GRIDSPAN_GROUP_FUNCTION unsigned char* gridspan_memory() const { return memory_; }

 protected:
  GRIDSPAN_GROUP_FUNCTION tile(unsigned int meta_rank, unsigned int meta_size,
                               unsigned char* memory)
      : meta_rank_(meta_rank), meta_size_(meta_size), memory_(memory) {}

 private:
  GRIDSPAN_GROUP_FUNCTION static unsigned int first_thread() {
    return thread_block::thread_rank() & ~(Size - 1);
  }
  GRIDSPAN_GROUP_FUNCTION static unsigned int warp() { return thread_rank() / 32; }
  /// Barriers 16 to 31 are for tiles of 64 threads, 32 to 39 for those of 128, and so on.
  GRIDSPAN_GROUP_FUNCTION static constexpr unsigned int first_barrier() {
    return 16 + 2 * (16 - 1024 / Size);
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION void put(unsigned int warp, const T& value) const {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32,
                  "exchanged values are trivially copyable and have at most 32 bytes");
    __builtin_memcpy(memory_ + first_thread() + 32 * warp, &value, sizeof(T));
  }
  template <class T>
  GRIDSPAN_GROUP_FUNCTION T get(unsigned int warp) const {
    T value;
    __builtin_memcpy(&value, memory_ + first_thread() + 32 * warp, sizeof(T));
    return value;
  }

  unsigned int meta_rank_, meta_size_;
  unsigned char* memory_;
};

}  // namespace details
}  // namespace cooperative_groups
