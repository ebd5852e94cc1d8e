// LU, Gauss, multigrid, rectangles anywhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sequences.h"

#include "idle_machine.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>

extern "C" {
const void* lu_column_kernel();
const void* lu_update_kernel();
const void* gauss_factors_kernel();
const void* gauss_rest_kernel();
const void* smooth_kernel();
const void* restrict_kernel();
const void* prolong_kernel();
const void* cross_kernel();
const void* rectangle_kernel();
}

namespace bench {

namespace {

constexpr abi::Dim flat{32, 8, 1}, line{256, 1, 1}, square{16, 16, 1};
constexpr int side = 16384;
constexpr int steps = 10'200;  // of a program
constexpr int window = 20;     // launches or so, whose work fits into the devices' queues

std::size_t matrix_bytes(int n) { return std::size_t(n) * std::size_t(n) * sizeof(float); }

/// What takes a step of a program, and returns how many launches that are.
using Step = std::function<int(int k)>;

Step lu(IdleMachine& machine) {
  void* const a = machine.allocate(matrix_bytes(side));
  return [&machine, a](int k) {
    const int left = side - k - 1;
    machine.launch(lu_column_kernel(), blocks_of(left, 1, line), line, a, side, k);
    machine.launch(lu_update_kernel(), blocks_of(left, left, flat), flat, a, side, k);
    return 2;
  };
}

Step gauss(IdleMachine& machine) {
  void* const a = machine.allocate(matrix_bytes(side));
  void* const m = machine.allocate(matrix_bytes(side));
  void* const b = machine.allocate(side * sizeof(float));
  return [&machine, a, m, b](int k) {
    const int left = side - k - 1;
    machine.launch(gauss_factors_kernel(), blocks_of(left, 1, line), line, m, a, side, k);
    machine.launch(gauss_rest_kernel(), blocks_of(left, left + 1, square), square, m, a, b, side,
                   k);
    return 2;
  };
}

/// A V-cycle over 8192, 4096 ... 32 points a side, a launch a step. Every other cycle leaves out
/// the coarsest levels, one more each time.
Step pyramid(IdleMachine& machine) {
  constexpr int levels = 9, finest = 8192;
  struct Level {
    void *in, *out;
  };
  std::vector<Level> all;
  for (int level = 0; level < levels; ++level)
    all.push_back({machine.allocate(matrix_bytes(finest >> level)),
                   machine.allocate(matrix_bytes(finest >> level))});
  struct State {
    int level = 0, depth = levels, cycle = 0;
    bool goes_down = true, is_smooth = false;
  };
  return [&machine, all, state = State()](int) mutable {
    auto& [level, depth, cycle, goes_down, is_smooth] = state;
    const int n = finest >> level;
    Level& here = all[static_cast<std::size_t>(level)];
    if (!is_smooth) {
      machine.launch(smooth_kernel(), blocks_of(n - 2, n - 2, flat), flat, here.in, here.out, n);
      std::swap(here.in, here.out);
    } else if (goes_down && level + 1 < depth) {
      machine.launch(restrict_kernel(), blocks_of(n / 2, n / 2, flat), flat, here.in,
                     all[static_cast<std::size_t>(++level)].in, n / 2);
    } else if (level > 0) {
      goes_down = false;
      machine.launch(prolong_kernel(), blocks_of(2 * n, 2 * n, flat), flat, here.in,
                     all[static_cast<std::size_t>(--level)].in, 2 * n);
    } else {
      goes_down = true;
      depth = ++cycle % 2 != 0 ? levels - cycle / 2 % (levels - 2) : levels;
      is_smooth = false;
      return 0;
    }
    is_smooth = !is_smooth;
    return 1;
  };
}

/// A row less each time.
Step crosses(IdleMachine& machine) {
  void* const in = machine.allocate(matrix_bytes(side));
  void* const out = machine.allocate(matrix_bytes(side));
  return [&machine, in, out](int k) {
    const int rows = side - k;
    machine.launch(cross_kernel(), blocks_of(side - 2, rows - 2, flat), flat, k % 2 ? in : out,
                   k % 2 ? out : in, side, rows);
    return 1;
  };
}

Step rectangles(IdleMachine& machine) {
  void* const in = machine.allocate(matrix_bytes(side));
  void* const out = machine.allocate(matrix_bytes(side));
  return [&machine, in, out, random = std::mt19937(7)](int k) mutable {
    const auto number = [&](int low, int high) {
      return std::uniform_int_distribution<int>(low, high)(random);
    };
    const int width = number(1, side), height = number(1, side);
    const int left = number(0, side - width), top = number(0, side - height);
    machine.launch(rectangle_kernel(), blocks_of(width, height, flat), flat, k % 2 ? in : out,
                   k % 2 ? out : in, side, left, top, width, height);
    return 1;
  };
}

struct Sequence {
  const char* name;
  Step (*make)(IdleMachine&);
};
constexpr Sequence sequences[] = {{"LU", lu},
                                  {"Gauss", gauss},
                                  {"pyramid", pyramid},
                                  {"crosses", crosses},
                                  {"rectangles", rectangles}};

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// Two or more GPUs of today: what is little work there is known, and ways are looked for that move
/// less.
gridspan::devices::Measured gpus(unsigned count) {
  const gridspan::devices::Link link{8e-6, 377e9};
  return {.memory = std::vector<double>(count, 2640e9),
          .links = std::vector(count, std::vector(count, link)),
          .begin_seconds = 3e-6};
}

void report(const Sequence& sequence, unsigned count) {
  IdleMachine& machine = *new IdleMachine(count, gpus(count));
  const Step step = sequence.make(machine);
  std::vector<double> launches;  // us, in the mean of each window
  int k = 0;
  step(k++);
  machine.finish();
  while (k < steps) {
    int done = 0;
    const double taken = machine.running_ahead([] {},
                                               [&] {
                                                 while (done < window && k < steps)
                                                   done += step(k++);
                                               });
    launches.push_back(taken / done);
  }
  constexpr std::size_t some = 20;
  const auto from = [&](std::size_t first) {
    const auto begin = launches.begin() + static_cast<std::ptrdiff_t>(first);
    return middle({begin, begin + some}) / count;
  };
  const double worst = *std::ranges::max_element(launches) / count;
  std::printf("| %s | %u | %.2f | %.2f | %.2f | %.2f |\n", sequence.name, count, from(0),
              from(launches.size() / 2), from(launches.size() - some), worst);
  std::fflush(stdout);
}

}  // namespace

void report_sequences(unsigned devices, const std::string& only) {
  for (const Sequence& sequence : sequences)
    if (only.empty() || only == sequence.name) report(sequence, devices);
}

}  // namespace bench
