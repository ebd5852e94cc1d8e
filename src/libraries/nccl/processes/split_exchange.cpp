// A split between processes: the ranks of each color meet again, by an identifier that they all
// compute. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/ranks.h"
#include "libraries/nccl/api/split.h"
#include "libraries/nccl/processes/exchanges.h"
#include "libraries/nccl/processes/meeting.h"

#include <algorithm>
#include <utility>

namespace gridspan::libraries::nccl::processes {
namespace {

/// Of this communicator, this split and this color; no other has it.
ncclUniqueId identifier_of(const ncclUniqueId& parent, std::uint64_t split, int color) {
  ncclUniqueId id = {};
  std::uint64_t sum = 1469598103934665603ull;  // FNV-1a
  const auto add = [&](std::uint64_t byte) { sum = (sum ^ (byte & 255)) * 1099511628211ull; };
  for (const std::uint64_t number : {split, static_cast<std::uint64_t>(color)})
    for (int shift = 0; shift < 64; shift += 8) add(number >> shift);
  for (std::size_t i = 0; i < sizeof id.internal; ++i) {
    add(static_cast<unsigned char>(parent.internal[i]));
    id.internal[i] = static_cast<char>(sum >> 56);
  }
  return id;
}

class Split : public Exchange {
 public:
  Split(Call& call, std::shared_ptr<Peers> peers)
      : Exchange(call, std::move(peers)), meeting_(*peers_, call.rank) {}
  ~Split() override {
    if (made_) drop_rank(&made_);
  }

  bool is_woken() const override { return !made_; }  // others ring the new ranks' bell
  std::vector<int> awaited() const override {
    if (!meeting_.is_next()) return {};
    return made_ ? missing_members() : meeting_.missing();
  }

 protected:
  bool try_to_advance() override {
    if (made_) return look_at_new();
    if (!meeting_.is_next()) return false;
    if (!meeting_.is_posted()) {
      meeting_.post(call_);
      return true;
    }
    return meeting_.is_complete() && make_new();
  }

 private:
  bool end(ncclResult_t result) {
    meeting_.end(0);
    return finish(result);
  }

  std::vector<int> missing_members() const {
    std::vector<int> old_ranks;
    for (const int rank : made_->clique->missing())
      old_ranks.push_back(members_[static_cast<std::size_t>(rank)]);
    return old_ranks;
  }

  bool make_new() {
    *call_.made = NCCL_COMM_NULL;
    if (const std::string why = meeting_.disagreement(); !why.empty()) {
      complain(name_of(meeting_.asked(0).kind), why);
      return end(ncclInvalidUsage);
    }
    if (call_.color == NCCL_SPLIT_NOCOLOR) return end(ncclSuccess);
    std::vector<Asked> all;
    for (int rank = 0; rank < peers_->size(); ++rank) all.push_back(meeting_.asked(rank));
    members_ = members_of(all, call_.color);
    const auto own = std::ranges::find(members_, call_.rank) - members_.begin();
    const ncclUniqueId id = identifier_of(peers_->id(), meeting_.number(), call_.color);
    ncclResult_t result = make_rank(call_.name, &made_, static_cast<int>(members_.size()), id,
                                    static_cast<int>(own), call_.device);
    if (result == ncclSuccess) result = made_->clique->announce(call_.name, made_->rank);
    return result == ncclSuccess || end(result);
  }

  bool look_at_new() {
    const std::optional<ncclResult_t> met = made_->clique->met(call_.name, made_->rank);
    if (!met) return false;
    forget(*made_->clique);
    if (*met == ncclSuccess) *call_.made = std::exchange(made_, nullptr);
    return end(*met);
  }

  Meeting meeting_;
  std::vector<int> members_;  // of the new communicator, by rank: their old ranks
  ncclComm* made_ = nullptr;
};

}  // namespace

std::shared_ptr<Exchange> begin_split(Call& call, std::shared_ptr<Peers> peers) {
  return std::make_shared<Split>(call, std::move(peers));
}

}  // namespace gridspan::libraries::nccl::processes
