// Random numbers into an array, as kernels: how they are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit is what a generator gives at once: one number, or the two of a pair, or Philox's four. A
// lane is a subsequence; units go round the lanes in turn.
#pragma once

#include <curand.h>

#include <cstdint>

namespace gridspan::libraries::rand {

enum class Kind {
  bits,
  long_bits,
  uniform,
  uniform_double,
  normal,
  normal_double,
  log_normal,
  log_normal_double,
  poisson,
};

/// The guide behind the sums of a table of Poisson's distribution: for each of so many parts of
/// [0, 1) the number that its first u is answered with, and the table's last number.
constexpr int guide_parts = 1024;

/// What is asked for. `a` and `b` are the mean and the deviation of normal numbers, or `a` is the
/// mean of Poisson's; `table` is in device memory, and null where the mean is too large for one.
struct Request {
  Kind kind = Kind::bits;
  void* numbers = nullptr;
  std::int64_t count = 0;
  double a = 0, b = 0;
  curandDiscreteDistribution_t table = nullptr;
};

// --- XORWOW, MRG32k3a: the state of each lane is in memory

enum class Recurrence { xorwow, mrg32k3a };

std::int64_t state_bytes(Recurrence recurrence);
/// Numbers of a unit: 2 of normal numbers, else 1.
int unit_of(Kind kind);
/// The states of all lanes, from `offset` numbers on: lane offset % lanes is next. `own_seeds`: a
/// seed for each lane, not a subsequence.
cudaError_t launch_start(Recurrence recurrence, void* states, int lanes, std::uint64_t seed,
                         std::uint64_t offset, bool own_seeds, cudaStream_t stream);
/// Units from lane `first` on; whole ones. The states go on.
cudaError_t launch_recurrence(Recurrence recurrence, void* states, int lanes, int first,
                              const Request& request, cudaStream_t stream);

// --- Philox: every unit from its place alone

constexpr int philox_lanes = 65536;

struct PhiloxPlace {
  std::uint64_t seed = 0;
  std::uint64_t level = 0;  // numbers of every lane that are used up,
  int ahead = 0;            // and four more of the lanes below this one
  int first = 0;            // the lane of unit 0
  std::int64_t units = 0;   // since then
  int part = 0;             // numbers of the next unit that have been given
  int taken = 0;            // numbers that a unit took of its lane
};

/// The place goes on.
cudaError_t launch_philox(PhiloxPlace& place, const Request& request, cudaStream_t stream);

// --- Sobol: every number from its place alone

/// In device memory: the vectors of all dimensions, one dimension behind the other; their
/// scrambling constants, or null.
template <typename Word>
struct SobolVectors {
  const Word* vectors = nullptr;
  const Word* starts = nullptr;
};

/// request.count / dimensions points from `offset` on: the numbers of the first dimension, those of
/// the second, and so on.
template <typename Word>
cudaError_t launch_sobol(SobolVectors<Word> sequence, int dimensions, std::uint64_t offset,
                         const Request& request, cudaStream_t stream);

}  // namespace gridspan::libraries::rand
