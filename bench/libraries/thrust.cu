// Thrust's algorithms beside TBB's, in turns, in one process. Without TBB, only our own times are
// printed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   GRIDSPAN_DEVICES=cpu GRIDSPAN_THREADS=4 build/bench/libraries/thrust [COUNT [TURNS]]
//
// Of COUNT random numbers, 2^24 unless told. Each turn begins with the same numbers, whose copy is
// not timed. TBB has GRIDSPAN_THREADS threads, too. Results are compared: integers equal, sums of
// float to 1e-4 of the sum of magnitudes.
#include <cuda_runtime.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include "tbb_algorithms.h"
#include "turns.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

namespace {

using bench::median;
using bench::now;
namespace theirs = bench::tbb_algorithms;

std::size_t count = 1 << 24;
int turns = 7;

struct Run {
  std::function<void()> prepare, run;
};

double timed(const Run& one) {
  one.prepare();
  cudaDeviceSynchronize();
  const double begin = now();
  one.run();
  cudaDeviceSynchronize();
  return now() - begin;
}

void in_turns(const char* name, const Run& own, const Run& other) {
  timed(own);
  if (theirs::are_there()) timed(other);
  std::vector<double> owns, others;
  for (int turn = 0; turn < turns; ++turn) {
    owns.push_back(timed(own));
    if (theirs::are_there()) others.push_back(timed(other));
  }
  if (others.empty())
    std::printf("| %s | %.2f | - | - |\n", name, median(owns) * 1e3);
  else
    std::printf("| %s | %.2f | %.2f | %.2f |\n", name, median(owns) * 1e3, median(others) * 1e3,
                median(others) / median(owns));
  std::fflush(stdout);
}

void require(bool holds, const char* what) {
  if (holds || !theirs::are_there()) return;
  std::fprintf(stderr, "%s: the results differ\n", what);
  std::exit(1);
}

template <typename T>
std::vector<T> random_numbers() {
  std::mt19937_64 next(1);
  std::vector<T> numbers(count);
  for (T& one : numbers) {
    if constexpr (std::is_integral_v<T>)
      one = static_cast<T>(next());
    else
      one = static_cast<T>(next() >> 40) / T(1 << 24) - T(0.5);
  }
  return numbers;
}

template <typename T>
std::vector<T> on_host(const thrust::device_vector<T>& numbers) {
  std::vector<T> copy(numbers.size());
  thrust::copy(numbers.begin(), numbers.end(), copy.begin());
  return copy;
}

template <typename T>
void sort(const char* name) {
  const std::vector<T> numbers = random_numbers<T>();
  const thrust::device_vector<T> given(numbers.begin(), numbers.end());
  thrust::device_vector<T> own(count);
  std::vector<T> other(count);
  in_turns(name,
           {[&] { thrust::copy(given.begin(), given.end(), own.begin()); },
            [&] { thrust::sort(own.begin(), own.end()); }},
           {[&] { other = numbers; }, [&] { theirs::sort(other.data(), count); }});
  require(on_host(own) == other, name);
}

template <typename T>
void reduce(const char* name, double tolerance) {
  const std::vector<T> numbers = random_numbers<T>();
  const thrust::device_vector<T> given(numbers.begin(), numbers.end());
  T own{}, other{};
  in_turns(name, {[] {}, [&] { own = thrust::reduce(given.begin(), given.end()); }},
           {[] {}, [&] { other = theirs::sum(numbers.data(), count); }});
  require(std::abs(static_cast<double>(own) - static_cast<double>(other)) <= tolerance, name);
}

void scan(const char* name) {
  const std::vector<int> numbers = random_numbers<int>();
  const thrust::device_vector<int> given(numbers.begin(), numbers.end());
  thrust::device_vector<int> own(count);
  std::vector<int> other(count);
  in_turns(name, {[] {}, [&] { thrust::inclusive_scan(given.begin(), given.end(), own.begin()); }},
           {[] {}, [&] { theirs::inclusive_sums(numbers.data(), other.data(), count); }});
  require(on_host(own) == other, name);
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count > 1) count = std::strtoull(arguments[1], nullptr, 10);
  if (argument_count > 2) turns = std::atoi(arguments[2]);
  if (count == 0 || turns < 1) {
    std::fprintf(stderr, "usage: thrust [COUNT [TURNS]]\n");
    return 2;
  }
  const char* const threads = std::getenv("GRIDSPAN_THREADS");
  theirs::use_threads(threads ? std::atoi(threads) : 0);
  if (!theirs::are_there()) std::printf("no TBB: own times only\n");
  std::printf("| %zu numbers | ms | TBB, ms | ratio |\n| --- | --- | --- | --- |\n", count);
  sort<std::int32_t>("sort of int");
  sort<float>("sort of float");
  sort<std::uint64_t>("sort of uint64_t");
  reduce<std::int32_t>("reduce of int", 0);
  reduce<float>("reduce of float", 1e-4 * static_cast<double>(count));
  scan("inclusive_scan of int");
}
