// Groups, then the kernels of each that move the fewest bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/forecast.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace gridspan::runtime::fuse {

namespace {

/// Of one kernel. More are rarely legal and hold too many registers.
constexpr std::size_t most_steps_of_kernel = 8;

class GroupSearch {
 public:
  GroupSearch(const Steps& steps, const GroupBytes& bytes, const PairAnswer& pair_answer)
      : steps_(steps), bytes_(bytes), pair_answer_(pair_answer) {}

  ForecastGroup run(std::size_t first, std::size_t end) {
    ForecastGroup group;
    group.first = first;
    group.end = end;
    for (std::size_t i = first; i < end; ++i) group.apart_bytes += bytes_.apart(i);
    for (std::size_t i = first; i + 1 < end; ++i) group.apart.push_back(answer(i, i + 1).reason);
    const std::size_t chain = chain_first(steps_, first, end);
    for (std::size_t i = first; i < chain; ++i) group.chained_bytes += bytes_.apart(i);
    group.chained_bytes += bytes_.chained(chain, end);
    find_kernels(group);
    return group;
  }

 private:
  const OneKernel& answer(std::size_t earlier, std::size_t later) {
    const auto [at, is_new] = answers_.try_emplace({earlier, later});
    if (is_new) at->second = pair_answer_(earlier, later);
    return at->second;
  }

  bool pays(std::size_t first, std::size_t end, const StepSet& before) const {
    bool has_launch = false;
    double apart = 0;
    for (std::size_t i = first; i < end; ++i) {
      has_launch |= steps_.steps[i].is_kernel;
      apart += cost(i, i + 1, {});
    }
    return has_launch && cost(first, end, before) <= (1 - least_gain) * apart;
  }

  /// Which of the steps have to run before the others, which then may be one kernel; nothing: they
  /// may not.
  std::optional<StepSet> before(std::size_t first, std::size_t end) {
    StepSet found;
    for (std::size_t earlier = first; earlier < end; ++earlier) {
      for (std::size_t later = earlier + 1; later < end; ++later) {
        if (found.contains(earlier) || found.contains(later) || answer(earlier, later).is_legal)
          continue;
        if (steps_.steps[later].is_kernel && steps_.steps[earlier].is_kernel) return std::nullopt;
        found.insert(steps_.steps[later].is_kernel ? earlier : later);
      }
    }
    for (const std::size_t moved : found)
      for (std::size_t earlier = first; earlier < moved; ++earlier)
        if (!found.contains(earlier) && bytes_.are_ordered(earlier, moved)) return std::nullopt;
    return found;
  }

  /// The cheapest cut of the group, by where its last kernel begins (as in fusion/partition).
  void find_kernels(ForecastGroup& group) {
    const std::size_t count = group.end - group.first;
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> sizes(count + 1);
    best[0] = 0;
    for (std::size_t end = 1; end <= count; ++end) {
      for (std::size_t size = 1; size <= std::min(end, most_steps_of_kernel); ++size) {
        const std::size_t first = end - size;
        const auto apart = before(group.first + first, group.first + end);
        if (!apart) break;
        if (size > 1 && !pays(group.first + first, group.first + end, *apart)) continue;
        const double all = best[first] + cost(group.first + first, group.first + end, *apart);
        if (all >= best[end]) continue;
        best[end] = all;
        sizes[end] = size;
      }
    }
    for (std::size_t end = count; end > 0; end -= sizes[end]) add(group, end - sizes[end], end);
    std::ranges::reverse(group.kernels);
  }

  /// A step by itself is the program's own: it writes what it wrote.
  double cost(std::size_t first, std::size_t end, const StepSet& before) const {
    if (end - first == 1) return static_cast<double>(bytes_.apart(first));
    std::uint64_t bytes = bytes_.glued(first, end, before);
    for (const std::size_t step : before) bytes += bytes_.apart(step);
    return static_cast<double>(bytes);
  }

  void add(ForecastGroup& group, std::size_t begin, std::size_t end) {
    const std::size_t first = group.first + begin, last = group.first + end;
    if (end - begin == 1) {
      group.glued_bytes += bytes_.apart(first);
      return;
    }
    const StepSet apart = *before(first, last);
    const std::uint64_t bytes = bytes_.glued(first, last, apart);
    group.glued_bytes += bytes;
    for (const std::size_t step : apart) group.glued_bytes += bytes_.apart(step);
    group.kernels.push_back({first, last, apart, bytes, bytes_.dead(first, last, apart)});
  }

  const Steps& steps_;
  const GroupBytes& bytes_;
  const PairAnswer& pair_answer_;
  std::map<std::pair<std::size_t, std::size_t>, OneKernel> answers_;
};

}  // namespace

std::size_t chain_first(const Steps& steps, std::size_t first, std::size_t end) {
  while (first < end && !steps.steps[first].is_kernel) ++first;
  return first;
}

Forecast forecast(const Steps& steps, const std::set<std::uintptr_t>& freed,
                  const PairAnswer& pair_answer, const ChainReason& chain_reason) {
  const GroupBytes bytes(steps, freed);
  Forecast all;
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    all.bytes.push_back(bytes.apart(i));
    all.is_exact.push_back(bytes.is_exact(i));
  }
  GroupSearch search(steps, bytes, pair_answer);
  const auto is_willing = [&](std::size_t i) { return steps.steps[i].refusal.empty(); };
  for (std::size_t first = 0; first < steps.steps.size();) {
    std::size_t end = first;
    bool has_launch = false;
    for (; end < steps.steps.size() && is_willing(end); ++end)
      has_launch |= steps.steps[end].is_kernel;
    if (end - first > 1 && has_launch) {
      all.groups.push_back(search.run(first, end));
      const std::size_t chain = chain_first(steps, first, end);
      all.groups.back().no_chain =
          end - chain > 1 ? chain_reason(chain, end) : "nothing comes behind its launch";
    }
    first = std::max(end, first + 1);
  }
  return all;
}

}  // namespace gridspan::runtime::fuse
