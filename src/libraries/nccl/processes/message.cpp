// A message from one rank to another, a piece at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pair of ranks has memory of its own in the segment, so that messages to several ranks do not
// wait for each other. The sender is at most two pieces ahead.
#include "libraries/nccl/processes/exchanges.h"
#include "libraries/nccl/processes/mover.h"

#include <algorithm>
#include <utility>

namespace gridspan::libraries::nccl::processes {
namespace {

class MessageExchange : public Exchange {
 public:
  MessageExchange(Call& call, std::shared_ptr<Peers> peers)
      : Exchange(call, std::move(peers)),
        sends_(call.kind == Kind::send),
        order_((sends_ ? own().sends : own().receives)[static_cast<std::size_t>(call.peer)]),
        ticket_(order_.tickets.fetch_add(1)),
        bytes_(call.count * size_of(call.type)),
        most_(peers_->segment().message_bytes()),
        pieces_((bytes_ + most_ - 1) / most_) {}

  std::vector<int> awaited() const override {
    if (!is_next() || can_advance()) return {};
    return {call_.peer};
  }

 protected:
  bool try_to_advance() override {
    if (!is_next()) return false;
    if (!has_posted_) return post();
    if (!has_met_) return has_other_posted() && meet();
    if (next_ < pieces_) return can_advance() && move_piece();
    order_.pieces += pieces_;
    order_.now = ticket_ + 1;
    return finish(ncclSuccess);
  }

 private:
  Own& own() const { return peers_->own(call_.rank); }
  PairState& pair() const {
    return sends_ ? peers_->segment().pair(call_.rank, call_.peer)
                  : peers_->segment().pair(call_.peer, call_.rank);
  }
  bool is_next() const { return order_.now.load() == ticket_; }
  bool has_other_posted() const {
    return (sends_ ? pair().receives : pair().sends).load() > ticket_;
  }
  bool can_advance() const {
    if (!has_posted_ || (has_met_ && next_ == pieces_)) return true;
    if (!has_met_) return has_other_posted();
    const std::uint64_t piece = order_.pieces + next_;
    return sends_ ? piece < pair().received.load() + halves : piece < pair().sent.load();
  }

  bool post() {
    (sends_ ? pair().sending : pair().receiving)[ticket_ % 2] = {call_.count, call_.type};
    (sends_ ? pair().sends : pair().receives) = ticket_ + 1;
    peers_->ring();
    return has_posted_ = true;
  }

  bool meet() {
    const Message& sent = pair().sending[ticket_ % 2];
    const Message& expected = pair().receiving[ticket_ % 2];
    has_met_ = true;
    if (sent.count == expected.count && sent.type == expected.type) return true;
    const int sender = sends_ ? call_.rank : call_.peer;
    const int receiver = sends_ ? call_.peer : call_.rank;
    complain("ncclSend", "rank " + std::to_string(sender) +
                             " sends another count or type than rank " + std::to_string(receiver) +
                             " receives");
    order_.now = ticket_ + 1;
    return finish(ncclInvalidUsage);
  }

  bool move_piece() {
    const std::size_t first = next_ * most_;
    const std::size_t bytes = std::min(most_, bytes_ - first);
    const std::uint64_t piece = order_.pieces + next_;
    Mover mover(call_.device, call_.stream);
    if (sends_)
      mover.copy(peers_->segment().message(call_.rank, call_.peer, piece),
                 static_cast<const std::byte*>(call_.from) + first, bytes);
    else
      mover.copy(static_cast<std::byte*>(call_.to) + first,
                 peers_->segment().message(call_.peer, call_.rank, piece), bytes);
    if (const cudaError_t error = mover.finish(); error != cudaSuccess) return fail_by_cuda(error);
    ++next_;
    (sends_ ? pair().sent : pair().received) = piece + 1;
    peers_->ring();
    return true;
  }

  const bool sends_;
  Order& order_;
  const std::uint64_t ticket_;
  const std::size_t bytes_, most_;
  const std::uint64_t pieces_;
  bool has_posted_ = false, has_met_ = false;
  std::uint64_t next_ = 0;
};

}  // namespace

std::shared_ptr<Exchange> begin_message(Call& call, std::shared_ptr<Peers> peers) {
  return std::make_shared<MessageExchange>(call, std::move(peers));
}

}  // namespace gridspan::libraries::nccl::processes
