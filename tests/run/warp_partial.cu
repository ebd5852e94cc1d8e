// Warp operations where not all 32 lanes take part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | partial masks; divergent halves each with their own shuffle
// FEATURE: Warp operations | the last warp of a block that is no multiple of 32; lanes that returned
// FEATURE: Warp operations | in divergent loops with shrinking masks
#include "check.h"

#include <algorithm>

// Each half of the warp shuffles with itself, by different instructions.
__global__ void halves(const int* in, int* out) {
  const int t = check::thread_index(), lane = t % 32;
  const int i = blockIdx.x * check::thread_count() + t;
  int value = in[i];
  if (lane < 16) {
    value += __shfl_xor_sync(0x0000ffffu, value, 5);
    value = __shfl_down_sync(0x0000ffffu, value, 3, 16);
  } else {
    value = __shfl_sync(0xffff0000u, value * 2, 16 + (lane + 1) % 16);
  }
  __syncwarp();
  out[i] = value + __shfl_xor_sync(0xffffffffu, value, 16);
}

// Every third lane has a party of its own; the three meet again at __syncwarp.
__global__ void thirds(int* out) {
  const int t = check::thread_index(), lane = t % 32;
  const unsigned masks[3] = {0x49249249u, 0x92492492u, 0x24924924u};
  int value = lane, sum = 0;
  if (lane % 3 == 0) {
    for (int k = 0; k < 2; ++k) sum += __shfl_sync(masks[0], value + k, 30 - 3 * k);
  } else if (lane % 3 == 1) {
    sum = __popc(__ballot_sync(masks[1], lane > 10));
  } else {
    sum = __any_sync(masks[2], lane == 29) * 100 + __all_sync(masks[2], lane < 29) * 1000;
  }
  __syncwarp();
  out[blockIdx.x * check::thread_count() + t] = sum;
}

// The mask differs from lane group to lane group although the instruction is the same one.
__global__ void groups_of_eight(const int* in, int* out) {
  const int t = check::thread_index(), lane = t % 32;
  const unsigned mask = 0xffu << (lane / 8 * 8);
  int value = in[t];
  for (int offset = 4; offset > 0; offset /= 2) value += __shfl_down_sync(mask, value, offset, 8);
  out[t] = __shfl_sync(mask, value, 0, 8);
}

// Blocks that end within a warp: the mask comes from a ballot, or names lanes that are not there.
__global__ void ragged(const int* in, int* sums, unsigned* ballots, int n) {
  const int t = check::thread_index(), lane = t % 32, count = check::thread_count();
  const unsigned present = __ballot_sync(0xffffffffu, 1);
  ballots[t] = present;
  int value = in[t];
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(0xffffffffu, value, offset);
    if (lane + offset < min(32, count - (t - lane))) value += other;
  }
  sums[t] = __shfl_sync(present, value, 0);
}

// Lanes beyond n have returned; the rest goes on with the full mask, as much real code does.
__global__ void after_return(const int* in, int* out, int n) {
  const int t = check::thread_index(), lane = t % 32;
  if (t >= n) return;
  const int up = __shfl_up_sync(0xffffffffu, in[t], 1);
  const int first = __shfl_sync(0xffffffffu, in[t], 0);
  out[t] = (lane > 0 ? up : -5) * 3 + first + __popc(__ballot_sync(0xffffffffu, in[t] & 1)) * 1000;
}

// The same in a loop behind other warp operations.
__global__ void rounds_after_return(const int* in, int* out, int n, int rounds) {
  const int t = check::thread_index(), lane = t % 32;
  if (t >= n) return;
  int value = in[t] + __popc(__ballot_sync(0xffffffffu, in[t] & 2));
  for (int i = 0; i < rounds; ++i) {
    const int up = __shfl_up_sync(0xffffffffu, value, 1);
    if (lane > 0) value += up % 100 + i;
    if (__any_sync(0xffffffffu, value % 7 == i)) value ^= 1;
  }
  out[t] = value;
}

// Lane L makes L rounds; round i is joined by the lanes above i.
__global__ void shrinking(int* out) {
  const int t = check::thread_index(), lane = t % 32;
  int value = lane * 3 + 1;
  for (int i = 0; i < lane; ++i) {
    const unsigned mask = 0xffffffffu << (i + 1);
    value += __shfl_sync(mask, value + i, i + 1);
    value ^= __any_sync(mask, value % 7 == 3) ? 1 : 0;
  }
  out[t] = value;
}

// Even and odd lanes take loops of different length that contain warp operations.
__global__ void different_loops(int* out) {
  const int t = check::thread_index(), lane = t % 32;
  int value = lane;
  if (lane % 2 == 0) {
    for (int i = 0; i < 5; ++i) value += __shfl_xor_sync(0x55555555u, value, 2 << (i % 3));
  } else {
    int i = 0;
    do {
      value += __shfl_sync(0xaaaaaaaau, value, (lane + 2 * i + 2) % 32);
      if (__all_sync(0xaaaaaaaau, value > 100)) break;
    } while (++i < 50);
    value += i * 100000;
  }
  __syncwarp();
  out[t] = value + __shfl_down_sync(0xffffffffu, value, 1, 2);
}

/// What rounds_after_return leaves.
static std::vector<int> rounds_of(const std::vector<int>& in, int alive, int rounds) {
  const int n = static_cast<int>(in.size());
  std::vector<int> out(n, -9);
  for (int first = 0; first < alive; first += 32) {
    const int end = std::min(first + 32, alive);
    int votes = 0;
    for (int t = first; t < end; ++t) votes += (in[t] & 2) != 0;
    for (int t = first; t < end; ++t) out[t] = in[t] + votes;
    for (int i = 0; i < rounds; ++i) {
      for (int t = end - 1; t > first; --t) out[t] += out[t - 1] % 100 + i;
      bool any = false;
      for (int t = first; t < end; ++t) any = any || out[t] % 7 == i;
      for (int t = first; t < end; ++t) out[t] ^= any;
    }
  }
  return out;
}

int main() {
  check::Random random(23);
  {
    const auto in = random.integers<int>(192, 0, 1000);
    check::Array<int> source(in), out(192);
    halves<<<2, 96>>>(source.data(), out.data());
    std::vector<int> want(192), value(32);
    for (int w = 0; w < 6; ++w) {
      const int* v = &in[w * 32];
      for (int lane = 0; lane < 16; ++lane) {
        const int from = lane + 3 < 16 ? lane + 3 : lane;
        value[lane] = v[from] + v[from ^ 5];
      }
      for (int lane = 16; lane < 32; ++lane) value[lane] = v[16 + (lane + 1) % 16] * 2;
      for (int lane = 0; lane < 32; ++lane) want[w * 32 + lane] = value[lane] + value[lane ^ 16];
    }
    check::equal("halves", out.get(), want);
  }
  {
    check::Array<int> out(128);
    thirds<<<2, 64>>>(out.data());
    std::vector<int> want(128);
    for (int i = 0; i < 128; ++i) {
      const int lane = i % 32;
      if (lane % 3 == 0) want[i] = 30 + 28;
      if (lane % 3 == 1) want[i] = 7;  // 13 16 19 22 25 28 31
      if (lane % 3 == 2) want[i] = 100;
    }
    check::equal("thirds", out.get(), want);
  }
  {
    const auto in = random.integers<int>(256, -1000, 1000);
    check::Array<int> source(in), out(256);
    groups_of_eight<<<1, 256>>>(source.data(), out.data());
    std::vector<int> want(256);
    for (int i = 0; i < 256; ++i)
      for (int k = 0; k < 8; ++k) want[i] += in[i / 8 * 8 + k];
    check::equal("groups_of_eight", out.get(), want);
  }
  for (dim3 block : check::block_shapes()) {
    const int n = check::volume(block);
    const auto in = random.integers<int>(n, -1000, 1000);
    check::Array<int> source(in), sums(n);
    check::Array<unsigned> ballots(n);
    ragged<<<1, block>>>(source.data(), sums.data(), ballots.data(), n);
    std::vector<int> want(n, 0);
    std::vector<unsigned> want_ballots(n);
    for (int t = 0; t < n; ++t) {
      const int first = t / 32 * 32, end = first + 32 < n ? first + 32 : n;
      for (int u = first; u < end; ++u) want[t] += in[u];
      want_ballots[t] = end - first == 32 ? 0xffffffffu : (1u << (end - first)) - 1;
    }
    check::equal(check::name("ragged sums", block), sums.get(), want);
    check::equal(check::name("ragged ballots", block), ballots.get(), want_ballots);

    for (const int alive : {n * 3 / 4 + 1 < n ? n * 3 / 4 + 1 : n, n}) {
      check::Array<int> out(std::vector<int>(n, -9));
      after_return<<<1, block>>>(source.data(), out.data(), alive);
      for (int t = 0; t < n; ++t) {
        const int first = t / 32 * 32;
        int odd = 0;
        for (int u = first; u < alive && u < first + 32; ++u) odd += in[u] & 1;
        want[t] = t >= alive ? -9 : (t > first ? in[t - 1] : -5) * 3 + in[first] + odd * 1000;
      }
      check::equal(check::name("after_return", block), out.get(), want);
      check::Array<int> again(std::vector<int>(n, -9));
      rounds_after_return<<<1, block>>>(source.data(), again.data(), alive, 5);
      check::equal(check::name("rounds_after_return", block), again.get(), rounds_of(in, alive, 5));
    }
  }
  {
    check::Array<int> out(64);
    shrinking<<<1, 64>>>(out.data());
    std::vector<int> value(32), want(64);
    for (int lane = 0; lane < 32; ++lane) value[lane] = lane * 3 + 1;
    for (int i = 0; i < 31; ++i) {
      const int sent = value[i + 1] + i;
      bool any = false;
      for (int lane = i + 1; lane < 32; ++lane) {
        value[lane] += sent;
        any = any || value[lane] % 7 == 3;
      }
      for (int lane = i + 1; lane < 32; ++lane) value[lane] ^= any;
    }
    for (int t = 0; t < 64; ++t) want[t] = value[t % 32];
    check::equal("shrinking", out.get(), want);
  }
  {
    check::Array<int> out(96);
    different_loops<<<1, 96>>>(out.data());
    std::vector<int> value(32), next(32), want(96);
    for (int lane = 0; lane < 32; ++lane) value[lane] = lane;
    for (int i = 0; i < 5; ++i) {
      next = value;
      for (int lane = 0; lane < 32; lane += 2) next[lane] += value[lane ^ (2 << (i % 3))];
      value = next;
    }
    int i = 0;
    do {
      next = value;
      bool all = true;
      for (int lane = 1; lane < 32; lane += 2) {
        next[lane] += value[(lane + 2 * i + 2) % 32];
        all = all && next[lane] > 100;
      }
      value = next;
      if (all) break;
    } while (++i < 50);
    for (int lane = 1; lane < 32; lane += 2) value[lane] += i * 100000;
    for (int t = 0; t < 96; ++t) {
      const int lane = t % 32;
      want[t] = value[lane] + value[lane | 1];
    }
    check::equal("different_loops", out.get(), want);
  }
  return check::finish();
}
