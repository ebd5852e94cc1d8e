// Sequences of updates that planners make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "workloads.h"

#include <random>

namespace gridspan::bench {

using namespace runtime::regions;

namespace {

/// A view without padding.
View view_of(const std::vector<std::int64_t>& extents) {
  std::int64_t bytes = 1;
  for (const std::int64_t extent : extents) bytes *= extent;
  return array_view(bytes, {0, 1, std::span(extents).subspan(1)});
}

Box rows(const View& view, std::int64_t begin, std::int64_t end) {
  Box box = view.whole();
  box[0] = {begin, end};
  return box;
}

}  // namespace

Workload grid(std::string name, std::vector<std::int64_t> counts, std::vector<std::int64_t> size) {
  std::vector<std::int64_t> extents;
  std::int64_t total = 1;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    extents.push_back(counts[i] * size[i]);
    total *= counts[i];
  }
  Workload workload{std::move(name), view_of(extents), {}, {}};
  const auto box_of = [rank = workload.view.rank, counts, size](std::int64_t number) {
    Box box;
    box.rank = rank;
    for (int i = rank - 1; i >= 0; --i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t index = number % counts[at];
      box[i] = {index * size[at], (index + 1) * size[at]};
      number /= counts[at];
    }
    return box;
  };
  for (std::int64_t i = 0; i < total; ++i)
    workload.start.push_back({box_of(i), true, {1, static_cast<std::uint32_t>(i), 0}});
  workload.next = [box_of, total, random = std::mt19937(1), command = std::uint32_t{0}]() mutable {
    return Update{box_of(random() % total), true, {1ull << random() % 8, ++command, 1}};
  };
  return workload;
}

Workload intervals(std::string name, std::int64_t bytes, std::int64_t length) {
  Workload workload{std::move(name), linear_view(bytes), {}, {}};
  workload.next = [=, random = std::mt19937(1), command = std::uint32_t{0}]() mutable {
    const std::int64_t begin = random() % bytes;
    const auto end = begin + 1 + static_cast<std::int64_t>(random() % (2 * length));
    return Update{byte_range(begin, end), true, {1ull << random() % 8, ++command, 1}};
  };
  for (std::int64_t i = 0; i < 3 * bytes / length; ++i) workload.start.push_back(workload.next());
  return workload;
}

Workload rectangles(std::string name, std::int64_t side, std::int64_t length) {
  Workload workload{std::move(name), view_of({side, side}), {}, {}};
  workload.next = [=, random = std::mt19937(1), command = std::uint32_t{0}]() mutable {
    Box box;
    box.rank = 2;
    for (int i = 0; i < 2; ++i) {
      const std::int64_t begin = random() % side;
      box[i] = {begin, begin + 1 + static_cast<std::int64_t>(random() % (2 * length))};
    }
    return Update{box, true, {1ull << random() % 8, ++command, 1}};
  };
  for (std::int64_t i = 0; i < 3 * side * side / (length * length); ++i)
    workload.start.push_back(workload.next());
  return workload;
}

Workload half_strips(std::string name, std::int64_t strips) {
  constexpr std::int64_t width = 4, height = 100;
  Workload workload = grid(std::move(name), {1, strips}, {height, width});
  workload.next = [=, random = std::mt19937(1), upper = false, update = Update{}]() mutable {
    upper = !upper;
    if (upper) {
      const std::int64_t first = random() % strips * width;
      update.box.rank = 2;
      update.box[1] = {first, first + width};
      update.state = {1ull << random() % 8, update.state.command + 1, 1};
    }
    update.box[0] = upper ? Range{0, height / 2} : Range{height / 2, height};
    return update;
  };
  return workload;
}

Workload halo_exchange(std::string name, std::int64_t owners) {
  constexpr std::int64_t height = 16;
  Workload workload{std::move(name), view_of({owners * height, 4096}), {}, {}};
  workload.next = [=, view = workload.view, step = std::int64_t{0}]() mutable {
    const std::int64_t launch = step / (3 * owners), at = step++ % (3 * owners);
    const std::int64_t owner = at < owners ? at : (at - owners) / 2;
    const State state{1ull << owner % 64, static_cast<std::uint32_t>(launch + 1),
                      static_cast<std::uint32_t>(owner)};
    const std::int64_t first = owner * height, behind = first + height;
    if (at < owners) return Update{rows(view, first, behind), true, state};
    const bool above = (at - owners) % 2 == 0;
    return Update{above ? rows(view, first - 1, first) : rows(view, behind, behind + 1), false,
                  state};
  };
  for (std::int64_t i = 0; i < 3 * owners; ++i) workload.start.push_back(workload.next());
  return workload;
}

}  // namespace gridspan::bench
