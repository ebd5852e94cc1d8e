// MT19937's streams: the high bits of each are a product, of which its state follows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products by the method of four Russians: for every four bits of a polynomial, the sum of the four
// shifted sequences that they choose is read in a table.
#include "libraries/rand/kernels/mt19937.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::rand::mt19937 {
namespace {

/// 32 bits from bit `shift` on.
__forceinline__ __device__ unsigned bits_at(unsigned low, unsigned high, int shift) {
  return __funnelshift_r(low, high, shift);
}

/// Row v of a table is the sum of the sequences without the first i bits, for all bits i of v. In
/// row 16 + v there are four bits fewer of each.
__global__ void make_tables(const unsigned* sequences, int columns, unsigned* tables) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (column >= columns) return;
  const int which = static_cast<int>(blockIdx.y);
  const unsigned* const sequence = sequences + static_cast<long long>(blockIdx.z) * (columns + 1);
  const unsigned low = sequence[column], high = sequence[column + 1];
  unsigned sum = 0;
  for (int i = 0; i < 4; ++i)
    if (which >> i & 1) sum ^= bits_at(low, high, i + which / 16 * 4);
  tables[(static_cast<long long>(blockIdx.z) * table_rows + which) * columns + column] = sum;
}

/// What a byte of the polynomial chooses in a column.
__forceinline__ __device__ unsigned chosen(const unsigned* column, int columns, unsigned byte) {
  return column[(byte & 15) * columns] ^ column[(16 + (byte >> 4 & 15)) * columns];
}

/// A row of blocks for each product. A thread sums for each byte of a polynomial's words by itself:
/// the sums of bytes 1 to 3 are to be shifted by 8, 16 and 24 bits, with bits of the next thread.
__global__ void multiply(Products products, int columns, int length, unsigned* sequences) {
  __shared__ unsigned sums[3][tile + 1];
  const int thread = static_cast<int>(threadIdx.x), word = blockIdx.x * tile + thread;
  const int product = products.first + static_cast<int>(blockIdx.y);
  const int table = product / products.each - products.first / products.each;
  const unsigned* const polynomial = products.polynomials + product % products.each * words;
  const unsigned* column =
      products.tables + static_cast<long long>(table) * table_rows * columns + word;
  unsigned sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
  for (int place = 0; place < words; ++place, ++column) {
    const unsigned chooses = polynomial[place];
    sum0 ^= chosen(column, columns, chooses);
    sum1 ^= chosen(column, columns, chooses >> 8);
    sum2 ^= chosen(column, columns, chooses >> 16);
    sum3 ^= chosen(column, columns, chooses >> 24);
  }
  sums[0][thread] = sum1;
  sums[1][thread] = sum2;
  sums[2][thread] = sum3;
  __syncthreads();
  if (thread == tile || word >= length) return;
  sequences[static_cast<long long>(blockIdx.y) * length + word] =
      sum0 ^ bits_at(sum1, sums[0][thread + 1], 8) ^ bits_at(sum2, sums[1][thread + 1], 16) ^
      bits_at(sum3, sums[2][thread + 1], 24);
}

__forceinline__ __device__ unsigned bits_from(const unsigned* sequence, int n) {
  return bits_at(sequence[n / 32], sequence[n / 32 + 1], n % 32);
}
__forceinline__ __device__ unsigned bit(const unsigned* sequence, int n) {
  return sequence[n / 32] >> n % 32 & 1;
}

/// A block for each stream, a thread for each word, which takes the place of high bits. Word n +
/// 624 is the sum of word n + 397, of y shifted down by a bit, and of `twist` if y is odd, where y
/// has the highest bit of word n and the others of word n + 1. So all words' bits 31 give bits 0,
/// and with those bits j give bits j + 1. A sequence has 623 bits fewer than the one before; 623 of
/// bits 30 are left, as many as needed.
__global__ void make_words(unsigned* high_bits) {
  // What is read behind a sequence's end makes bits behind the next one's end.
  __shared__ unsigned lowest[words], sequences[2][words];
  const int thread = static_cast<int>(threadIdx.x);
  const int place = static_cast<int>(blockIdx.x) * words + thread;
  sequences[0][thread] = high_bits[place];
  sequences[1][thread] = lowest[thread] = 0;
  __syncthreads();
  unsigned word = bit(sequences[0], thread) << 31;
  // From here on, bit n is of word n + 1. The lower bits of word 0 are no part of the state.
  const int before = thread > 0 ? thread - 1 : 0;
  int length = degree - 624;
  if (thread * 32 < length)
    lowest[thread] = sequences[1][thread] =
        bits_from(sequences[0], thread * 32 + 624) ^ bits_from(sequences[0], thread * 32 + 397);
  __syncthreads();
  for (int j = 0; j < 31; ++j) {
    const unsigned* const now = sequences[(j + 1) % 2];
    word |= bit(now, before) << j;
    length -= 623;
    if (thread * 32 < length)
      sequences[j % 2][thread] = bits_from(now, thread * 32 + 623) ^
                                 bits_from(now, thread * 32 + 396) ^
                                 (twist >> j & 1 ? lowest[thread] : 0);
    __syncthreads();
  }
  high_bits[place] = word;
}

/// A row of blocks for each row of states.
__global__ void make_rows(const unsigned* words_of, int first, int count, unsigned* states) {
  const int place = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int stream = first + place, n = static_cast<int>(blockIdx.y);
  if (place < count && stream < streams) states[n * row + stream] = words_of[place * words + n];
}

}  // namespace

cudaError_t launch_tables(const std::uint32_t* sequences, int count, int columns,
                          std::uint32_t* tables, cudaStream_t stream) {
  constexpr int threads = 128;
  const dim3 blocks((columns + threads - 1) / threads, table_rows, count);
  return start_kernel(make_tables, blocks, dim3(threads), stream, sequences, columns, tables);
}

cudaError_t launch_products(Products products, int length, std::uint32_t* sequences,
                            cudaStream_t stream) {
  const dim3 blocks(whole_tiles(length) / tile, products.count);
  return start_kernel(multiply, blocks, dim3(tile + 1), stream, products, columns_of(length),
                      length, sequences);
}

cudaError_t launch_states(std::uint32_t* high_bits, int first, int count, std::uint32_t* states,
                          cudaStream_t stream) {
  const cudaError_t error = start_kernel(make_words, dim3(count), dim3(words), stream, high_bits);
  if (error != cudaSuccess) return error;
  constexpr int threads = 64;
  return start_kernel(make_rows, dim3((count + threads - 1) / threads, words), dim3(threads),
                      stream, high_bits, first, count, states);
}

}  // namespace gridspan::libraries::rand::mt19937
