// MT19937: streams are made when their numbers are first asked for, batch by batch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/rand/api/mt19937.h"

#include "libraries/rand/api/mt19937_polynomials.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gridspan::libraries::rand::mt19937 {
namespace {

constexpr int batch = 8 * group;

/// Words of a sequence of which products of `count` words are taken.
constexpr int length_of(int count) { return columns_of(count) + 1; }
constexpr int group_length = length_of(words);
constexpr int first_length = length_of(group_length);

/// The high bits of a seed's sequence.
std::vector<std::uint32_t> high_bits_of(std::uint32_t seed) {
  std::array<std::uint32_t, words> state;
  for (int n = 0; n < words; ++n) {
    state[n] = seed;
    seed = 1812433253 * (seed ^ seed >> 30) + static_cast<std::uint32_t>(n) + 1;
  }
  std::vector<std::uint32_t> bits(first_length);
  for (int n = 0; n < 32 * first_length; ++n) {
    std::uint32_t& word = state[n % words];
    bits[n / 32] |= word >> 31 << n % 32;
    const std::uint32_t y = (word & 0x80000000) | (state[(n + 1) % words] & 0x7FFFFFFF);
    word = state[(n + 397) % words] ^ y >> 1 ^ (y % 2 != 0 ? twist : 0);
  }
  return bits;
}

bool make_arrays(Place& place) {
  if (place.states.as<void>()) return true;
  const auto make = [](DeviceArray& array, std::size_t count) { return array.make(4 * count); };
  constexpr std::size_t groups = batch / group, rows = table_rows;
  const std::vector<std::uint32_t>& jumps = polynomials();
  return place.polynomials.make_copy(jumps.data(), 4 * jumps.size()) &&
         make(place.first_table, rows * columns_of(group_length)) &&
         make(place.sequences, groups * group_length) &&
         make(place.tables, groups * rows * columns_of(words)) &&
         make(place.high_bits, std::size_t{batch} * words) && place.states.make(state_bytes);
}

/// Streams from `first` to `last`, of one batch: the sequences of their groups' first streams,
/// their own high bits, their states.
cudaError_t make_batch(const Place& place, int first, int last, cudaStream_t stream) {
  const int first_group = first / group, groups = (last - 1) / group - first_group + 1;
  const auto* const polynomials = place.polynomials.as<const std::uint32_t>();
  const Products starts = {place.first_table.as<const std::uint32_t>(), polynomials + group * words,
                           streams / group, first_group, groups};
  const Products own = {place.tables.as<const std::uint32_t>(), polynomials, group, first,
                        last - first};
  auto* const sequences = place.sequences.as<std::uint32_t>();
  auto* const high_bits = place.high_bits.as<std::uint32_t>();
  auto* const states = place.states.as<std::uint32_t>();
  cudaError_t error = launch_products(starts, group_length, sequences, stream);
  if (error == cudaSuccess)
    error = launch_tables(sequences, groups, columns_of(words), place.tables.as<std::uint32_t>(),
                          stream);
  if (error == cudaSuccess) error = launch_products(own, words, high_bits, stream);
  if (error == cudaSuccess) error = launch_states(high_bits, first, last - first, states, stream);
  if (error == cudaSuccess) error = launch_turn(states, first, last - first, stream);
  return error;
}

/// A graph would make or turn states when it is launched, however often, and not now.
bool is_captured(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  return cudaStreamIsCapturing(stream, &status) != cudaSuccess ||
         status != cudaStreamCaptureStatusNone;
}

cudaError_t make_streams(Place& place, int needed, cudaStream_t stream) {
  if (place.made < needed && is_captured(stream)) return cudaErrorStreamCaptureUnsupported;
  while (place.made < needed) {
    const int last = std::min(needed, (place.made / batch + 1) * batch);
    const cudaError_t error = make_batch(place, place.made, last, stream);
    if (error != cudaSuccess) return error;
    place.made = last;
  }
  return cudaSuccess;
}

/// The states have all numbers of the next one's period that lie before `end` in it.
cudaError_t reach(Place& place, int end, cudaStream_t stream) {
  const std::int64_t period_of_next = place.next / period;
  if (place.period != period_of_next) {  // that it came so far means that there are all streams
    if (is_captured(stream)) return cudaErrorStreamCaptureUnsupported;
    const cudaError_t error = launch_turn(place.states.as<std::uint32_t>(), 0, streams, stream);
    if (error != cudaSuccess) return error;
    place.period = period_of_next;
  }
  const int some = 16, asked = end < round ? (end + together - 1) / together : streams;
  return make_streams(place, (asked + some - 1) / some * some, stream);
}

}  // namespace

curandStatus_t start(Place& place, std::uint32_t seed, cudaStream_t stream) {
  if (!make_arrays(place)) return CURAND_STATUS_ALLOCATION_FAILED;
  place.made = 0;
  place.next = place.period = 0;
  const std::vector<std::uint32_t> bits = high_bits_of(seed);
  auto* const sequence = place.sequences.as<std::uint32_t>();
  static_assert(first_length <= batch / group * group_length);
  // Not in a capture: both calls are refused there. Another seed's streams may be in the making.
  cudaError_t error = cudaStreamSynchronize(stream);
  if (error == cudaSuccess)
    error = cudaMemcpy(sequence, bits.data(), 4 * bits.size(), cudaMemcpyHostToDevice);
  if (error == cudaSuccess)
    error = launch_tables(sequence, 1, columns_of(group_length),
                          place.first_table.as<std::uint32_t>(), stream);
  return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_INITIALIZATION_FAILED;
}

curandStatus_t make_all(Place& place, cudaStream_t stream) {
  return make_streams(place, streams, stream) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                             : CURAND_STATUS_INITIALIZATION_FAILED;
}

cudaError_t draw(Place& place, const Request& request, cudaStream_t stream) {
  for (std::int64_t done = 0; done < request.count;) {
    const int begin = static_cast<int>(place.next % period);
    const int here = static_cast<int>(std::min<std::int64_t>(request.count - done, period - begin));
    cudaError_t error = reach(place, begin + here, stream);
    if (error == cudaSuccess)
      error =
          launch_draw(place.states.as<const std::uint32_t>(), begin, here, done, request, stream);
    if (error != cudaSuccess) return error;
    done += here;
    place.next += here;
  }
  return cudaSuccess;
}

}  // namespace gridspan::libraries::rand::mt19937
