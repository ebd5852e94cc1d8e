// One dimension of a region map: a sequence of slabs, kept in chunks that copies share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/shared.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace gridspan::runtime::regions {

template <class Value>
class Slabs;

/// Scrambles all bits (the end of MurmurHash3).
inline std::uint64_t scramble(std::uint64_t bits) {
  bits = (bits ^ (bits >> 33)) * 0xff51afd7ed558ccdull;
  bits = (bits ^ (bits >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return bits ^ (bits >> 33);
}

/// What lies in a slab: one value, or slabs of the next dimension that are not all of one value.
template <class Value>
struct Content {
  Value value{};  // of no meaning if there are slabs
  Shared<Slabs<Value>> slabs{};

  bool is_divided() const { return static_cast<bool>(slabs); }
  std::size_t boxes() const { return is_divided() ? slabs->boxes() : 1; }
  std::uint64_t hash() const {
    return is_divided() ? slabs->hash() : scramble(std::hash<Value>{}(value) + 1);
  }
  friend bool operator==(const Content& a, const Content& b) {
    if (a.is_divided() != b.is_divided()) return false;
    if (!a.is_divided()) return a.value == b.value;
    return a.slabs.is_same(b.slabs) || *a.slabs == *b.slabs;
  }
};

/// The indices from `begin` up to where the next slab begins.
template <class Value>
struct Slab {
  std::int64_t begin = 0;
  Content<Value> content{};
  friend bool operator==(const Slab&, const Slab&) = default;
};

/// All indices of one dimension, from 0 on: slabs in ascending order. The owner keeps neighbours
/// different. Knows the number of boxes and a hash of all it holds, so that equal neighbours are
/// found fast. A sequence of chunks of bounded size: O(log n) to find, and a change copies one
/// chunk at most, also right after the whole was copied.
template <class Value>
class Slabs {
 public:
  /// Where a slab is. Any change makes the places behind it stale.
  struct Place {
    std::size_t chunk = 0;
    std::size_t slot = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  /// Takes slabs in order; the first begins at 0.
  explicit Slabs(std::span<Slab<Value>> slabs) {
    for (Slab<Value>& slab : slabs) push_back(std::move(slab));
  }
  Slabs() = default;

  /// At the end. It must begin behind the last.
  void push_back(Slab<Value> slab) {
    account(slab);
    if (chunks_.empty() || chunks_.back().slabs->size() >= usual_size) {
      Chunk chunk;
      if (!chunks_.empty()) chunk.reserve(usual_size);
      chunks_.push_back({slab.begin, Shared(std::move(chunk))});
    }
    chunks_.back().slabs.own().push_back(std::move(slab));
  }

  bool empty() const { return chunks_.empty(); }
  std::size_t boxes() const { return boxes_; }
  std::uint64_t hash() const { return scramble(sum_); }
  /// One slab: the dimension makes no difference.
  bool is_single() const { return chunks_.size() == 1 && chunks_[0].slabs->size() == 1; }

  Place begin() const { return {}; }
  bool is_end(const Place& place) const { return place.chunk == chunks_.size(); }
  const Slab<Value>& operator[](const Place& place) const {
    return (*chunks_[place.chunk].slabs)[place.slot];
  }
  const Slab<Value>& back() const { return chunks_.back().slabs->back(); }

  /// The slab with the index (>= 0).
  Place find(std::int64_t index) const {
    const auto chunk = std::prev(std::upper_bound(
        chunks_.begin(), chunks_.end(), index,
        [](std::int64_t value, const ChunkEntry& entry) { return value < entry.first; }));
    const auto slot = std::prev(std::upper_bound(
        chunk->slabs->begin(), chunk->slabs->end(), index,
        [](std::int64_t value, const Slab<Value>& slab) { return value < slab.begin; }));
    return {static_cast<std::size_t>(chunk - chunks_.begin()),
            static_cast<std::size_t>(slot - chunk->slabs->begin())};
  }
  Place next(const Place& place) const {
    const bool is_last = place.slot + 1 == chunks_[place.chunk].slabs->size();
    return is_last ? Place{place.chunk + 1, 0} : Place{place.chunk, place.slot + 1};
  }
  /// Of a place that is not the first.
  Place previous(const Place& place) const {
    if (place.slot > 0) return {place.chunk, place.slot - 1};
    return {place.chunk - 1, chunks_[place.chunk - 1].slabs->size() - 1};
  }
  /// Where the slab ends, in a dimension of `extent` indices.
  std::int64_t end_of(const Place& place, std::int64_t extent) const {
    const Place behind = next(place);
    return is_end(behind) ? extent : (*this)[behind].begin;
  }

  /// Moves a slab out. What is left in its place must be replaced.
  Slab<Value> take(const Place& place) {
    Slab<Value> slab = std::move(chunks_[place.chunk].slabs.own()[place.slot]);
    sum_ -= hash_of(slab);
    boxes_ -= slab.content.boxes();
    return slab;
  }

  /// Moves `slabs` to where the slabs [first, last), all taken, were.
  void replace(const Place& first, const Place& last, std::span<Slab<Value>> slabs);

  friend bool operator==(const Slabs& a, const Slabs& b) { return a.equals(b); }

  /// Null, or what is wrong; not about neighbours and what is inside of slabs.
  const char* check() const;

 private:
  using Chunk = std::vector<Slab<Value>>;
  struct ChunkEntry {
    std::int64_t first;  // = slabs->front().begin
    Shared<Chunk> slabs;
  };
  // Slabs of a chunk: never more than most_size, and of two neighbours more than most_size / 2.
  static constexpr std::size_t usual_size = 64;
  static constexpr std::size_t most_size = 2 * usual_size;

  static std::uint64_t hash_of(const Slab<Value>& slab) {
    const auto begin = static_cast<std::uint64_t>(slab.begin);
    return scramble(slab.content.hash() ^ (begin * 0x9e3779b97f4a7c15ull));
  }
  void account(const Slab<Value>& slab) {
    sum_ += hash_of(slab);
    boxes_ += slab.content.boxes();
  }
  bool equals(const Slabs& other) const;
  void splice(std::size_t chunk, std::size_t begin, std::size_t end, std::span<Slab<Value>> slabs);
  void erase_chunks(std::size_t begin, std::size_t end);
  void split(std::size_t chunk);
  void join_small(std::size_t chunk);

  std::vector<ChunkEntry> chunks_;
  std::uint64_t sum_ = 0;  // of the hashes of all slabs, whatever their order
  std::size_t boxes_ = 0;
};

}  // namespace gridspan::runtime::regions

#include "runtime/regions/slabs_impl.h"  // IWYU pragma: export
