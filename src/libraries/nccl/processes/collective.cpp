// A collective, a piece at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each rank does three things with a piece:
//
//     put      copies it to its slot, when all have taken the last but one from there
//     combine  of reductions to all or to one: combines its share of all ranks' slots into the
//     results take     copies from the slots or the results what belongs to it
//
// The next piece is put before this one is taken, so ranks wait for each other less. Elements are
// combined by the kernels that combine ranks of one process, in the order of ranks: results have
// the same bits.
#include "libraries/nccl/kernels/combine.h"
#include "libraries/nccl/processes/exchanges.h"
#include "libraries/nccl/processes/meeting.h"
#include "libraries/nccl/processes/mover.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gridspan::libraries::nccl::processes {
namespace {

/// Elements from the first one on.
struct Range {
  std::size_t first = 0, count = 0;
};

class Collective : public Exchange {
 public:
  Collective(Call& call, std::shared_ptr<Peers> peers)
      : Exchange(call, std::move(peers)),
        meeting_(*peers_, call.rank),
        size_(size_of(call.type)),
        most_(piece_bytes / size_ / (call.kind == Kind::reduce_scatter ? ranks() : 1)),
        pieces_((call.count + most_ - 1) / most_) {}

  std::vector<int> awaited() const override;

 protected:
  bool try_to_advance() override;

 private:
  using Counter = Count RankState::*;

  std::size_t ranks() const { return static_cast<std::size_t>(peers_->size()); }
  std::size_t own_index() const { return static_cast<std::size_t>(call_.rank); }
  Segment& segment() const { return peers_->segment(); }
  bool is_root() const { return call_.rank == call_.peer; }
  /// To all, or to one.
  bool has_results() const { return call_.kind == Kind::all_reduce || call_.kind == Kind::reduce; }

  /// Memory that holds each rank's share of a piece, rounded up.
  std::size_t array_bytes() const { return piece_bytes + ranks() * 1024; }
  /// Of the call's elements.
  Range piece(std::uint64_t i) const {
    return {i * most_, std::min(most_, call_.count - i * most_)};
  }
  /// Of a piece's elements: those that this rank combines.
  Range share(std::size_t count) const;
  const std::byte* from(std::size_t element) const {
    return static_cast<const std::byte*>(call_.from) + element * size_;
  }
  std::byte* to(std::size_t element) const {
    return static_cast<std::byte*>(call_.to) + element * size_;
  }

  std::vector<int> behind(Counter counter, std::uint64_t value) const;
  std::vector<int> awaited_for_put() const;
  std::vector<int> awaited_for_combine() const;
  std::vector<int> awaited_for_take() const;
  void advance_counter(Counter counter, std::uint64_t done);

  bool meet();
  cudaError_t prepare();
  cudaError_t put(std::uint64_t i);
  cudaError_t combine_share(std::uint64_t i);
  cudaError_t take(std::uint64_t i);
  void combine_slots(Mover& mover, std::uint64_t slot, std::size_t byte, std::size_t count,
                     void* result);
  bool step(cudaError_t (Collective::*work)(std::uint64_t), std::uint64_t& next, Counter counter);

  Meeting meeting_;
  const std::size_t size_, most_;
  const std::uint64_t pieces_;
  bool has_met_ = false;
  std::uint64_t next_put_ = 0, next_combine_ = 0, next_take_ = 0;
  std::byte* factors_ = nullptr;  // of pre_mul_sum, in device memory
};

Range Collective::share(std::size_t count) const {
  constexpr std::size_t together = 64;  // elements: ranks write no cache line both
  const std::size_t each = (count + ranks() - 1) / ranks();
  const std::size_t rounded = (each + together - 1) / together * together;
  const std::size_t first = std::min(count, own_index() * rounded);
  return {first, std::min(rounded, count - first)};
}

std::vector<int> Collective::behind(Counter counter, std::uint64_t value) const {
  std::vector<int> found;
  for (int rank = 0; rank < peers_->size(); ++rank)
    if ((segment().rank(rank).*counter).load() < value) found.push_back(rank);
  return found;
}

std::vector<int> Collective::awaited_for_put() const {
  const std::uint64_t piece = meeting_.first_piece() + next_put_;
  return piece < halves ? std::vector<int>() : behind(&RankState::taken, piece - halves + 1);
}

std::vector<int> Collective::awaited_for_combine() const {
  return behind(&RankState::put, meeting_.first_piece() + next_combine_ + 1);
}

std::vector<int> Collective::awaited_for_take() const {
  return behind(has_results() ? &RankState::combined : &RankState::put,
                meeting_.first_piece() + next_take_ + 1);
}

std::vector<int> Collective::awaited() const {
  if (!meeting_.is_next()) return {};
  if (!has_met_) return meeting_.missing();
  if (std::vector<int> ranks = awaited_for_take(); !ranks.empty()) return ranks;
  return next_put_ < pieces_ ? awaited_for_put() : std::vector<int>();
}

/// Says what this rank calls, then compares all ranks' calls.
bool Collective::meet() {
  if (!meeting_.is_next()) return false;
  if (!meeting_.is_posted()) {
    if (call_.factor_on_device) {
      Mover mover(call_.device, call_.stream);
      mover.copy(&call_.factor, call_.factor_on_device, size_);
      if (const cudaError_t error = mover.finish(); error != cudaSuccess)
        return fail_by_cuda(error);
    }
    meeting_.post(call_);
    return true;
  }
  if (!meeting_.is_complete()) return false;
  if (const std::string why = meeting_.disagreement(); !why.empty()) {
    complain(name_of(meeting_.asked(0).kind), why);
    meeting_.end(0);
    return finish(ncclInvalidUsage);
  }
  has_met_ = true;
  if (const cudaError_t error = prepare(); error != cudaSuccess) return fail_by_cuda(error);
  return true;
}

/// Memory for what this rank combines: an array of each rank, the result, the factors.
cudaError_t Collective::prepare() {
  if (!combines(call_.kind)) return cudaSuccess;
  const OnDevice device(call_.device);
  constexpr std::size_t widest = 8;
  DeviceArray& scratch = peers_->own(call_.rank).scratch;
  if (!scratch.as<std::byte>() && !scratch.make(2 * array_bytes() + ranks() * widest))
    return cudaErrorMemoryAllocation;
  if (call_.op != pre_mul_sum) return cudaSuccess;
  factors_ = scratch.as<std::byte>() + 2 * array_bytes();
  std::vector<std::byte> factors(ranks() * size_);
  for (std::size_t rank = 0; rank < ranks(); ++rank)
    std::memcpy(&factors[rank * size_], &meeting_.asked(static_cast<int>(rank)).factor, size_);
  Mover mover(call_.device, call_.stream);
  mover.copy(factors_, factors.data(), factors.size());
  return mover.finish();
}

cudaError_t Collective::put(std::uint64_t i) {
  if (call_.kind == Kind::broadcast && !is_root()) return cudaSuccess;
  const Range range = piece(i);
  std::byte* const slot = segment().slot(call_.rank, meeting_.first_piece() + i);
  Mover mover(call_.device, call_.stream);
  const std::size_t blocks = call_.kind == Kind::reduce_scatter ? ranks() : 1;
  for (std::size_t block = 0; block < blocks; ++block)
    mover.copy(slot + block * most_ * size_, from(block * call_.count + range.first),
               range.count * size_);
  return mover.finish();
}

/// All ranks' elements from this byte of the slots on.
void Collective::combine_slots(Mover& mover, std::uint64_t slot, std::size_t byte,
                               std::size_t count, void* result) {
  constexpr std::size_t aligned = 64;
  const std::size_t each = (count * size_ + aligned - 1) / aligned * aligned;
  auto* const scratch = peers_->own(call_.rank).scratch.as<std::byte>();
  std::vector<const void*> arrays;
  for (std::size_t rank = 0; rank < ranks(); ++rank) {
    std::byte* const array = scratch + rank * each;
    mover.copy(array, segment().slot(static_cast<int>(rank), slot) + byte, count * size_);
    arrays.push_back(array);
  }
  mover.note(combine(arrays, result, count, call_.type, call_.op, factors_, mover.stream()));
}

cudaError_t Collective::combine_share(std::uint64_t i) {
  const Range own = share(piece(i).count);
  if (own.count == 0) return cudaSuccess;
  const std::uint64_t slot = meeting_.first_piece() + i;
  auto* const result = peers_->own(call_.rank).scratch.as<std::byte>() + array_bytes();
  Mover mover(call_.device, call_.stream);
  combine_slots(mover, slot, own.first * size_, own.count, result);
  mover.copy(segment().results(slot) + own.first * size_, result, own.count * size_);
  return mover.finish();
}

cudaError_t Collective::take(std::uint64_t i) {
  const Range range = piece(i);
  const std::size_t bytes = range.count * size_;
  const std::uint64_t slot = meeting_.first_piece() + i;
  Mover mover(call_.device, call_.stream);
  switch (call_.kind) {
    case Kind::broadcast:
      mover.copy(to(range.first), is_root() ? from(range.first) : segment().slot(call_.peer, slot),
                 bytes);
      break;
    case Kind::all_gather:
      for (std::size_t rank = 0; rank < ranks(); ++rank)
        mover.copy(to(rank * call_.count + range.first),
                   segment().slot(static_cast<int>(rank), slot), bytes);
      break;
    case Kind::reduce_scatter:
      combine_slots(mover, slot, own_index() * most_ * size_, range.count, to(range.first));
      break;
    case Kind::reduce:
      if (!is_root()) break;
      [[fallthrough]];
    case Kind::all_reduce:
      mover.copy(to(range.first), segment().results(slot), bytes);
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return mover.finish();
}

/// One piece of work, which others then see.
bool Collective::step(cudaError_t (Collective::*work)(std::uint64_t), std::uint64_t& next,
                      Counter counter) {
  if (const cudaError_t error = (this->*work)(next); error != cudaSuccess)
    return fail_by_cuda(error);
  ++next;
  segment().rank(call_.rank).*counter = meeting_.first_piece() + next;
  peers_->ring();
  return true;
}

bool Collective::try_to_advance() {
  if (!has_met_) return meet();
  bool any = false;
  if (next_put_ < pieces_ && awaited_for_put().empty())
    any = step(&Collective::put, next_put_, &RankState::put);
  if (has_results() && !is_done() && next_combine_ < next_put_ && awaited_for_combine().empty())
    any = step(&Collective::combine_share, next_combine_, &RankState::combined);
  if (!is_done() && next_take_ < next_put_ && awaited_for_take().empty())
    any = step(&Collective::take, next_take_, &RankState::taken);
  if (is_done() || next_take_ < pieces_) return any;
  meeting_.end(pieces_);
  return finish(ncclSuccess);
}

}  // namespace

std::shared_ptr<Exchange> begin_collective(Call& call, std::shared_ptr<Peers> peers) {
  return std::make_shared<Collective>(call, std::move(peers));
}

}  // namespace gridspan::libraries::nccl::processes
