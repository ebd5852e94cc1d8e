// Orders of few elements: minimum degree, and how many elements a factor has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of the matrix after some rows are eliminated is a graph of rows and of cliques: a
// clique, named by the row that left it, has all rows that were its neighbours. Eliminating a row
// makes one clique of all that it is in, so that memory never grows.
#include "libraries/solver/api/sparse_matrix.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace gridspan::libraries::solver {
namespace {

class MinimumDegree {
 public:
  explicit MinimumDegree(const Pattern& a)
      : rows_(neighbours_of(a)),
        cliques_(rows_.size()),
        members_(rows_.size()),
        degrees_(rows_.size()),
        marks_(rows_.size(), -1),
        outside_(rows_.size()),
        outside_marks_(rows_.size(), -1),
        is_gone_(rows_.size()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) set_degree(static_cast<int>(i), rows_[i].size());
  }

  std::vector<int> run() {
    std::vector<int> order;
    while (!by_degree_.empty()) {
      const int row = by_degree_.begin()->second;
      by_degree_.erase(by_degree_.begin());
      is_gone_[row] = true;
      order.push_back(row);
      eliminate(row);
    }
    return order;
  }

 private:
  void set_degree(int row, std::size_t degree) {
    degrees_[row] = degree;
    by_degree_.emplace(degree, row);
  }
  void join(int row, int mark, std::vector<int>& clique) {
    if (is_gone_[row] || marks_[row] == mark) return;
    marks_[row] = mark;
    clique.push_back(row);
  }

  /// `row` and its cliques become one clique, of the same name.
  void eliminate(int row) {
    std::vector<int>& clique = members_[row];
    for (const int other : rows_[row]) join(other, row, clique);
    for (const int old : cliques_[row]) {
      for (const int other : members_[old]) join(other, row, clique);
      std::vector<int>().swap(members_[old]);
    }
    rows_[row].clear();
    // How many members of the cliques of a member are not members of this one.
    for (const int member : clique)
      for (const int other : cliques_[member]) {
        if (members_[other].empty()) continue;
        if (std::exchange(outside_marks_[other], row) != row) outside_[other] = living(other);
        --outside_[other];
      }
    for (const int member : clique) {
      std::erase_if(rows_[member], [&](int other) {
        return is_gone_[other] || marks_[other] == row;  // neighbours by the clique already
      });
      std::erase_if(cliques_[member], [&](int other) {
        return members_[other].empty() || outside_[other] == 0;  // all of it is in the new one
      });
      std::size_t degree = rows_[member].size() + clique.size() - 1;
      for (const int other : cliques_[member]) degree += outside_[other];
      cliques_[member].push_back(row);
      by_degree_.erase({degrees_[member], member});
      set_degree(member, degree);
    }
  }
  std::size_t living(int clique) {
    std::erase_if(members_[clique], [&](int row) { return is_gone_[row]; });
    return members_[clique].size();
  }

  std::vector<std::vector<int>> rows_;     // that are neighbours without a clique
  std::vector<std::vector<int>> cliques_;  // that a row is in
  std::vector<std::vector<int>> members_;  // of a clique
  std::vector<std::size_t> degrees_;       // not less than those of the graph
  std::vector<int> marks_;
  std::vector<std::size_t> outside_;
  std::vector<int> outside_marks_;
  std::vector<char> is_gone_;
  std::set<std::pair<std::size_t, int>> by_degree_;
};

}  // namespace

std::vector<int> order_to_few(const Pattern& pattern) { return MinimumDegree(pattern).run(); }

std::int64_t elements_of_factor(const Pattern& pattern, const std::vector<int>& order,
                                std::int64_t most) {
  const auto neighbours = neighbours_of(pattern);
  const int n = pattern.rows;
  std::vector<int> place(static_cast<std::size_t>(n)), parent(place.size(), -1),
      seen(place.size(), -1);
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  std::int64_t count = n;
  // Row k of L has the columns on the ways up from A's elements to k, in the tree of columns whose
  // parent is the first row below the diagonal (J. W. H. Liu, 1986).
  for (int k = 0; k < n && count <= most; ++k) {
    seen[k] = k;
    for (const int other : neighbours[order[k]])
      for (int j = place[other]; j < k && seen[j] != k; j = parent[j]) {
        if (parent[j] < 0) parent[j] = k;
        seen[j] = k;
        ++count;
      }
  }
  return count;
}

std::vector<int> order_for_factors(const Pattern& pattern) {
  std::vector<int> own(static_cast<std::size_t>(pattern.rows));
  std::iota(own.begin(), own.end(), 0);
  std::vector<int> few = order_to_few(pattern), band = order_to_band(pattern);
  const std::int64_t of_few = elements_of_factor(pattern, few, INT64_MAX);
  // The others are counted no further than to that.
  const std::int64_t of_own = elements_of_factor(pattern, own, of_few);
  const std::int64_t of_band = elements_of_factor(pattern, band, of_few);
  if (of_own <= std::min(of_few, of_band)) return own;
  return of_band < of_few ? band : few;
}

}  // namespace gridspan::libraries::solver
