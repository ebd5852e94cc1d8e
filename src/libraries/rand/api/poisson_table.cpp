// The tables, and the functions that hand them to programs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/poisson_table.h"

#include "gridspan/rand_distribution.h"
#include "libraries/rand/api/checks.h"
#include "libraries/rand/kernels/generate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace gridspan::libraries::rand {

namespace {

/// The first number whose sum reaches each part of [0, 1), and the last number of all.
std::vector<unsigned int> guide_of(const std::vector<double>& sums) {
  std::vector<unsigned int> guide;
  const auto last = sums.end() - 1;
  for (int part = 0; part < guide_parts; ++part)
    guide.push_back(static_cast<unsigned int>(
        std::lower_bound(sums.begin(), last, static_cast<double>(part) / guide_parts) -
        sums.begin()));
  guide.push_back(static_cast<unsigned int>(last - sums.begin()));
  return guide;
}

}  // namespace

bool make_poisson_table(double mean, DeviceArray& table) {
  const double deviation = std::sqrt(mean);
  const double first = std::max(0.0, std::floor(mean - 8 * deviation));
  const double last = std::floor(mean + 12 * deviation + 30);
  curandDiscreteDistribution_st head{};
  head.shift = static_cast<unsigned int>(first);
  head.length = static_cast<unsigned int>(last - first) + 1;
  std::vector<double> sums;
  double sum = 0;
  for (double k = first; k <= last; k += 1)
    sums.push_back(sum += std::exp(k * std::log(mean) - mean - std::lgamma(k + 1)));
  const std::size_t start = offsetof(curandDiscreteDistribution_st, sums);
  const std::vector<unsigned int> guide = guide_of(sums);
  const std::size_t end = start + sums.size() * sizeof(double);
  std::vector<std::byte> bytes(end + guide.size() * sizeof(unsigned int));
  std::memcpy(bytes.data(), &head, start);
  std::memcpy(bytes.data() + start, sums.data(), sums.size() * sizeof(double));
  std::memcpy(bytes.data() + end, guide.data(), guide.size() * sizeof(unsigned int));
  return table.make_copy(bytes.data(), bytes.size());
}

namespace {

/// The tables that programs have, by their places in device memory. Never destroyed: a program's
/// destructors may give them back after ours ran.
struct Distributions {
  std::mutex lock;
  std::unordered_map<const void*, std::unique_ptr<DeviceArray>> tables;
};
Distributions& distributions() {
  static auto& all = *new Distributions;
  return all;
}

}  // namespace
}  // namespace gridspan::libraries::rand

namespace rand_library = gridspan::libraries::rand;

extern "C" {

curandStatus_t curandCreatePoissonDistribution(double lambda,
                                               curandDiscreteDistribution_t* distribution) {
  using namespace rand_library;  // NOLINT(google-build-using-namespace)
  Check check(__func__);
  check.given(distribution, "discrete_distribution")
      .that(lambda > 0, "lambda", CURAND_STATUS_OUT_OF_RANGE, "is not more than 0")
      .that(!(lambda > largest_table_mean), "lambda", CURAND_STATUS_OUT_OF_RANGE, "is too large");
  if (check.failed()) return check.status();
  auto table = std::make_unique<gridspan::libraries::DeviceArray>();
  if (!make_poisson_table(lambda, *table)) return CURAND_STATUS_ALLOCATION_FAILED;
  *distribution = table->as<curandDiscreteDistribution_st>();
  const std::scoped_lock lock(distributions().lock);
  distributions().tables.emplace(*distribution, std::move(table));
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  using namespace rand_library;  // NOLINT(google-build-using-namespace)
  const std::scoped_lock lock(distributions().lock);
  return distributions().tables.erase(distribution) > 0
             ? CURAND_STATUS_SUCCESS
             : Check(__func__).no_object(distribution, "discrete_distribution",
                                         CURAND_STATUS_NOT_INITIALIZED);
}

}  // extern "C"
