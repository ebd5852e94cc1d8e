// MT19937: its streams, how their numbers are dealt, and how its kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// M. Matsumoto, T. Nishimura, Mersenne Twister, 1998: word n + 624 of a sequence follows from words
// n, n + 1 and n + 397; a number is a tempered word. As NVIDIA's library was found to have them,
// there are 8192 streams of one sequence, each beginning 2^2048 numbers after the one before, and
// numbers are dealt in rounds: eight of each stream.
//
// High bits. The highest bits of 19937 words, one behind the other, tell all of a state, and its
// bits at any distance are sums of them: for a polynomial P = x^distance modulo the characteristic
// one, bit n there is the sum of all bits n + i for which P has x^i. Here is bit n in word n / 32,
// at n % 32 from the lowest.
#pragma once

#include "libraries/rand/kernels/generate.h"

#include <cstddef>
#include <cstdint>

namespace gridspan::libraries::rand::mt19937 {

constexpr int degree = 19937;
constexpr int words = 624;  // of a state, of its high bits, and of a polynomial
constexpr std::uint32_t twist = 0x9908B0DF;

constexpr int streams = 8192;
constexpr int together = 8;
constexpr int round = streams * together;
constexpr int rounds = words / together;  // of a period: all words of a state
constexpr int period = rounds * round;

/// A row has a word of all streams. Rows that a power of two parts would share sets of a cache.
constexpr int row = streams + 16;
constexpr std::size_t state_bytes = std::size_t{4} * words * row;

// --- jumps: sequences of high bits lie one behind the other

/// Words of a block's products: its threads but one.
constexpr int tile = 63;
constexpr int whole_tiles(int count) { return (count + tile - 1) / tile * tile; }
/// Columns of the table of a sequence, of which products of `count` words are taken: product w
/// needs those from w to w + 624.
constexpr int columns_of(int count) { return whole_tiles(count) + words; }
/// A table has all sums of four shifted sequences, and all of the next four.
constexpr int table_rows = 32;

/// The tables of `count` sequences, each of `columns` + 1 words.
cudaError_t launch_tables(const std::uint32_t* sequences, int count, int columns,
                          std::uint32_t* tables, cudaStream_t stream);

/// Products of `each` polynomials with a sequence, then with the next one, and so on: `count` of
/// them from number `first` on. The first of `tables` is that of product `first`.
struct Products {
  const std::uint32_t* tables;
  const std::uint32_t* polynomials;
  int each, first, count;
};
/// The first `length` words of every product.
cudaError_t launch_products(Products products, int length, std::uint32_t* sequences,
                            cudaStream_t stream);

/// The states of `count` streams from `first` on, from their high bits, which are overwritten.
cudaError_t launch_states(std::uint32_t* high_bits, int first, int count, std::uint32_t* states,
                          cudaStream_t stream);

// --- numbers

/// The next 624 words of `count` streams from `first` on.
cudaError_t launch_turn(std::uint32_t* states, int first, int count, cudaStream_t stream);

/// `count` numbers from place `start` of the period on; `done` numbers of the request are there.
cudaError_t launch_draw(const std::uint32_t* states, int start, int count, std::int64_t done,
                        const Request& request, cudaStream_t stream);

}  // namespace gridspan::libraries::rand::mt19937
