// Cooperative groups: blocks, grids and tiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Cooperative groups | thread_block: sync, ranks, sizes, indices, barrier_arrive and barrier_wait; grid_group ranks and sizes
// FEATURE: Cooperative groups | tiled_partition<1 ... 32> of blocks and of tiles: ranks, sync, shfl, shfl_up, shfl_down, shfl_xor, any, all, ballot, match
// FEATURE: Cooperative groups | thread_group, tiled_partition(group, size), this_thread, the functions sync, thread_rank, group_size
// FEATURE: Cooperative groups | values of 1 to 32 bytes shuffled, structs among them
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct Wide {
  double a;
  int b[5];
  char c;
};

__global__ void block_facts(unsigned long long* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  const auto at = (block.group_index().y * gridDim.x + block.group_index().x) * block.size() +
                  block.thread_rank();
  unsigned long long* facts = out + 8 * at;
  facts[0] = block.thread_rank() + 1000 * block.num_threads();
  facts[1] = block.thread_index().x + 100 * block.thread_index().y + 10000 * block.thread_index().z;
  facts[2] = block.group_dim().x + 100 * block.dim_threads().y;
  facts[3] = grid.thread_rank();
  facts[4] = grid.size();
  facts[5] = grid.block_rank() * 1000 + grid.num_blocks();
  facts[6] = cg::thread_rank(block) + cg::group_size(block);
  facts[7] = grid.block_index().y;
}

// Each thread reads what its neighbour wrote before the barrier.
__global__ void block_barriers(int* out) {
  __shared__ int cells[256];
  cg::thread_block block = cg::this_thread_block();
  const unsigned t = block.thread_rank(), n = block.size();
  cells[t] = int(t) * 3;
  block.sync();
  int value = cells[(t + 1) % n];
  cg::sync(block);
  cells[t] = value + 1;
  auto token = block.barrier_arrive();
  value *= 2;
  block.barrier_wait(std::move(token));
  value += cells[(t + 2) % n];
  block.barrier_sync();
  cg::thread_group any = block;
  cells[t] = value;
  any.sync();
  out[blockIdx.x * n + t] = cells[n - 1 - t] + int(any.size() + any.thread_rank());
}

template <unsigned Size>
__global__ void tiles(const int* in, int* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int t = check::thread_index();
  int* facts = out + 12 * t;
  const int value = in[t];
  facts[0] = int(tile.thread_rank() + 100 * tile.size());
  facts[1] = int(tile.meta_group_rank() + 100 * tile.meta_group_size());
  facts[2] = tile.shfl(value, Size / 2);
  facts[3] = tile.shfl_down(value, 1);
  facts[4] = tile.shfl_up(value, 2);
  facts[5] = tile.shfl_xor(value, Size - 1);
  facts[6] = tile.any(value % 5 == 0) + 2 * tile.all(value % 5 != 0);
  facts[7] = int(tile.ballot(value % 2));
  facts[8] = int(tile.match_any(value % 3));
  int equal = -1;
  facts[9] = int(tile.match_all(value / 1000000, equal)) + equal;
  // Values of other sizes.
  const Wide wide = {value * 0.5, {value, 1, 2, 3, value + 4}, char(value)};
  const Wide other = tile.shfl(wide, 0);
  facts[10] = int(other.a * 2) + other.b[0] + other.b[4] + other.c;
  facts[11] = tile.shfl((short)(value), Size - 1) + tile.shfl((unsigned char)(value), 0);
  tile.sync();
}

template <unsigned Size>
std::vector<int> expected_tiles(const std::vector<int>& in) {
  const int n = int(in.size()), size = int(Size);
  std::vector<int> want(12 * n);
  for (int t = 0; t < n; ++t) {
    const int rank = t % size, base = t - rank;
    const int* tile = in.data() + base;
    const auto mask_where = [&](auto holds) {
      unsigned mask = 0;
      for (int r = 0; r < size; ++r) mask |= holds(tile[r]) ? 1u << r : 0u;
      return mask;
    };
    const unsigned all = size == 32 ? ~0u : (1u << size) - 1;
    int* facts = want.data() + 12 * t;
    facts[0] = rank + 100 * size;
    facts[1] = t / size + 100 * (n / size);
    facts[2] = tile[size / 2];
    facts[3] = tile[rank + 1 < size ? rank + 1 : rank];
    facts[4] = tile[rank >= 2 ? rank - 2 : rank];
    facts[5] = tile[size - 1 - rank];
    const unsigned fives = mask_where([](int v) { return v % 5 == 0; });
    facts[6] = (fives != 0) + 2 * (fives == 0);
    facts[7] = int(mask_where([](int v) { return v % 2 != 0; }));
    facts[8] = int(mask_where([&](int v) { return v % 3 == tile[rank] % 3; }));
    const bool equal = mask_where([&](int v) { return v / 1000000 == tile[0] / 1000000; }) == all;
    facts[9] = equal ? int(all) + 1 : 0;
    facts[10] = tile[0] + tile[0] + tile[0] + 4 + char(tile[0]);
    facts[11] = short(tile[size - 1]) + (unsigned char)(tile[0]);
  }
  return want;
}

template <unsigned Size>
void test_tiles(check::Random& random) {
  const auto in = random.integers<int>(192, 0, 2000000);
  check::Array<int> source(in), out(12 * 192);
  tiles<Size><<<1, 192>>>(source.data(), out.data());
  check::equal("tiles of " + std::to_string(Size), out.get(), expected_tiles<Size>(in));
}

// Tiles of tiles, tiles as parameters, tiles that forget their parents.
__device__ int tile_total(cg::thread_block_tile<8> tile, int value) {
  for (unsigned m = tile.size() / 2; m > 0; m /= 2) value += tile.shfl_xor(value, m);
  return value;
}
template <class Group>
__device__ int ranks_of(const Group& group) {
  return int(group.thread_rank() * 100 + group.size());
}
__global__ void nested(int* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const auto eight = cg::tiled_partition<8>(warp);
  const cg::thread_group four = cg::tiled_partition(cg::this_thread_block(), 4);
  const cg::thread_group two = cg::tiled_partition(four, 2);
  const int t = int(threadIdx.x);
  out[5 * t] = tile_total(eight, t);
  out[5 * t + 1] = ranks_of(four);
  out[5 * t + 2] = ranks_of(two);
  out[5 * t + 3] = int(eight.meta_group_rank() * 10 + eight.meta_group_size());
  four.sync();
  out[5 * t + 4] = ranks_of(cg::thread_group(eight));
}

// A group of one, also in threads that the rest of their warp has left.
__global__ void alone(int* out, int n) {
  const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (t >= n || t % 3 == 1) return;
  const cg::thread_group self = cg::this_thread();
  self.sync();
  cg::sync(self);
  out[t] = ranks_of(self) + 10 * int(cg::group_size(self)) + t * 1000;
}

// The usual sum: over tiles, then over their totals.
__global__ void block_sum(const float* in, float* out, int n) {
  __shared__ float totals[32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  float value = 0;
  for (int i = int(block.thread_rank()); i < n; i += int(block.size())) value += in[i];
  for (int d = 16; d > 0; d /= 2) value += warp.shfl_down(value, d);
  if (warp.thread_rank() == 0) totals[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    value = warp.thread_rank() < warp.meta_group_size() ? totals[warp.thread_rank()] : 0;
    for (int d = 16; d > 0; d /= 2) value += warp.shfl_down(value, d);
    if (warp.thread_rank() == 0) *out = value;
  }
}

int main() {
  {
    const int n = 101;
    check::Array<int> out(n);
    alone<<<3, 37>>>(out.data(), n);
    std::vector<int> want(n, int(0xA5A5A5A5));  // as Array fills it
    for (int t = 0; t < n; ++t)
      if (t % 3 != 1) want[t] = 11 + t * 1000;
    check::equal("this_thread", out.get(), want);
  }
  check::Random random(77);
  for (dim3 block : {dim3(5, 3, 2), dim3(64), dim3(1)}) {
    const dim3 grid(3, 2);
    const unsigned n = check::volume(block), total = n * 6;
    check::Array<unsigned long long> out(8 * total);
    block_facts<<<grid, block>>>(out.data());
    std::vector<unsigned long long> want(8 * total);
    for (unsigned b = 0; b < 6; ++b)
      for (unsigned t = 0; t < n; ++t) {
        unsigned long long* facts = want.data() + 8 * (b * n + t);
        facts[0] = t + 1000 * n;
        facts[1] = t % block.x + 100 * (t / block.x % block.y) + 10000 * (t / block.x / block.y);
        facts[2] = block.x + 100 * block.y;
        facts[3] = b * n + t;
        facts[4] = total;
        facts[5] = b * 1000 + 6;
        facts[6] = t + n;
        facts[7] = b / 3;
      }
    check::equal("block facts", out.get(), want);
  }
  for (int n : {1, 31, 64, 250}) {
    check::Array<int> out(3 * n);
    block_barriers<<<3, n>>>(out.data());
    std::vector<int> value(n), want(3 * n);
    for (int t = 0; t < n; ++t) value[t] = (t + 1) % n * 3 * 2 + ((t + 2) % n + 1) % n * 3 + 1;
    for (int i = 0; i < 3 * n; ++i) want[i] = value[n - 1 - i % n] + n + i % n;
    check::equal("block barriers", out.get(), want);
  }
  test_tiles<1>(random);
  test_tiles<2>(random);
  test_tiles<4>(random);
  test_tiles<8>(random);
  test_tiles<16>(random);
  test_tiles<32>(random);
  {
    check::Array<int> out(5 * 96);
    nested<<<1, 96>>>(out.data());
    std::vector<int> want(5 * 96);
    for (int t = 0; t < 96; ++t) {
      want[5 * t] = t / 8 * 8 * 8 + 28;
      want[5 * t + 1] = t % 4 * 100 + 4;
      want[5 * t + 2] = t % 2 * 100 + 2;
      want[5 * t + 3] = t % 32 / 8 * 10 + 4;
      want[5 * t + 4] = t % 8 * 100 + 8;
    }
    check::equal("nested tiles", out.get(), want);
  }
  for (int n : {1, 1000, 4097}) {
    const auto in = random.integers<int>(n, -1000, 1000);  // sums are exact
    std::vector<float> values(in.begin(), in.end());
    float want = 0;
    for (float v : values) want += v;
    check::Array<float> source(values), out(1);
    block_sum<<<1, 128>>>(source.data(), out.data(), n);
    check::equal("block sum", out.get(), std::vector<float>{want});
  }
  return check::finish();
}
