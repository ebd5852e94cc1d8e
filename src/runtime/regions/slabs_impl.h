// Changing a sequence of slabs; included by slabs.h.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/slabs.h"

namespace gridspan::runtime::regions {

template <class Value>
void Slabs<Value>::replace(const Place& first, const Place& last, std::span<Slab<Value>> slabs) {
  for (const Slab<Value>& slab : slabs) account(slab);
  const std::size_t chunk = first.chunk;
  const std::size_t end = last.chunk > chunk ? chunks_[chunk].slabs->size() : last.slot;
  splice(chunk, first.slot, end, slabs);
  if (last.chunk > chunk) {
    if (last.slot > 0) splice(last.chunk, 0, last.slot, {});
    erase_chunks(chunk + 1, last.chunk);
  }
  if (chunks_[chunk].slabs->empty()) {
    erase_chunks(chunk, chunk + 1);
  } else {
    if (chunks_[chunk].slabs->size() > most_size) split(chunk);
  }
  if (last.chunk > chunk) join_small(chunk + 1);
  join_small(chunk);
  if (chunk > 0) join_small(chunk - 1);
}

/// Slots [begin, end) of a chunk make way for `slabs`. May leave the chunk empty, or too big.
template <class Value>
void Slabs<Value>::splice(std::size_t chunk, std::size_t begin, std::size_t end,
                          std::span<Slab<Value>> slabs) {
  Chunk& old = chunks_[chunk].slabs.own();
  const std::size_t common = std::min(slabs.size(), end - begin);
  const auto at = [&](std::size_t slot) { return old.begin() + static_cast<std::ptrdiff_t>(slot); };
  std::move(slabs.begin(), slabs.begin() + static_cast<std::ptrdiff_t>(common), at(begin));
  if (common < slabs.size()) {
    const std::span<Slab<Value>> more = slabs.subspan(common);
    old.insert(at(begin + common), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  } else {
    old.erase(at(begin + common), at(end));
  }
  if (begin == 0 && !old.empty()) chunks_[chunk].first = old.front().begin;
}

template <class Value>
void Slabs<Value>::erase_chunks(std::size_t begin, std::size_t end) {
  chunks_.erase(chunks_.begin() + static_cast<std::ptrdiff_t>(begin),
                chunks_.begin() + static_cast<std::ptrdiff_t>(end));
}

/// Cuts a chunk into ones of usual size.
template <class Value>
void Slabs<Value>::split(std::size_t chunk) {
  Chunk& whole = chunks_[chunk].slabs.own();
  std::vector<ChunkEntry> more;
  const std::size_t count = whole.size() / usual_size;
  for (std::size_t i = 1; i < count; ++i) {
    const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(whole.size() * i / count);
    const auto end = whole.begin() + static_cast<std::ptrdiff_t>(whole.size() * (i + 1) / count);
    Chunk part(std::make_move_iterator(begin), std::make_move_iterator(end));
    const std::int64_t first = part.front().begin;
    more.push_back({first, Shared(std::move(part))});
  }
  whole.resize(whole.size() / count);
  chunks_.insert(chunks_.begin() + static_cast<std::ptrdiff_t>(chunk) + 1,
                 std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Appends the next chunk to this one if both are small.
template <class Value>
void Slabs<Value>::join_small(std::size_t chunk) {
  if (chunk + 1 >= chunks_.size()) return;
  const Chunk& next = *chunks_[chunk + 1].slabs;
  if (chunks_[chunk].slabs->size() + next.size() > most_size / 2) return;
  Chunk& joined = chunks_[chunk].slabs.own();
  joined.insert(joined.end(), next.begin(), next.end());
  erase_chunks(chunk + 1, chunk + 2);
}

/// Chunks that are shared and lie side by side need no look inside: a change that was taken back
/// leaves most of them so.
template <class Value>
bool Slabs<Value>::equals(const Slabs& other) const {
  if (sum_ != other.sum_ || boxes_ != other.boxes_) return false;
  Place a = begin(), b = other.begin();
  while (!is_end(a) && !other.is_end(b)) {
    const bool both_start = a.slot == 0 && b.slot == 0;
    if (both_start && chunks_[a.chunk].slabs.is_same(other.chunks_[b.chunk].slabs)) {
      a = {a.chunk + 1, 0};
      b = {b.chunk + 1, 0};
      continue;
    }
    if ((*this)[a] != other[b]) return false;
    a = next(a);
    b = other.next(b);
  }
  return is_end(a) && other.is_end(b);
}

template <class Value>
const char* Slabs<Value>::check() const {
  std::uint64_t sum = 0;
  std::size_t boxes = 0;
  std::int64_t behind = 0;
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    const Chunk& chunk = *chunks_[i].slabs;
    if (chunk.empty()) return "a chunk is empty";
    if (chunk.size() > most_size) return "a chunk is too big";
    if (i > 0 && chunk.size() + chunks_[i - 1].slabs->size() <= most_size / 2)
      return "two small chunks are not joined";
    if (chunk.front().begin != chunks_[i].first) return "a chunk's first index is wrong";
    for (const Slab<Value>& slab : chunk) {
      if (slab.begin < behind || (behind == 0 && slab.begin != 0)) return "slabs are out of order";
      behind = slab.begin + 1;
      sum += hash_of(slab);
      boxes += slab.content.boxes();
    }
  }
  if (chunks_.empty()) return "there are no slabs";
  if (sum != sum_) return "the hash is wrong";
  return boxes == boxes_ ? nullptr : "the number of boxes is wrong";
}

}  // namespace gridspan::runtime::regions
