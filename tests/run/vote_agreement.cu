// Which lanes have the same number, told by a ballot for each bit: one warp operation where a
// kernel is cut into regions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | lanes with equal numbers found by ballots of their bits, in CUDA and in inline PTX, also in warps that are not full
#include "check.h"

#include <random>
#include <vector>

template <int bits>
__device__ unsigned by_ballots(unsigned number) {
  unsigned same = 0xffffffffu;
#pragma unroll
  for (int bit = 0; bit < bits; ++bit) {
    const bool is_set = number >> bit & 1;
    const unsigned yes = __ballot_sync(0xffffffffu, is_set);
    same &= is_set ? yes : ~yes;
  }
  return same;
}

/// As CUB does.
template <int bits>
__device__ unsigned by_ptx(unsigned number) {
  unsigned same = 0;
#pragma unroll
  for (int bit = 0; bit < bits; ++bit) {
    unsigned mask;
    const unsigned current = 1u << bit;
    asm("{\n"
        "  .reg .pred p;\n"
        "  and.b32 %0, %1, %2;\n"
        "  setp.eq.u32 p, %0, %2;\n"
        "  vote.ballot.sync.b32 %0, p, 0xffffffff;\n"
        "  @!p not.b32 %0, %0;\n"
        "}\n"
        : "=r"(mask)
        : "r"(number), "r"(current));
    same = bit == 0 ? mask : same & mask;
  }
  return same;
}

/// Of numbers that have no bits in common, and with a ballot that is looked at by itself.
__device__ unsigned mixed(unsigned number, unsigned* yes) {
  unsigned same = 0xffffffffu;
  const bool odd = number % 2 == 1, three = number % 3 == 0, large = number > 77;
  const unsigned first = __ballot_sync(0xffffffffu, odd);
  const unsigned second = __ballot_sync(0xffffffffu, three);
  const unsigned third = __ballot_sync(0xffffffffu, large);
  *yes = second;
  same &= odd ? first : ~first;
  same &= large ? third : ~third;
  return same;
}

/// Warps that `wanted` names; nothing says that its lanes come together, so the kernel is cut.
template <class Find>
__global__ void find(const unsigned* numbers, const int* wanted, unsigned* out, int rounds,
                     Find how) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  if (wanted[blockIdx.x * 8 + threadIdx.x / 32]) {
    for (int r = 0; r < rounds; ++r) out[r * all + t] = how(numbers[r * all + t]);
  }
}

struct Ballots {
  __device__ unsigned operator()(unsigned x) const { return by_ballots<8>(x); }
};
struct Ptx {
  __device__ unsigned operator()(unsigned x) const { return by_ptx<7>(x); }
};
struct TwoBits {
  __device__ unsigned operator()(unsigned x) const { return by_ballots<2>(x) * by_ptx<1>(x / 4); }
};
struct Mixed {
  __device__ unsigned operator()(unsigned x) const {
    unsigned yes;
    const unsigned same = mixed(x, &yes);
    return same + yes * 3;
  }
};

/// The numbers of a warp, as far as there are threads.
struct Warp {
  const unsigned* number;
  int lanes;
  template <class Has>
  unsigned ballot(Has has) const {
    unsigned yes = 0;
    for (int lane = 0; lane < lanes; ++lane) yes |= unsigned{has(number[lane])} << lane;
    return yes;
  }
  template <class Has>
  unsigned agree(int lane, Has has) const {
    return has(number[lane]) ? ballot(has) : ~ballot(has);
  }
  unsigned same_bits(int lane, int bits, int shift = 0) const {
    unsigned same = 0xffffffffu;
    for (int bit = 0; bit < bits; ++bit)
      same &= agree(lane, [&](unsigned x) { return (x >> shift >> bit & 1) != 0; });
    return same;
  }
};

template <class Find, class Reference>
static void test(Find how, Reference reference, int blocks, int threads, unsigned most) {
  constexpr int rounds = 3;
  const int all = blocks * threads;
  std::mt19937 generator(threads * 31 + blocks);
  std::vector<unsigned> numbers(rounds * all);
  for (unsigned& one : numbers) one = generator() % most;
  std::vector<int> wanted(blocks * 8);
  for (int& one : wanted) one = generator() % 3 != 0;
  unsigned *given, *out;
  int* warps;
  CUDA_OK(cudaMalloc(&given, numbers.size() * sizeof(unsigned)));
  CUDA_OK(cudaMalloc(&out, numbers.size() * sizeof(unsigned)));
  CUDA_OK(cudaMalloc(&warps, wanted.size() * sizeof(int)));
  CUDA_OK(cudaMemset(out, 0xa5, numbers.size() * sizeof(unsigned)));
  CUDA_OK(
      cudaMemcpy(given, numbers.data(), numbers.size() * sizeof(unsigned), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(warps, wanted.data(), wanted.size() * sizeof(int), cudaMemcpyHostToDevice));
  find<<<blocks, threads>>>(given, warps, out, rounds, how);
  CUDA_OK(cudaDeviceSynchronize());
  std::vector<unsigned> got(numbers.size());
  CUDA_OK(cudaMemcpy(got.data(), out, got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost));
  for (int r = 0; r < rounds; ++r) {
    for (int t = 0; t < all; ++t) {
      const int in_block = t % threads, first = t - in_block % 32;
      const Warp warp{&numbers[r * all + first], std::min(32, threads - in_block / 32 * 32)};
      const bool is_wanted = wanted[t / threads * 8 + in_block / 32];
      CHECK_EQ(got[r * all + t], is_wanted ? reference(warp, in_block % 32) : 0xa5a5a5a5u);
    }
  }
  CUDA_OK(cudaFree(given));
  CUDA_OK(cudaFree(out));
  CUDA_OK(cudaFree(warps));
}

int main() {
  for (const int threads : {32, 64, 45, 256, 1, 131}) {
    for (const unsigned most : {1u, 5u, 256u, 1000u}) {
      test(
          Ballots{}, [](const Warp& warp, int lane) { return warp.same_bits(lane, 8); }, 3, threads,
          most);
      test(
          Ptx{}, [](const Warp& warp, int lane) { return warp.same_bits(lane, 7); }, 2, threads,
          most);
      test(
          TwoBits{},
          [](const Warp& warp, int lane) {
            return warp.same_bits(lane, 2) * warp.same_bits(lane, 1, 2);
          },
          1, threads, most);
      test(
          Mixed{},
          [](const Warp& warp, int lane) {
            const unsigned same = warp.agree(lane, [](unsigned x) { return x % 2 == 1; }) &
                                  warp.agree(lane, [](unsigned x) { return x > 77; });
            return same + 3 * warp.ballot([](unsigned x) { return x % 3 == 0; });
          },
          1, threads, most);
    }
  }
  return check::finish();
}
