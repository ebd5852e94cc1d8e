// Time of one update of a region map at 10 000 live boxes, and of halo exchanges, against a list;
// then of what else planners do with a map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "box_list.h"
#include "workloads.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace gridspan;
using namespace gridspan::bench;

namespace {

using Clock = std::chrono::steady_clock;

template <class Map>
void apply(Map& map, const Update& update) {
  if (update.is_write) {
    map.assign(update.box, update.state);
    return;
  }
  map.update(update.box, [&](const State& old) {
    State state = old;
    state.holders |= update.state.holders;
    return state;
  });
}

struct Timing {
  double median, p90;  // ns an update, of samples
  std::size_t boxes;
};

/// Each sample is the mean of some updates made beforehand.
template <class Map>
Timing measure(const Workload& made, std::size_t samples, std::size_t updates_each) {
  Workload workload = made;
  Map map(workload.view, State{});
  for (const Update& update : workload.start) apply(map, update);
  std::vector<double> times;
  std::vector<Update> updates(updates_each);
  const std::size_t warm_up = samples / 5;
  for (std::size_t i = 0; i < warm_up + samples; ++i) {
    std::ranges::generate(updates, std::ref(workload.next));
    const auto begin = Clock::now();
    for (const Update& update : updates) apply(map, update);
    const std::chrono::duration<double, std::nano> time = Clock::now() - begin;
    if (i >= warm_up) times.push_back(time.count() / static_cast<double>(updates_each));
  }
  std::ranges::sort(times);
  return {times[times.size() / 2], times[times.size() * 9 / 10], map.box_count()};
}

void compare(const Workload& workload) {
  const auto ours = measure<runtime::regions::RegionMap<State>>(workload, 500, 100);
  const auto list = measure<BoxList<State>>(workload, 25, 20);
  std::printf("%-34s %8zu %9.0f %9.0f %11zu %9.0f %9.1f\n", workload.name.c_str(), ours.boxes,
              ours.median, ours.p90, list.boxes, list.median, list.median / ours.median);
}

/// Median time of work(), ns.
template <class Work>
double time_of(Work work) {
  std::vector<double> times;
  for (int i = 0; i < 201; ++i) {
    const auto begin = Clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - begin).count());
  }
  std::ranges::nth_element(times, times.begin() + 100);
  return times[100];
}

void other_operations(const Workload& made) {
  using Map = runtime::regions::RegionMap<State>;
  Workload workload = made;
  Map map(workload.view, State{});
  for (const Update& update : workload.start) apply(map, update);
  std::uint64_t sum = 0;
  const auto count = [&](const auto&, const State& state) { sum += state.command; };
  const double one = time_of([&] {
    for (int i = 0; i < 100; ++i) map.query(workload.next().box, count);
  });
  const double all = time_of([&] { map.query(map.view().whole(), count); });
  // What follows a copy: the first update takes its path out of what is shared.
  const double copy = time_of([&] {
    Map other = map;
    apply(other, workload.next());
    sum += other.hash();
  });
  const double reshape = time_of([&] {
    Map other = map;
    sum += other.reshape(runtime::regions::linear_view(map.view().bytes));
  });
  std::printf("%-34s %8zu %9.0f %9.0f %11.0f %13.0f %s\n", workload.name.c_str(), map.box_count(),
              one / 100, all / 1000, copy, reshape / 1000, sum == 0 ? "?" : "");
}

}  // namespace

int main() {
  std::printf("%-34s %8s %9s %9s %11s %9s %9s\n", "ns an update", "boxes", "median", "p90",
              "list: boxes", "median", "ratio");
  const Workload grids[] = {
      grid("1-D, equal intervals", {10000}, {64}),
      grid("2-D, 100 x 100 tiles", {100, 100}, {16, 64}),
      grid("2-D, bands of rows", {10000, 1}, {4, 4096}),
      grid("2-D, strips of columns", {1, 10000}, {16, 4}),
      grid("3-D, 22 x 22 x 21 blocks", {22, 22, 21}, {8, 8, 64}),
      grid("4-D, 10 x 10 x 10 x 10 blocks", {10, 10, 10, 10}, {4, 4, 4, 16}),
  };
  for (const Workload& workload : grids) compare(workload);
  compare(intervals("1-D, ragged intervals", 640000, 64));
  compare(half_strips("2-D, halves of strips", 10000));
  compare(rectangles("2-D, ragged rectangles", 1000, 20));
  for (const std::int64_t owners : {2, 16, 64, 1024})
    compare(halo_exchange("halo exchange, owners: " + std::to_string(owners), owners));

  std::printf("\n%-34s %8s %9s %9s %11s %13s\n", "", "boxes", "query/ns", "all/us", "copy+1/ns",
              "to linear/us");
  for (const Workload& workload : grids) other_operations(workload);
}
