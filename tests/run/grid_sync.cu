// Cooperative launches: grid barriers in straight code, in loops, behind branches of a block, in
// device functions, with shared memory and values that live across them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Cooperative groups | this_grid().sync() in cooperative launches (cudaLaunchCooperativeKernel, launch attribute), any number of blocks
// FEATURE: Cooperative groups | grid_group: ranks, sizes, barrier_arrive, barrier_wait, cg::sync(grid)
// FEATURE: Launches | cudaLaunchCooperativeKernel, cudaLaunchCooperativeKernelMultiDevice on one device, cudaLaunchAttributeCooperative
#include "check.h"

#include <cooperative_groups.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

namespace cg = cooperative_groups;

// Every thread takes its right neighbour's value, many times: wrong as soon as one block is late.
__global__ void rotate(int* cells, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const auto i = grid.thread_rank(), n = grid.size();
  for (int r = 0; r < rounds; ++r) {
    const int next = cells[(i + 1) % n] + r;
    grid.sync();
    cells[i] = next;
    grid.sync();
  }
}

// The sum of everything, by a tree over blocks; shared memory and `mine` live across barriers.
__device__ int sum_of_block(const int* in, int n, int* cells) {
  const int t = check::thread_index(), threads = check::thread_count();
  int mine = 0;
  for (auto i = int(cg::this_grid().thread_rank()); i < n; i += int(cg::this_grid().size())) {
    mine += in[i];
  }
  cells[t] = mine;
  __syncthreads();
  for (int width = 1024; width > 0; width /= 2) {
    if (t < width && t + width < threads) cells[t] += cells[t + width];
    __syncthreads();
  }
  return cells[0];
}
__global__ void sum_all(const int* in, int n, int* partial, int* total, int* check_back) {
  __shared__ int cells[1024];
  const cg::grid_group grid = cg::this_grid();
  const int sum = sum_of_block(in, n, cells);
  if (cg::this_thread_block().thread_rank() == 0) partial[grid.block_rank()] = sum;
  cg::sync(grid);
  if (grid.thread_rank() == 0) {
    int all = 0;
    for (unsigned b = 0; b < grid.num_blocks(); ++b) all += partial[b];
    *total = all;
  }
  grid.barrier_wait(grid.barrier_arrive());
  // Everybody sees the total, and still has what it had before the barriers.
  check_back[grid.thread_rank()] = *total - sum + cells[0];
}

// All threads of a block take the same way, blocks take different ones; some blocks leave early.
__global__ void branches(int* out, int blocks_that_stay) {
  const cg::grid_group grid = cg::this_grid();
  const int b = int(grid.block_rank()), t = check::thread_index();
  int value = b * 1000 + t;
  if (b >= blocks_that_stay) return;
  if (b % 2 == 0) {
    if (t == 0) atomicAdd(out, 1);
    grid.sync();
    value += out[0];
  } else {
    if (t == 0) atomicAdd(out, 1);
    grid.sync();
    value -= out[0];
  }
  const int lane_sum = __shfl_xor_sync(0xffffffffu, value, 1) + value;
  grid.sync();
  out[1 + grid.thread_rank()] = lane_sum;
}

// Threads of a block that have left do not hold the others up.
__global__ void early_threads(int* out, int* sums) {
  const cg::grid_group grid = cg::this_grid();
  const int t = check::thread_index();
  if (t % 3 == 1) return;
  out[grid.thread_rank()] = t;
  grid.sync();
  int sum = 0;
  for (unsigned b = 0; b < grid.num_blocks(); ++b) sum += out[b * check::thread_count() + t];
  sums[grid.thread_rank()] = sum;
}

template <class... Parameters>
cudaError_t launch_together(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                            std::common_type_t<Parameters>... values) {
  void* addresses[] = {&values...};
  return cudaLaunchCooperativeKernel((void*)kernel, grid, block, addresses);
}

void check_rotate(dim3 grid, dim3 block, int rounds, check::Random& random) {
  const int n = check::volume(grid) * check::volume(block);
  auto want = random.integers<int>(n, -1000, 1000);
  check::Array<int> cells(want);
  CUDA_OK(launch_together(rotate, grid, block, cells.data(), rounds));
  for (int r = 0; r < rounds; ++r) {
    std::rotate(want.begin(), want.begin() + 1, want.end());
    for (int& value : want) value += r;
  }
  check::equal("rotate", cells.get(), want);
}

void check_sum(dim3 grid, dim3 block, int n, check::Random& random) {
  const auto in = random.integers<int>(n, -1000, 1000);
  const int blocks = check::volume(grid), threads = check::volume(block);
  check::Array<int> source(in), partial(blocks), total(1), back(blocks * threads);
  CUDA_OK(launch_together(sum_all, grid, block, source.data(), n, partial.data(), total.data(),
                          back.data()));
  const int want = std::accumulate(in.begin(), in.end(), 0);
  CHECK_EQ(total.get()[0], want);
  check::equal("total", back.get(), std::vector<int>(blocks * threads, want));
}

void check_branches(int blocks, int stay) {
  constexpr int threads = 64;
  check::Array<int> out(1 + blocks * threads);
  CUDA_OK(cudaMemset(out.data(), 0, (1 + blocks * threads) * sizeof(int)));
  CUDA_OK(launch_together(branches, dim3(blocks), dim3(threads), out.data(), stay));
  std::vector<int> want(1 + blocks * threads, 0);
  want[0] = stay;
  for (int i = 0; i < stay * threads; ++i) {
    const int b = i / threads, t = i % threads, change = b % 2 == 0 ? stay : -stay;
    want[1 + i] = 2 * (b * 1000 + change) + t + (t ^ 1);
  }
  check::equal("branches", out.get(), want);
}

void check_early_threads(int blocks, int threads) {
  check::Array<int> out(blocks * threads), sums(blocks * threads);
  CUDA_OK(cudaMemset(sums.data(), 0, blocks * threads * sizeof(int)));
  CUDA_OK(launch_together(early_threads, dim3(blocks), dim3(threads), out.data(), sums.data()));
  std::vector<int> want(blocks * threads);
  for (int i = 0; i < blocks * threads; ++i) {
    want[i] = i % threads % 3 == 1 ? 0 : blocks * (i % threads);
  }
  check::equal("early threads", sums.get(), want);
}

void check_attribute(check::Random& random) {
  auto want = random.integers<int>(21, -1000, 1000);
  check::Array<int> cells(want);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(3);
  config.blockDim = dim3(7);
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_OK(cudaLaunchKernelEx(&config, rotate, cells.data(), 2));
  std::rotate(want.begin(), want.begin() + 2, want.end());
  for (int& value : want) value += 1;
  check::equal("rotate", cells.get(), want);

  int* pointer = cells.data();
  int rounds = 1;
  void* arguments[] = {&pointer, &rounds};
  cudaLaunchParams one{(void*)rotate, dim3(3), dim3(7), arguments, 0, nullptr};
  CUDA_OK(cudaLaunchCooperativeKernelMultiDevice(&one, 1));
  std::rotate(want.begin(), want.begin() + 1, want.end());
  check::equal("rotate", cells.get(), want);
}

int main() {
  check::Random random(91);
  int supported = 0;
  CUDA_OK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  CHECK_EQ(supported, 1);
  int per_worker = 0, workers = 0;
  CUDA_OK(cudaDeviceGetAttribute(&workers, cudaDevAttrMultiProcessorCount, 0));
  CUDA_OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_worker, rotate, 96, 0));
  check_rotate(dim3(per_worker * workers), dim3(96), 3, random);
  for (dim3 block : {dim3(1), dim3(33), dim3(64), dim3(7, 5), dim3(3, 4, 5)}) {
    for (dim3 grid : {dim3(1), dim3(2), dim3(3, 2), dim3(2, 2, 3)}) {
      check_rotate(grid, block, 5, random);
      check_sum(grid, block, 1009, random);
    }
  }
  check_branches(7, 7);
  check_branches(7, 4);
  check_early_threads(5, 50);
  check_early_threads(1, 1);
  check_attribute(random);
  return check::finish();
}
