// What the CUDA and the OpenMP forms of the kernels share: sizes, inputs, timing, output.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   FORM CASE RUNS      runs one case and prints {"seconds": [...], "sum": ...}
//   FORM                prints the names of all cases
//
// A form (cuda_form, openmp_form) registers one function for each case with CASE(name). It makes
// its inputs with `numbers`, calls `run.measure(work)` once, and `run.result(values)` with what the
// work has computed, so that the forms can be compared.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace bench {

// Sizes, the same in both forms.
inline constexpr int matrix = 1024;  // matmul, tiled
inline constexpr int chip = 1024;    // hotspot: cells along each side, in cache
inline constexpr int hotspot_steps = 20;
inline constexpr int bodies = 8192;
inline constexpr int sums = 1 << 22;    // block reduction: numbers
inline constexpr int vector = 1 << 22;  // saxpy
inline constexpr int picture = 1024;    // mandelbrot: pixels along each side
inline constexpr int picture_limit = 256;
inline constexpr int rows = 1 << 17;  // spmv
inline constexpr int softmax_rows = 2048, softmax_columns = 1024;

class Run {
 public:
  explicit Run(int count) : count_(count) {}

  /// Once to warm up, then `count` times.
  template <class Work>
  void measure(Work work) {
    work();
    for (int i = 0; i < count_; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      work();
      seconds_.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
  }

  template <class T>
  void result(const T* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sum_ += static_cast<double>(values[i]);
  }

  void print() const {
    std::printf("{\"seconds\": [");
    for (std::size_t i = 0; i < seconds_.size(); ++i)
      std::printf("%s%.9f", i ? ", " : "", seconds_[i]);
    std::printf("], \"sum\": %.9g}\n", sum_);
  }

 private:
  int count_;
  std::vector<double> seconds_;
  double sum_ = 0;
};

using Case = void (*)(Run&);
inline std::map<std::string, Case>& cases() {
  static std::map<std::string, Case> all;
  return all;
}

struct Registration {
  Registration(const char* name, Case one) { cases()[name] = one; }
};

#define CASE(name)                                                          \
  static void case_##name(bench::Run& run);                                 \
  static const bench::Registration registration_##name(#name, case_##name); \
  static void case_##name([[maybe_unused]] bench::Run& run)

/// Pseudo-random numbers in [low, high), the same everywhere.
inline std::vector<float> numbers(std::size_t count, float low, float high,
                                  std::uint32_t seed = 1) {
  std::vector<float> all(count);
  for (float& one : all) {
    seed = seed * 1664525u + 1013904223u;
    one = low + (high - low) * static_cast<float>(seed >> 8) / 16777216.0f;
  }
  return all;
}

/// A sparse matrix in compressed rows: 1 to 31 entries a row, near and far.
struct Sparse {
  std::vector<int> begin{0}, column;
  std::vector<float> value;
  explicit Sparse(int count) {
    std::uint32_t seed = 7;
    for (int row = 0; row < count; ++row) {
      seed = seed * 1664525u + 1013904223u;
      const int entries = 1 + static_cast<int>(seed >> 27) % 31;
      for (int i = 0; i < entries; ++i) {
        seed = seed * 1664525u + 1013904223u;
        const int reach = i % 4 == 0 ? count : 64;
        column.push_back(static_cast<int>(
            (static_cast<std::uint32_t>(row) + (seed >> 8) % static_cast<std::uint32_t>(reach)) %
            static_cast<std::uint32_t>(count)));
        value.push_back(static_cast<float>(seed >> 20) / 4096.0f);
      }
      begin.push_back(static_cast<int>(column.size()));
    }
  }
};

inline int main(int argc, char** argv) {
  if (argc < 2) {
    for (const auto& [name, one] : cases()) std::printf("%s\n", name.c_str());
    return 0;
  }
  const auto found = cases().find(argv[1]);
  if (found == cases().end()) return std::fprintf(stderr, "no case '%s'\n", argv[1]), 1;
  Run run(argc > 2 ? std::atoi(argv[2]) : 5);
  found->second(run);
  run.print();
  return 0;
}

}  // namespace bench
