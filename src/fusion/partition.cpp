// The cheapest partition by dynamic programming over where groups end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/partition.h"

#include "model/proof.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace gridspan::fusion {
namespace {

/// Part of its bytes that a group must save.
constexpr double least_gain = 0.01;

class Search {
 public:
  Search(std::span<const Launch> launches, const model::ProofLimits& limits, Examples examples)
      : launches_(launches),
        limits_(limits),
        joined_(join(launches)),
        instances_(joined_.kernel),
        footprints_(joined_, instances_, limits_, examples),
        conflicts_(joined_, instances_, footprints_, limits_) {}
  std::vector<Group> legal_groups();
  Partition run();

 private:
  const Glue& ask(unsigned earlier, unsigned later);
  bool is_legal(unsigned earlier, unsigned later);
  bool is_free(unsigned earlier, unsigned later);
  std::vector<Group> groups();
  bool may_lead(unsigned first, unsigned end);
  std::vector<Group> groups_between(unsigned begin, unsigned last_end);
  Partition::Next next(unsigned later);
  bool is_known(const Bytes& bytes) const;
  /// At the first launch of the experiment; 0: there is none.
  double cost(const Formula& bytes) const;

  std::span<const Launch> launches_;
  model::ProofLimits limits_;
  Joined joined_;
  model::Instances instances_;
  Footprints footprints_;
  Conflicts conflicts_;
  Partition partition_;
};

const Glue& Search::ask(unsigned earlier, unsigned later) {
  const auto [place, is_new] = partition_.glues.try_emplace({earlier, later});
  if (is_new) place->second = glue(joined_, launches_, conflicts_, earlier, later);
  return place->second;
}

bool Search::is_legal(unsigned earlier, unsigned later) {
  return ask(earlier, later).answer == Glue::Answer::always;
}

bool Search::is_free(unsigned earlier, unsigned later) {
  const Glue& glue = ask(earlier, later);
  return glue.answer == Glue::Answer::always && !glue.needs_barrier && glue.condition.empty();
}

std::vector<Group> Search::legal_groups() {
  std::vector<Group> found;
  const auto joins = [this](unsigned first, unsigned later) {
    for (unsigned earlier = later; earlier-- > first;)
      if (!is_free(earlier, later)) return false;
    return true;
  };
  const auto count = static_cast<unsigned>(launches_.size());
  for (unsigned first = 0, end = 0; first < count; first = end) {
    for (end = first + 1; end < count && joins(first, end);) ++end;
    found.push_back({first, end, {}});
  }
  return found;
}

/// The launch may be one kernel with each of those behind it, which may be one without it.
bool Search::may_lead(unsigned first, unsigned end) {
  for (unsigned later = first + 1; later < end; ++later)
    if (!is_legal(first, later)) return false;
  return true;
}

bool Search::is_known(const Bytes& bytes) const {
  return bytes.unknown.empty() && !footprints_.experiment().launches.empty();
}

double Search::cost(const Formula& bytes) const {
  const auto& launches = footprints_.experiment().launches;
  return launches.empty() ? 0 : bytes.at(launches.front());
}

Partition::Next Search::next(unsigned later) {
  Partition::Next next;
  next.order = order(launches_, conflicts_, later - 1, later);
  next.bytes = bytes_of(joined_, footprints_, later - 1, later + 1);
  const double apart = cost(next.bytes.apart), together = cost(next.bytes.together);
  next.pays = !is_known(next.bytes) || apart - together > least_gain * apart;
  return next;
}

/// Neighbours that may not be glued are in no group together: bytes are asked for only between
/// such.
std::vector<Group> Search::groups() {
  std::vector<Group> found;
  const auto count = static_cast<unsigned>(launches_.size());
  for (unsigned first = 0, end = 0; first < count; first = end) {
    for (end = first + 1; end < count && is_legal(end - 1, end);) ++end;
    std::ranges::move(groups_between(first, end), std::back_inserter(found));
  }
  return found;
}

std::vector<Group> Search::groups_between(unsigned begin, unsigned last_end) {
  if (last_end - begin == 1) return {{begin, last_end, {}}};
  std::vector<double> best(last_end + 1, std::numeric_limits<double>::infinity());
  std::vector<Group> last(last_end + 1);  // of the best partition of the first launches
  best[begin] = 0;
  for (unsigned end = begin + 1; end <= last_end; ++end) {
    for (unsigned first = end; first-- > begin;) {
      if (!may_lead(first, end)) break;
      Group group{first, end, bytes_of(joined_, footprints_, first, end)};
      if (group.is_one_kernel() && !is_known(group.bytes)) continue;
      const double all = best[first] + cost(group.bytes.least);
      if (best[end] - all <= least_gain * cost(group.bytes.apart)) continue;
      best[end] = all;
      last[end] = std::move(group);
    }
  }
  std::vector<Group> found;
  for (unsigned end = last_end; end > begin; end = last[end].first)
    found.insert(found.begin(), last[end]);
  return found;
}

Partition Search::run() {
  partition_.groups = groups();
  for (unsigned later = 1; later < launches_.size(); ++later)
    partition_.next.push_back(next(later));
  partition_.joined = joined_;
  return std::move(partition_);
}

}  // namespace

static Search search(std::span<const Launch> launches, model::ProofLimits limits,
                     Examples examples) {
  const auto known = launches.first(std::min(launches.size(), most_launches));
  limits.kernel *= known.size();
  return {known, limits, examples};
}

std::vector<Group> legal_groups(std::span<const Launch> launches, model::ProofLimits limits) {
  return search(launches, limits, Examples::spare).legal_groups();
}

Partition partition(std::span<const Launch> launches, model::ProofLimits limits) {
  return search(launches, limits, Examples::find).run();
}

}  // namespace gridspan::fusion
