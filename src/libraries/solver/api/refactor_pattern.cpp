// The pattern of L and U together, and levels of rows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/refactor_pattern.h"

#include <algorithm>

namespace gridspan::libraries::solver {
namespace {

bool is_permutation(const std::vector<int>& p) {
  std::vector<char> seen(p.size());
  return std::all_of(p.begin(), p.end(), [&](int one) {
    return one >= 0 && one < static_cast<int>(p.size()) && !seen[one]++;
  });
}

/// By level; rows of a level in their order.
Schedule schedule(const std::vector<int>& levels) {
  constexpr int few = 32;  // A launch is not worth it for fewer.
  Compressed<int> of_level;
  for (const int level : levels) {
    of_level.add(level, 0);
    of_level.end();
  }
  const int count = levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end()) + 1;
  const Compressed<int> rows = of_level.turned(count);
  Schedule result = {rows.indices, {}};
  for (int level = 0; level < count; ++level) {
    const int begin = rows.offsets[level], end = rows.offsets[level + 1];
    const bool side_by_side = end - begin >= few;
    if (side_by_side || result.runs.empty() || result.runs.back().side_by_side)
      result.runs.push_back({begin, end, side_by_side});
    else
      result.runs.back().end = end;
  }
  return result;
}

}  // namespace

const char* bundle(const GivenFactors& given, Bundle& result) {
  const int n = static_cast<int>(given.p.size());
  if (!is_permutation(given.p)) return "h_P";
  if (!is_permutation(given.q)) return "h_Q";
  std::vector<int> columns, place(given.p.size(), -1);  // of A's row, by column
  for (int i = 0; i < n; ++i) {
    columns = {i};
    for (int k = given.lower.offsets[i]; k < given.lower.offsets[i + 1]; ++k) {
      if (given.lower.indices[k] > i) return "h_csrColIndL";
      columns.push_back(given.lower.indices[k]);
    }
    for (int k = given.upper.offsets[i]; k < given.upper.offsets[i + 1]; ++k) {
      if (given.upper.indices[k] < i) return "h_csrColIndU";
      columns.push_back(given.upper.indices[k]);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    int missing = 0;
    for (int k = given.a.offsets[given.p[i]]; k < given.a.offsets[given.p[i] + 1]; ++k) {
      place[given.a.indices[k]] = given.a.values[k];
      ++missing;
    }
    for (const int column : columns) {
      int& from = place[given.q[column]];
      if (column == i) result.diagonals.push_back(static_cast<int>(result.rows.indices.size()));
      result.rows.add(column, from);
      missing -= from >= 0;
      from = -1;
    }
    result.rows.end();
    if (missing != 0) return "h_csrColIndA";
  }
  return nullptr;
}

Schedule schedule_down(const Bundle& bundle) {
  std::vector<int> levels(bundle.diagonals.size());
  for (std::size_t i = 0; i < levels.size(); ++i)
    for (int k = bundle.rows.offsets[i]; k < bundle.diagonals[i]; ++k)
      levels[i] = std::max(levels[i], levels[bundle.rows.indices[k]] + 1);
  return schedule(levels);
}

Schedule schedule_up(const Bundle& bundle) {
  std::vector<int> levels(bundle.diagonals.size());
  for (std::size_t i = levels.size(); i-- > 0;)
    for (int k = bundle.diagonals[i] + 1; k < bundle.rows.offsets[i + 1]; ++k)
      levels[i] = std::max(levels[i], levels[bundle.rows.indices[k]] + 1);
  return schedule(levels);
}

}  // namespace gridspan::libraries::solver
