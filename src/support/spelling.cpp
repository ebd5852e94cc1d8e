// Edit distance (Damerau, restricted) and the choice of a suggestion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/spelling.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gridspan::support {

unsigned edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table; row i holds distances of a's first i letters to prefixes of b.
  std::vector<unsigned> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = static_cast<unsigned>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<unsigned>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const unsigned replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  // A third of the letters may be wrong; more is another word.
  unsigned best_distance = static_cast<unsigned>(std::max<std::size_t>(word.size() / 3, 1)) + 1;
  for (const std::string_view candidate : candidates) {
    const unsigned distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace gridspan::support
